import type { SentenceCall, SentenceTalk, SentenceWorth } from '#src/kernel/agent/sentence.ts';

export interface Call extends SentenceCall {
  readonly kind: 'call';
  /** A sentence to add to the answer. */
  readonly beside?: SentenceTalk;
  readonly worth?: SentenceWorth;
}

/** The meaning of a message, or of a part of one, for the offline model. */
export type Intent =
  | Call
  | {
      readonly kind: SentenceTalk;
      /** The part of the message that could not be read. */
      readonly typed?: string;
    };

/** Undefined inputs are left out, so that the tool uses its defaults. */
export const call = (tool: string, input: Readonly<Record<string, unknown>>): Call => ({
  kind: 'call',
  tool,
  input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
});
