import type { SentenceTalk, SentenceWorth } from '#src/kernel/sentence.ts';

/** A tool that is to be called, and with what. */
export interface Call {
  readonly kind: 'call';
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What is said beside the answer. */
  readonly beside?: SentenceTalk;
  readonly worth?: SentenceWorth;
}

/** What is undefined is left out: a tool takes its own usual value then. */
export const call = (tool: string, input: Readonly<Record<string, unknown>>): Call => ({
  kind: 'call',
  tool,
  input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
});
