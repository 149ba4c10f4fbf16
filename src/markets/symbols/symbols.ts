import { LRUCache } from 'lru-cache';
import type { SymbolMatch, SymbolSearch } from '#src/kernel/market/finance.ts';
import { alternativeMeanings, exactMatch } from './exact-match.ts';
import { brandReadings, completeBrand } from './fund-brands.ts';
import { parseSpokenLetters, fromEnglishLayout, fromKoreanLayout } from './hangul.ts';
import { createInitialsLookup, type InitialsLookup } from './initials-index.ts';
import { isShortPrefix, isPlace, partialMatches } from './partial-match.ts';
import { loadSymbolIndex, primaryListings, ownersOf, type SymbolIndex } from './symbol-index.ts';
import {
  codeKey,
  isInitials,
  isOnlyCompanyForms,
  keyLetters,
  nameWords,
  type QueryForm,
  queryForms,
} from './symbol-key.ts';
import { typoMatches } from './typo-match.ts';
import { matchLabel, matchCode } from './code-match.ts';

interface NoteMatch {
  readonly instruments: readonly number[];
  /** True if not all words match. */
  readonly isHint: boolean;
}

const KIND = 'etn';
const HANGUL = /\p{Script=Hangul}/u;
/** A single word is part of too many names. */
const MIN_HINT_WORDS = 2;

/** Notes whose names contain all words in any order, best known first. */
const notesContaining = (index: SymbolIndex, words: readonly string[], limit: number): readonly number[] => {
  const [longest = ''] = words.map(keyLetters).toSorted((a, b) => b.length - a.length);
  const found = new Set<number>();
  const seen = new Set<number>();
  let place = longest === '' ? -1 : index.keys.indexOf(longest);
  while (place !== -1 && found.size < limit) {
    const owner = index.owners[index.keyAt(place)] ?? 0;
    if (!seen.has(owner)) {
      seen.add(owner);
      const { name, currency } = index.instrumentAt(owner);
      const isNote = currency === 'KRW' && nameWords(name.ko).includes(KIND);
      const text = isNote ? nameWords(name.ko).join('') : '';
      if (isNote && words.every((word) => text.includes(word))) found.add(owner);
    }
    place = index.keys.indexOf(longest, place + 1);
  }
  return [...found].toSorted((a, b) => a - b);
};

/**
 * Finds Korean exchange-traded notes such as `신한 레버리지 WTI ETN`. After Hangul, ETN is the product type and not the
 * ticker of Eaton. If no name has all words, the best matches on the leading words are returned as a hint.
 */
const matchNote = (index: SymbolIndex, query: string, limit: number): NoteMatch | null => {
  const all = nameWords(query);
  // `(H)` marks the hedged series, a different note.
  const series = all.filter((word) => /^[a-z]$/u.test(word));
  const words = all.filter((word) => word !== KIND && !series.includes(word));
  if (!all.includes(KIND) || !HANGUL.test(query) || words.length === 0) return null;
  for (let count = words.length; count > 0; count -= 1) {
    const isHint = count < words.length;
    if (isHint && count < MIN_HINT_WORDS) break;
    const instruments = notesContaining(index, words.slice(0, count), limit);
    const ofSeries = instruments.filter((each) => {
      const named = nameWords(index.instrumentAt(each).name.ko);
      return series.every((letter) => named.includes(letter));
    });
    if (ofSeries.length > 0 && !isHint) return { instruments: ofSeries, isHint };
    if (instruments.length > 0) return { instruments, isHint: true };
  }
  return null;
};

const MAX_TYPED_LENGTH = 100;
const MIN_PART = 2;
const ONLY_INITIALS = /^[A-S]{2,}$/;

/**
 * Completions of a partial query: exact matches, prefixes, initials, then substrings; best known first within each
 * group. Stops at `limit`.
 */
