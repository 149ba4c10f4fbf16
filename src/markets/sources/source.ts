import type { CorporateAction } from '#src/kernel/corporate-action.ts';
import type {
  Instrument,
  NewsItem,
  QuoteResult,
  SourceQuote,
  UnavailableReason,
} from '#src/kernel/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { HistoryRange } from '#src/kernel/market-queries.ts';
import type { Decimal } from '#src/kernel/money.ts';

export type BarInterval = '5m' | '30m' | '1d' | '1wk' | '1mo';

/** What is traded between this moment and the next bar. */
export interface Bar {
  /** When it begins; of a day, the opening. */
  readonly at: Timestamp;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  /** Adjusted for splits, not for dividends. */
  readonly close: Decimal;
  /** Zero where nothing is counted. */
  readonly volume: Decimal;
}

export interface History {
  readonly instrument: Instrument;
  readonly range: HistoryRange;
  readonly interval: BarInterval;
  /** Of the exchange: days are its days. */
  readonly timeZone: string;
  /** Oldest first; without gaps for days that have no close. Never empty. */
  readonly bars: readonly Bar[];
  /** The last close before the first bar, where the source has it: what a day's or a year's change is measured from. */
  readonly baseClose?: Decimal;
  /** How far the source says it is behind the exchange; absent where it does not say. */
  readonly delayMinutes?: number;
  /** Of the last price in it. */
  readonly asOf: Timestamp;
  readonly source: string;
  readonly isSample: boolean;
}

/** Days of the exchange, both included. */
export interface DaySpan {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
}

/** What a source can be asked for; each may fail while the others work. */
export type CallKind = 'quotes' | 'history' | 'days' | 'symbol' | 'news' | 'fundamentals' | 'earnings';

/** Daily bars of any days in the past, with the splits and dividends of those days. */
export interface DailyHistory {
  readonly instrument: Instrument;
  readonly timeZone: string;
  /** Oldest first; adjusted for every split up to today. May be empty: nothing was traded on those days. */
  readonly bars: readonly Bar[];
  /** Oldest first. */
  readonly actions: readonly CorporateAction[];
  readonly asOf: Timestamp;
  readonly source: string;
  readonly isSample: boolean;
}

export interface NewsQuery {
  /** Of this company; absent: of the market as a whole. */
  readonly instrument?: Instrument;
  readonly limit: number;
}

/** A figure of a company. `unit`: a currency, `%`, `x` (a multiple), `shares`, `text`. */
export interface FundamentalFigure {
  readonly metric: FundamentalMetric;
  /** Decimal as text; of `text` units the words themselves. Percentages are 12.5, not 0.125. */
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

/** When a company reports next, as far as it is known. */
export interface EarningsDate {
  readonly instrument: Instrument;
  /** In the exchange's calendar. A span where only that is known. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  /** The company has not said it yet. */
  readonly isEstimate: boolean;
  /** What analysts expect, where the source has it. */
  readonly epsEstimate?: Decimal;
  readonly asOf: Timestamp;
  readonly source: string;
  readonly isSample: boolean;
}

export interface EarningsOptions {
  /** Also what analysts expect, which may take a request for each. */
  readonly wantsEstimates: boolean;
}

/**
 * Where data comes from. May throw when it is out of reach; a symbol that it lacks is not a reason to. What it
 * cannot do at all it does not have.
 */
export interface MarketSource {
  /** Shown to people next to every price. */
  readonly name: string;
  readonly isSample: boolean;
  readonly supports: (instrument: Instrument) => boolean;
  /**
   * Requests that the source refuses or limits together have the same name here, also over two sources. Absent: all of
   * its requests.
   */
  readonly familyOf?: (kind: CallKind) => string;
  /** Those it has a price for, in any order; the others are left out. */
  readonly getQuotes: (
    instruments: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<readonly SourceQuote[]>;
  /** Null when it has none. */
  readonly getHistory?: (
    instrument: Instrument,
    range: HistoryRange,
    signal: AbortSignal,
  ) => Promise<History | null>;
  /** Null when it does not know the instrument. */
  readonly getDays?: (
    instrument: Instrument,
    days: DaySpan,
    signal: AbortSignal,
  ) => Promise<DailyHistory | null>;
  /** The instrument that the source lists under exactly this symbol; null when there is none. */
  readonly lookUp?: (symbol: string, signal: AbortSignal) => Promise<Instrument | null>;
  /** The newest first. */
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
  /** Those that no source could be asked about: of them nothing is known, not even that there is no date. */
  readonly unasked: readonly Instrument[];
}

/** All sources as one: picks by what they support, falls back between live ones. Throws on abort alone. */
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
