import type { Instrument, Quote } from '#src/core/finance.ts';
import type { Decimal } from '#src/core/money.ts';

/** One regular trading day, in the exchange's calendar. */
export interface DailyBar {
  readonly date: Temporal.PlainDate;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  readonly volume: Decimal;
}

/** Where prices come from. May throw when it is out of reach; a symbol it lacks is not a reason to. */
export interface MarketSource {
  /** Shown to people next to every price. */
  readonly name: string;
  readonly isSample: boolean;
  readonly supports: (instrument: Instrument) => boolean;
  /** Those it has a price for, in any order; the others are left out. */
  readonly getQuotes: (instruments: readonly Instrument[], signal: AbortSignal) => Promise<readonly Quote[]>;
  /** Oldest first, about a year; empty when it has none. */
  readonly getHistory: (instrument: Instrument, signal: AbortSignal) => Promise<readonly DailyBar[]>;
}
