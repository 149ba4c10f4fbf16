import type { SKRSContext2D } from '@napi-rs/canvas';
import type { EChartsOption, EChartsType } from 'echarts';
import { type Box, type ChartColours, FONT, LEFT, LEGEND_ROW_HEIGHT, TEXT, WIDTH } from './chart-style.ts';

/** A chart before it is drawn. */
export interface Drawing {
  readonly height: number;
  readonly option: EChartsOption;
  /** The area of the watermark. */
  readonly box: Box;
  /** Draws text and marks above what echarts draws. */
  readonly drawOver: (chart: EChartsType, context: SKRSContext2D) => void;
}

export interface TextStyle {
  readonly size: number;
  readonly colour: string;
  readonly isBold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
  /** Outline colour, for text on top of lines. */
  readonly halo?: string;
}

const setFont = (context: SKRSContext2D, { size, isBold }: Pick<TextStyle, 'size' | 'isBold'>): void => {
  context.font = `${isBold === true ? '700' : '400'} ${size}px ${FONT}`;
};

export const textWidth = (
  context: SKRSContext2D,
  text: string,
  style: Pick<TextStyle, 'size' | 'isBold'>,
): number => {
  setFont(context, style);
  return context.measureText(text).width;
};

/** Truncates text to `maxWidth` with an ellipsis. */
export const fitText = (
  context: SKRSContext2D,
  text: string,
  maxWidth: number,
  style: Pick<TextStyle, 'size' | 'isBold'>,
): string => {
  if (textWidth(context, text, style) <= maxWidth) return text;
  const letters = Array.from(text);
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (textWidth(context, `${letters.slice(0, middle).join('').trimEnd()}…`, style) <= maxWidth)
      fits = middle;
    else tooMany = middle;
  }
  return `${letters.slice(0, fits).join('').trimEnd()}…`;
};

/** The size at which text fits into `maxWidth`, within limits. */
export const sizeToFit = (
  context: SKRSContext2D,
  text: string,
  maxWidth: number,
  { size, least, isBold }: { readonly size: number; readonly least: number; readonly isBold: boolean },
): number => Math.min(size, Math.max(least, (size * maxWidth) / textWidth(context, text, { size, isBold })));

/** Draws one line of text and returns its width. */
export const drawText = (
  context: SKRSContext2D,
  text: string,
  x: number,
  y: number,
  style: TextStyle,
): number => {
  setFont(context, style);
  context.textAlign = style.align ?? 'left';
  context.textBaseline = 'alphabetic';
  if (style.halo !== undefined) {
    context.strokeStyle = style.halo;
    context.lineWidth = 4;
    context.lineJoin = 'round';
    context.strokeText(text, x, y);
  }
  context.fillStyle = style.colour;
  context.fillText(text, x, y);
  return context.measureText(text).width;
};

export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  /** The last value, formatted. */
  readonly value?: string | undefined;
}

const LEGEND = { size: TEXT };
/** From the bottom of what is above to the first baseline. */
const TO_BASELINE = 17;
const DASH_WIDTH = 14;
const DASH_GAP = 6;

const ENTRY_GAP = 18;
const legendText = ({ name, value }: LegendEntry): string =>
  value === undefined ? name : `${name}  ${value}`;

/** Arranges entries in rows and truncates those wider than a row. */
export const legendRows = (
  context: SKRSContext2D,
  entries: readonly LegendEntry[],
): readonly (readonly { readonly x: number; readonly text: string; readonly colour: string }[])[] => {
  const room = WIDTH - 2 * LEFT;
  const rows: { x: number; text: string; colour: string }[][] = [];
  let x = room;
  for (const entry of entries) {
    const text = fitText(context, legendText(entry), room - DASH_WIDTH - DASH_GAP, LEGEND);
    const width = DASH_WIDTH + DASH_GAP + textWidth(context, text, LEGEND);
    if (x + width > room) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ x: LEFT + x, text, colour: entry.colour });
    x += width + ENTRY_GAP;
  }
  return rows;
};

/** Draws the entries in rows below `top`. */
export const drawLegend = (
  context: SKRSContext2D,
  entries: readonly LegendEntry[],
  colours: ChartColours,
  top: number,
): void => {
  for (const [row, placed] of legendRows(context, entries).entries()) {
    const baseline = top + TO_BASELINE + row * LEGEND_ROW_HEIGHT;
    for (const { x, text, colour } of placed) {
      context.fillStyle = colour;
      context.fillRect(x, baseline - 7, DASH_WIDTH, 4);
      drawText(context, text, x + DASH_WIDTH + DASH_GAP, baseline, { ...LEGEND, colour: colours.muted });
    }
  }
};

/** Large and faint, so that it marks the chart as sample data without hiding it. */
export const drawWatermark = (
  context: SKRSContext2D,
  text: string,
  box: Box,
  colours: ChartColours,
): void => {
  context.save();
  context.translate((WIDTH - LEFT) / 2, box.top + box.height / 2);
  context.rotate(-Math.PI / 12);
  const size = 104;
  const fitted = sizeToFit(context, text, WIDTH * 0.7, { size, least: 0, isBold: true });
  drawText(context, text, 0, fitted * 0.36, {
    size: fitted,
    isBold: true,
    colour: colours.watermark,
    align: 'center',
  });
  context.restore();
};
