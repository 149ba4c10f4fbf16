import { Decimal } from 'decimal.js';
import type { Locale } from './locale.ts';

export { Decimal };

/** For chains of rates and percentages: enough digits for any sum of money, and few enough to be fast. */
export const RateDecimal = Decimal.clone({ precision: 40 });

/** ISO 4217, or the coin's own code. */
export type Currency = string;

const INTL_LOCALE: Record<Locale, string> = { ko: 'ko-KR', en: 'en-US' };

interface NumberFormatOptions {
  readonly locale: Locale;
  readonly currency?: Currency;
  readonly minimumFractionDigits?: number;
  readonly maximumFractionDigits?: number;
  /** A plus before what is above zero. */
  readonly showSign?: boolean;
  /** The value is a fraction: 0.0127 is 1.27%. Not together with a currency. */
  readonly isPercent?: boolean;
  /** In the large units of the language, to a few digits: $3.59T, ₩412.4조. The digits above do not count then. */
  readonly isShort?: boolean;
}

/** Korean counts in steps of four digits: fewer would round away what stands before 억. */
const SHORT_DIGITS: Record<Locale, number> = { ko: 4, en: 3 };

/** Currencies whose short sign is clear to our readers; `$` alone must never mean the Canadian one. */
const CLEAR_SIGNS: ReadonlySet<Currency> = new Set(['KRW', 'USD', 'EUR', 'JPY', 'GBP']);
/** Nobody counts parts of these. */
const WHOLE_CURRENCIES: ReadonlySet<Currency> = new Set(['KRW', 'JPY']);

const WHOLE_UNIT = new Decimal(1);
const HUNDREDTH = new Decimal('0.01');

/** The smallest amount that is paid: a won, a cent. */
export const smallestUnit = (currency: Currency): Decimal =>
  WHOLE_CURRENCIES.has(currency) ? WHOLE_UNIT : HUNDREDTH;

/** A table has some hundred numbers of a few forms, and to make a form takes longer than to use it. */
const FORMATS = new Map<string, Intl.NumberFormat>();
/** Each takes memory: where there are many forms, they are made anew now and then. */
const MAX_FORMATS = 16;

const formatOf = (language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = FORMATS.get(key);
  if (known) return known;
  if (FORMATS.size >= MAX_FORMATS) FORMATS.clear();
  const made = new Intl.NumberFormat(language, options);
  FORMATS.set(key, made);
  return made;
};

/**
 * A number as a person of that language reads it, never with an exponent. Decimals go through as text: no
 * float ever touches the value, so 3097.45 can never come out as 3.00. Throws for a text that is no number.
 */
export const formatFinancialNumber = (
  value: Decimal | number | string,
  options: NumberFormatOptions,
): string => {
  const { locale, currency, showSign, isPercent, isShort } = options;
  const usual = currency !== undefined && WHOLE_CURRENCIES.has(currency) ? 0 : 2;
  const digits = options.maximumFractionDigits ?? Math.max(options.minimumFractionDigits ?? 0, usual);
  const isIsoCurrency = currency !== undefined && /^[A-Z]{3}$/.test(currency);
  const format = formatOf(INTL_LOCALE[locale], {
    ...(isShort
      ? { notation: 'compact', maximumSignificantDigits: SHORT_DIGITS[locale], useGrouping: true }
      : {
          minimumFractionDigits: Math.min(options.minimumFractionDigits ?? 0, digits),
          maximumFractionDigits: digits,
        }),
    signDisplay: showSign ? 'exceptZero' : 'negative',
    ...(isPercent && { style: 'percent' }),
    ...(isIsoCurrency && {
      style: 'currency',
      currency,
      currencyDisplay: CLEAR_SIGNS.has(currency) ? 'narrowSymbol' : 'code',
    }),
  });
  const text = format.format(new Decimal(value).toFixed() as `${number}`);
  return currency === undefined || isIsoCurrency ? text : `${text} ${currency}`;
};

const CENTS = 2;

export const formatPercent = (fraction: Decimal, locale: Locale): string =>
  formatFinancialNumber(fraction, {
    locale,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    showSign: true,
    isPercent: true,
  });

/** Of less than a dollar cents say too little: a request costs fractions of one. */
const SMALL_DIGITS = 4;

/** US dollars, of small amounts the first two digits that are not zero: $12.35, $0.50, $0.0042, $0.0000075. */
export const formatUsd = (value: Decimal, locale: Locale): string => {
  const isSmall = !value.isZero() && value.abs().lessThan(1);
  return formatFinancialNumber(value, {
    locale,
    currency: 'USD',
    minimumFractionDigits: CENTS,
    maximumFractionDigits: isSmall ? Math.min(Math.max(SMALL_DIGITS, 1 - value.e), 18) : CENTS,
  });
};

const FEWEST_DIGITS = 3;
const DIGITS_OF_SMALL = 4;
const MAX_PRICE_DECIMALS = 18;

/**
 * The most decimals of a price that is usually written with `usual` of them: more where fewer than `least` digits would
 * be left, so that $0.00001234 is not $0.0000.
 */
export const readableDecimals = (price: Decimal, usual: number, least = FEWEST_DIGITS): number => {
  const shown = price.e + 1 + usual;
  if (price.isZero() || !price.isFinite() || shown >= least) return usual;
  return Math.min(MAX_PRICE_DECIMALS, DIGITS_OF_SMALL - 1 - price.e);
};

/** A count of whole things. */
export const formatCount = (count: number, locale: Locale): string =>
  count.toLocaleString(INTL_LOCALE[locale], { maximumFractionDigits: 0 });
