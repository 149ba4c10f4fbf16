import { z } from 'zod';
import { action, defineAbility, limited, option } from '#src/features/ability.ts';
import type { ChartTheme } from '#src/kernel/market/chart-style.ts';
import { HISTORY_RANGES, type HistoryRange } from '#src/kernel/market/finance.ts';
import { shortened } from '#src/kernel/text.ts';
import { rangeOption, themeOption } from '#src/markets/answers/chart-options.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import type { CompareQueries } from './compare.ts';
import { readComparison } from './read-compare.ts';

const MIN_SYMBOLS = 2;
const MAX_SYMBOLS = 6;

interface Asked {
  readonly symbols: readonly string[];
  readonly range: HistoryRange;
  readonly chart: boolean;
  readonly theme: ChartTheme | undefined;
}

export const compare = defineAbility({
  queries: { compare: async () => (await import('./compare.ts')).compareAnswer },
  name: 'compare',
  aliases: ['비교', 'vs'],
  description: {
    ko: '여러 종목의 등락률, 변동성, 상관관계를 비교합니다',
    en: 'compares changes, volatility and correlation',
  },
  usage: { ko: '/compare 삼성전자 SK하이닉스 1년', en: '/compare AAPL MSFT 1y' },
  concern: 'market',
  actions: {
    compare: action<{ readonly markets: CompareQueries }, Asked>({
      hasDetails: true,
      input: {
        symbols: {
          input: () =>
            z
              .array(nameInput())
              .min(MIN_SYMBOLS)
              .max(MAX_SYMBOLS)
              .describe('Names, tickers or codes, e.g. ["삼성전자", "SK하이닉스"] or ["AAPL", "^GSPC"]'),
          option: option('symbols', '종목들', {
            ko: '비교할 종목 2~6개 (쉼표로 구분)',
            en: 'two to six names or codes, separated by commas',
            isRequired: true,
            suggest: 'symbol',
          }),
          refuse: limited({
            least: MIN_SYMBOLS,
            most: MAX_SYMBOLS,
            texts: (locale) => {
              const { compareUsage: usage, compareTooMany: tooMany } = analysisTexts(locale);
              return { usage, tooMany };
            },
          }),
        },
        range: {
          input: () =>
            z
              .enum(HISTORY_RANGES)
              .default('1y')
              .describe('How far back; `ytd` is since the last close of last year'),
          option: rangeOption({ ko: '조회 기간 (기본 1년)', en: 'how far back (1 year if left out)' }),
        },
        chart: {
          input: () =>
            z.boolean().default(true).describe('Send a picture of the lines along with the answer'),
        },
        theme: {
          input: () =>
            z.enum(['light', 'dark']).optional().describe('Of the picture, only where the user asks for one'),
          option: themeOption,
        },
      },
      read: function* (typed) {
        return { ...(yield* readComparison(typed, MAX_SYMBOLS)), chart: true };
      },
      run: ({ symbols: queries, chart: isDrawn, ...request }, { markets }, who, signal) =>
        markets.compare({ queries, isDrawn, ...request }, who, signal),
      progress: ({ symbols }, locale) =>
        analysisTexts(locale).comparing({ names: symbols.map(shortened).join(', ') }),
      tool: {
        name: 'compare',
        description: [
          'Put two to six stocks, ETFs, indices, coins or currency pairs side by side, of any markets: price, change over',
          'a time, annualised volatility, maximum drawdown, place in the 52-week range, and the correlation of their',
          'daily returns. Use it whenever the user asks which did better, how they differ or whether they move together,',
          "in place of several get_history calls. Changes are in each one's own currency: say so when currencies differ.",
          'The picture goes out with your answer by itself. Pass names as the user wrote them, or tickers or codes.',
          'Repeat the source and the as-of times; take no number from memory. It compares, it does not advise. When a name',
          'is unknown or fits several the result says so; ask the user about it instead of choosing.',
        ],
        isExternal: true,
      },
    }),
  },
});

export type { CompareQueries } from './compare.ts';
