import { FinClawError, RunAbortedError } from '#src/core/errors.ts';
import type {
  ExecutionAdapter,
  ExecutionEvent,
  ExecutionResult,
  PipelineMsgContext,
} from '#src/core/execution.ts';
import type { AgentId, TurnId } from '#src/core/ids.ts';
import { replyTargetOf } from '#src/core/message.ts';
import type { ConversationMessage } from '#src/core/model.ts';
import type { Steering } from '#src/core/ports.ts';
import type { ToolExecutionContext } from '#src/core/tool.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { Hooks } from '#src/infra/hook-runner.ts';
import { newId } from '#src/infra/ids.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { Exchanges } from '#src/storage/exchanges.ts';
import type { Turn, Turns } from '#src/storage/turns.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import type { Prompts } from '../open-prompts.ts';
import type { TranscriptStore } from '../session/transcript-store.ts';
import { createAddressBook } from './address-book.ts';
import { answerIn, dependsOnZone, factsBehind, mediaIn, standInOf } from './answer-facts.ts';
import type { ContextKeeper } from './context-keeper.ts';
import { withoutHeld } from './held-messages.ts';
import { toNoAnswer } from './no-answer.ts';
import { isShutdown } from './run-closing.ts';
import type { Runner } from './runner.ts';
import { sampleEndsIn } from './tool-events.ts';
import { TurnHistory } from './turn-history.ts';
import { missingIn, needsVision, steeringTurn, userTurn, withoutOldImages } from './turn-message.ts';

