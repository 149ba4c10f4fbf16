import type {
  FinanceContextProvider,
  MarketHours,
  MarketSession,
  NewsItem,
} from '#src/kernel/market/finance.ts';
import { raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import type { AccountFeatures } from './account-features.ts';
import type { FeatureUses } from '#src/features/services.ts';

const SHOWN = 3;
const FRESH_MS = 5 * 60_000;
/** Old headlines are better than none until then; each has its publication time. */
const KEPT_MS = 60 * 60_000;
const ASK_AGAIN_MS = 60_000;
/** An answer waits for the source no longer than this, counted from the request. */
const PATIENCE_MS = 1_500;
/** A late answer still serves the next message. */
const ASKING_LIMIT_MS = 8_000;

const unreachable = (): Error => new Error('The news source has not answered');

/**
 * The newest headlines of the whole market, shared by all messages: one request in five minutes, in the background. A
 * message waits only briefly, and not at all where headlines are known or the source has failed within the last minute.
 */
class RecentNews {
  readonly #deps: FeatureUses<'clock' | 'market.getNews'>;
  #items: readonly NewsItem[] | undefined;
  #itemsAtMs = 0;
  #askAgainAtMs = 0;
  #asking: { readonly done: Promise<void>; readonly sinceMs: number } | undefined;

  constructor(deps: FeatureUses<'clock' | 'market.getNews'>) {
    this.#deps = deps;
  }

  /** Empty where the source has no headlines. Throws on abort, and where the source cannot be reached. */
  readonly get = async (signal: AbortSignal): Promise<readonly NewsItem[]> => {
    signal.throwIfAborted();
    const { clock } = this.#deps;
    if (clock.monotonicMs() >= this.#askAgainAtMs)
      this.#asking ??= { done: this.#ask(), sinceMs: clock.monotonicMs() };
    if (!this.#known() && this.#asking) await this.#wait(this.#asking, signal);
    const items = this.#known();
    if (!items) throw unreachable();
    return items;
  };

  #known(): readonly NewsItem[] | undefined {
    return this.#deps.clock.monotonicMs() - this.#itemsAtMs < KEPT_MS ? this.#items : undefined;
  }

  async #wait(
    { done, sinceMs }: { readonly done: Promise<void>; readonly sinceMs: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#deps;
    const leftMs = sinceMs + PATIENCE_MS - clock.monotonicMs();
    if (leftMs <= 0) return;
    const waiting = withDeadline(signal, leftMs, clock, unreachable);
    try {
      await raceAbort(done, waiting.signal, clock, 0);
    } finally {
      waiting.clear();
    }
  }

  /** Never throws, because nobody may await it. The market logs why a source failed. */
  async #ask(): Promise<void> {
    const { market, clock } = this.#deps;
    const { signal, clear } = withDeadline(new AbortController().signal, ASKING_LIMIT_MS, clock, unreachable);
    let isKnown = false;
    try {
      const asked = (async () => market.getNews({ limit: NEWS_FETCHED }, signal))();
      const result = await raceAbort(asked, signal, clock, 0);
      isKnown = result.status === 'ok' || result.reason !== 'down';
      if (isKnown) {
        this.#items =
          result.status === 'ok'
            ? distinctNews(result.value.filter(({ isSample }) => isSample !== true)).slice(0, SHOWN)
            : [];
        this.#itemsAtMs = clock.monotonicMs();
      }
    } catch {
      // A late or broken source is asked again in a minute.
    } finally {
      clear();
      this.#askAgainAtMs = clock.monotonicMs() + (isKnown ? FRESH_MS : ASK_AGAIN_MS);
      this.#asking = undefined;
    }
  }
}

interface FinanceContextDeps extends FeatureUses<'clock' | 'market.getNews'> {
  readonly hours: MarketHours;
  readonly personal: AccountFeatures['context'];
}

export const createFinanceContextProvider = ({
  hours,
  market,
  personal,
  clock,
}: FinanceContextDeps): FinanceContextProvider => {
  const recentNews = new RecentNews({ market, clock });
  let sessions: { readonly minute: number; readonly all: readonly MarketSession[] } | undefined;
  return {
    getMarketSession: async () => {
      const now = clock.now();
      // Markets open and close at whole minutes.
      const minute = Math.floor(now.epochMilliseconds / 60_000);
      if (sessions?.minute !== minute)
        sessions = { minute, all: hours.markets.map((name) => hours.sessionAt(name, now)) };
      return sessions.all;
    },
    getRecentNews: recentNews.get,
    ...personal,
  };
};
