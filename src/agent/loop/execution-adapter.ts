import {
  errorMessage,
  FinClawError,
  NoAnswerError,
  type NoAnswerReason,
  RunAbortedError,
} from '#src/kernel/errors.ts';
import type { Exchanges } from '#src/kernel/chat/exchanges.ts';
import type { Turn } from '#src/kernel/agent/turn-store.ts';
import type {
  ExecutionAdapter,
  ExecutionEvent,
  ExecutionResult,
  PipelineMsgContext,
} from '#src/kernel/agent/execution.ts';
import type { GroundingMode } from '#src/kernel/agent/agent-settings.ts';
import type { AnsweringModel } from '#src/kernel/chat/feedback.ts';
import type { AgentId, TurnId } from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { type ConversationMessage, WITHOUT_AI } from '#src/kernel/agent/model.ts';
import type { Steering } from '#src/kernel/chat/queue.ts';
import type { ToolDefinition, ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import type { Hooks } from '#src/platform/plugins/hook-runner.ts';
import { newId } from '#src/platform/ids.ts';
import { blocksIn, receiptsIn } from '../content-blocks.ts';
import { classifyFallbackError, FailoverError, type FallbackReason } from '../errors.ts';
import type { CheckedNumber } from '../grounding/judge/verdict.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { resolvedAs, type ResolvedModel } from '../models/resolve-model.ts';
import type { Prompts } from '../prompt/open-prompts.ts';
import type { TranscriptStore } from '../memory/transcript/transcript-store.ts';
import { createAddressBook } from './address-book.ts';
import {
  answerIn,
  dependsOnZone,
  displayIn,
  factsBehind,
  mediaIn,
  samplesRepeatedIn,
  withoutExamples,
  shownIn,
  standInOf,
} from './answer-facts.ts';
import { type CheckAnswer, createAnswerReview } from './answer-review.ts';
import type { ContextKeeper } from './context-keeper.ts';
import { isShutdown } from '../memory/transcript/closing-messages.ts';
import type { NumberTally } from './number-tally.ts';
import { isOffered, type OfflineRules, onlyMeFor, withCommands, withOnlyMe } from './only-me.ts';
import type { AgentRunParams } from './run-params.ts';
import type { Runner } from './runner.ts';
import { sampleEndsIn } from './tool-executor.ts';
import type { DailyBytes } from '#src/platform/files/daily-bytes.ts';
import type { Uses } from '#src/platform/services.ts';
import { TurnHistory } from './turn-history.ts';
import {
  missingIn,
  needsVision,
  steeringTurn,
  userTurn,
  withoutOldImages,
  quotesOthers,
} from './turn-message.ts';

/**
 * Drops quotes of messages that the conversation already contains, in a turn or in a quote of an earlier turn or of
 * this turn's opening. A reply to such a message keeps a line that refers to it, unless it is the newest answer.
 */
export const withoutKnownQuotes = async (
  ctx: PipelineMsgContext,
  conversation: readonly ConversationMessage[],
  exchanges: Pick<Exchanges, 'behind'>,
): Promise<PipelineMsgContext> => {
  const { earlier = [], replyToMessageId, opening } = ctx;
  if (earlier.length === 0) return ctx;
  const held = new Set<string>([
    ...conversation.flatMap(({ messageIds }) => messageIds ?? []),
    ...(opening?.known ?? []),
  ]);
  const repliedTo = earlier.find(({ messageId }) => messageId === replyToMessageId);
  let isNewest = false;
  // An answer of the bot is identified by the message that it answers.
  if (repliedTo?.isOurs) {
    const answered = await exchanges.behind(ctx, repliedTo.messageId);
    const turns = conversation.flatMap(({ inboxIds }) => (inboxIds ? [inboxIds] : []));
    const turn = turns.findLast((ids) => answered && ids.includes(answered.id));
    if (turn) held.add(repliedTo.messageId);
    isNewest = turn !== undefined && turn === turns.at(-1);
  }
  const left = earlier.flatMap((message) => {
    if (!held.has(message.messageId)) return [message];
    return message === repliedTo && !isNewest ? [{ ...message, isHeld: true as const }] : [];
  });
  const { earlier: _all, ...rest } = ctx;
  return left.length > 0 ? { ...rest, earlier: left } : rest;
};

const REASONS: Readonly<Record<FallbackReason, NoAnswerReason>> = {
  'rate-limit': 'rate-limited',
  'server-error': 'unavailable',
  timeout: 'unavailable',
  'model-unavailable': 'unavailable',
  'empty-answer': 'empty',
  'context-overflow': 'too-long',
  auth: 'key-refused',
  billing: 'key-refused',
  refusal: 'refused',
};

/** If models failed for several reasons, the person is told the one they can do most about. */
const RANKING: readonly NoAnswerReason[] = [
  'refused',
  'too-long',
  'rate-limited',
  'unavailable',
  'key-refused',
  'empty',
];

const reasonOf = (error: unknown): NoAnswerReason | undefined => {
  const known = classifyFallbackError(error);
  if (known) return REASONS[known];
  if (!(error instanceof FinClawError)) return undefined;
  // A key in cooldown because it was refused or unpaid has reached no rate limit.
  const isRefused = ['auth', 'billing'].includes(String(error.details['reason']));
  if (error.code === 'KEYS_COOLING') return isRefused ? 'key-refused' : 'rate-limited';
  if (error.code === 'CIRCUIT_OPEN') return 'unavailable';
  // No key is set, or AWS cannot be read.
  return error.code === 'NO_API_KEY' || error.code.startsWith('AWS_') ? 'key-refused' : undefined;
};

const waitOf = (error: unknown): number | undefined => {
  if (error instanceof FailoverError) return error.retryAfterMs;
  const wait = error instanceof FinClawError ? error.details['retryAfterMs'] : undefined;
  return typeof wait === 'number' ? wait : undefined;
};

/** Maps the failures of all models to one error with the reason for the person; other errors stay as they are. */
export const toNoAnswer = (error: unknown): unknown => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reasons = new Set(errors.map(reasonOf));
  const reason = RANKING.find((candidate) => reasons.has(candidate));
  if (!reason) return error;
  const waits = errors.flatMap((each) => waitOf(each) ?? []);
  return new NoAnswerError(reason, errorMessage(error), {
    cause: error,
    retryAfterMs: waits.length > 0 ? Math.min(...waits) : undefined,
  });
};

