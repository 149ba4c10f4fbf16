import { isIndicator } from '#src/markets/indicators/chart-indicators.ts';
import {
  type ChartStyle,
  type ChartTheme,
  readChartStyle,
  readTheme,
} from '#src/kernel/market/chart-style.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { type SymbolSearch, HISTORY_RANGES, type HistoryRange } from '#src/kernel/market/finance.ts';
import { readRange } from '#src/reading/history-range.ts';
import { readSpan } from '#src/reading/spans.ts';
import { chartTexts } from '#src/markets/charts/texts.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { ChartQueries, ChartRequest } from '#src/features/charting/index.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { ephemeral } from '../shared/results.ts';
import { type MarketCommandDeps, namesResult, rangeOption, themeOption } from './market-result.ts';

const MAX_SYMBOLS = 6;
const DEFAULT_RANGE: HistoryRange = '6mo';
/** Half a year has only seven months, so longer candles reach back further unless a range is named. */
const DEFAULT_RANGES = { '1d': DEFAULT_RANGE, '1wk': '2y', '1mo': '5y' } as const;

/** As `readChartStyle` reads them, with their names. */
const STYLES = [
  ['line', 'Line', '선'],
  ['weekly', 'Weekly candles', '주봉'],
  ['monthly', 'Monthly candles', '월봉'],
  ['log', 'Log axis', '로그 축'],
  ['weekly line', 'Weekly line', '주별 선'],
  ['monthly line', 'Monthly line', '월별 선'],
  ['line log', 'Line, log axis', '선, 로그 축'],
  ['weekly log', 'Weekly candles, log axis', '주봉, 로그 축'],
  ['monthly log', 'Monthly candles, log axis', '월봉, 로그 축'],
] as const;

export const chartDefinition: CommandDefinition = {
  name: 'chart',
  aliases: ['차트', 'graph'],
  description: {
    ko: '차트를 그리고, 여러 종목이면 등락률을 비교합니다',
    en: 'draws a chart, or compares symbols',
  },
  usage: { ko: '/chart 삼성전자 1년 ma20,60 rsi', en: '/chart AAPL 1y ma20,50 rsi' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'symbol',
      nameKo: '종목',
      description: {
        ko: '종목명, 코드, 코인, 환율 (쉼표로 6개까지 비교)',
        en: 'name or code of a stock, coin or currency; up to six with commas',
      },
      type: 'text',
      isRequired: true,
      suggest: 'symbol',
    },
    rangeOption({ ko: '조회 기간 (기본 6개월)', en: 'how far back (6 months if left out)' }),
    {
      name: 'indicators',
      nameKo: '지표',
      description: {
        ko: 'ma20,60 · ema12 · bollinger · rsi · macd (여러 개는 띄어 씁니다)',
        en: 'ma20,50 · ema12 · bollinger · rsi · macd, separated by spaces',
      },
      type: 'text',
    },
    {
      name: 'style',
      nameKo: '모양',
      description: {
        ko: '선·캔들, 주봉·월봉, 로그 축 (비우면 일봉 캔들)',
        en: 'line or candles, weekly or monthly, log axis (daily candles if left out)',
      },
      type: 'text',
      choices: STYLES.map(([value, en, ko]) => ({ value, label: { en, ko } })),
    },
    themeOption,
  ],
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

export const chart = ({ markets, symbols }: MarketCommandDeps<ChartQueries>): Command => ({
  definition: chartDefinition,
  execute: async (args, ctx, signal) => {
    const words = wordsOf(args, symbols);
    const named = words.flatMap((word) => (word.kind === 'name' ? [word.text] : []));
    const queries = await byTime(namesIn(named, symbols, MAX_SYMBOLS), signal);
    if (words.some(({ kind }) => kind === 'no range'))
      return ephemeral(quoteTexts(ctx.locale).noRange({ ranges: HISTORY_RANGES.join(', ') }));
    const style: ChartStyle = Object.assign(
      {},
      ...words.flatMap((word) => (word.kind === 'style' ? [word.style] : [])),
    );
    const range =
      words.find((word) => word.kind === 'range')?.range ?? DEFAULT_RANGES[style.interval ?? '1d'];
    const theme = words.find((word) => word.kind === 'theme')?.theme;
    const indicators = words.flatMap((word) => (word.kind === 'indicator' ? [word.text] : []));
    const limits = { ...chartTexts(ctx.locale), least: 1, most: MAX_SYMBOLS };
    const request: ChartRequest = { queries, range, indicators, ...style, ...(theme && { theme }) };
    return namesResult(queries, limits, () => markets.chart(request, ctx, signal));
  },
});
