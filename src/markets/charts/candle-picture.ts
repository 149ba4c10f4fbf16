import { readIndicators } from '#src/markets/indicators/chart-indicators.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { chartTexts } from './texts.ts';
import { analysisTexts } from '../series/texts.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { baseKindOf, baseName, changeOf } from '../series/history-change.ts';
import { formatPrice, moveBetween } from '../answers/quote-text.ts';
import { coveredRange, datesOf } from '../series/range-covered.ts';
import { historyOrigin, isRunning } from '../series/running-bar.ts';
import type { Bar, BarInterval, History } from '../sources/source.ts';
import { dayNumberIn, isoDateOf, weekOf } from '../performance/epoch-day.ts';
import type { ChartStyle, ChartTheme } from '#src/kernel/market/chart-style.ts';
import type { BarColumns, CandlePicture, PictureHead } from './chart-picture.ts';

const monthOf = (day: number): string => isoDateOf(day).slice(0, '2026-11'.length);

/** Merges the bars of each group. */
const mergeBars = (bars: BarColumns, starts: readonly number[]): BarColumns => {
  const spans = starts.map((start, position) => [start, starts[position + 1] ?? bars.times.length] as const);
  const each = (of: (from: number, to: number) => number): readonly number[] =>
    spans.map(([from, to]) => of(from, to));
  return {
    times: each((from) => bars.times[from] ?? 0),
    open: each((from) => bars.open[from] ?? 0),
    high: each((from, to) => Math.max(...bars.high.slice(from, to))),
    low: each((from, to) => Math.min(...bars.low.slice(from, to))),
    close: each((_, to) => bars.close[to - 1] ?? 0),
    volume: each((from, to) => bars.volume.slice(from, to).reduce((sum, value) => sum + value, 0)),
  };
};

const mergeBy = (bars: BarColumns, keyOf: (time: number) => number | string): BarColumns => {
  let last: number | string | undefined;
  const starts = bars.times.flatMap((time, index) => {
    const key = keyOf(time);
    const isNew = key !== last;
    last = key;
    return isNew ? [index] : [];
  });
  return mergeBars(bars, starts);
};

const LENGTHS: readonly BarInterval[] = ['1d', '1wk', '1mo'];

/** Whether bars can be shown as such candles: days make weeks, but weeks make no days, and hours no days either. */
export const canShow = (interval: BarInterval, wanted: NonNullable<ChartStyle['interval']>): boolean =>
  LENGTHS.includes(interval) && LENGTHS.indexOf(interval) <= LENGTHS.indexOf(wanted);

/**
 * Merges daily bars into the wanted weeks or months, and more than `limit` of them anyway, so that candles stay
 * distinguishable. Figures in text still come from the days.
 */
const groupBars = (
  bars: BarColumns,
  interval: BarInterval,
  timeZone: string,
  limit: number,
  wanted: ChartStyle['interval'],
): Pick<CandlePicture, 'bars' | 'interval'> => {
  if (interval !== '1d' && interval !== '1wk') return { bars, interval };
  const isWanted = (each: BarInterval): boolean => wanted === undefined || each === wanted;
  if (bars.times.length <= limit && (isWanted(interval) || wanted === '1d')) return { bars, interval };
  const dayOf = dayNumberIn(timeZone);
  const weekly = interval === '1d' ? mergeBy(bars, (time) => weekOf(dayOf(time))) : bars;
  if (weekly.times.length <= limit && wanted !== '1mo') return { bars: weekly, interval: '1wk' };
  return { bars: mergeBy(bars, (time) => monthOf(dayOf(time))), interval: '1mo' };
};

export interface CandleOptions extends ChartStyle {
  readonly theme?: ChartTheme | undefined;
  /** As typed. Empty: the default averages. */
  readonly indicators?: readonly string[];
  /** A longer history, because averages need bars before the first one shown. */
  readonly earlier?: History | undefined;
}

/** Narrower candles are indistinguishable. */
const MAX_CANDLES = 420;
/** Two years have fewer than 200 weeks, so long averages get daily candles however narrow. */
const MAX_CANDLES_FOR_LONG = 560;
const LONG_PERIOD = 60;
/** Candles merge into each other when they are too close. Points of a line may be closer. */
const MAX_POINTS = 2_000;

const columnsOf = (bars: readonly Bar[]): BarColumns => ({
  times: bars.map(({ at }) => at.epochMilliseconds),
  open: bars.map(({ open }) => open.toNumber()),
  high: bars.map(({ high }) => high.toNumber()),
  low: bars.map(({ low }) => low.toNumber()),
  close: bars.map(({ close }) => close.toNumber()),
  volume: bars.map(({ volume }) => volume.toNumber()),
});

