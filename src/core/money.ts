import { Decimal } from 'decimal.js';
import type { Locale } from './i18n.ts';

export { Decimal };

/** ISO 4217, or the coin's own code. */
export type Currency = string;

const INTL_LOCALE: Record<Locale, string> = { ko: 'ko-KR', en: 'en-US' };

interface NumberFormatOptions {
  readonly locale: Locale;
  readonly currency?: Currency;
  readonly minimumFractionDigits?: number;
  readonly maximumFractionDigits?: number;
  readonly showSign?: boolean;
}

/** Currencies whose short sign is clear to our readers; `$` alone must never mean the Canadian one. */
const CLEAR_SIGNS: ReadonlySet<Currency> = new Set(['KRW', 'USD', 'EUR']);

/**
 * A number as a person of that language reads it. Decimals go through as text: no float ever touches
 * the value, so 3097.45 can never come out as 3.00.
 */
export const formatFinancialNumber = (value: Decimal, options: NumberFormatOptions): string => {
  const { locale, currency, showSign } = options;
  const digits = options.maximumFractionDigits ?? Math.max(options.minimumFractionDigits ?? 0, 2);
  const isIsoCurrency = currency !== undefined && /^[A-Z]{3}$/.test(currency);
  const format = new Intl.NumberFormat(INTL_LOCALE[locale], {
    minimumFractionDigits: Math.min(options.minimumFractionDigits ?? 0, digits),
    maximumFractionDigits: digits,
    signDisplay: showSign ? 'exceptZero' : 'negative',
    ...(isIsoCurrency && {
      style: 'currency',
      currency,
      currencyDisplay: CLEAR_SIGNS.has(currency) ? 'narrowSymbol' : 'code',
    }),
  });
  const text = format.format(value.toFixed() as `${number}`);
  return currency === undefined || isIsoCurrency ? text : `${text} ${currency}`;
};

export const formatPercent = (fraction: Decimal, locale: Locale): string =>
  `${formatFinancialNumber(fraction.times(100), {
    locale,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    showSign: true,
  })}%`;

const CENTS = 2;
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

/** A count of whole things. */
export const formatCount = (count: number, locale: Locale): string =>
  count.toLocaleString(INTL_LOCALE[locale], { maximumFractionDigits: 0 });
