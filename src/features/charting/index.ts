import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { chartTexts } from '#src/markets/charts/texts.ts';
import { HISTORY_RANGES } from '#src/kernel/market/finance.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput, statusNames } from '#src/markets/answers/name-input.ts';
import type { ChartQueries } from './chart.ts';

const MAX_SYMBOLS = 6;
const MAX_INDICATORS = 8;
const MAX_INDICATOR_LENGTH = 40;
/** Prices may have to be fetched first, and other pictures may be waiting to be drawn. */
const TIMEOUT_MS = 45_000;

const input = toolInput(() =>
  z.object({
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
    shape: z.enum(['candles', 'line']).optional().describe('For one symbol: `line` only where asked for'),
    interval: z
      .enum(['1d', '1wk', '1mo'])
      .optional()
      .describe('For one symbol: daily, weekly or monthly candles, only where asked for'),
    log: z.boolean().default(false).describe('A logarithmic price axis, only where asked for'),
    theme: z.enum(['light', 'dark']).optional().describe('Only where the user asks for one'),
  }),
);

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
    input,
    progress: ({ symbols }, locale) => {
      const named = statusNames(symbols);
      return named ? chartTexts(locale).drawing(named) : chartTexts(locale).drawingAny();
    },
    run: async ({ symbols, range, indicators, theme, shape, interval, log }, context, signal) => {
      const style = { ...(shape && { shape }), ...(interval && { interval }), ...(log && { isLog: log }) };
      const request = { queries: symbols, range, indicators, ...style, ...(theme && { theme }) };
      return toolResult(await markets.chart(request, context, signal));
    },
  });

export const charting = {
  queries: { chart: async () => (await import('./chart.ts')).chartAnswer },
  tools: { make_chart: makeChart },
} satisfies Feature;

export type { ChartQueries, ChartRequest } from './chart.ts';
