import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { chartMessages } from '#src/markets/charts/messages.ts';
import { HISTORY_RANGES } from '#src/kernel/market-queries.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import type { ChartQueries } from './chart.ts';

const MAX_SYMBOLS = 6;
const MAX_INDICATORS = 8;
const MAX_INDICATOR_LENGTH = 40;
/** More names make no status line. */
const MAX_NAMED = 2;
/** The market may have to be asked first, and others may have pictures drawn. */
const TIMEOUT_MS = 45_000;

const drawing = (symbols: readonly string[], locale: Locale): string => {
  const names = symbols.map(shortened).filter((name) => name !== '');
  const t = chartMessages(locale);
  if (names.length === 0) return t.drawingAny();
  return t.drawing({
    names: names.slice(0, MAX_NAMED).join(', '),
    more: Math.max(0, names.length - MAX_NAMED),
  });
};

export const makeChart = ({ markets }: { readonly markets: ChartQueries }): Tool =>
  defineTool({
    name: 'make_chart',
    description: [
      'Draw a chart as a picture that goes out with your answer: for one symbol candles with volume and moving',
      'averages, for several their change in % as lines. Use it whenever the user asks for a chart, a graph or a',
      'picture of how prices went. Pass names as the user wrote them. The result says whether the picture is',
      'attached and what it shows; do not draw one with characters, do not link to one, and repeat the source and',
      'the as-of time. When a name is unknown or fits several companies the result says so; ask the user then.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    timeoutMs: TIMEOUT_MS,
    input: z.object({
      symbols: z
        .array(nameInput())
        .min(1)
        .max(MAX_SYMBOLS)
        .describe(
          'Names, tickers or codes: one for candles, up to 6 to compare, e.g. ["삼성전자"] or ["AAPL", "MSFT"]',
        ),
      range: z.enum(HISTORY_RANGES).default('6mo').describe('How far back'),
      indicators: z
        .array(z.string().min(1).max(MAX_INDICATOR_LENGTH))
        .max(MAX_INDICATORS)
        .default([])
        .describe(
          'For one symbol: "ma20" (any period), "ema12", "bollinger", "rsi", "macd". Leave it out for the usual averages',
        ),
      theme: z.enum(['light', 'dark']).optional().describe('Only where the user asks for one'),
    }),
    progress: ({ symbols }, locale) => drawing(symbols, locale),
    run: async ({ symbols, range, indicators, theme }, context, signal) => {
      const request = { queries: symbols, range, indicators, ...(theme && { theme }) };
      return toolResult(await markets.chart(request, context, signal));
    },
  });

export const charting = {
  queries: { chart: async () => (await import('./chart.ts')).chartAnswer },
  tools: { make_chart: makeChart },
} satisfies Feature;

export type { ChartQueries, ChartRequest } from './chart.ts';
