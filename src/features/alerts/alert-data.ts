import type { CorporateActions } from '#src/kernel/corporate-action.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Instrument, NewsItem } from '#src/kernel/finance.ts';
import { withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { Semaphore } from '#src/platform/semaphore.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { type DailySeries, dailySeriesOf } from './daily-series.ts';
import { createRoundRobin, type Wanted } from './round-robin.ts';
import { type SplitFacts, splitFactsOf } from './split-facts.ts';

interface AlertDataDeps {
  readonly market: Pick<Market, 'getHistory' | 'getNews'>;
  readonly corporateActions: CorporateActions;
  readonly clock: Clock;
}

/** The splits of an instrument since a day, as of another one. */
export interface WantedSplits extends Wanted {
  readonly since: string;
  readonly day: string;
  /** Its price is far from what was seen before: the source is asked again. */
  readonly isUrgent: boolean;
}

/** What alerts need beside quotes, asked for seldom and few at a time. What cannot be had is left out. */
export interface AlertData {
  readonly daily: (
    wanted: readonly Wanted[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, DailySeries>>;
  /** Forgets what belongs to prices that nobody watches any more, in or out of their hours. */
  readonly keepPrices: (watched: readonly Wanted[]) => void;
  /** What is known on that day; without those that were not asked for yet, or did not answer in time. */
  readonly splits: (
    wanted: readonly WantedSplits[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, SplitFacts>>;
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
/** Once a day is enough; what is urgent does not wait for it. */
const SPLITS_A_LOOK = 15;
const SPLITS_MS = 12 * 60 * MINUTE_MS;
const URGENT_MS = 5 * MINUTE_MS;
/** Prices are judged without it then; it goes on, and is there at a later look. */
const SPLITS_LIMIT_MS = 10_000;
const tooLate = (): Error => new FinClawError('Splits were not known in time', 'TIMEOUT');
const AT_ONCE = 4;

interface Entry<T> {
  readonly value: T | undefined;
  readonly askAgainAtMs: number;
}

interface KnownSplits {
  readonly facts: SplitFacts;
  readonly since: string;
  readonly day: string;
  readonly askAgainAtMs: number;
  readonly urgentAgainAtMs: number;
}

const forgetOthers = (known: Map<string, unknown>, wanted: readonly Wanted[]): void => {
  const symbols = new Set(wanted.map(({ instrument }) => instrument.symbol));
  for (const symbol of known.keys()) if (!symbols.has(symbol)) known.delete(symbol);
};

export const createAlertData = ({ market, corporateActions, clock }: AlertDataDeps): AlertData => {
  const slots = new Semaphore(AT_ONCE);
  const dailies = new Map<string, Entry<DailySeries>>();
  const newsAskedAgainAtMs = new Map<string, number>();
  const splits = new Map<string, KnownSplits>();
  const turns = { daily: createRoundRobin(), news: createRoundRobin(), splits: createRoundRobin() };

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

  const fetchSplits = async (wanted: WantedSplits, signal: AbortSignal): Promise<void> => {
    const { instrument, since, day, isUrgent } = wanted;
    const ask = isUrgent ? corporateActions.lookAgain : corporateActions.since;
    const facts = splitFactsOf(await ask(instrument, Temporal.PlainDate.from(since), signal));
    const nowMs = clock.monotonicMs();
    splits.set(instrument.symbol, {
      facts,
      since,
      day,
      askAgainAtMs: nowMs + (facts.status === 'ok' ? SPLITS_MS : FAILED_MS),
      urgentAgainAtMs: isUrgent ? nowMs + URGENT_MS : 0,
    });
  };

  const areSplitsDue = ({ instrument, since, day, isUrgent }: WantedSplits, nowMs: number): boolean => {
    const known = splits.get(instrument.symbol);
    if (!known || known.day !== day || known.since > since) return true;
    return known.askAgainAtMs <= nowMs || (isUrgent && known.urgentAgainAtMs <= nowMs);
  };

  return {
    keepPrices: (watched) => {
      forgetOthers(dailies, watched);
      forgetOthers(splits, watched);
      turns.daily.keepOnly(watched);
      turns.splits.keepOnly(watched);
    },

    splits: async (wanted, signal) => {
      const nowMs = clock.monotonicMs();
      const due = wanted.filter((one) => areSplitsDue(one, nowMs));
      const bySymbol = new Map(due.map((one) => [one.instrument.symbol, one]));
      const urgent = due.filter(({ isUrgent }) => isUrgent).map(({ instrument }) => instrument);
      const others = turns.splits.next(
        due.filter(({ isUrgent }) => !isUrgent),
        Math.max(SPLITS_A_LOOK - urgent.length, 0),
      );
      const limited = withDeadline(signal, SPLITS_LIMIT_MS, clock, tooLate);
      try {
        await eachOf([...urgent, ...others], limited.signal, async ({ symbol }) => {
          const one = bySymbol.get(symbol);
          if (one) await fetchSplits(one, limited.signal);
        });
      } catch (error) {
        signal.throwIfAborted();
        if (!limited.signal.aborted) throw error;
      } finally {
        limited.clear();
      }
      return new Map(
        wanted.flatMap(({ instrument: { symbol }, since, day }) => {
          const known = splits.get(symbol);
          return known?.day === day && known.since <= since ? [[symbol, known.facts] as const] : [];
        }),
      );
    },

    daily: async (wanted, signal) => {
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
