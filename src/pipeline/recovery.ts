import { RunAbortedError } from '#src/core/errors.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { PipelineError } from './errors.ts';

/** A failure as the sender reads it: one sentence in their language, with what to do next. */
export const failureText = (error: unknown, locale: Locale, errorId: string): string => {
  const words = texts(locale);
  if (error instanceof RunAbortedError) {
    return error.kind === 'timeout' ? words.pipelineTimeout({ errorId }) : words.stopped();
  }
  if (error instanceof PipelineError && error.code === 'EXECUTION_FAILED')
    return words.executionFailed({ errorId });
  return words.internalError({ errorId });
};
