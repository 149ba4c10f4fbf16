import type { Localized } from '../locale.ts';
import type { PersonRef, Timestamp } from '../ids.ts';
import type { Currency, Decimal } from '../money.ts';

export type AssetClass = 'equity' | 'etf' | 'crypto' | 'fx' | 'index' | 'rate' | 'commodity';

/** Only shares and ETFs have splits and dividends. */
export const isShare = (assetClass: AssetClass): boolean => assetClass === 'equity' || assetClass === 'etf';

export interface Instrument {
  /** Unique over all markets, e.g. `005930.KS`, `AAPL`, `BTC-USD`, `USDKRW=X`. */
  readonly symbol: string;
  /** The local code: `005930`, `AAPL`, `BTC`, `USD/KRW`. */
  readonly ticker: string;
  readonly name: Localized;
  readonly exchange: string;
  readonly assetClass: AssetClass;
  /** `points` for an index, `%` for a rate. */
  readonly currency: Currency;
  /** KRW 0, USD 2, small coins up to 8. */
  readonly priceDecimals: number;
}

export type SessionState = 'pre' | 'open' | 'after' | 'closed' | 'unknown';

export interface PriceRange {
  readonly low: Decimal;
  readonly high: Decimal;
}

/** A trade outside the regular session. */
export interface ExtendedPrice {
  readonly session: 'pre' | 'after';
  readonly price: Decimal;
  readonly asOf: Timestamp;
  /** What its change is measured from, where a split makes that another than the regular price. */
  readonly from?: Decimal;
  /** It is as far from the regular price as after a split, and none is reported. It has no change then. */
  readonly isInDoubt?: true;
}

/** A price as reported by a source. Missing values are absent, never zero. */
export interface SourceQuote {
  readonly instrument: Instrument;
  /** In the regular session. */
  readonly price: Decimal;
  /** The previous *regular* close, from which the change is computed. */
  readonly previousClose?: Decimal;
  readonly dayRange?: PriceRange;
  readonly yearRange?: PriceRange;
  readonly volume?: Decimal;
  readonly extended?: ExtendedPrice;
  readonly asOf: Timestamp;
  /** The delay that the source states; absent if it states none. */
  readonly delayMinutes?: number;
  readonly source: string;
  readonly isSample: boolean;
  /** From the fallback source, because the usual one does not answer. */
  readonly isFallback?: boolean;
  /** A cached price, because no source is available at the moment. */
  readonly isLastKnown?: boolean;
}

/** The price of another live source in the same minute, if the two differ by more than 1 %. */
export interface OtherPrice {
  readonly price: Decimal;
  readonly asOf: Timestamp;
  readonly source: string;
}

/** What a quote had that contradicts its price, as after a split that is not reported yet or after a wrong trade. */
export interface QuoteDoubt {
  readonly previousClose?: Decimal;
  readonly yearRange?: PriceRange;
}

/** A source quote with the state of the market. */
export interface Quote extends SourceQuote {
  readonly sessionState: SessionState;
  /** Older than expected, even with the source's delay. */
  readonly isStale: boolean;
  /** The source calls the price regular, but it is from a trade after the regular close. */
  readonly isAfterClose?: boolean;
  readonly otherPrice?: OtherPrice;
  /** The price is to be checked: it has no change, and `previousClose` and `yearRange` are left out. */
  readonly doubt?: QuoteDoubt;
  /** KRX is closed while Nextrade trades Korean shares at prices that this quote does not include. */
  readonly nextradeSession?: 'pre' | 'after';
}

/**
 * `down`: no source is reachable. `limited`: the source's rate limit is reached. `no-data`: the source has no price.
 * `not-in-sample`: the sample data does not cover it.
 */
export type UnavailableReason = 'down' | 'limited' | 'no-data' | 'not-in-sample';

export type QuoteResult =
  | { readonly status: 'ok'; readonly quote: Quote }
  | {
      readonly status: 'unavailable';
      readonly instrument: Instrument;
      readonly reason: UnavailableReason;
    };

export type SymbolMatch =
  | { readonly status: 'found'; readonly instrument: Instrument }
  | { readonly status: 'ambiguous'; readonly choices: readonly Instrument[] }
  | { readonly status: 'unknown'; readonly suggestions: readonly Instrument[] };

/** A code outside the index that a market source lists. `offered`: the person has not confirmed it yet. */
export interface FoundListing {
  readonly status: 'offered' | 'confirmed';
  readonly instrument: Instrument;
}

/** Port: resolves a name or a code. An ambiguous name is never guessed. */
export interface SymbolSearch {
  readonly resolve: (query: string) => SymbolMatch;
  /**
   * Looks up a code that `resolve` does not know at a market source. A `$` before the code confirms an offered listing.
   * Undefined if nothing is listed or no source is available. Throws only on abort.
   */
  readonly findListing?: (query: string, signal: AbortSignal) => Promise<FoundListing | undefined>;
  /** Completions for a partial name, best first; the best known instruments for an empty one. */
  readonly suggest: (typed: string, limit: number) => readonly Instrument[];
}

/** The code that names exactly this instrument: its symbol, with `$` before it where the bare symbol is ambiguous (`GS`). */
export const codeFor = ({ symbol }: Instrument, symbols: Pick<SymbolSearch, 'resolve'>): string => {
  const match = symbols.resolve(symbol);
  return match.status === 'found' && match.instrument.symbol === symbol ? symbol : `$${symbol}`;
};

export interface MarketSession {
  readonly market: string;
  readonly state: SessionState;
  /** Null if the next opening is beyond the calendar data. */
  readonly nextOpenAt: Timestamp | null;
  /** Null if the next change is beyond the calendar data. */
  readonly nextChange: { readonly to: SessionState; readonly at: Timestamp } | null;
  /** Explains a special day: a holiday, a half day, other hours. */
  readonly note?: Localized;
}

/** Port: trading hours. A date outside the calendar data is `unknown`. */
export interface MarketHours {
  readonly markets: readonly string[];
  readonly sessionAt: (market: string, at: Timestamp) => MarketSession;
}

export interface Holding {
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  readonly averageCost: Decimal;
}

export interface Portfolio {
  readonly name: string;
  readonly baseCurrency: Currency;
  readonly holdings: readonly Holding[];
}

export interface Alert {
  readonly id: string;
  readonly instrument: Instrument;
  /** In the person's language. */
  readonly condition: string;
}

export interface NewsItem {
  readonly title: string;
  readonly url: string;
  readonly publisher: string;
  readonly publishedAt: Timestamp;
  readonly symbols: readonly string[];
  /** Sample data. */
  readonly isSample?: boolean;
}

/** Port: market and account data for the context stage. */
export interface FinanceContextProvider {
  /** One session per market. */
  readonly getMarketSession?: (signal: AbortSignal) => Promise<readonly MarketSession[]>;
  readonly getActiveAlerts?: (person: PersonRef, signal: AbortSignal) => Promise<readonly Alert[]>;
  readonly getPortfolio?: (person: PersonRef, signal: AbortSignal) => Promise<Portfolio | null>;
  readonly getWatchlist?: (person: PersonRef, signal: AbortSignal) => Promise<readonly string[]>;
  readonly getRecentNews?: (signal: AbortSignal) => Promise<readonly NewsItem[]>;
}

export const HISTORY_RANGES = ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '2y', '5y', 'max'] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];
