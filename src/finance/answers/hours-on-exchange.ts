import type { SessionState } from '#src/core/finance.ts';
import type { Locale } from '#src/core/locale.ts';
import { hoursMessages } from '#src/core/i18n/hours.ts';
import type { Timestamp } from '#src/core/ids.ts';
import type { Reader } from '#src/core/market-desk.ts';
import { writeDate } from '#src/core/moment.ts';
import type { ExchangeData } from '../calendar/calendar-data.ts';
import {
  dateAt,
  dayOf,
  nextChangeAfter,
  nextOpenAfter,
  stateOn,
  type TradingDay,
} from '../calendar/sessions.ts';
import { type HoursPart, nextChangeText, phasesText } from './hours-format.ts';

/** How far ahead an unusual day is told without being asked for. */
const DAYS_AHEAD = 7;

/** A day in words: its hours, or why there are none. */
const dayText = (day: TradingDay, data: ExchangeData, date: Temporal.PlainDate, reader: Reader): string => {
  const t = hoursMessages(reader.locale);
  if (day.status === 'trading') return phasesText(day.phases, data.timeZone, date, reader);
  if (day.status === 'unknown') return t.states.unknown;
  return day.isHoliday ? t.closedHoliday({ name: day.note?.[reader.locale] ?? '' }) : t.closedWeekend;
};

/** A holiday has said its name already. */
const noteLines = (day: TradingDay, locale: Locale): readonly string[] =>
  day.note && day.status !== 'closed' ? [hoursMessages(locale).special({ note: day.note[locale] })] : [];

/** Unusual days of the coming week: holidays, half days, other hours. */
const comingLines = (data: ExchangeData, today: Temporal.PlainDate, reader: Reader): readonly string[] => {
  const { locale } = reader;
  const days = Array.from({ length: DAYS_AHEAD }, (_, index) => today.add({ days: index + 1 })).flatMap(
    (date) => {
      const day = dayOf(data, date);
      const isUnusual =
        (day.status === 'trading' && day.isSpecial) || (day.status === 'closed' && day.isHoliday);
      if (!isUnusual) return [];
      const regular = day.status === 'trading' ? [day.regular] : [];
      const hours =
        regular.length > 0 ? phasesText(regular, data.timeZone, date, reader).replace('\n', ', ') : '';
      const text = hours === '' ? dayText(day, data, date, reader) : `${hours}, ${day.note?.[locale] ?? ''}`;
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
  reader: Reader,
): readonly string[] => {
  const change = nextChangeAfter(data, now);
  const opensAt = state === 'open' || change?.to === 'open' ? null : nextOpenAfter(data, now);
  return [change, ...(opensAt ? [{ to: 'open' as const, at: opensAt }] : [])].map((next) =>
    nextChangeText(next, now, data.timeZone, reader),
  );
};

export const describeExchangeNow = (
  data: ExchangeData,
  title: string,
  now: Timestamp,
  reader: Reader,
): HoursPart => {
  const t = hoursMessages(reader.locale);
  const date = dateAt(data, now);
  const day = dayOf(data, date);
  const state = stateOn(day, now);
  const change = nextChangeAfter(data, now);
  return {
    isKnown: state !== 'unknown',
    lines: [
      `**${title}** · ${t.states[state]}`,
      `${t.today({ date: writeDate(date, reader.locale) })}: ${dayText(day, data, date, reader)}`,
      ...noteLines(day, reader.locale),
      ...nextLines(data, state, now, reader),
      ...comingLines(data, date, reader),
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
  reader: Reader,
): HoursPart => {
  const day = dayOf(data, date);
  return {
    isKnown: day.status !== 'unknown',
    lines: [
      `**${title}** · ${writeDate(date, reader.locale)}`,
      dayText(day, data, date, reader),
      ...noteLines(day, reader.locale),
    ],
    facts: dayFacts(day, date),
  };
};