interface ExecutionAdapterDeps extends Uses<
  'clock' | 'events.emit' | 'exchanges.behind' | 'logger' | 'turns'
> {
  readonly runner: Runner;
  readonly transcripts: TranscriptStore;
  readonly models: Pick<ModelChoice, 'chainFor'>;
  readonly prompts: Pick<Prompts, 'headFor'>;
  readonly windows: Pick<ContextKeeper, 'forTurn' | 'windowOf'>;
  readonly hooks: Pick<Hooks, 'beforeAgentRun' | 'afterAgentRun'>;
  /** Messages that the person sends while their turn runs. */
  readonly steering: Steering;
  readonly maxTurnsOf: (agentId: AgentId) => number;
  readonly offline: OfflineRules;
  /** The check of the numbers in answers. */
  readonly grounding: {
    readonly modeOf: (agentId: AgentId) => GroundingMode;
    readonly check: CheckAnswer;
    readonly tally: Pick<NumberTally, 'add'>;
  };
  /** Conversations count towards what is stored of a person. Undefined: nothing is counted. */
  readonly storedToday?: Pick<DailyBytes, 'add'>;
}

/** Without its pictures, which have a limit of their own. */
const storedBytesOf = ({ content, ...rest }: ConversationMessage): number =>
  Buffer.byteLength(JSON.stringify({ ...rest, content: content.filter((block) => block.type !== 'image') }));

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
  addresses: createAddressBook(history, ctx.senderId, quotesOthers(ctx)),
  samplesIn: (text) => samplesRepeatedIn(text, history),
});

/** The models of one turn, in the order of attempts. The usual ones are looked up once. */
type ModelsOfTurn = (needsVision: boolean) => Promise<readonly ResolvedModel[]>;

