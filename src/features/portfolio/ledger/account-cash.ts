import type { CashMove, CurrencyExchange } from '#src/kernel/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { CashPool } from './cash-pool.ts';
import type { FixedAmount } from './fixed-amount.ts';
import { AMOUNT_DECIMALS, BASE_DECIMALS, magnitude, toDecimal } from './fixed-point.ts';
import type { CashBalance, LedgerProblem } from './ledger-state.ts';
import { compareText } from './order-entries.ts';

/** What takes money out on purpose: there must be some. */
type Taking = CashMove | CurrencyExchange;

/**
 * The money of an account. Trades and fees may leave less than nothing (on margin, or where a deposit was forgotten);
 * who takes money out, or exchanges it, must have it at the end of that day.
 */
export class AccountCash {
  readonly #baseCurrency: Currency;
  readonly #pools = new Map<Currency, CashPool>();
  /** Of the day that is being counted; the last one of each currency. */
  readonly #takings = new Map<Currency, { readonly at: Taking; readonly amount: bigint }>();

  constructor(baseCurrency: Currency) {
    this.#baseCurrency = baseCurrency;
  }

  move(currency: Currency, flow: FixedAmount): void {
    this.#pool(currency).move(flow);
  }

  /** Like `move`, of what is below zero; `endDay` says whether it was there. */
  take(currency: Currency, flow: FixedAmount, at: Taking): void {
    this.#takings.set(currency, { at, amount: magnitude(flow.local) });
    this.move(currency, flow);
  }

  /** What was taken on this day and was not there, if anything. */
  endDay(): LedgerProblem | undefined {
    if (this.#takings.size === 0) return undefined;
    const takings = [...this.#takings].toSorted(([a], [b]) => compareText(a, b));
    this.#takings.clear();
    for (const [currency, { at, amount }] of takings) {
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
