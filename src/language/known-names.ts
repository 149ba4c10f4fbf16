import type { SymbolSearch } from '#src/core/finance.ts';
import { isOneName, namedBy } from './named-by.ts';
import { isAcronym, isOrdinaryWord } from './ordinary-words.ts';
import { isGeneric, isStopWord, isTooShort, meansNote } from './name-words.ts';
import { stemsOf } from './particles.ts';

/** Words that the search knows. */
export interface Known {
  /** As it was written, without its particle. */
  readonly text: string;
  /**
   * `known`: nothing but a name. `unsure`: a code in small letters, or a part of one name or of several.
   * `ordinary`: a word of every day that is listed too.
   */
  readonly kind: 'known' | 'unsure' | 'ordinary';
  /** A whole name or code, in small letters too, or a long part that only one has; else a part of one. */
  readonly isWhole: boolean;
}

export type NameReader = (run: readonly string[]) => Known | null;

/** The most look-ups for one text. No real question needs more. */
const MAX_LOOKUPS = 200;
const RANKS: readonly Known['kind'][] = ['known', 'ordinary', 'unsure'];
/** In small letters a code looks like a word, and so does the beginning of a name that is no longer than one. */
const SMALL = /^(?=.*[a-z])[a-z0-9]+$/u;
const MIN_SMALL_PART = 4;
const ARTICLE = /^(?:an?|the)$/u;
const LONG_HANGUL = /^\p{Script=Hangul}{3,}$/u;

/** Says what a run of words names. Every run is looked up once; long texts are not looked up to their end. */
export const createNameReader = (symbols: SymbolSearch): NameReader => {
  const byName = new Map<string, Known | null>();

  const lookUp = (text: string, isOneWord: boolean): Known | null => {
    if (isTooShort(text) || isAcronym(text)) return null;
    const match = symbols.resolve(text);
    if (!isOneWord && meansNote(text, match)) return { text, kind: 'known', isWhole: true };
    if (match.status === 'unknown') return null;
    if (isOneWord && isOrdinaryWord(text)) return { text, kind: 'ordinary', isWhole: false };
    if (isGeneric(text)) return null;
    if (match.status === 'ambiguous' && isOneName(text, match.choices))
      return { text, kind: 'known', isWhole: true };
    const by = match.status === 'found' ? namedBy(text, match.instrument) : 'part';
    if (by === 'part') {
      const isTold = match.status === 'found' || isOneWord;
      const isShort = SMALL.test(text) && text.length < MIN_SMALL_PART;
      // 하이닉스 is what everybody calls SK하이닉스, and no second half of 삼전 하이닉스.
      const isWhole = match.status === 'found' && LONG_HANGUL.test(text);
      return isTold && !isShort ? { text, kind: 'unsure', isWhole } : null;
    }
    return { text, kind: by === 'code' && SMALL.test(text) ? 'unsure' : 'known', isWhole: true };
  };

  const known = (text: string, isOneWord: boolean): Known | null => {
    const before = byName.get(text);
    if (before !== undefined) return before;
    const found = byName.size >= MAX_LOOKUPS ? null : lookUp(text, isOneWord);
    byName.set(text, found);
    return found;
  };

  return (run) => {
    const [first = '', ...others] = run;
    if (isStopWord(first) || first.startsWith('(')) return null;
    const before = others.length > 0 ? `${run.slice(0, -1).join(' ')} ` : '';
    const last = run.at(-1) ?? '';
    // `near the coast` does not name the coin: an article belongs to what follows.
    if (before !== '' && ARTICLE.test(last)) return null;
    const readings = stemsOf(last)
      .map((reading) => known(`${before}${reading}`, before === ''))
      .filter((each) => each !== null)
      // Words around a name are no part of it, unless the whole is one: `bitcoin in won`, 달러 환율.
      .filter(({ isWhole }) => isWhole || before === '' || !run.some(isStopWord));
    return readings.toSorted((a, b) => RANKS.indexOf(a.kind) - RANKS.indexOf(b.kind))[0] ?? null;
  };
};
