import type { SKRSContext2D } from '@napi-rs/canvas';
import { barWidth, type CandleParts } from './candle-series.ts';
import { type Box, LEFT, PIXELS_A_UNIT, WIDTH } from './chart-style.ts';

/** Candles from this width on have room for a wick of a whole unit. */
const WIDE = 3;
const VOLUME_OPACITY = 0.5;
const AREA_OPACITY = 0.1;
const AVERAGE_WIDTH = 1.5;
const CLOSE_WIDTH = 2;

/** Places in the picture, the same as those of the axes. */
type Places = ReturnType<typeof placesIn>;

export const placesIn = ({ series, layout, scale, project, right }: CandleParts) => {
  const band = (WIDTH - LEFT - right) / series.bars.times.length;
  const [from, to] = [project(scale.min), project(scale.max)];
  const { top, height } = layout.price;
  return {
    x: (index: number): number => LEFT + (index + 0.5) * band,
    y: (price: number): number => top + height * (1 - (project(price) - from) / (to - from)),
  };
};

/** On whole pixels, edges are sharp. */
const sharp = (place: number): number => Math.round(place * PIXELS_A_UNIT) / PIXELS_A_UNIT;

/** Fills the rectangles of rising bars at once, then those of falling ones. */
const fillBars = (
  context: SKRSContext2D,
  { series: { isUp }, colours }: CandleParts,
  addBar: (index: number) => void,
): void => {
  for (const isRising of [true, false]) {
    context.fillStyle = isRising ? colours.tones.up : colours.tones.down;
    context.beginPath();
    for (const [index, each] of isUp.entries()) if (each === isRising) addBar(index);
    context.fill();
  }
};

const drawCandles = (context: SKRSContext2D, parts: CandleParts, { x, y }: Places): void => {
  const { open, high, low, close } = parts.series.bars;
  const room = barWidth(parts);
  const wick = room >= WIDE ? 1 : 1 / PIXELS_A_UNIT;
  // As many pixels on both sides of the wick.
  const width = wick + Math.round(room - wick);
  fillBars(context, parts, (index) => {
    const left = sharp(x(index) - width / 2);
    const places = [high, open, close, low].map((prices) => sharp(y(prices[index] ?? 0)));
    const [top = 0, first = 0, second = 0, bottom = 0] = places;
    context.rect(left, Math.min(first, second), width, Math.max(Math.abs(first - second), wick));
    context.rect(left + (width - wick) / 2, top, wick, bottom - top);
  });
};

const traceLine = (context: SKRSContext2D, values: readonly (number | null)[], { x, y }: Places): void => {
  let isDrawing = false;
  context.beginPath();
  for (const [index, value] of values.entries()) {
    if (value !== null && isDrawing) context.lineTo(x(index), y(value));
    else if (value !== null) context.moveTo(x(index), y(value));
    isDrawing = value !== null;
  }
};

const strokeLine = (
  context: SKRSContext2D,
  values: readonly (number | null)[],
  places: Places,
  colour: string,
  width: number,
): void => {
  traceLine(context, values, places);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
};

const drawCloses = (
  context: SKRSContext2D,
  parts: CandleParts,
  places: Places,
  { top, height }: Box,
): void => {
  const { close } = parts.series.bars;
  const { tone } = parts;
  traceLine(context, close, places);
  context.lineTo(places.x(close.length - 1), top + height);
  context.lineTo(places.x(0), top + height);
  context.globalAlpha = AREA_OPACITY;
  context.fillStyle = tone;
  context.fill();
  context.globalAlpha = 1;
  strokeLine(context, close, places, tone, CLOSE_WIDTH);
  if (close.length > 1) return;
  // A single point has no line.
  context.beginPath();
  context.arc(places.x(0), places.y(close[0] ?? 0), CLOSE_WIDTH * 2, 0, 2 * Math.PI);
  context.fill();
};

const drawVolume = (
  context: SKRSContext2D,
  parts: CandleParts,
  { x }: Places,
  box: Box,
  max: number,
): void => {
  const { volume } = parts.series.bars;
  const width = barWidth(parts);
  context.globalAlpha = VOLUME_OPACITY;
  fillBars(context, parts, (index) => {
    const height = ((volume[index] ?? 0) / max) * box.height;
    context.rect(sharp(x(index) - width / 2), box.top + box.height - height, sharp(width), height);
  });
  context.globalAlpha = 1;
};

/**
 * Draws candles or a line, averages and volume. With echarts each bar is an element of its own, which takes forty
 * milliseconds for a year; here all of a colour are one path.
 */
export const drawBars = (context: SKRSContext2D, parts: CandleParts, maxVolume: number): void => {
  const { picture, series, layout, colours, right } = parts;
  const places = placesIn(parts);
  context.save();
  context.lineJoin = 'round';
  // Averages may leave the scale.
  context.beginPath();
  context.rect(LEFT, layout.price.top, WIDTH - LEFT - right, layout.price.height);
  context.clip();
  if (picture.shape === 'line') drawCloses(context, parts, places, layout.price);
  else drawCandles(context, parts, places);
  for (const [index, { values }] of series.averages.entries()) {
    // On a logarithmic axis only prices above zero have a place, and averages of such are above zero.
    strokeLine(context, values, places, colours.averages[index] ?? colours.muted, AVERAGE_WIDTH);
  }
  context.restore();
  if (layout.volume) drawVolume(context, parts, places, layout.volume, maxVolume);
};