const suggestSymbols = (
  index: SymbolIndex,
  initials: InitialsLookup,
  typed: string,
  limit: number,
): readonly number[] => {
  if (typed.length > MAX_TYPED_LENGTH || limit <= 0) return [];
  const found = new Set<number>();
  const add = (instruments: readonly number[]): void => {
    for (const instrument of instruments) if (found.size < limit) found.add(instrument);
  };
  /** Codes match only as prefixes. */
  const addMatches = (pattern: string, shift: number): void => {
    let place = index.keys.indexOf(pattern);
    while (place !== -1 && found.size < limit) {
      const key = index.keyAt(place + shift);
      if (shift === 1 || !index.isCode(key)) found.add(index.owners[key] ?? 0);
      place = index.keys.indexOf(pattern, place + 1);
    }
  };

  const readings = [typed, ...completeBrand(typed)];
  const queries = [...new Set(readings.flatMap(queryForms).map(({ letters }) => letters))];
  // An empty query shows the best-known instruments; punctuation alone shows none.
  if (queries.length === 0) {
    const count = typed.trim() === '' ? Math.min(limit, index.instruments) : 0;
    return Array.from({ length: count }, (_, instrument) => instrument);
  }
  add(ownersOf(index, index.exactKeys(codeKey(typed)).filter(index.isCode)));
  for (const query of queries) add(ownersOf(index, index.exactKeys(query)));
  for (const query of queries) {
    addMatches(`|${query}`, 1);
    if (ONLY_INITIALS.test(query)) add(initials(query, limit));
    if (query.length >= MIN_PART) addMatches(query, 0);
  }
  return [...found];
};

const MAX_QUERY_LENGTH = 100;
const MAX_CHOICES = 8;
const MAX_SUGGESTIONS = 5;
const ONLY_DIGITS = /^\d+$/;

/** A `SymbolMatch` by instrument number. */
interface NumberedMatch {
  readonly status: SymbolMatch['status'];
  readonly instruments: readonly number[];
}

const UNKNOWN: NumberedMatch = { status: 'unknown', instruments: [] };

const choose = (instruments: readonly number[]): NumberedMatch =>
  instruments.length === 1 ? { status: 'found', instruments } : { status: 'ambiguous', instruments };

/** Decodes a query typed in the wrong keyboard mode. Only exact names and codes count. */
const matchKeyboardLayout = (index: SymbolIndex, query: string): NumberedMatch | null => {
  const inLatin = fromKoreanLayout(query);
  const readings = inLatin === undefined ? fromEnglishLayout(query).map(keyLetters) : [inLatin];
  for (const reading of readings) {
    const instruments = primaryListings(index, ownersOf(index, index.exactKeys(reading)));
    if (instruments.length > 0) return choose(instruments);
  }
  return null;
};

/** Companies whose name is these letters, spelled out in Korean: 엘지 is also LG. */
const spokenCompanies = (index: SymbolIndex, { text }: QueryForm): readonly number[] => {
  const letters = parseSpokenLetters(text);
  if (letters === undefined) return [];
  const names = index.exactKeys(letters).filter((key) => !index.isCode(key) && !index.isAlias(key));
  return primaryListings(index, ownersOf(index, names));
};

/** Several prefix matches are ambiguous. A word inside names (전자, energy) or a country is only a hint. */
const partialMatch = (index: SymbolIndex, form: QueryForm): NumberedMatch | null => {
  const { starting, containing, identified } = partialMatches(index, form, MAX_CHOICES);
  const houses = spokenCompanies(index, form);
  // A short query may be the ticker of a company that is not in the index.
  if (identified !== undefined && houses.length === 0 && !isShortPrefix(form)) return choose([identified]);
  const named = [...new Set([...houses, ...starting])].toSorted((a, b) => a - b);
  if (named.length > 1 && !isPlace(form.text)) return choose(named);
  const instruments = [...named, ...containing];
  return instruments.length > 0 ? { status: 'unknown', instruments } : null;
};

const SAYS_COIN = /^(.*\S)\s*(?:코인|토큰|coin|token)$/iu;

/** `hype coin` means only the coin of that code or name. */
const coinMatch = (index: SymbolIndex, query: string): NumberedMatch | null => {
  const [, name = ''] = SAYS_COIN.exec(query.trim()) ?? [];
  const called = queryForms(name).flatMap(({ letters }) => ownersOf(index, index.exactKeys(letters)));
  const coins = primaryListings(
    index,
    called.filter((each) => index.instrumentAt(each).assetClass === 'crypto'),
  );
  return coins.length > 0 ? choose(coins) : null;
};

const SAYS_FUTURE = /^(.*\S)\s*(?:선물|futures?)$/iu;

/** For an unlisted future, its underlying is a hint and never the answer. */
const futureHint = (index: SymbolIndex, query: string): NumberedMatch | null => {
  const [, name] = SAYS_FUTURE.exec(query.trim()) ?? [];
  const exact = name === undefined ? null : exactMatch(index, queryForms(name), name);
  return exact && { status: 'unknown', instruments: exact.instruments };
};

/** Matches a fund whose brand is spelled in Hangul or by its former name. */
const brandMatch = (index: SymbolIndex, query: string): NumberedMatch | null => {
  const { certain, possible } = brandReadings(query);
  for (const reading of [...certain, ...possible]) {
    const exact = exactMatch(index, queryForms(reading), reading);
    if (exact) return choose(exact.instruments);
  }
  return null;
};

