import type { Instrument, NewsItem, Quote, QuoteResult } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import {
  type BriefingOrder,
  type ComposeDeps,
  createBriefingComposer,
} from '#src/features/briefings/compose-briefing.ts';
import type { PortfolioMovers } from '#src/features/portfolio/summary/movers.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { requesterOf, memoryWatchlists, ownerOf } from '../watchlist/support.ts';

export const { signal } = new AbortController();
export const mina = requesterOf('mina');

export const instrument = (code: string): Instrument => {
  const match = symbols.resolve(code);
  if (match.status !== 'found') throw new Error(`${code} is ${match.status}`);
  return match.instrument;
};

/** By symbol: what it costs, and by how much percent it moved. */
type Moves = Readonly<Record<string, number>>;

const quoteOf = (of: Instrument, percent: number, more: Partial<Quote> = {}): Quote => ({
  instrument: of,
  price: new Decimal(100).plus(percent),
  previousClose: new Decimal(100),
  asOf: Temporal.Instant.from('2026-11-13T06:00:00Z'),
  source: 'Yahoo Finance',
  isSample: false,
  sessionState: 'open',
  isStale: false,
  ...more,
});

export const headline = (title: string, more: Partial<NewsItem> = {}): NewsItem => ({
  title,
  url: `https://news.example/${encodeURIComponent(title)}`,
  publisher: 'Reuters',
  publishedAt: Temporal.Instant.from('2026-11-13T05:00:00Z'),
  symbols: [],
  ...more,
});

interface BriefingWorld {
  readonly moves?: Moves;
  readonly isSample?: boolean;
  readonly isDown?: boolean;
  readonly news?: Market['getNews'];
  readonly movers?: ComposeDeps['portfolioMovers'];
  readonly clock?: ManualClock;
}

/** Everything costs a hundred and a bit, and nothing happens. */
export const composerOf = (world: BriefingWorld = {}) => {
  const { moves = {}, isSample = false, clock = new ManualClock() } = world;
  const watchlist = memoryWatchlists();
  const { logger, records } = recordingLogger();
  const asked: (readonly string[])[] = [];
  const read: string[] = [];
  const getQuotes = async (instruments: readonly Instrument[]): Promise<readonly QuoteResult[]> => {
    asked.push(instruments.map(({ symbol }) => symbol));
    return instruments.map((each) =>
      world.isDown
        ? { status: 'unavailable', instrument: each, reason: 'down' }
        : { status: 'ok', quote: quoteOf(each, moves[each.symbol] ?? 0, { isSample }) },
    );
  };
  const none = { status: 'unavailable', reason: world.isDown ? 'down' : 'no-data' } as const;
  const compose = createBriefingComposer({
    market: { getQuotes, getNews: world.news ?? (async () => none) },
    symbols,
    watchlist: {
      list: (ownerId) => {
        read.push(`watchlist of ${ownerId}`);
        return watchlist.list(ownerId);
      },
    },
    portfolioMovers: (ownerId, audience, within) => {
      read.push(`portfolio of ${ownerId}`);
      return world.movers?.(ownerId, audience, within) ?? Promise.resolve(undefined);
    },
    clock,
    logger,
  });
  return { compose, watchlist, asked, read, clock, records };
};

export const orderOf = (more: Partial<BriefingOrder> = {}): BriefingOrder => ({
  ownerId: ownerOf(mina),
  isPrivate: true,
  instruments: [],
  locale: 'en',
  timeZone: 'Asia/Seoul',
  ...more,
});

export const moversOf = (effects: Readonly<Record<string, number>>): PortfolioMovers => ({
  currency: 'KRW',
  movers: Object.entries(effects).map(([code, effect]) => ({
    instrument: instrument(code),
    change: new Decimal(effect).dividedBy(1_000_000),
    effect: new Decimal(effect),
  })),
  unpriced: [],
  origin: 'as of 2026-11-13 15:00 KST · source: Yahoo Finance',
  facts: [],
});
