import type { Instrument, SymbolMatch, SymbolSearch } from '#src/core/finance.ts';
import { editDistance } from '#src/core/edit-distance.ts';
import { createSymbolSuggestions } from './suggest-symbols.ts';
import { marketCodesOf, symbolForms } from './symbol-key.ts';

interface SymbolEntry {
  readonly instrument: Instrument;
  readonly aliases: readonly string[];
}

interface NameKey {
  readonly instrument: Instrument;
  readonly key: string;
  readonly jamo: string;
  /** What the name begins with, word by word: `berkshire`, `berkshirehathaway`. */
  readonly beginnings: readonly string[];
}

const MAX_QUERY_LENGTH = 100;
const MAX_CHOICES = 8;
const MAX_SUGGESTIONS = 5;

const LATIN = /^[a-z0-9]+$/u;
const MIN_LATIN_PART = 4;
const MIN_LATIN_TYPO = 4;
const HANGUL_SYLLABLE = /[가-힣]/gu;
const MIN_PART = 2;
const MIN_HANGUL_TYPO = 3;

const choose = (instruments: readonly Instrument[]): SymbolMatch | null => {
  const [first, ...others] = instruments;
  if (!first) return null;
  return others.length === 0
    ? { status: 'found', instrument: first }
    : { status: 'ambiguous', choices: instruments.slice(0, MAX_CHOICES) };
};

/**
 * Up to three Latin letters look like a ticker, and the ticker may be of a company that is not in the index
 * (MET is not Meta): they are compared with the beginning of a name only, and one hit is a suggestion.
 */
const isTickerLike = (query: string): boolean => LATIN.test(query) && query.length < MIN_LATIN_PART;

/** Whether a beginning stands for the whole: half of the name, or a whole word of a Latin one. */
const isTelling = (query: string, { key, beginnings }: NameKey): boolean =>
  key.startsWith(query) &&
  (query.length * 2 >= key.length || (LATIN.test(query) && beginnings.includes(query)));

/** Codes are not among `names`: part of a code means nothing. */
const partialMatch = (query: string, names: readonly NameKey[]): SymbolMatch | null => {
  if (query.length < MIN_PART) return null;
  const starting = names.filter(({ key }) => key.startsWith(query));
  const containing = isTickerLike(query) ? [] : names.filter(({ key }) => key.includes(query));
  const hits = [...new Set([...starting, ...containing].map(({ instrument }) => instrument))];
  if (hits.length !== 1) return choose(hits);
  const isFound = !isTickerLike(query) && starting.some((name) => isTelling(query, name));
  return isFound ? choose(hits) : { status: 'unknown', suggestions: hits };
};

/** How many mistakes a query of this kind may have; 0 for those too short to tell a mistake from another name. */
const mistakesAllowed = (query: string): number => {
  if (LATIN.test(query)) return query.replaceAll(/\d/gu, '').length >= MIN_LATIN_TYPO ? 1 : 0;
  return (query.match(HANGUL_SYLLABLE)?.length ?? 0) >= MIN_HANGUL_TYPO ? 2 : 0;
};

/** Hangul is compared letter by letter: 삼송 is one mistake away from 삼성, not a different syllable. */
const typoHits = (query: string, keys: readonly NameKey[]): readonly Instrument[] => {
  const limit = mistakesAllowed(query);
  if (limit === 0) return [];
  const jamo = query.normalize('NFD');
  const near = keys
    .flatMap((candidate) => {
      const distance = editDistance(jamo, candidate.jamo, limit);
      return distance <= limit ? [{ instrument: candidate.instrument, distance }] : [];
    })
    .toSorted((a, b) => a.distance - b.distance);
  return [...new Set(near.map(({ instrument }) => instrument))];
};

const keysOf = (instrument: Instrument, texts: readonly string[]): readonly NameKey[] => {
  const forms = texts.flatMap(symbolForms);
  return [...new Map(forms.map((form) => [form.key, form])).values()].map(({ key, beginnings }) => ({
    instrument,
    key,
    jamo: key.normalize('NFD'),
    beginnings,
  }));
};

/** Put the better known first: where several fit, they are offered in the order of the entries. */
export const createSymbolSearch = (entries: readonly SymbolEntry[]): SymbolSearch => {
  const names = entries.flatMap(({ instrument, aliases }) =>
    keysOf(instrument, [instrument.name.ko, instrument.name.en, ...aliases]),
  );
  const codes = entries.flatMap(({ instrument }) =>
    keysOf(instrument, [instrument.symbol, instrument.ticker]),
  );
  // Not compared by likeness: next to the name of a market, a mistake in the code is another code.
  const marketCodes = entries.flatMap(({ instrument }) => keysOf(instrument, marketCodesOf(instrument)));
  const keys = [...codes, ...names];
  const byKey = Map.groupBy([...keys, ...marketCodes], ({ key }) => key);
  const exactHits = (query: string): readonly Instrument[] => [
    ...new Set(byKey.get(query)?.map(({ instrument }) => instrument)),
  ];

  return {
    suggest: createSymbolSuggestions(() => {
      const ofCodes = codes.map((each) => ({ ...each, isCode: true }));
      const ofNames = names.map((each) => ({ ...each, isCode: false }));
      const byInstrument = Map.groupBy([...ofCodes, ...ofNames], ({ instrument }) => instrument);
      // Entry by entry: the better known goes before a better fitting kind of name.
      return entries.flatMap(({ instrument }) => byInstrument.get(instrument) ?? []);
    }),
    resolve: (rawQuery) => {
      const queries = rawQuery.length > MAX_QUERY_LENGTH ? [] : symbolForms(rawQuery).map(({ key }) => key);
      const exact = queries.map(exactHits).find((hits) => hits.length > 0);
      const query = queries.at(-1);
      if (exact || query === undefined) return choose(exact ?? []) ?? { status: 'unknown', suggestions: [] };
      return (
        partialMatch(query, names) ?? {
          status: 'unknown',
          suggestions: typoHits(query, keys).slice(0, MAX_SUGGESTIONS),
        }
      );
    },
  };
};
