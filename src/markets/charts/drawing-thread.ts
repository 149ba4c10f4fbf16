import { Worker } from 'node:worker_threads';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Clock } from '#src/platform/clock.ts';
import { FairShares } from '#src/platform/fair-shares.ts';

/** `CHART_BUSY`: the queue is full. Other codes concern only this chart. */
type ChartErrorCode = 'CHART_BUSY' | 'CHART_TIMEOUT' | 'CHART_FAILED' | 'CHART_STOPPED';

export class ChartError extends FinClawError {
  override readonly name = 'ChartError';
  override readonly code: ChartErrorCode;

  constructor(code: ChartErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, code, { statusCode: 503, ...(options.cause ? { cause: options.cause } : {}) });
    this.code = code;
  }
}

/** Messages to and from the worker thread. */
export interface DrawingRequest<Job> {
  readonly id: number;
  readonly job: Job;
}

export type DrawingReport =
  | { readonly id: number; readonly status: 'drawn'; readonly png: Uint8Array }
  | { readonly id: number; readonly status: 'failed'; readonly reason: string };

interface DrawingThreadDeps {
  /** The worker script. */
  readonly script: URL;
  readonly clock: Pick<Clock, 'after'>;
  /** Timer for ending an idle thread, which must not keep the process alive. */
  readonly afterIdle?: Clock['after'];
}

/** Runs one job at a time; owners take turns, each in order of arrival. */
export interface DrawingThread<Job> {
  /** Rejects with a `ChartError` or the signal's reason. */
  readonly draw: (job: Job, owner: string, signal: AbortSignal) => Promise<Uint8Array>;
  /** True while the thread exists and holds memory. */
  readonly isRunning: () => boolean;
  /** Ends the thread and rejects waiting and later jobs. */
  readonly stop: () => Promise<void>;
}

interface Waiting<Job> {
  readonly job: Job;
  readonly owner: string;
  readonly resolve: (png: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

export const MAX_WAITING = 40;
/** As many as one turn requests at once. */
export const MAX_WAITING_PER_OWNER = 8;
export const JOB_TIMEOUT_MS = 10_000;
export const IDLE_MS = 60_000;
/** Ten times what a chart needs. */
const MAX_HEAP_MB = 192;

const afterUnref: Clock['after'] = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

const startWorker = (script: URL): Worker => {
  const cache = process.env['NODE_COMPILE_CACHE'];
  return new Worker(script, {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
    // The thread gets no settings and no secrets, and uses its own fonts.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1', ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    execArgv: [],
    // Discards library output. Reading it would keep the process alive.
    stdout: true,
    stderr: true,
  });
};

/**
 * Starts a thread on the first job and ends it after a minute without jobs. A job that times out or crashes the
 * thread fails alone; the next one gets a new thread.
 */
export const createDrawingThread = <Job>(deps: DrawingThreadDeps): DrawingThread<Job> => {
  const { script, clock, afterIdle = afterUnref } = deps;
  let worker: Worker | undefined;
  const waiting = new Set<Waiting<Job>>();
  const shares = new FairShares<Waiting<Job>>();
  let endRunning: ((outcome: DrawingReport | ChartError) => void) | undefined;
  let cancelIdle: (() => void) | undefined;
  let isStopped = false;
  let lastId = 0;

  const drop = (): Promise<unknown> => {
    const ended = worker;
    worker = undefined;
    cancelIdle?.();
    return ended?.terminate() ?? Promise.resolve();
  };

  const running = (): Worker => {
    if (worker) return worker;
    const started = startWorker(script);
    // Ignores events of an abandoned thread.
    const lost = (cause?: unknown): void => {
      if (worker !== started) return;
      void drop();
      endRunning?.(new ChartError('CHART_FAILED', 'The drawing thread ended', { cause }));
    };
    started.on('message', (report: DrawingReport) => {
      if (worker === started) endRunning?.(report);
    });
    started.on('error', lost);
    started.on('exit', () => lost());
    // Must come last: adding listeners refs the thread again.
    started.unref();
    worker = started;
    return started;
  };

  const next = (): void => {
    if (endRunning || isStopped) return;
    const first = shares.next();
    if (!first) {
      if (worker) cancelIdle = afterIdle(IDLE_MS, () => void drop());
      return;
    }
    waiting.delete(first);
    cancelIdle?.();
    lastId += 1;
    const id = lastId;
    const cancelDeadline = clock.after(JOB_TIMEOUT_MS, () => {
      void drop();
      endRunning?.(new ChartError('CHART_TIMEOUT', `Drawing took longer than ${JOB_TIMEOUT_MS} ms`));
    });
    endRunning = (outcome) => {
      if (!(outcome instanceof ChartError) && outcome.id !== id) return;
      endRunning = undefined;
      shares.release(first.owner);
      cancelDeadline();
      if (outcome instanceof ChartError) first.reject(outcome);
      else if (outcome.status === 'drawn') first.resolve(outcome.png);
      else first.reject(new ChartError('CHART_FAILED', outcome.reason));
      next();
    };
    try {
      running().postMessage({ id, job: first.job } satisfies DrawingRequest<Job>);
    } catch (cause) {
      endRunning(new ChartError('CHART_FAILED', 'The picture could not be handed over', { cause }));
    }
  };

  const draw: DrawingThread<Job>['draw'] = async (job, owner, signal) => {
    signal.throwIfAborted();
    if (isStopped) throw new ChartError('CHART_STOPPED', 'The drawing thread is stopped');
    if (waiting.size >= MAX_WAITING || shares.waitingOf(owner) >= MAX_WAITING_PER_OWNER)
      throw new ChartError('CHART_BUSY', `${waiting.size} charts are waiting already`);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const entry: Waiting<Job> = { job, owner, resolve, reject };
    // A running job finishes unheard; a waiting one is removed.
    const onAbort = (): void => {
      if (waiting.delete(entry)) shares.leave(owner, entry);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    waiting.add(entry);
    shares.wait(owner, entry);
    next();
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };

  return {
    draw,
    isRunning: () => worker !== undefined,
    stop: async () => {
      isStopped = true;
      const refused = new ChartError('CHART_STOPPED', 'The drawing thread is stopped');
      for (const { reject } of waiting) reject(refused);
      waiting.clear();
      const ended = drop();
      endRunning?.(refused);
      await ended;
    },
  };
};
