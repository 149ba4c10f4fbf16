import { z } from 'zod';
import type { Feature } from '#src/features/feature.ts';
import { analysisTexts } from '#src/markets/series/texts.ts';
import { shortened } from '#src/kernel/text.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/agent/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { INDICATOR_GROUPS } from './indicator-groups.ts';
import type { IndicatorsQueries } from './indicators.ts';

const input = toolInput(() =>
  z.object({
    symbol: nameInput().describe('Name, ticker or code, e.g. "삼성전자", "AAPL", "005930", "bitcoin"'),
    only: z
      .array(z.enum(INDICATOR_GROUPS))
      .min(1)
      .optional()
      .describe('Only these, where the user asks for some by name; absent: all'),
  }),
);

export const getIndicators = ({ markets }: { readonly markets: IndicatorsQueries }): Tool =>
  defineTool({
    name: 'get_indicators',
    description: [
      'Get the technical indicators of one stock, ETF, index, coin or currency pair from a year of daily bars:',
      'simple moving averages (20, 50, 200; in Korea 60 and 120 too), EMA 12 and 26, RSI 14, MACD (12, 26, 9),',
      'Bollinger bands (20, 2), ATR 14, the 52-week range and where the close stands in it, and the volume profile,',
      'each with what it means. Use it whenever the user asks for technical analysis, trend, momentum, overbought',
      'or oversold, volatility bands, support from traded volume, or one of these by name. Never state or estimate',
      'an indicator from memory; one that says "not enough data" has no value. Repeat the source and the as-of',
      'time. It describes, it does not advise: do not turn it into a recommendation to buy or sell. When the name',
      'is unknown or fits several the result says so; ask the user then instead of choosing.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    input,
    progress: ({ symbol }, locale) => analysisTexts(locale).reckoning({ name: shortened(symbol) }),
    run: async ({ symbol, only }, context, signal) =>
      toolResult(await markets.indicators({ query: symbol, ...(only && { only }) }, context, signal)),
  });

export const indicators = {
  queries: { indicators: async () => (await import('./indicators.ts')).indicatorsAnswer },
  tools: { get_indicators: getIndicators },
} satisfies Feature;
