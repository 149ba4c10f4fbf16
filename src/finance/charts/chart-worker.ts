import { join } from 'node:path';
import { isMainThread, parentPort } from 'node:worker_threads';
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
// The whole of echarts as one file: 85 ms and 12 MB to load. `echarts/core` with just the parts that are drawn takes
// 700 ms and 80 MB, for without a bundler it reads 500 files; the modules below `lib` taken one by one, 300 ms and
// 40 MB. The smaller ready-made bundles have no candles.
import { init, setPlatformAPI } from 'echarts/dist/echarts.esm.min';
import { errorMessage } from '#src/core/errors.ts';
import { FONT, WIDTH } from './chart-layout.ts';
import type { ChartPicture } from './chart-picture.ts';
import { drawAllocation } from './draw-allocation.ts';
import { drawCandles, type Drawing } from './draw-candles.ts';
import { drawComparison } from './draw-comparison.ts';
import { drawValue } from './draw-value.ts';
import type { DrawingReport, DrawingRequest } from './drawing-thread.ts';
import { encodePng } from './encode-png.ts';

/** The two weights are one family. The library keeps fonts for the whole process: a second thread finds them there. */
const registerFonts = (): void => {
  if (GlobalFonts.has(FONT)) return;
  for (const weight of ['Regular', 'Bold']) {
    const path = join(import.meta.dirname, 'fonts', `Pretendard-${weight}.otf`);
    if (!GlobalFonts.registerFromPath(path, FONT)) throw new Error(`The font ${path} could not be read`);
  }
};

/** What echarts needs of a browser: how wide words are. */
const offerCanvas = (): void => setPlatformAPI({ createCanvas: () => createCanvas(1, 1) as never });

const drawingOf = (picture: ChartPicture, measure: SKRSContext2D): Drawing => {
  if (picture.kind === 'candles') return drawCandles(picture, measure);
  if (picture.kind === 'comparison') return drawComparison(picture, measure);
  return picture.kind === 'allocation' ? drawAllocation(picture) : drawValue(picture);
};

const draw = (picture: ChartPicture): Uint8Array => {
  const measure = createCanvas(1, 1).getContext('2d');
  const { height, paint } = drawingOf(picture, measure);
  const canvas = createCanvas(WIDTH, height);
  const chart = init(canvas, null, {
    renderer: 'canvas',
    width: WIDTH,
    height,
    devicePixelRatio: 1,
  });
  try {
    paint(chart, canvas.getContext('2d'));
    return encodePng(canvas.data(), WIDTH, height);
  } finally {
    chart.dispose();
  }
};

/** A picture that cannot be drawn fails alone: the thread goes on. */
const answer = ({ id, job }: DrawingRequest<ChartPicture>): DrawingReport => {
  try {
    return { id, status: 'drawn', png: draw(job) };
  } catch (error) {
    return { id, status: 'failed', reason: errorMessage(error) };
  }
};

if (!isMainThread) {
  registerFonts();
  offerCanvas();
  parentPort?.on('message', (request: DrawingRequest<ChartPicture>) =>
    parentPort?.postMessage(answer(request), []),
  );
}
