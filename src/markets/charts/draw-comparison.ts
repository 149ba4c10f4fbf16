import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Drawing, drawLegend, drawText, fitText, legendRows } from './draw-text.ts';
import { baseOption, type ChartColours, comparisonLayout, WIDTH } from './chart-style.ts';
import type { ComparisonLine, ComparisonPicture } from './chart-picture.ts';
import { type Scale, scaleFor, timeAxis, valueAxis } from './axes.ts';

/** Margins for the axis and the line labels. */
const AXIS_LEFT = 70;
const RIGHT = 178;
const NAMES_LEFT = WIDTH - RIGHT + 8;
const LINES = 6;
const MAX_DECIMALS = 2;
const TIME_LABELS = 10;
const NAME = { size: 13, isBold: true };
const SMALL_NAME = { size: 12 };
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
  readonly line: ComparisonLine;
  readonly colour: string;
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

/** Draws changes from a common base, with a label at the end of each line. */
export const drawComparison = (
  picture: ComparisonPicture,
  colours: ChartColours,
  measure: SKRSContext2D,
): Drawing => {
  const { lines, times } = picture;
  const colourOf = (index: number): string => colours.lines[index] ?? colours.muted;
  const legend = lines.map(({ label }, index) => ({ name: label, colour: colourOf(index) }));
  const { height, box } = comparisonLayout(legendRows(measure, legend).length);
  const scale = scaleOf(lines);
  const yAxis = valueAxis(
    { ...scale, text: (value) => changeText(value, scale.decimals, axisUnit(lines)) },
    colours,
  );
  return {
    height,
    box,
    option: {
      ...baseOption(colours),
      grid: { left: AXIS_LEFT, right: RIGHT, ...box, containLabel: false },
      xAxis: { ...timeAxis(times, picture, TIME_LABELS, colours), boundaryGap: times.length === 1 },
      yAxis: { ...yAxis, position: 'left', axisLabel: { ...yAxis.axisLabel, margin: 8 } },
      series: lines.map(({ values }, index) => ({
        type: 'line',
        data: [...values],
        connectNulls: true,
        symbol: times.length === 1 ? 'circle' : 'none',
        lineStyle: { color: colourOf(index), width: 2 },
        itemStyle: { color: colourOf(index) },
        silent: true,
        ...(index === 0 && {
          markLine: {
            symbol: 'none',
            silent: true,
            label: { show: false },
            lineStyle: { color: colours.muted, type: 'dashed', width: 1 },
            data: [{ yAxis: 0 }],
          },
        }),
      })),
    },
    drawOver: (chart, context) => {
      drawLegend(context, legend, colours);
      const labels = lines.map((line, index) => {
        const [, y = 0] = chart.convertToPixel({ gridIndex: 0 }, [times.length - 1, lastOf(line)]);
        return { line, colour: colourOf(index), y };
      });
      for (const { line, colour, y } of separateLabels(labels, box.top + 4, box.top + box.height - 4)) {
        const percent = changeText(lastOf(line), MAX_DECIMALS, line.unit);
        const width = drawText(context, percent, NAMES_LEFT, y + 4.5, { ...NAME, colour });
        const room = WIDTH - 12 - NAMES_LEFT - width - 6;
        if (room > 20)
          drawText(context, fitText(context, line.name, room, SMALL_NAME), NAMES_LEFT + width + 6, y + 4.5, {
            ...SMALL_NAME,
            colour,
          });
      }
    },
  };
};
