import type { Currency } from '#src/kernel/money.ts';
import type { CashMove, CurrencyExchange } from '#src/kernel/ledger.ts';
import {
  AMOUNT_DECIMALS,
  BASE_DECIMALS,
  type FixedAmount,
  magnitude,
  NOTHING,
  ONE_TO_ONE,
  plus,
  shareOf,
  toDatedAmount,
  toDecimal,
} from './fixed-point.ts';
import type { CashBalance, DatedAmount, LedgerProblem } from './ledger-state.ts';
import { compareText } from './order-entries.ts';

/** Amounts of many currencies, each added up by itself. */
export class CurrencySums {
  readonly #sums = new Map<Currency, FixedAmount>();

  add(currency: Currency, amount: FixedAmount): void {
    this.#sums.set(currency, plus(this.#sums.get(currency) ?? NOTHING, amount));
  }

  /** By currency. */
  list(): readonly { readonly currency: Currency; readonly total: DatedAmount }[] {
    return [...this.#sums]
      .map(([currency, total]) => ({ currency, total: toDatedAmount(total) }))
      .toSorted((a, b) => compareText(a.currency, b.currency));
  }
}

const sum = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

/** What falls to `part` of `whole`. */
const partOf = (amount: bigint | undefined, part: bigint, whole: bigint): bigint | undefined =>
  amount === undefined ? undefined : shareOf(amount, BASE_DECIMALS, magnitude(part), magnitude(whole));

/**
 * Money of one currency in the account, at the average of what it was worth when it came. Below zero it is owed, at
 * what it was worth when it was borrowed. Of the portfolio's own currency nothing is ever gained.
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

/** What takes money out on purpose: there must be some. */
type Outflow = CashMove | CurrencyExchange;

/**
 * The money of an account. Trades and fees may leave less than nothing (on margin, or where a deposit was forgotten);
 * who takes money out, or exchanges it, must have it at the end of that day.
 */
export class AccountCash {
  readonly #baseCurrency: Currency;
  readonly #pools = new Map<Currency, CashPool>();
  /** Of the day that is being counted; the last one of each currency. */
  readonly #withdrawals = new Map<Currency, { readonly at: Outflow; readonly amount: bigint }>();

  constructor(baseCurrency: Currency) {
    this.#baseCurrency = baseCurrency;
  }

  move(currency: Currency, flow: FixedAmount): void {
    this.#pool(currency).move(flow);
  }

  /** Like `move`, of what is below zero; `endDay` says whether it was there. */
  take(currency: Currency, flow: FixedAmount, at: Outflow): void {
    this.#withdrawals.set(currency, { at, amount: magnitude(flow.local) });
    this.move(currency, flow);
  }

  /** What was taken on this day and was not there, if anything. */
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

  /** By currency. */
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
    const known = this.#pools.get(currency);
    if (known) return known;
    const pool = new CashPool(currency === this.#baseCurrency);
    this.#pools.set(currency, pool);
    return pool;
  }
}
