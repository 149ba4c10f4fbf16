import type { AlertService } from '#src/kernel/people/alerts.ts';
import type { BriefingService } from '#src/kernel/people/briefings.ts';
import type { ChatNoticeService } from '#src/kernel/people/chat-notices.ts';
import type { WatchlistService } from '#src/kernel/people/watchlist.ts';
import type { SymbolSearch } from '#src/kernel/market/finance.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { PortfolioService } from '../portfolio/service.ts';
import * as features from '../index.ts';
import type { MarketQueries } from './market-queries.ts';

export interface FinanceToolDeps {
  readonly markets: MarketQueries;
  readonly portfolio: PortfolioService;
  readonly alerts: AlertService;
  readonly watchlist: WatchlistService;
  readonly briefings: BriefingService;
  readonly chatNotices: ChatNoticeService;
  readonly symbols: SymbolSearch;
  readonly clock: Clock;
}

interface ToolFeature {
  readonly tools: Readonly<Record<string, (deps: FinanceToolDeps) => Tool>>;
}

/** Sorted by name: the order is part of the cached prompt. */
const registered = Object.values<ToolFeature>(features)
  .flatMap(({ tools }) => Object.entries(tools))
  .toSorted(([one], [other]) => (one < other ? -1 : 1));

/** For callers that only need to know which names are taken. */
export const FINANCE_TOOL_NAMES: readonly string[] = registered.map(([name]) => name);

export const createFinanceTools = (deps: FinanceToolDeps): readonly Tool[] =>
  registered.map(([, create]) => create(deps));
