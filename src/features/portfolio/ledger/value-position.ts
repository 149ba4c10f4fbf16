import type { Decimal } from '#src/kernel/money.ts';
import { atRate, gainOf, toDatedAmount, toGain } from './fixed-amount.ts';
import { AMOUNT_DECIMALS, BASE_DECIMALS, ENTRY_DECIMALS, toFixedPoint } from './fixed-point.ts';
import type { DatedAmount, Gain, Position } from './ledger-state.ts';

export interface PositionValue {
  /** Below zero for a short position. `base` is undefined without a rate. */
  readonly value: DatedAmount;
  readonly unrealised: Gain;
}

/** What a position is worth at that price; `rate` is the portfolio's currency for one unit of the price's. */
export const valuePosition = (
  { quantity, cost }: Pick<Position, 'quantity' | 'cost'>,
  price: Decimal,
  rate: Decimal | undefined,
): PositionValue => {
  const local = toFixedPoint(quantity, ENTRY_DECIMALS) * toFixedPoint(price, ENTRY_DECIMALS);
  const value = atRate(local, rate && toFixedPoint(rate, AMOUNT_DECIMALS));
  const paid = {
    local: toFixedPoint(cost.local, AMOUNT_DECIMALS),
    base: cost.base && toFixedPoint(cost.base, BASE_DECIMALS),
  };
  return { value: toDatedAmount(value), unrealised: toGain(gainOf(value, paid)) };
};
