import type { Instrument, SymbolSearch } from '#src/core/finance.ts';
import { symbolForms } from './symbol-key.ts';
import { initialsOf, typedLetters } from './typed-letters.ts';

interface SuggestionKey {
  readonly instrument: Instrument;
  readonly key: string;
  /** Parts of a code mean nothing: only its beginning counts. */
  readonly isCode: boolean;
}

interface IndexedKey extends SuggestionKey {
  readonly letters: string;
  readonly initials: string;
}

const toIndexed = ({ instrument, key, isCode }: SuggestionKey): IndexedKey => ({
  instrument,
  key,
  isCode,
  letters: typedLetters(key),
  initials: initialsOf(key),
});

const MAX_TYPED_LENGTH = 100;
const MIN_PART = 2;
const ONLY_INITIALS = /^[ㄱ-ㅎ]{2,}$/u;

/**
 * What somebody who is still typing may mean: what is called exactly so, what begins so, what has it inside; among
 * equals in the order of the keys. One pass over the keys for each, and none once there are enough. The keys are
 * made ready when somebody first types: many never do.
 */
export const createSymbolSuggestions = (keys: () => readonly SuggestionKey[]): SymbolSearch['suggest'] => {
  let indexed: readonly IndexedKey[] | undefined;

  return (typed, limit) => {
    const found = new Set<Instrument>();
    indexed ??= keys().map(toIndexed);
    const all = indexed;
    const collect = (isSuch: (key: IndexedKey) => boolean): void => {
      for (const key of all) {
        if (found.size >= limit) return;
        if (isSuch(key)) found.add(key.instrument);
      }
    };
    if (typed.length > MAX_TYPED_LENGTH) return [];
    const queries = [...new Set(symbolForms(typed).map(({ key }) => typedLetters(key)))];
    // Signs alone name nothing, but whoever has typed nothing yet is shown the best known.
    if (queries.length === 0) {
      collect(() => typed.trim() === '');
      return [...found];
    }
    collect(({ letters }) => queries.includes(letters));
    for (const query of queries) {
      collect(({ letters }) => letters.startsWith(query));
      if (ONLY_INITIALS.test(query)) collect(({ initials }) => initials.startsWith(query));
      if (query.length >= MIN_PART) collect(({ letters, isCode }) => !isCode && letters.includes(query));
    }
    return [...found];
  };
};
