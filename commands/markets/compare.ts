import { type ChartTheme, readTheme } from '#src/kernel/market/chart-style.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { SymbolSearch, HistoryRange } from '#src/kernel/market/finance.ts';
import { readRange } from '#src/reading/history-range.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import type { CompareQueries } from '#src/features/compare/index.ts';
import { namesIn } from '#src/reading/name-scan.ts';
import { byTime, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { type MarketCommandDeps, namesResult, rangeOption, themeOption } from './market-result.ts';

const MIN_SYMBOLS = 2;
const MAX_SYMBOLS = 6;
const DEFAULT_RANGE: HistoryRange = '1y';
const BETWEEN_NAMES = /^(?:vs\.?|versus|대)$/iu;

export const compareDefinition: CommandDefinition = {
  name: 'compare',
  aliases: ['비교', 'vs'],
  description: {
    ko: '여러 종목의 등락률, 변동성, 상관관계를 비교합니다',
    en: 'compares changes, volatility and correlation',
  },
  usage: { ko: '/compare 삼성전자 SK하이닉스 1년', en: '/compare AAPL MSFT 1y' },
  category: 'finance',
  isHarmless: true,
  options: [
    {
      name: 'symbols',
      nameKo: '종목들',
      description: {
        ko: '비교할 종목 2~6개 (쉼표로 구분)',
        en: 'two to six names or codes, separated by commas',
      },
      type: 'text',
      isRequired: true,
      suggest: 'symbol',
    },
    rangeOption({ ko: '조회 기간 (기본 1년)', en: 'how far back (1 year if left out)' }),
    themeOption,
  ],
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

/** `dark` at the end is the background of the picture. */
const withoutTheme = (
  args: readonly string[],
): { readonly words: readonly string[]; readonly theme: ChartTheme | undefined } => {
  const theme = readTheme(args.at(-1) ?? '');
  return { words: theme ? args.slice(0, -1) : args, theme };
};

const read = function* (
  args: readonly string[],
  symbols: Pick<SymbolSearch, 'resolve'>,
): Steps<{ readonly queries: readonly string[]; readonly range: HistoryRange }> {
  const words = args.flatMap((argument) => (BETWEEN_NAMES.test(argument) ? [','] : [argument]));
  const namesOf = (of: readonly string[]): Steps<readonly string[]> => namesIn(of, symbols, MAX_SYMBOLS);
  const last = rangeAtEnd(words);
  if (last) {
    const queries = yield* namesOf(words.slice(0, -last.length));
    // `ALL` and `MAX` are also companies. Where only one name would be left, the word is a company.
    const isName = queries.length < MIN_SYMBOLS && symbols.resolve(words.at(-1) ?? '').status === 'found';
    if (!isName) return { queries, range: last.range };
  }
  const first = readRange(words[0] ?? '');
  const isRangeFirst = first !== undefined && symbols.resolve(words[0] ?? '').status !== 'found';
  return isRangeFirst
    ? { queries: yield* namesOf(words.slice(1)), range: first }
    : { queries: yield* namesOf(words), range: DEFAULT_RANGE };
};

export const compare = ({ markets, symbols }: MarketCommandDeps<CompareQueries>): Command => ({
  definition: compareDefinition,
  execute: async (args, ctx, signal, flags) => {
    const t = analysisTexts(ctx.locale);
    const { words, theme } = withoutTheme(args);
    const { queries, range } = await byTime(read(words, symbols), signal);
    const limits = {
      least: MIN_SYMBOLS,
      most: MAX_SYMBOLS,
      usage: t.compareUsage,
      tooMany: t.compareTooMany,
    };
    return namesResult(
      queries,
      limits,
      () => markets.compare({ queries, range, isDrawn: true, ...(theme && { theme }) }, ctx, signal),
      flags,
    );
  },
});
