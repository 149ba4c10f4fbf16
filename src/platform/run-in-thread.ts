import { Worker } from 'node:worker_threads';

export type ThreadOutcome<Report> =
  | { readonly status: 'reported'; readonly report: Report }
  | { readonly status: 'out-of-memory' }
  | { readonly status: 'failed'; readonly error: unknown }
  /** Without a word. */
  | { readonly status: 'ended' };

const YOUNG_HEAP_MB = 16;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * One job for a script that posts one report, in a thread of its own: a file can be made so that its parser runs for
 * ever without a pause, or takes all memory there is. The thread is gone when this settles, and with it what it had
 * loaded. Rejects when the signal aborts, and only then.
 */
export const runInThread = async <Report>(
  script: URL,
  job: unknown,
  { maxHeapMb }: { readonly maxHeapMb: number },
  signal: AbortSignal,
): Promise<ThreadOutcome<Report>> => {
  signal.throwIfAborted();
  const worker = new Worker(script, {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    // It needs no settings and no keys, and what it prints is nobody's business.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await new Promise<ThreadOutcome<Report>>((resolve, reject) => {
      worker.once('message', (report: Report) => resolve({ status: 'reported', report }));
      worker.once('error', (error) =>
        resolve(isOutOfMemory(error) ? { status: 'out-of-memory' } : { status: 'failed', error }),
      );
      worker.once('exit', () => (signal.aborted ? reject(signal.reason) : resolve({ status: 'ended' })));
    });
  } finally {
    signal.removeEventListener('abort', end);
    await worker.terminate();
  }
};
