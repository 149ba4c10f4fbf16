import type { Quote, SymbolSearch } from '#src/kernel/finance.ts';
import { marketMessages } from '#src/markets/answers/market-messages.ts';
import type { MarketQueries } from '#src/kernel/market-queries.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { Clock } from '#src/platform/clock.ts';
import { coinOverview } from './coin-overview.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { foundQuotes, instrumentsOf, missingTexts } from '#src/markets/answers/quote-results.ts';
import { quoteTable, tableOrigin } from '#src/markets/answers/quote-table.ts';
import { MARKET_SYMBOLS } from '#src/markets/answers/well-known.ts';

interface OverviewDeps {
  readonly market: Pick<Market, 'getQuotes'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly clock: Clock;
}

const marketOverview =
  ({ market, symbols, clock }: OverviewDeps): MarketQueries['overview'] =>
  async (_request, audience, signal) => {
    const t = marketMessages(audience.locale).overview;
    const results = await market.getQuotes(instrumentsOf(MARKET_SYMBOLS, symbols), signal);
    const quotes = foundQuotes(results);
    const missing = missingTexts(results, audience.locale);
    const nameOf = ({ instrument: { symbol, name } }: Quote): string =>
      Object.hasOwn(t.short, symbol) ? (t.short[symbol] ?? symbol) : name[audience.locale];
    const open = quotes.filter(({ sessionState, isSample }) => sessionState === 'open' && !isSample);
    const shown = [
      t.marketsTitle(),
      quoteTable(
        quotes,
        {
          nameOf,
          nameHead: t.name,
          levelHead: t.level,
        },
        audience,
      ),
      ...(open.length > 0 ? [t.openNow({ names: open.map(nameOf).join(', ') })] : []),
      tableOrigin(quotes, audience, clock.now()),
    ];
    return {
      content: [...(quotes.length > 0 ? shown : []), ...missing].join('\n\n'),
      facts: quotes.flatMap(quoteFacts),
      found: quotes.length,
    };
  };

/** The markets, or the coins, at a glance. Throws on abort alone. */
export const overviewAnswer = (deps: OverviewDeps): MarketQueries['overview'] => {
  const markets = marketOverview(deps);
  const coins = coinOverview(deps);
  return (request, audience, signal) =>
    request.of === 'crypto' ? coins(request, audience, signal) : markets(request, audience, signal);
};
