import { errorMessage, RunAbortedError } from '#src/core/errors.ts';
import type { ExecutionAdapter, ExecutionResult } from '#src/core/execution.ts';
import { texts } from '#src/core/i18n.ts';
import { type PipelineStage, StageResult } from '#src/core/stage.ts';
import { extractControlTokens } from '../control-tokens.ts';
import { PipelineError } from '../errors.ts';
import type { Answered, Enriched } from '../flow.ts';

/** Has the engine answer, and acts on the words by which the model steers the delivery. */
export const execute = (deps: { readonly adapter: ExecutionAdapter }): PipelineStage<Enriched, Answered> => ({
  name: 'execute',
  execute: async (input, signal) => {
    input.acknowledgement.modelAtWork();
    let result: ExecutionResult;
    try {
      result = await deps.adapter.execute(input.enriched, signal, () => undefined);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof RunAbortedError) throw cause;
      throw new PipelineError(`No answer: ${errorMessage(cause)}`, 'EXECUTION_FAILED', { cause });
    }

    // The answer comes when the person has decided; until then there is nothing to say.
    if (result.status === 'suspended') return StageResult.suspend('waits for a decision');

    const answer = extractControlTokens(result.content);
    if (answer.tokens.has('NO_REPLY')) return StageResult.skip('the model chose not to reply');
    if (answer.tokens.has('SILENT_REPLY')) return StageResult.skip('silent reply');
    if (answer.tokens.has('HEARTBEAT_OK') && answer.cleanContent === '') return StageResult.skip('heartbeat');

    const words = texts(input.ctx.locale);
    const closing = [
      ...(result.status === 'max_turns' ? [words.maxTurns()] : []),
      ...(result.isCut ? [words.answerCut()] : []),
      ...(answer.tokens.has('ATTACH_DISCLAIMER') ? [words.disclaimer()] : []),
    ];
    const cleanContent = [answer.cleanContent, ...closing].filter((text) => text !== '').join('\n\n');
    return StageResult.continue({ ...input, result, answer: { ...answer, cleanContent } });
  },
});
