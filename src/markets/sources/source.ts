import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import type {
  Instrument,
  NewsItem,
  QuoteResult,
  SessionState,
  SourceQuote,
  UnavailableReason,
  HistoryRange,
} from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { Decimal } from '#src/kernel/money.ts';

export type BarInterval = '5m' | '30m' | '1d' | '1wk' | '1mo';

/** Trading from this moment until the next bar. */
export interface Bar {
  /** Start of the bar; for a day, the opening. */
  readonly at: Timestamp;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  /** Adjusted for splits, not for dividends. */
  readonly close: Decimal;
  /** Zero if the market reports no volume. */
  readonly volume: Decimal;
}

export interface History {
  readonly instrument: Instrument;
  readonly range: HistoryRange;
  readonly interval: BarInterval;
  /** The exchange's time zone, which defines its days. */
  readonly timeZone: string;
  /** Oldest first. Days without a close are left out. Never empty. */
  readonly bars: readonly Bar[];
  /** The last close before the first bar, if known. The change of a day or year is measured from it. */
  readonly baseClose?: Decimal;
  /** The delay behind the exchange. Absent if the source does not say. */
  readonly delayMinutes?: number;
  /** The time of the last price. */
  readonly asOf: Timestamp;
  readonly source: string;
  readonly isSample: boolean;
}

/** Days of the exchange, both inclusive. */
export interface DaySpan {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
}

/** Kinds of requests. Each may fail while the others work. */
export type CallKind = 'quotes' | 'history' | 'days' | 'symbol' | 'news' | 'fundamentals' | 'earnings';

/** Daily bars of any days in the past, with the splits and dividends of those days. */
export interface DailyHistory {
  readonly instrument: Instrument;
  readonly timeZone: string;
  /** Oldest first, adjusted for every split up to today. Empty if nothing was traded. */
  readonly bars: readonly Bar[];
  /** Oldest first. */
  readonly actions: readonly CorporateAction[];
  readonly asOf: Timestamp;
  readonly source: string;
  readonly isSample: boolean;
}

export interface NewsQuery {
  /** Absent for news about the market as a whole. */
  readonly instrument?: Instrument;
  readonly limit: number;
}

/** A figure of a company. `unit`: a currency, `%`, `x` (a multiple), `shares`, `text`. */
export interface FundamentalFigure {
  readonly metric: FundamentalMetric;
  /** A decimal as text, or plain text for the unit `text`. Percentages are 12.5, not 0.125. */
  readonly value: string;
  readonly unit: string;
}

export const FUNDAMENTAL_METRICS = [
  'marketCap',
  'peTrailing',
  'peForward',
  'priceToBook',
  'epsTrailing',
  'epsForward',
  'dividendYield',
  'dividendRate',
  'exDividendDate',
  'revenue',
  'revenueGrowth',
  'grossMargin',
  'operatingMargin',
  'profitMargin',
  'returnOnEquity',
  'debtToEquity',
  'freeCashFlow',
  'beta',
  'sharesOutstanding',
  'sector',
  'industry',
] as const;
export type FundamentalMetric = (typeof FUNDAMENTAL_METRICS)[number];

export interface Fundamentals {
  readonly instrument: Instrument;
  readonly figures: readonly FundamentalFigure[];
  readonly asOf: Timestamp;
  readonly source: string;
  readonly isSample: boolean;
}

/** The next earnings report of a company. */
export interface EarningsDate {
  readonly instrument: Instrument;
  /** Dates at the exchange. They differ if only a period is known. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  /** True if the company has not confirmed the date. */
  readonly isEstimate: boolean;
  /** The analysts' estimate, if known. */
  readonly epsEstimate?: Decimal;
  readonly asOf: Timestamp;
  readonly source: string;
  readonly isSample: boolean;
}

export interface EarningsOptions {
  /** Include estimates, which may take one request per company. */
  readonly wantsEstimates: boolean;
}

/**
 * A provider of market data. Throws if it cannot be reached, but not for an unknown symbol. Methods that it does not
 * support are absent.
 */
export interface MarketSource {
  /** Shown to people next to every price. */
  readonly name: string;
  readonly isSample: boolean;
  readonly supports: (instrument: Instrument) => boolean;
  /**
   * The name of the group of requests that are limited or refused together, possibly shared by two sources. Absent: all
   * requests of the source are one group.
   */
  readonly familyOf?: (kind: CallKind) => string;
  /** Quotes in any order. Instruments without a price are left out. */
  readonly getQuotes: (
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<readonly SourceQuote[]>;
  /** Null without data. */
  readonly getHistory?: (
    instrument: Instrument,
    range: HistoryRange,
    signal: AbortSignal,
  ) => Promise<History | null>;
  /** Null for an unknown instrument. */
  readonly getDays?: (
    instrument: Instrument,
    days: DaySpan,
    signal: AbortSignal,
  ) => Promise<DailyHistory | null>;
  /** The instrument listed under exactly this symbol. Null if there is none. */
  readonly lookUp?: (symbol: string, signal: AbortSignal) => Promise<Instrument | null>;
  /** Newest first. */
  readonly getNews?: (query: NewsQuery, signal: AbortSignal) => Promise<readonly NewsItem[]>;
  readonly getFundamentals?: (instrument: Instrument, signal: AbortSignal) => Promise<Fundamentals | null>;
  readonly getEarnings?: (
    instruments: readonly Instrument[],
    options: EarningsOptions,
    signal: AbortSignal,
  ) => Promise<readonly EarningsDate[]>;
}

export type MarketResult<T> =
  | { readonly status: 'ok'; readonly value: T }
  | { readonly status: 'unavailable'; readonly reason: UnavailableReason };

export interface EarningsFound {
  readonly dates: readonly EarningsDate[];
  /** Instruments that no source could be asked about, so even the absence of a date is unknown. */
  readonly unasked: readonly Instrument[];
}

/** All sources as one: picks by support and falls back between live sources. Throws only on abort. */
export interface Market {
  readonly getQuotes: (
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<readonly QuoteResult[]>;
  readonly getHistory: (
    instrument: Instrument,
    range: HistoryRange,
    signal: AbortSignal,
  ) => Promise<MarketResult<History>>;
  readonly getDays: (
    instrument: Instrument,
    days: DaySpan,
    signal: AbortSignal,
  ) => Promise<MarketResult<DailyHistory>>;
  readonly lookUp: (symbol: string, signal: AbortSignal) => Promise<MarketResult<Instrument>>;
  readonly getNews: (query: NewsQuery, signal: AbortSignal) => Promise<MarketResult<readonly NewsItem[]>>;
  readonly getFundamentals: (
    instrument: Instrument,
    signal: AbortSignal,
  ) => Promise<MarketResult<Fundamentals>>;
  readonly getEarnings: (
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<MarketResult<EarningsFound>>;
}

/** The part of the calendar that quotes need; see `src/markets/calendar/calendar.ts`. */
export interface SessionCalendar {
  readonly sessionOf: (instrument: Instrument, at: Timestamp) => SessionState;
  /** The end of the last regular session at or before `at`. Null if unknown. */
  readonly lastCloseBefore: (instrument: Instrument, at: Timestamp) => Timestamp | null;
}
