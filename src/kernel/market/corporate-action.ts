import type { Instrument } from './finance.ts';
import type { Currency, Decimal } from '../money.ts';

/** A split or dividend as reported by a market source. */
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
      /** Per share before tax, adjusted for later splits like the prices of the source. */
      readonly amount: Decimal;
      readonly currency: Currency;
      /** The last close before that day, adjusted in the same way, if known. */
      readonly priceBefore?: Decimal;
    };

/** A large gap to the previous close without a reported split: perhaps a spin-off or a merger. */
export interface PriceGap {
  readonly date: Temporal.PlainDate;
  readonly previousClose: Decimal;
  readonly open: Decimal;
}

/** A close counted in the shares of its day, which no later split has changed. */
export interface KnownClose {
  readonly date: Temporal.PlainDate;
  readonly price: Decimal;
}

export type CorporateActionsResult =
  /** Oldest first. Sample data never has any. */
  | {
      readonly status: 'ok';
      readonly actions: readonly CorporateAction[];
      readonly gaps?: readonly PriceGap[];
      /** The last known close. */
      readonly close?: KnownClose;
      readonly source: string;
      /** If no update has succeeded for a day: the day of the last successful one. */
      readonly readUntil?: Temporal.PlainDate;
    }
  /** No live source is available, and stored data does not cover those days. */
  | { readonly status: 'unavailable' };

/** Port: splits and dividends of an instrument since a day. Throws only on abort. */
export interface CorporateActions {
  /** Uses stored data if it is fresh enough. */
  readonly since: (
    instrument: Instrument,
    first: Temporal.PlainDate,
    signal: AbortSignal,
  ) => Promise<CorporateActionsResult>;
  /** Queries the source again unless it was queried within the last minute. For prices that jumped. */
  readonly lookAgain: (
    instrument: Instrument,
    first: Temporal.PlainDate,
    signal: AbortSignal,
  ) => Promise<CorporateActionsResult>;
}
