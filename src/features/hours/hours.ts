import type { QueryDeps } from '#src/features/feature.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import {
  type Audience,
  emptyAnswer,
  type MarketAnswer,
  type MarketQuery,
} from '#src/kernel/market-queries.ts';
import { writeDate, writeDayMoment } from '#src/kernel/moment.ts';
import { FX_TIME_ZONE, fxWeek, isFxOpen, nextFxChange } from '#src/markets/calendar/fx-week.ts';
import {
  type HoursPart,
  nextChangeText,
  phasesText,
  weekMomentText,
} from '#src/markets/answers/hours-format.ts';
import type { SessionState } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { calendarFile, type ExchangeData } from '#src/markets/calendar/calendar-data.ts';
import {
  dateAt,
  dayOf,
  nextChangeAfter,
  nextOpenAfter,
  type Phase,
  stateOn,
  type TradingDay,
} from '#src/markets/calendar/sessions.ts';
import type { MetricId } from '#src/kernel/fact-metrics.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { readDate } from '#src/reading/dates.ts';
import {
  allMarkets,
  findMarkets,
  type MarketKey,
  type NamedMarket,
} from '#src/markets/calendar/market-names.ts';
import { withNames } from '#src/markets/answers/fact-names.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';

export interface HoursRequest {
  /** As people write it: `krx`, `미국`, `crypto`, or the name of a company. Absent: every market. */
  readonly market?: string;
  /** `2026-11-19`, `11월 19일`, `tomorrow`. Absent: now. */
  readonly date?: string;
}

export interface HoursQueries {
  readonly hours: MarketQuery<HoursRequest>;
}

const SATURDAY = 6;
const FRIDAY = 5;
const SUNDAY = 7;

const describeCryptoNow = ({ locale }: Audience): HoursPart => {
  const t = hoursTexts(locale);
  return {
    isKnown: true,
    title: [t.markets.crypto, t.states.open],
    lines: [t.alwaysOpen],
    facts: { state: 'open' },
  };
};

/** The week runs from Sunday to Friday in New York, which may be Monday to Saturday for the reader. */
const describeFxNow = (now: Timestamp, audience: Audience): HoursPart => {
  const t = hoursTexts(audience.locale);
  const state = isFxOpen(now) ? 'open' : 'closed';
  const change = nextFxChange(now);
  const { opensAt, closesAt } = fxWeek(now);
  const weekIn = (zone: string): string =>
    t.fxWeek({
      from: weekMomentText(opensAt, zone, audience.locale),
      to: weekMomentText(closesAt, zone, audience.locale),
    });
  return {
    isKnown: true,
    title: [t.markets.fx, t.states[state]],
    lines: [
      `${weekIn(audience.timeZone)} ${t.bankHolidays}`,
      nextChangeText(change, now, FX_TIME_ZONE, audience),
    ],
    facts: { state, nextState: change.to, nextChangeAt: change.at.toString() },
  };
};

/** The date is in New York. */
const describeFxOn = (date: Temporal.PlainDate, audience: Audience): HoursPart => {
  const t = hoursTexts(audience.locale);
  const weekBoundary = date.toZonedDateTime({ timeZone: FX_TIME_ZONE, plainTime: '17:00' }).toInstant();
  const here = writeDayMoment(weekBoundary, audience.timeZone, audience.locale);
  const there = weekMomentText(weekBoundary, FX_TIME_ZONE, audience.locale);
  const time = { time: here.endsWith(there) ? there : `${there} (${here})` };
  const { dayOfWeek } = date;
  const unusual: Partial<Record<number, string>> = {
    [FRIDAY]: t.fxDay.until(time),
    [SATURDAY]: t.closedWeekend,
    [SUNDAY]: t.fxDay.from(time),
  };
  const text = unusual[dayOfWeek] ?? t.fxDay.open;
  return {
    isKnown: true,
    title: [t.markets.fx, writeDate(date, audience.locale)],
    lines: [`${text}. ${t.bankHolidays}`],
    facts: { date: date.toString(), day: dayOfWeek === SATURDAY ? 'closed' : 'trading' },
  };
};

/** Unusual days this far ahead are mentioned without being asked for. */
const DAYS_AHEAD = 7;

/** The hours of a day, or the reason why it has none. */
const dayText = (
  day: TradingDay,
  data: ExchangeData,
  date: Temporal.PlainDate,
  audience: Audience,
): string => {
  const t = hoursTexts(audience.locale);
  if (day.status === 'trading') return phasesText(day.phases, data.timeZone, date, audience);
  if (day.status === 'unknown') return t.states.unknown;
  return day.isHoliday ? t.closedHoliday({ name: day.note?.[audience.locale] ?? '' }) : t.closedWeekend;
};

