import type { SymbolMatch, SymbolSearch } from '#src/core/finance.ts';
import { alsoMeant, exactMatch } from './exact-match.ts';
import { brandReadings } from './fund-brands.ts';
import { createInitialsLookup, type InitialsLookup } from './initials-index.ts';
import { mainOnes, ownersOf } from './instruments-found.ts';
import { typedInEnglish, typedInKorean } from './keyboard-layout.ts';
import { lettersSpoken } from './letter-names.ts';
import { noteMatch } from './note-match.ts';
import { isHouseName, partialHits } from './partial-match.ts';
import { suggestSymbols } from './suggest-symbols.ts';
import { loadSymbolIndex, type SymbolIndex } from './symbol-index.ts';
import { isInitials, isOnlyForms, keyLetters, queryForms, type QueryForm } from './symbol-key.ts';
import { isPlace } from './telling-words.ts';
import { typoHits } from './typo-match.ts';
import { labelMatch, writtenCode } from './written-code.ts';

const MAX_QUERY_LENGTH = 100;
const MAX_CHOICES = 8;
const MAX_SUGGESTIONS = 5;
const ONLY_DIGITS = /^\d+$/;

/** The same with numbers in the place of instruments. */
interface Numbered {
  readonly status: SymbolMatch['status'];
  readonly instruments: readonly number[];
}

const UNKNOWN: Numbered = { status: 'unknown', instruments: [] };

const choose = (instruments: readonly number[]): Numbered =>
  instruments.length === 1 ? { status: 'found', instruments } : { status: 'ambiguous', instruments };

/** A keyboard left in the other language: only what then is exactly one name or code, so nothing is guessed. */
const layoutMatch = (index: SymbolIndex, query: string): Numbered | null => {
  const inLatin = typedInKorean(query);
  const readings = inLatin === undefined ? typedInEnglish(query).map(keyLetters) : [inLatin];
  for (const reading of readings) {
    const instruments = mainOnes(index, ownersOf(index, index.exactKeys(reading)));
    if (instruments.length > 0) return choose(instruments);
  }
  return null;
};

/** The company that has just these letters for its name, as they are spoken: 엘지 is also LG. */
const spokenHouses = (index: SymbolIndex, { text }: QueryForm): readonly number[] => {
  const letters = lettersSpoken(text);
  if (letters === undefined) return [];
  const names = index.exactKeys(letters).filter((key) => !index.isCode(key) && !index.isAlias(key));
  return mainOnes(index, ownersOf(index, names));
};

/** Several that begin so are a question. A word inside of names (전자, energy) or a country is no name, only a hint. */
const partialMatch = (index: SymbolIndex, form: QueryForm): Numbered | null => {
  const { starting, containing, told } = partialHits(index, form, MAX_CHOICES);
  const houses = spokenHouses(index, form);
  // Few letters may be the ticker of a company that is not in the index.
  if (told !== undefined && houses.length === 0 && !isHouseName(form)) return choose([told]);
  const named = [...new Set([...houses, ...starting])].toSorted((a, b) => a - b);
  if (named.length > 1 && !isPlace(form.text)) return choose(named);
  const instruments = [...named, ...containing];
  return instruments.length > 0 ? { status: 'unknown', instruments } : null;
};

const SAYS_COIN = /^(.*\S)\s*(?:코인|토큰|coin|token)$/iu;

/** `hype coin` is the coin of that code or name, and nothing else of the same name. */
const coinMatch = (index: SymbolIndex, query: string): Numbered | null => {
  const [, name = ''] = SAYS_COIN.exec(query.trim()) ?? [];
  const called = queryForms(name).flatMap(({ letters }) => ownersOf(index, index.exactKeys(letters)));
  const coins = mainOnes(
    index,
    called.filter((each) => index.instrumentAt(each).assetClass === 'crypto'),
  );
  return coins.length > 0 ? choose(coins) : null;
};

const SAYS_FUTURE = /^(.*\S)\s*(?:선물|futures?)$/iu;

