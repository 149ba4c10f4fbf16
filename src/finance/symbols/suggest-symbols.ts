import { brandTyped } from './fund-brands.ts';
import type { InitialsLookup } from './initials-index.ts';
import { ownersOf } from './instruments-found.ts';
import type { SymbolIndex } from './symbol-index.ts';
import { codeKey, queryForms } from './symbol-key.ts';

const MAX_TYPED_LENGTH = 100;
const MIN_PART = 2;
const ONLY_INITIALS = /^[A-S]{2,}$/;

/**
 * What somebody who is still typing may mean: what is called exactly so, what begins so, what has these initials, what
 * has it inside; among equals the better known first. Nothing is looked at any more once there are enough.
 */
export const suggestSymbols = (
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
  /** Parts of a code mean nothing: only its beginning counts. */
  const addWhereFound = (pattern: string, shift: number): void => {
    let place = index.keys.indexOf(pattern);
    while (place !== -1 && found.size < limit) {
      const key = index.keyAt(place + shift);
      if (shift === 1 || !index.isCode(key)) found.add(index.owners[key] ?? 0);
      place = index.keys.indexOf(pattern, place + 1);
    }
  };

  const readings = [typed, ...brandTyped(typed)];
  const queries = [...new Set(readings.flatMap(queryForms).map(({ letters }) => letters))];
  // Signs alone name nothing, but whoever has typed nothing yet is shown the best known.
  if (queries.length === 0) {
    const count = typed.trim() === '' ? Math.min(limit, index.instruments) : 0;
    return Array.from({ length: count }, (_, instrument) => instrument);
  }
  add(ownersOf(index, index.exactKeys(codeKey(typed)).filter(index.isCode)));
  for (const query of queries) add(ownersOf(index, index.exactKeys(query)));
  for (const query of queries) {
    addWhereFound(`|${query}`, 1);
    if (ONLY_INITIALS.test(query)) add(initials(query, limit));
    if (query.length >= MIN_PART) addWhereFound(query, 0);
  }
  return [...found];
};
