import { z } from 'zod';
import { askAfterOthers } from '#src/kernel/after-others.ts';
import { watchlistTexts } from './texts.ts';
import { requesterOfCall, type WatchlistService } from '#src/kernel/account-services.ts';
import { defineTool, type Tool, toolInput } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';

const MAX_NAMES = 50;

const input = toolInput(() =>
  z.object({
    action: z.enum(['show', 'add', 'remove']).default('show'),
    names: z
      .array(nameInput())
      .max(MAX_NAMES)
      .default([])
      .describe('What to add or remove, e.g. ["삼성전자", "AAPL", "BTC"]; leave out to show the list'),
  }),
);

export const manageWatchlist = ({
  watchlist,
}: {
  readonly watchlist: Pick<WatchlistService, 'show' | 'add' | 'remove'>;
}): Tool =>
  defineTool({
    name: 'manage_watchlist',
    description: [
      'Show or change the watchlist of the user: what they keep an eye on without owning it (관심 종목). action="show"',
      'gives the current price of everything on it in one call: use it whenever the user asks about their',
      'watchlist, and for briefings. action="add" and action="remove" take names as the user wrote them, in Korean or',
      'English, or tickers; only call them when the user asks to have something added or removed. When a name fits',
      'several companies the result says so; ask the user then instead of choosing. It cannot empty the whole list: the',
      'user does that with /watch clear. Prices carry their source and as-of time: repeat them.',
    ].join(' '),
    group: 'finance',
    isExternal: true,
    accessesSensitiveData: true,
    input,
    approvalFor: ({ action }, context) => (action === 'remove' ? askAfterOthers(context) : undefined),
    progress: ({ action }, locale) => watchlistTexts(locale).progress[action](),
    run: async ({ action, names }, context, signal) => {
      const requester = requesterOfCall(context, `manage_watchlist:${action}:${names.join(',')}`);
      return toolResult(
        action === 'show'
          ? await watchlist.show({}, requester, signal)
          : await watchlist[action]({ names }, requester, signal),
      );
    },
  });
