import type { Locale } from './i18n.ts';

/** A tool that is to be called, and with what. */
export interface SentenceCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A message of a person, and what was before it as far as it matters. */
export interface Sentence {
  readonly text: string;
  readonly locale: Locale;
  /** Where the person is; without it no trade is dated. */
  readonly today: Temporal.PlainDate | undefined;
  /** The calls of the conversation so far, the newest last: `and Tesla?` asks the same again. */
  readonly calls: readonly SentenceCall[];
}

/** What is said instead where there is nothing to call, or something is missing. */
export type SentenceTalk =
  | 'greeting'
  | 'thanks'
  | 'which'
  | 'advice'
  | 'trade'
  | 'alert'
  | 'when'
  | 'now'
  | 'unknown';

/** What a message asks for, in its order. Never empty: what is not understood is `unknown`. */
export interface SentenceReading {
  readonly calls: readonly SentenceCall[];
  readonly talk?: SentenceTalk;
}

/** Port: understands messages by rules, with the readers of the features themselves. */
export type ReadSentence = (sentence: Sentence, signal: AbortSignal) => Promise<SentenceReading>;
