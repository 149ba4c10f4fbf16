import type { Localized } from './locale.ts';
import type { PersonRef, Timestamp } from './ids.ts';
import type { Currency, Decimal } from './money.ts';

export type AssetClass = 'equity' | 'etf' | 'crypto' | 'fx' | 'index' | 'rate' | 'commodity';

/** Shares and funds: only these are split and pay dividends. */
export const isShare = (assetClass: AssetClass): boolean => assetClass === 'equity' || assetClass === 'etf';

export interface Instrument {
  /** Unique over all markets, e.g. `005930.KS`, `AAPL`, `BTC-USD`, `USDKRW=X`. */
  readonly symbol: string;
  /** What people of that market type: `005930`, `AAPL`, `BTC`, `USD/KRW`. */
  readonly ticker: string;
  readonly name: Localized;
  readonly exchange: string;
  readonly assetClass: AssetClass;
  /** Of an index `points`, of a rate `%`. */
  readonly currency: Currency;
  /** How many decimals its prices have: KRW 0, USD 2, small coins up to 8. */
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
}

/** A price as a source gives it. What a source does not have is absent, never zero. */
export interface SourceQuote {
  readonly instrument: Instrument;
  /** Of the regular session. */
  readonly price: Decimal;
  /** The previous *regular* close: what the change is measured from. */
  readonly previousClose?: Decimal;
  readonly dayRange?: PriceRange;
  readonly yearRange?: PriceRange;
  readonly volume?: Decimal;
  readonly extended?: ExtendedPrice;
  readonly asOf: Timestamp;
  /** How far the source says it is behind the exchange; absent where it does not say. */
  readonly delayMinutes?: number;
  readonly source: string;
  readonly isSample: boolean;
  /** The usual source does not answer: this is from the one that stands in for it. */
  readonly isFallback?: boolean;
  /** Told once more, as no source can be asked for a newer one at this moment. */
  readonly isLastKnown?: boolean;
}

/** What another live source says of the same minute, where the two are more than 1 % apart. */
export interface OtherPrice {
  readonly price: Decimal;
  readonly asOf: Timestamp;
  readonly source: string;
}

/** The same with what the calendar knows. */
export interface Quote extends SourceQuote {
  readonly sessionState: SessionState;
  /** Older than it should be at this moment, delay included. */
  readonly isStale: boolean;
  /** The price is of a trade after the regular close, though the source calls it regular: no close, and said so. */
  readonly isAfterClose?: boolean;
  readonly otherPrice?: OtherPrice;
  /** KRX is closed, and Nextrade trades Korean shares before or after its hours: at prices that are not these. */
  readonly nextradeSession?: 'pre' | 'after';
}

/**
 * `down`: no source could be reached. `limited`: the source refuses more requests for now. `no-data`: the source has
 * none. `not-in-sample`: the sample data do not cover it.
 */
export type UnavailableReason = 'down' | 'limited' | 'no-data' | 'not-in-sample';

export type QuoteResult =
  | { readonly status: 'ok'; readonly quote: Quote }
  | {
      readonly status: 'unavailable';
      readonly instrument: Instrument;
      readonly reason: UnavailableReason;
    };

/** Port: prices. Never throws for a missing price; answers in the order asked. */
export interface Quotes {
  readonly getQuotes: (
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<readonly QuoteResult[]>;
}

export type SymbolMatch =
  | { readonly status: 'found'; readonly instrument: Instrument }
  | { readonly status: 'ambiguous'; readonly choices: readonly Instrument[] }
  | { readonly status: 'unknown'; readonly suggestions: readonly Instrument[] };

/** A code that is not in the index, as a market source lists it. `offered`: nobody has confirmed yet that it is meant. */
export interface FoundListing {
  readonly status: 'offered' | 'confirmed';
  readonly instrument: Instrument;
}

/** Port: what a person means by a name or a code. An ambiguous name is a question, never a guess. */
export interface SymbolSearch {
  readonly resolve: (query: string) => SymbolMatch;
  /**
   * For a query that `resolve` does not know: what a market source lists under that code. A code with `$` before it
   * confirms what was offered. Undefined where nothing is listed, or nobody can be asked. Throws on abort alone.
   */
  readonly findListing?: (query: string, signal: AbortSignal) => Promise<FoundListing | undefined>;
  /** What somebody who is still typing may mean, the likeliest first; nothing typed: the best known ones. */
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
  /** Null when the next opening lies past the calendar's data. */
  readonly nextOpenAt: Timestamp | null;
  /** When the state changes next, and to what; null when that lies past the data. */
  readonly nextChange: { readonly to: SessionState; readonly at: Timestamp } | null;
  /** Why today is no ordinary day: a holiday, a half day, other hours. */
  readonly note?: Localized;
}

/** Port: trading hours. A date outside the data is `unknown`, not open. */
export interface MarketHours {
  readonly markets: readonly string[];
  readonly sessionAt: (market: string, at: Timestamp) => MarketSession;
}

export interface Holding {
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  readonly averageCost: Decimal;
  /** An older version recorded it at a price of sample data: what it cost is invented. */
  readonly isSample?: true;
}

export interface Portfolio {
  readonly name: string;
  readonly baseCurrency: Currency;
  readonly holdings: readonly Holding[];
}

export interface Alert {
  readonly id: string;
  readonly instrument: Instrument;
  /** In words of the person's language. */
  readonly condition: string;
}

export interface NewsItem {
  readonly title: string;
  readonly url: string;
  readonly publisher: string;
  readonly publishedAt: Timestamp;
  readonly symbols: readonly string[];
  /** Made up, for trying the bot out. */
  readonly isSample?: boolean;
}

/** Port: what the context stage asks for. Of a person only by who they are on their platform. */
export interface FinanceContextProvider {
  /** One session a market that the bot covers. */
  readonly getMarketSession?: (signal: AbortSignal) => Promise<readonly MarketSession[]>;
  readonly getActiveAlerts?: (person: PersonRef, signal: AbortSignal) => Promise<readonly Alert[]>;
  readonly getPortfolio?: (person: PersonRef, signal: AbortSignal) => Promise<Portfolio | null>;
  readonly getWatchlist?: (person: PersonRef, signal: AbortSignal) => Promise<readonly string[]>;
  readonly getRecentNews?: (signal: AbortSignal) => Promise<readonly NewsItem[]>;
}
