import type { Currency } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/reading/currencies.ts';

/** A currency, or its hundredth, in which shares are quoted in London, Johannesburg and Tel Aviv. */
export interface Money {
  readonly currency: Currency;
  readonly isHundredth: boolean;
}

const HUNDREDTHS: ReadonlyMap<string, Currency> = new Map([
  ...['GBX', 'GBPX', 'GBPENCE', 'PENCE'].map((name) => [name, 'GBP'] as const),
  ...['ZAC', 'ZAX'].map((name) => [name, 'ZAR'] as const),
  ...['ILA', 'ILX', 'AGOROT'].map((name) => [name, 'ILS'] as const),
]);

/** Names that only headings and cells of files have. */
const OTHERS: ReadonlyMap<string, Currency> = new Map([
  ['usドル', 'USD'],
  ['米ドル', 'USD'],
  ['米国ドル', 'USD'],
  ['ユーロ', 'EUR'],
  ['香港ドル', 'HKD'],
  ['can', 'CAD'],
]);

/** Finds a currency or its hundredth. Case counts only for `GBp`, which is not `GBP`. */
export const moneyNamed = (typed: string): Money | undefined => {
  const text = typed.normalize('NFKC').trim();
  const whole = text === 'GBp' || text === 'p' ? 'GBP' : HUNDREDTHS.get(text.toUpperCase());
  if (whole !== undefined) return { currency: whole, isHundredth: true };
  const currency = OTHERS.get(text.toLowerCase()) ?? currencyNamed(text)?.code;
  return currency === undefined ? undefined : { currency, isHundredth: false };
};
