import type { MovedLot, ShareExchange, ShareTransfer } from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import {
  BASE_DECIMALS,
  ENTRY_DECIMALS,
  type FixedAmount,
  gainOf,
  magnitude,
  NOTHING,
  ONE_TO_ONE,
  plus,
  toDatedAmount,
  toDecimal,
  toFixedPoint,
  toGain,
  ZERO,
} from './fixed-point.ts';
import type { Disposal, ExternalFlow } from './ledger-state.ts';
import type { ClosedLot, Closing, LotBook } from './lots.ts';

const HUNDRED_PERCENT = 100n * 10n ** BigInt(ENTRY_DECIMALS);

/**
 * Moves shares, cost and days of purchase from one holding to another. Shares that go for money, `paid`, are sold: the
 * returned closing.
 */
export const exchangeLots = (
  entry: ShareExchange,
  { from, to }: Readonly<Record<'from' | 'to', LotBook>>,
  paid: FixedAmount | undefined,
  piecesOf: (value: Decimal) => bigint,
): Closing | undefined => {
  let given = piecesOf(entry.quantity);
  const received = piecesOf(entry.toQuantity);
  let closing: Closing | undefined;
  if (paid) {
    const cash = magnitude(paid.local);
    const sold = (given * cash) / (cash + received * piecesOf(entry.price ?? ZERO));
    closing = from.redeem(sold, paid);
    given -= sold;
  }
  const [part, whole] = entry.percent ? [piecesOf(entry.percent), HUNDRED_PERCENT] : [given, from.quantity];
  to.receive(received, from.release(given, part, whole));
  return closing;
};

export interface Flow {
  readonly date: Temporal.PlainDate;
  readonly currency: Currency;
  readonly amount: FixedAmount;
}

export const toExternalFlow = ({ date, currency, amount }: Flow): ExternalFlow => {
  const { local, base } = toDatedAmount(amount);
  return { date, currency, amount: local, base };
};

export interface Closed {
  readonly entry: Disposal['entry'];
  readonly closing: Closing;
}

export const toDisposal = ({ entry, closing: { quantity, cost, value, lots } }: Closed): Disposal => ({
  entry,
  quantity: toDecimal(quantity, ENTRY_DECIMALS),
  cost: toDatedAmount(cost),
  value: toDatedAmount(value),
  gain: toGain(gainOf(value, cost)),
  lots: lots.map((lot) => ({
    quantity: toDecimal(lot.quantity, ENTRY_DECIMALS),
    cost: toDatedAmount(lot.cost),
    ...lot.opened,
  })),
});

export const costOf = (lots: readonly ClosedLot[]): FixedAmount =>
  lots.reduce((sum, { cost }) => plus(sum, cost), NOTHING);

export const toMovedLot = ({ quantity, cost, opened }: ClosedLot): MovedLot => {
  const { local, base: costBase } = toDatedAmount(cost);
  return { quantity: toDecimal(quantity, ENTRY_DECIMALS), cost: local, costBase, ...opened };
};

/** What comes with a transfer, in the units of a computation. */
export const lotsOf = (
  { lots }: ShareTransfer,
  isInBase: boolean,
  piecesOf: (value: Decimal) => bigint,
  amountOf: (value: Decimal) => bigint,
): readonly ClosedLot[] =>
  lots.map(({ quantity, cost, costBase, first, last }) => {
    const local = amountOf(cost);
    const base = isInBase ? local * ONE_TO_ONE : costBase && toFixedPoint(costBase, BASE_DECIMALS);
    return { quantity: piecesOf(quantity), cost: { local, base }, opened: { first, last } };
  });