/** `dayText` names a holiday already. */
const noteLines = (day: TradingDay, locale: Locale): readonly string[] =>
  day.note && day.status !== 'closed' ? [hoursTexts(locale).special({ note: day.note[locale] })] : [];

/** Unusual days of the coming week: holidays, half days, other hours. */
const comingLines = (
  data: ExchangeData,
  today: Temporal.PlainDate,
  audience: Audience,
): readonly string[] => {
  const { locale } = audience;
  const days = Array.from({ length: DAYS_AHEAD }, (_, index) => today.add({ days: index + 1 })).flatMap(
    (date) => {
      const day = dayOf(data, date);
      if (day.status === 'closed' && day.isHoliday)
        return [`${writeDate(date, locale)} ${dayText(day, data, date, audience)}`];
      if (day.status !== 'trading' || !day.isSpecial) return [];
      const hours = phasesText([day.regular], data.timeZone, date, audience).replace('\n', ', ');
      return [`${writeDate(date, locale)} ${hours}, ${day.note?.[locale] ?? ''}`];
    },
  );
  return days.length === 0 ? [] : [hoursTexts(locale).coming({ days: days.join(' / ') })];
};

/** The break at noon. */
const pauseOf = (phases: readonly Phase[]): readonly (readonly [Timestamp, Timestamp])[] => {
  const [morning, afternoon] = phases.filter(({ state }) => state === 'open');
  return morning && afternoon ? [[morning.to, afternoon.from]] : [];
};

const dayFacts = (day: TradingDay, date: Temporal.PlainDate): HoursPart['facts'] => ({
  date: date.toString(),
  day: day.status,
  ...(day.note && { note: day.note.en }),
  ...(day.status === 'trading' &&
    Object.fromEntries([
      ...day.phases.map(({ state, to }) => [`${state}To`, to.toString()]),
      ...day.phases.toReversed().map(({ state, from }) => [`${state}From`, from.toString()]),
      ...pauseOf(day.phases).flatMap(([from, to]) => [
        ['pauseFrom', from.toString()],
        ['pauseTo', to.toString()],
      ]),
    ])),
});

/** The next change, and also the next regular opening unless that is it or the market is open. */
const nextLines = (
  data: ExchangeData,
  state: SessionState,
  now: Timestamp,
  audience: Audience,
): readonly string[] => {
  const change = nextChangeAfter(data, now);
  const opensAt = state === 'open' || change?.to === 'open' ? null : nextOpenAfter(data, now);
  return [change, ...(opensAt ? [{ to: 'open' as const, at: opensAt }] : [])].map((next) =>
    nextChangeText(next, now, data.timeZone, audience),
  );
};

const describeExchangeNow = (
  data: ExchangeData,
  title: string,
  now: Timestamp,
  audience: Audience,
): HoursPart => {
  const t = hoursTexts(audience.locale);
  const date = dateAt(data, now);
  const day = dayOf(data, date);
  const state = stateOn(day, now);
  const change = nextChangeAfter(data, now);
  return {
    isKnown: state !== 'unknown',
    title: [title, t.states[state]],
    lines: [
      `${t.today({ date: writeDate(date, audience.locale) })}: ${dayText(day, data, date, audience)}`,
      ...noteLines(day, audience.locale),
      ...nextLines(data, state, now, audience),
      ...comingLines(data, date, audience),
    ],
    facts: {
      state,
      ...dayFacts(day, date),
      ...(change && { nextState: change.to, nextChangeAt: change.at.toString() }),
    },
  };
};

const describeExchangeOn = (
  data: ExchangeData,
  title: string,
  date: Temporal.PlainDate,
  audience: Audience,
): HoursPart => {
  const day = dayOf(data, date);
  return {
    isKnown: day.status !== 'unknown',
    title: [title, writeDate(date, audience.locale)],
    lines: [dayText(day, data, date, audience), ...noteLines(day, audience.locale)],
    facts: dayFacts(day, date),
  };
};

