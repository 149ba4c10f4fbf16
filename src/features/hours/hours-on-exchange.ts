import type { SessionState } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { hoursMessages } from '#src/markets/answers/hours-messages.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import { writeDate } from '#src/kernel/moment.ts';
import type { ExchangeData } from '#src/markets/calendar/calendar-data.ts';
import {
  dateAt,
  dayOf,
  nextChangeAfter,
  nextOpenAfter,
  stateOn,
  type TradingDay,
} from '#src/markets/calendar/sessions.ts';
import { type HoursPart, nextChangeText, phasesText } from '#src/markets/answers/hours-format.ts';

/** How far ahead an unusual day is told without being asked for. */
const DAYS_AHEAD = 7;

/** A day in words: its hours, or why there are none. */
const dayText = (
  day: TradingDay,
  data: ExchangeData,
  date: Temporal.PlainDate,
  audience: Audience,
): string => {
  const t = hoursMessages(audience.locale);
  if (day.status === 'trading') return phasesText(day.phases, data.timeZone, date, audience);
  if (day.status === 'unknown') return t.states.unknown;
  return day.isHoliday ? t.closedHoliday({ name: day.note?.[audience.locale] ?? '' }) : t.closedWeekend;
};

/** A holiday has said its name already. */
const noteLines = (day: TradingDay, locale: Locale): readonly string[] =>
  day.note && day.status !== 'closed' ? [hoursMessages(locale).special({ note: day.note[locale] })] : [];

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
      const isUnusual =
        (day.status === 'trading' && day.isSpecial) || (day.status === 'closed' && day.isHoliday);
      if (!isUnusual) return [];
      const regular = day.status === 'trading' ? [day.regular] : [];
      const hours =
        regular.length > 0 ? phasesText(regular, data.timeZone, date, audience).replace('\n', ', ') : '';
      const text =
        hours === '' ? dayText(day, data, date, audience) : `${hours}, ${day.note?.[locale] ?? ''}`;
      return [`${writeDate(date, locale)} ${text}`];
    },
  );
  return days.length === 0 ? [] : [hoursMessages(locale).coming({ days: days.join(' / ') })];
};

const dayFacts = (day: TradingDay, date: Temporal.PlainDate): HoursPart['facts'] => ({
  date: date.toString(),
  day: day.status,
  ...(day.note && { note: day.note.en }),
  ...(day.status === 'trading' &&
    Object.fromEntries(
      day.phases.flatMap(({ state, from, to }) => [
        [`${state}From`, from.toString()],
        [`${state}To`, to.toString()],
      ]),
    )),
});

/** What comes next; where that is no regular opening and none is running, that too. */
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

export const describeExchangeNow = (
  data: ExchangeData,
  title: string,
  now: Timestamp,
  audience: Audience,
): HoursPart => {
  const t = hoursMessages(audience.locale);
  const date = dateAt(data, now);
  const day = dayOf(data, date);
  const state = stateOn(day, now);
  const change = nextChangeAfter(data, now);
  return {
    isKnown: state !== 'unknown',
    lines: [
      `**${title}** · ${t.states[state]}`,
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

export const describeExchangeOn = (
  data: ExchangeData,
  title: string,
  date: Temporal.PlainDate,
  audience: Audience,
): HoursPart => {
  const day = dayOf(data, date);
  return {
    isKnown: day.status !== 'unknown',
    lines: [
      `**${title}** · ${writeDate(date, audience.locale)}`,
      dayText(day, data, date, audience),
      ...noteLines(day, audience.locale),
    ],
    facts: dayFacts(day, date),
  };
};
