import { LRUCache } from 'lru-cache';
import type { SymbolMatch, SymbolSearch } from '#src/kernel/market/finance.ts';
import { alternativeMeanings, exactMatch } from './exact-match.ts';
import { parseSpokenLetters, fromEnglishLayout, fromKoreanLayout } from './hangul.ts';
import { isShortPrefix, isPlace, partialMatches } from './partial-match.ts';
import {
  loadSymbolIndex,
  primaryListings,
  ownersOf,
  type SymbolIndex,
  KEY,
  lastAtOrBefore,
} from './symbol-index.ts';
import {
  codeKey,
  isInitials,
  isOnlyCompanyForms,
  keyLetters,
  nameWords,
  type QueryForm,
  queryForms,
  isInitialAt,
} from './symbol-key.ts';
import { typoMatches } from './typo-match.ts';
import { matchLabel, matchCode } from './code-match.ts';

/** A brand of Korean funds with its other spellings and former names. */
interface FundBrand {
  readonly brand: string;
  readonly spellings: readonly string[];
  /** Everyday words that count only if the whole query becomes a fund's name. */
  readonly words: readonly string[];
}

const BRANDS: readonly FundBrand[] = [
  { brand: 'KODEX', spellings: ['코덱스', '코댁스'], words: [] },
  { brand: 'TIGER', spellings: ['타이거'], words: [] },
  { brand: 'ACE', spellings: ['KINDEX', '킨덱스'], words: ['에이스'] },
  { brand: 'RISE', spellings: ['KBSTAR', 'KB스타', '케이비스타'], words: ['라이즈'] },
  { brand: 'PLUS', spellings: ['ARIRANG'], words: ['플러스', '아리랑'] },
  { brand: 'SOL', spellings: [], words: ['솔', '쏠', 'SMART', '스마트'] },
  { brand: 'KIWOOM', spellings: ['KOSEF', '코세프'], words: ['키움', '히어로즈'] },
  { brand: 'HANARO', spellings: [], words: ['하나로'] },
  { brand: 'TIME', spellings: ['TIMEFOLIO', '타임폴리오'], words: ['타임'] },
  { brand: 'KoAct', spellings: ['코액트'], words: [] },
  { brand: '1Q', spellings: ['KTOP', '원큐'], words: [] },
  { brand: 'WON', spellings: [], words: ['우리'] },
  { brand: 'UNICORN', spellings: [], words: ['유니콘'] },
  { brand: 'FOCUS', spellings: [], words: ['포커스'] },
];

/** `2배` is written `2X` in the names of funds, and `에스앤피` `S&P`. */
const normalized = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, '')
    .replace(/(?<=[1-4])배$/u, 'x')
    .replace('에스앤피', 's&p');

interface Spelling {
  /** As a query begins with it. */
  readonly start: string;
  /** `current` is not replaced. `possible` counts only if the whole query becomes the name of a fund. */
  readonly kind: 'current' | 'certain' | 'possible';
}

const SPELLINGS: readonly { readonly brand: string; readonly spellings: readonly Spelling[] }[] = BRANDS.map(
  ({ brand, spellings, words }) => ({
    brand,
    spellings: [
      { start: normalized(brand), kind: 'current' },
      ...spellings.map((each) => ({ start: normalized(each), kind: 'certain' }) as const),
      ...words.map((each) => ({ start: normalized(each), kind: 'possible' }) as const),
    ],
  }),
);

/** Names of US indices, before which people leave out 미국. */
const AMERICAN_INDEX = /^(?:s&p|나스닥|다우|배당다우|빅테크|테크|필라델피아|러셀)/u;

const PLACE_FIRST = /^(도쿄|홍콩|런던)(.+)$/u;

/** `홍콩 알리바바` → `알리바바 (홍콩)`. */
const moveCityToEnd = (text: string): readonly string[] => {
  const [, place, rest] = PLACE_FIRST.exec(text) ?? [];
  return place === undefined || rest === undefined ? [] : [`${rest} ${place}`];
};

interface BrandReadings {
  /** Queries with the brand's current spelling. */
  readonly certain: readonly string[];
  /** Queries that count only as the full name of a fund. */
  readonly possible: readonly string[];
}

/** A partial query with the brand's current spelling. */
const completeBrand = (typed: string): readonly string[] => {
  const text = normalized(typed);
  return SPELLINGS.flatMap(({ brand, spellings }) =>
    spellings.flatMap(({ start, kind }) =>
      kind !== 'current' && text.startsWith(start) ? [`${brand}${text.slice(start.length)}`] : [],
    ),
  );
};

/**
 * `코덱스 200` → `KODEX 200`, `KBSTAR 200` → `RISE 200`, `타이거 S&P500` → `TIGER 미국S&P500`. A brand alone matches no
 * fund.
 */
const brandReadings = (query: string): BrandReadings => {
  const text = normalized(query);
  const [certain, possible]: [string[], string[]] = [[], [...moveCityToEnd(text)]];
  for (const { brand, spellings } of SPELLINGS) {
    for (const { start, kind } of spellings) {
      const rest = text.startsWith(start) ? text.slice(start.length) : '';
      if (rest === '') continue;
      if (kind !== 'current') (kind === 'certain' ? certain : possible).push(`${brand} ${rest}`);
      if (AMERICAN_INDEX.test(rest)) possible.push(`${brand} 미국${rest}`);
    }
  }
  return { certain, possible };
};

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

/** Instruments by initials: full matches first, then prefixes. */
type InitialsLookup = (initials: string, limit: number) => readonly number[];

const BAR = KEY.charCodeAt(0);

/** An index of Korean initials, built on first use because many processes never need it. */
const createInitialsLookup = (index: SymbolIndex): InitialsLookup => {
  let text: string | undefined;
  let starts: Uint32Array = new Uint32Array();
  let owners: Uint16Array = new Uint16Array();

  /** A consonant before a vowel starts a syllable. */
  const build = (): string => {
    const { keys, keyCount } = index;
    const text = Buffer.allocUnsafe(keys.length);
    const [places, whose] = [new Uint32Array(keyCount), new Uint16Array(keyCount)];
    let [length, count] = [1, 0];
    text[0] = BAR;
    for (let key = 0; key < keyCount; key += 1) {
      if (index.isCode(key)) continue;
      const start = length;
      const end = (index.starts[key + 1] ?? 0) - 1;
      for (let place = index.starts[key] ?? 0; place < end; place += 1) {
        if (!isInitialAt(keys, place)) continue;
        text[length] = keys.charCodeAt(place);
        length += 1;
      }
      if (length - start < 2) {
        length = start;
        continue;
      }
      text[length] = BAR;
      length += 1;
      places[count] = start;
      whose[count] = index.owners[key] ?? 0;
      count += 1;
    }
    starts = places.slice(0, count);
    owners = whose.slice(0, count);
    return text.toString('latin1', 0, length);
  };

  const ownerAt = (place: number): number => owners[lastAtOrBefore(starts, starts.length, place)] ?? 0;

  return (initials, limit) => {
    const all = (text ??= build());
    const found = new Set<number>();
    for (const pattern of [`|${initials}|`, `|${initials}`]) {
      let place = all.indexOf(pattern);
      while (place !== -1 && found.size < limit) {
        found.add(ownerAt(place + 1));
        place = all.indexOf(pattern, place + 1);
      }
    }
    return [...found];
  };
};
