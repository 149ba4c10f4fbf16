import type { SKRSContext2D } from '@napi-rs/canvas';
import { drawText, fitText, textWidth } from './canvas-text.ts';
import { type Box, LEFT, LEGEND_ROW_HEIGHT, LEGEND_Y, WIDTH } from './chart-layout.ts';
import type { PictureHead } from './chart-picture.ts';
import type { ChartColours } from './chart-theme.ts';

const TITLE = { size: 23, isBold: true };
const PRICE = { size: 23, isBold: true };
const CHANGE = { size: 15, isBold: true };
const SMALL = { size: 13 };
const GAP = 24;

/** What it is and what it costs; below that the range; and from where and as of when. */
export const drawHead = (context: SKRSContext2D, head: PictureHead, colours: ChartColours): void => {
  const right = WIDTH - LEFT;
  const priceWidth = head.price === undefined ? 0 : textWidth(context, head.price, PRICE);
  const changeWidth = head.change === undefined ? 0 : textWidth(context, head.change.text, CHANGE);
  const facts = Math.max(priceWidth, changeWidth);
  const room = right - LEFT - (facts > 0 ? facts + GAP : 0);
  const title = fitText(context, head.title, room - textWidth(context, head.titleEnd, TITLE), TITLE);
  drawText(context, `${title}${head.titleEnd}`, LEFT, 38, { ...TITLE, colour: colours.text });
  const muted = { ...SMALL, colour: colours.muted };
  drawText(context, fitText(context, head.subtitle, room, SMALL), LEFT, 60, muted);
  drawText(context, fitText(context, head.origin, room, SMALL), LEFT, 78, muted);
  if (head.price !== undefined)
    drawText(context, head.price, right, 38, { ...PRICE, colour: colours.text, align: 'right' });
  if (head.change)
    drawText(context, head.change.text, right, 60, {
      ...CHANGE,
      colour: colours.tones[head.change.tone],
      align: 'right',
    });
};

export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  /** Its last value. */
  readonly value?: string;
}

const LEGEND = { size: 12 };
const DASH_WIDTH = 14;
const DASH_GAP = 6;

const ENTRY_GAP = 18;
const legendText = ({ name, value }: LegendEntry): string =>
  value === undefined ? name : `${name}  ${value}`;

/** Side by side, as many a row as fit; what is wider than a row by itself is cut. */
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

/** Names with their colours. */
export const drawLegend = (
  context: SKRSContext2D,
  entries: readonly LegendEntry[],
  colours: ChartColours,
  y = LEGEND_Y,
): void => {
  for (const [row, placed] of legendRows(context, entries).entries()) {
    const baseline = y + row * LEGEND_ROW_HEIGHT;
    for (const { x, text, colour } of placed) {
      context.fillStyle = colour;
      context.fillRect(x, baseline - 6, DASH_WIDTH, 3);
      drawText(context, text, x + DASH_WIDTH + DASH_GAP, baseline, { ...LEGEND, colour: colours.muted });
    }
  }
};

/** Across the data, large and faint: nobody takes it for real, and nothing is hidden by it. */
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
  const width = textWidth(context, text, { size, isBold: true });
  const fitted = Math.min(size, (size * WIDTH * 0.7) / width);
  drawText(context, text, 0, fitted * 0.36, {
    size: fitted,
    isBold: true,
    colour: colours.watermark,
    align: 'center',
  });
  context.restore();
};
