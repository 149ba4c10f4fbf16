import type { SKRSContext2D } from '@napi-rs/canvas';
import type { EChartsType } from 'echarts';
import { drawHead, drawLegend, drawText, drawWatermark, type LegendEntry, textWidth } from './draw-head.ts';
import { candleOption, withoutNulls, priceScale, priceText } from './candle-option.ts';
import { BAND, type CandleSeries, candleSeries, MACD_PERIODS, RSI_PERIOD } from './candle-series.ts';
import { candleLayout, type ChartColours, chartColours, LEFT, WIDTH } from './chart-style.ts';
import type { CandlePicture } from './chart-picture.ts';
import type { Scale } from './axes.ts';

export interface Drawing {
  readonly height: number;
  readonly paint: (chart: EChartsType, context: SKRSContext2D) => void;
}

const LABEL = { size: 12 };
const TAG = { size: 12, isBold: true };
const MARK = { size: 12, isBold: true };

/** A line at the last price with a tag on the axis. */
const drawLastPrice = (
  chart: EChartsType,
  context: SKRSContext2D,
  picture: CandlePicture,
  { bars, isUp }: CandleSeries,
  colours: ChartColours,
  right: number,
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
  drawText(context, priceText(last, picture, picture.priceDecimals), edge + 10, y + 4.5, {
    ...TAG,
    colour: colours.background,
  });
};

/** Labels the highest and lowest price, within the chart area. */
const drawExtremes = (
  chart: EChartsType,
  context: SKRSContext2D,
  picture: CandlePicture,
  { bars }: CandleSeries,
  colours: ChartColours,
  right: number,
): void => {
  const high = Math.max(...bars.high);
  const low = Math.min(...bars.low);
  if (bars.times.length < 3 || high === low) return;
  const marks = [
    { index: bars.high.lastIndexOf(high), value: high, word: picture.labels.high, offset: -8 },
    { index: bars.low.lastIndexOf(low), value: low, word: picture.labels.low, offset: 17 },
  ];
  for (const { index, value, word, offset } of marks) {
    const [x = 0, y = 0] = chart.convertToPixel({ gridIndex: 0 }, [index, value]);
    const text = `${word} ${priceText(value, picture, picture.priceDecimals)}`;
    const half = textWidth(context, text, MARK) / 2;
    const middle = Math.min(Math.max(x, LEFT + half + 2), WIDTH - right - half - 4);
    drawText(context, text, middle, y + offset, {
      ...MARK,
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
): readonly LegendEntry[] => [
  ...series.averages.flatMap(({ name, values }, index): readonly LegendEntry[] => {
    const last = lastOf(values);
    // An average without enough bars is named as such.
    const value =
      last === undefined ? picture.labels.notEnough : priceText(last, picture, picture.priceDecimals);
    return [{ name, colour: colours.averages[index] ?? colours.muted, value }];
  }),
  ...(series.band && lastOf(series.band.middle) !== undefined
    ? [{ name: `${picture.labels.bollinger} (${BAND.period}, ${BAND.width})`, colour: colours.band }]
    : []),
];

const panelTitles = (
  picture: CandlePicture,
  { rsi, macd }: CandleSeries,
  colours: ChartColours,
): readonly (readonly LegendEntry[])[] => {
  const level = rsi && lastOf(rsi);
  const moment = (value: number | undefined): { readonly value?: string } =>
    value === undefined
      ? {}
      : { value: value.toFixed(picture.priceDecimals + (picture.priceDecimals === 0 ? 0 : 1)) };
  return [
    ...(rsi
      ? [
          [
            {
              name: `RSI ${RSI_PERIOD}`,
              colour: colours.averages[1] ?? '',
              ...(level !== undefined && { value: level.toFixed(1) }),
            },
          ],
        ]
      : []),
    ...(macd
      ? [
          [
            {
              name: `MACD ${MACD_PERIODS.join(', ')}`,
              colour: colours.averages[2] ?? '',
              ...moment(lastOf(macd.line)),
            },
            {
              name: picture.labels.signal,
              colour: colours.averages[0] ?? '',
              ...moment(lastOf(macd.signal)),
            },
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
    textWidth(context, priceText(last, picture, picture.priceDecimals), TAG),
  ];
  return Math.ceil(Math.max(...widths, 44)) + 24;
};

/** Draws candles with indicators. `measure` is any canvas context for measuring text. */
export const drawCandles = (picture: CandlePicture, measure: SKRSContext2D): Drawing => {
  const colours = chartColours(picture.theme, picture.locale);
  const series = candleSeries(picture);
  const hasVolume = series.bars.volume.some((value) => value > 0);
  const layout = candleLayout(hasVolume, (series.rsi ? 1 : 0) + (series.macd ? 1 : 0));
  const scale = priceScale(series, picture);
  const right = axisRoom(measure, picture, scale, series.bars.close.at(-1) ?? 0);
  return {
    height: layout.height,
    paint: (chart, context) => {
      chart.setOption(candleOption({ picture, series, layout, scale, colours, right }));
      chart.getZr().flush();
      const { head } = picture;
      if (head.watermark !== undefined) drawWatermark(context, head.watermark, layout.price, colours);
      drawHead(context, head, colours);
      drawLegend(context, legend(picture, series, colours), colours);
      drawLastPrice(chart, context, picture, series, colours, right);
      drawExtremes(chart, context, picture, series, colours, right);
      if (layout.volume)
        drawText(context, picture.labels.volume, LEFT + 4, layout.volume.top + 12, {
          ...LABEL,
          colour: colours.muted,
          halo: colours.background,
        });
      const notEnough = { ...LABEL, colour: colours.muted, align: 'center' as const };
      for (const [index, entries] of panelTitles(picture, series, colours).entries()) {
        const { top, height } = layout.panels[index] ?? layout.price;
        drawLegend(context, entries, colours, top - 8);
        if (entries.every(({ value }) => value === undefined))
          drawText(
            context,
            picture.labels.notEnough,
            (LEFT + WIDTH - right) / 2,
            top + height / 2 + 4,
            notEnough,
          );
      }
    },
  };
};
