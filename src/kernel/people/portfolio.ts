import type { TransactionKind } from '../market/ledger.ts';

/** As a person or the model wrote it: unchecked text. */
export interface RecordRequest {
  /** Absent: the default portfolio. */
  readonly portfolio?: string | undefined;
  readonly kind: TransactionKind;
  /** The name of the instrument. */
  readonly name?: string | undefined;
  /** A sale also accepts `all` and `half` of the holding. */
  readonly quantity?: string | undefined;
  /** Per unit; `0` for a bonus issue. Absent in a trade: the last price, which the answer states. */
  readonly price?: string | undefined;
  /** The price of all units together, instead of `price`. */
  readonly total?: string | undefined;
  /** For a dividend, interest, tax, cash in lieu, fee, deposit or withdrawal; for `fx`, the amount given. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly fee?: string | undefined;
  /** Absent for a sale on a Korean exchange: computed. */
  readonly tax?: string | undefined;
  /** `2026-11-13`, `어제`. Absent: today. */
  readonly date?: string | undefined;
  /** `14:30`, `14:30:05` or `15:45 ET`: sets the order within the day. Absent: after the other entries of that day. */
  readonly time?: string | undefined;
  /** A tax refund. */
  readonly isRefund?: boolean | undefined;
  /** Of a purchase: what is held already, at its average cost. */
  readonly isOpening?: boolean | undefined;
  /** For a split: `50`, `50:1`, `1:10`. */
  readonly ratio?: string | undefined;
  /** For a spin-off or a merger: the company whose shares were received, and how many. */
  readonly toName?: string | undefined;
  readonly toQuantity?: string | undefined;
  /** The part of the cost that a spin-off takes along: `19.8`. */
  readonly percent?: string | undefined;
  /** For a transfer: the own portfolio that receives. */
  readonly toPortfolio?: string | undefined;
  readonly toAmount?: string | undefined;
  readonly toCurrency?: string | undefined;
  /** The portfolio's currency for one unit of `currency`. */
  readonly rate?: string | undefined;
  readonly note?: string | undefined;
  /** The person has confirmed despite the warnings. */
  readonly isSure?: boolean | undefined;
}
