import { moneyParts } from '#src/markets/answers/money-text.ts';
import { ZERO } from '../ledger/fixed-point.ts';
import type { BaseGain } from '../ledger/ledger-state.ts';

/** The parts of a gain from the price and from the exchange rate, rounded so that they add up. */
export const shownGain = ({ total, fromPrice, fromFx }: BaseGain, base: string): BaseGain => {
  const [price = ZERO, rate = ZERO] = moneyParts([fromPrice, fromFx], total, base);
  return { total, fromPrice: price, fromFx: rate };
};
