import type { Currency } from '#src/kernel/money.ts';
import { type FixedAmount, NOTHING, plus, toDatedAmount } from './fixed-amount.ts';
import type { DatedAmount } from './ledger-state.ts';
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
