import type { InboxId } from '../ids.ts';

export const VERDICTS = ['up', 'down'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Where people are asked what they think of a model's answer. `direct`: in direct chats. */
export const FEEDBACK_MODES = ['off', 'direct', 'on'] as const;
export type FeedbackMode = (typeof FEEDBACK_MODES)[number];

/** The model that wrote an answer. */
export interface AnsweringModel {
  readonly provider: string;
  readonly model: string;
}

/** An answer that people may rate. It is stored with its last part, so that a button works after a restart. */
export interface RatedAnswer extends Partial<AnsweringModel> {
  /** The message that was answered. */
  readonly answerId: InboxId;
}
