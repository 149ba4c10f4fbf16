import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Decimal } from '#src/kernel/money.ts';
import { tradingPlaceOf } from '#src/markets/calendar/calendar.ts';
import { isFxOpen, lastFxClose } from '#src/markets/calendar/fx-week.ts';
import { dateAt, dayOf, type Phase } from '#src/markets/calendar/sessions.ts';
import { extendedBase } from '#src/markets/sources/split-doubt.ts';

/** Milliseconds, because every evaluation compares thousands of times. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The spans in which prices count now. An absent session is not evaluated. */
export interface TradingWindow {
  /** Prices of the regular session count within this span. */
  readonly regular?: Span;
  /** Prices before or after it count for alerts with extended hours. */
  readonly extended?: Span & { readonly session: 'pre' | 'after' };
}

/** Sources are delayed, so the last prices arrive after the close. */
const AFTER_CLOSE_MS = 30 * 60_000;
/** Covers the closing auction and its late prints. */
const CLOSING_MS = 15 * 60_000;
/** Where the trading hours are unknown, only prices this recent count. */
const FRESH_MS = 30 * 60_000;

const spanOf = ({ from, to }: Phase): Span => ({
  fromMs: from.epochMilliseconds,
  toMs: to.epochMilliseconds,
});

const extendedAt = (phases: readonly Phase[], nowMs: number): TradingWindow['extended'] => {
  for (const phase of phases) {
    const span = spanOf(phase);
    if (phase.state !== 'open' && span.fromMs <= nowMs && nowMs < span.toMs)
      return { ...span, session: phase.state };
  }
  return undefined;
};

/** Coins trade always, currencies during their week, shares in their sessions and half an hour longer. */
export const tradingWindow = (instrument: Instrument, now: Timestamp): TradingWindow => {
  const nowMs = now.epochMilliseconds;
  const place = instrument.assetClass === 'rate' ? null : tradingPlaceOf(instrument);
  const fresh: TradingWindow = { regular: { fromMs: nowMs - FRESH_MS, toMs: Infinity } };
  if (!place) return fresh;
  if (place.kind === 'crypto') return { regular: { fromMs: -Infinity, toMs: Infinity } };
  if (place.kind === 'fx')
    return isFxOpen(now)
      ? { regular: { fromMs: lastFxClose(now).epochMilliseconds + CLOSING_MS, toMs: Infinity } }
      : {};
  const day = dayOf(place.data, dateAt(place.data, now));
  if (day.status === 'unknown') return fresh;
  if (day.status === 'closed') return {};
  const { fromMs, toMs } = spanOf(day.regular);
  // Indices have regular hours only.
  const extended = instrument.assetClass === 'index' ? undefined : extendedAt(day.phases, nowMs);
  return {
    ...(fromMs <= nowMs && nowMs < toMs + AFTER_CLOSE_MS && { regular: { fromMs, toMs: toMs + CLOSING_MS } }),
    ...(extended && { extended }),
  };
};

/** Instruments of one exchange share their window, which is computed once for each evaluation. */
export const createTradingWindows = (now: Timestamp): ((instrument: Instrument) => TradingWindow) => {
  const known = new Map<string, TradingWindow>();
  return (instrument) => {
    const key = `${instrument.assetClass} ${instrument.exchange}`;
    const window = known.get(key) ?? tradingWindow(instrument, now);
    known.set(key, window);
    return window;
  };
};

/** A price that counts now. */
export interface CurrentPrice {
  readonly price: Decimal;
  readonly at: Timestamp;
  /** The regular close that the day's change is measured from. */
  readonly dayBase: Decimal | undefined;
}

const isWithin = ({ fromMs, toMs }: Span, at: Timestamp): boolean =>
  fromMs <= at.epochMilliseconds && at.epochMilliseconds <= toMs;

/** The price of the regular session; undefined if it is old or from another session. Sample prices have no real time. */
export const regularPrice = (quote: Quote, { regular }: TradingWindow): CurrentPrice | undefined => {
  if (!regular || quote.isStale || quote.isAfterClose) return undefined;
  if (!quote.isSample && !isWithin(regular, quote.asOf)) return undefined;
  return { price: quote.price, at: quote.asOf, dayBase: quote.previousClose };
};

/** The price before or after the regular session. Sources give a trade after the close of KRX as the regular price. */
export const extendedPrice = (quote: Quote, { extended }: TradingWindow): CurrentPrice | undefined => {
  if (!extended || quote.isSample) return undefined;
  const traded = quote.isAfterClose
    ? { session: 'after', price: quote.price, asOf: quote.asOf }
    : quote.extended;
  if (!traded || traded.session !== extended.session || !isWithin(extended, traded.asOf)) return undefined;
  // Before the opening, the last regular price is the previous close.
  const dayBase = traded.session === 'pre' ? extendedBase(quote) : quote.previousClose;
  return { price: traded.price, at: traded.asOf, dayBase };
};
