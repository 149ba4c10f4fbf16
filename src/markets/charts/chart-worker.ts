import { join } from 'node:path';
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import { init, setPlatformAPI } from 'echarts/dist/echarts.esm.min';
import type { ChartPicture } from './chart-picture.ts';
import { type ChartColours, chartColours, FONT, PIXELS_A_UNIT, WIDTH } from './chart-style.ts';
import { drawAllocation } from './draw-allocation.ts';
import { drawCandles } from './draw-candles.ts';
import { drawComparison } from './draw-comparison.ts';
import { drawHead, layoutHead } from './draw-head.ts';
import { type Drawing, drawWatermark } from './draw-text.ts';
import { drawValue } from './draw-value.ts';
import { encodePng } from './encode-png.ts';
import { chartTexts } from './texts.ts';
import { serveDrawings } from './drawing-process.ts';

/** Registers both weights as one family. */
const registerFonts = (): void => {
  for (const weight of ['Regular', 'Bold']) {
    const path = join(import.meta.dirname, 'fonts', `Pretendard-${weight}.otf`);
    if (!GlobalFonts.registerFromPath(path, FONT)) throw new Error(`The font ${path} could not be read`);
  }
};

/** echarts needs a canvas to measure text. */
const provideCanvas = (): void => setPlatformAPI({ createCanvas: () => createCanvas(1, 1) as never });

const drawingOf = (
  picture: ChartPicture,
  colours: ChartColours,
  measure: SKRSContext2D,
  top: number,
): Drawing => {
  if (picture.kind === 'candles') return drawCandles(picture, colours, measure, top);
  if (picture.kind === 'comparison') return drawComparison(picture, colours, measure, top);
  return picture.kind === 'allocation'
    ? drawAllocation(picture, colours, top)
    : drawValue(picture, colours, measure, top);
};

const draw = (picture: ChartPicture): Uint8Array => {
  const colours = chartColours(picture.theme, picture.locale);
  const measure = createCanvas(1, 1).getContext('2d');
  const head = layoutHead(measure, picture.head);
  const { height, option, box, drawOver } = drawingOf(picture, colours, measure, head.bottom);
  const [width, pixelHeight] = [WIDTH * PIXELS_A_UNIT, height * PIXELS_A_UNIT];
  const canvas = createCanvas(width, pixelHeight);
  const devicePixelRatio = PIXELS_A_UNIT;
  const chart = init(canvas, null, { renderer: 'canvas', width: WIDTH, height, devicePixelRatio });
  try {
    const context = canvas.getContext('2d');
    chart.setOption(option);
    chart.getZr().flush();
    context.setTransform(PIXELS_A_UNIT, 0, 0, PIXELS_A_UNIT, 0, 0);
    if (picture.isSample) drawWatermark(context, chartTexts(picture.locale).watermark, box, colours);
    drawHead(context, head, colours);
    drawOver(chart, context);
    return encodePng(canvas.data(), width, pixelHeight);
  } finally {
    chart.dispose();
    // Frees the pixels at once: to the garbage collector, which comes later, they look small.
    canvas.width = 1;
    canvas.height = 1;
  }
};

if (import.meta.main) {
  registerFonts();
  provideCanvas();
  serveDrawings(draw);
}
