import { FinClawError } from '#src/core/errors.ts';
import type { ExecutionAdapter, ExecutionResult } from '#src/core/execution.ts';
import type { TurnId } from '#src/core/ids.ts';
import { type ConversationMessage, NO_USAGE, type TokenUsage } from '#src/core/model.ts';
import type { Fact } from '#src/core/tool.ts';
import type { Clock } from '#src/infra/clock.ts';
import { newId } from '#src/infra/ids.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { Turns } from '#src/storage/turns.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import type { TranscriptStore } from '../session/transcript-store.ts';
import { buildSystemPrompt } from '../system-prompt.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { toNoAnswer } from './no-answer.ts';
import { closingMessages } from './run-closing.ts';
import { isShutdown, type Runner } from './runner.ts';
import { needsVision, userTurn, withoutOldImages } from './turn-message.ts';

export interface ExecutionAdapterDeps {
  readonly runner: Runner;
  readonly transcripts: TranscriptStore;
  readonly turns: Turns;
  readonly models: Pick<ModelChoice, 'chainFor'>;
  readonly tools: Pick<ToolRegistry, 'definitions'>;
  readonly maxTurns: number;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

const textOf = ({ isNote, content }: ConversationMessage): string =>
  (isNote ? [] : content).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

/** The last answer, together with the parts before it that the provider had paused after. */
const answerIn = (messages: readonly ConversationMessage[]): string => {
  const end = messages.findLastIndex((message) => message.role === 'assistant');
  let start = end;
  while (messages[start - 1]?.isPaused) start -= 1;
  return messages
    .slice(Math.max(0, start), end + 1)
    .map(textOf)
    .filter((text) => text !== '')
    .join('');
};

const factsOf = (messages: readonly ConversationMessage[]): readonly Fact[] =>
  messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === 'tool_result' ? (block.facts ?? []) : [])),
  );

/** Runs one turn of a session: what was said before, this message, and everything up to the answer. */
export const createExecutionAdapter = (deps: ExecutionAdapterDeps): ExecutionAdapter => ({
  execute: async (ctx, signal, onEvent): Promise<ExecutionResult> => {
    const { transcripts, turns, clock } = deps;
    const { sessionKey, senderId, inboxId } = ctx;
    const turn = await turns.open({ id: newId<TurnId>(), inboxId, sessionKey, senderId }, clock.now());

    const entries = await transcripts.load(sessionKey);
    const history = entries.map(({ message }) => message);
    const ofThisTurn = entries.filter(({ turnId }) => turnId === turn.id).map(({ message }) => message);
    const append = async (message: ConversationMessage): Promise<void> => {
      await transcripts.append(sessionKey, { turnId: turn.id, message });
      ofThisTurn.push(message);
    };
    const answered = (
      status: ExecutionResult['status'],
      usage: TokenUsage,
      isCut: boolean,
    ): ExecutionResult => ({
      status,
      content: answerIn(ofThisTurn),
      facts: factsOf(ofThisTurn),
      usage,
      isCut,
    });
    // Ended before a restart and not delivered: nothing is run a second time.
    if (turn.status === 'failed') throw new FinClawError('The turn failed before a restart', 'TURN_FAILED');
    if (turn.status === 'complete') return answered('completed', NO_USAGE, false);
    if (ofThisTurn.length === 0) {
      // The turn before was given up in the middle: a call without its result would be refused from now on.
      for (const message of closingMessages(history, '', 'it was interrupted')) {
        await transcripts.append(sessionKey, { turnId: entries.at(-1)?.turnId ?? turn.id, message });
        history.push(message);
      }
      const question = userTurn(ctx);
      await append(question);
      history.push(question);
    }

    const result = await deps.runner.execute(
      {
        agentId: ctx.agentId,
        models: await deps.models.chainFor(sessionKey, ofThisTurn.some(needsVision)),
        systemPrompt: buildSystemPrompt(ctx.agentId),
        tools: deps.tools.definitions(),
        messages: withoutOldImages(history),
        toolContext: {
          sessionKey,
          userId: senderId,
          channelId: ctx.channelId,
          chatType: ctx.chatType,
          locale: ctx.locale,
          timeZone: ctx.timeZone,
        },
        maxTurns: deps.maxTurns,
        append,
        onEvent: (event) => {
          try {
            onEvent(event);
          } catch (error) {
            // Who only watches must not be able to spoil the answer.
            deps.logger.error('A listener of a run failed', { error });
          }
        },
      },
      signal,
    );
    if (result.status === 'completed' || result.status === 'max_turns') {
      await turns.finish(turn.id, 'complete', clock.now());
      return answered(result.status, result.usage, result.isCut);
    }
    if (result.status === 'suspended') {
      await turns.suspend(turn.id);
      return answered(result.status, result.usage, false);
    }
    // Left open by a shutdown, the turn is gone on with at the next start.
    if (!isShutdown(result.error)) await turns.finish(turn.id, 'failed', clock.now());
    throw toNoAnswer(result.error);
  },
});
