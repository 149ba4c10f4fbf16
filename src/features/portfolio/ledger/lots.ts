import type { CostMethod } from '#src/kernel/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import {
  AMOUNT_DECIMALS,
  type FixedAmount,
  type FixedGain,
  gainOf,
  magnitude,
  minus,
  negated,
  NO_GAIN,
  NOTHING,
  plus,
  plusGain,
  share,
  timesRatio,
  toFixedPoint,
} from './fixed-point.ts';

/** Factors of many splits may be rounded here, so that they never grow. */
const Factor = Decimal.clone({ precision: 60 });
const UNSPLIT = new Factor(1);

/** Shares that were bought, or sold short, together. */
interface Lot {
  /** Positive; in shares as of `factor`. */
  readonly quantity: bigint;
  /** The product of all splits when `quantity` was stored. */
  readonly factor: Decimal;
  readonly cost: FixedAmount;
  readonly opened: OpenedOn;
}

/** The days of purchase. At average cost all shares are one lot, from the first purchase to the last. */
interface OpenedOn {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
}

/** Shares of one lot that were closed, counted as of the day of closing. */
interface ClosedLot {
  readonly quantity: bigint;
  readonly cost: FixedAmount;
  readonly opened: OpenedOn;
}

/** The shares that one trade closed: sold from a holding, or bought back from a short position. */
export interface Closing {
  readonly quantity: bigint;
  /** Their cost; for a short position its proceeds, negative. */
  readonly cost: FixedAmount;
  /** Their proceeds; for a short position the price of closing it, negative. */
  readonly value: FixedAmount;
  readonly lots: readonly ClosedLot[];
}

/**
 * The lots of one instrument and their cost. All lots are on one side: held, or sold short with a negative cost. At
 * average cost there is at most one lot.
 */
export class LotBook {
  readonly #method: CostMethod;
  readonly #lots: Lot[] = [];
  /** The index of the first open lot. */
  #first = 0;
  #factor = UNSPLIT;
  #quantity = 0n;
  #realised = NO_GAIN;

  constructor(method: CostMethod) {
    this.#method = method;
  }

  /** Negative for a short position. */
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

  /**
   * Adds shares (positive, with the price paid) or removes them (negative, with the proceeds, also negative). Returns
   * the closed shares, if any.
   */
  trade(quantity: bigint, paid: FixedAmount, date: Temporal.PlainDate): Closing | undefined {
    const held = this.#quantity;
    if (held === 0n || quantity === 0n || held < 0n === quantity < 0n) {
      this.#open(quantity, paid, date);
      return undefined;
    }
    const wanted = magnitude(quantity);
    const available = magnitude(held);
    if (wanted < available) {
      const lots = this.#take(wanted, available);
      this.#quantity = held + quantity;
      return this.#close(wanted, lots, paid);
    }
    const rest = held + quantity;
    const closing = rest === 0n ? paid : share(paid, available, wanted);
    const closed = this.#close(available, this.#takeAll(available), closing);
    this.#clear();
    if (rest !== 0n) this.#open(rest, minus(paid, closing), date);
    return closed;
  }

  /** Realises cash without closing shares. */
  gain(amount: FixedAmount): Closing {
    return this.#close(0n, [], negated(amount));
  }

  /** Lots are adjusted when they are read, so that a split costs the same whatever is held. */
  split(ratio: Decimal): void {
    this.#quantity = timesRatio(this.#quantity, toFixedPoint(ratio, AMOUNT_DECIMALS));
    this.#factor = this.#factor.times(ratio);
  }

  #open(quantity: bigint, cost: FixedAmount, date: Temporal.PlainDate): void {
    this.#quantity += quantity;
    const [lot] = this.#lots;
    if (this.#method === 'average' && lot) {
      this.#lots[0] = {
        quantity: magnitude(this.#quantity),
        factor: this.#factor,
        cost: plus(lot.cost, cost),
        opened: { first: lot.opened.first, last: date },
      };
    } else {
      const opened = { first: date, last: date };
      this.#lots.push({ quantity: magnitude(quantity), factor: this.#factor, cost, opened });
    }
  }

  #clear(): void {
    this.#lots.length = 0;
    this.#first = 0;
    this.#factor = UNSPLIT;
    this.#quantity = 0n;
  }

  /** Closes `wanted` shares of the oldest lots; fewer than all. */
  #take(wanted: bigint, available: bigint): readonly ClosedLot[] {
    let left = wanted;
    let inLots = available;
    const closed: ClosedLot[] = [];
    for (;;) {
      const lot = this.#lots[this.#first];
      if (!lot || left === 0n) return closed;
      const { opened } = lot;
      const isLast = this.#first === this.#lots.length - 1;
      // The last lot gets the remainder, so that rounded splits neither lose nor create shares.
      const size = isLast ? inLots : this.#sizeOf(lot);
      if (isLast || left < size) {
        const taken = share(lot.cost, left, size);
        const rest = { quantity: size - left, factor: this.#factor, cost: minus(lot.cost, taken), opened };
        this.#lots[this.#first] = rest;
        closed.push({ quantity: left, cost: taken, opened });
        return closed;
      }
      closed.push({ quantity: size, cost: lot.cost, opened });
      left -= size;
      inLots -= size;
      this.#first += 1;
    }
  }

  /** Closes every lot. The last one gets the remainder, as in `#take`. */
  #takeAll(available: bigint): readonly ClosedLot[] {
    const lots = this.#lots.slice(this.#first);
    let left = available;
    return lots.map((lot, index) => {
      const quantity = index === lots.length - 1 ? left : this.#sizeOf(lot);
      left -= quantity;
      return { quantity, cost: lot.cost, opened: lot.opened };
    });
  }

  #sizeOf({ quantity, factor }: Lot): bigint {
    if (factor === this.#factor) return quantity;
    return timesRatio(quantity, toFixedPoint(this.#factor.div(factor), AMOUNT_DECIMALS));
  }

  #close(quantity: bigint, lots: readonly ClosedLot[], paid: FixedAmount): Closing {
    const cost = lots.reduce((sum, lot) => plus(sum, lot.cost), NOTHING);
    const value = negated(paid);
    this.#realised = plusGain(this.#realised, gainOf(value, cost));
    return { quantity, cost, value, lots };
  }
}
