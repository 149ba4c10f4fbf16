import type { Currency } from '#src/kernel/money.ts';
import type { CashMove, CashTransfer, CurrencyExchange } from '#src/kernel/market/ledger.ts';
import {
  AMOUNT_DECIMALS,
  BASE_DECIMALS,
  type FixedAmount,
  magnitude,
  negated,
  NOTHING,
  ONE_TO_ONE,
  plus,
  shareOf,
  toDatedAmount,
  toDecimal,
} from './fixed-point.ts';
import type { CashBalance, CurrencyTotal, LedgerProblem } from './ledger-state.ts';
import { compareText } from './order-entries.ts';

/** Sums of amounts, kept apart by currency. */
export class CurrencySums {
  readonly #sums = new Map<Currency, FixedAmount>();

  add(currency: Currency, amount: FixedAmount): void {
    this.#sums.set(currency, plus(this.#sums.get(currency) ?? NOTHING, amount));
  }

  /** Sorted by currency. */
  list(): readonly CurrencyTotal[] {
    return [...this.#sums]
      .map(([currency, total]) => ({ currency, total: toDatedAmount(total) }))
      .toSorted((a, b) => compareText(a.currency, b.currency));
  }
}

const sum = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

/** The share of `amount` that belongs to `part` of `whole`. */
const partOf = (amount: bigint | undefined, part: bigint, whole: bigint): bigint | undefined =>
  amount === undefined ? undefined : shareOf(amount, BASE_DECIMALS, magnitude(part), magnitude(whole));

/**
 * Cash of one currency, valued at the average rate at which it arrived. A negative balance is owed, valued at the rate
 * at which it was borrowed. The portfolio's own currency never has a gain.
 */
class CashPool {
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

  /** What `local` of it cost; undefined if that is unknown or more than there is. */
  costOf(local: bigint): bigint | undefined {
    return this.#amount >= local && local > 0n ? partOf(this.costBase, local, this.#amount) : undefined;
  }

  get realisedFx(): bigint | undefined {
    return this.#realisedFx;
  }

  /** Positive amounts arrive, negative ones leave; `base` is the value at that moment. */
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

  /**
   * Realises the gain of settled cash: `cost` (negative if owed) against its present `value`, which has the opposite
   * sign.
   */
  #settle(cost: bigint | undefined, value: bigint | undefined): void {
    const loss = sum(cost, value);
    this.#realisedFx = loss === undefined ? undefined : sum(this.#realisedFx, -loss);
  }
}

/** An entry that takes cash out on purpose, which requires a sufficient balance. */
type Outflow = CashMove | CurrencyExchange | CashTransfer;

/**
 * The cash of an account. Trades and fees may overdraw it (on margin, or if a deposit was not recorded). Withdrawals
 * and exchanges must be covered at the end of their day.
 */
export class AccountCash {
  readonly #baseCurrency: Currency;
  readonly #pools = new Map<Currency, CashPool>();
  /** The last withdrawal of each currency on the current day. */
  readonly #withdrawals = new Map<Currency, { readonly at: Outflow; readonly amount: bigint }>();

  constructor(baseCurrency: Currency) {
    this.#baseCurrency = baseCurrency;
  }

  move(currency: Currency, flow: FixedAmount): void {
    this.#pool(currency).move(flow);
  }

  /** Moves a negative amount; `endDay` checks whether it was covered. */
  take(currency: Currency, flow: FixedAmount, at: Outflow): void {
    this.#withdrawals.set(currency, { at, amount: magnitude(flow.local) });
    this.move(currency, flow);
  }

  /** Takes money at what it cost, so that nothing is realised. Returns it. */
  takeAtCost(currency: Currency, { local, base }: FixedAmount, at: Outflow): FixedAmount {
    const taken = { local, base: this.#pool(currency).costOf(local) ?? base };
    this.take(currency, negated(taken), at);
    return taken;
  }

  /** The withdrawal of this day that was not covered, if any. */
  endDay(): LedgerProblem | undefined {
    if (this.#withdrawals.size === 0) return undefined;
    const withdrawals = [...this.#withdrawals].toSorted(([a], [b]) => compareText(a, b));
    this.#withdrawals.clear();
    for (const [currency, { at, amount }] of withdrawals) {
      const balance = this.#pool(currency).amount;
      if (balance < 0n) {
        return {
          kind: 'overdrawn',
          at,
          currency,
          available: toDecimal(balance + amount, AMOUNT_DECIMALS),
          wanted: toDecimal(amount, AMOUNT_DECIMALS),
        };
      }
    }
    return undefined;
  }

  /** Sorted by currency. */
  balances(): readonly CashBalance[] {
    return [...this.#pools]
      .map(([currency, { amount, costBase, realisedFx }]) => ({
        currency,
        amount: toDecimal(amount, AMOUNT_DECIMALS),
        costBase: costBase === undefined ? undefined : toDecimal(costBase, BASE_DECIMALS),
        realisedFx: realisedFx === undefined ? undefined : toDecimal(realisedFx, BASE_DECIMALS),
      }))
      .toSorted((a, b) => compareText(a.currency, b.currency));
  }

  #pool(currency: Currency): CashPool {
    return this.#pools.getOrInsertComputed(currency, () => new CashPool(currency === this.#baseCurrency));
  }
}
