import type { Instrument } from '#src/core/finance.ts';
import type { NewTransaction } from '#src/core/ledger.ts';
import { Decimal } from '#src/core/money.ts';
import { epochDay } from '../../performance/epoch-day.ts';

/** By how much the pieces of a day have to be multiplied to be pieces of today. */
export type SplitFactor = (symbol: string, day: number) => Decimal;

const ZERO = new Decimal(0);
const ONE = new Decimal(1);
/** What odd split ratios leave, below 10^-12 of a piece, is nothing. */
const DUST_EXPONENT = -12;

export const isDust = (quantity: Decimal): boolean => quantity.isZero() || quantity.e < DUST_EXPONENT;

/** Most were never split, and multiplying by one takes as long as by anything. */
export const adjusted = (quantity: Decimal, factor: Decimal): Decimal =>
  factor === ONE ? quantity : quantity.times(factor);

/** From the splits that were recorded: closes are told in pieces of today, trades in those of their day. */
export const splitFactors = (transactions: readonly NewTransaction[]): SplitFactor => {
  const bySymbol = new Map<string, { readonly day: number; readonly ratio: Decimal }[]>();
  for (const entry of transactions) {
    if (entry.kind !== 'split') continue;
    const splits = bySymbol.get(entry.instrument.symbol) ?? [];
    bySymbol.set(entry.instrument.symbol, splits);
    splits.push({ day: epochDay(entry.date), ratio: entry.ratio });
  }
  // Before all trades of its day: those of the same day are in new pieces already.
  return (symbol, day) =>
    bySymbol
      .get(symbol)
      ?.reduce((factor, split) => (split.day > day ? factor.times(split.ratio) : factor), ONE) ?? ONE;
};

export interface HeldInstrument {
  readonly instrument: Instrument;
  /** Something was held when the range began. */
  readonly isHeldBefore: boolean;
}

/** Of what something was held between `from` and `to`: of these prices are needed. */
export const heldSince = (
  transactions: readonly NewTransaction[],
  from: number,
  to: number,
): readonly HeldInstrument[] => {
  const factorOf = splitFactors(transactions);
  const held = new Map<string, { readonly instrument: Instrument; before: Decimal; isTraded: boolean }>();
  for (const entry of transactions) {
    if (entry.kind !== 'buy' && entry.kind !== 'sell') continue;
    const { instrument, quantity } = entry;
    const day = epochDay(entry.date);
    const each = held.get(instrument.symbol) ?? { instrument, before: ZERO, isTraded: false };
    held.set(instrument.symbol, each);
    if (day >= from) each.isTraded ||= day <= to;
    else {
      const pieces = adjusted(quantity, factorOf(instrument.symbol, day));
      each.before = entry.kind === 'buy' ? each.before.plus(pieces) : each.before.minus(pieces);
    }
  }
  return [...held.values()].flatMap(({ instrument, before, isTraded }) => {
    const isHeldBefore = !isDust(before);
    return isHeldBefore || isTraded ? [{ instrument, isHeldBefore }] : [];
  });
};
