import type { TypedWords } from '#src/features/ability.ts';
import {
  type ChartStyle,
  type ChartTheme,
  readChartStyle,
  readTheme,
} from '#src/kernel/market/chart-style.ts';
import { HISTORY_RANGES, type HistoryRange, type SymbolSearch } from '#src/kernel/market/finance.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import { isIndicator } from '#src/markets/indicators/chart-indicators.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { readRange } from '#src/reading/history-range.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { readSpan } from '#src/reading/spans.ts';

/** Half a year has only seven months, so longer candles reach back further unless a range is named. */
const DEFAULT_RANGES = { '1d': '6mo', '1wk': '2y', '1mo': '5y' } as const;

/** What is asked for, as models name it. */
export interface AskedChart extends Omit<ChartStyle, 'isLog'> {
  readonly symbols: readonly string[];
  readonly range: HistoryRange;
  readonly indicators: readonly string[];
  readonly log: boolean;
  readonly theme: ChartTheme | undefined;
}

/** The words of `/chart` in any order, with up to one name more than `limit`. A text is what is wrong with them. */
export const readChart = function* (
  { words: args, ctx, symbols }: TypedWords,
  limit: number,
): Steps<AskedChart | string> {
  const words = wordsOf(args, symbols);
  const named = words.flatMap((word) => (word.kind === 'name' ? [word.text] : []));
  if (words.some(({ kind }) => kind === 'no range'))
    return quoteTexts(ctx.locale).noRange({ ranges: HISTORY_RANGES.join(', ') });
  const { isLog = false, ...style }: ChartStyle = Object.assign(
    {},
    ...words.flatMap((word) => (word.kind === 'style' ? [word.style] : [])),
  );
  return {
    symbols: yield* namesIn(named, symbols, limit),
    range: words.find((word) => word.kind === 'range')?.range ?? DEFAULT_RANGES[style.interval ?? '1d'],
    indicators: words.flatMap((word) => (word.kind === 'indicator' ? [word.text] : [])),
    ...style,
    log: isLog,
    theme: words.find((word) => word.kind === 'theme')?.theme,
  };
};

/** Finds `ma5, 20, 60`, which is one word; `005930, 000660` are two. */
const AVERAGES_WITH_BLANKS =
  /(?<![\p{L}\p{N}])(?:s?ma|ema|이평)\s?\d{1,3}(?:\s*,\s*\d{1,3}(?![\p{L}\p{N}.]))+/giu;
const joined = (text: string): string =>
  text.replaceAll(AVERAGES_WITH_BLANKS, (found) => found.replaceAll(/\s/gu, ''));

type Word =
  | { readonly kind: 'range'; readonly range: HistoryRange }
  | { readonly kind: 'theme'; readonly theme: ChartTheme }
  | { readonly kind: 'style'; readonly style: ChartStyle }
  | { readonly kind: 'indicator' | 'name' | 'no range'; readonly text: string };

/** Whether the word is a span of time. A span that no chart has gets an answer of its own. */
const isLikeRange = (word: string): boolean => /^\d{1,3}(?!\d)/u.test(word) && readSpan(word) !== undefined;

/** Words in capitals at the beginning of a list, or within one, are companies: `MA, V` and `ALL, AAPL`. */
const isListedName = (
  typed: string,
  before: string | undefined,
  symbols: Pick<SymbolSearch, 'resolve'>,
): boolean => {
  const word = typed.replace(/,$/u, '');
  const isWordOfOurs =
    readRange(word) !== undefined ||
    readTheme(word) !== undefined ||
    readChartStyle(word) !== undefined ||
    isIndicator(word);
  if (isWordOfOurs && !/^[A-Z]+$/u.test(word)) return false;
  const isListed =
    (word !== typed && (!isWordOfOurs || before === undefined || before.endsWith(','))) ||
    ((before ?? '').endsWith(',') && /^[A-Z]+$/u.test(word) && !isIndicator(word));
  return isListed && symbols.resolve(word).status === 'found';
};

/** `rsi,macd` is two words, `ma20,60` is one. */
const unlisted = (word: string): readonly string[] => {
  const parts = word.split(',').filter((part) => part !== '');
  return parts.length > 1 && !isIndicator(word) && parts.every((part) => isIndicator(part)) ? parts : [word];
};

const kindOf = (typed: string, before: string | undefined, symbols: Pick<SymbolSearch, 'resolve'>): Word => {
  const word = typed.replace(/,$/u, '');
  if (isListedName(typed, before, symbols)) return { kind: 'name', text: typed };
  const range = readRange(word);
  if (range) return { kind: 'range', range };
  const theme = readTheme(word);
  if (theme) return { kind: 'theme', theme };
  const style = readChartStyle(word);
  if (style) return { kind: 'style', style };
  if (isIndicator(word)) return { kind: 'indicator', text: word };
  return { kind: isLikeRange(word) ? 'no range' : 'name', text: typed };
};

/** Longer text is no request for a chart. */
const MAX_WORDS = 60;

const isNumber = (text: string | undefined): boolean => text !== undefined && /^\d{1,2}$/u.test(text);

/** Joins a range of two words: `6 months`, `3 개월`. */
const withWholeRanges = (words: readonly string[]): readonly string[] =>
  words.flatMap((word, index) => {
    const before = words[index - 1];
    if (isNumber(before) && isLikeRange(`${before}${word}`)) return [];
    const both = `${word}${words[index + 1] ?? ''}`;
    return [isNumber(word) && isLikeRange(both) ? both : word];
  });

/** Words may come in any order. `ALL`, `MA` and `LINE` are also companies: without another name, the first word may be one. */
const wordsOf = (args: readonly string[], symbols: Pick<SymbolSearch, 'resolve'>): readonly Word[] => {
  const typed = withWholeRanges(
    joined(args.join(' '))
      .split(/\s+/u)
      .filter((word) => word !== '')
      .slice(0, MAX_WORDS)
      .flatMap(unlisted),
  );
  const words = typed.map((word, index) => kindOf(word, typed[index - 1], symbols));
  const [first] = typed;
  const hasName = words.some(({ kind }) => kind === 'name');
  return first === undefined || hasName || symbols.resolve(first).status !== 'found'
    ? words
    : [{ kind: 'name', text: first }, ...words.slice(1)];
};
