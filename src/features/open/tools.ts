import type { BriefingService } from '#src/kernel/people/briefings.ts';
import type { ChatNoticeService } from '#src/kernel/people/chat-notices.ts';
import type { Tool } from '#src/kernel/agent/tool.ts';
import type { Uses } from '#src/platform/services.ts';
import type { PortfolioService } from '../portfolio/service.ts';
import * as features from '../index.ts';
import type { MarketQueries } from './market-queries.ts';

export interface FinanceToolDeps extends Uses<'alerts' | 'clock' | 'symbols' | 'watchlist'> {
  readonly markets: MarketQueries;
  readonly portfolio: PortfolioService;
  readonly briefings: BriefingService;
  readonly chatNotices: ChatNoticeService;
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
