import type { SymbolSearch } from '#src/core/finance.ts';
import type { MarketQueries } from '#src/core/market-desk.ts';
import type {
  AlertService,
  BriefingService,
  PortfolioService,
  WatchlistService,
} from '#src/core/personal-desk.ts';
import type { Tool } from '#src/core/tool.ts';
import type { Clock } from '#src/infra/clock.ts';
import { analyzePortfolio } from './analyze-portfolio.ts';
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
import { getPortfolio } from './get-portfolio.ts';
import { getQuote } from './get-quote.ts';
import { getTaxReport } from './get-tax-report.ts';
import { listAlerts } from './list-alerts.ts';
import { makeChart } from './make-chart.ts';
import { manageWatchlist } from './manage-watchlist.ts';
import { planRebalance } from './plan-rebalance.ts';
import { recordTransaction } from './record-transaction.ts';
import { removeAlert } from './remove-alert.ts';
import { searchSymbol } from './search-symbol.ts';
import { setAlert } from './set-alert.ts';
import { setBriefing } from './set-briefing.ts';
import { undoTransaction } from './undo-transaction.ts';

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
