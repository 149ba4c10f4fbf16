import { FinClawError, RunAbortedError } from '#src/kernel/errors.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { retry } from '#src/platform/retry.ts';
import { PipelineError } from '../reply/errors.ts';

/** `recoverable`: gone in a moment. `degradable`: the answer can be made without it. `fatal`: all else. */
export type ErrorClass = 'recoverable' | 'degradable' | 'fatal';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
/** Serialization failure, deadlock, not ready yet; the class 08 is about connections. */
const POSTGRES_PASSING = /^(?:40001|40P01|57P03|08[0-9A-Z]{3})$/;
const BROKEN_CONNECTION: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);
/** The driver of PostgreSQL has no code for it. */
const TERMINATED = /^Connection terminated/;

const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // Extended codes of SQLite have the plain one in their last eight bits.
  const sqlite = typeof errcode === 'number' ? errcode % 256 : undefined;
  if (sqlite === SQLITE_BUSY || sqlite === SQLITE_LOCKED) return true;
  if (typeof code === 'string' && POSTGRES_PASSING.test(code)) return true;
  return BROKEN_CONNECTION.has(code) || TERMINATED.test(error.message);
};

/** The engine and the platforms have retried already what was worth it. */
const isRetriedAlready = (error: unknown): boolean =>
  error instanceof PipelineError && (error.code === 'EXECUTION_FAILED' || error.code === 'DELIVERY_FAILED');

export const errorClassOf = (error: unknown): ErrorClass => {
  if (isRetriedAlready(error)) return 'fatal';
  // Only through our own wrapping: what a failed `fetch` has inside is not about the database.
  for (
    let inner = error;
    inner !== undefined;
    inner = inner instanceof FinClawError ? inner.cause : undefined
  )
    if (isPassing(inner)) return 'recoverable';
  return error instanceof PipelineError && error.code === 'CONTEXT_BUILD_FAILED' ? 'degradable' : 'fatal';
};

const ATTEMPTS = 3;
const BACKOFF = { minDelayMs: 50, maxDelayMs: 500 };

/**
 * Runs one stage. What passes in a moment is tried again where that is safe; a stage that the answer does not need
 * is left out. Throws what remains, and on abort the signal's reason.
 */
export const runStageSafely = async <TIn, TOut>(
  stage: PipelineStage<TIn, TOut>,
  input: TIn,
  signal: AbortSignal,
  { clock, logger }: { readonly clock: Clock; readonly logger: FinClawLogger },
): Promise<StageResult<TOut>> => {
  try {
    return await retry(
      () => stage.execute(input, signal),
      {
        ...BACKOFF,
        clock,
        maxAttempts: stage.isRepeatable ? ATTEMPTS : 1,
        shouldRetry: (error) => errorClassOf(error) === 'recoverable',
        onRetry: (error, attempt) =>
          logger.warn('A stage is tried again', { stage: stage.name, attempt, error }),
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!stage.degrade || error instanceof RunAbortedError) throw error;
    logger.warn('A stage failed and is left out', {
      stage: stage.name,
      errorClass: errorClassOf(error),
      error,
    });
    return StageResult.continue(stage.degrade(input));
  }
};
