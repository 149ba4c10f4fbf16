import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { FUNDAMENTAL_METRICS } from '#src/markets/sources/source.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { FundamentalsQueries } from './fundamentals.ts';

const input = toolInput(() =>
  z.object({
    symbol: nameInput().describe(
      'Name, ticker or code as the user wrote it, e.g. "삼성전자", "AAPL", "005930"',
    ),
    only: z
      .array(z.enum(FUNDAMENTAL_METRICS))
      .min(1)
      .optional()
      .describe('Only these, where the user asks for some by name; absent: all'),
  }),
);

export const getFundamentals = ({ markets }: { readonly markets: FundamentalsQueries }): Tool =>
  defineTool({
    name: 'get_fundamentals',
    description: [
      'Get the key figures of one company: market cap, P/E, P/B, EPS, dividend, revenue and its growth, margins,',
      'ROE, debt, free cash flow, beta, sector and industry. Use it when the user asks whether a stock is cheap or',
      'expensive, how big or profitable a company is, or for PER, PBR, EPS, 시가총액 or 배당. Only for companies:',
      'ETFs, coins, currencies and indices have none. A figure that is not in the result is not known: say so and',
      'never fill it in from memory. Repeat source and as-of. An unknown or ambiguous name is said in the result;',
      'ask the user then instead of choosing.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: ({ symbol }, locale) => marketTexts(locale).progress.fundamentals({ name: shortened(symbol) }),
    run: async ({ symbol, only }, context, signal) =>
      toolResult(await markets.fundamentals({ query: symbol, ...(only && { only }) }, context, signal)),
  });

export const fundamentals = {
  queries: { fundamentals: async () => (await import('./fundamentals.ts')).fundamentalsAnswer },
  tools: { get_fundamentals: getFundamentals },
} satisfies Feature;

export type { FundamentalsQueries } from './fundamentals.ts';
