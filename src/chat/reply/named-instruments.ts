import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import { scanNames } from '#src/language/name-scan.ts';
import { sharesOneName, namedBy } from '#src/language/names.ts';
import { isOrdinaryWord } from '#src/language/name-words.ts';
import { stemsOf } from '#src/language/particles.ts';

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
export const instrumentsIn = (text: string, symbols: SymbolSearch): readonly Instrument[] => {
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
