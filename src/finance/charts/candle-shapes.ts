import type { EChartsOption } from 'echarts';
import type { CandleSeries } from './candle-series.ts';
import { type CandleLayout, LEFT, WIDTH } from './chart-layout.ts';
import type { CandlePicture } from './chart-picture.ts';
import type { ChartColours } from './chart-theme.ts';
import type { Scale } from './price-scale.ts';

type Values = readonly (number | null)[];
export type Series = Exclude<EChartsOption['series'], readonly unknown[] | undefined>;

/** Below the first it is called oversold, above the second overbought. */
export const RSI_LINES = [30, 70] as const;

/** Everything that a picture with candles is made of. */
export interface CandleParts {
  readonly picture: CandlePicture;
  readonly series: CandleSeries;
  readonly layout: CandleLayout;
  readonly scale: Scale;
  readonly colours: ChartColours;
  /** Room for the labels of the price axis. */
  readonly right: number;
}

const MAX_BAR_WIDTH = 18;
const BAR_SHARE = 0.68;

/** Of a few bars each would be as wide as a house. */
const barWidth = ({ series, right }: CandleParts): number =>
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

/** A band is two lines: one that nobody sees, and what lies between. */
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

export const priceSeries = (parts: CandleParts): readonly Series[] => {
  const { series, colours } = parts;
  const { bars, isUp, averages, band } = series;
  const { up, down } = colours.tones;
  return [
    ...(band ? bandSeries(band, colours) : []),
    {
      type: 'candlestick',
      data: bars.times.map((_, index) => {
        const colour = isUp[index] === true ? up : down;
        return {
          value: [bars.open[index] ?? 0, bars.close[index] ?? 0, bars.low[index] ?? 0, bars.high[index] ?? 0],
          itemStyle: {
            color: colour,
            color0: colour,
            borderColor: colour,
            borderColor0: colour,
            borderColorDoji: colour,
          },
        };
      }),
      barWidth: barWidth(parts),
      // Otherwise many bars are drawn in a coarse way, in other colours.
      large: false,
      silent: true,
    },
    ...averages.map(({ values }, index) => line(values, colours.averages[index] ?? colours.muted, 0)),
  ];
};

export const volumeSeries = (parts: CandleParts, panel: number): Series => {
  const {
    series: { bars, isUp },
    colours,
  } = parts;
  return {
    type: 'bar',
    xAxisIndex: panel,
    yAxisIndex: panel,
    data: bars.volume.map((value, index) => ({
      value,
      itemStyle: { color: isUp[index] === true ? colours.tones.up : colours.tones.down, opacity: 0.5 },
    })),
    barWidth: barWidth(parts),
    large: false,
    silent: true,
  };
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
  { colours, ...parts }: CandleParts,
  panel: number,
): readonly Series[] => [
  {
    type: 'bar',
    xAxisIndex: panel,
    yAxisIndex: panel,
    data: histogram.map((value) => ({
      value: value ?? '-',
      itemStyle: { color: (value ?? 0) >= 0 ? colours.tones.up : colours.tones.down, opacity: 0.5 },
    })),
    barWidth: barWidth({ ...parts, colours }),
    large: false,
    silent: true,
  },
  line(fast, colours.averages[2] ?? colours.text, panel),
  line(signal, colours.averages[0] ?? colours.text, panel),
];
