import type { SKRSContext2D } from '@napi-rs/canvas';
import {
  drawHead,
  drawLegend,
  drawText,
  drawWatermark,
  fitText,
  legendRows,
  textWidth,
} from './draw-head.ts';
import { type Box, type ChartColours, chartColours, comparisonLayout, FONT, WIDTH } from './chart-style.ts';
import type { ComparisonLine, ComparisonPicture } from './chart-picture.ts';
import type { Drawing } from './draw-candles.ts';
import { type Scale, scaleFor, timeTicks } from './axes.ts';

/** Margins for the axis and the line labels. */
const AXIS_LEFT = 70;
const RIGHT = 178;
const NAMES_LEFT = WIDTH - RIGHT + 8;
const LINES = 6;
const MAX_DECIMALS = 2;
const TIME_LABELS = 10;
const NAME = { size: 13, isBold: true };
const NAME_HEIGHT = 18;

const changeText = (value: number, decimals: number, unit: string): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(decimals)}${unit}`;

/** The axis unit: percentage points only if all lines use them. */
const axisUnit = ([first, ...others]: readonly ComparisonLine[]): string =>
  first && others.every(({ unit }) => unit === first.unit) ? first.unit : '%';

const lastOf = ({ values }: ComparisonLine): number => values.findLast((value) => value !== null) ?? 0;

const scaleOf = (lines: readonly ComparisonLine[]): Scale => {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  return scaleFor(Math.min(0, ...values), Math.max(0, ...values), LINES, MAX_DECIMALS);
};

interface Label {
  readonly index: number;
  readonly y: number;
}

/** Moves overlapping labels apart within the chart, keeping their order. */
const separateLabels = (labels: readonly Label[], top: number, bottom: number): readonly Label[] => {
  const placed: Label[] = [];
  for (const label of labels.toSorted((a, b) => a.y - b.y)) {
    const y = Math.max(label.y, (placed.at(-1)?.y ?? top - NAME_HEIGHT) + NAME_HEIGHT);
    placed.push({ ...label, y });
  }
  let floor = bottom + NAME_HEIGHT;
  return placed.toReversed().map((label) => {
    floor = Math.min(label.y, floor - NAME_HEIGHT);
    return { ...label, y: floor };
  });
};

const optionOf = (picture: ComparisonPicture, box: Box, scale: Scale, colours: ChartColours) => {
  const ticks = new Map(
    timeTicks(picture.times, { ...picture, limit: TIME_LABELS }).map(({ index, label }) => [index, label]),
  );
  const isTick = (index: number): boolean => ticks.has(index);
  const label = { color: colours.muted, fontFamily: FONT, fontSize: 12 };
  return {
    animation: false,
    backgroundColor: colours.background,
    textStyle: { fontFamily: FONT },
    grid: { left: AXIS_LEFT, right: RIGHT, top: box.top, height: box.height, containLabel: false },
    xAxis: {
      type: 'category' as const,
      boundaryGap: picture.times.length === 1,
      data: picture.times.map((_, index) => ticks.get(index) ?? ''),
      axisLine: { onZero: false, lineStyle: { color: colours.axis } },
      axisTick: { show: false },
      axisLabel: { ...label, interval: isTick, margin: 12, showMinLabel: isTick(0), hideOverlap: true },
      splitLine: { show: true, interval: isTick, lineStyle: { color: colours.grid } },
    },
    yAxis: {
      type: 'value' as const,
      position: 'left' as const,
      min: scale.min,
      max: scale.max,
      axisLine: { show: false },
      axisTick: { show: false, customValues: [...scale.lines] },
      axisLabel: {
        ...label,
        margin: 8,
        customValues: [...scale.lines],
        formatter: (value: number) => changeText(value, scale.decimals, axisUnit(picture.lines)),
      },
      splitLine: { lineStyle: { color: colours.grid } },
    },
    series: picture.lines.map(({ values }, index) => ({
      type: 'line' as const,
      data: [...values],
      connectNulls: true,
      symbol: picture.times.length === 1 ? 'circle' : 'none',
      lineStyle: { color: colours.lines[index] ?? colours.muted, width: 2 },
      itemStyle: { color: colours.lines[index] ?? colours.muted },
      silent: true,
      ...(index === 0 && {
        markLine: {
          symbol: 'none',
          silent: true,
          label: { show: false },
          lineStyle: { color: colours.muted, type: 'dashed' as const, width: 1 },
          data: [{ yAxis: 0 }],
        },
      }),
    })),
  };
};

/** Draws changes from a common base, with a label at the end of each line. */
export const drawComparison = (picture: ComparisonPicture, measure: SKRSContext2D): Drawing => {
  const colours = chartColours(picture.theme, picture.locale);
  const legend = picture.lines.map(({ label }, index) => ({
    name: label,
    colour: colours.lines[index] ?? colours.muted,
  }));
  const { height, box } = comparisonLayout(legendRows(measure, legend).length);
  const scale = scaleOf(picture.lines);
  return {
    height,
    paint: (chart, context: SKRSContext2D) => {
      chart.setOption(optionOf(picture, box, scale, colours));
      chart.getZr().flush();
      if (picture.head.watermark !== undefined) drawWatermark(context, picture.head.watermark, box, colours);
      drawHead(context, picture.head, colours);
      drawLegend(context, legend, colours);
      const labels = picture.lines.map((line, index) => {
        const [, y = 0] = chart.convertToPixel({ gridIndex: 0 }, [picture.times.length - 1, lastOf(line)]);
        return { index, y };
      });
      for (const { index, y } of separateLabels(labels, box.top + 4, box.top + box.height - 4)) {
        const line = picture.lines[index];
        if (!line) continue;
        const percent = changeText(lastOf(line), MAX_DECIMALS, line.unit);
        const room = WIDTH - 12 - NAMES_LEFT - textWidth(context, percent, NAME) - 6;
        const style = { ...NAME, colour: colours.lines[index] ?? colours.muted };
        const width = drawText(context, percent, NAMES_LEFT, y + 4.5, style);
        if (room > 20)
          drawText(
            context,
            fitText(context, line.name, room, { size: 12 }),
            NAMES_LEFT + width + 6,
            y + 4.5,
            { ...style, size: 12, isBold: false },
          );
      }
    },
  };
};
