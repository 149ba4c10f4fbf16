import { NoAnswerError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';

export interface PipelineResult {
  readonly success: boolean;
  readonly stagesExecuted: readonly string[];
  readonly durationMs: number;
  /** Why processing ended before the last stage. */
  readonly reason?: string;
}

/** Observes the pipeline without influence on it. */
export interface PipelineObserver {
  readonly onPipelineStart?: (ctx: MsgContext) => void;
  /** A stage that throws or is aborted starts without completing. */
  readonly onStageStart?: (ctx: MsgContext, stage: string) => void;
  readonly onStageComplete?: (ctx: MsgContext, stage: string, action: string, durationMs: number) => void;
  readonly onPipelineComplete?: (ctx: MsgContext, result: PipelineResult) => void;
  readonly onPipelineError?: (ctx: MsgContext, error: unknown, errorId: string) => void;
}

/** The known reason for a missing answer, whose causes are in the log already. */
const noAnswerIn = (error: unknown): NoAnswerError | undefined => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NoAnswerError ? cause : undefined;
};

/** Emits events for the metrics and the logger. Stage starts have no event and are logged directly. */
export const createEventObserver = (
  events: Events,
  logger?: Pick<FinClawLogger, 'debug'>,
): Required<PipelineObserver> => ({
  onPipelineStart: ({ sessionKey, inboxId }) => events.emit('pipeline:start', { sessionKey, inboxId }),
  onStageStart: ({ sessionKey, inboxId }, stage) =>
    logger?.debug(`Stage ${stage} started`, { sessionKey, inboxId }),
  onStageComplete: ({ sessionKey }, stage, action, durationMs) =>
    events.emit('pipeline:stage', { sessionKey, stage, action, durationMs }),
  onPipelineComplete: ({ sessionKey }, { success, durationMs, stagesExecuted: stages }) =>
    events.emit('pipeline:complete', { sessionKey, success, durationMs, stages }),
  onPipelineError: ({ sessionKey }, error, errorId) =>
    events.emit('pipeline:error', { sessionKey, errorId, error: noAnswerIn(error)?.message ?? error }),
});

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