/** The offline model says itself where its numbers come from. */
const isExplainable = async (
  numbers: readonly CheckedNumber[],
  modelsFor: ModelsOfTurn,
): Promise<boolean> => {
  if (!numbers.some(({ verdict }) => verdict !== 'exempt' && verdict !== 'quoted')) return false;
  const [first] = await modelsFor(false);
  return first?.provider !== 'offline';
};

/**
 * The offline model answers where no model can, unless one has called tools before: what was done is not done again. Its
 * own calls are reported, also after an approval.
 */
const standInFor = (
  { offline, logger }: Pick<ExecutionAdapterDeps, 'offline' | 'logger'>,
  { inboxId }: PipelineMsgContext,
  history: TurnHistory,
  tools: readonly ToolDefinition[],
): NonNullable<AgentRunParams['standIn']> => ({
  model: resolvedAs(offline.standIn, 'default'),
  because: async (error, signal) => {
    const failure = toNoAnswer(error);
    const reason = WITHOUT_AI.find((each) => failure instanceof NoAnswerError && failure.reason === each);
    const { ofThisTurn, messages } = history;
    const calls = blocksIn(ofThisTurn, 'tool_use');
    if (!reason || !calls.every(offline.isOwnCall) || ofThisTurn.some(needsVision)) return undefined;
    if (calls.length === 0) {
      const read = await offline.readLastWords(messages, signal);
      if (read.calls.length === 0 || !read.calls.every((call) => isOffered(call, tools))) return undefined;
    }
    logger.error('No model answered, so the offline model does', { inboxId, error });
    return reason;
  },
});

