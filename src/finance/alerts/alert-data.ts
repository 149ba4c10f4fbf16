import type { Instrument, NewsItem } from '#src/core/finance.ts';
import type { Clock } from '#src/infra/clock.ts';
import { Semaphore } from '#src/infra/semaphore.ts';
import { distinctNews, NEWS_FETCHED } from '../answers/distinct-news.ts';
import type { Market } from '../market/source.ts';
import { type DailySeries, dailySeriesOf } from './daily-series.ts';
import { createFairTurns, type Wanted } from './fair-turns.ts';

interface AlertDataDeps {
  readonly market: Pick<Market, 'getHistory' | 'getNews'>;
  readonly clock: Clock;
}

/** What alerts need beside quotes, asked for seldom and few at a time. What cannot be had is left out. */
export interface AlertData {
  readonly daily: (
    wanted: readonly Wanted[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, DailySeries>>;
  /** Only of those whose headlines are due. */
  readonly news: (
    wanted: readonly Wanted[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, readonly NewsItem[]>>;
}

const MINUTE_MS = 60_000;
const DAILY_MS = 15 * MINUTE_MS;
const NEWS_MS = 5 * MINUTE_MS;
const FAILED_MS = 5 * MINUTE_MS;
/** A few a look: what is left has its turn at the next ones. */
const MAX_A_LOOK = 40;
const AT_ONCE = 4;

interface Entry<T> {
  readonly value: T | undefined;
  readonly askAgainAtMs: number;
}

const forgetOthers = (known: Map<string, unknown>, wanted: readonly Wanted[]): void => {
  const symbols = new Set(wanted.map(({ instrument }) => instrument.symbol));
  for (const symbol of known.keys()) if (!symbols.has(symbol)) known.delete(symbol);
};

export const createAlertData = ({ market, clock }: AlertDataDeps): AlertData => {
  const slots = new Semaphore(AT_ONCE);
  const dailies = new Map<string, Entry<DailySeries>>();
  const newsAskedAgainAtMs = new Map<string, number>();
  const turns = { daily: createFairTurns(), news: createFairTurns() };

  const eachOf = async (
    instruments: readonly Instrument[],
    signal: AbortSignal,
    work: (instrument: Instrument) => Promise<void>,
  ): Promise<void> => {
    await Promise.all(
      instruments.map(async (instrument) => {
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
    daily: async (wanted, signal) => {
      forgetOthers(dailies, wanted);
      turns.daily.keepOnly(wanted);
      const nowMs = clock.monotonicMs();
      const due = wanted.filter(
        ({ instrument }) => (dailies.get(instrument.symbol)?.askAgainAtMs ?? 0) <= nowMs,
      );
      const instruments = turns.daily.next(due, MAX_A_LOOK);
      await eachOf(instruments, signal, (instrument) => fetchDaily(instrument, signal));
      return new Map([...dailies].flatMap(([symbol, { value }]) => (value ? [[symbol, value]] : [])));
    },

    news: async (wanted, signal) => {
      forgetOthers(newsAskedAgainAtMs, wanted);
      turns.news.keepOnly(wanted);
      const nowMs = clock.monotonicMs();
      const due = wanted.filter(
        ({ instrument }) => (newsAskedAgainAtMs.get(instrument.symbol) ?? 0) <= nowMs,
      );
      const found = new Map<string, readonly NewsItem[]>();
      await eachOf(turns.news.next(due, MAX_A_LOOK), signal, async (instrument) => {
        const result = await market.getNews({ instrument, limit: NEWS_FETCHED }, signal);
        newsAskedAgainAtMs.set(instrument.symbol, clock.monotonicMs() + NEWS_MS);
        // A sample headline is no news to anybody.
        const live = result.status === 'ok' && result.value.filter((item) => !item.isSample);
        if (live) found.set(instrument.symbol, distinctNews(live));
      });
      return found;
    },
  };
};
