import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import type { Socket } from 'node:net';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { FairShares } from '#src/platform/concurrency/fair-shares.ts';

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

interface DrawingRequest<Job> {
  readonly id: number;
  readonly job: Job;
}

type DrawingReport =
  | { readonly id: number; readonly status: 'drawn'; readonly png: Uint8Array }
  | { readonly id: number; readonly status: 'failed'; readonly reason: string };

interface DrawingProcessDeps {
  /** What the process runs. */
  readonly script: URL;
  readonly clock: Pick<Clock, 'after'>;
  /** Timer for ending an idle process, which must not keep the bot alive. */
  readonly afterIdle?: Clock['after'];
}

/** Runs one job at a time; owners take turns, each in order of arrival. */
export interface DrawingProcess<Job> {
  /** Rejects with a `ChartError` or the signal's reason. */
  readonly draw: (job: Job, owner: string, signal: AbortSignal) => Promise<Uint8Array>;
  /** True while the process exists and holds memory. */
  readonly isRunning: () => boolean;
  /** Ends the process and rejects waiting and later jobs. */
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
const MAX_SEMI_SPACE_MB = 8;
/** The reason stands at the beginning; stacks and addresses follow. */
const MAX_WORDS = 1_000;

const afterUnref: Clock['after'] = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

const startProcess = (script: URL): ChildProcess => {
  const cache = process.env['NODE_COMPILE_CACHE'];
  const started = fork(script, {
    // Bytes arrive as bytes.
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`, `--max-semi-space-size=${MAX_SEMI_SPACE_MB}`],
    // The process gets no settings and no secrets, and uses its own fonts.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1', ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C in the terminal is for the bot alone, which may still be finishing an answer.
    detached: true,
  });
  started.unref();
  started.channel?.unref();
  (started.stderr as Socket | null)?.unref();
  return started;
};

/** Why a process ended by itself: what it wrote, such as that a native library cannot be loaded, and how it ended. */
const watchEnd = (started: ChildProcess, ended: (cause: unknown) => void): void => {
  let words = '';
  started.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = `${words}${text}`.slice(0, MAX_WORDS);
  });
  started.on('error', ended);
  started.on('close', (code, signal) =>
    ended(new Error(`${signal ?? `exit code ${code}`}: ${words.trim()}`)),
  );
};

/**
 * Starts a process on the first job and ends it after a minute without jobs. A job that times out or crashes the process
 * fails alone; the next one gets a new process. It is no thread, because the native canvas may crash when a thread is
 * ended, and would take the bot with it.
 */
export const createDrawingProcess = <Job>(deps: DrawingProcessDeps): DrawingProcess<Job> => {
  const { script, clock, afterIdle = afterUnref } = deps;
  let drawer: ChildProcess | undefined;
  const waiting = new Set<Waiting<Job>>();
  const shares = new FairShares<Waiting<Job>>();
  let endRunning: ((outcome: DrawingReport | ChartError) => void) | undefined;
  let cancelIdle: (() => void) | undefined;
  let isStopped = false;
  let lastId = 0;

  const drop = (): ChildProcess | undefined => {
    const ended = drawer;
    drawer = undefined;
    cancelIdle?.();
    ended?.kill('SIGKILL');
    return ended;
  };

  const running = (): ChildProcess => {
    if (drawer) return drawer;
    const started = startProcess(script);
    // Ignores events of an abandoned process.
    watchEnd(started, (cause) => {
      if (drawer !== started) return;
      drop();
      endRunning?.(new ChartError('CHART_FAILED', 'The drawing process ended', { cause }));
    });
    started.on('message', (report: DrawingReport) => {
      if (drawer === started) endRunning?.(report);
    });
    drawer = started;
    return started;
  };

  const next = (): void => {
    if (endRunning || isStopped) return;
    const first = shares.next();
    if (!first) {
      if (drawer) cancelIdle = afterIdle(IDLE_MS, () => drop());
      return;
    }
    waiting.delete(first);
    cancelIdle?.();
    lastId += 1;
    const id = lastId;
    const cancelDeadline = clock.after(JOB_TIMEOUT_MS, () => {
      drop();
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
      running().send({ id, job: first.job } satisfies DrawingRequest<Job>);
    } catch (cause) {
      endRunning(new ChartError('CHART_FAILED', 'The picture could not be handed over', { cause }));
    }
  };

  const draw: DrawingProcess<Job>['draw'] = async (job, owner, signal) => {
    signal.throwIfAborted();
    if (isStopped) throw new ChartError('CHART_STOPPED', 'The drawing process is stopped');
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
    isRunning: () => drawer !== undefined,
    stop: async () => {
      isStopped = true;
      const refused = new ChartError('CHART_STOPPED', 'The drawing process is stopped');
      for (const { reject } of waiting) reject(refused);
      waiting.clear();
      const ended = drop();
      endRunning?.(refused);
      const isEnding = ended?.pid !== undefined && ended.exitCode === null && ended.signalCode === null;
      if (isEnding) await once(ended, 'exit');
    },
  };
};

/** The other side: draws in the process that was started for it, until the bot ends it or has ended itself. */
export const serveDrawings = <Job>(draw: (job: Job) => Uint8Array): void => {
  const report = ({ id, job }: DrawingRequest<Job>): DrawingReport => {
    try {
      return { id, status: 'drawn', png: draw(job) };
    } catch (error) {
      return { id, status: 'failed', reason: errorMessage(error) };
    }
  };
  // A service manager sends it to all processes, but the bot first finishes what it is doing.
  process.on('SIGTERM', () => undefined);
  process.on('disconnect', () => process.exit());
  process.on('message', (request: DrawingRequest<Job>) => {
    // Node writes it at the end of a process, but this one is killed.
    process.send?.(report(request), () => flushCompileCache());
  });
};
