import { Decimal } from 'decimal.js';
import type { Locale } from './locale.ts';

export { Decimal };

/** For chains of rates and percentages: precise enough for any amount, and fast. */
export const RateDecimal = Decimal.clone({ precision: 40 });

/** ISO 4217, or the coin's own code. */
export type Currency = string;

const INTL_LOCALE: Record<Locale, string> = { ko: 'ko-KR', en: 'en-US' };

interface NumberFormatOptions {
  readonly locale: Locale;
  readonly currency?: Currency;
  readonly minimumFractionDigits?: number;
  readonly maximumFractionDigits?: number;
  /** Writes a plus before positive numbers. */
  readonly showSign?: boolean;
  /** The value is a fraction: 0.0127 is 1.27%. Not with a currency. */
  readonly isPercent?: boolean;
  /** Compact notation: $3.59T, ₩412.4조. The fraction digits are ignored. */
  readonly isShort?: boolean;
}

/** Korean units step by four digits, so fewer digits would be too coarse. */
const SHORT_DIGITS: Record<Locale, number> = { ko: 4, en: 3 };

/** Currencies with an unambiguous sign. `$` must not mean Canadian dollars. */
const CLEAR_SIGNS: ReadonlySet<Currency> = new Set(['KRW', 'USD', 'EUR', 'JPY', 'GBP']);
/** Currencies without decimals. */
const WHOLE_CURRENCIES: ReadonlySet<Currency> = new Set(['KRW', 'JPY']);

const WHOLE_UNIT = new Decimal(1);
const HUNDREDTH = new Decimal('0.01');

/** The smallest payable amount: a won, a cent. */
export const smallestUnit = (currency: Currency): Decimal =>
  WHOLE_CURRENCIES.has(currency) ? WHOLE_UNIT : HUNDREDTH;

/** Creating a format takes longer than using it, and a table has hundreds of numbers in a few formats. */
const FORMATS = new Map<string, Intl.NumberFormat>();
/** Each format takes memory, so the cache is cleared when it is full. */
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
 * Formats a number for a language, never with an exponent. Decimals are passed as text, so the value never becomes a
 * float. Throws for a text that is not a number.
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

/** Amounts below a dollar need more than cents: a model request costs fractions of a cent. */
const SMALL_DIGITS = 4;

/** US dollars; small amounts with two significant digits: $12.35, $0.50, $0.0042, $0.0000075. */
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
 * The number of decimals for a price that is usually written with `usual` decimals. Small prices get more, so that at
 * least `least` digits are left and $0.00001234 is not $0.0000.
 */
export const readableDecimals = (price: Decimal, usual: number, least = FEWEST_DIGITS): number => {
  const shown = price.e + 1 + usual;
  if (price.isZero() || !price.isFinite() || shown >= least) return usual;
  return Math.min(MAX_PRICE_DECIMALS, DIGITS_OF_SMALL - 1 - price.e);
};

/** A whole number. */
export const formatCount = (count: number, locale: Locale): string =>
  formatFinancialNumber(count, { locale, maximumFractionDigits: 0 });
