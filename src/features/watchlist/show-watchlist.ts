import { watchlistMessages } from './messages.ts';
import { marketMessages } from '#src/markets/answers/market-messages.ts';
import type { WatchlistService } from '#src/kernel/account-services.ts';
import { narrowName } from '#src/markets/answers/narrow-name.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { foundQuotes, missingTexts } from '#src/markets/answers/quote-results.ts';
import { quoteTable, tableOrigin } from '#src/markets/answers/quote-table.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { OwnerStore } from '#src/platform/storage/owners.ts';
import type { WatchlistStore } from './store.ts';

export interface ShowWatchlistDeps {
  readonly owners: Pick<OwnerStore, 'ownerOf'>;
  readonly store: Pick<WatchlistStore, 'list'>;
  readonly market: Pick<Market, 'getQuotes'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** All prices of one's list in one request, in the order in which they were added. */
export const showWatchlist =
  ({ owners, store, market, clock }: ShowWatchlistDeps): WatchlistService['show'] =>
  async (_request, requester, signal) => {
    const { locale } = requester;
    const t = watchlistMessages(locale);
    const overview = marketMessages(locale).overview;
    const instruments = await store.list(await owners.ownerOf(requester));
    // An empty list is an answer too.
    if (instruments.length === 0) return { content: t.empty(), facts: [], found: 1 };
    const results = await market.getQuotes(instruments, signal);
    const quotes = foundQuotes(results);
    const open = quotes.filter(({ sessionState, isSample }) => sessionState === 'open' && !isSample);
    const shown = [
      quoteTable(
        quotes,
        {
          nameOf: ({ instrument }) => narrowName(instrument, locale),
          nameHead: overview.name,
          levelHead: overview.price,
        },
        requester,
      ),
      ...(open.length > 0
        ? [overview.openNow({ names: open.map(({ instrument }) => instrument.name[locale]).join(', ') })]
        : []),
      tableOrigin(quotes, requester, clock.now()),
    ];
    return {
      content: [
        t.title({ count: instruments.length }),
        ...(quotes.length > 0 ? shown : []),
        ...missingTexts(results, locale),
      ].join('\n\n'),
      facts: quotes.flatMap(quoteFacts),
      found: quotes.length,
    };
  };
