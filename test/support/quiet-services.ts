import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { AlertService } from '#src/kernel/people/alerts.ts';
import type { BriefingService } from '#src/kernel/people/briefings.ts';
import type { ChatNoticeService } from '#src/kernel/people/chat-notices.ts';
import type { PortfolioService } from '#src/features/portfolio/service.ts';
import type { WatchlistService } from '#src/kernel/people/watchlist.ts';

const nothing = async (): Promise<MarketAnswer> => ({ content: 'nothing', facts: [], found: 0 });

/** Desks of people who have nothing. */
export const quietServices: {
  readonly portfolio: PortfolioService;
  readonly alerts: AlertService;
  readonly watchlist: WatchlistService;
  readonly briefings: BriefingService;
  readonly chatNotices: ChatNoticeService;
} = {
  portfolio: {
    summary: nothing,
    open: nothing,
    analyse: nothing,
    record: nothing,
    plan: async () => ({ status: 'refused', answer: await nothing() }),
    history: nothing,
    undo: nothing,
    planUndo: async () => ({ status: 'refused', answer: await nothing() }),
    preview: nothing,
    confirmImport: nothing,
    export: nothing,
    actions: nothing,
    tax: nothing,
    rebalance: nothing,
    target: nothing,
    list: nothing,
    create: nothing,
    configure: nothing,
    remove: nothing,
  },
  alerts: { set: nothing, list: nothing, remove: nothing, snooze: nothing },
  watchlist: { show: nothing, add: nothing, remove: nothing, clear: nothing },
  briefings: { set: nothing, list: nothing, remove: nothing, now: nothing },
  chatNotices: { list: nothing, remove: nothing },
};
