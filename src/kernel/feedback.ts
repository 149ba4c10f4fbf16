import type { Locale } from './locale.ts';
import type { InboxId, PersonRef, Timestamp } from './ids.ts';
import type { MediaAttachment } from './message.ts';
import type { AnsweringModel } from './model.ts';

export const VERDICTS = ['up', 'down'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Where people are asked what they think of a model's answer. `direct`: in direct chats. */
export const FEEDBACK_MODES = ['off', 'direct', 'on'] as const;
export type FeedbackMode = (typeof FEEDBACK_MODES)[number];

/** An answer that people may rate. It is stored with its last part, so that a button works after a restart. */
export interface RatedAnswer extends Partial<AnsweringModel> {
  /** The message that was answered. */
  readonly answerId: InboxId;
}

/** What became of a press, with a sentence for the person who pressed. */
export interface Rating {
  readonly outcome: 'stored' | 'unknown' | 'failed';
  readonly text: string;
}

/** One verdict, for operators. It names nobody. */
export interface ExportedVerdict extends Partial<AnsweringModel> {
  readonly answerId: InboxId;
  readonly channel: string;
  readonly verdict: Verdict;
  readonly at: Timestamp;
}

/** Port: what people think of answers. */
export interface Feedback {
  /** Keeps one verdict for each person and answer: the newest. Never throws. */
  readonly rate: (
    answerId: string,
    verdict: Verdict,
    by: PersonRef & { readonly locale: Locale },
  ) => Promise<Rating>;
  /** All stored verdicts as a file for operators. Undefined if there are none. */
  readonly export: () => Promise<
    { readonly file: MediaAttachment; readonly counts: Readonly<Record<Verdict, number>> } | undefined
  >;
}
