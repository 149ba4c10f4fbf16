import type { InboxId, Timestamp } from '../ids.ts';
import type { TurnContext } from '../chat/message.ts';
import type { Fact } from '../market/fact.ts';

/** A fact that a number of an answer rests on. */
export interface FactSource {
  readonly fact: Fact;
  /** What people call its entity, as far as any fact of the conversation says it. */
  readonly names: readonly string[];
  /** Empty if it is no longer known. */
  readonly tool: string;
}

/** A number that went into a calculation, with the fact of the same value, if there is one. */
export interface SourceOperand {
  readonly value: string;
  readonly source?: FactSource;
}

/** Where one number of an answer comes from. `text` is the number as the answer writes it. */
export type NumberSource = { readonly text: string } & (
  | { readonly kind: 'fact'; readonly source: FactSource }
  | {
      readonly kind: 'calculated';
      /** Absent: it follows from other numbers of the answer. */
      readonly formula?: string;
      readonly operands: readonly SourceOperand[];
      /** The fact of the calculation, if a tool made it. */
      readonly source?: FactSource;
    }
  /** In the words of whoever asked. */
  | { readonly kind: 'asked' }
  /** Only in an earlier answer, which may have calculated it. */
  | { readonly kind: 'answered' }
  /** In a page, a file or another untyped text. */
  | { readonly kind: 'read' }
  /** It rests on account data, which a shared chat must not show. */
  | { readonly kind: 'private' }
  | { readonly kind: 'unknown' }
);

/** The numbers of an answer with their sources. */
export interface ExplainedAnswer {
  readonly answeredAt: Timestamp;
  /** Whoever wants to know has asked the question too. */
  readonly isOwn: boolean;
  /** Each number once for each of its sources, in order of the answer. */
  readonly numbers: readonly NumberSource[];
  /** Numbers that need no source: list numbers, periods, parameters, parts of names. */
  readonly exemptCount: number;
  /** Numbers that were too many to check. */
  readonly uncheckedCount: number;
}

/**
 * `none`: there is no answer yet. `gone`: its conversation is no longer kept. `other`: the message that was meant is no
 * answer to a question.
 */
export type Explanation =
  | ({ readonly status: 'found' } & ExplainedAnswer)
  | { readonly status: 'none' | 'gone' | 'other' };

/** Port: where the numbers of an answer come from. */
export interface AnswerSources {
  /**
   * Explains the answer to this message; without it, the answer that the person replies to, or else the last answer to
   * the person, or else the last one of the conversation.
   */
  readonly explain: (ctx: TurnContext, answered?: InboxId) => Promise<Explanation>;
}
