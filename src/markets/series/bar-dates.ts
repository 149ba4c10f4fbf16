import type { Fact } from '#src/kernel/market/fact.ts';
import { localDay } from '../calendar/local-day.ts';
import type { BarInterval, History } from '../sources/source.ts';

const INTRADAY: ReadonlySet<BarInterval> = new Set(['5m', '30m']);

export const isIntraday = ({ interval }: Pick<History, 'interval'>): boolean => INTRADAY.has(interval);

/** The date at the exchange: `2026-11-13`. */
export const dayOf = (at: Temporal.Instant, timeZone: string): string => localDay(at, timeZone).text;

/** A moment in the exchange's time: `2026-11-13`, or `2026-11-13 09:30` for intraday bars. */
export const momentOf = (
  { interval, timeZone }: Pick<History, 'interval' | 'timeZone'>,
  at: Temporal.Instant,
): string => {
  const day = dayOf(at, timeZone);
  if (!INTRADAY.has(interval)) return day;
  return `${day} ${at.toZonedDateTimeISO(timeZone).toPlainTime().toString({ smallestUnit: 'minute' })}`;
};

/** The label of a bar: its start, or its month. */
export const barDate = (history: Pick<History, 'interval' | 'timeZone'>, at: Temporal.Instant): string =>
  history.interval === '1mo' ? dayOf(at, history.timeZone).slice(0, '2026-11'.length) : momentOf(history, at);

/** The moment as the `day` of a fact: `2026-11-13`, `2026-11-13T09:30`. */
export const factDay = (history: Pick<History, 'interval' | 'timeZone'>, at: Temporal.Instant): string =>
  momentOf(history, at).replace(' ', 'T');

/** The day of a bar's facts. The close of a week differs from that of its first day, so its facts have a period. */
export const barDay = (
  history: Pick<History, 'interval' | 'timeZone'>,
  at: Temporal.Instant,
): Pick<Fact, 'day' | 'period'> => {
  const { interval } = history;
  const isLong = interval === '1wk' || interval === '1mo';
  return { day: factDay(history, at), ...(isLong && { period: interval }) };
};
