import type { Instrument } from '#src/kernel/market/finance.ts';
import type { CashInLieu, CostMethod, Trade } from '#src/kernel/market/ledger.ts';
import {
  ENTRY_DECIMALS,
  type FixedAmount,
  NOTHING,
  toDatedAmount,
  toDecimal,
  toGain,
} from './fixed-point.ts';
import type { Position } from './ledger-state.ts';
import { LotBook } from './lots.ts';

/** The state of one instrument. */
export interface LedgerHolding {
  instrument: Instrument;
  readonly lots: LotBook;
  dividends: FixedAmount;
  readonly firstDate: Temporal.PlainDate;
  lastDate: Temporal.PlainDate;
  /** Sales of more than is held at their place in the day wait for a purchase of the same day. */
  readonly waiting: (Trade | CashInLieu)[];
}

export const newHolding = (
  instrument: Instrument,
  date: Temporal.PlainDate,
  method: CostMethod,
): LedgerHolding => ({
  instrument,
  lots: new LotBook(method),
  dividends: NOTHING,
  firstDate: date,
  lastDate: date,
  waiting: [],
});

export const positionOf = ({
  instrument,
  lots,
  dividends,
  firstDate,
  lastDate,
}: LedgerHolding): Position => ({
  instrument,
  quantity: toDecimal(lots.quantity, ENTRY_DECIMALS),
  cost: toDatedAmount(lots.cost()),
  realised: toGain(lots.realised),
  dividends: toDatedAmount(dividends),
  firstDate,
  lastDate,
});
