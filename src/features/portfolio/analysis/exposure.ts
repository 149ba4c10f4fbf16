import type { Instrument } from '#src/kernel/finance.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { LedgerState } from '../ledger/ledger-state.ts';

/** What is held, at the last prices, in the portfolio's currency. */
export interface HeldValue {
  readonly instrument: Instrument;
  /** Below zero for a short position. */
  readonly value: Decimal;
}

export interface Exposure {
  /** The largest first, whichever way round. */
  readonly holdings: readonly HeldValue[];
  readonly cash: readonly { readonly currency: Currency; readonly value: Decimal }[];
  /** Of both. */
  readonly total: Decimal;
}

/** A part of a portfolio; `share` is a fraction of all parts by their size, below zero for what is owed. */
export interface Part {
  readonly key: string;
  readonly value: Decimal;
  readonly share: Decimal;
}

interface Prices {
  /** The last price of one, by symbol; what has none is left out. */
  readonly priceOf: (symbol: string) => Decimal | undefined;
  /** The portfolio's currency for one unit; what has none is left out. */
  readonly rateOf: (currency: Currency) => Decimal | undefined;
}

const ZERO = new Decimal(0);

const sum = (values: readonly Decimal[]): Decimal => values.reduce((total, value) => total.plus(value), ZERO);

export const exposureOf = (
  { positions, cash }: Pick<LedgerState, 'positions' | 'cash'>,
  { priceOf, rateOf }: Prices,
): Exposure => {
  const holdings = positions
    .flatMap(({ instrument, quantity }): readonly HeldValue[] => {
      const [price, rate] = [priceOf(instrument.symbol), rateOf(instrument.currency)];
      if (quantity.isZero() || !price || !rate) return [];
      return [{ instrument, value: quantity.times(price).times(rate) }];
    })
    .toSorted((a, b) => b.value.abs().comparedTo(a.value.abs()));
  const money = cash.flatMap(({ currency, amount }) => {
    const rate = rateOf(currency);
    return amount.isZero() || !rate ? [] : [{ currency, value: amount.times(rate) }];
  });
  return { holdings, cash: money, total: sum([...holdings, ...money].map(({ value }) => value)) };
};

/**
 * By what they have in common, the largest first. Shares are of the sizes together: of what is left between shorts and
 * longs they would be hundreds of percent.
 */
const partsBy = (items: readonly { readonly key: string; readonly value: Decimal }[]): readonly Part[] => {
  const parts = [...Map.groupBy(items, ({ key }) => key)].map(([key, group]) => ({
    key,
    value: sum(group.map(({ value }) => value)),
  }));
  const size = sum(parts.map(({ value }) => value.abs()));
  if (size.isZero()) return [];
  return parts
    .map(({ key, value }) => ({ key, value, share: value.dividedBy(size) }))
    .toSorted((a, b) => b.value.abs().comparedTo(a.value.abs()));
};

/** By the currency in which it is priced, money included. */
export const byCurrency = ({ holdings, cash }: Exposure): readonly Part[] =>
  partsBy([
    ...holdings.map(({ instrument, value }) => ({ key: instrument.currency, value })),
    ...cash.map(({ currency, value }) => ({ key: currency, value })),
  ]);

/** By sector: the key is the source's name of it, or `class:…` of what has none. Of holdings alone. */
export const bySector = (
  { holdings }: Exposure,
  sectorOf: (instrument: Instrument) => string | undefined,
): readonly Part[] =>
  partsBy(
    holdings.map(({ instrument, value }) => ({
      key:
        instrument.assetClass === 'equity'
          ? (sectorOf(instrument) ?? 'class:unknown')
          : `class:${instrument.assetClass}`,
      value,
    })),
  );
