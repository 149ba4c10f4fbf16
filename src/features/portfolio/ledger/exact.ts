import { Decimal } from '#src/kernel/money.ts';

/** Digits that no sum of a ledger outgrows. A quotient is to be rounded before it is kept. */
const EXACT_DIGITS = 120;

/** Numbers of a ledger: whatever is added, taken away and multiplied starting from one of them is exact. */
export const Exact = Decimal.clone({ precision: EXACT_DIGITS });

export const ZERO = new Exact(0);
export const ONE = new Exact(1);