/** A future that is not listed here: what it is a future of is a hint, and never an answer in its place. */
const futureHint = (index: SymbolIndex, query: string): Numbered | null => {
  const [, name] = SAYS_FUTURE.exec(query.trim()) ?? [];
  const exact = name === undefined ? null : exactMatch(index, queryForms(name), name);
  return exact && { status: 'unknown', instruments: exact.instruments };
};

/** A fund whose brand is spelled in Hangul, or as it was called before. */
const brandMatch = (index: SymbolIndex, query: string): Numbered | null => {
  const { sure, possible } = brandReadings(query);
  for (const reading of [...sure, ...possible]) {
    const exact = exactMatch(index, queryForms(reading), reading);
    if (exact) return choose(exact.instruments);
  }
  return null;
};

const partOfBrand = (index: SymbolIndex, query: string): Numbered | null => {
  const [form] = brandReadings(query).sure.flatMap(queryForms);
  return form ? partialMatch(index, form) : null;
};

/** Funds of a brand that is also a word, whose names begin so: a hint only. */
const brandHints = (index: SymbolIndex, query: string): readonly number[] =>
  brandReadings(query)
    .possible.flatMap(queryForms)
    .map((form) => partialHits(index, form, MAX_SUGGESTIONS).starting)
    .find((starting) => starting.length > 0) ?? [];

const resolveIn = (index: SymbolIndex, initials: InitialsLookup, query: string): Numbered => {
  if (query.length > MAX_QUERY_LENGTH) return UNKNOWN;
  const written = writtenCode(index, query);
  if (written) return written.instruments.length > 0 ? choose(written.instruments) : UNKNOWN;

  const forms = queryForms(query);
  const form = forms.at(-1);
  const exact = exactMatch(index, forms, query);
  if (exact) return choose([...new Set([...exact.instruments, ...alsoMeant(index, forms, exact)])]);
  // `Inc.` and a number are parts of many names, and of none that they could stand for.
  if (!form || isOnlyForms(query) || ONLY_DIGITS.test(form.letters)) return UNKNOWN;
  const note = noteMatch(index, query, MAX_CHOICES);
  // A note of nearly the same name may be another one, of an earlier series: it is only offered.
  if (note && (note.isHint || note.instruments.length === 1))
    return { ...UNKNOWN, instruments: note.instruments };
  if (note) return choose(note.instruments);
  const coin = coinMatch(index, query) ?? futureHint(index, query);
  if (coin) return coin;
  const branded = brandMatch(index, query);
  if (branded) return branded;
  const labelled = labelMatch(index, query);
  if (labelled?.isHint) return { status: 'unknown', instruments: labelled.instruments };
  if (labelled) return choose(labelled.instruments);
  const layout = layoutMatch(index, query) ?? partOfBrand(index, query);
  if (layout) return layout;
  if (isInitials(form.letters))
    return { status: 'unknown', instruments: initials(form.letters, MAX_SUGGESTIONS) };
  const part = partialMatch(index, form);
  if (part) return part;
  const hints = brandHints(index, query);
  return { status: 'unknown', instruments: hints.length > 0 ? hints : typoHits(index, form) };
};

/** Every market's names and codes. Nothing is read before the first question, and then once. */
export const createSymbolSearch = (read: () => SymbolIndex = loadSymbolIndex): SymbolSearch => {
  let loaded: { readonly index: SymbolIndex; readonly initials: InitialsLookup } | undefined;
  const load = () => {
    if (loaded) return loaded;
    const index = read();
    loaded = { index, initials: createInitialsLookup(index) };
    return loaded;
  };

  return {
    resolve: (query): SymbolMatch => {
      const { index, initials } = load();
      const { status, instruments } = resolveIn(index, initials, query);
      const limit = status === 'unknown' ? MAX_SUGGESTIONS : MAX_CHOICES;
      const [first, ...others] = instruments.slice(0, limit).map(index.instrumentAt);
      if (status === 'unknown' || !first)
        return { status: 'unknown', suggestions: first ? [first, ...others] : [] };
      return status === 'found' ? { status, instrument: first } : { status, choices: [first, ...others] };
    },
    suggest: (typed, limit) => {
      const { index, initials } = load();
      return suggestSymbols(index, initials, typed, limit).map(index.instrumentAt);
    },
  };
};
