import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import { scanNames } from '#src/language/name-scan.ts';
import { namedBy, sharesOneName } from '#src/language/names.ts';
import { isOrdinaryWord } from '#src/language/name-words.ts';
import { stemsOf } from '#src/language/particles.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import type { MarketQuery } from '#src/kernel/market-queries.ts';
import type { Card, MsgContext } from '#src/kernel/message.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { lookUpByTime } from '#src/platform/cooperative-tasks.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';

/** An answer is read this far: looking up a word costs, and what matters is named early. */
const MAX_WORDS = 400;
const MAX_LOOKUPS = 200;

/** A code of a market, or a word: `BRK.B`, `USD/KRW`, `S&P`, `005930.KS`, `$TSLA`. */
const WORD = /\$?[\p{L}\p{N}]+(?:[.\-/&=^][\p{L}\p{N}]+)*/gu;
const CODE = /^(?:\d{6}(?:\.[A-Z]{2})?|\^?[A-Z][A-Z0-9]*(?:[.\-/=][A-Z0-9]+)*)$/;
/** Two letters and one are shortened words far more often: only `$F`, or one of those that everybody knows. */
const SHORT_CODE = /^[A-Z]{1,2}$/;
const KNOWN_SHORT: ReadonlySet<string> = new Set('BA BX DE GE GM GS HD JD KO MS MU PG VZ'.split(' '));

/** What is counted in, and where it is traded: in an answer they stand beside every price. */
const UNITS: ReadonlySet<string> = new Set(
  (
    '달러 환율 원 원화 엔 엔화 유로 위안 코인 비트 금 은 지수 시장 dollar dollars usd krw eur jpy cny euro yen won yuan coin ' +
    'gold silver oil nasdaq kospi kosdaq nyse krx'
  ).split(' '),
);

/** Names are written large in Latin, and Hangul has no case. One syllable, or one letter, is none. */
const NAME_LIKE = /^(?:\p{Lu}[\p{L}\p{N}]|\p{Script=Hangul}{2})/u;
/** What Korean ends a verb with: no name has it. */
const VERB =
  /(?:니다|세요|어요|아요|해요|하는|되는|있는|없는|하면|되면|하여|으며|하며|지만|면서|하고|했고|었고|았고)$/u;
/** A name goes on in capitals: `Bank of America`, not `Apple fell`. */
const GOES_ON = /^(?:\p{Lu}|\p{N}|\p{Script=Hangul}|(?:of|and|the)$)/u;
const OPEN_END = /^(?:of|and|the)$/u;
const MAX_HANGUL_WORDS = 2;

const isJustWord = (word: string): boolean => isOrdinaryWord(word) || UNITS.has(word.toLowerCase());

/** `SK hynix` goes on in small letters. */
const goesOn = (first: string, others: readonly string[]): boolean =>
  others.every(
    (word) =>
      (GOES_ON.test(word) && !VERB.test(word)) || (/^[A-Z]{2,}$/.test(first) && /^[a-z]{4,}$/.test(word)),
  );

/**
 * What a text names: codes in capitals, `$TSLA`, codes of six digits, and names in full or what everybody calls
 * them. A part of a name is none ("Bank of Korea" is not Bank of America), and neither is a word of every day
 * that some company is called by. In the order of the text, each once.
 */
