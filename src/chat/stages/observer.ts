import { NoAnswerError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';

export interface PipelineResult {
  readonly success: boolean;
  readonly stagesExecuted: readonly string[];
  readonly durationMs: number;
  /** Why it ended before the last stage. */
  readonly reason?: string;
}

/** Watches the pipeline; cannot change it. */
export interface PipelineObserver {
  readonly onPipelineStart?: (ctx: MsgContext) => void;
  /** A stage that throws, or is left behind by an abort, begins and does not complete. */
  readonly onStageStart?: (ctx: MsgContext, stage: string) => void;
  readonly onStageComplete?: (ctx: MsgContext, stage: string, action: string, durationMs: number) => void;
  readonly onPipelineComplete?: (ctx: MsgContext, result: PipelineResult) => void;
  readonly onPipelineError?: (ctx: MsgContext, error: unknown, errorId: string) => void;
}

/** Why there was no answer, where that is known: its causes were logged where they happened. */
const noAnswerIn = (error: unknown): NoAnswerError | undefined => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NoAnswerError ? cause : undefined;
};

/**
 * Reports everything as events, which the metrics count and the logger writes down. To the logger itself go
 * only those that are no event: nothing stands in the log twice.
 */
export class DefaultPipelineObserver implements PipelineObserver {
  readonly #events: Events;
  readonly #logger: Pick<FinClawLogger, 'debug'> | undefined;

  constructor(events: Events, logger?: Pick<FinClawLogger, 'debug'>) {
    this.#events = events;
    this.#logger = logger;
  }

  readonly onPipelineStart = (ctx: MsgContext): void =>
    this.#events.emit('pipeline:start', { sessionKey: ctx.sessionKey, inboxId: ctx.inboxId });

  readonly onStageStart = (ctx: MsgContext, stage: string): void =>
    this.#logger?.debug(`Stage ${stage} started`, { sessionKey: ctx.sessionKey, inboxId: ctx.inboxId });

  readonly onStageComplete = (ctx: MsgContext, stage: string, action: string, durationMs: number): void =>
    this.#events.emit('pipeline:stage', { sessionKey: ctx.sessionKey, stage, action, durationMs });

  readonly onPipelineComplete = (ctx: MsgContext, result: PipelineResult): void =>
    this.#events.emit('pipeline:complete', {
      sessionKey: ctx.sessionKey,
      success: result.success,
      durationMs: result.durationMs,
      stages: result.stagesExecuted,
    });

  readonly onPipelineError = (ctx: MsgContext, error: unknown, errorId: string): void =>
    this.#events.emit('pipeline:error', {
      sessionKey: ctx.sessionKey,
      errorId,
      error: noAnswerIn(error)?.message ?? error,
    });
}

/** One observer for several. One that throws is reported and keeps neither the others nor the message from going on. */
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
