import type { TypedWords } from '#src/features/ability.ts';
import { type ChartTheme, readTheme } from '#src/kernel/market/chart-style.ts';
import type { HistoryRange, SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { readRange } from '#src/reading/history-range.ts';
import { namesIn } from '#src/reading/name-scan.ts';

/** Where fewer names would be left, the last word is one. */
const MIN_NAMES = 2;
const DEFAULT_RANGE: HistoryRange = '1y';
const BETWEEN_NAMES = /^(?:vs\.?|versus|대)$/iu;

interface TypedComparison {
  readonly symbols: readonly string[];
  readonly range: HistoryRange;
  /** `dark` at the end is the background of the picture. */
  readonly theme: ChartTheme | undefined;
}

/** The words of `/compare`, with up to one name more than `limit`. */
export const readComparison = function* (
  { words, symbols }: TypedWords,
  limit: number,
): Steps<TypedComparison> {
  const theme = readTheme(words.at(-1) ?? '');
  return { ...(yield* readWords(theme ? words.slice(0, -1) : words, symbols, limit)), theme };
};

/** `1y`, or `3 months` in two words. */
const rangeAtEnd = (
  words: readonly string[],
): { readonly range: HistoryRange; readonly length: number } | undefined => {
  const [first = '', second = ''] = words.slice(-2);
  const ofTwo = /^\d+$/u.test(first) ? readRange(`${first}${second}`) : undefined;
  if (ofTwo) return { range: ofTwo, length: 2 };
  const range = readRange(words.at(-1) ?? '');
  return range && { range, length: 1 };
};

const readWords = function* (
  args: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve'>,
  limit: number,
): Steps<{ readonly symbols: readonly string[]; readonly range: HistoryRange }> {
  const words = args.flatMap((argument) => (BETWEEN_NAMES.test(argument) ? [','] : [argument]));
  const namesOf = (of: readonly string[]): Steps<readonly string[]> => namesIn(of, symbols, limit);
  const last = rangeAtEnd(words);
  if (last) {
    const named = yield* namesOf(words.slice(0, -last.length));
    // `ALL` and `MAX` are also companies. Where only one name would be left, the word is a company.
    const isName = named.length < MIN_NAMES && symbols.resolve(words.at(-1) ?? '').status === 'found';
    if (!isName) return { symbols: named, range: last.range };
  }
  const first = readRange(words[0] ?? '');
  const isRangeFirst = first !== undefined && symbols.resolve(words[0] ?? '').status !== 'found';
  return isRangeFirst
    ? { symbols: yield* namesOf(words.slice(1)), range: first }
    : { symbols: yield* namesOf(words), range: DEFAULT_RANGE };
};