const instrumentsIn = (text: string, symbols: SymbolSearch): readonly Instrument[] => {
  const found = new Map<string, Instrument>();
  const looked = new Map<string, Instrument | null>();
  const resolve = (query: string): Instrument | null => {
    const before = looked.get(query);
    if (before !== undefined || looked.size >= MAX_LOOKUPS) return before ?? null;
    const match = symbols.resolve(query);
    const choices = match.status === 'ambiguous' ? match.choices : [];
    // Of those of one name the first is meant: the listing at home, the usual class.
    const first = sharesOneName(query, choices) ? choices[0] : undefined;
    const instrument = match.status === 'found' ? match.instrument : (first ?? null);
    looked.set(query, instrument);
    return instrument;
  };

  const byCode = (word: string): Instrument | null => {
    const code = word.replace(/^\$/, '');
    const isMeant = code !== word || !(isJustWord(word) || (SHORT_CODE.test(word) && !KNOWN_SHORT.has(word)));
    if (!CODE.test(code) || !isMeant) return null;
    const instrument = resolve(code);
    return instrument && [instrument.ticker, instrument.symbol].includes(code) ? instrument : null;
  };
  const byName = (name: string, isOneWord: boolean): Instrument | null => {
    if (!NAME_LIKE.test(name) || (isOneWord && isJustWord(name))) return null;
    const instrument = resolve(name);
    const by = instrument && namedBy(name, instrument);
    return by === 'name' || by === 'alias' ? instrument : null;
  };
  const instrumentOf = (run: readonly string[]): Instrument | null => {
    const isOneWord = run.length === 1;
    const [first = '', ...others] = run;
    const isHangul = /^\p{Script=Hangul}/u.test(first);
    // `Target the 200-day line` is not Target Corporation.
    if (!isOneWord && OPEN_END.test(run.at(-1) ?? '')) return null;
    if (VERB.test(first) || (isHangul && run.length > MAX_HANGUL_WORDS) || !goesOn(first, others))
      return null;
    const name = run.join(' ');
    for (const reading of stemsOf(name)) {
      // 나무가: whatever the particle leaves, the word is one.
      if (isOneWord && isJustWord(reading)) return null;
      const instrument = (isOneWord ? byCode(reading) : null) ?? byName(reading, isOneWord);
      if (instrument) return instrument;
    }
    return null;
  };

  const words = [...text.matchAll(WORD).take(MAX_WORDS)].map(([word]) => word);
  scanNames(words, (run) => {
    const instrument = instrumentOf(run);
    if (instrument) found.set(instrument.symbol, found.get(instrument.symbol) ?? instrument);
    return instrument?.symbol ?? null;
  });
  return [...found.values()];
};

interface AttachQuotesDeps {
  readonly markets: { readonly quotes: MarketQuery<readonly string[]> };
  readonly symbols: SymbolSearch;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

interface Quoted {
  /** The answer with the quotes under it, in words. */
  readonly text: string;
  /** Those of the answer, and those of the quotes. */
  readonly facts: readonly Fact[];
  /** The quotes alone, drawn: where a platform can, they stand under the bare answer instead. */
  readonly cards?: readonly Card[];
}

/** Puts live quotes under an answer. Undefined leaves it as it is. Throws on abort alone. */
export type AttachQuotes = (
  answerText: string,
  facts: readonly Fact[],
  ctx: MsgContext,
  signal: AbortSignal,
) => Promise<Quoted | undefined>;

const MAX_QUOTES = 5;
const TIMEOUT_MS = 3_000;
const late = (): Error => new Error('no quotes within 3 s');

export const createAttachQuotes = ({ markets, symbols, clock, logger }: AttachQuotesDeps): AttachQuotes => {
  const instrumentOf = (entity: string): readonly Instrument[] => {
    const match = symbols.resolve(entity);
    return match.status === 'found' && match.instrument.symbol === entity ? [match.instrument] : [];
  };

  /** An answer without words names nothing: then it is about what was looked up, or asked. */
  const wanted = async (
    answerText: string,
    facts: readonly Fact[],
    ctx: MsgContext,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const isBare = answerText.trim() === '';
    const entities = [...new Set(facts.map(({ entity }) => entity))].flatMap(instrumentOf);
    const text = isBare ? ctx.bodyForAgent : answerText;
    const named = await lookUpByTime(symbols, (known) => instrumentsIn(text, known), signal);
    const quoted = new Set(facts.filter(({ metric }) => metric === 'price').map(({ entity }) => entity));
    const found = new Set([...named, ...entities].map(({ symbol }) => symbol));
    // What was quoted in this turn already stands in the answer, where it has any words.
    return [...found].filter((symbol) => isBare || !quoted.has(symbol)).slice(0, MAX_QUOTES);
  };

  return async (answerText, facts, ctx, parent) => {
    using limit = withDeadline(parent, TIMEOUT_MS, clock, late);
    const { signal } = limit;
    try {
      const queries = await wanted(answerText, facts, ctx, signal);
      if (queries.length === 0) return undefined;
      const asking = markets.quotes(queries, ctx, signal);
      const answer = await raceAbort(asking, signal, clock, 0);
      if (answer.found === 0) return undefined;
      const quotes = `${commandMessages(ctx.locale).quotes()}\n\n${answer.content}`;
      return {
        text: [answerText, quotes].filter((part) => part !== '').join('\n\n'),
        facts: [...facts, ...answer.facts],
        ...(answer.cards && { cards: answer.cards.items }),
      };
    } catch (error) {
      parent.throwIfAborted();
      logger.warn('An answer goes out without the quotes it asked for', { inboxId: ctx.inboxId, error });
      return undefined;
    }
  };
};
