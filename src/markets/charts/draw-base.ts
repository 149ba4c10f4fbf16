import type { SKRSContext2D } from '@napi-rs/canvas';
import { formatFinancialNumber } from '#src/kernel/money.ts';
import type { CandleParts } from './candle-series.ts';
import type { CandlePicture } from './chart-picture.ts';
import { LEFT, TEXT, WIDTH } from './chart-style.ts';
import { placesIn } from './draw-bars.ts';
import { drawText, textWidth } from './draw-text.ts';

const LABEL = { size: TEXT };

/** `₩1,234,000`, `$0.00000123`, `4,011.5`, `4.125%`. */
export const priceText = (
  value: number,
  picture: CandlePicture,
  decimals = picture.priceDecimals,
): string => {
  const { locale, currency, suffix = '' } = picture;
  const text = formatFinancialNumber(value.toFixed(decimals), {
    locale,
    ...(currency !== undefined && { currency }),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${text}${suffix}`;
};

/** A dashed line at the price that the change is measured from, with its name. */
export const drawBase = (context: SKRSContext2D, parts: CandleParts): void => {
  const { picture, colours, right } = parts;
  if (!picture.base) return;
  const { price, name } = picture.base;
  const height = Math.round(placesIn(parts).y(price)) + 0.5;
  context.strokeStyle = colours.muted;
  context.lineWidth = 1.5;
  context.setLineDash([7, 5]);
  context.beginPath();
  context.moveTo(LEFT, height);
  context.lineTo(WIDTH - right, height);
  context.stroke();
  context.setLineDash([]);
  const text = `${name} ${priceText(price, picture)}`;
  const { left, isBelow } = roomOnLine(parts, height, textWidth(context, text, LABEL));
  const style = { ...LABEL, colour: colours.muted, halo: colours.background };
  drawText(context, text, left, height + (isBelow ? 18 : -7), style);
};

/** Where a text on a horizontal line covers the fewest bars: its left end, and whether it stands below the line. */
const roomOnLine = (parts: CandleParts, line: number, width: number) => {
  const { x, y } = placesIn(parts);
  const { bars } = parts.series;
  const boxes = bars.high.map((high, index) => [x(index), y(high), y(bars.low[index] ?? high)] as const);
  const covered = (left: number, top: number): number =>
    boxes.filter(
      ([place, highest, lowest]) =>
        place > left - 4 && place < left + width + 4 && highest < top + TEXT && lowest > top,
    ).length;
  const last = WIDTH - parts.right - width - 4;
  const lefts = Array.from({ length: 12 }, (_, index) => LEFT + 2 + (index * (last - LEFT - 2)) / 11);
  const places = lefts.flatMap((left) =>
    [false, true].map((isBelow) => ({
      left,
      isBelow,
      count: covered(left, isBelow ? line + 5 : line - TEXT - 5),
    })),
  );
  return places.reduce((best, each) => (each.count < best.count ? each : best));
};
