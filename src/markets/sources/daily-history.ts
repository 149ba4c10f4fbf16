import type { Timestamp } from '#src/kernel/ids.ts';
import type { DailyHistory, DaySpan } from './source.ts';

/** Midnight UTC of a date. */
export const startOfUtc = (date: Temporal.PlainDate): Timestamp => date.toZonedDateTime('UTC').toInstant();

/** Keeps only the given days, by the exchange's time zone. */
export const withinDays = (history: DailyHistory, { first, last }: DaySpan): DailyHistory => {
  const { timeZone } = history;
  const from = first.toZonedDateTime(timeZone).epochMilliseconds;
  const to = last.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
  const bars = history.bars.filter(({ at }) => at.epochMilliseconds >= from && at.epochMilliseconds < to);
  const actions = history.actions.filter(
    ({ date }) => Temporal.PlainDate.compare(date, first) >= 0 && Temporal.PlainDate.compare(date, last) <= 0,
  );
  const lastBar = bars.at(-1);
  const isCutOff = lastBar && lastBar !== history.bars.at(-1);
  return { ...history, bars, actions, asOf: isCutOff ? lastBar.at : history.asOf };
};
