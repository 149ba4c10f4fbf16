import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Drawing, drawLegend, drawText, fitText, legendRows, textWidth } from './draw-text.ts';
import { baseOption, type ChartColours, plainLayout, TEXT, WIDTH } from './chart-style.ts';
import type { ComparisonLine, ComparisonPicture } from './chart-picture.ts';
import { type Scale, scaleFor, timeAxis, valueAxis } from './axes.ts';

/** The labels at the ends of the lines: a name above a change. */
const RIGHT = 100;
const NAMES_LEFT = WIDTH - RIGHT + 7;
const NAMES_ROOM = WIDTH - 6 - NAMES_LEFT;
const LINES = 6;
const MAX_DECIMALS = 2;
const TIME_LABELS = 7;
const AXIS = { size: TEXT };
const CHANGE = { size: 16, isBold: true };
const NAME = { size: TEXT };
const NAME_HEIGHT = 37;

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
  headBottom: number,
): Drawing => {
  const { lines, times } = picture;
  const colourOf = (index: number): string => colours.lines[index] ?? colours.muted;
  const legend = lines.map(({ label }, index) => ({ name: label, colour: colourOf(index) }));
  const { height, box } = plainLayout(headBottom, legendRows(measure, legend).length);
  const scale = scaleOf(lines);
  const text = (value: number): string => changeText(value, scale.decimals, axisUnit(lines));
  const widest = Math.max(...scale.lines.map((value) => textWidth(measure, text(value), AXIS)));
  const yAxis = valueAxis({ ...scale, text }, colours);
  return {
    height,
    box,
    option: {
      ...baseOption(colours),
      grid: { left: Math.ceil(widest) + 18, right: RIGHT, ...box, containLabel: false },
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
      drawLegend(context, legend, colours, headBottom);
      const labels = lines.map((line, index) => {
        const [, y = 0] = chart.convertToPixel({ gridIndex: 0 }, [times.length - 1, lastOf(line)]);
        return { line, colour: colourOf(index), y };
      });
      for (const { line, colour, y } of separateLabels(labels, box.top + 8, box.top + box.height - 8)) {
        const style = { colour, halo: colours.background };
        drawText(context, fitText(context, line.name, NAMES_ROOM, NAME), NAMES_LEFT, y - 3, {
          ...NAME,
          ...style,
        });
        drawText(context, changeText(lastOf(line), MAX_DECIMALS, line.unit), NAMES_LEFT, y + 14, {
          ...CHANGE,
          ...style,
        });
      }
    },
  };
};
