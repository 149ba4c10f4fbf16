import type { Instrument, SourceQuote } from '#src/kernel/market/finance.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { Cache } from '../cache.ts';
import { marketError } from '../errors.ts';
import type { MarketSource } from '../source.ts';
import type { SourceDefinition, SourceDeps } from '../source-definition.ts';
import { readDays, readHistory } from './candles.ts';
import { createUpbitClient, type UpbitClient } from './client.ts';
import { listSchema, marketOf, marketsSchema, quoteFrom, SOURCE_NAME, tickerSchema } from './mapper.ts';

const DAY_MS = 86_400_000;
const KEY = 'all';

/**
 * The list of markets, refreshed once a day. A request that names an unknown market fails as a whole with 404, so
 * unknown markets are filtered out.
 */
const createMarkets = (client: UpbitClient, clock: Clock) => {
  const known = new Cache<ReadonlySet<string>>({ clock, maxEntries: 1 });

  const refresh = async (signal: AbortSignal): Promise<ReadonlySet<string>> => {
    const parsed = marketsSchema.safeParse(await client.get('/v1/market/all', {}, signal));
    if (!parsed.success)
      throw marketError('MARKET_BAD_DATA', `${SOURCE_NAME} sent an invalid list of markets`, {
        cause: parsed.error,
      });
    const names = new Set(parsed.data.map(({ market }) => market));
    known.set(KEY, names, DAY_MS);
    return names;
  };

  return {
    refresh,
    current: async (signal: AbortSignal): Promise<ReadonlySet<string>> => known.get(KEY) ?? refresh(signal),
  };
};

/** Coins in won from Korea's largest exchange. Its public API needs no key. */
export const createUpbitSource = ({ baseUrl, clock, logger }: SourceDeps): MarketSource => {
  const client = createUpbitClient({ baseUrl, clock });
  const markets = createMarkets(client, clock);

  /** Null if one of the markets does not exist. */
  const readTickers = async (
    wanted: ReadonlyMap<string, Instrument>,
    signal: AbortSignal,
  ): Promise<readonly SourceQuote[] | null> => {
    if (wanted.size === 0) return [];
    const body = await client.get('/v1/ticker', { markets: [...wanted.keys()].join(',') }, signal);
    if (body === null) return null;
    const list = listSchema.safeParse(body);
    if (!list.success)
      throw marketError('MARKET_BAD_DATA', `${SOURCE_NAME} sent no list of prices`, {
        cause: list.error,
      });
    return list.data.slice(0, wanted.size).flatMap((item) => {
      const ticker = tickerSchema.safeParse(item);
      const instrument = ticker.success && wanted.get(ticker.data.market);
      if (instrument) return [quoteFrom(ticker.data, instrument)];
      if (!ticker.success) logger.warn('Invalid price skipped', { source: SOURCE_NAME, error: ticker.error });
      return [];
    });
  };

  return {
    name: SOURCE_NAME,
    isSample: false,
    supports: (instrument) => marketOf(instrument) !== undefined,
    // Upbit counts price and candle requests separately.
    familyOf: (kind) => `${SOURCE_NAME} ${kind === 'quotes' ? 'prices' : 'candles'}`,
    getQuotes: async (instruments, signal) => {
      const among = (names: ReadonlySet<string>): ReadonlyMap<string, Instrument> =>
        new Map(
          instruments.flatMap((instrument) => {
            const market = marketOf(instrument);
            return market !== undefined && names.has(market) ? [[market, instrument] as const] : [];
          }),
        );
      const quotes = await readTickers(among(await markets.current(signal)), signal);
      if (quotes) return quotes;
      // A market was delisted after the list was read.
      const again = await readTickers(among(await markets.refresh(signal)), signal);
      if (again) return again;
      throw marketError('MARKET_BAD_DATA', `${SOURCE_NAME} does not know a market on its own list`);
    },
    getHistory: async (instrument, range, signal) => {
      const market = marketOf(instrument);
      return market === undefined
        ? null
        : readHistory(client, { instrument, market, range }, clock.now(), signal);
    },
    getDays: async (instrument, days, signal) => {
      const market = marketOf(instrument);
      return market === undefined
        ? null
        : readDays(client, { instrument, market, days }, clock.now(), signal);
    },
  };
};

export const UPBIT: SourceDefinition = {
  id: 'upbit',
  name: SOURCE_NAME,
  covers: 'coins in won',
  probeSymbol: 'BTC-KRW',
  create: createUpbitSource,
};