export interface ExecutionAdapterDeps {
  readonly runner: Runner;
  readonly transcripts: TranscriptStore;
  readonly turns: Turns;
  readonly exchanges: Pick<Exchanges, 'behind'>;
  readonly models: Pick<ModelChoice, 'chainFor'>;
  readonly prompts: Pick<Prompts, 'headFor'>;
  readonly windows: Pick<ContextKeeper, 'forTurn' | 'windowOf'>;
  readonly hooks: Pick<Hooks, 'beforeAgentRun' | 'afterAgentRun'>;
  /** What the person writes while their turn runs. */
  readonly steering: Steering;
  readonly maxTurnsOf: (agentId: AgentId) => number;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

const toolContextOf = (
  ctx: PipelineMsgContext,
  turnId: TurnId,
  isResumed: boolean,
  history: TurnHistory,
): ToolExecutionContext => ({
  agentId: ctx.agentId,
  sessionKey: ctx.sessionKey,
  userId: ctx.senderId,
  userName: ctx.senderName,
  userRoles: ctx.userRoles,
  isAdmin: ctx.isAdmin,
  channelId: ctx.channelId,
  chatType: ctx.chatType,
  locale: ctx.locale,
  timeZone: ctx.timeZone,
  ...(ctx.zoneFrom && { zoneFrom: ctx.zoneFrom }),
  target: replyTargetOf({ ...ctx, threadId: ctx.messageThreadId }),
  inboxId: ctx.inboxId,
  turnId,
  isResumed,
  addresses: createAddressBook(history, ctx.senderId),
});

/** Runs one turn of a session: what was said before, this message, and everything up to the answer. */
export const createExecutionAdapter = (deps: ExecutionAdapterDeps): ExecutionAdapter => {
  const { turns, clock, hooks } = deps;

  const open = async (
    ctx: PipelineMsgContext,
  ): Promise<{ readonly turn: Turn; readonly history: TurnHistory }> => {
    const { sessionKey, senderId, inboxId } = ctx;
    const turn = await turns.open({ id: newId<TurnId>(), inboxId, sessionKey, senderId }, clock.now());
    const live = await turns.liveIn(sessionKey);
    return { turn, history: await TurnHistory.open(deps.transcripts, sessionKey, turn.id, live) };
  };

  /** What was taken into the turn before a crash, and did not get into the transcript, comes first. */
  const steeringOf = (ctx: PipelineMsgContext, history: TurnHistory) => {
    let missing = missingIn(history.ofThisTurn, ctx.merged);
    return async (): Promise<readonly ConversationMessage[]> => {
      const taken = [...missing, ...(await deps.steering.take(ctx.sessionKey, ctx.inboxId))];
      missing = [];
      return taken.map((message) => steeringTurn(message, ctx.senderId));
    };
  };

  /** What is quoted of others and of a thread's parent has to leave room for the rest. */
  const windowFor = async ({
    opening,
    earlier,
    sessionKey,
  }: PipelineMsgContext): Promise<number | undefined> =>
    (opening ?? earlier) &&
    deps.windows.windowOf((await deps.models.chainFor(sessionKey, false))[0]).windowTokens;

  return {
    execute: async (ctx, signal, onEvent): Promise<ExecutionResult> => {
      const { turn, history } = await open(ctx);
      const answered = (status: ExecutionResult['status'], isCut: boolean): ExecutionResult => {
        const content = answerIn(history.ofThisTurn);
        const media = mediaIn(history.ofThisTurn);
        const standIn = standInOf(history.ofThisTurn);
        const found = {
          facts: factsBehind(content, history),
          ...(media.length > 0 && { media }),
          ...(dependsOnZone(history.ofThisTurn) && { dependsOnZone: true }),
          ...(standIn && { standIn }),
        };
        return { status, content, ...found, isCut };
      };
      // Ended before a restart and not delivered: nothing is run a second time.
      if (turn.status === 'failed') throw new FinClawError('The turn failed before a restart', 'TURN_FAILED');
      if (turn.status === 'complete') return answered('completed', false);

      const isResumed = history.ofThisTurn.length > 0;
      if (turn.status === 'suspended' && !(await turns.reopen(turn.id, ctx.inboxId)))
        throw new RunAbortedError('stopped');
      if (!isResumed) {
        const { notes } = await hooks.beforeAgentRun.fire({ ctx, notes: [] });
        const quoting = await withoutHeld(ctx, history.messages, deps.exchanges);
        await history.append(userTurn(quoting, notes, await windowFor(ctx)));
      }
      const takeSteering = steeringOf(ctx, history);
      const models = await deps.models.chainFor(ctx.sessionKey, history.ofThisTurn.some(needsVision));
      const request = {
        models,
        ...(await deps.prompts.headFor(ctx, deps.windows.windowOf(models[0]))),
        toolContext: toolContextOf(ctx, turn.id, isResumed, history),
      };
      const show = (event: ExecutionEvent): void => {
        try {
          onEvent(event);
        } catch (error) {
          // Who only watches must not be able to spoil the answer.
          deps.logger.error('A listener of a run failed', { error });
        }
      };
      // What is shown of the answer rests on it too.
      for (const found of sampleEndsIn(history.ofThisTurn)) show(found);
      const result = await deps.runner.execute(
        {
          ...request,
          agentId: ctx.agentId,
          messages: withoutOldImages(history.messages),
          maxTurns: deps.maxTurnsOf(ctx.agentId),
          append: history.append,
          dropPictures: history.dropPictures,
          refused: {
            without: (part) => {
              const left = history.without(part);
              return left && withoutOldImages(left);
            },
            leaveOut: history.leaveOut,
          },
          takeSteering,
          window: deps.windows.forTurn(request, history),
          onEvent: show,
        },
        signal,
      );
      const { status, isCut, durationMs } = result;
      // Who only hears of it afterwards holds nobody up.
      void hooks.afterAgentRun.fire({ ctx, status, turns: result.turns, durationMs });
      if (status === 'completed' || status === 'max_turns') {
        await turns.finish(turn.id, 'complete', clock.now());
        return answered(status, isCut);
      }
      if (status === 'suspended') {
        await turns.suspend(turn.id);
        return answered(status, false);
      }
      // Left open by a shutdown, the turn is gone on with at the next start.
      if (!isShutdown(result.error)) await turns.finish(turn.id, 'failed', clock.now());
      throw toNoAnswer(result.error);
    },
  };
};
