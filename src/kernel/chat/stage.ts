import type { AgentId } from '../ids.ts';

/** `skip` ends the message early, `suspend` lets it wait for a person's decision, `abort` fails it. */
export type StageResult<T> =
  | { readonly action: 'continue'; readonly data: T }
  | {
      readonly action: 'skip';
      readonly reason: string;
      /** The command that has answered. */
      readonly command?: string;
    }
  | { readonly action: 'suspend'; readonly reason: string }
  | { readonly action: 'abort'; readonly reason: string; readonly error?: Error };

export const StageResult = {
  continue: <T>(data: T): StageResult<T> => ({ action: 'continue', data }),
  skip: (reason: string, command?: string): StageResult<never> => ({
    action: 'skip',
    reason,
    ...(command !== undefined && { command }),
  }),
  suspend: (reason: string): StageResult<never> => ({ action: 'suspend', reason }),
  abort: (reason: string, error?: Error): StageResult<never> => ({
    action: 'abort',
    reason,
    ...(error ? { error } : {}),
  }),
} as const;

/** `execute` is a property rather than a method, so that a stage in the wrong place does not compile. */
export interface PipelineStage<TIn, TOut> {
  readonly name: string;
  readonly execute: (input: TIn, signal: AbortSignal) => Promise<StageResult<TOut>>;
  /** It is safe to run again with the same input. */
  readonly isRepeatable?: true;
  /** The output if the stage fails, for stages that the answer can do without. */
  readonly degrade?: (input: TIn) => TOut;
}

/** The agent of a message, and the kind of rule that chose it. */
export interface BindingMatch {
  readonly agentId: AgentId;
  readonly matchedBy: 'peer' | 'channel' | 'account' | 'default';
}

/** `parked`: the process is shutting down; the next start processes the message again. */
export type ProcessOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly errorId: string }
  /** Waits for the approval of a tool call. */
  | { readonly outcome: 'suspended' }
  /** Replaced by a newer message of the sender. */
  | { readonly outcome: 'superseded' }
  | { readonly outcome: 'parked' };
