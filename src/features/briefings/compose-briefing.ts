import type { BriefingRecord } from '#src/kernel/briefing.ts';
import type { Instrument, QuoteResult, SymbolSearch } from '#src/kernel/finance.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { briefingMessages } from './messages.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { writeDate } from '#src/kernel/moment.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { foundQuotes, instrumentsOf } from '#src/markets/answers/quote-results.ts';
import { tableOrigin } from '#src/markets/answers/quote-table.ts';
import { MARKET_SYMBOLS } from '#src/markets/answers/well-known.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import type { WatchlistStore } from '#src/features/watchlist/index.ts';
import { newsFacts, newsText, readNews } from './briefing-news.ts';
import { marketsSection, namedSection, resultsOf, watchedSection } from './briefing-quotes.ts';
import { dateOf, sessionsText } from './market-days.ts';
import type { PortfolioMoversOf } from '#src/features/portfolio/index.ts';
import { moversText } from './portfolio-movers.ts';

/** For whom, and of what. A briefing that was set is one. */
export type BriefingOrder = Pick<
  BriefingRecord,
  'ownerId' | 'isPrivate' | 'instruments' | 'locale' | 'timeZone'
>;

export interface ComposedBriefing {
  /** Markdown; without the mark of sample data. */
  readonly text: string;
  readonly facts: readonly Fact[];
  /** There was nothing to be had from any source. */
  readonly isEmpty: boolean;
}

/** Throws on abort alone. */
export type ComposeBriefing = (order: BriefingOrder, signal: AbortSignal) => Promise<ComposedBriefing>;

export interface ComposeDeps {
  readonly market: Pick<Market, 'getQuotes' | 'getNews'>;
  readonly symbols: Pick<SymbolSearch, 'resolve'>;
  readonly watchlist: Pick<WatchlistStore, 'list'>;
  readonly portfolioMovers: PortfolioMoversOf;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

const PART_LIMIT_MS = 20_000;
/** What one message of the strictest platform holds, with room for tables that are drawn wider there. */
const ONE_MESSAGE = 1_700;
/** As much as fits; what was asked for is never left out. */
const SIZES = [
  { watched: 10, headlines: 5 },
  { watched: 5, headlines: 3 },
] as const;

const distinct = (instruments: readonly Instrument[]): readonly Instrument[] => [
  ...new Map(instruments.map((instrument) => [instrument.symbol, instrument])).values(),
];

/**
 * Sessions, markets, what was named and headlines; for a person alone also their watchlist and what moved their
 * portfolio: in a place that others read those are not even looked up. Each part may fail alone, and is then named.
 */
export const createBriefingComposer = (deps: ComposeDeps): ComposeBriefing => {
  const { market, symbols, watchlist, portfolioMovers, clock, logger } = deps;

  const part = async <T>(
    name: string,
    parent: AbortSignal,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | 'failed'> => {
    const late = (): Error => new FinClawError(`No ${name} within ${PART_LIMIT_MS} ms`, 'TIMEOUT');
    const { signal, clear } = withDeadline(parent, PART_LIMIT_MS, clock, late);
    try {
      return await raceAbort(task(signal), signal);
    } catch (error) {
      parent.throwIfAborted();
      logger.warn('A part of a briefing could not be had', { part: name, error });
      return 'failed';
    } finally {
      clear();
    }
  };

  return async (order, signal) => {
    const { ownerId, isPrivate, instruments: named, ...audience } = order;
    const t = briefingMessages(audience.locale);
    const markets = instrumentsOf(MARKET_SYMBOLS, symbols);
    const list = isPrivate ? await part('watchlist', signal, () => watchlist.list(ownerId)) : [];
    const isNamed = new Set(named.map(({ symbol }) => symbol));
    const watched = list === 'failed' ? [] : list.filter(({ symbol }) => !isNamed.has(symbol));
    const [quoted, news, movers] = await Promise.all([
      part('quotes', signal, (within) =>
        market.getQuotes(distinct([...markets, ...named, ...watched]), within),
      ),
      part('news', signal, (within) => readNews(market, named, within)),
      isPrivate
        ? part('portfolio', signal, (within) => portfolioMovers(ownerId, audience, within))
        : undefined,
    ]);

    const now = clock.now();
    const results: readonly QuoteResult[] = quoted === 'failed' ? [] : quoted;
    const quotes = foundQuotes(results);
    const heard = news === 'failed' ? { items: [], status: 'down' as const } : news;
    const textOf = ({ watched: rows, headlines }: (typeof SIZES)[number]): string =>
      [
        [
          t.title({ date: writeDate(dateOf(now, audience.timeZone), audience.locale) }),
          sessionsText(now, audience),
        ].join('\n'),
        ...(quoted === 'failed' ? [t.quotesFailed()] : []),
        ...marketsSection(resultsOf(markets, results), audience),
        ...namedSection(resultsOf(named, results), audience),
        ...(list === 'failed' ? [t.watchlistFailed()] : []),
        ...watchedSection(resultsOf(watched, results), rows, audience),
        ...(quotes.length > 0 ? [tableOrigin(quotes, audience, now)] : []),
        ...(movers === 'failed' ? [t.moversFailed()] : movers ? [moversText(movers, audience)] : []),
        newsText(heard, headlines, audience),
      ].join('\n\n');
    const [whole, short] = SIZES.map(textOf);
    return {
      text: whole !== undefined && whole.length <= ONE_MESSAGE ? whole : (short ?? ''),
      facts: [
        ...quotes.flatMap(quoteFacts),
        ...(movers === 'failed' ? [] : (movers?.facts ?? [])),
        ...newsFacts(heard.items.slice(0, SIZES[0].headlines)),
      ],
      isEmpty: quotes.length === 0 && heard.items.length === 0,
    };
  };
};
