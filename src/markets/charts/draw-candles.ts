import type { SKRSContext2D } from '@napi-rs/canvas';
import type { EChartsOption, EChartsType } from 'echarts';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import { type Scale, scaleFor, timeAxis, valueAxis } from './axes.ts';
import {
  BAND,
  type CandleParts,
  type CandleSeries,
  candleSeries,
  MACD_PERIODS,
  macdSeries,
  priceSeries,
  RSI_LINES,
  RSI_PERIOD,
  rsiSeries,
  volumeSeries,
} from './candle-series.ts';
import type { CandlePicture } from './chart-picture.ts';
import { baseOption, type Box, candleLayout, type ChartColours, LEFT, WIDTH } from './chart-style.ts';
import { type Drawing, drawLegend, drawText, type LegendEntry, textWidth } from './draw-text.ts';
import { chartMessages } from './messages.ts';

const PRICE_LINES = 6;
const TIME_LABELS = 12;
/** Height of the last price's tag on the axis. */
const TAG_HEIGHT = 17;
const LABEL = { size: 12 };
const BOLD = { size: 12, isBold: true };

const withoutNulls = (values: readonly (number | null)[]): readonly number[] =>
  values.filter((value) => value !== null);

/**
 * Fits the candles. Other lines may extend the axis by at most a third of the span, so that candles stay readable.
 */
