import { FinClawError, NoAnswerError, RunAbortedError } from '#src/kernel/errors.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { failureMessages } from '../reply/messages.ts';
import { PipelineError } from '../reply/errors.ts';
import { waitText } from '../reply/wait-text.ts';

/** Why the engine had no answer, whoever wrapped it. */
const noAnswerIn = (error: unknown): NoAnswerError | undefined => {
  if (error instanceof NoAnswerError) return error;
  return error instanceof PipelineError ? noAnswerIn(error.cause) : undefined;
};

/** Codes of a question that had no turn. */
const LANE_CODES: ReadonlySet<string> = new Set(['LANE_TIMEOUT', 'LANE_SHARE_TIMEOUT', 'LANE_QUEUE_FULL']);

const codeOf = (error: unknown): string | undefined => {
  const isKnown =
    error instanceof PipelineError || (error instanceof FinClawError && LANE_CODES.has(error.code));
  return isKnown ? error.code : undefined;
};

/**
 * A failure as the sender reads it: one sentence in their language, with what to do next. Not for a run that a
 * newer message or a shutdown ended: nobody is told of those, for an answer still comes.
 */
export const failureText = (error: unknown, locale: Locale, errorId: string): string => {
  if (error instanceof RunAbortedError && error.kind === 'stopped') return failureMessages(locale).stopped();
  if (error instanceof RunAbortedError && error.kind === 'timeout')
    return failureMessages(locale).pipelineTimeout({ errorId });
  const noAnswer = noAnswerIn(error);
  if (noAnswer) {
    const wait = noAnswer.retryAfterMs === undefined ? '' : waitText(noAnswer.retryAfterMs, locale);
    return failureMessages(locale).noAnswer[noAnswer.reason]({ errorId, wait });
  }
  const code = codeOf(error);
  if (code === 'PIPELINE_TIMEOUT') return failureMessages(locale).pipelineTimeout({ errorId });
  if (code === 'LANE_SHARE_TIMEOUT') return failureMessages(locale).laneShareTimeout({ errorId });
  if (code === 'LANE_TIMEOUT' || code === 'LANE_QUEUE_FULL')
    return failureMessages(locale).laneTimeout({ errorId });
  if (code === 'EXECUTION_FAILED') return failureMessages(locale).executionFailed({ errorId });
  if (code === 'DELIVERY_FAILED') return failureMessages(locale).deliveryFailed({ errorId });
  return failureMessages(locale).internalError({ errorId });
};
