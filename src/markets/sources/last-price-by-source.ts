import type { OtherPrice, SourceQuote } from '#src/kernel/finance.ts';
import type { Clock } from '#src/platform/clock.ts';
import { Cache } from './cache.ts';
import type { History } from './source.ts';

const KEPT_MS = 5 * 60_000;
const MAX_REMEMBERED = 500;
const SAME_MINUTE_MS = 60_000;
const MAX_APART = 0.01;

interface Seen extends OtherPrice {
  readonly currency: string;
}

/** Remembers the last price of each instrument from each source, without extra requests. */
export const createOtherPrices = (clock: Clock) => {
  const seen = new Cache<ReadonlyMap<string, Seen>>({ clock, maxEntries: MAX_REMEMBERED });

  const remember = (symbol: string, price: Seen): void => {
    const others = new Map(seen.get(symbol));
    others.set(price.source, price);
    seen.set(symbol, others, KEPT_MS);
  };

  return {
    sawQuote: ({ instrument, price, asOf, source, isSample, isLastKnown }: SourceQuote): void => {
      if (isSample || isLastKnown) return;
      remember(instrument.symbol, { price, asOf, source, currency: instrument.currency });
    },
    /** Remembers the close of the last bar. */
    sawHistory: ({ instrument, bars, asOf, source, isSample }: History): void => {
      const last = bars.at(-1);
      if (isSample || !last) return;
      const { currency } = instrument;
      remember(instrument.symbol, { price: last.close, asOf, source: `${source} chart`, currency });
    },
    /** Another source's price of the same minute that differs by more than 1 %; of several, the most different. */
    against: ({ instrument, price, asOf, source, isSample }: SourceQuote): OtherPrice | undefined => {
      if (isSample || price.isZero()) return undefined;
      const apart = (other: Seen): number => other.price.minus(price).dividedBy(price).abs().toNumber();
      const [other] = [...(seen.get(instrument.symbol)?.values() ?? [])]
        .filter(
          (each) =>
            each.source !== source &&
            each.currency === instrument.currency &&
            Math.abs(each.asOf.epochMilliseconds - asOf.epochMilliseconds) <= SAME_MINUTE_MS &&
            apart(each) > MAX_APART,
        )
        .toSorted((a, b) => apart(b) - apart(a));
      return other && { price: other.price, asOf: other.asOf, source: other.source };
    },
  };
};
