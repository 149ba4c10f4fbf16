import type { SourceDefinition } from '../source-definition.ts';
import { createYahooChartQuotes } from './chart-quotes.ts';
import { createYahooSource } from './source.ts';

export const YAHOO: SourceDefinition = {
  id: 'yahoo',
  name: 'Yahoo Finance',
  covers: 'every instrument',
  probeSymbol: 'AAPL',
  create: createYahooSource,
  // Charts need no session, so they still work while sessions are refused.
  createFallback: createYahooChartQuotes,
};
