import type { Locale, Localized } from './i18n.ts';
import type { Timestamp, UserId } from './ids.ts';
import type { Currency, Decimal } from './money.ts';
import type { Card, Choice } from './message.ts';
import type { Fact } from './tool.ts';

export type AssetClass = 'equity' | 'etf' | 'crypto' | 'fx' | 'index';

export interface Instrument {
  /** Unique over all markets, e.g. `005930.KS`, `AAPL`, `BTC-USD`, `USDKRW=X`. */
  readonly symbol: string;
  /** What people of that market type: `005930`, `AAPL`, `BTC`, `USD/KRW`. */
  readonly ticker: string;
  readonly name: Localized;
  readonly exchange: string;
  readonly assetClass: AssetClass;
  readonly currency: Currency;
  readonly priceDecimals: number;
}

export type SessionState = 'pre' | 'open' | 'after' | 'closed' | 'unknown';

export interface Quote {
  readonly instrument: Instrument;
  readonly price: Decimal;
  /** The previous *regular* close: what the change is measured from. */
  readonly previousClose: Decimal;
  readonly dayLow: Decimal;
  readonly dayHigh: Decimal;
  readonly yearLow: Decimal;
  readonly yearHigh: Decimal;
  readonly volume: Decimal;
  readonly asOf: Timestamp;
  readonly sessionState: SessionState;
  readonly source: string;
  readonly isSample: boolean;
}

export type QuoteResult =
  | { readonly status: 'ok'; readonly quote: Quote }
  | { readonly status: 'unavailable'; readonly instrument: Instrument };

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

/** Port: what a person means by a name or a code. An ambiguous name is a question, never a guess. */
export interface SymbolSearch {
  readonly resolve: (query: string) => SymbolMatch;
  /** What somebody who is still typing may mean, the likeliest first; nothing typed: the best known ones. */
  readonly suggest: (typed: string, limit: number) => readonly Instrument[];
}

export interface QuoteAnswer {
  /** One paragraph a query, in the order asked: the quote, or what to do about a name that did not resolve. */
  readonly content: string;
  readonly facts: readonly Fact[];
  readonly found: number;
  /** The quotes that were found, drawn; `text` is what `content` says beside them. */
  readonly cards?: { readonly items: readonly Card[]; readonly text: string };
  /** Where a name fits several: each of them to press. */
  readonly choices?: readonly Choice[];
}

/** Port: names as a person types them, answered in words. */
export type QuoteLookup = (
  queries: readonly string[],
  locale: Locale,
  timeZone: string,
  signal: AbortSignal,
) => Promise<QuoteAnswer>;

export interface MarketSession {
  readonly market: string;
  readonly state: SessionState;
  readonly isOpen: boolean;
  /** Null when the next opening lies past the calendar's data. */
  readonly nextOpenAt: Timestamp | null;
  readonly timezone: string;
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
}

export interface Portfolio {
  readonly ownerId: UserId;
  readonly name: string;
  readonly baseCurrency: Currency;
  readonly holdings: readonly Holding[];
}

export interface Alert {
  readonly id: string;
  readonly ownerId: UserId;
  readonly instrument: Instrument;
  readonly condition: string;
  readonly createdAt: Timestamp;
}

export interface NewsItem {
  readonly title: string;
  readonly url: string;
  readonly publisher: string;
  readonly publishedAt: Timestamp;
  readonly symbols: readonly string[];
}

/** Port: what the context stage asks for. A source that does not exist yet is left out, not faked. */
export interface FinanceContextProvider {
  /** One session a market that the bot covers. */
  readonly getMarketSession?: (signal: AbortSignal) => Promise<readonly MarketSession[]>;
  readonly getActiveAlerts?: (senderId: UserId, signal: AbortSignal) => Promise<readonly Alert[]>;
  readonly getPortfolio?: (senderId: UserId, signal: AbortSignal) => Promise<Portfolio | null>;
  readonly getWatchlist?: (senderId: UserId, signal: AbortSignal) => Promise<readonly string[]>;
  readonly getRecentNews?: (signal: AbortSignal) => Promise<readonly NewsItem[]>;
}
