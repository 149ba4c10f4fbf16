import type { QueryDeps } from '#src/features/feature.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { type Audience, emptyAnswer, type MarketAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import { weekdayName, writeDate, writeDayMoment, writeShortDay } from '#src/kernel/time.ts';
import { FX_TIME_ZONE, fxWeek, isFxOpen, nextFxChange } from '#src/markets/calendar/fx-week.ts';
import {
  type HoursPart,
  nextChangeText,
  phasesText,
  regularText,
  spanText,
  waitText,
  weekMomentText,
} from '#src/markets/answers/hours-format.ts';
import type { SessionState, SymbolSearch } from '#src/kernel/market/finance.ts';
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
import type { MetricId } from '#src/kernel/market/fact-metrics.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { readDate } from '#src/reading/dates.ts';
import {
  allMarkets,
  findMarkets,
  type MarketKey,
  type NamedMarket,
} from '#src/markets/calendar/market-names.ts';
import { detailsControl } from '#src/markets/answers/controls.ts';
import { withNames } from '#src/markets/answers/fact-names.ts';
import { withoutCompanyForm } from '#src/markets/answers/narrow-name.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';

export interface HoursRequest {
  /** As people write it: `krx`, `미국`, `crypto`, or the name of a company. Absent: every market. */
  readonly market?: string;
  /** `2026-11-19`, `11월 19일`, `tomorrow`. Absent: now. */
  readonly date?: string;
  /** What a yes-or-no question asks. Absent: it is no such question. */
  readonly asks?: 'open' | 'closed';
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

interface BriefPart {
  /** Whether it is open now, or on the date. Undefined: not known. */
  readonly isOpen: boolean | undefined;
  readonly said: string;
  readonly lines: readonly string[];
}

/** Without what stands behind it: an explanation, hours that are not known. */
const firstNote = (day: TradingDay, { locale }: Audience): string =>
  (day.note?.[locale] ?? '').split(' · ')[0]?.replace(/ \([^()]*\)$/u, '') ?? '';

const hasMoreNotes = (day: TradingDay, { locale }: Audience): boolean =>
  day.note?.[locale].includes(' · ') === true;

/** `(Christmas)`, `(Chuseok, expected)`, `(weekend)`. */
const closedWhy = (day: TradingDay, audience: Audience): readonly string[] => {
  if (day.status !== 'closed') return [];
  const t = hoursTexts(audience.locale);
  const why = day.isHoliday
    ? [firstNote(day, audience), ...(hasMoreNotes(day, audience) ? [t.expected] : [])]
    : [t.weekend];
  return [`(${why.join(', ')})`];
};

/** `10:00–16:30 KST, CSAT day`. */
const specialText = (
  day: TradingDay & { readonly status: 'trading' },
  data: ExchangeData,
  date: Temporal.PlainDate,
  audience: Audience,
): string =>
  [regularText(day.regular, data.timeZone, date, audience), firstNote(day, audience)]
    .filter((part) => part !== '')
    .join(', ');

/** `11/19(목)`, `Thu Nov 19`; with the year where it is another one. */
const shortDate = (date: Temporal.PlainDate, now: Timestamp, { locale, timeZone }: Audience): string => {
  if (date.year !== now.toZonedDateTimeISO(timeZone).year) return writeDate(date, locale);
  const [day, weekday] = [writeShortDay(date, locale), weekdayName(date.dayOfWeek, locale)];
  return locale === 'ko' ? `${day}(${weekday})` : `${weekday} ${day}`;
};

/** The next unusual day of the coming week. */
const nextUnusual = (
  data: ExchangeData,
  today: Temporal.PlainDate,
  now: Timestamp,
  audience: Audience,
): readonly string[] => {
  for (let ahead = 1; ahead <= DAYS_AHEAD; ahead += 1) {
    const date = today.add({ days: ahead });
    const day = dayOf(data, date);
    const named = shortDate(date, now, audience);
    if (day.status === 'closed' && day.isHoliday) return [`${named} ${dayText(day, data, date, audience)}`];
    if (day.status === 'trading' && day.isSpecial)
      return [`${named} ${specialText(day, data, date, audience)}`];
  }
  return [];
};

/** When it changes: the time alone if that is today. */
const changeAt = (at: Timestamp, now: Timestamp, { locale, timeZone }: Audience) => {
  const [local, today] = [at, now].map((each) => each.toZonedDateTimeISO(timeZone).toPlainDate().toString());
  const moment = writeDayMoment(at, timeZone, locale);
  return {
    at: local === today ? moment.slice(moment.search(/\d{2}:\d{2}/u)) : moment,
    wait: waitText(at, now, locale),
  };
};

/** The regular hours of the day that begins then: `09:30–16:00 EST`. */
const hoursOf = (data: ExchangeData, at: Timestamp): readonly string[] => {
  const day = dayOf(data, dateAt(data, at));
  return day.status === 'trading' ? [spanText(day.regular, data.timeZone, dateAt(data, at))] : [];
};

const exchangeBrief = (data: ExchangeData, now: Timestamp, audience: Audience): BriefPart => {
  const t = hoursTexts(audience.locale);
  const date = dateAt(data, now);
  const day = dayOf(data, date);
  const state = stateOn(day, now);
  const change = state === 'open' ? nextChangeAfter(data, now) : null;
  const opensAt = state === 'open' ? null : nextOpenAfter(data, now);
  const isSpecial = day.status === 'trading' && day.isSpecial;
  return {
    isOpen: state === 'unknown' ? undefined : state === 'open',
    said: [t.now[state], ...closedWhy(day, audience)].join(' '),
    lines: [
      ...(change ? [t.closes(changeAt(change.at, now, audience))] : []),
      ...(opensAt
        ? [[t.opens(changeAt(opensAt, now, audience)), ...hoursOf(data, opensAt)].join(' · ')]
        : []),
      ...(isSpecial ? [specialText(day, data, date, audience)] : []),
      ...(isSpecial && hasMoreNotes(day, audience) ? [t.checkNotice] : []),
      ...nextUnusual(data, date, now, audience),
    ],
  };
};

const dateBrief = (
  data: ExchangeData,
  date: Temporal.PlainDate,
  now: Timestamp,
  audience: Audience,
): BriefPart => {
  const t = hoursTexts(audience.locale);
  const day = dayOf(data, date);
  const on = { day: shortDate(date, now, audience) };
  if (day.status === 'unknown') return { isOpen: undefined, said: t.on.unknown(on), lines: [] };
  if (day.status === 'closed') {
    const said = [t.on.closed(on), ...closedWhy(day, audience)].join(' ');
    return { isOpen: false, said, lines: [] };
  }
  const hours = day.isSpecial
    ? specialText(day, data, date, audience)
    : regularText(day.regular, data.timeZone, date, audience);
  const notes = day.isSpecial && hasMoreNotes(day, audience) ? [t.checkNotice] : [];
  return { isOpen: true, said: t.on.open(on), lines: [hours, ...notes] };
};

const fxBrief = (date: Temporal.PlainDate | null, now: Timestamp, audience: Audience): BriefPart => {
  const t = hoursTexts(audience.locale);
  if (date) {
    const { lines, facts } = describeFxOn(date, audience);
    const isOpen = facts['day'] !== 'closed';
    return { isOpen, said: t.on[isOpen ? 'open' : 'closed']({ day: shortDate(date, now, audience) }), lines };
  }
  const isOpen = isFxOpen(now);
  const change = changeAt(nextFxChange(now).at, now, audience);
  return {
    isOpen,
    said: t.now[isOpen ? 'open' : 'closed'],
    lines: [isOpen ? t.closes(change) : t.opens(change)],
  };
};

const briefOf = (
  { place }: NamedMarket,
  date: Temporal.PlainDate | null,
  now: Timestamp,
  audience: Audience,
): BriefPart => {
  if (place.kind === 'crypto') return { isOpen: true, said: hoursTexts(audience.locale).always, lines: [] };
  if (place.kind === 'fx') return fxBrief(date, now, audience);
  return date ? dateBrief(place.data, date, now, audience) : exchangeBrief(place.data, now, audience);
};

/** The market of the reader's place, or else of their language. */
const OWN_MARKETS: Readonly<Record<string, string>> = {
  'Asia/Seoul': 'KRX',
  'Asia/Tokyo': 'TSE',
  'Asia/Hong_Kong': 'HKEX',
  'Europe/London': 'LSE',
};

const ownMarket = (
  { locale, timeZone }: Audience,
  symbols: Pick<SymbolSearch, 'resolve'>,
): NamedMarket | undefined => {
  const key = locale === 'ko' ? 'KRX' : (OWN_MARKETS[timeZone] ?? 'NYSE');
  return findMarkets(key, symbols)[0];
};

/** One market in a few words: yes or no, the state, what comes next. */
const briefText = (
  market: NamedMarket,
  { asks }: HoursRequest,
  date: Temporal.PlainDate | null,
  now: Timestamp,
  audience: Audience,
): string => {
  const { locale } = audience;
  const t = hoursTexts(locale);
  const { isOpen, said, lines } = briefOf(market, date, now, audience);
  const isYes = isOpen === (asks === 'open');
  const answer = asks === undefined || isOpen === undefined ? 'none' : isYes ? 'yes' : 'no';
  const company = market.instrument ? ` (${withoutCompanyForm(market.instrument.name[locale])})` : '';
  const name = `${t.shortMarkets[market.key]}${company}`;
  return [`**${t.answer[answer]({ name, said })}**`, ...lines].join('\n');
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
  async (request, audience) => {
    const { market, date: typedDate } = request;
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
    const [first] = markets;
    const about = market === undefined ? (ownMarket(audience, symbols) ?? first) : first;
    const command = [
      '/hours',
      ...(market === undefined ? [] : [echo(market)]),
      ...(date ? [date.toString()] : []),
    ];
    return {
      content: about ? briefText(about, request, date, now, audience) : '',
      details: [
        ...meant,
        ...parts.map(({ title: [name, state], lines }) => [`**${name}** · ${state}`, ...lines].join('\n')),
        source,
      ].join('\n\n'),
      facts: parts.flatMap(({ key, facts }) => factsOf(key, facts, now)),
      found: parts.filter(({ isKnown }) => isKnown).length,
      choices: detailsControl(
        command.join(' '),
        audience.locale,
        market === undefined ? 'allMarkets' : 'details',
      ),
    };
  };
