import type { EChartsOption } from 'echarts';
import type { Locale } from '#src/kernel/locale.ts';
import { epochDay, wallClockIn, weekOf } from '../performance/epoch-day.ts';
import { isIntraday } from '../series/bar-dates.ts';
import type { TimedPicture } from './chart-picture.ts';
import { type ChartColours, FONT, TEXT } from './chart-style.ts';

/** A label of the time axis. */
interface TimeTick {
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

/** A tick unit. A tick stands where `key` changes. */
interface Unit {
  readonly key: (moment: Moment) => number;
  /** `before` is the tick before. */
  readonly label: (moment: Moment, locale: Locale, before?: Moment) => string;
  readonly isIntraday?: true;
  /** The label is true at any bar, not only at the first of a month or year. */
  readonly isDated?: true;
}

const ENGLISH_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const monthNumber = ({ year, month }: Moment): number => year * 12 + month - 1;

const timeLabel = ({ hour, minute }: Moment): string => `${twoDigits(hour)}:${twoDigits(minute)}`;
/** `11/9`, or `Nov 9` where a month begins to be named, then `10`. */
const dayLabel = ({ month, day }: Moment, locale: Locale, before?: Moment): string => {
  if (locale === 'ko') return `${month}/${day}`;
  return before?.month === month ? String(day) : `${ENGLISH_MONTHS[month - 1] ?? ''} ${day}`;
};
const monthLabel = ({ year, month }: Moment, locale: Locale): string => {
  if (month === 1) return String(year);
  return locale === 'ko' ? `${month}월` : (ENGLISH_MONTHS[month - 1] ?? '');
};
const yearLabel = ({ year }: Moment): string => String(year);

const hours = (count: number): Unit => ({
  key: (moment) => epochDay(moment) * 24 + Math.floor(moment.hour / count),
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
  hours(6),
  { key: epochDay, label: dayLabel, isDated: true },
  { key: (moment) => weekOf(epochDay(moment)), label: dayLabel, isDated: true },
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
  const wallClock = wallClockIn(timeZone);
  return times.map((time) => {
    const local = new Date(wallClock(time));
    return {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes(),
    };
  });
};

/** A few bars have room for full dates. */
const fullLabel = (moment: Moment, hasTimes: boolean): string => {
  const date = `${moment.year}-${twoDigits(moment.month)}-${twoDigits(moment.day)}`;
  return hasTimes ? `${date} ${timeLabel(moment)}` : date;
};

const FEW_BARS = 4;

/** Coins trade around the clock, so a day of theirs spans two dates. */
const MAX_DAYS_WITH_HOURS = 2;

/**
 * Ticks for bars drawn without gaps for nights and weekends, where a new hour, day, month or year starts. Picks the
 * finest unit with at most `limit` ticks. On an axis of several dates, the first tick of each date is that date.
 */
export const timeTicks = (
  times: readonly number[],
  axis: Pick<TimedPicture, 'timeZone' | 'interval' | 'locale'> & { readonly limit: number },
): readonly TimeTick[] => {
  const moments = momentsOf(times, axis.timeZone);
  const hasTimes = isIntraday(axis);
  const [first] = moments;
  if (!first || moments.length <= FEW_BARS)
    return moments.map((moment, index) => ({ index, label: fullLabel(moment, hasTimes) }));
  const dayCount = new Set(moments.map(epochDay)).size;
  const hasHours = hasTimes && dayCount <= MAX_DAYS_WITH_HOURS;
  const beginnings = (unit: Unit): readonly Beginning[] =>
    moments.flatMap((moment, index) => {
      const before = moments[index - 1];
      const isNew = before ? unit.key(before) !== unit.key(moment) : dayCount === 1 || unit.isDated;
      return isNew ? [{ index, moment, unit }] : [];
    });
  const units = UNITS.filter((unit) => hasHours || !unit.isIntraday);
  const fitting = units.map(beginnings).find((ticks) => ticks.length <= axis.limit);
  if (fitting === undefined || fitting.length === 0) return [{ index: 0, label: fullLabel(first, hasTimes) }];
  const kept = dropOverlaps(fitting, times.length, axis.limit);
  return kept.map(({ index, moment, unit }, position) => {
    const before = kept[position - 1]?.moment;
    const isNewDay = dayCount > 1 && (!before || epochDay(before) !== epochDay(moment));
    const label = unit.isIntraday && isNewDay ? dayLabel : unit.label;
    return { index, label: label(moment, axis.locale, before) };
  });
};

interface Beginning {
  readonly index: number;
  readonly moment: Moment;
  readonly unit: Unit;
}

/** Drops ticks that would overlap. */
const dropOverlaps = (ticks: readonly Beginning[], count: number, limit: number): readonly Beginning[] => {
  const gap = (count / limit) * 0.75;
  const kept: Beginning[] = [];
  for (const tick of ticks) {
    const before = kept.at(-1);
    if (!before || tick.index - before.index >= gap) kept.push(tick);
  }
  return kept;
};

/** An axis with its grid lines. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly lines: readonly number[];
  /** Decimals the grid lines need. */
  readonly decimals: number;
}

/** Round step sizes. */
const STEPS = [1, 2, 2.5, 5, 10] as const;

const stepAbove = (rough: number): number => {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.find((each) => each * magnitude >= rough * 0.999_999) ?? 10;
  return step * magnitude;
};

const MAX_DECIMALS = 12;
/** Share of the span above and below, which leaves room for the high and low marks. */
const PADDING = 0.08;
/** Share of the price on both sides if it never moved. */
const FLAT_SHARE = 0.02;

const decimalsOf = (interval: number): number => {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals += 1) {
    const scaled = interval * 10 ** decimals;
    if (Math.round(scaled) >= 1 && Math.abs(scaled - Math.round(scaled)) < 1e-6) return decimals;
  }
  return MAX_DECIMALS;
};

