import type { SKRSContext2D } from '@napi-rs/canvas';
import type { PictureHead } from './chart-picture.ts';
import { type ChartColours, LEFT, TEXT, WIDTH } from './chart-style.ts';
import { drawText, fitText, sizeToFit, type TextStyle, textWidth } from './draw-text.ts';

const ROOM = WIDTH - 2 * LEFT;
const TITLE = { size: 25, least: 19, isBold: true };
const PRICE = { size: 24, isBold: true };
const CHANGE = { size: 17, least: TEXT, isBold: true };
const SMALL = { size: TEXT };
const PRICE_GAP = 12;
const MAX_ROWS = 2;
const SEPARATOR = ' · ';

const FIRST_BASELINE = 35;
const PRICE_STEP = 33;
const SMALL_STEP = 25;
const ROW_STEP = 21;
const BELOW = 8;

interface HeadText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly style: Pick<TextStyle, 'size' | 'isBold'>;
  readonly colour: (colours: ChartColours) => string;
}

/** The text above a chart with its places. */
export interface Head {
  readonly texts: readonly HeadText[];
  /** Where the chart may begin. */
  readonly bottom: number;
}

/** Breaks a line between its parts; what does not fit into the last row is truncated. */
const wrapped = (context: SKRSContext2D, text: string): readonly string[] => {
  const rows: string[] = [];
  for (const part of text.split(SEPARATOR)) {
    const last = rows.at(-1);
    const both = last === undefined ? part : `${last}${SEPARATOR}${part}`;
    const fits = textWidth(context, both, SMALL) <= ROOM;
    if (last === undefined || (!fits && rows.length < MAX_ROWS)) rows.push(part);
    else rows[rows.length - 1] = both;
  }
  return rows.filter((row) => row !== '').map((row) => fitText(context, row, ROOM, SMALL));
};

const titleText = (context: SKRSContext2D, { title, titleEnd }: PictureHead): HeadText => {
  const style = { ...TITLE, size: sizeToFit(context, `${title}${titleEnd}`, ROOM, TITLE) };
  const shown = fitText(context, title, ROOM - textWidth(context, titleEnd, style), style);
  return { text: `${shown}${titleEnd}`, x: LEFT, y: FIRST_BASELINE, style, colour: ({ text }) => text };
};

/** The price with its change beside it. */
const priceTexts = (
  context: SKRSContext2D,
  { price, change }: PictureHead,
  y: number,
): readonly HeadText[] => {
  const width = price === undefined ? 0 : textWidth(context, price, PRICE) + PRICE_GAP;
  const size = change ? sizeToFit(context, change.text, ROOM - width, CHANGE) : CHANGE.size;
  const style = { ...CHANGE, size };
  return [
    ...(price === undefined
      ? []
      : [{ text: price, x: LEFT, y, style: PRICE, colour: ({ text }: ChartColours) => text }]),
    ...(change
      ? [
          {
            text: fitText(context, change.text, ROOM - width, style),
            x: LEFT + width,
            y,
            style,
            colour: ({ tones }: ChartColours) => tones[change.tone],
          },
        ]
      : []),
  ];
};

/** Places the title, the price with its change, the range and the origin, one below the other. */
export const layoutHead = (context: SKRSContext2D, head: PictureHead): Head => {
  const hasPrice = head.price !== undefined || head.change !== undefined;
  const priceY = FIRST_BASELINE + PRICE_STEP;
  const small = [head.subtitle, head.origin].flatMap((text) => wrapped(context, text));
  const smallY = (hasPrice ? priceY : FIRST_BASELINE) + SMALL_STEP;
  return {
    texts: [
      titleText(context, head),
      ...(hasPrice ? priceTexts(context, head, priceY) : []),
      ...small.map((text, row) => ({
        text,
        x: LEFT,
        y: smallY + row * ROW_STEP,
        style: SMALL,
        colour: ({ muted }: ChartColours) => muted,
      })),
    ],
    bottom: smallY + (small.length - 1) * ROW_STEP + BELOW,
  };
};

export const drawHead = (context: SKRSContext2D, { texts }: Head, colours: ChartColours): void => {
  for (const { text, x, y, style, colour } of texts)
    drawText(context, text, x, y, { ...style, colour: colour(colours) });
};
