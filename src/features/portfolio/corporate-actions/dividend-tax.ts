import type { Instrument } from '#src/kernel/market/finance.ts';
import type { AccountKind } from '#src/kernel/market/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import { Decimal } from '#src/kernel/money.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { exchangeCalendar } from '#src/markets/calendar/calendar.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import type { TaxedAs } from '../requests.ts';

// `docs/tax.md` names the source of each rate and rule, and when it was read.

/** Where the company pays its dividends, by the market of the share. */
export const TAX_COUNTRIES = ['US', 'KR', 'JP', 'GB', 'HK', 'CN', 'CA', 'DE', 'NL', 'other'] as const;
export type TaxCountry = (typeof TAX_COUNTRIES)[number];

const OF_CALENDAR: Readonly<Record<string, TaxCountry>> = { NYSE: 'US', KRX: 'KR' };
const OF_EXCHANGE: Readonly<Record<string, TaxCountry>> = { TSE: 'JP', LSE: 'GB', HKEX: 'HK' };
const OF_SUFFIX: Readonly<Record<string, TaxCountry>> = {
  T: 'JP',
  L: 'GB',
  HK: 'HK',
  SS: 'CN',
  SZ: 'CN',
  TO: 'CA',
  V: 'CA',
  DE: 'DE',
  F: 'DE',
  AS: 'NL',
};

export const taxCountryOf = ({ symbol, exchange }: Pick<Instrument, 'symbol' | 'exchange'>): TaxCountry =>
  OF_CALENDAR[exchangeCalendar(exchange)?.market ?? ''] ??
  OF_EXCHANGE[exchange] ??
  OF_SUFFIX[/\.([A-Z]{1,2})$/u.exec(symbol)?.[1] ?? ''] ??
  'other';

/** Percent that is usually withheld from a resident of Korea. No rate for the other countries: sources differ. */
const USUAL_PERCENT: Readonly<Partial<Record<TaxCountry, string>>> = {
  US: '15',
  KR: '15.4',
  JP: '15.315',
  GB: '0',
  HK: '0',
  CN: '10',
  CA: '15',
  DE: '26.375',
  NL: '15',
};

const KOREAN_INCOME_TAX_PERCENT = 14;
/** Local income tax is a tenth of income tax. */
const LOCAL_PART = 10;
/** Less income tax than this is not withheld from a dividend (소득세법 제86조). */
const LEAST_WITHHELD_WON = 1_000;

/** Undefined if no rate is known here. */
export const usualPercent = (
  country: TaxCountry,
  account: AccountKind | null | undefined,
): string | undefined => (country === 'KR' && account ? '0' : USUAL_PERCENT[country]);

/** What a Korean broker withholds besides: what the foreign tax falls short of 14 %, and a tenth of it. */
const brokerPercent = (country: TaxCountry, account: AccountKind | null | undefined): Decimal => {
  const abroad = usualPercent(country, account);
  if (country === 'KR' || account || abroad === undefined) return ZERO;
  const short = new Exact(KOREAN_INCOME_TAX_PERCENT).minus(abroad);
  return short.isPositive() ? short.plus(short.dividedBy(LOCAL_PART)) : ZERO;
};

/** Whether a Korean broker withholds more than the country of the company does. */
export const isTaxedAtHome = (country: TaxCountry, account: AccountKind | null | undefined): boolean =>
  !brokerPercent(country, account).isZero();

/** The percent that is taken in all. Undefined if no rate is known here. */
export const percentTaken = (
  country: TaxCountry,
  as: TaxedAs,
  account: AccountKind | null | undefined,
): Decimal | undefined => {
  const usual = usualPercent(country, account);
  if (as === 'none') return ZERO;
  if (usual === undefined) return undefined;
  return as === 'usual' ? new Exact(usual) : brokerPercent(country, account).plus(usual);
};

/** Cut to tens of won. */
const tens = (won: Decimal): Decimal => won.dividedBy(10).floor().times(10);

/** Income tax and local income tax of one payment in Korea, each cut to tens of won. */
const koreanTax = (won: Decimal): Decimal => {
  const income = tens(new Exact(won).times(KOREAN_INCOME_TAX_PERCENT).dividedBy(100));
  if (income.lessThan(LEAST_WITHHELD_WON)) return ZERO;
  return income.plus(tens(income.dividedBy(LOCAL_PART)));
};

/** The tax on one payment, in the smallest unit of its currency. Zero if no rate is known here. */
export const dividendTax = (
  {
    amount,
    currency,
    country,
  }: { readonly amount: Decimal; readonly currency: Currency; readonly country: TaxCountry },
  as: TaxedAs,
  account: AccountKind | null | undefined,
): Decimal => {
  const percent = percentTaken(country, as, account) ?? ZERO;
  if (country === 'KR' && currency === 'KRW' && !percent.isZero())
    return new Decimal(koreanTax(amount).toFixed());
  const tax = new Exact(amount).times(percent).dividedBy(100);
  return new Decimal(tax.toDecimalPlaces(currencyNamed(currency)?.decimals ?? 2).toFixed());
};

/** The last ten days of a year hold the ex-dividend days of shares whose books close with it. */
const FIRST_YEAR_END_DAY = 22;
const DECEMBER = 12;
/**
 * The latest day on which dividends of a year that ends in December are paid. Korea: within a month of the general
 * meeting (상법 제464조의2), which is held until 31 March. Japan: the meeting is held within three months of the record
 * day (会社法第124条).
 */
const PAID_UNTIL: Readonly<Partial<Record<TaxCountry, { readonly month: number; readonly day: number }>>> = {
  KR: { month: 4, day: 30 },
  JP: { month: 3, day: 31 },
};

/** The day by which a dividend of the year end is paid. Undefined where only the ex-dividend day is known. */
export const yearEndPayment = (
  country: TaxCountry,
  exDay: Temporal.PlainDate,
): Temporal.PlainDate | undefined => {
  const until = PAID_UNTIL[country];
  if (!until || exDay.month !== DECEMBER || exDay.day < FIRST_YEAR_END_DAY) return undefined;
  return Temporal.PlainDate.from({ year: exDay.year + 1, ...until });
};
