import type { MarketDesk } from '#src/core/market-desk.ts';
import type { Tool } from '#src/core/tool.ts';
import { calculate } from './calculate.ts';
import { compare } from './compare.ts';
import { convertCurrency } from './convert-currency.ts';
import { getEarningsCalendar } from './get-earnings-calendar.ts';
import { getFundamentals } from './get-fundamentals.ts';
import { getHistory } from './get-history.ts';
import { getIndicators } from './get-indicators.ts';
import { getMarketHours } from './get-market-hours.ts';
import { getMarketOverview } from './get-market-overview.ts';
import { getNews } from './get-news.ts';
import { getQuote } from './get-quote.ts';
import { makeChart } from './make-chart.ts';
import { searchSymbol } from './search-symbol.ts';

export interface FinanceToolDeps {
  readonly desk: MarketDesk;
}

/** Their names, for those who only have to know that they are taken. */
export const FINANCE_TOOL_NAMES = [
  'calculate',
  'compare',
  'convert_currency',
  'get_earnings_calendar',
  'get_fundamentals',
  'get_history',
  'get_indicators',
  'get_market_hours',
  'get_market_overview',
  'get_news',
  'get_quote',
  'make_chart',
  'search_symbol',
] as const;

/** What the model can call, by name: the order is part of the cached prompt. */
export const createFinanceTools = (deps: FinanceToolDeps): readonly Tool[] => [
  calculate(),
  compare(deps),
  convertCurrency(deps),
  getEarningsCalendar(deps),
  getFundamentals(deps),
  getHistory(deps),
  getIndicators(deps),
  getMarketHours(deps),
  getMarketOverview(deps),
  getNews(deps),
  getQuote(deps),
  makeChart(deps),
  searchSymbol(deps),
];
