import type { Card } from '#src/kernel/chat/card.ts';
import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { scanNames } from '#src/reading/name-scan.ts';
import { namedBy, sharesOneName } from '#src/reading/names.ts';
import { isOrdinaryWord } from '#src/reading/name-words.ts';
import { stemsOf } from '#src/reading/particles.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { MarketQuery } from '#src/kernel/chat/answer.ts';
import type { Choice, TurnContext } from '#src/kernel/chat/message.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { lookUpByTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Uses } from '#src/platform/services.ts';

/** Only the start of an answer is searched, because look-ups are expensive. */
const MAX_WORDS = 400;
const MAX_LOOKUPS = 200;

/** A market code or a word: `BRK.B`, `USD/KRW`, `S&P`, `005930.KS`, `$TSLA`. */
const WORD = /\$?[\p{L}\p{N}]+(?:[.\-/&=^][\p{L}\p{N}]+)*/gu;
const CODE = /^(?:\d{6}(?:\.[A-Z]{2})?|\^?[A-Z][A-Z0-9]*(?:[.\-/=][A-Z0-9]+)*)$/;
/** One or two letters are usually abbreviations, so only `$F` and well-known codes count. */
const SHORT_CODE = /^[A-Z]{1,2}$/;
const KNOWN_SHORT: ReadonlySet<string> = new Set('BA BX DE GE GM GS HD JD KO MS MU PG VZ'.split(' '));

/** Units and exchanges, which appear beside every price. */
const UNITS: ReadonlySet<string> = new Set(
  (
    '달러 환율 원 원화 엔 엔화 유로 위안 코인 비트 금 은 지수 시장 dollar dollars usd krw eur jpy cny euro yen won yuan coin ' +
    'gold silver oil nasdaq kospi kosdaq nyse krx'
  ).split(' '),
);

/** A capitalized Latin word or Hangul, of at least two characters. */
const NAME_LIKE = /^(?:\p{Lu}[\p{L}\p{N}]|\p{Script=Hangul}{2})/u;
/** Korean verb endings, which no name has. */
const VERB =
  /(?:니다|세요|어요|아요|해요|하는|되는|있는|없는|하면|되면|하여|으며|하며|지만|면서|하고|했고|었고|았고)$/u;
/** A name continues with capitalized words: `Bank of America`, not `Apple fell`. */
const GOES_ON = /^(?:\p{Lu}|\p{N}|\p{Script=Hangul}|(?:of|and|the)$)/u;
const OPEN_END = /^(?:of|and|the)$/u;
const MAX_HANGUL_WORDS = 2;

const isJustWord = (word: string): boolean => isOrdinaryWord(word) || UNITS.has(word.toLowerCase());

/** `SK hynix` continues in lower case. */
const goesOn = (first: string, others: readonly string[]): boolean =>
  others.every(
    (word) =>
      (GOES_ON.test(word) && !VERB.test(word)) || (/^[A-Z]{2,}$/.test(first) && /^[a-z]{4,}$/.test(word)),
  );

/**
 * The instruments named in a text, in order, each once: by codes in capitals, `$TSLA`, six-digit codes, full names and
 * common names. Parts of names ("Bank of Korea" is not Bank of America) and ordinary words that are also company names do
 * not count.
 */
const instrumentsIn = (text: string, symbols: SymbolSearch): readonly Instrument[] => {
  const found = new Map<string, Instrument>();
  const looked = new Map<string, Instrument | null>();
  const resolve = (query: string): Instrument | null => {
    const before = looked.get(query);
    if (before !== undefined || looked.size >= MAX_LOOKUPS) return before ?? null;
    const match = symbols.resolve(query);
    const choices = match.status === 'ambiguous' ? match.choices : [];
    // Among instruments with the same name, the first is the home listing or the usual share class.
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
      // 나무가: an ordinary word with a particle.
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

interface AttachQuotesDeps extends Uses<'clock' | 'logger' | 'symbols'> {
  readonly markets: { readonly quotes: MarketQuery<readonly string[]> };
}

interface Quoted {
  /** The answer with the quotes below it as text. */
  readonly text: string;
  /** The facts of the answer and of the quotes. */
  readonly facts: readonly Fact[];
  /** The quotes as cards, for platforms that show them below the bare answer. */
  readonly cards?: readonly Card[];
  /** Controls for the only instrument that the answer is about. */
  readonly controls?: readonly Choice[];
}

/** Adds live quotes to an answer. Undefined: the answer stays as it is. Throws only on abort. */
export type AttachQuotes = (
  answerText: string,
  facts: readonly Fact[],
  ctx: TurnContext,
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

  /** An empty answer names nothing: then the question and the facts decide. */
  const wanted = async (
    answerText: string,
    facts: readonly Fact[],
    ctx: TurnContext,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const isBare = answerText.trim() === '';
    const entities = [...new Set(facts.map(({ entity }) => entity))].flatMap(instrumentOf);
    const text = isBare ? ctx.bodyForAgent : answerText;
    const named = await lookUpByTime(symbols, (known) => instrumentsIn(text, known), signal);
    // A price with a day is that of a history, not a quote.
    const quotes = facts.filter(({ metric, day }) => metric === 'price' && day === undefined);
    const quoted = new Set(quotes.map(({ entity }) => entity));
    const found = new Set([...named, ...entities].map(({ symbol }) => symbol));
    // Quotes of this turn are already in the answer, unless it is empty.
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
      const { choices } = answer;
      const isOfOne = new Set([...facts, ...answer.facts].map(({ entity }) => entity)).size === 1;
      const quotes = `${commandTexts(ctx.locale).quotes()}\n\n${answer.content}`;
      return {
        text: [answerText, quotes].filter((part) => part !== '').join('\n\n'),
        facts: [...facts, ...answer.facts],
        ...(answer.cards && { cards: answer.cards.items }),
        ...(isOfOne && choices && { controls: choices }),
      };
    } catch (error) {
      parent.throwIfAborted();
      logger.warn('An answer is sent without the requested quotes', { inboxId: ctx.inboxId, error });
      return undefined;
    }
  };
};
