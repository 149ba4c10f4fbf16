import type { Locale } from '#src/core/i18n.ts';
import { isIntraday } from '../answers/bar-dates.ts';
import type { BarInterval } from '../market/source.ts';
import { DAY_MS, localTime } from './local-time.ts';

/** Where a label stands below the bars, and what it says. */
export interface TimeTick {
  readonly index: number;
  readonly label: string;
}

interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** What a label marks the beginning of, from the finest on. `key` differs where a new one begins. */
interface Unit {
  readonly key: (moment: Moment) => number;
  readonly label: (moment: Moment, locale: Locale) => string;
  readonly isIntraday?: true;
}

const ENGLISH_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const dayNumber = ({ year, month, day }: Moment): number => (year * 12 + month) * 31 + day;
const monthNumber = ({ year, month }: Moment): number => year * 12 + month - 1;

const timeLabel = ({ hour, minute }: Moment): string => `${twoDigits(hour)}:${twoDigits(minute)}`;
const dayLabel = ({ month, day }: Moment, locale: Locale): string =>
  locale === 'ko' ? `${month}/${day}` : `${ENGLISH_MONTHS[month - 1] ?? ''} ${day}`;
const monthLabel = ({ year, month }: Moment, locale: Locale): string => {
  if (month === 1) return String(year);
  return locale === 'ko' ? `${month}월` : (ENGLISH_MONTHS[month - 1] ?? '');
};
/** Where two years may show the same month, the year stands with it. */
const yearLabel = ({ year }: Moment): string => String(year);

const hours = (count: number): Unit => ({
  key: (moment) => dayNumber(moment) * 24 + Math.floor(moment.hour / count),
  label: timeLabel,
  isIntraday: true,
});
const months = (count: number): Unit => ({
  key: (moment) => Math.floor(monthNumber(moment) / count),
  label: monthLabel,
});
const years = (count: number): Unit => ({ key: ({ year }) => Math.floor(year / count), label: yearLabel });

const UNITS: readonly Unit[] = [
  hours(1),
  hours(2),
  hours(4),
  { key: dayNumber, label: dayLabel },
  // Mondays, or the first day behind one: a week never straddles two of these.
  {
    key: ({ year, month, day }) => Math.floor((Date.UTC(year, month - 1, day) / DAY_MS + 3) / 7),
    label: dayLabel,
  },
  months(1),
  months(2),
  months(3),
  months(6),
  years(1),
  years(2),
  years(5),
  years(10),
];

const momentsOf = (times: readonly number[], timeZone: string): readonly Moment[] => {
  const timeOf = localTime(timeZone);
  return times.map((time) => {
    const local = new Date(timeOf(time));
    return {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes(),
    };
  });
};

/** Whole dates of a few bars: they say most. */
const fullLabel = (moment: Moment, hasTimes: boolean): string => {
  const date = `${moment.year}-${twoDigits(moment.month)}-${twoDigits(moment.day)}`;
  return hasTimes ? `${date} ${timeLabel(moment)}` : date;
};

const FEW_BARS = 4;

/**
 * Labels below bars that stand side by side without gaps for nights and weekends: where a new hour, day, month or
 * year begins, in the finest of these of which no more than `limit` are needed.
 */
export const timeTicks = (
  times: readonly number[],
  axis: {
    readonly timeZone: string;
    readonly interval: BarInterval;
    readonly locale: Locale;
    readonly limit: number;
  },
): readonly TimeTick[] => {
  const moments = momentsOf(times, axis.timeZone);
  const hasTimes = isIntraday(axis);
  if (moments.length <= FEW_BARS)
    return moments.map((moment, index) => ({ index, label: fullLabel(moment, hasTimes) }));
  const first = moments[0];
  const isOneDay = first !== undefined && moments.every((moment) => dayNumber(moment) === dayNumber(first));
  const beginnings = (unit: Unit): readonly TimeTick[] =>
    moments.flatMap((moment, index) => {
      const before = moments[index - 1];
      // The first bar seldom begins a month; on one day it does begin the day.
      const isNew = before ? unit.key(before) !== unit.key(moment) : isOneDay;
      return isNew ? [{ index, label: unit.label(moment, axis.locale) }] : [];
    });
  const units = UNITS.filter((unit) => (isOneDay ? unit.isIntraday : !unit.isIntraday));
  const fitting = units.map(beginnings).find((ticks) => ticks.length <= axis.limit);
  return fitting !== undefined && fitting.length > 0
    ? apart(fitting, times.length, axis.limit)
    : [
        {
          index: 0,
          label: fullLabel(moments[0] ?? { year: 0, month: 1, day: 1, hour: 0, minute: 0 }, hasTimes),
        },
      ];
};

/** Without those that would stand in each other's way. */
const apart = (ticks: readonly TimeTick[], count: number, limit: number): readonly TimeTick[] => {
  const gap = (count / limit) * 0.6;
  const kept: TimeTick[] = [];
  for (const tick of ticks) {
    const before = kept.at(-1);
    if (!before || tick.index - before.index >= gap) kept.push(tick);
  }
  return kept;
};
