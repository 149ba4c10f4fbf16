import { errorMessage, RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionAdapter, ExecutionEvent, ExecutionResult } from '#src/kernel/execution.ts';
import { failureMessages } from '../reply/messages.ts';
import { modelMessages } from '#src/kernel/messages/models.ts';
import { marketNoteMessages } from '#src/kernel/messages/market-notes.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/stage.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { Acknowledgement } from '../reply/acknowledgement.ts';
import type { AttachQuotes } from '../reply/attach-quotes.ts';
import { createTokenScanner, extractControlTokens, type Scanned } from '../reply/control-tokens.ts';
import { PipelineError } from '../reply/errors.ts';
import type { Answered, Enriched } from './stage-types.ts';
import { type LiveAnswers, liveEndAfter, type LiveView } from '../reply/live-answers.ts';

export interface ExecuteDeps {
  readonly adapter: ExecutionAdapter;
  /** From now on the sender need not address the bot to be heard. */
  readonly awaitInput: (ctx: MsgContext) => Promise<void>;
  readonly attachQuotes: AttachQuotes;
  /** Shows the answer while it is made. Left out: the person sees it when it is there. */
  readonly live?: Pick<LiveAnswers, 'begin'>;
  readonly logger: FinClawLogger;
}

/** Hears a sign of life in an answer that is still being written. */
const listenFor = (acknowledgement: Acknowledgement): ((event: ExecutionEvent) => void) => {
  const scanner = createTokenScanner();
  const hear = ({ tokens }: Scanned): void => {
    if (tokens.includes('HEARTBEAT_OK')) acknowledgement.heartbeat();
  };
  return (event) => {
    if (event.type === 'text_delta') hear(scanner.feed(event.delta));
    if (event.type === 'message_complete') hear(scanner.flush());
    if (event.type === 'text_reset') scanner.reset();
  };
};

const UNSEEN: LiveView = { onEvent: () => undefined, end: async () => undefined };

/** Has the engine answer, and acts on the words by which the model steers the delivery. */
export const execute = (deps: ExecuteDeps): PipelineStage<Enriched, Answered> => {
  const run = async (input: Enriched, view: LiveView, signal: AbortSignal): Promise<ExecutionResult> => {
    const listen = listenFor(input.acknowledgement);
    try {
      return await deps.adapter.execute(input.enriched, signal, (event) => {
        listen(event);
        view.onEvent(event);
      });
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof RunAbortedError) throw cause;
      throw new PipelineError(`No answer: ${errorMessage(cause)}`, 'EXECUTION_FAILED', { cause });
    }
  };

  /** In a direct chat every message is heard anyway. */
  const awaitInput = async (ctx: MsgContext): Promise<void> => {
    if (ctx.chatType === 'direct') return;
    try {
      await deps.awaitInput(ctx);
    } catch (error) {
      deps.logger.warn('The reply to a question has to address the bot', { inboxId: ctx.inboxId, error });
    }
  };

  const answerTo = async (
    input: Enriched,
    view: LiveView,
    signal: AbortSignal,
  ): Promise<StageResult<Answered>> => {
    const { ctx } = input;
    input.acknowledgement.modelAtWork();
    const result = await run(input, view, signal);

    // The answer comes when the person has decided; until then there is nothing to say.
    if (result.status === 'suspended') return StageResult.suspend('waits for a decision');

    const answer = extractControlTokens(result.content);
    if (answer.hasNoReply) return StageResult.skip('the model chose not to reply');
    if (answer.hasSilentReply) {
      const { sessionKey, inboxId } = ctx;
      // Never the words: a deletion of the person's data does not reach the log.
      deps.logger.info('The model replied silently', {
        sessionKey,
        inboxId,
        chars: answer.cleanContent.length,
      });
      return StageResult.skip('silent reply');
    }
    if (answer.hasHeartbeat && answer.cleanContent === '' && !answer.needsQuote)
      return StageResult.skip('heartbeat');

    const quoted = answer.needsQuote
      ? await deps.attachQuotes(answer.cleanContent, result.facts, ctx, signal)
      : undefined;
    const { text, facts } = quoted ?? { text: answer.cleanContent, facts: result.facts };
    // Before the question is asked: the reply to it may come at once.
    if (answer.needsInput) await awaitInput(ctx);

    const closing = [
      ...(result.status === 'max_turns' ? [failureMessages(ctx.locale).maxTurns()] : []),
      ...(result.isCut ? [failureMessages(ctx.locale).answerCut()] : []),
      // Said by the bot, not by the model: it may not know whose place it takes.
      ...(result.standIn ? [modelMessages(ctx.locale).standIn(result.standIn)] : []),
      ...(answer.needsDisclaimer ? [marketNoteMessages(ctx.locale).disclaimer()] : []),
    ];
    const closed = (body: string): string => [body, ...closing].filter((part) => part !== '').join('\n\n');
    const cleanContent = closed(text);
    const cards = quoted?.cards && { items: quoted.cards, text: closed(answer.cleanContent) };
    return StageResult.continue({
      ...input,
      result: { ...result, facts },
      answer: { ...answer, cleanContent },
      ...(cards && { cards }),
    });
  };

  return {
    name: 'execute',
    execute: async (input, signal) => {
      const view = deps.live?.begin(input.ctx, input.channel, signal) ?? UNSEEN;
      try {
        const result = await answerTo(input, view, signal);
        await view.end(result.action === 'continue' ? 'replaced' : 'dropped');
        return result;
      } catch (error) {
        // Where the run was ended from outside, it has ended by itself already.
        await view.end(liveEndAfter(error));
        throw error;
      }
    },
  };
};
