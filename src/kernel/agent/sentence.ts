import type { Choice } from '../chat/message.ts';
import type { Locale } from '../locale.ts';

export interface SentenceCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A message of a person with the context for parsing it. */
export interface Sentence {
  readonly text: string;
  readonly locale: Locale;
  /** The date in the person's zone. Undefined: trades get no date. */
  readonly today: Temporal.PlainDate | undefined;
  /** Earlier calls of the conversation, newest last, for follow-ups such as `and Tesla?`. */
  readonly calls: readonly EarlierCall[];
}

export interface EarlierCall extends SentenceCall {
  /** It was carried out: what it recorded stands. */
  readonly isDone?: boolean;
}

/**
 * The reply if there is no tool to call or something is missing. With calls (`weekly`, `movers`, `premium`, `entries`) it
 * is added to their results.
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
  /** About the person's ledger entries. */
  | 'entries'
  | 'undo-all'
  | 'undo-which'
  | 'how-many'
  | 'number'
  | 'no-such-day'
  | 'future-day'
  | 'loss'
  /** Questions about the bot. `real`: the prices are from a market; `sample`: they are not. */
  | 'real'
  | 'sample'
  | 'free'
  | 'key'
  | 'model'
  | 'cost'
  | 'delete'
  | 'privacy'
  | 'zone'
  | 'start'
  | 'help'
  | 'cannot'
  | 'operator'
  /** Near: the buttons say what may be meant. */
  | 'guess'
  /** Explains a term in `said`. */
  | 'term'
  /** Added to a move and its headlines. */
  | 'why'
  /** Messages go nowhere else: 카톡으로 알려줘. */
  | 'elsewhere'
  /** An alert was set once more with another value. */
  | 'also-set'
  /** What was recorded is not changed by words. */
  | 'recorded'
  | 'unknown';

/** Converts the quoted prices: to a number of units, or to another currency. */
export interface SentenceWorth {
  /** Decimal as text. */
  readonly pieces?: string;
  readonly currency?: string;
}

/** A kind of request, shown as an example if a message was not understood. */
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

/** A command that does what was asked for, answered to one person alone. */
export interface OwnCommand {
  readonly command: string;
  /** It changes records, so nobody else may send it by mistake. */
  readonly isGuarded: boolean;
}

/** The parsed message. Without calls there is always a `talk`; `unknown` if it was not understood. */
export interface SentenceReading {
  readonly calls: readonly SentenceCall[];
  readonly talk?: SentenceTalk;
  /** The named instrument as written, for use in examples. */
  readonly about?: string;
  /** Similar requests that the bot understands, nearest first. */
  readonly near?: readonly SentenceHint[];
  /** If all calls are about the person's own data: the commands for a chat that others read. */
  readonly own?: readonly OwnCommand[];
  /** A conversion to apply to the quotes. */
  readonly worth?: SentenceWorth;
  /** The part that was not understood, if another part was; for `number`, the number. */
  readonly missed?: string;
  /** Commands below the answer. */
  readonly choices?: readonly Choice[];
  /** The explanation of a term. */
  readonly said?: string;
}

/** Port: parses messages by rules, with the parsers of the features. */
export type ReadSentence = (sentence: Sentence, signal: AbortSignal) => Promise<SentenceReading>;
