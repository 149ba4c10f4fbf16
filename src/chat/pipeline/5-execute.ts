import { LRUCache } from 'lru-cache';
import { errorMessage, RunAbortedError } from '#src/kernel/errors.ts';
import type { ExecutionAdapter, ExecutionResult } from '#src/kernel/agent/execution.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { failureTexts } from '../delivery/texts.ts';
import { modelTexts } from '#src/kernel/agent/texts/models.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { voiceTexts } from '#src/kernel/chat/texts/voice.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { type PipelineStage, StageResult } from '#src/kernel/chat/stage.ts';
import type { Uses } from '#src/platform/services.ts';
import { displayed, withQuotes } from '../delivery/answer-display.ts';
import type { AttachQuotes } from '../delivery/attach-quotes.ts';
import { extractControlTokens } from '../delivery/control-tokens.ts';
import { PipelineError } from '../delivery/errors.ts';
import type { Answered, Enriched } from './stage-types.ts';
import { type LiveAnswers, liveEndAfter, type LiveView } from '../delivery/live-answers.ts';

export interface ExecuteDeps extends Uses<'budget.used' | 'logger'> {
  readonly adapter: ExecutionAdapter;
  /** Lets the sender answer without a mention for a while. */
  readonly awaitInput: (ctx: TurnContext) => Promise<void>;
  readonly attachQuotes: AttachQuotes;
  /** Shows the answer while it is generated. */
  readonly live?: Pick<LiveAnswers, 'begin'>;
}

/** Who has spent so much of the day's budget is told with the next answer. */
const NEARLY_SPENT = 0.8;
const MAX_TOLD = 10_000;

const NO_VIEW: LiveView = { onEvent: () => undefined, end: async () => undefined };

const standInNote = ({ standIn }: ExecutionResult, { locale }: TurnContext): readonly string[] => {
  if (!standIn) return [];
  const { withoutAi } = standIn;
  return [withoutAi ? failureTexts(locale).withoutAi[withoutAi]() : modelTexts(locale).standIn(standIn)];
};

/** Runs the engine and acts on the control tokens in its answer. */
export const execute = (deps: ExecuteDeps): PipelineStage<Enriched, Answered> => {
  const run = async (input: Enriched, view: LiveView, signal: AbortSignal): Promise<ExecutionResult> => {
    try {
      return await deps.adapter.execute(input.enriched, signal, view.onEvent);
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof RunAbortedError) throw cause;
      throw new PipelineError(`No answer: ${errorMessage(cause)}`, 'EXECUTION_FAILED', { cause });
    }
  };

  /** An answer must not be lost to this. */
  const usedBy = async ({ channelId, senderId, inboxId }: TurnContext): Promise<number | undefined> => {
    try {
      return await deps.budget.used(channelId, senderId);
    } catch (error) {
      deps.logger.warn('What a person has spent could not be read', { inboxId, error });
      return undefined;
    }
  };
  /** Who was told since their budget was last below the mark. After a restart they are told again. */
  const told = new LRUCache<string, true>({ max: MAX_TOLD });
  /** Once a day, where nobody else reads it. The next question says if all is spent. */
  const budgetNotes = async (ctx: TurnContext): Promise<readonly string[]> => {
    if (ctx.chatType !== 'direct') return [];
    const person = `${ctx.channelId}:${ctx.senderId}`;
    const used = (await usedBy(ctx)) ?? 0;
    if (used < NEARLY_SPENT) told.delete(person);
    if (used < NEARLY_SPENT || used >= 1 || told.has(person)) return [];
    told.set(person, true);
    return [gateTexts(ctx.locale).budgetNearly({ percent: Math.floor(used * 100) })];
  };

  /** Direct chats need no mention anyway. */
  const awaitInput = async (ctx: TurnContext): Promise<void> => {
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
    const result = await run(input, view, signal);

    // The answer follows after the person's decision.
    if (result.status === 'suspended') return StageResult.suspend('waits for a decision');

    const said = extractControlTokens(result.content);
    const isSilent = said.hasNoReply || said.hasSilentReply;
    // Of what was changed the person is told, whatever the model says.
    const hasChanged = result.receipts !== undefined;
    const answer = isSilent ? { ...said, cleanContent: '', needsQuote: false, needsInput: false } : said;
    if (said.hasNoReply && !hasChanged) return StageResult.skip('the model chose not to reply');
    if (said.hasSilentReply && !hasChanged) {
      const { sessionKey, inboxId } = ctx;
      // The text is not logged, because `/privacy delete` does not clear the log.
      deps.logger.info('The model replied silently', {
        sessionKey,
        inboxId,
        chars: said.cleanContent.length,
      });
      return StageResult.skip('silent reply');
    }
    if (answer.hasHeartbeat && answer.cleanContent === '' && !answer.needsQuote && !hasChanged)
      return StageResult.skip('heartbeat');

    const quoted = answer.needsQuote
      ? await deps.attachQuotes(answer.cleanContent, result.facts, ctx, signal)
      : undefined;
    // Before the question is sent, because the reply may come at once.
    if (answer.needsInput) await awaitInput(ctx);

    const closing = [
      ...(result.status === 'max_turns' ? [failureTexts(ctx.locale).maxTurns()] : []),
      ...(result.isCut ? [failureTexts(ctx.locale).answerCut()] : []),
      // Added by the program: the model does not know that it is a fallback.
      ...standInNote(result, ctx),
      ...(answer.needsDisclaimer ? [marketNoteTexts(ctx.locale).disclaimer()] : []),
      ...(await budgetNotes(ctx)),
    ];
    // The person sees first what was understood.
    const heard = ctx.heard === undefined ? [] : [voiceTexts(ctx.locale).heard({ words: ctx.heard })];
    const closed = (body: string): string =>
      [...heard, body, ...closing].filter((part) => part !== '').join('\n\n');
    const own = displayed(answer.cleanContent, result.display, closed);
    const shown = quoted ? withQuotes(own, quoted, { ...result, said: answer.cleanContent, closed }) : own;
    return StageResult.continue({
      ...input,
      result: quoted ? { ...result, facts: quoted.facts } : result,
      answer: { ...answer, cleanContent: shown.text },
      displayed: shown,
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