const priceScale = ({ bars, averages, band }: CandleSeries, priceDecimals: number): Scale => {
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
const priceText = (value: number, picture: CandlePicture, decimals = picture.priceDecimals): string => {
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

/** The value axes from top to bottom: price, volume and panels. */
const valueAxes = ({ picture, series, layout, scale }: CandleParts): Parameters<typeof valueAxis>[0][] => {
  const { bars, rsi, macd } = series;
  const last = bars.close.at(-1) ?? 0;
  const tagReach = (TAG_HEIGHT / layout.price.height) * (scale.max - scale.min);
  const most = Math.max(...bars.volume);
  const macdValues = macd ? [macd.line, macd.signal, macd.histogram].flatMap(withoutNulls) : [];
  const reach = Math.max(...macdValues.map(Math.abs), 10 ** -picture.priceDecimals);
  return [
    {
      ...scale,
      // Labels would overlap the tag of the last price.
      named: scale.lines.filter((value) => Math.abs(value - last) > tagReach),
      text: (value) => priceText(value, picture, scale.decimals),
    },
    // Leaves room for the title above the highest bar.
    ...(layout.volume
      ? [
          {
            min: 0,
            max: most * 1.25,
            lines: [most],
            text: (value: number) => compactText(value, picture.locale),
          },
        ]
      : []),
    ...(rsi ? [{ min: 0, max: 100, lines: RSI_LINES, text: String }] : []),
    ...(macd ? [{ min: -reach, max: reach, lines: [0], text: String }] : []),
  ];
};

/** Candles, averages, volume, panels and axes. */
const candleOption = (parts: CandleParts): EChartsOption => {
  const { picture, series, layout, colours, right } = parts;
  const { bars, rsi, macd } = series;
  const boxes: readonly Box[] = [layout.price, ...(layout.volume ? [layout.volume] : []), ...layout.panels];
  const firstPanel = layout.volume ? 2 : 1;
  const xAxis = timeAxis(bars.times, picture, TIME_LABELS, colours);
  return {
    ...baseOption(colours),
    grid: boxes.map((box) => ({ left: LEFT, right, ...box, containLabel: false })),
    xAxis: boxes.map((box, gridIndex) => {
      const show = box === boxes.at(-1);
      return {
        ...xAxis,
        gridIndex,
        axisLine: { ...xAxis.axisLine, show },
        axisLabel: { ...xAxis.axisLabel, show },
      };
    }),
    yAxis: valueAxes(parts).map((axis, gridIndex) => ({ ...valueAxis(axis, colours), gridIndex })),
    series: [
      ...priceSeries(parts),
      ...(layout.volume ? [volumeSeries(parts, 1)] : []),
      ...(rsi ? [rsiSeries(rsi, colours, firstPanel)] : []),
      ...(macd ? macdSeries(macd, parts, firstPanel + (rsi ? 1 : 0)) : []),
    ],
  };
};

/** A line at the last price with a tag on the axis. */
const drawLastPrice = (
  chart: EChartsType,
  context: SKRSContext2D,
  { picture, series: { bars, isUp }, colours, right }: CandleParts,
): void => {
  const last = bars.close.at(-1) ?? 0;
  const [, rawY = 0] = chart.convertToPixel({ gridIndex: 0 }, [bars.close.length - 1, last]);
  const y = Math.round(rawY) + 0.5;
  const colour = isUp.at(-1) === true ? colours.tones.up : colours.tones.down;
  const edge = WIDTH - right;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(LEFT, y);
  context.lineTo(edge, y);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(edge + 3, y - 10, right - 8, 20, 3);
  context.fill();
  drawText(context, priceText(last, picture), edge + 10, y + 4.5, { ...BOLD, colour: colours.background });
};

/** Labels the highest and lowest price, within the chart area. */
const drawExtremes = (
  chart: EChartsType,
  context: SKRSContext2D,
  { picture, series: { bars }, colours, right }: CandleParts,
): void => {
  const t = chartMessages(picture.locale);
  const high = Math.max(...bars.high);
  const low = Math.min(...bars.low);
  if (bars.times.length < 3 || high === low) return;
  const marks = [
    { index: bars.high.lastIndexOf(high), value: high, label: t.high, offset: -8 },
    { index: bars.low.lastIndexOf(low), value: low, label: t.low, offset: 17 },
  ];
  for (const { index, value, label, offset } of marks) {
    const [x = 0, y = 0] = chart.convertToPixel({ gridIndex: 0 }, [index, value]);
    const text = `${label} ${priceText(value, picture)}`;
    const half = textWidth(context, text, BOLD) / 2;
    const middle = Math.min(Math.max(x, LEFT + half + 2), WIDTH - right - half - 4);
    drawText(context, text, middle, y + offset, {
      ...BOLD,
      colour: colours.text,
      align: 'center',
      halo: colours.background,
    });
  }
};

const lastOf = (values: readonly (number | null)[]): number | undefined => withoutNulls(values).at(-1);

const legend = ({ picture, series, colours }: CandleParts): readonly LegendEntry[] => {
  const t = chartMessages(picture.locale);
  return [
    ...series.averages.map(({ name, values }, index): LegendEntry => {
      const last = lastOf(values);
      // An average without enough bars is named as such.
      const value = last === undefined ? t.notEnough : priceText(last, picture);
      return { name, colour: colours.averages[index] ?? colours.muted, value };
    }),
    ...(series.band && lastOf(series.band.middle) !== undefined
      ? [{ name: `${t.bollinger} (${BAND.period}, ${BAND.width})`, colour: colours.band }]
      : []),
  ];
};

const panelTitles = ({
  picture,
  series: { rsi, macd },
  colours,
}: CandleParts): readonly (readonly LegendEntry[])[] => {
  const decimals = picture.priceDecimals === 0 ? 0 : picture.priceDecimals + 1;
  const entry = (name: string, average: number, values: CandleSeries['rsi'], digits: number) => ({
    name,
    colour: colours.averages[average] ?? '',
    value: values && lastOf(values)?.toFixed(digits),
  });
  return [
    ...(rsi ? [[entry(`RSI ${RSI_PERIOD}`, 1, rsi, 1)]] : []),
    ...(macd
      ? [
          [
            entry(`MACD ${MACD_PERIODS.join(', ')}`, 2, macd.line, decimals),
            entry(chartMessages(picture.locale).signal, 0, macd.signal, decimals),
          ],
        ]
      : []),
  ];
};

const axisRoom = (
  context: SKRSContext2D,
  picture: CandlePicture,
  { min, max, decimals }: Scale,
  last: number,
): number => {
  const widths = [
    ...[min, max].map((value) => textWidth(context, priceText(value, picture, decimals), LABEL)),
    textWidth(context, priceText(last, picture), BOLD),
  ];
  return Math.ceil(Math.max(...widths, 44)) + 24;
};

/** Draws candles with indicators. `measure` is any canvas context for measuring text. */
export const drawCandles = (
  picture: CandlePicture,
  colours: ChartColours,
  measure: SKRSContext2D,
): Drawing => {
  const t = chartMessages(picture.locale);
  const series = candleSeries(picture);
  const hasVolume = series.bars.volume.some((value) => value > 0);
  const layout = candleLayout(hasVolume, (series.rsi ? 1 : 0) + (series.macd ? 1 : 0));
  const scale = priceScale(series, picture.priceDecimals);
  const right = axisRoom(measure, picture, scale, series.bars.close.at(-1) ?? 0);
  const parts = { picture, series, layout, scale, colours, right };
  return {
    height: layout.height,
    box: layout.price,
    option: candleOption(parts),
    drawOver: (chart, context) => {
      drawLegend(context, legend(parts), colours);
      drawLastPrice(chart, context, parts);
      drawExtremes(chart, context, parts);
      const muted = { ...LABEL, colour: colours.muted };
      if (layout.volume)
        drawText(context, t.volume, LEFT + 4, layout.volume.top + 12, { ...muted, halo: colours.background });
      for (const [index, entries] of panelTitles(parts).entries()) {
        const { top, height } = layout.panels[index] ?? layout.price;
        drawLegend(context, entries, colours, top - 8);
        if (entries.every(({ value }) => value === undefined))
          drawText(context, t.notEnough, (LEFT + WIDTH - right) / 2, top + height / 2 + 4, {
            ...muted,
            align: 'center',
          });
      }
    },
  };
};
