import type { SKRSContext2D } from '@napi-rs/canvas';
import { FONT } from './chart-layout.ts';

export interface TextStyle {
  readonly size: number;
  readonly colour: string;
  readonly isBold?: boolean;
  readonly align?: 'left' | 'right' | 'center';
  /** In this colour around the letters, so that they can be read on top of lines. */
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

/** As much of it as fits into `maxWidth`, with a mark where some is missing. */
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

/** Draws one line of text on its baseline; gives how wide it is. */
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
