import type { SKRSContext2D } from '@napi-rs/canvas';
import { type Drawing, drawText, fitText, sizeToFit, textWidth } from './draw-text.ts';
import { baseOption, type ChartColours, LEFT, TEXT, WIDTH } from './chart-style.ts';
import type { AllocationPicture } from './chart-picture.ts';

const GAP = 16;
const OUTER = 128;
const INNER = 84;
const RING_X = LEFT + OUTER;
const LIST_LEFT = RING_X + OUTER + 30;
const ROW_HEIGHT = 45;
const SWATCH = 15;
const TOTAL = { size: 24, least: TEXT, isBold: true };
const NAME = { size: 17 };
const SHARE = { size: 17, isBold: true };
const SMALL = { size: TEXT };

/** The last colour is for the remainder. */
const colourOf = (index: number, colours: ChartColours): string =>
  [...colours.lines.slice(0, -1), ...colours.averages.slice(0, 3)][index] ?? colours.muted;

const drawTotal = (
  context: SKRSContext2D,
  { name, amount }: AllocationPicture['total'],
  colours: ChartColours,
  ringY: number,
): void => {
  const room = INNER * 2 - 22;
  const size = sizeToFit(context, amount, room, TOTAL);
  const label = fitText(context, name, room, SMALL);
  drawText(context, label, RING_X, ringY - 12, { ...SMALL, colour: colours.muted, align: 'center' });
  drawText(context, fitText(context, amount, room + 14, { ...TOTAL, size }), RING_X, ringY + 16, {
    ...TOTAL,
    size,
    colour: colours.text,
    align: 'center',
  });
};

/** Each part with its share, and its amount below. */
const drawList = (
  context: SKRSContext2D,
  { parts }: AllocationPicture,
  colours: ChartColours,
  top: number,
): void => {
  const right = WIDTH - LEFT;
  const nameLeft = LIST_LEFT + SWATCH + 10;
  for (const [index, { label, share, amount }] of parts.entries()) {
    const y = top + index * ROW_HEIGHT;
    context.fillStyle = colourOf(index, colours);
    context.fillRect(LIST_LEFT, y + 4, SWATCH, SWATCH);
    const room = right - nameLeft - textWidth(context, share, SHARE) - 12;
    drawText(context, fitText(context, label, room, NAME), nameLeft, y + 17, {
      ...NAME,
      colour: colours.text,
    });
    drawText(context, share, right, y + 17, { ...SHARE, colour: colours.text, align: 'right' });
    drawText(context, amount, right, y + 36, { ...SMALL, colour: colours.muted, align: 'right' });
  }
};

/** A ring chart with a list of its parts. */
export const drawAllocation = (
  picture: AllocationPicture,
  colours: ChartColours,
  headBottom: number,
): Drawing => {
  const top = headBottom + GAP;
  const listHeight = picture.parts.length * ROW_HEIGHT;
  const boxHeight = Math.max(listHeight, OUTER * 2);
  const ringY = top + boxHeight / 2;
  return {
    height: top + boxHeight + GAP,
    box: { top, height: boxHeight },
    option: {
      ...baseOption(colours),
      series: [
        {
          type: 'pie',
          center: [RING_X, ringY],
          radius: [INNER, OUTER],
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
      drawTotal(context, picture.total, colours, ringY);
      drawList(context, picture, colours, top + (boxHeight - listHeight) / 2);
    },
  };
};