const partialBrandMatch = (index: SymbolIndex, query: string): NumberedMatch | null => {
  const [form] = brandReadings(query).certain.flatMap(queryForms);
  return form ? partialMatch(index, form) : null;
};

/** Funds of a brand that is also a word are only a hint. */
const brandHints = (index: SymbolIndex, query: string): readonly number[] =>
  brandReadings(query)
    .possible.flatMap(queryForms)
    .map((form) => partialMatches(index, form, MAX_SUGGESTIONS).starting)
    .find((starting) => starting.length > 0) ?? [];

const resolveQuery = (index: SymbolIndex, initials: InitialsLookup, query: string): NumberedMatch => {
  if (query.length > MAX_QUERY_LENGTH) return UNKNOWN;
  const written = matchCode(index, query);
  if (written) return written.instruments.length > 0 ? choose(written.instruments) : UNKNOWN;

  const forms = queryForms(query);
  const form = forms.at(-1);
  const exact = exactMatch(index, forms, query);
  if (exact) return choose([...new Set([...exact.instruments, ...alternativeMeanings(index, forms, exact)])]);
  // `Inc.` and bare numbers are part of too many names.
  if (!form || isOnlyCompanyForms(query) || ONLY_DIGITS.test(form.letters)) return UNKNOWN;
  const note = matchNote(index, query, MAX_CHOICES);
  // A note with a similar name may belong to another series, so it is only suggested.
  if (note && (note.isHint || note.instruments.length === 1))
    return { ...UNKNOWN, instruments: note.instruments };
  if (note) return choose(note.instruments);
  const coin = coinMatch(index, query) ?? futureHint(index, query);
  if (coin) return coin;
  const branded = brandMatch(index, query);
  if (branded) return branded;
  const labelled = matchLabel(index, query);
  if (labelled?.isHint) return { status: 'unknown', instruments: labelled.instruments };
  if (labelled) return choose(labelled.instruments);
  const layout = matchKeyboardLayout(index, query) ?? partialBrandMatch(index, query);
  if (layout) return layout;
  if (isInitials(form.letters))
    return { status: 'unknown', instruments: initials(form.letters, MAX_SUGGESTIONS) };
  const part = partialMatch(index, form);
  if (part) return part;
  const hints = brandHints(index, query);
  return { status: 'unknown', instruments: hints.length > 0 ? hints : typoMatches(index, form) };
};

const matchIn = (index: SymbolIndex, initials: InitialsLookup, query: string): SymbolMatch => {
  const { status, instruments } = resolveQuery(index, initials, query);
  const limit = status === 'unknown' ? MAX_SUGGESTIONS : MAX_CHOICES;
  const [first, ...others] = instruments.slice(0, limit).map(index.instrumentAt);
  if (status === 'unknown' || !first)
    return { status: 'unknown', suggestions: first ? [first, ...others] : [] };
  return status === 'found' ? { status, instrument: first } : { status, choices: [first, ...others] };
};

/** People ask for the same names, and the words of a sentence are looked up several times. */
const MAX_REMEMBERED = 1_000;
const MAX_REMEMBERED_CHARS = 60;

interface Lookups {
  readonly index: SymbolIndex;
  readonly initials: InitialsLookup;
  readonly matches: LRUCache<string, SymbolMatch>;
}

const lookupsByIndex = new WeakMap<SymbolIndex, Lookups>();

/** The same for all searches of an index, because nothing changes it. */
const lookupsOf = (index: SymbolIndex): Lookups => {
  const lookups = lookupsByIndex.get(index) ?? {
    index,
    initials: createInitialsLookup(index),
    matches: new LRUCache<string, SymbolMatch>({ max: MAX_REMEMBERED }),
  };
  lookupsByIndex.set(index, lookups);
  return lookups;
};

/** Search over all names and codes. The index is loaded on first use. */
export const createSymbolSearch = (read: () => SymbolIndex = loadSymbolIndex): SymbolSearch => {
  let loaded: Lookups | undefined;
  const load = (): Lookups => (loaded ??= lookupsOf(read()));

  return {
    resolve: (query): SymbolMatch => {
      const { index, initials, matches } = load();
      const match = matches.get(query) ?? matchIn(index, initials, query);
      if (query.length <= MAX_REMEMBERED_CHARS) matches.set(query, match);
      return match;
    },
    suggest: (typed, limit) => {
      const { index, initials } = load();
      return suggestSymbols(index, initials, typed, limit).map(index.instrumentAt);
    },
  };
};
