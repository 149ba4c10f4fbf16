import type { EChartsOption } from 'echarts';
import { bollinger, ema, macd, rsi, type Series as Values, sma } from '../indicators/indicators.ts';
import type { Scale } from './axes.ts';
import type { BarColumns, CandlePicture } from './chart-picture.ts';
import { type CandleLayout, type ChartColours, LEFT, WIDTH } from './chart-style.ts';

/** Bars and indicators, cut to the visible range. */
export interface CandleSeries {
  readonly bars: BarColumns;
  /** True if a bar closed above its open, or if equal, at or above the previous close. */
  readonly isUp: readonly boolean[];
  readonly averages: readonly { readonly name: string; readonly values: Values }[];
  readonly band: { readonly upper: Values; readonly lower: Values; readonly middle: Values } | undefined;
  readonly rsi: Values | undefined;
  readonly macd: { readonly line: Values; readonly signal: Values; readonly histogram: Values } | undefined;
}

export const RSI_PERIOD = 14;
export const MACD_PERIODS = [12, 26, 9] as const;
export const BAND = { period: 20, width: 2 } as const;

/** Indicators also use the bars before the visible range, so that they start at its first bar. */
export const candleSeries = ({ bars, shownFrom, indicators }: CandlePicture): CandleSeries => {
  const shown = <T>(values: readonly T[]): readonly T[] => values.slice(shownFrom);
  const { open, close } = bars;
  const wide = indicators.hasBollinger ? bollinger(close, BAND.period, BAND.width) : undefined;
  const momentum = indicators.hasMacd ? macd(close, ...MACD_PERIODS) : undefined;
  return {
    bars: {
      times: shown(bars.times),
      open: shown(open),
      high: shown(bars.high),
      low: shown(bars.low),
      close: shown(close),
      volume: shown(bars.volume),
    },
    isUp: shown(
      close.map((value, index) => {
        const opened = open[index] ?? value;
        return value === opened ? value >= (close[index - 1] ?? value) : value > opened;
      }),
    ),
    averages: indicators.averages.map(({ kind, period }) => ({
      name: `${kind === 'ema' ? 'EMA' : 'MA'} ${period}`,
      values: shown(kind === 'ema' ? ema(close, period) : sma(close, period)),
    })),
    band: wide && { upper: shown(wide.upper), lower: shown(wide.lower), middle: shown(wide.middle) },
    rsi: indicators.hasRsi ? shown(rsi(close, RSI_PERIOD)) : undefined,
    macd: momentum && {
      line: shown(momentum.line),
      signal: shown(momentum.signal),
      histogram: shown(momentum.histogram),
    },
  };
};

type Series = Exclude<EChartsOption['series'], readonly unknown[] | undefined>;

/** Oversold below the first, overbought above the second. */
export const RSI_LINES = [30, 70] as const;

export interface CandleParts {
  readonly picture: CandlePicture;
  readonly series: CandleSeries;
  readonly layout: CandleLayout;
  readonly scale: Scale;
  /** From a price to its place on the price axis. */
  readonly project: (price: number) => number;
  /** Of the change over the range: the line and the tag of the last price have the headline's colour. */
  readonly tone: string;
  readonly colours: ChartColours;
  /** Width of the price axis labels. */
  readonly right: number;
}

const MAX_BAR_WIDTH = 14;
const BAR_SHARE = 0.68;

/** Limited, so that a few bars are not excessively wide. */
export const barWidth = ({ series, right }: CandleParts): number =>
  Math.min(MAX_BAR_WIDTH, Math.max(1, ((WIDTH - LEFT - right) / series.bars.times.length) * BAR_SHARE));

const line = (values: Values, colour: string, panel: number, width = 1.5): Series => ({
  type: 'line',
  data: [...values],
  xAxisIndex: panel,
  yAxisIndex: panel,
  symbol: 'none',
  lineStyle: { color: colour, width },
  silent: true,
});

const barSeries = (
  values: Values,
  colourOf: (value: number | null, index: number) => string,
  parts: CandleParts,
  panel: number,
): Series => ({
  type: 'bar',
  xAxisIndex: panel,
  yAxisIndex: panel,
  data: values.map((value, index) => ({
    value: value ?? '-',
    itemStyle: { color: colourOf(value, index), opacity: 0.5 },
  })),
  barWidth: barWidth(parts),
  large: false,
  silent: true,
});

/** echarts draws a band as an invisible line with a stacked area. */
const bandSeries = (
  { upper, lower, middle }: NonNullable<CandleSeries['band']>,
  colours: ChartColours,
): readonly Series[] => [
  { ...line(lower, colours.band, 0, 1), stack: 'band', stackStrategy: 'all' },
  {
    ...line(
      upper.map((value, index) => {
        const below = lower[index] ?? null;
        return value === null || below === null ? null : value - below;
      }),
      colours.band,
      0,
      1,
    ),
    stack: 'band',
    stackStrategy: 'all',
    areaStyle: { color: colours.bandFill },
  },
  { ...line(middle, colours.band, 0, 1), lineStyle: { color: colours.band, width: 1, type: 'dashed' } },
];

/** The band behind the candles. */
export const priceSeries = ({ series: { band }, colours, project }: CandleParts): readonly Series[] => {
  if (!band) return [];
  // A band may reach below zero, which has no place on a logarithmic axis.
  const placed = (values: Values): Values =>
    values.map((value) => {
      const place = value === null ? Number.NaN : project(value);
      return Number.isFinite(place) ? place : null;
    });
  return bandSeries(
    { upper: placed(band.upper), lower: placed(band.lower), middle: placed(band.middle) },
    colours,
  );
};

export const rsiSeries = (values: Values, colours: ChartColours, panel: number): Series => ({
  ...line(values, colours.averages[1] ?? colours.text, panel),
  markLine: {
    symbol: 'none',
    silent: true,
    label: { show: false },
    lineStyle: { color: colours.muted, type: 'dashed', width: 1, opacity: 0.7 },
    data: RSI_LINES.map((yAxis) => ({ yAxis })),
  },
  markArea: {
    silent: true,
    itemStyle: { color: colours.bandFill },
    data: [[{ yAxis: RSI_LINES[0] }, { yAxis: RSI_LINES[1] }]],
  },
});

export const macdSeries = (
  { line: fast, signal, histogram }: NonNullable<CandleSeries['macd']>,
  parts: CandleParts,
  panel: number,
): readonly Series[] => {
  const { tones, averages, text } = parts.colours;
  return [
    barSeries(histogram, (value) => ((value ?? 0) >= 0 ? tones.up : tones.down), parts, panel),
    line(fast, averages[2] ?? text, panel),
    line(signal, averages[0] ?? text, panel),
  ];
};
