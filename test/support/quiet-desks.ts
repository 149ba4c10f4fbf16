import type { MarketAnswer } from '#src/core/market-desk.ts';
import type {
  AlertDesk,
  BriefingDesk,
  ChatNoticesDesk,
  PortfolioDesk,
  WatchDesk,
} from '#src/core/personal-desk.ts';

const nothing = async (): Promise<MarketAnswer> => ({ content: 'nothing', facts: [], found: 0 });

/** Desks of people who have nothing. */
export const quietDesks: {
  readonly portfolio: PortfolioDesk;
  readonly alerts: AlertDesk;
  readonly watchlist: WatchDesk;
  readonly briefings: BriefingDesk;
  readonly chatNotices: ChatNoticesDesk;
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