const partOf = (
  { key, place }: NamedMarket,
  date: Temporal.PlainDate | null,
  now: Timestamp,
  audience: Audience,
): HoursPart => {
  if (place.kind === 'crypto') return describeCryptoNow(audience);
  if (place.kind === 'fx') return date ? describeFxOn(date, audience) : describeFxNow(now, audience);
  const { data } = place;
  const t = hoursTexts(audience.locale);
  const title = t.markets[key];
  const part = date
    ? describeExchangeOn(data, title, date, audience)
    : describeExchangeNow(data, title, now, audience);
  return key === 'NXT' ? { ...part, lines: [...part.lines, t.nxtNote] } : part;
};

const sourceOf = (markets: readonly NamedMarket[], audience: Audience): string => {
  const t = hoursTexts(audience.locale);
  return markets.some(({ place }) => place.kind === 'exchange')
    ? t.source({ date: calendarFile().asOf })
    : t.sourceWeek;
};

/** Shows which company was understood. */
const tradedThere = (markets: readonly NamedMarket[], { locale }: Audience): readonly string[] =>
  markets.flatMap(({ instrument }) =>
    instrument ? [hoursTexts(locale).tradedHere({ name: instrumentLabel(instrument, locale) })] : [],
  );

/** The others are times: `openFrom`, `nextChangeAt`. */
const METRICS_OF_HOURS: Readonly<Record<string, MetricId>> = {
  state: 'marketState',
  nextState: 'marketState',
  date: 'marketDay',
  day: 'marketDay',
  note: 'marketDay',
};

const factsOf = (key: MarketKey, facts: HoursPart['facts'], now: Timestamp): readonly Fact[] =>
  withNames(
    [key, ...(['ko', 'en'] as const).map((locale) => hoursTexts(locale).markets[key].replace(/ \(.*/u, ''))],
    Object.entries(facts).map(([parameter, value]) => ({
      entity: key,
      metric: METRICS_OF_HOURS[parameter] ?? 'marketTime',
      parameter,
      value,
      unit: 'text',
      asOf: now.toString(),
      source: `exchange calendar ${calendarFile().asOf}`,
      isSample: false,
    })),
  );

const CHOICES: Readonly<Record<MarketKey, string>> = {
  KRX: 'krx',
  NXT: 'nxt',
  NYSE: 'us',
  TSE: 'tokyo',
  HKEX: 'hong kong',
  LSE: 'london',
  fx: 'fx',
  crypto: 'crypto',
};

const unknownMarket = (typed: string, { locale }: Audience): MarketAnswer => {
  const t = hoursTexts(locale);
  return {
    ...emptyAnswer(t.unknownMarket({ typed: echo(typed) })),
    choices: allMarkets().map(({ key }) => ({
      label: t.markets[key],
      command: `/hours ${CHOICES[key]}`,
      effect: 'replaces' as const,
    })),
  };
};

/** When markets trade: now and next, or on a date. For a date past the calendar the answer says that it is unknown. */
export const hoursAnswer =
  ({ symbols, clock }: Omit<QueryDeps<never, 'clock'>, 'market'>): HoursQueries['hours'] =>
  async ({ market, date: typedDate }, audience) => {
    const now = clock.now();
    const markets = market === undefined ? allMarkets() : findMarkets(market, symbols);
    if (markets.length === 0) return unknownMarket(market ?? '', audience);
    const today = now.toZonedDateTimeISO(audience.timeZone).toPlainDate();
    const read =
      typedDate === undefined
        ? undefined
        : readDate(typedDate, today, { looks: 'near', allowsCompact: true })?.value;
    const date = read?.status === 'date' && read.precision === 'day' ? read.first : null;
    if (typedDate !== undefined && !date)
      return emptyAnswer(hoursTexts(audience.locale).badDate({ typed: echo(typedDate) }));
    const parts = markets.map((each) => ({ key: each.key, ...partOf(each, date, now, audience) }));
    const source = sourceOf(markets, audience);
    const meant = tradedThere(markets, audience);
    return {
      content: [
        ...meant,
        ...parts.map(({ title: [name, state], lines }) => [`**${name}** · ${state}`, ...lines].join('\n')),
        source,
      ].join('\n\n'),
      facts: parts.flatMap(({ key, facts }) => factsOf(key, facts, now)),
      found: parts.filter(({ isKnown }) => isKnown).length,
      cards: {
        items: [
          {
            title: hoursTexts(audience.locale).title,
            headline: '',
            fields: parts.map(({ title, lines }) => ({
              name: title.join(' · '),
              value: lines.join('\n'),
              isWide: true,
            })),
            footer: source,
            tone: 'flat',
          },
        ],
        text: meant.join('\n\n'),
      },
    };
  };
