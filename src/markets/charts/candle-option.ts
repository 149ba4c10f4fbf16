import type { EChartsOption } from 'echarts';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import { type Box, type ChartColours, FONT, LEFT } from './chart-style.ts';
import type { CandlePicture } from './chart-picture.ts';
import {
  type CandleParts,
  type CandleSeries,
  macdSeries,
  priceSeries,
  RSI_LINES,
  rsiSeries,
  volumeSeries,
} from './candle-series.ts';
import { type Scale, scaleFor, timeTicks } from './axes.ts';

type Values = readonly (number | null)[];
type XAxis = Exclude<EChartsOption['xAxis'], readonly unknown[] | undefined>;
type YAxis = Exclude<EChartsOption['yAxis'], readonly unknown[] | undefined>;

const PRICE_LINES = 6;
const TIME_LABELS = 12;
const FONT_SIZE = 12;
/** Height of the last price's tag on the axis. */
const TAG_HEIGHT = 17;

export const withoutNulls = (values: Values): readonly number[] => values.filter((value) => value !== null);

/**
 * Fits the candles. Other lines may extend the axis by at most a third of the span, so that candles stay readable.
 */
export const priceScale = (
  { bars, averages, band }: CandleSeries,
  { priceDecimals }: CandlePicture,
): Scale => {
  const low = Math.min(...bars.low);
  const high = Math.max(...bars.high);
  const room = (high - low) / 3;
  const lines = [...averages.map(({ values }) => values), ...(band ? [band.upper, band.lower] : [])].flatMap(
    withoutNulls,
  );
  return scaleFor(
    Math.max(Math.min(low, ...lines), low - room),
    Math.min(Math.max(high, ...lines), high + room),
    PRICE_LINES,
    priceDecimals,
  );
};

/** `₩1,234,000`, `$0.00000123`, `4,011.5`, `4.125%`. */
export const priceText = (value: number, picture: CandlePicture, decimals: number): string => {
  const { locale, currency, suffix = '' } = picture;
  const text = formatFinancialNumber(value.toFixed(decimals), {
    locale,
    ...(currency !== undefined && { currency }),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${text}${suffix}`;
};

const compactText = (value: number, locale: CandlePicture['locale']): string =>
  value.toLocaleString(locale === 'ko' ? 'ko-KR' : 'en-US', {
    notation: 'compact',
    maximumSignificantDigits: 3,
  });

const label = (colours: ChartColours) => ({
  color: colours.muted,
  fontFamily: FONT,
  fontSize: FONT_SIZE,
});

interface AxisOptions extends Pick<Scale, 'min' | 'max' | 'lines'> {
  /** Grid lines with a label. Default: all. */
  readonly named?: readonly number[];
  readonly text: (value: number) => string;
}

const valueAxis = (panel: number, colours: ChartColours, look: AxisOptions): YAxis => ({
  type: 'value',
  gridIndex: panel,
  position: 'right',
  min: look.min,
  max: look.max,
  axisLine: { show: false },
  axisTick: { show: false, customValues: [...look.lines] },
  axisLabel: {
    ...label(colours),
    margin: 10,
    formatter: look.text,
    customValues: [...(look.named ?? look.lines)],
  },
  splitLine: { lineStyle: { color: colours.grid, width: 1 } },
});

const volumeAxis = (volume: readonly number[], locale: CandlePicture['locale']): AxisOptions => {
  const most = Math.max(...volume);
  // Leaves room for the title above the highest bar.
  return { min: 0, max: most * 1.25, lines: [most], text: (value) => compactText(value, locale) };
};

const panelAxes = (parts: CandleParts, first: number): readonly YAxis[] => {
  const { series, colours, picture } = parts;
  const { rsi, macd } = series;
  const reach = macd
    ? Math.max(
        ...[macd.line, macd.signal, macd.histogram].flatMap(withoutNulls).map(Math.abs),
        10 ** -picture.priceDecimals,
      )
    : 1;
  const looks: readonly AxisOptions[] = [
    ...(rsi ? [{ min: 0, max: 100, lines: RSI_LINES, text: String }] : []),
    ...(macd ? [{ min: -reach, max: reach, lines: [0], text: String }] : []),
  ];
  return looks.map((look, index) => valueAxis(first + index, colours, look));
};

/** The echarts option: candles, averages, volume, panels and axes. Text and marks are drawn on top. */
export const candleOption = (parts: CandleParts): EChartsOption => {
  const { picture, series, layout, scale, colours, right } = parts;
  const { bars, rsi, macd } = series;
  const boxes: readonly Box[] = [layout.price, ...(layout.volume ? [layout.volume] : []), ...layout.panels];
  const ticks = new Map(
    timeTicks(bars.times, { ...picture, limit: TIME_LABELS }).map(({ index, label: text }) => [index, text]),
  );
  const firstPanel = layout.volume ? 2 : 1;
  const last = bars.close.at(-1) ?? 0;
  const tagReach = (TAG_HEIGHT / layout.price.height) * (scale.max - scale.min);
  // Labels would overlap the tag of the last price.
  const named = scale.lines.filter((value) => Math.abs(value - last) > tagReach);
  const isTick = (index: number): boolean => ticks.has(index);
  return {
    animation: false,
    backgroundColor: colours.background,
    textStyle: { fontFamily: FONT },
    grid: boxes.map(({ top, height }) => ({ left: LEFT, right, top, height, containLabel: false })),
    xAxis: boxes.map((_, gridIndex): XAxis => ({
      type: 'category',
      gridIndex,
      data: bars.times.map((_time, index) => ticks.get(index) ?? ''),
      axisLine: { show: gridIndex === boxes.length - 1, onZero: false, lineStyle: { color: colours.axis } },
      axisTick: { show: false },
      axisLabel: {
        ...label(colours),
        show: gridIndex === boxes.length - 1,
        interval: isTick,
        margin: 12,
        showMinLabel: isTick(0),
        showMaxLabel: isTick(bars.times.length - 1),
        hideOverlap: true,
      },
      splitLine: { show: true, interval: isTick, lineStyle: { color: colours.grid, width: 1 } },
    })),
    yAxis: [
      valueAxis(0, colours, { ...scale, named, text: (value) => priceText(value, picture, scale.decimals) }),
      ...(layout.volume ? [valueAxis(1, colours, volumeAxis(bars.volume, picture.locale))] : []),
      ...panelAxes(parts, firstPanel),
    ],
    series: [
      ...priceSeries(parts),
      ...(layout.volume ? [volumeSeries(parts, 1)] : []),
      ...(rsi ? [rsiSeries(rsi, colours, firstPanel)] : []),
      ...(macd ? macdSeries(macd, parts, firstPanel + (rsi ? 1 : 0)) : []),
    ],
  };
};
