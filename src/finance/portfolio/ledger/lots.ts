import type { CostMethod } from '#src/core/ledger.ts';
import { Decimal } from '#src/core/money.ts';
import {
  type FixedAmount,
  type FixedGain,
  gainOf,
  minus,
  negated,
  NO_GAIN,
  NOTHING,
  plus,
  plusGain,
  share,
} from './fixed-amount.ts';
import { AMOUNT_DECIMALS, magnitude, timesRatio, toFixedPoint } from './fixed-point.ts';

/** Long rows of splits may be rounded here, and never grow. */
const Factor = Decimal.clone({ precision: 60 });
const UNSPLIT = new Factor(1);

/** Pieces that were bought, or sold short, together. */
interface Lot {
  /** Above zero; as of `factor`. */
  readonly quantity: bigint;
  /** By what splits had multiplied a piece of the first day when `quantity` was written down. */
  readonly factor: Decimal;
  readonly cost: FixedAmount;
}

/**
 * The pieces of one instrument, and what they cost. All lots lie on one side: held, or sold short with a cost below
 * zero. Counted at average cost there is never more than one lot.
 */
export class LotBook {
  readonly #method: CostMethod;
  readonly #lots: Lot[] = [];
  /** Lots before it are gone. */
  #first = 0;
  #factor = UNSPLIT;
  #quantity = 0n;
  #realised = NO_GAIN;

  constructor(method: CostMethod) {
    this.#method = method;
  }

  /** Below zero where it is sold short. */
  get quantity(): bigint {
    return this.#quantity;
  }

  get realised(): FixedGain {
    return this.#realised;
  }

  cost(): FixedAmount {
    let sum = NOTHING;
    for (let index = this.#first; index < this.#lots.length; index += 1) {
      const lot = this.#lots[index];
      if (lot) sum = plus(sum, lot.cost);
    }
    return sum;
  }

  /** Pieces that come (above zero, with what is paid) or go (below zero, with what is got, below zero too). */
  trade(quantity: bigint, paid: FixedAmount): void {
    const held = this.#quantity;
    if (held === 0n || quantity === 0n || held < 0n === quantity < 0n) {
      this.#open(quantity, paid);
      return;
    }
    const wanted = magnitude(quantity);
    const available = magnitude(held);
    if (wanted < available) {
      this.#realise(this.#take(wanted, available), paid);
      this.#quantity = held + quantity;
      return;
    }
    const rest = held + quantity;
    const closing = rest === 0n ? paid : share(paid, available, wanted);
    this.#realise(this.cost(), closing);
    this.#clear();
    if (rest !== 0n) this.#open(rest, minus(paid, closing));
  }

  /** Lots are brought up to date when they are taken from: a split costs the same whatever is held. */
  split(ratio: Decimal): void {
    this.#quantity = timesRatio(this.#quantity, toFixedPoint(ratio, AMOUNT_DECIMALS));
    this.#factor = this.#factor.times(ratio);
  }

  #open(quantity: bigint, cost: FixedAmount): void {
    this.#quantity += quantity;
    const [lot] = this.#lots;
    if (this.#method === 'average' && lot) {
      this.#lots[0] = {
        quantity: magnitude(this.#quantity),
        factor: this.#factor,
        cost: plus(lot.cost, cost),
      };
    } else {
      this.#lots.push({ quantity: magnitude(quantity), factor: this.#factor, cost });
    }
  }

  #clear(): void {
    this.#lots.length = 0;
    this.#first = 0;
    this.#factor = UNSPLIT;
    this.#quantity = 0n;
  }

  /** The cost of `wanted` pieces, which are fewer than are there, of the oldest lots. */
  #take(wanted: bigint, available: bigint): FixedAmount {
    let left = wanted;
    let inLots = available;
    let cost = NOTHING;
    for (;;) {
      const lot = this.#lots[this.#first];
      if (!lot || left === 0n) return cost;
      const isLast = this.#first === this.#lots.length - 1;
      // The last one is what the others leave of the whole: where splits were rounded, no dust is lost or made.
      const size = isLast ? inLots : this.#sizeOf(lot);
      if (isLast || left < size) {
        const taken = share(lot.cost, left, size);
        const rest = { quantity: size - left, factor: this.#factor, cost: minus(lot.cost, taken) };
        this.#lots[this.#first] = rest;
        return plus(cost, taken);
      }
      cost = plus(cost, lot.cost);
      left -= size;
      inLots -= size;
      this.#first += 1;
    }
  }

  #sizeOf({ quantity, factor }: Lot): bigint {
    if (factor === this.#factor) return quantity;
    return timesRatio(quantity, toFixedPoint(this.#factor.div(factor), AMOUNT_DECIMALS));
  }

  #realise(cost: FixedAmount, paid: FixedAmount): void {
    this.#realised = plusGain(this.#realised, gainOf(negated(paid), cost));
  }
}
