import type { CostMethod } from '#src/kernel/market/ledger.ts';
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
export interface ClosedLot {
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

  /**
   * Takes `pieces` and a part of the cost, evenly from all lots. Returns the parts in shares as held before. Only for
   * shares that are held.
   */
  release(pieces: bigint, costPart: bigint, costWhole: bigint): readonly ClosedLot[] {
    const held = this.#quantity;
    const all = this.#takeAll(held);
    this.#clear();
    const kept = held - pieces;
    let passed = 0n;
    return all.map((lot): ClosedLot => {
      passed += lot.quantity;
      // Cut from the sum, so that rounding neither loses nor creates shares.
      const keeps = (passed * kept) / held - this.#quantity;
      const cost = share(lot.cost, costPart, costWhole);
      if (keeps > 0n) this.#insert(keeps, minus(lot.cost, cost), lot.opened);
      return { ...lot, cost };
    });
  }

  /** Adds shares for released parts, with their cost and days, oldest first. */
  receive(pieces: bigint, parts: readonly ClosedLot[]): void {
    const whole = parts.reduce((sum, { quantity }) => sum + quantity, 0n);
    let passed = 0n;
    let given = 0n;
    for (const { quantity, cost, opened } of parts) {
      passed += quantity;
      const size = (pieces * passed) / whole - given;
      given += size;
      this.#insert(size, cost, opened);
    }
  }

  /** Takes the oldest shares with their cost and days; nothing is realised. Only for shares that are held. */
  moveOut(pieces: bigint): readonly ClosedLot[] {
    const held = this.#quantity;
    if (pieces < held) {
      const lots = this.#take(pieces, held);
      this.#quantity = held - pieces;
      return lots;
    }
    const all = this.#takeAll(held);
    this.#clear();
    return all;
  }

  moveIn(lots: readonly ClosedLot[]): void {
    for (const { quantity, cost, opened } of lots) this.#insert(quantity, cost, opened);
  }

  /** Lowers the cost of all lots evenly by an amount; what is left over is a gain, with the days of all lots. */
  repay(amount: FixedAmount, quantity: bigint): Closing | undefined {
    const cost = this.cost();
    const isAbove = amount.local >= cost.local;
    const all = this.#takeAll(quantity);
    this.#clear();
    for (const lot of all) {
      const rest = isAbove ? NOTHING : minus(lot.cost, share(amount, lot.quantity, quantity));
      this.#insert(lot.quantity, rest, lot.opened);
    }
    return isAbove ? this.#close(0n, all, negated(amount)) : undefined;
  }

  /** Closes `pieces` of all lots evenly for money. */
  redeem(pieces: bigint, paid: FixedAmount): Closing {
    const held = this.#quantity;
    const parts = this.release(pieces, pieces, held);
    let passed = 0n;
    let given = 0n;
    const lots = parts.map((part): ClosedLot => {
      passed += part.quantity;
      const quantity = (pieces * passed) / held - given;
      given += quantity;
      return { ...part, quantity };
    });
    return this.#close(pieces, lots, paid);
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

  /** Keeps lots in the order of their purchase. */
  #insert(quantity: bigint, cost: FixedAmount, opened: OpenedOn): void {
    const { first, last } = opened;
    const [only] = this.#lots;
    if (this.#method === 'average' && only) {
      this.#open(quantity, cost, last);
      const [lot] = this.#lots;
      const isOlder = Temporal.PlainDate.compare(first, only.opened.first) < 0;
      const isNewer = Temporal.PlainDate.compare(last, only.opened.last) > 0;
      if (lot)
        this.#lots[0] = {
          ...lot,
          opened: { first: isOlder ? first : only.opened.first, last: isNewer ? last : only.opened.last },
        };
      return;
    }
    this.#quantity += quantity;
    const later = this.#lots.findIndex(
      (lot, index) => index >= this.#first && Temporal.PlainDate.compare(lot.opened.first, first) > 0,
    );
    const at = later === -1 ? this.#lots.length : later;
    this.#lots.splice(at, 0, { quantity, factor: this.#factor, cost, opened });
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
