import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { OverviewQueries } from './overview.ts';

const MAX_COINS = 10;

const input = toolInput(() =>
  z.object({
    of: z.enum(['markets', 'crypto']).default('markets'),
    currency: z
      .enum(['KRW', 'USD'])
      .optional()
      .describe('For coins; leave out for the usual one of the language of the user'),
    names: z
      .array(nameInput())
      .max(MAX_COINS)
      .optional()
      .describe('For coins: only these, e.g. ["BTC", "이더리움"]; leave out for the biggest'),
  }),
);

export const getMarketOverview = ({ markets }: { readonly markets: OverviewQueries }): Tool =>
  defineTool({
    name: 'get_market_overview',
    description: [
      'Get the markets at a glance in one call. of="markets": KOSPI, KOSDAQ, S&P 500, NASDAQ, Dow, VIX, USD/KRW,',
      'bitcoin and the US 10-year rate. of="crypto": the biggest coins in won or dollars, and the kimchi premium',
      'where it can be computed. Use it when the user asks how the market is doing today (시황, 증시 어때) or about',
      'coins in general; for single names use get_quote. Each line has its own as-of and session state: markets',
      'close at different times, so do not present yesterday’s close as today’s. Repeat source and as-of, say so',
      'when something is called stale, and name what is missing instead of filling it in.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: ({ of }, locale) => marketTexts(locale).progress[of](),
    run: async ({ of, currency, names }, context, signal) =>
      toolResult(
        await markets.overview(
          { of, ...(currency && { currency }), ...(names && { names }) },
          context,
          signal,
        ),
      ),
  });

export const overview = {
  queries: { overview: async () => (await import('./overview.ts')).overviewAnswer },
  tools: { get_market_overview: getMarketOverview },
} satisfies Feature;

export type { OverviewQueries, OverviewRequest } from './overview.ts';
