import { isMainThread, parentPort } from 'node:worker_threads';
import type { DrawingReport, DrawingRequest } from '#src/markets/charts/drawing-thread.ts';

/** A drawing thread that behaves as the job says. */
export type Order = `draw ${string}` | 'fail' | 'crash' | 'hang';

const obey = ({ id, job }: DrawingRequest<Order>): DrawingReport => {
  if (job === 'fail') return { id, status: 'failed', reason: 'no such colour' };
  if (job === 'crash') throw new Error('out of paint');
  // Blocks forever.
  if (job === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { id, status: 'drawn', png: Buffer.from(job) };
};

if (!isMainThread)
  parentPort?.on('message', (request: DrawingRequest<Order>) => parentPort?.postMessage(obey(request), []));
