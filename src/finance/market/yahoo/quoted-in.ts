import type { Instrument } from '#src/core/finance.ts';
import type { Decimal } from '#src/core/money.ts';
import { decimalOf, priceOf } from './decimal-of.ts';

/** Prices of London come in pence, of Johannesburg in cents: the code then ends otherwise. */
const PARTS: ReadonlyMap<string, readonly [currency: string, parts: number]> = new Map([
  ['GBp', ['GBP', 100]],
  ['GBX', ['GBP', 100]],
  ['ZAc', ['ZAR', 100]],
  ['ILA', ['ILS', 100]],
  ['USX', ['USD', 100]],
  ['KWF', ['KWD', 1000]],
]);

export interface QuotedIn {
  /** In the currency that the source really quotes. */
  readonly instrument: Instrument;
  readonly price: (value: number) => Decimal;
  /** Money that is no price, such as a dividend: it keeps parts of a won. */
  readonly amount: (value: number) => Decimal;
}

const DEFAULT_DECIMALS = 2;

/** Points and percent are not money: the currency that Yahoo gives them is of the country. */
const hasCurrency = ({ assetClass }: Instrument): boolean => assetClass !== 'index' && assetClass !== 'rate';

/**
 * How to read prices of an instrument in the currency that Yahoo names. Never under another one's sign: where the
 * two differ, the instrument gets Yahoo's. Null where it names none and one is needed.
 */
export const quotedIn = (instrument: Instrument, currency: string | undefined): QuotedIn | null => {
  if (!hasCurrency(instrument))
    return { instrument, price: (value) => priceOf(value, instrument), amount: decimalOf };
  if (currency === undefined) return null;
  const [code, parts] = PARTS.get(currency) ?? [currency, 1];
  const known: Instrument =
    code === instrument.currency
      ? instrument
      : {
          ...instrument,
          currency: code,
          priceDecimals: Math.max(instrument.priceDecimals, DEFAULT_DECIMALS),
        };
  return {
    instrument: known,
    price: (value) => {
      const price = priceOf(value, known);
      return parts === 1 ? price : price.dividedBy(parts);
    },
    amount: (value) => decimalOf(value).dividedBy(parts),
  };
};
