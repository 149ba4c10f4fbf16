import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { CorporateActions } from '#src/kernel/market/corporate-action.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Instrument, NewsItem } from '#src/kernel/market/finance.ts';
import { withDeadline } from '#src/platform/concurrency/abort.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import { NEWS_SECONDS } from './evaluation-hours.ts';
import { type DailySeries, dailySeriesOf } from './daily-series.ts';
import { type SplitFacts, splitFactsOf } from './split-facts.ts';
import type { FeatureUses } from '#src/features/services.ts';

/** An instrument to request data for, and the owners who want it. */
export interface Wanted {
  readonly instrument: Instrument;
  readonly owners: Iterable<string>;
}

export const wantedOf = ({
  instrument,
  alerts,
}: Pick<Wanted, 'instrument'> & { readonly alerts: readonly Pick<AlertRecord, 'ownerId'>[] }): Wanted => ({
  instrument,
  owners: new Set(alerts.map(({ ownerId }) => ownerId)),
});

/** The splits of an instrument since one day, as known in a session: before an opening, those of its day are often unknown. */
export interface WantedSplits extends Wanted {
  readonly since: string;
  readonly session: string;
  /** The price is far from earlier ones, so the source is asked again. */
  readonly isUrgent: boolean;
}

const MINUTE_MS = 60_000;
const NEWS_MS = NEWS_SECONDS * 1_000;
const DAILY_MS = 15 * MINUTE_MS;
const FAILED_MS = 5 * MINUTE_MS;
/** Requests in one evaluation; the other instruments have their turn in the next ones. */
const MAX_REQUESTS = 40;
const MAX_SPLIT_REQUESTS = 15;
/** Twice a day is enough for splits. Urgent requests do not wait for it. */
const SPLITS_MS = 12 * 60 * MINUTE_MS;
const URGENT_MS = 5 * MINUTE_MS;
/** After this time prices are evaluated without splits, and a later evaluation asks again. */
const SPLITS_LIMIT_MS = 10_000;
const AT_ONCE = 4;

const tooLate = (): Error => new FinClawError('Splits were not known in time', 'TIMEOUT');

const symbolsOf = (wanted: readonly Wanted[]): ReadonlySet<string> =>
  new Set(wanted.map(({ instrument }) => instrument.symbol));

const forgetOthers = (known: Map<string, unknown>, kept: ReadonlySet<string>): void => {
  for (const key of known.keys()) if (!kept.has(key)) known.delete(key);
};

/** Picks the instruments that are requested now, where not all of them can be. */
const createRoundRobin = () => {
  /** The number of the turn that a symbol or an owner last had. */
  const askedAt = new Map<string, number>();
  const servedAt = new Map<string, number>();
  let turns = 0;

  return {
    /**
     * At most `limit` of these. Owners take turns, the least recently served first, and each gets their least recently
     * requested instrument. So every instrument has its turn, and a long list holds up nobody else.
     */
    next: (due: readonly Wanted[], limit: number): readonly Instrument[] => {
      const oldestFirst = due.toSorted(
        (a, b) => (askedAt.get(a.instrument.symbol) ?? 0) - (askedAt.get(b.instrument.symbol) ?? 0),
      );
      const lists = Map.groupBy(
        oldestFirst.flatMap(({ instrument, owners }) =>
          Array.from(owners, (owner) => ({ owner, instrument })),
        ),
        ({ owner }) => owner,
      );
      const waiting = [...lists]
        .toSorted(([a], [b]) => (servedAt.get(a) ?? 0) - (servedAt.get(b) ?? 0))
        .map(([owner, list]) => ({ owner, rest: list.values() }));
      const picked = new Map<string, Instrument>();
      // Owners with nothing left drop out of the round.
      for (let round = waiting; round.length > 0 && picked.size < limit;) {
        round = round.filter(({ owner, rest }) => {
          if (picked.size >= limit) return false;
          const next = rest.find(({ instrument }) => !picked.has(instrument.symbol));
          if (!next) return false;
          const { instrument } = next;
          turns += 1;
          picked.set(instrument.symbol, instrument);
          askedAt.set(instrument.symbol, turns);
          servedAt.set(owner, turns);
          return true;
        });
      }
      return [...picked.values()];
    },
    keepOnly: (wanted: readonly Wanted[]): void => {
      forgetOthers(askedAt, symbolsOf(wanted));
      forgetOthers(servedAt, new Set(wanted.flatMap(({ owners }) => [...owners])));
    },
  };
};

