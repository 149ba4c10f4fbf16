import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Drawing, drawText, fitText, textWidth } from './draw-text.ts';
import { baseOption, type ChartColours, LEFT, WIDTH } from './chart-style.ts';
import type { AllocationPicture } from './chart-picture.ts';

const TOP = 104;
const HEIGHT = 540;
const RING = { x: 250, y: TOP + (HEIGHT - TOP) / 2 - 8, outer: 185, inner: 118 };
const LIST_LEFT = 492;
const ROW_HEIGHT = 34;
const SWATCH = 12;
const TOTAL = { size: 26, isBold: true };
const NAME = { size: 15 };
const SHARE = { size: 15, isBold: true };
const AMOUNT = { size: 13 };
/** Fits `100.00%`. */
const SHARE_WIDTH = 72;

/** The last colour is for the remainder. */
const colourOf = (index: number, colours: ChartColours): string =>
  [...colours.lines.slice(0, -1), ...colours.averages.slice(0, 3)][index] ?? colours.muted;

const drawTotal = (
  context: SKRSContext2D,
  { name, amount }: AllocationPicture['total'],
  colours: ChartColours,
): void => {
  const room = RING.inner * 2 - 28;
  const wide = textWidth(context, amount, TOTAL);
  const style = { ...TOTAL, size: Math.min(TOTAL.size, (TOTAL.size * room) / wide), colour: colours.text };
  drawText(context, name, RING.x, RING.y - 14, { size: 14, colour: colours.muted, align: 'center' });
  drawText(context, amount, RING.x, RING.y + 16, { ...style, align: 'center' });
};

const drawList = (context: SKRSContext2D, picture: AllocationPicture, colours: ChartColours): void => {
  const right = WIDTH - LEFT;
  const top = RING.y - (picture.parts.length * ROW_HEIGHT) / 2 + ROW_HEIGHT / 2;
  const amounts = picture.parts.map(({ amount }) => textWidth(context, amount, AMOUNT));
  const amountWidth = Math.max(...amounts, 0);
  for (const [index, part] of picture.parts.entries()) {
    const y = top + index * ROW_HEIGHT;
    context.fillStyle = colourOf(index, colours);
    context.fillRect(LIST_LEFT, y - SWATCH / 2, SWATCH, SWATCH);
    const shareRight = right - amountWidth - 18;
    const nameLeft = LIST_LEFT + SWATCH + 10;
    const name = fitText(context, part.label, shareRight - SHARE_WIDTH - nameLeft, NAME);
    drawText(context, name, nameLeft, y + 5, { ...NAME, colour: colours.text });
    drawText(context, part.share, shareRight, y + 5, { ...SHARE, colour: colours.text, align: 'right' });
    drawText(context, part.amount, right, y + 5, { ...AMOUNT, colour: colours.muted, align: 'right' });
  }
};

/** A ring chart with a list of its parts. */
export const drawAllocation = (picture: AllocationPicture, colours: ChartColours): Drawing => ({
  height: HEIGHT,
  box: { top: TOP, height: HEIGHT - TOP },
  option: {
    ...baseOption(colours),
    series: [
      {
        type: 'pie',
        center: [RING.x, RING.y],
        radius: [RING.inner, RING.outer],
        silent: true,
        label: { show: false },
        labelLine: { show: false },
        itemStyle: { borderColor: colours.background, borderWidth: picture.parts.length > 1 ? 2 : 0 },
        data: picture.parts.map(({ value }, index) => ({
          value,
          itemStyle: { color: colourOf(index, colours) },
        })),
      },
    ],
  },
  drawOver: (_chart, context) => {
    drawTotal(context, picture.total, colours);
    drawList(context, picture, colours);
  },
});
