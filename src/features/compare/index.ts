import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import { HISTORY_RANGES } from '#src/kernel/market/finance.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { CompareQueries } from './compare.ts';

const MIN_SYMBOLS = 2;
const MAX_SYMBOLS = 6;

const input = toolInput(() =>
  z.object({
    symbols: z
      .array(nameInput())
      .min(MIN_SYMBOLS)
      .max(MAX_SYMBOLS)
      .describe('Names, tickers or codes, e.g. ["삼성전자", "SK하이닉스"] or ["AAPL", "^GSPC"]'),
    range: z
      .enum(HISTORY_RANGES)
      .default('1y')
      .describe('How far back; `ytd` is since the last close of last year'),
    chart: z.boolean().default(true).describe('Send a picture of the lines along with the answer'),
    theme: z.enum(['light', 'dark']).optional().describe('Of the picture, only where the user asks for one'),
  }),
);

export const compareTool = ({ markets }: { readonly markets: CompareQueries }): Tool =>
  defineTool({
    name: 'compare',
    description: [
      'Put two to six stocks, ETFs, indices, coins or currency pairs side by side, of any markets: price, change over',
      'a time, annualised volatility, maximum drawdown, place in the 52-week range, and the correlation of their',
      'daily returns. Use it whenever the user asks which did better, how they differ or whether they move together,',
      "in place of several get_history calls. Changes are in each one's own currency: say so when currencies differ.",
      'The picture goes out with your answer by itself. Pass names as the user wrote them, or tickers or codes.',
      'Repeat the source and the as-of times; take no number from memory. It compares, it does not advise. When a name',
      'is unknown or fits several the result says so; ask the user about it instead of choosing.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: ({ symbols }, locale) =>
      analysisTexts(locale).comparing({ names: symbols.map(shortened).join(', ') }),
    run: async ({ symbols, range, chart, theme }, context, signal) => {
      const request = { queries: symbols, range, isDrawn: chart, ...(theme && { theme }) };
      return toolResult(await markets.compare(request, context, signal));
    },
  });

export const compare = {
  queries: { compare: async () => (await import('./compare.ts')).compareAnswer },
  tools: { compare: compareTool },
} satisfies Feature;

export type { CompareQueries } from './compare.ts';
