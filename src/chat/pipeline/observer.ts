import { LRUCache } from 'lru-cache';
import { NoAnswerError } from '#src/kernel/errors.ts';
import type { Events, FinClawEventMap, MessageOutcome } from '#src/kernel/operations/events.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';

export interface PipelineResult {
  readonly success: boolean;
  readonly outcome: MessageOutcome;
  readonly stagesExecuted: readonly string[];
  readonly durationMs: number;
  /** Why processing ended before the last stage. */
  readonly reason?: string;
  /** The command that answered. */
  readonly command?: string;
  readonly errorId?: string;
}

/** Observes the pipeline without influence on it. */
export interface PipelineObserver {
  readonly onPipelineStart?: (ctx: TurnContext) => void;
  /** A stage that throws or is aborted starts without completing. */
  readonly onStageStart?: (ctx: TurnContext, stage: string) => void;
  readonly onStageComplete?: (ctx: TurnContext, stage: string, action: string, durationMs: number) => void;
  readonly onPipelineComplete?: (ctx: TurnContext, result: PipelineResult) => void;
  readonly onPipelineError?: (ctx: TurnContext, error: unknown, errorId: string) => void;
}

/** The known reason for a missing answer, whose causes are in the log already. */
const noAnswerIn = (error: unknown): NoAnswerError | undefined => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NoAnswerError ? cause : undefined;
};

type Spent = Pick<FinClawEventMap['pipeline:complete'], 'model' | 'tools' | 'costUsd' | 'stage'>;

/** Far more than can run at once. */
const MAX_UNDER_WAY = 1_000;

/** Adds up what the models and tools did for each message, as they report it, and knows its stage. */
const createTally = (events: Events) => {
  const underWay = new LRUCache<
    string,
    { -readonly [Key in keyof Spent]: Spent[Key] } & { isUnpriced?: true }
  >({ max: MAX_UNDER_WAY });
  const addTool = (inboxId: string): void => {
    const spent = underWay.get(inboxId);
    if (spent) spent.tools += 1;
  };
  const listeners: {
    readonly [Name in keyof FinClawEventMap]?: (payload: FinClawEventMap[Name]) => void;
  } = {
    'model:request': ({ inboxId, model, outcome, costUsd }) => {
      const spent = inboxId === undefined ? undefined : underWay.get(inboxId);
      if (!spent) return;
      if (outcome === 'ok') spent.model = model;
      if (costUsd === undefined) spent.isUnpriced = true;
      else spent.costUsd = (spent.costUsd ?? 0) + costUsd;
    },
    'tool:execute:end': ({ inboxId }) => addTool(inboxId),
    'tool:execute:error': ({ inboxId }) => addTool(inboxId),
  };
  events.onAny((name, payload) => (listeners[name] as ((of: typeof payload) => void) | undefined)?.(payload));
  return {
    begin: (inboxId: string): void => void underWay.set(inboxId, { tools: 0 }),
    enter: (inboxId: string, stage: string): void => {
      const spent = underWay.get(inboxId);
      if (spent) spent.stage = stage;
    },
    /** A stage that aborts the message is the one that failed. */
    leave: (inboxId: string, action: string): void => {
      const spent = underWay.get(inboxId);
      if (action !== 'abort') delete spent?.stage;
    },
    stageOf: (inboxId: string): Pick<Spent, 'stage'> => {
      const stage = underWay.get(inboxId)?.stage;
      return stage === undefined ? {} : { stage };
    },
    end: (inboxId: string): Spent => {
      const { isUnpriced, costUsd, ...spent } = underWay.get(inboxId) ?? { tools: 0 };
      underWay.delete(inboxId);
      // A part of the cost would pass for all of it.
      return { ...spent, ...(costUsd !== undefined && !isUnpriced && { costUsd }) };
    },
  };
};

/** Emits events for the metrics and the logger. Stage starts have no event and are logged directly. */
export const createEventObserver = (
  events: Events,
  logger?: Pick<FinClawLogger, 'debug'>,
): Required<PipelineObserver> => {
  const tally = createTally(events);
  return {
    onPipelineStart: ({ sessionKey, inboxId, channelId, chatType, isFirstAttempt = false }) => {
      tally.begin(inboxId);
      events.emit('pipeline:start', { sessionKey, inboxId, channelId, chatType, isFirst: isFirstAttempt });
    },
    onStageStart: ({ sessionKey, inboxId }, stage) => {
      tally.enter(inboxId, stage);
      logger?.debug(`Stage ${stage} started`, { sessionKey, inboxId });
    },
    onStageComplete: ({ sessionKey, inboxId }, stage, action, durationMs) => {
      tally.leave(inboxId, action);
      events.emit('pipeline:stage', { sessionKey, inboxId, stage, action, durationMs });
    },
    onPipelineComplete: (
      { sessionKey, inboxId, channelId, chatType },
      { stagesExecuted: stages, ...result },
    ) =>
      events.emit('pipeline:complete', {
        sessionKey,
        inboxId,
        channelId,
        chatType,
        ...result,
        stages,
        ...tally.end(inboxId),
      }),
    onPipelineError: ({ sessionKey, inboxId, channelId, chatType }, error, errorId) =>
      events.emit('pipeline:error', {
        sessionKey,
        inboxId,
        channelId,
        chatType,
        ...tally.stageOf(inboxId),
        errorId,
        error: noAnswerIn(error)?.message ?? error,
      }),
  };
};

/** Combines observers. A failing observer is reported and affects neither the others nor the message. */
export const combineObservers = (
  onError: (error: unknown) => void,
  ...observers: readonly PipelineObserver[]
): Required<PipelineObserver> => {
  const tell = (notify: (observer: PipelineObserver) => void): void => {
    for (const observer of observers) {
      try {
        notify(observer);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    onPipelineStart: (ctx) => tell((observer) => observer.onPipelineStart?.(ctx)),
    onStageStart: (ctx, stage) => tell((observer) => observer.onStageStart?.(ctx, stage)),
    onStageComplete: (ctx, stage, action, durationMs) =>
      tell((observer) => observer.onStageComplete?.(ctx, stage, action, durationMs)),
    onPipelineComplete: (ctx, result) => tell((observer) => observer.onPipelineComplete?.(ctx, result)),
    onPipelineError: (ctx, error, errorId) =>
      tell((observer) => observer.onPipelineError?.(ctx, error, errorId)),
  };
};
