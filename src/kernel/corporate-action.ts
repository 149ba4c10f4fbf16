import type { Instrument } from './finance.ts';
import type { Currency, Decimal } from './money.ts';

/** What a company did with its shares, as a source reports it. */
export type CorporateAction =
  | {
      readonly kind: 'split';
      /** The first trading day at the new price, in the exchange's calendar. */
      readonly date: Temporal.PlainDate;
      /** Shares afterwards for one before: 4 for a 4:1 split, 0.1 for a 1:10 reverse split. */
      readonly ratio: Decimal;
    }
  | {
      readonly kind: 'dividend';
      /** The ex-dividend day, in the exchange's calendar. */
      readonly date: Temporal.PlainDate;
      /** For one share, before tax, adjusted for later splits as the source adjusts its prices. */
      readonly amount: Decimal;
      readonly currency: Currency;
      /** The last close before that day, adjusted in the same way, where it is known. */
      readonly priceBefore?: Decimal;
    };

/** A day that opened far from the close before it though no split was reported: perhaps a spin-off or a merger. */
export interface PriceGap {
  readonly date: Temporal.PlainDate;
  readonly previousClose: Decimal;
  readonly open: Decimal;
}

export type CorporateActionsResult =
  /** Oldest first. Sample data never has any. */
  | {
      readonly status: 'ok';
      readonly actions: readonly CorporateAction[];
      readonly gaps?: readonly PriceGap[];
      readonly source: string;
      /** Where no look has succeeded for a day: the day of the last one that did. */
      readonly readUntil?: Temporal.PlainDate;
    }
  /** No live source could be asked, and nothing is stored that covers those days. */
  | { readonly status: 'unavailable' };

/** Port: splits and dividends of an instrument since a day. Throws on abort alone. */
export interface CorporateActions {
  /** From stored facts where they are fresh enough. */
  readonly since: (
    instrument: Instrument,
    first: Temporal.PlainDate,
    signal: AbortSignal,
  ) => Promise<CorporateActionsResult>;
  /** The source is asked again, unless it was within the last minute: for a price that jumped. */
  readonly lookAgain: (
    instrument: Instrument,
    first: Temporal.PlainDate,
    signal: AbortSignal,
  ) => Promise<CorporateActionsResult>;
}
