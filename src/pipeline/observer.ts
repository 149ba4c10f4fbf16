import { NoAnswerError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import type { MsgContext } from '#src/core/message.ts';

export interface PipelineResult {
  readonly success: boolean;
  readonly stagesExecuted: readonly string[];
  readonly durationMs: number;
  /** Where and why it ended before the last stage. */
  readonly endedAt?: string;
  readonly reason?: string;
}

/** Watches the pipeline; cannot change it. */
export interface PipelineObserver {
  readonly onPipelineStart?: (ctx: MsgContext) => void;
  readonly onStageComplete?: (ctx: MsgContext, stage: string, action: string, durationMs: number) => void;
  readonly onPipelineComplete?: (ctx: MsgContext, result: PipelineResult) => void;
  readonly onPipelineError?: (ctx: MsgContext, error: unknown, errorId: string) => void;
}

/** Why there was no answer, where that is known: its causes were logged where they happened. */
const noAnswerIn = (error: unknown): NoAnswerError | undefined => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof NoAnswerError ? cause : undefined;
};

/** Reports everything as events, which the logger and the metrics read. */
export class DefaultPipelineObserver implements PipelineObserver {
  readonly #events: Events;

  constructor(events: Events) {
    this.#events = events;
  }

  readonly onPipelineStart = (ctx: MsgContext): void =>
    this.#events.emit('pipeline:start', { sessionKey: ctx.sessionKey, inboxId: ctx.inboxId });

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