/** Removes float noise. */
const stripNoise = (value: number): number => Number(value.toFixed(MAX_DECIMALS));

/**
 * An axis from `low` to `high` with about `lineCount` round grid lines, never finer than the market's decimals: half
 * a won is not a price.
 */
export const scaleFor = (low: number, high: number, lineCount: number, maxDecimals: number): Scale => {
  const finest = 10 ** -maxDecimals;
  const flat = Math.max(Math.abs(high) * FLAT_SHARE, finest * 2);
  const span = high - low;
  const [from, to] =
    span < finest / 2 ? [low - flat, high + flat] : [low - span * PADDING, high + span * PADDING];
  const rough = stepAbove((to - from) / lineCount);
  const interval = Math.max(rough, finest);
  const decimals = Math.min(decimalsOf(interval), maxDecimals);
  // 2.5 of the finest unit cannot be written with its decimals.
  const whole = decimalsOf(interval) > maxDecimals ? Math.ceil(interval / finest) * finest : interval;
  // The axis does not go below zero unless a value does.
  const min = low > 0 ? Math.max(0, from) : from;
  const [firstLine, lastLine] = [Math.ceil(min / whole), Math.floor(to / whole)];
  const lines = Array.from({ length: lastLine - firstLine + 1 }, (_, line) =>
    stripNoise((firstLine + line) * whole),
  );
  return { min, max: to, lines, decimals };
};

/** The most from the lowest to the highest price for which evenly spaced lines still are a fair grid. */
const EVEN_RATIO = 3;
const MAX_LOG_LINES = 8;
const LOG_STEPS = [[1, 2, 3, 5], [1, 2, 5], [1, 3], [1]] as const;

/** Lines at 1, 2, 5, 10, 20 and so on; as many steps in each power of ten as leave few enough. */
const logLines = (low: number, high: number): readonly number[] => {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const linesBy = (steps: readonly number[]): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, power) =>
      steps.map((step) => stripNoise(step * 10 ** (from + power))),
    )
      .flat()
      .filter((value) => value >= low && value <= high);
  const all = LOG_STEPS.map(linesBy);
  return all.find((lines) => lines.length <= MAX_LOG_LINES) ?? all.at(-1) ?? [];
};

/** Like `scaleFor`, for an axis on which equal distances are equal percentages. All values are above zero. */
export const logScaleFor = (low: number, high: number, lineCount: number, maxDecimals: number): Scale => {
  const even = scaleFor(low, high, lineCount, maxDecimals);
  const padding = (Math.max(high, low * (1 + FLAT_SHARE)) / low) ** PADDING;
  const [min, max] = [low / padding, high * padding];
  if (high / low <= EVEN_RATIO)
    return { ...even, min, max, lines: even.lines.filter((value) => value >= min && value <= max) };
  const lines = logLines(min, max);
  const decimals = Math.min(maxDecimals, Math.max(0, -Math.floor(Math.log10(lines[0] ?? 1))));
  return { min, max, lines, decimals };
};

/** Below this, a number is as short as with a unit: nobody writes 3.36천. */
const COMPACT_FROM = 10_000;

/** `3,220만`, `32.2M`, `3,360`. */
export const volumeText = (value: number, locale: Locale): string =>
  value.toLocaleString(locale === 'ko' ? 'ko-KR' : 'en-US', {
    ...(value >= COMPACT_FROM && { notation: 'compact' }),
    maximumSignificantDigits: 3,
    useGrouping: true,
  });

type XAxis = Exclude<EChartsOption['xAxis'], readonly unknown[] | undefined>;
type YAxis = Exclude<EChartsOption['yAxis'], readonly unknown[] | undefined>;

const labelStyle = (colours: ChartColours) => ({ color: colours.muted, fontFamily: FONT, fontSize: TEXT });

/** The time axis in echarts, with labels and grid lines where `timeTicks` puts them. */
export const timeAxis = (
  times: readonly number[],
  picture: TimedPicture,
  limit: number,
  colours: ChartColours,
) => {
  const ticks = new Map(timeTicks(times, { ...picture, limit }).map(({ index, label }) => [index, label]));
  const isTick = (index: number): boolean => ticks.has(index);
  return {
    type: 'category',
    data: times.map((_, index) => ticks.get(index) ?? ''),
    axisLine: { onZero: false, lineStyle: { color: colours.axis } },
    axisTick: { show: false },
    axisLabel: {
      ...labelStyle(colours),
      interval: isTick,
      margin: 11,
      showMinLabel: isTick(0),
      showMaxLabel: isTick(times.length - 1),
      // Otherwise a label at the edge would leave the picture.
      ...(times.length > 1 && { alignMinLabel: 'left', alignMaxLabel: 'right' }),
      hideOverlap: true,
    },
    splitLine: { show: true, interval: isTick, lineStyle: { color: colours.grid } },
  } as const satisfies XAxis;
};

interface ValueAxis extends Pick<Scale, 'min' | 'max' | 'lines'> {
  /** Grid lines with a label. Default: all. */
  readonly named?: readonly number[];
  readonly text: (value: number) => string;
}

/** A value axis in echarts, at the right unless moved. */
export const valueAxis = ({ min, max, lines, named = lines, text }: ValueAxis, colours: ChartColours) =>
  ({
    type: 'value',
    position: 'right',
    min,
    max,
    axisLine: { show: false },
    axisTick: { show: false, customValues: [...lines] },
    axisLabel: { ...labelStyle(colours), margin: 8, formatter: text, customValues: [...named] },
    splitLine: { lineStyle: { color: colours.grid } },
  }) as const satisfies YAxis;
