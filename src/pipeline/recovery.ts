import { NoAnswerError, RunAbortedError } from '#src/core/errors.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { PipelineError } from './errors.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** "in 40 seconds", in the person's language. */
const waitText = (waitMs: number, locale: Locale): string => {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  if (waitMs < 2 * MINUTE_MS) return format.format(Math.max(1, Math.ceil(waitMs / SECOND_MS)), 'second');
  if (waitMs < 2 * HOUR_MS) return format.format(Math.ceil(waitMs / MINUTE_MS), 'minute');
  return format.format(Math.ceil(waitMs / HOUR_MS), 'hour');
};

/** A failure as the sender reads it: one sentence in their language, with what to do next. */
export const failureText = (error: unknown, locale: Locale, errorId: string): string => {
  const words = texts(locale);
  if (error instanceof RunAbortedError) {
    return error.kind === 'timeout' ? words.pipelineTimeout({ errorId }) : words.stopped();
  }
  const cause = error instanceof PipelineError ? error.cause : undefined;
  if (cause instanceof NoAnswerError) {
    const wait = cause.retryAfterMs === undefined ? '' : waitText(cause.retryAfterMs, locale);
    return words.noAnswer[cause.reason]({ errorId, wait });
  }
  const code = error instanceof PipelineError ? error.code : undefined;
  if (code === 'EXECUTION_FAILED') return words.executionFailed({ errorId });
  if (code === 'DELIVERY_FAILED') return words.deliveryFailed({ errorId });
  return words.internalError({ errorId });
};
