import type { SymbolSearch } from '#src/kernel/finance.ts';
import type { MarketQueries } from '#src/kernel/market-queries.ts';
import type {
  AlertService,
  BriefingService,
  PortfolioService,
  WatchlistService,
} from '#src/kernel/account-services.ts';
import type { Tool } from '#src/kernel/tool.ts';
import type { Clock } from '#src/platform/clock.ts';
import {
  analyzePortfolio,
  getPortfolio,
  getTaxReport,
  planRebalance,
} from '#src/features/portfolio/tools.ts';
import { calculate } from '#src/features/calculate/calculate-tool.ts';
import { compare } from '#src/features/compare/compare-tool.ts';
import { convertCurrency } from '#src/features/fx/convert-currency.ts';
import { getEarningsCalendar } from '#src/features/earnings/get-earnings-calendar.ts';
import { getFundamentals } from '#src/features/fundamentals/get-fundamentals.ts';
import { getHistory } from '#src/features/history/get-history.ts';
import { getIndicators } from '#src/features/indicators/get-indicators.ts';
import { getMarketHours } from '#src/features/hours/get-market-hours.ts';
import { getMarketOverview } from '#src/features/quotes/get-market-overview.ts';
import { getNews } from '#src/features/news/get-news.ts';
import { getQuote } from '#src/features/quotes/get-quote.ts';
import { listAlerts } from '#src/features/alerts/list-alerts.ts';
import { makeChart } from '#src/features/charting/make-chart.ts';
import { manageWatchlist } from '#src/features/watchlist/manage-watchlist.ts';
import { recordTransaction, undoTransaction } from '#src/features/portfolio/recording-tools.ts';
import { removeAlert } from '#src/features/alerts/remove-alert.ts';
import { searchSymbol } from '#src/features/search/search-symbol.ts';
import { setAlert } from '#src/features/alerts/set-alert.ts';
import { setBriefing } from '#src/features/briefings/set-briefing-tool.ts';

export interface FinanceToolDeps {
  readonly markets: MarketQueries;
  readonly portfolio: PortfolioService;
  readonly alerts: AlertService;
  readonly watchlist: WatchlistService;
  readonly briefings: BriefingService;
  readonly symbols: SymbolSearch;
  readonly clock: Clock;
}

/** Their names, for those who only have to know that they are taken. */
export const FINANCE_TOOL_NAMES = [
  'analyze_portfolio',
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
  'get_portfolio',
  'get_quote',
  'get_tax_report',
  'list_alerts',
  'make_chart',
  'manage_watchlist',
  'plan_rebalance',
  'record_transaction',
  'remove_alert',
  'search_symbol',
  'set_alert',
  'set_briefing',
  'undo_transaction',
] as const;

/** What the model can call, by name: the order is part of the cached prompt. */
export const createFinanceTools = (deps: FinanceToolDeps): readonly Tool[] => [
  analyzePortfolio(deps),
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
  getPortfolio(deps),
  getQuote(deps),
  getTaxReport(deps),
  listAlerts(deps),
  makeChart(deps),
  manageWatchlist(deps),
  planRebalance(deps),
  recordTransaction(deps),
  removeAlert(deps),
  searchSymbol(deps),
  setAlert(deps),
  setBriefing(deps),
  undoTransaction(deps),
];
