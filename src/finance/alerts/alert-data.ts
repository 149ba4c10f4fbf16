import type { Instrument, NewsItem } from '#src/core/finance.ts';
import type { Clock } from '#src/infra/clock.ts';
import { Semaphore } from '#src/infra/semaphore.ts';
import { distinctNews, NEWS_FETCHED } from '../answers/distinct-news.ts';
import type { Market } from '../market/source.ts';
import { type DailySeries, dailySeriesOf } from './daily-series.ts';

interface AlertDataDeps {
  readonly market: Pick<Market, 'getHistory' | 'getNews'>;
  readonly clock: Clock;
}

/** What alerts need beside quotes, asked for seldom and few at a time. What cannot be had is left out. */
export interface AlertData {
  readonly daily: (
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, DailySeries>>;
  /** Only of those whose headlines are due. */
  readonly news: (
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, readonly NewsItem[]>>;
}

const MINUTE_MS = 60_000;
const DAILY_MS = 15 * MINUTE_MS;
const NEWS_MS = 5 * MINUTE_MS;
const FAILED_MS = 5 * MINUTE_MS;
/** A few a look: what is left has its turn at the next one, and nothing waits long. */
const MAX_A_LOOK = 40;
const AT_ONCE = 4;

interface Entry<T> {
  readonly value: T | undefined;
  readonly askAgainAtMs: number;
}

export const createAlertData = ({ market, clock }: AlertDataDeps): AlertData => {
  const slots = new Semaphore(AT_ONCE);
  const dailies = new Map<string, Entry<DailySeries>>();
  const newsAskedAgainAtMs = new Map<string, number>();

  const eachOf = async (
    instruments: readonly Instrument[],
    signal: AbortSignal,
    work: (instrument: Instrument) => Promise<void>,
  ): Promise<void> => {
    await Promise.all(
      instruments.slice(0, MAX_A_LOOK).map(async (instrument) => {
        const release = await slots.acquire('', signal);
        try {
          await work(instrument);
        } finally {
          release();
        }
      }),
    );
  };

  const fetchDaily = async (instrument: Instrument, signal: AbortSignal): Promise<void> => {
    const result = await market.getHistory(instrument, '1y', signal);
    const value = result.status === 'ok' ? dailySeriesOf(result.value) : undefined;
    const askAgainAtMs = clock.monotonicMs() + (value ? DAILY_MS : FAILED_MS);
    dailies.set(instrument.symbol, { value, askAgainAtMs });
  };

  return {
    daily: async (instruments, signal) => {
      const wanted = new Set(instruments.map(({ symbol }) => symbol));
      for (const symbol of dailies.keys()) if (!wanted.has(symbol)) dailies.delete(symbol);
      const nowMs = clock.monotonicMs();
      const isDue = ({ symbol }: Instrument): boolean => (dailies.get(symbol)?.askAgainAtMs ?? 0) <= nowMs;
      // Those that were never asked for come first.
      const due = instruments
        .filter(isDue)
        .toSorted((a, b) => Number(dailies.has(a.symbol)) - Number(dailies.has(b.symbol)));
      await eachOf(due, signal, (instrument) => fetchDaily(instrument, signal));
      return new Map([...dailies].flatMap(([symbol, { value }]) => (value ? [[symbol, value]] : [])));
    },

    news: async (instruments, signal) => {
      const wanted = new Set(instruments.map(({ symbol }) => symbol));
      for (const symbol of newsAskedAgainAtMs.keys())
        if (!wanted.has(symbol)) newsAskedAgainAtMs.delete(symbol);
      const nowMs = clock.monotonicMs();
      const due = instruments.filter(({ symbol }) => (newsAskedAgainAtMs.get(symbol) ?? 0) <= nowMs);
      const found = new Map<string, readonly NewsItem[]>();
      await eachOf(due, signal, async (instrument) => {
        const result = await market.getNews({ instrument, limit: NEWS_FETCHED }, signal);
        newsAskedAgainAtMs.set(instrument.symbol, clock.monotonicMs() + NEWS_MS);
        if (result.status === 'ok') found.set(instrument.symbol, distinctNews(result.value));
      });
      return found;
    },
  };
};