/** Runs one turn of a conversation, from the message to the answer. */
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

  const modelsOf = ({ sessionKey }: PipelineMsgContext): ModelsOfTurn => {
    let usual: ReturnType<ModelsOfTurn> | undefined;
    return (needsVision) =>
      needsVision
        ? deps.models.chainFor(sessionKey, true)
        : (usual ??= deps.models.chainFor(sessionKey, false));
  };

  /** Messages that were merged before a crash, but did not reach the transcript, come first. */
  const steeringOf = (ctx: PipelineMsgContext, history: TurnHistory) => {
    let missing = missingIn(history.ofThisTurn, ctx.merged);
    return async (): Promise<readonly ConversationMessage[]> => {
      const taken = [...missing, ...(await deps.steering.take(ctx.sessionKey, ctx.inboxId))];
      missing = [];
      return taken.map((message) => steeringTurn(message, ctx.senderId));
    };
  };

  /** The size of the window, which limits quotes. Undefined for a message without any. */
  const windowFor = async (
    { opening, earlier }: PipelineMsgContext,
    modelsFor: ModelsOfTurn,
  ): Promise<number | undefined> =>
    (opening ?? earlier) && deps.windows.windowOf((await modelsFor(false))[0]).windowTokens;

  return {
    execute: async (ctx, signal, onEvent): Promise<ExecutionResult> => {
      const { turn, history } = await open(ctx);
      const modelsFor = modelsOf(ctx);
      const review = createAnswerReview({
        ...ctx,
        ...deps.grounding,
        mode: deps.grounding.modeOf(ctx.agentId),
        history,
        events: deps.events,
        logger: deps.logger,
      });
      const running = { history, review, modelsFor };
      // The turn ended before a restart without being delivered, so nothing runs again.
      if (turn.status === 'failed') throw new FinClawError('The turn failed before a restart', 'TURN_FAILED');
      if (turn.status === 'complete') return resultOf(running, 'completed', false);

      const isResumed = history.ofThisTurn.length > 0;
      if (turn.status === 'suspended' && !(await turns.reopen(turn.id, ctx.inboxId)))
        throw new RunAbortedError('stopped');
      const append = (message: ConversationMessage): Promise<void> => {
        const person = { channelId: ctx.channelId, userId: ctx.senderId };
        deps.storedToday?.add(person, storedBytesOf(message));
        return history.append(message);
      };
      let question: Promise<void> | undefined;
      if (!isResumed) {
        const { notes } = await hooks.beforeAgentRun.fire({ ctx, notes: [] });
        const quoting = await withoutKnownQuotes(ctx, history.messages, deps.exchanges);
        // The model is asked while the question is being stored. Its answer is stored after that.
        question = append(userTurn(quoting, notes, await windowFor(ctx, modelsFor)));
        question.catch(() => undefined);
      }
      const takeSteering = steeringOf(ctx, history);
      const models = await modelsFor(history.ofThisTurn.some(needsVision));
      const request = {
        models,
        ...(await deps.prompts.headFor(ctx, deps.windows.windowOf(models[0]))),
        toolContext: toolContextOf(ctx, turn.id, isResumed, history),
      };
      const show = (event: ExecutionEvent): void => {
        try {
          onEvent(event);
        } catch (error) {
          // A failing listener must not spoil the answer.
          deps.logger.error('A listener of a run failed', { error });
        }
      };
      // A live answer that rests on sample data must be labelled too.
      for (const found of sampleEndsIn(history.ofThisTurn)) show(found);
      const result = await deps.runner.execute(
        {
          ...request,
          agentId: ctx.agentId,
          messages: withoutOldImages(history.messages),
          maxTurns: deps.maxTurnsOf(ctx.agentId),
          append: async (message) => {
            await question;
            await append(message);
          },
          dropPictures: history.dropPictures,
          refused: {
            without: (part) => {
              const left = history.without(part);
              return left && withoutOldImages(left);
            },
            leaveOut: history.leaveOut,
          },
          takeSteering,
          standIn: standInFor(deps, ctx, history, request.tools),
          review,
          window: deps.windows.forTurn(request, history),
          onEvent: show,
        },
        signal,
      );
      // If the question could not be stored, that is what failed.
      await question;
      const { status, isCut, durationMs } = result;
      // Not awaited, because the answer does not depend on it.
      void hooks.afterAgentRun.fire({ ctx, status, turns: result.turns, durationMs });
      if (status === 'completed' || status === 'max_turns') {
        const onlyMe = await onlyMeFor(deps, ctx, history.messages, request.tools, signal);
        await turns.finish(turn.id, 'complete', clock.now());
        const answered = await resultOf(running, status, isCut, result.answeredBy);
        return withOnlyMe(await withCommands(deps, ctx, history, answered, signal), onlyMe);
      }
      if (status === 'suspended') {
        await turns.suspend(turn.id);
        return resultOf(running, status, false);
      }
      // After a shutdown the turn stays open and continues at the next start.
      if (!isShutdown(result.error)) await turns.finish(turn.id, 'failed', clock.now());
      throw toNoAnswer(result.error);
    },
  };
};

interface RunningTurn {
  readonly history: TurnHistory;
  readonly review: ReturnType<typeof createAnswerReview>;
  readonly modelsFor: ModelsOfTurn;
}

/** What a turn has answered, with the facts, files and display behind it. */
const resultOf = async (
  { history, review, modelsFor }: RunningTurn,
  status: ExecutionResult['status'],
  isCut: boolean,
  answeredBy?: AnsweringModel,
): Promise<ExecutionResult> => {
  const content = shownIn(history.ofThisTurn);
  const numbers = await review.numbers();
  const media = mediaIn(history.ofThisTurn);
  const display = displayIn(history.ofThisTurn);
  const receipts = receiptsIn(history.ofThisTurn);
  const standIn = standInOf(history.ofThisTurn);
  const answer = answerIn(history.ofThisTurn);
  const isOffline = answeredBy?.provider === 'offline' || standIn?.withoutAi !== undefined;
  const found = {
    facts: factsBehind(isOffline ? withoutExamples(answer) : answer, history, numbers),
    ...(media.length > 0 && { media }),
    ...(display && { display }),
    ...(receipts.length > 0 && { receipts }),
    ...(dependsOnZone(history.ofThisTurn) && { dependsOnZone: true }),
    ...(standIn && { standIn }),
    ...(answeredBy && { answeredBy }),
    ...(status !== 'suspended' &&
      !standIn?.withoutAi &&
      (await isExplainable(numbers, modelsFor)) && { isExplainable: true }),
  };
  return { status, content, ...found, isCut };
};
