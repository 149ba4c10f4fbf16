import type { Locale } from './locale.ts';

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

/**
 * What is said where there is nothing to call, or something is missing; with calls (`weekly`, `movers`, `premium`, `entries`) it is said
 * beside their results.
 */
export type SentenceTalk =
  | 'greeting'
  | 'thanks'
  | 'bye'
  | 'idle'
  | 'who'
  | 'complaint'
  | 'language'
  | 'which'
  | 'which-day'
  | 'which-way'
  | 'advice'
  | 'trade'
  | 'alert'
  | 'when'
  | 'now'
  | 'weekly'
  | 'movers'
  | 'premium'
  | 'covers'
  /** Something about the person's own entries. */
  | 'entries'
  | 'undo-all'
  | 'undo-which'
  | 'how-many'
  | 'number'
  | 'no-such-day'
  | 'future-day'
  | 'loss'
  | 'unknown';

/** What the quotes of a message are to be told as, too: so many pieces, or in other money. */
export interface SentenceWorth {
  /** Decimal as text. */
  readonly pieces?: string;
  readonly currency?: string;
}

/** Something that can be asked for: an example of it is shown to who asked for something else. */
export type SentenceHint =
  | 'quote'
  | 'chart'
  | 'news'
  | 'figures'
  | 'history'
  | 'compare'
  | 'convert'
  | 'calculate'
  | 'hours'
  | 'time'
  | 'market'
  | 'crypto'
  | 'portfolio'
  | 'trade'
  | 'alert'
  | 'briefing'
  | 'watchlist'
  | 'earnings';

/** What a message asks for, in its order. Without calls there is a talk: what is not understood is `unknown`. */
export interface SentenceReading {
  readonly calls: readonly SentenceCall[];
  readonly talk?: SentenceTalk;
  /** What the message names, as it was written: examples are given with it. */
  readonly about?: string;
  /** What can be done that is nearest to what was asked, the nearest first. */
  readonly near?: readonly SentenceHint[];
  /** What is worked out from the quotes, once they are there. */
  readonly worth?: SentenceWorth;
  /** The part of the message that was not understood, where another part was; of `number` the number. */
  readonly missed?: string;
}

/** Port: understands messages by rules, with the readers of the features themselves. */
export type ReadSentence = (sentence: Sentence, signal: AbortSignal) => Promise<SentenceReading>;
