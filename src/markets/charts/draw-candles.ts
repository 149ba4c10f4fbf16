import type { SKRSContext2D } from '@napi-rs/canvas';
import type { EChartsOption } from 'echarts';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import { logScaleFor, type Scale, scaleFor, timeAxis, valueAxis, volumeText } from './axes.ts';
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
} from './candle-series.ts';
import type { CandlePicture } from './chart-picture.ts';
import { drawBars, placesIn } from './draw-bars.ts';
import { drawBase, priceText } from './draw-base.ts';
import { baseOption, type Box, candleLayout, type ChartColours, LEFT, TEXT, WIDTH } from './chart-style.ts';
import { type Drawing, drawLegend, drawText, type LegendEntry, legendRows, textWidth } from './draw-text.ts';
import { chartTexts } from './texts.ts';

const PRICE_LINES = 5;
const TIME_LABELS = 8;
/** Height of the last price's tag on the axis. */
const TAG_HEIGHT = 24;
/** Leaves room for the title above the highest bar. */
const VOLUME_ROOM = 1.25;
const LABEL = { size: TEXT };
const BOLD = { size: TEXT, isBold: true };
/** Up to so many candles, the first and the last have room for a label below them. */
const ROOMY = 10;
const CENTRED = { alignMinLabel: 'center', alignMaxLabel: 'center' } as const;
/** From the top of a panel to its title's row. */
const PANEL_TITLE = 25;

const withoutNulls = (values: readonly (number | null)[]): readonly number[] =>
  values.filter((value) => value !== null);

/**
 * Fits the candles. Other lines may extend the axis by at most a third of the span, so that candles stay readable.
 */
const priceScale = (
  { bars, averages, band }: CandleSeries,
  { shape, isLog, priceDecimals, base }: CandlePicture,
): Scale => {
  const beside = base ? [base.price] : [];
  const low = Math.min(...(shape === 'line' ? bars.close : bars.low), ...beside);
  const high = Math.max(...(shape === 'line' ? bars.close : bars.high), ...beside);
  const room = (high - low) / 3;
  const lines = [...averages.map(({ values }) => values), ...(band ? [band.upper, band.lower] : [])].flatMap(
    withoutNulls,
  );
  const from = Math.max(Math.min(low, ...lines), low - room);
  const to = Math.min(Math.max(high, ...lines), high + room);
  return isLog
    ? logScaleFor(from > 0 ? from : low, to, PRICE_LINES, priceDecimals)
    : scaleFor(from, to, PRICE_LINES, priceDecimals);
};

