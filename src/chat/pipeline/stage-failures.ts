import type { Locale } from '#src/kernel/locale.ts';
import { FinClawError, NoAnswerError, RunAbortedError } from '#src/kernel/errors.ts';
import { failureTexts } from '../delivery/texts.ts';
import { PipelineError } from '../delivery/errors.ts';
import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import { retry } from '#src/platform/concurrency/retry.ts';
import type { Uses } from '#src/platform/services.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** "in 40 seconds", in the person's language. */
export const waitText = (waitMs: number, locale: Locale): string => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  if (waitMs < 2 * MINUTE_MS) return format.format(Math.max(1, Math.ceil(waitMs / SECOND_MS)), 'second');
  if (waitMs < 2 * HOUR_MS) return format.format(Math.ceil(waitMs / MINUTE_MS), 'minute');
  return format.format(Math.ceil(waitMs / HOUR_MS), 'hour');
};

/** Finds the `NoAnswerError` within pipeline errors. */
const noAnswerIn = (error: unknown): NoAnswerError | undefined => {
  if (error instanceof NoAnswerError) return error;
  return error instanceof PipelineError ? noAnswerIn(error.cause) : undefined;
};

const MESSAGE_OF_CODE = {
  PIPELINE_TIMEOUT: 'pipelineTimeout',
  LANE_TIMEOUT: 'laneTimeout',
  LANE_QUEUE_FULL: 'laneTimeout',
  LANE_SHARE_TIMEOUT: 'laneShareTimeout',
  EXECUTION_FAILED: 'executionFailed',
  DELIVERY_FAILED: 'deliveryFailed',
  RESTORED: 'restored',
} as const;

const messageKeyOf = (error: unknown) => {
  const isOurs =
    error instanceof PipelineError ||
    (error instanceof FinClawError && (error.code.startsWith('LANE_') || error.code === 'RESTORED'));
  const code = isOurs ? error.code : '';
  return Object.hasOwn(MESSAGE_OF_CODE, code)
    ? MESSAGE_OF_CODE[code as keyof typeof MESSAGE_OF_CODE]
    : 'internalError';
};

/**
 * The message to the sender about a failure. Not for a run that a newer message or a shutdown ended: its sender still gets
 * an answer.
 */
export const failureText = (error: unknown, locale: Locale, errorId: string): string => {
  const t = failureTexts(locale);
  if (error instanceof RunAbortedError && error.kind === 'stopped') return t.stopped();
  if (error instanceof RunAbortedError && error.kind === 'timeout') return t.pipelineTimeout({ errorId });
  const noAnswer = noAnswerIn(error);
  if (!noAnswer) return t[messageKeyOf(error)]({ errorId });
  const wait = noAnswer.retryAfterMs === undefined ? '' : waitText(noAnswer.retryAfterMs, locale);
  return t.noAnswer[noAnswer.reason]({ errorId, wait });
};

/** `recoverable`: worth a retry. `degradable`: the answer does not need the stage. `fatal`: everything else. */
export type ErrorClass = 'recoverable' | 'degradable' | 'fatal';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
/** Serialization failure, deadlock, starting up, and class 08 (connection errors). */
const POSTGRES_TRANSIENT = /^(?:40001|40P01|57P03|08[0-9A-Z]{3})$/;
const BROKEN_CONNECTION: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);
/** The PostgreSQL driver has no code for this error. */
const TERMINATED = /^Connection terminated/;

const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // Extended SQLite codes contain the primary code in their last eight bits.
  const sqlite = typeof errcode === 'number' ? errcode % 256 : undefined;
  if (sqlite === SQLITE_BUSY || sqlite === SQLITE_LOCKED) return true;
  if (typeof code === 'string' && POSTGRES_TRANSIENT.test(code)) return true;
  return BROKEN_CONNECTION.has(code) || TERMINATED.test(error.message);
};

/** The engine and the channels have retried already. */
const isRetriedAlready = (error: unknown): boolean =>
  error instanceof PipelineError && (error.code === 'EXECUTION_FAILED' || error.code === 'DELIVERY_FAILED');

export const errorClassOf = (error: unknown): ErrorClass => {
  if (isRetriedAlready(error)) return 'fatal';
  // Only causes within our own errors: the cause of a failed `fetch` is not about the database.
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
 * Runs one stage. Retries temporary failures of a repeatable stage, and skips a failed stage that the answer does not
 * need. Throws everything else; on abort, the signal's reason.
 */
export const runStageSafely = async <TIn, TOut>(
  stage: PipelineStage<TIn, TOut>,
  input: TIn,
  signal: AbortSignal,
  { clock, logger }: Uses<'clock' | 'logger'>,
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
          logger.warn('A stage failed; retrying', { stage: stage.name, attempt, error }),
      },
      signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!stage.degrade || error instanceof RunAbortedError) throw error;
    logger.warn('A stage failed and is skipped', {
      stage: stage.name,
      errorClass: errorClassOf(error),
      error,
    });
    return StageResult.continue(stage.degrade(input));
  }
};
