import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import type { HoursQueries } from './hours.ts';

const MAX_NAME_LENGTH = 60;
const MAX_DATE_LENGTH = 30;

const input = toolInput(() =>
  z.object({
    market: z
      .string()
      .min(1)
      .max(MAX_NAME_LENGTH)
      .optional()
      .describe(
        'krx, nxt (Nextrade), nyse, nasdaq, us, fx, crypto, or the name of a company; absent: every market',
      ),
    date: z
      .string()
      .min(1)
      .max(MAX_DATE_LENGTH)
      .optional()
      .describe('A date such as 2026-11-19, or today or tomorrow; absent: now'),
    asks: z
      .enum(['open', 'closed'])
      .optional()
      .describe('Of a yes-or-no question: whether it asks if it is open, or closed'),
  }),
);

export const getMarketHours = ({ markets }: { readonly markets: HoursQueries }): Tool =>
  defineTool({
    name: 'get_market_hours',
    description: [
      'Get when a market trades: whether it is open now (pre-market, open, after hours, closed), its hours today on',
      "the exchange's clock and on the user's, the next change, and holidays, half days and other special days.",
      'Use it for every question about opening hours or holidays, and never state them from memory. Without a market',
      'it tells all (Korea, United States, currencies, coins); with a date it tells that day. What it calls expected',
      'or not known, repeat as such, and name the calendar and its as-of date as the source.',
    ].join(' '),
    group: 'finance',
    input,
    progress: ({ market = '' }, locale) => hoursTexts(locale).lookingUp({ market: shortened(market) }),
    run: async ({ market, date, asks }, context, signal) =>
      toolResult(
        await markets.hours(
          {
            ...(market !== undefined && { market }),
            ...(date !== undefined && { date }),
            ...(asks !== undefined && { asks }),
          },
          context,
          signal,
        ),
      ),
  });

export const hours = {
  queries: { hours: async () => (await import('./hours.ts')).hoursAnswer },
  tools: { get_market_hours: getMarketHours },
} satisfies Feature;

export type { HoursQueries } from './hours.ts';
