import { AMOUNT_DECIMALS, BASE_DECIMALS, ONE_TO_ONE, shareOf, toDecimal } from './fixed-point.ts';
import type { DatedAmount, Gain } from './ledger-state.ts';

/** A `DatedAmount` while it is counted. */
export interface FixedAmount {
  readonly local: bigint;
  readonly base: bigint | undefined;
}

/** A `Gain` while it is counted. */
export interface FixedGain {
  readonly local: bigint;
  readonly base: { readonly total: bigint; readonly fromPrice: bigint } | undefined;
}

export const NOTHING: FixedAmount = { local: 0n, base: 0n };
export const NO_GAIN: FixedGain = { local: 0n, base: { total: 0n, fromPrice: 0n } };

export const atRate = (local: bigint, rate: bigint | undefined): FixedAmount => ({
  local,
  base: rate === undefined ? undefined : local * rate,
});

export const plus = (a: FixedAmount, b: FixedAmount): FixedAmount => ({
  local: a.local + b.local,
  base: a.base === undefined || b.base === undefined ? undefined : a.base + b.base,
});

export const minus = (a: FixedAmount, b: FixedAmount): FixedAmount => ({
  local: a.local - b.local,
  base: a.base === undefined || b.base === undefined ? undefined : a.base - b.base,
});

export const negated = ({ local, base }: FixedAmount): FixedAmount => ({
  local: -local,
  base: base === undefined ? undefined : -base,
});

/** What falls to `part` of `whole`; the rest is found by `minus`. */
export const share = ({ local, base }: FixedAmount, part: bigint, whole: bigint): FixedAmount => ({
  local: shareOf(local, AMOUNT_DECIMALS, part, whole),
  base: base === undefined ? undefined : shareOf(base, BASE_DECIMALS, part, whole),
});

/**
 * What is gained where something of that cost is worth `value`. The effect of the price is what would have been
 * gained at the rate of the cost; that of the rate is all the rest. What cost nothing has no rate: all is price.
 */
export const gainOf = (value: FixedAmount, cost: FixedAmount): FixedGain => {
  const { local, base: total } = minus(value, cost);
  if (total === undefined || cost.base === undefined) return { local, base: undefined };
  const isAllPrice =
    cost.local === 0n || (total === local * ONE_TO_ONE && cost.base === cost.local * ONE_TO_ONE);
  const fromPrice = isAllPrice ? total : shareOf(cost.base, BASE_DECIMALS, local, cost.local);
  return { local, base: { total, fromPrice } };
};

export const plusGain = (a: FixedGain, b: FixedGain): FixedGain => ({
  local: a.local + b.local,
  base:
    a.base === undefined || b.base === undefined
      ? undefined
      : { total: a.base.total + b.base.total, fromPrice: a.base.fromPrice + b.base.fromPrice },
});

export const toDatedAmount = ({ local, base }: FixedAmount): DatedAmount => ({
  local: toDecimal(local, AMOUNT_DECIMALS),
  base: base === undefined ? undefined : toDecimal(base, BASE_DECIMALS),
});

export const toGain = ({ local, base }: FixedGain): Gain => ({
  local: toDecimal(local, AMOUNT_DECIMALS),
  base: base && {
    total: toDecimal(base.total, BASE_DECIMALS),
    fromPrice: toDecimal(base.fromPrice, BASE_DECIMALS),
    fromFx: toDecimal(base.total - base.fromPrice, BASE_DECIMALS),
  },
});
