import type { FinanceContextProvider, MarketHours, NewsItem } from '#src/kernel/finance.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { distinctNews, NEWS_FETCHED } from '#src/markets/answers/distinct-news.ts';
import type { Market } from '#src/markets/sources/source.ts';
import type { AccountFeatures } from '#src/features/account-features.ts';

interface RecentNewsDeps {
  readonly market: Pick<Market, 'getNews'>;
  readonly clock: Clock;
}

const SHOWN = 3;
const FRESH_MS = 5 * 60_000;
/** Until then old headlines are better than none; each says when it was published. */
const KEPT_MS = 60 * 60_000;
const ASK_AGAIN_MS = 60_000;
/** So long, from the moment the source was asked, may somebody's answer wait for it. */
const PATIENCE_MS = 1_500;
/** A slow answer is still good for the next message. */
const ASKING_LIMIT_MS = 8_000;

const unreachable = (): Error => new Error('The news source has not answered');

/**
 * The newest headlines of the market as a whole, for every message of everybody: one request in five minutes,
 * made beside the messages. Nobody waits longer than a moment, and nobody at all where something is known or the
 * source has failed within the last minute.
 */
class RecentNews {
  readonly #deps: RecentNewsDeps;
  #items: readonly NewsItem[] | undefined;
  #itemsAtMs = 0;
  #askAgainAtMs = 0;
  #asking: { readonly done: Promise<void>; readonly sinceMs: number } | undefined;

  constructor(deps: RecentNewsDeps) {
    this.#deps = deps;
  }

  /** Empty where the source has none. Throws on abort, and where it cannot be reached. */
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

  /** Never throws: nobody may be there to hear it. The market logs why a source failed. */
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
      // Late, or a source that broke its promise: asked again in a minute.
    } finally {
      clear();
      this.#askAgainAtMs = clock.monotonicMs() + (isKnown ? FRESH_MS : ASK_AGAIN_MS);
      this.#asking = undefined;
    }
  }
}

interface FinanceContextDeps {
  readonly hours: MarketHours;
  readonly market: Pick<Market, 'getNews'>;
  /** What is known of a person, by who they are on their platform. */
  readonly personal: AccountFeatures['context'];
  readonly clock: Clock;
}

export const createFinanceContextProvider = ({
  hours,
  market,
  personal,
  clock,
}: FinanceContextDeps): FinanceContextProvider => {
  const recentNews = new RecentNews({ market, clock });
  return {
    getMarketSession: async () => {
      const now = clock.now();
      return hours.markets.map((name) => hours.sessionAt(name, now));
    },
    getRecentNews: recentNews.get,
    ...personal,
  };
};
