import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { marketTexts } from '#src/markets/answers/market-texts.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { EarningsQueries } from './earnings.ts';

const MAX_SYMBOLS = 10;

const input = toolInput(() =>
  z.object({
    symbols: z
      .array(nameInput())
      .max(MAX_SYMBOLS)
      .default([])
      .describe('Names, tickers or codes, e.g. ["엔비디아", "AAPL"]; leave out for the biggest companies'),
  }),
);

export const getEarningsCalendar = ({ markets }: { readonly markets: EarningsQueries }): Tool =>
  defineTool({
    name: 'get_earnings_calendar',
    description: [
      'Get when companies report their next quarterly results, with the EPS that analysts expect where it is',
      'known. Use it when the user asks for earnings dates, 실적 발표 or who reports soon. Without symbols it covers',
      'the biggest Korean and US companies, not the whole market: say so. A date that is called estimated has not',
      'been confirmed by the company: call it estimated too. Dates are in the calendar of the exchange. Repeat',
      'source and as-of; a company without a date in the result has none that is known.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: (_input, locale) => marketTexts(locale).progress.earnings(),
    run: async ({ symbols }, context, signal) =>
      toolResult(await markets.earnings({ queries: symbols }, context, signal)),
  });

export const earnings = {
  queries: { earnings: async () => (await import('./earnings.ts')).earningsAnswer },
  tools: { get_earnings_calendar: getEarningsCalendar },
} satisfies Feature;

export type { EarningsQueries } from './earnings.ts';
