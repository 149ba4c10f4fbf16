import { RunAbortedError } from '#src/core/errors.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { PipelineError } from './errors.ts';

/** A failure as the sender reads it: one sentence in their language, with what to do next. */
export const failureText = (error: unknown, locale: Locale, errorId: string): string => {
  const words = texts(locale);
  if (error instanceof RunAbortedError) {
    return error.kind === 'timeout' ? words.pipelineTimeout({ errorId }) : words.stopped();
  }
  const code = error instanceof PipelineError ? error.code : undefined;
  if (code === 'EXECUTION_FAILED') return words.executionFailed({ errorId });
  if (code === 'DELIVERY_FAILED') return words.deliveryFailed({ errorId });
  return words.internalError({ errorId });
};