/** The value axes from top to bottom: price, volume and panels. */
const valueAxes = ({
  picture,
  series,
  layout,
  scale,
  project,
}: CandleParts): Parameters<typeof valueAxis>[0][] => {
  const { bars, rsi, macd } = series;
  const last = bars.close.at(-1) ?? 0;
  const [min, max] = [project(scale.min), project(scale.max)];
  const tagReach = (TAG_HEIGHT / layout.price.height) * (max - min);
  const lines = scale.lines.map(project);
  const most = Math.max(...bars.volume);
  const macdValues = macd ? [macd.line, macd.signal, macd.histogram].flatMap(withoutNulls) : [];
  const reach = Math.max(...macdValues.map(Math.abs), 10 ** -picture.priceDecimals);
  return [
    {
      min,
      max,
      lines,
      // Labels would overlap the tag of the last price.
      named: lines.filter((place) => Math.abs(place - project(last)) > tagReach),
      text: (place) => priceText(picture.isLog ? 10 ** place : place, picture, scale.decimals),
    },
    ...(layout.volume
      ? [
          {
            min: 0,
            max: most * VOLUME_ROOM,
            lines: [most],
            text: (value: number) => volumeText(value, picture.locale),
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
  const isRoomy = bars.times.length <= ROOMY;
  return {
    ...baseOption(colours),
    grid: boxes.map((box) => ({ left: LEFT, right, ...box, containLabel: false })),
    xAxis: boxes.map((box, gridIndex) => {
      const show = box === boxes.at(-1);
      return {
        ...xAxis,
        gridIndex,
        axisLine: { ...xAxis.axisLine, show },
        axisLabel: { ...xAxis.axisLabel, show, ...(isRoomy && CENTRED) },
      };
    }),
    yAxis: valueAxes(parts).map((axis, gridIndex) => ({ ...valueAxis(axis, colours), gridIndex })),
    series: [
      ...priceSeries(parts),
      ...(rsi ? [rsiSeries(rsi, colours, firstPanel)] : []),
      ...(macd ? macdSeries(macd, parts, firstPanel + (rsi ? 1 : 0)) : []),
    ],
  };
};

/** A line at the last price with a tag on the axis. */
const drawLastPrice = (context: SKRSContext2D, parts: CandleParts): void => {
  const { picture, series, tone, colours, right } = parts;
  const last = series.bars.close.at(-1) ?? 0;
  const y = Math.round(placesIn(parts).y(last)) + 0.5;
  const edge = WIDTH - right;
  context.strokeStyle = tone;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(LEFT, y);
  context.lineTo(edge, y);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = tone;
  context.beginPath();
  context.roundRect(edge + 2, y - TAG_HEIGHT / 2, right - 5, TAG_HEIGHT, 4);
  context.fill();
  drawText(context, priceText(last, picture), edge + 8, y + 5.5, { ...BOLD, colour: colours.background });
};

/** Labels the highest and lowest price, within the chart area. */
const drawExtremes = (context: SKRSContext2D, parts: CandleParts): void => {
  const { picture, colours, right } = parts;
  const { bars } = parts.series;
  const places = placesIn(parts);
  const t = chartTexts(picture.locale);
  // A line shows closes alone, so it has other extremes than candles.
  const isLine = picture.shape === 'line';
  const [highs, lows] = isLine ? [bars.close, bars.close] : [bars.high, bars.low];
  const high = Math.max(...highs);
  const low = Math.min(...lows);
  if (bars.times.length < 3 || high === low) return;
  const marks = [
    { index: highs.lastIndexOf(high), value: high, label: isLine ? t.highClose : t.high, offset: -8 },
    { index: lows.lastIndexOf(low), value: low, label: isLine ? t.lowClose : t.low, offset: 20 },
  ];
  for (const { index, value, label, offset } of marks) {
    const [x, y] = [places.x(index), places.y(value)];
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

const legend = (
  picture: CandlePicture,
  series: CandleSeries,
  colours: ChartColours,
): readonly LegendEntry[] => {
  const t = chartTexts(picture.locale);
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

/** `-1,194.3`: an indicator has no currency. */
const figureText = (
  value: number | undefined,
  digits: number,
  locale: CandlePicture['locale'],
): string | undefined =>
  value === undefined
    ? undefined
    : formatFinancialNumber(value.toFixed(digits), {
        locale,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });

const panelTitles = ({
  picture,
  series: { rsi, macd },
  colours,
}: CandleParts): readonly (readonly LegendEntry[])[] => {
  const decimals = picture.priceDecimals === 0 ? 0 : picture.priceDecimals + 1;
  const entry = (name: string, average: number, values: CandleSeries['rsi'], digits: number) => ({
    name,
    colour: colours.averages[average] ?? '',
    value: values && figureText(lastOf(values), digits, picture.locale),
  });
  return [
    ...(rsi ? [[entry(`RSI ${RSI_PERIOD}`, 1, rsi, 1)]] : []),
    ...(macd
      ? [
          [
            entry(`MACD ${MACD_PERIODS.join(', ')}`, 2, macd.line, decimals),
            entry(chartTexts(picture.locale).signal, 0, macd.signal, decimals),
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
  return Math.ceil(Math.max(...widths, 52)) + 18;
};

/** Draws candles, or a line of closes, with indicators. `measure` is any canvas context for measuring text. */
export const drawCandles = (
  picture: CandlePicture,
  colours: ChartColours,
  measure: SKRSContext2D,
  headBottom: number,
): Drawing => {
  const t = chartTexts(picture.locale);
  const series = candleSeries(picture);
  const entries = legend(picture, series, colours);
  const hasVolume = series.bars.volume.some((value) => value > 0);
  const panelCount = (series.rsi ? 1 : 0) + (series.macd ? 1 : 0);
  const layout = candleLayout(headBottom, legendRows(measure, entries).length, hasVolume, panelCount);
  const scale = priceScale(series, picture);
  const right = axisRoom(measure, picture, scale, series.bars.close.at(-1) ?? 0);
  const project = picture.isLog ? Math.log10 : (price: number): number => price;
  const tone = colours.tones[picture.head.change?.tone ?? 'flat'];
  const parts = { picture, series, layout, scale, project, tone, colours, right };
  return {
    height: layout.height,
    box: layout.price,
    option: candleOption(parts),
    drawOver: (_chart, context) => {
      drawBars(context, parts, Math.max(...series.bars.volume) * VOLUME_ROOM);
      drawLegend(context, entries, colours, headBottom);
      drawBase(context, parts);
      drawLastPrice(context, parts);
      drawExtremes(context, parts);
      const muted = { ...LABEL, colour: colours.muted };
      if (layout.volume)
        drawText(context, t.volume, LEFT + 2, layout.volume.top + 12, { ...muted, halo: colours.background });
      for (const [index, titles] of panelTitles(parts).entries()) {
        const { top, height } = layout.panels[index] ?? layout.price;
        drawLegend(context, titles, colours, top - PANEL_TITLE);
        if (titles.every(({ value }) => value === undefined))
          drawText(context, t.notEnough, (LEFT + WIDTH - right) / 2, top + height / 2 + 4, {
            ...muted,
            align: 'center',
          });
      }
    },
  };
};
