import { Worker } from 'node:worker_threads';

export type ThreadOutcome<Report> =
  | { readonly status: 'reported'; readonly report: Report }
  | { readonly status: 'out-of-memory' }
  | { readonly status: 'failed'; readonly error: unknown }
  /** The thread ended without a report. */
  | { readonly status: 'ended' };

const YOUNG_HEAP_MB = 16;

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/**
 * Runs a script that posts one report in its own thread, because a hostile file can make its parser run for ever or use
 * all memory. The thread, with everything it loaded, is gone when this settles. Rejects only when the signal aborts.
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
    // The script needs no settings or keys, and its output is not shown.
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
