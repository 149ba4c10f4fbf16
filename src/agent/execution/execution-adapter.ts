import { FinClawError, RunAbortedError } from '#src/core/errors.ts';
import type { ExecutionAdapter, ExecutionResult } from '#src/core/execution.ts';
import type { TurnId } from '#src/core/ids.ts';
import type { ConversationMessage, ModelRef, TokenUsage } from '#src/core/model.ts';
import type { Fact } from '#src/core/tool.ts';
import type { Clock } from '#src/infra/clock.ts';
import { newId } from '#src/infra/ids.ts';
import type { Turns } from '#src/storage/turns.ts';
import type { TranscriptStore } from '../session/transcript-store.ts';
import { buildSystemPrompt } from '../system-prompt.ts';
import type { Runner, RunResult } from './runner.ts';
import { userTurn } from './turn-message.ts';

export interface ExecutionAdapterDeps {
  readonly runner: Runner;
  readonly transcripts: TranscriptStore;
  readonly turns: Turns;
  readonly model: ModelRef;
  readonly maxTurns: number;
  readonly clock: Clock;
}

const textOf = (message: ConversationMessage | undefined): string =>
  (message?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

const factsOf = (messages: readonly ConversationMessage[]): readonly Fact[] =>
  messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === 'tool_result' ? (block.facts ?? []) : [])),
  );

/** What must follow so that the conversation is whole again after a run that ended without an answer. */
const closingMessages = (
  last: ConversationMessage | undefined,
  why: string,
): readonly ConversationMessage[] => {
  const calls = (last?.content ?? []).filter((block) => block.type === 'tool_use');
  const results = calls.map((call) => ({
    type: 'tool_result' as const,
    toolUseId: call.id,
    content: `Not run: ${why}.`,
    isError: true,
  }));
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    { role: 'assistant', content: [{ type: 'text', text: `[No answer: ${why}.]` }] },
  ];
};

/** Runs one turn of a session: what was said before, this message, and everything up to the answer. */
export const createExecutionAdapter = (deps: ExecutionAdapterDeps): ExecutionAdapter => ({
  execute: async (ctx, signal, onEvent): Promise<ExecutionResult> => {
    const { transcripts, turns, clock } = deps;
    const { sessionKey, senderId, inboxId } = ctx;
    const turn = await turns.open({ id: newId<TurnId>(), inboxId, sessionKey, senderId }, clock.now());

    const history: ConversationMessage[] = [];
    const ofThisTurn: ConversationMessage[] = [];
    for (const { turnId, message } of await transcripts.load(sessionKey)) {
      history.push(message);
      if (turnId === turn.id) ofThisTurn.push(message);
    }
    const append = async (message: ConversationMessage): Promise<void> => {
      await transcripts.append(sessionKey, { turnId: turn.id, message });
      ofThisTurn.push(message);
    };
    const answered = (status: ExecutionResult['status'], usage: TokenUsage): ExecutionResult => ({
      status,
      content: textOf(ofThisTurn.findLast((message) => message.role === 'assistant')),
      facts: factsOf(ofThisTurn),
      usage,
    });
    // Ended before a restart and not delivered: nothing is run a second time.
    if (turn.status === 'failed') throw new FinClawError('The turn failed before a restart', 'TURN_FAILED');
    if (turn.status === 'complete')
      return answered(ofThisTurn.at(-1)?.role === 'assistant' ? 'completed' : 'max_turns', NO_USAGE);
    if (ofThisTurn.length === 0) {
      const question = userTurn(ctx);
      await append(question);
      history.push(question);
    }

    let result: RunResult;
    try {
      result = await deps.runner.execute(
        {
          agentId: ctx.agentId,
          model: deps.model,
          systemPrompt: buildSystemPrompt(ctx.agentId),
          messages: history,
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
          onEvent,
        },
        signal,
      );
    } catch (error) {
      // A shutdown leaves the turn open: the next start goes on with it.
      if (error instanceof RunAbortedError && error.kind === 'shutdown') throw error;
      const isStop = error instanceof RunAbortedError && error.kind === 'stopped';
      const why = isStop ? 'the user stopped it' : 'it failed';
      for (const message of closingMessages(ofThisTurn.at(-1), why)) await append(message);
      await turns.finish(turn.id, 'failed', clock.now());
      throw error;
    }
    await turns.finish(turn.id, 'complete', clock.now());
    return answered(result.status, result.usage);
  },
});
