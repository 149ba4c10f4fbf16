import type { FixedAmount } from './fixed-amount.ts';
import { BASE_DECIMALS, magnitude, ONE_TO_ONE, shareOf } from './fixed-point.ts';

const sum = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

/** What falls to `part` of `whole`. */
const partOf = (amount: bigint | undefined, part: bigint, whole: bigint): bigint | undefined =>
  amount === undefined ? undefined : shareOf(amount, BASE_DECIMALS, magnitude(part), magnitude(whole));

/**
 * Money of one currency in the account, at the average of what it was worth when it came. Below zero it is owed, at
 * what it was worth when it was borrowed. Of the portfolio's own currency nothing is ever gained.
 */
export class CashPool {
  readonly #isBase: boolean;
  #amount = 0n;
  #cost: bigint | undefined = 0n;
  #realisedFx: bigint | undefined = 0n;

  constructor(isBase: boolean) {
    this.#isBase = isBase;
  }

  get amount(): bigint {
    return this.#amount;
  }

  get costBase(): bigint | undefined {
    return this.#isBase ? this.#amount * ONE_TO_ONE : this.#cost;
  }

  get realisedFx(): bigint | undefined {
    return this.#realisedFx;
  }

  /** In above zero, out below, with what it is worth at that moment. */
  move({ local, base }: FixedAmount): void {
    const before = this.#amount;
    const after = before + local;
    this.#amount = after;
    if (this.#isBase) return;
    if (before === 0n || before < 0n === local < 0n) {
      this.#cost = sum(this.#cost, base);
    } else if (after === 0n) {
      this.#settle(this.#cost, base);
      this.#cost = 0n;
    } else if (after < 0n === before < 0n) {
      const going = partOf(this.#cost, local, before);
      this.#settle(going, base);
      this.#cost = going === undefined ? undefined : sum(this.#cost, -going);
    } else {
      const closing = partOf(base, before, local);
      this.#settle(this.#cost, closing);
      this.#cost = closing === undefined ? undefined : sum(base, -closing);
    }
  }

  /** What is settled was worth `cost` (below zero: owed) and is now worth `value`, with the opposite sign. */
  #settle(cost: bigint | undefined, value: bigint | undefined): void {
    const loss = sum(cost, value);
    this.#realisedFx = loss === undefined ? undefined : sum(this.#realisedFx, -loss);
  }
}
