import type { Currency, Decimal } from '#src/core/money.ts';
import { readAmount } from '#src/language/amounts.ts';

/** A number of an entry, with the money that stood beside it. */
interface EntryNumber {
  readonly value: Decimal;
  readonly currency?: Currency;
}

/**
 * `71,000원`, `$180.5`, `1.5억`, `10주`, `@ 180`; null for what is no number, and for percentages and multiples.
 * Numbers below zero are read, too: whether they make sense is checked later.
 */
export const readEntryNumber = (typed: string): EntryNumber | null => {
  const amount = readAmount(typed)?.value;
  if (!amount || amount.unit === 'percent' || amount.unit === 'times' || amount.unit === 'points')
    return null;
  return { value: amount.value, ...(amount.currency !== undefined && { currency: amount.currency }) };
};