interface KnownSplits extends Pick<WantedSplits, 'since' | 'session'> {
  readonly facts: SplitFacts;
  readonly askAgainAtMs: number;
  readonly urgentAgainAtMs: number;
}

interface AlertDataDeps extends FeatureUses<'clock' | 'market.getHistory' | 'market.getNews'> {
  readonly corporateActions: CorporateActions;
}

/** The data that alerts need beside quotes, requested seldom and few at a time. Data that is unavailable is left out. */
export const createAlertData = ({ market, corporateActions, clock }: AlertDataDeps) => {
  const slots = new Semaphore(AT_ONCE);
  const dailies = new Map<
    string,
    { readonly value: DailySeries | undefined; readonly askAgainAtMs: number }
  >();
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
    const { instrument, since, session, isUrgent } = wanted;
    const ask = isUrgent ? corporateActions.lookAgain : corporateActions.since;
    const facts = splitFactsOf(await ask(instrument, Temporal.PlainDate.from(since), signal));
    const nowMs = clock.monotonicMs();
    splits.set(instrument.symbol, {
      facts,
      since,
      session,
      askAgainAtMs: nowMs + (facts.status === 'ok' ? SPLITS_MS : FAILED_MS),
      urgentAgainAtMs: isUrgent ? nowMs + URGENT_MS : 0,
    });
  };

  const areSplitsDue = ({ instrument, since, session, isUrgent }: WantedSplits, nowMs: number): boolean => {
    const known = splits.get(instrument.symbol);
    if (!known || known.session !== session || known.since > since) return true;
    return known.askAgainAtMs <= nowMs || (isUrgent && known.urgentAgainAtMs <= nowMs);
  };

  return {
    /** Forgets the data of prices that nobody watches any more, in or out of their hours. */
    keepPrices: (watched: readonly Wanted[]): void => {
      forgetOthers(dailies, symbolsOf(watched));
      forgetOthers(splits, symbolsOf(watched));
      turns.daily.keepOnly(watched);
      turns.splits.keepOnly(watched);
    },

    /** The splits known in that session. Instruments that were not requested yet, or whose request is late, are absent. */
    splits: async (
      wanted: readonly WantedSplits[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, SplitFacts>> => {
      const nowMs = clock.monotonicMs();
      const due = wanted.filter((one) => areSplitsDue(one, nowMs));
      const bySymbol = new Map(due.map((one) => [one.instrument.symbol, one]));
      const urgent = due.filter(({ isUrgent }) => isUrgent).map(({ instrument }) => instrument);
      const others = turns.splits.next(
        due.filter(({ isUrgent }) => !isUrgent),
        Math.max(MAX_SPLIT_REQUESTS - urgent.length, 0),
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
        wanted.flatMap(({ instrument: { symbol }, since, session }) => {
          const known = splits.get(symbol);
          return known?.session === session && known.since <= since ? [[symbol, known.facts] as const] : [];
        }),
      );
    },

    daily: async (
      wanted: readonly Wanted[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, DailySeries>> => {
      const nowMs = clock.monotonicMs();
      const due = wanted.filter(
        ({ instrument }) => (dailies.get(instrument.symbol)?.askAgainAtMs ?? 0) <= nowMs,
      );
      const instruments = turns.daily.next(due, MAX_REQUESTS);
      await eachOf(instruments, signal, (instrument) => fetchDaily(instrument, signal));
      return new Map([...dailies].flatMap(([symbol, { value }]) => (value ? [[symbol, value]] : [])));
    },

    /** The headlines of those instruments whose headlines are due. */
    news: async (
      wanted: readonly Wanted[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, readonly NewsItem[]>> => {
      forgetOthers(newsAskedAgainAtMs, symbolsOf(wanted));
      turns.news.keepOnly(wanted);
      const nowMs = clock.monotonicMs();
      const due = wanted.filter(
        ({ instrument }) => (newsAskedAgainAtMs.get(instrument.symbol) ?? 0) <= nowMs,
      );
      const found = new Map<string, readonly NewsItem[]>();
      await eachOf(turns.news.next(due, MAX_REQUESTS), signal, async (instrument) => {
        const result = await market.getNews({ instrument, limit: NEWS_FETCHED }, signal);
        newsAskedAgainAtMs.set(instrument.symbol, clock.monotonicMs() + NEWS_MS);
        // Sample headlines never change, so they fire nothing.
        const live = result.status === 'ok' && result.value.filter((item) => !item.isSample);
        if (live) found.set(instrument.symbol, distinctNews(live));
      });
      return found;
    },
  };
};

export type AlertData = ReturnType<typeof createAlertData>;
