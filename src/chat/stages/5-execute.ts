import { errorMessage, RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionAdapter, ExecutionEvent, ExecutionResult } from '#src/kernel/execution.ts';
import { failureMessages } from '../reply/messages.ts';
import { modelMessages } from '#src/kernel/messages/models.ts';
import { marketNoteMessages } from '#src/kernel/messages/market-notes.ts';
import { voiceMessages } from '#src/kernel/messages/voice.ts';
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
  /** Lets the sender answer without a mention for a while. */
  readonly awaitInput: (ctx: MsgContext) => Promise<void>;
  readonly attachQuotes: AttachQuotes;
  /** Shows the answer while it is generated. */
  readonly live?: Pick<LiveAnswers, 'begin'>;
  readonly logger: FinClawLogger;
}

/** Extends the typing indicator on heartbeat tokens in the streamed answer. */
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

const NO_VIEW: LiveView = { onEvent: () => undefined, end: async () => undefined };

/** Runs the engine and acts on the control tokens in its answer. */
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

  /** Direct chats need no mention anyway. */
  const awaitInput = async (ctx: MsgContext): Promise<void> => {
    if (ctx.chatType === 'direct') return;
    try {
      await deps.awaitInput(ctx);
    } catch (error) {
      deps.logger.warn('The answer to a question will need a mention', { inboxId: ctx.inboxId, error });
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

    // The answer follows after the person's decision.
    if (result.status === 'suspended') return StageResult.suspend('waits for a decision');

    const answer = extractControlTokens(result.content);
    if (answer.hasNoReply) return StageResult.skip('the model chose not to reply');
    if (answer.hasSilentReply) {
      const { sessionKey, inboxId } = ctx;
      // The text is not logged, because `/privacy delete` does not clear the log.
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
    const { controls: found, ...made } = result;
    const controls = quoted && !result.media ? quoted.controls : found;
    // Before the question is sent, because the reply may come at once.
    if (answer.needsInput) await awaitInput(ctx);

    const closing = [
      ...(result.status === 'max_turns' ? [failureMessages(ctx.locale).maxTurns()] : []),
      ...(result.isCut ? [failureMessages(ctx.locale).answerCut()] : []),
      // Added by the program: the model does not know that it is a fallback.
      ...(result.standIn ? [modelMessages(ctx.locale).standIn(result.standIn)] : []),
      ...(answer.needsDisclaimer ? [marketNoteMessages(ctx.locale).disclaimer()] : []),
    ];
    // The person sees first what was understood.
    const heard = ctx.heard === undefined ? [] : [voiceMessages(ctx.locale).heard({ words: ctx.heard })];
    const closed = (body: string): string =>
      [...heard, body, ...closing].filter((part) => part !== '').join('\n\n');
    const cleanContent = closed(text);
    const cards = quoted?.cards && { items: quoted.cards, text: closed(answer.cleanContent) };
    return StageResult.continue({
      ...input,
      result: { ...made, facts, ...(controls && { controls }) },
      answer: { ...answer, cleanContent },
      ...(cards && { cards }),
    });
  };

  return {
    name: 'execute',
    execute: async (input, signal) => {
      const view = deps.live?.begin(input.ctx, input.channel, signal) ?? NO_VIEW;
      try {
        const result = await answerTo(input, view, signal);
        await view.end(result.action === 'continue' ? 'replaced' : 'dropped');
        return result;
      } catch (error) {
        // On abort the view has already ended by itself.
        await view.end(liveEndAfter(error));
        throw error;
      }
    },
  };
};
