import type { AgentId } from './ids.ts';

/** How far a message gets: on to the next stage, done early, at rest until a person decides, or failed. */
export type StageResult<T> =
  | { readonly action: 'continue'; readonly data: T }
  | { readonly action: 'skip'; readonly reason: string }
  | { readonly action: 'suspend'; readonly reason: string }
  | { readonly action: 'abort'; readonly reason: string; readonly error?: Error };

export const StageResult = {
  continue: <T>(data: T): StageResult<T> => ({ action: 'continue', data }),
  skip: (reason: string): StageResult<never> => ({ action: 'skip', reason }),
  suspend: (reason: string): StageResult<never> => ({ action: 'suspend', reason }),
  abort: (reason: string, error?: Error): StageResult<never> => ({
    action: 'abort',
    reason,
    ...(error ? { error } : {}),
  }),
} as const;

/** One of the six steps. `execute` is a property, so a stage in the wrong place does not compile. */
export interface PipelineStage<TIn, TOut> {
  readonly name: string;
  readonly execute: (input: TIn, signal: AbortSignal) => Promise<StageResult<TOut>>;
  /** It may be run again with the same input: nothing happens twice by it. */
  readonly isRepeatable?: true;
  /** What the next stage gets when this one fails: the message can be answered without it. */
  readonly degrade?: (input: TIn) => TOut;
}

/** Which agent a message was routed to, and by which rule. */
export interface BindingMatch {
  readonly agentId: AgentId;
  readonly matchedBy: 'peer' | 'channel' | 'account' | 'default';
}

/** How a message ended. `parked`: not at all, the process is going down; it is taken up at the next start. */
export type ProcessOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly errorId: string }
  /** A person has to decide about a tool call first; the message is taken up again after that. */
  | { readonly outcome: 'suspended' }
  /** Its sender wrote something new instead: that one is answered. */
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'parked' };
