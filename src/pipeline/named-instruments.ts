import type { Instrument, SymbolSearch } from '#src/core/finance.ts';
import { scanNames } from '#src/core/name-scan.ts';

/** An answer is read this far: looking up a word costs, and what matters is named early. */
const MAX_WORDS = 400;
const MAX_LOOKUPS = 600;

/** A code of a market, or a word: `BRK.B`, `USD/KRW`, `S&P`, `005930.KS`, `$TSLA`. */
const WORD = /\$?[\p{L}\p{N}]+(?:[.\-/&=^][\p{L}\p{N}]+)*/gu;
const CODE = /^(?:\d{6}(?:\.[A-Z]{2})?|\^?[A-Z][A-Z0-9]*(?:[.\-/=][A-Z0-9]+)*)$/;
/** Codes of companies that are words of their own in every other text about markets: only `$AI` means the company. */
const WORDS_TOO: ReadonlySet<string> = new Set(
  (
    'A AI ALL ARE BE BY C CAN CEO DD EPS ETF EU F FOR FX HAS IPO IT K KEY LOW M NOW O ON OPEN OR PE PER REAL ROE ' +
    'SEE SO T TV UK UP US USA V X'
  ).split(' '),
);

/** Names are written large in Latin, and Hangul has no case. */
const NAME_LIKE = /^[\p{Lu}\p{Script=Hangul}]/u;
const HANGUL = /^\p{Script=Hangul}/u;
const PARTICLE =
  /(?:에서는|에서도|이라는|으로는|입니다|에서|에게|에는|에도|으로|이나|이고|라는|부터|까지|처럼|보다|하고|이랑|을|를|이|가|은|는|의|에|로|와|과|도|만|랑)$/u;
const COMPANY_FORM = /\b(?:the|incorporated|inc|corporation|corp|company|co|limited|ltd|llc|plc)\b\.?/giu;

const keyOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(COMPANY_FORM, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

/**
 * What a text names: codes in capitals, `$TSLA`, codes of six digits, and names in full. Only what is exactly a
 * code or a name counts: "Bank of Korea" is not Bank of America. In the order of the text, each once.
 */
export const instrumentsIn = (text: string, symbols: SymbolSearch): readonly Instrument[] => {
  const found = new Map<string, Instrument>();
  let lookups = 0;
  const resolve = (query: string): Instrument | null => {
    lookups += 1;
    if (lookups > MAX_LOOKUPS) return null;
    const match = symbols.resolve(query);
    return match.status === 'found' ? match.instrument : null;
  };

  const byCode = (word: string): Instrument | null => {
    const code = word.replace(/^\$/, '');
    if (!CODE.test(code) || (code === word && WORDS_TOO.has(word))) return null;
    const instrument = resolve(code);
    return instrument && [instrument.ticker, instrument.symbol].includes(code) ? instrument : null;
  };
  const byName = (name: string): Instrument | null => {
    const instrument = resolve(name);
    if (!instrument) return null;
    const key = keyOf(name);
    const names = [instrument.name.en, instrument.name.ko].map(keyOf);
    // What is found, but does not begin a name, is what Koreans also call it (네이버, 삼전).
    const isAlias = HANGUL.test(name) && !names.some((known) => known.startsWith(key));
    return isAlias || names.includes(key) ? instrument : null;
  };
  const instrumentOf = (run: readonly string[]): Instrument | null => {
    const [first = ''] = run;
    const code = run.length === 1 ? byCode(first) : null;
    if (code || !NAME_LIKE.test(first)) return code;
    const name = run.join(' ');
    const bare = name.replace(PARTICLE, '');
    return byName(name) ?? (bare === name || bare === '' ? null : (byCode(bare) ?? byName(bare)));
  };

  const words = Array.from(text.matchAll(WORD), ([word]) => word).slice(0, MAX_WORDS);
  scanNames(words, (run) => {
    const instrument = instrumentOf(run);
    if (instrument) found.set(instrument.symbol, found.get(instrument.symbol) ?? instrument);
    return instrument?.symbol ?? null;
  });
  return [...found.values()];
};