/** Earlier bars, if they have the same interval. */
const barsBefore = ({ bars: [first], interval }: History, earlier: History | undefined): readonly Bar[] => {
  if (!first || earlier?.interval !== interval) return [];
  return earlier.bars.filter(({ at }) => Temporal.Instant.compare(at, first.at) < 0);
};

/** Yields may be zero or negative. */
export const canBeLog = ({ bars }: History): boolean => bars.every(({ low }) => low.greaterThan(0));

/** Indices have no unit. */
const unitOf = ({ instrument }: History): Pick<CandlePicture, 'currency' | 'suffix'> => {
  if (instrument.assetClass === 'rate') return { suffix: '%' };
  return instrument.assetClass === 'index' ? {} : { currency: instrument.currency };
};

/** The change over the range, with its base unless that is the first bar. */
const changeOverRange = (history: History, locale: Locale): PictureHead['change'] => {
  const { instrument, bars } = history;
  const change = changeOf(history);
  const last = bars.at(-1);
  if (!change || !last) return undefined;
  const { text, tone } = moveBetween(change.from, last.close, instrument, locale);
  if (text === undefined) return undefined;
  const from = change.base && chartTexts(locale).from({ base: baseName(change.base, history, locale) });
  return { text: from === undefined ? text : `${text} ${from}`, tone };
};

/** A day is measured from a price before its first bar. That of a year may be far away. */
const baseOfDay = (history: History, isLog: boolean, locale: Locale): CandlePicture['base'] => {
  const kind = baseKindOf(history);
  const { range, baseClose } = history;
  if (range !== '1d' || !kind || !baseClose || (isLog && !baseClose.greaterThan(0))) return undefined;
  const { previousClose, dayBefore } = chartTexts(locale);
  return { price: baseClose.toNumber(), name: kind === 'dayBefore' ? dayBefore : previousClose };
};

/** The bars of the picture, with the earlier ones for averages, and where the shown ones begin. */
const barsOf = (
  history: History,
  options: CandleOptions,
  locale: Locale,
): Pick<CandlePicture, 'bars' | 'interval' | 'shape' | 'shownFrom' | 'indicators'> => {
  const firstAtMs = history.bars[0]?.at.epochMilliseconds ?? 0;
  const allBars = [...barsBefore(history, options.earlier), ...history.bars];
  // The visible bars decide on grouping, and earlier bars follow.
  const share = history.bars.length / allBars.length;
  const { indicators } = readIndicators(options.indicators ?? [], locale);
  const isLong =
    (options.indicators ?? []).length > 0 && indicators.averages.some(({ period }) => period > LONG_PERIOD);
  const { shape = 'candles', interval: wanted } = options;
  const most = shape === 'line' ? MAX_POINTS : isLong ? MAX_CANDLES_FOR_LONG : MAX_CANDLES;
  const columns = columnsOf(allBars);
  const grouped = groupBars(columns, history.interval, history.timeZone, most / share, wanted);
  const shownFrom = grouped.bars.times.findLastIndex((time) => time <= firstAtMs);
  return { ...grouped, shape, shownFrom, indicators };
};

/** What the picture shows, which may be fewer bars than were fetched: `52 weekly bars`, `주별 종가 52개`. */
export const drawnBars = (history: History, options: CandleOptions, locale: Locale): string => {
  const { bars, interval, shape, shownFrom } = barsOf(history, options, locale);
  const count = bars.times.length - Math.max(0, shownFrom);
  const t = analysisTexts(locale);
  const { closeCount, closes } = chartTexts(locale);
  return shape === 'line'
    ? closeCount({ count, closes: closes[interval] })
    : t.barCount({ count, interval: t.intervals[interval] });
};

export const candlePicture = (
  history: History,
  options: CandleOptions,
  audience: Audience,
  now: Timestamp,
): CandlePicture => {
  const { locale } = audience;
  const { instrument, timeZone } = history;
  const t = chartTexts(locale);
  const drawn = barsOf(history, options, locale);
  const { interval, shape } = drawn;
  const isLog = options.isLog === true && canBeLog(history);
  const last = history.bars.at(-1);
  return {
    kind: 'candles',
    ...drawn,
    isLog,
    theme: options.theme ?? 'light',
    locale,
    isSample: history.isSample,
    timeZone,
    priceDecimals: instrument.priceDecimals,
    ...unitOf(history),
    base: baseOfDay(history, isLog, locale),
    head: {
      title: instrument.name[locale],
      titleEnd: ` (${instrument.ticker}, ${instrument.exchange})`,
      subtitle: [
        ...[coveredRange([history], locale, now)].filter((range) => range !== undefined),
        datesOf(history),
        (shape === 'line' ? t.closes : t.candles)[interval],
        ...(isLog ? [t.logAxis] : []),
      ].join(' · '),
      origin: historyOrigin(history, isRunning(history, now), audience, now),
      price: last && formatPrice(last.close, instrument, locale),
      change: changeOverRange(history, locale),
    },
  };
};
