import type { Locale } from '#src/core/i18n.ts';
import { type Currency, Decimal, formatFinancialNumber } from '#src/core/money.ts';
import { currencyNamed } from '#src/language/currencies.ts';

/** Money of which one is worth so little that Korean banks quote a hundred of it, with its word there. */
const BY_HUNDRED: ReadonlyMap<Currency, string> = new Map([
  ['JPY', '엔'],
  ['VND', '동'],
  ['IDR', '루피아'],
]);
const HUNDRED = 100;
const HOME = 'KRW';
const SMALL_DIGITS = 4;
const MAX_EXACT_DECIMALS = 4;
const CENTS = 2;
const MAX_DECIMALS = 18;

/** Whether Koreans tell the rate of these two for a hundred. */
export const isCountedByHundred = (a: Currency, b: Currency): boolean =>
  (a === HOME && BY_HUNDRED.has(b)) || (b === HOME && BY_HUNDRED.has(a));

/** A price of money, to its last digit. */
const priceText = (value: Decimal, currency: Currency, locale: Locale, least: number): string => {
  const known = currencyNamed(currency);
  const decimals = known?.isCoin ? 0 : Math.max(least, known?.decimals ?? CENTS);
  return formatFinancialNumber(value, {
    locale,
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.min(MAX_DECIMALS, Math.max(decimals, value.decimalPlaces())),
  });
};

/** As somebody wrote it down, or as many digits as people read of what was worked out. */
const readable = (value: Decimal): Decimal => {
  if (value.decimalPlaces() <= MAX_EXACT_DECIMALS) return value;
  return value.greaterThanOrEqualTo(HUNDRED)
    ? value.toDecimalPlaces(CENTS)
    : value.toSignificantDigits(SMALL_DIGITS);
};

/**
 * `1 USD = ₩1,463.25`, where one `from` costs `rate` of `to`. Between the won and money that Koreans count by the
 * hundred, they read `100엔 = ₩945.37`, whichever way round it is given.
 */
export const rateLine = (from: Currency, to: Currency, rate: Decimal, locale: Locale): string => {
  const isTurned = from === HOME;
  const [few, home] = isTurned ? [to, from] : [from, to];
  const word = locale === 'ko' && home === HOME ? BY_HUNDRED.get(few) : undefined;
  if (word === undefined) return `1 ${from} = ${priceText(rate, to, locale, 0)}`;
  const exact = isTurned ? new Decimal(HUNDRED).dividedBy(rate) : rate.times(HUNDRED);
  return `${HUNDRED}${word} = ${priceText(readable(exact), HOME, locale, CENTS)}`;
};
