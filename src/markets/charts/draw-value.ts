import type { EChartsOption } from 'echarts';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import { type Box, type ChartColours, chartColours, comparisonLayout, FONT, LEFT } from './chart-style.ts';
import type { ValuePicture } from './chart-picture.ts';
import type { Drawing } from './draw-candles.ts';
import { drawHead, drawLegend, drawWatermark } from './draw-head.ts';
import { type Scale, scaleFor, timeTicks } from './axes.ts';

const RIGHT = 104;
const LINES = 6;
const TIME_LABELS = 12;
/** From this value on, the axis uses compact units. */
const SHORT_FROM = 10_000_000;

const axisText = (value: number, { locale, currency, decimals }: ValuePicture, scale: Scale): string =>
  formatFinancialNumber(value.toFixed(Math.min(scale.decimals, decimals)), {
    locale,
    currency,
    maximumFractionDigits: Math.min(scale.decimals, decimals),
    isShort: scale.max >= SHORT_FROM,
  });

const optionOf = (picture: ValuePicture, box: Box, scale: Scale, colours: ChartColours): EChartsOption => {
  const ticks = new Map(
    timeTicks(picture.times, { ...picture, limit: TIME_LABELS }).map(({ index, label }) => [index, label]),
  );
  const isTick = (index: number): boolean => ticks.has(index);
  const label = { color: colours.muted, fontFamily: FONT, fontSize: 12 };
  const [valueColour, paidColour] = [colours.lines[0] ?? colours.text, colours.muted];
  return {
    animation: false,
    backgroundColor: colours.background,
    textStyle: { fontFamily: FONT },
    grid: { left: LEFT, right: RIGHT, top: box.top, height: box.height, containLabel: false },
    xAxis: {
      type: 'category',
      boundaryGap: false,
      data: picture.times.map((_, index) => ticks.get(index) ?? ''),
      axisLine: { onZero: false, lineStyle: { color: colours.axis } },
      axisTick: { show: false },
      axisLabel: { ...label, interval: isTick, margin: 12, showMinLabel: isTick(0), hideOverlap: true },
      splitLine: { show: true, interval: isTick, lineStyle: { color: colours.grid } },
    },
    yAxis: {
      type: 'value',
      position: 'right',
      min: scale.min,
      max: scale.max,
      axisLine: { show: false },
      axisTick: { show: false, customValues: [...scale.lines] },
      axisLabel: {
        ...label,
        margin: 10,
        customValues: [...scale.lines],
        formatter: (value: number) => axisText(value, picture, scale),
      },
      splitLine: { lineStyle: { color: colours.grid } },
    },
    series: [
      {
        type: 'line',
        data: [...picture.contributed],
        step: 'end',
        symbol: 'none',
        silent: true,
        lineStyle: { color: paidColour, width: 1.5, type: 'dashed' },
      },
      {
        type: 'line',
        data: [...picture.value],
        symbol: 'none',
        silent: true,
        lineStyle: { color: valueColour, width: 2.5 },
        ...(scale.min < 0 && {
          markLine: {
            silent: true,
            symbol: 'none',
            label: { show: false },
            lineStyle: { color: colours.axis, type: 'solid', width: 1 },
            data: [{ yAxis: 0 }],
          },
        }),
        // Fills from zero if the axis crosses it.
        areaStyle: { color: valueColour, opacity: 0.1, origin: scale.min < 0 ? 0 : 'start' },
      },
    ],
  };
};

/** Draws the value and the contributions. */
export const drawValue = (picture: ValuePicture): Drawing => {
  const colours = chartColours(picture.theme, picture.locale);
  const { height, box } = comparisonLayout(1);
  const all = [...picture.value, ...picture.contributed];
  const lowest = Math.min(...all);
  // Negative values need the zero line for reference.
  const highest = Math.max(...all, ...(lowest < 0 ? [0] : []));
  const scale = scaleFor(lowest, highest, LINES, picture.decimals);
  return {
    height,
    paint: (chart, context) => {
      chart.setOption(optionOf(picture, box, scale, colours));
      chart.getZr().flush();
      const { watermark } = picture.head;
      if (watermark !== undefined) drawWatermark(context, watermark, box, colours);
      drawHead(context, picture.head, colours);
      drawLegend(
        context,
        [
          { name: picture.labels.value, colour: colours.lines[0] ?? colours.text },
          { name: picture.labels.contributed, colour: colours.muted },
        ],
        colours,
      );
    },
  };
};
