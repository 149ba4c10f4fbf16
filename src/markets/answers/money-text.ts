import { type Instrument, isShare } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type Currency, Decimal, formatFinancialNumber, readableDecimals } from '#src/kernel/money.ts';
import { shownPairs, shownParts } from '#src/platform/text/round-to-total.ts';
import { currencyNamed } from '#src/reading/currencies.ts';

/** More decimals are unreadable, even for coins. */
const MAX_SHOWN = 8;
const MAX_QUANTITY_DECIMALS = 18;
/** Minimum decimals of an average price. */
const AVERAGE_DECIMALS = 2;

const decimalsOf = (currency: Currency): number => currencyNamed(currency)?.decimals ?? 2;

const formatted = (
  value: Decimal,
  currency: Currency,
  locale: Locale,
  digits: number,
  showSign: boolean,
): string =>
  formatFinancialNumber(value.toDecimalPlaces(digits, Decimal.ROUND_HALF_CEIL), {
    locale,
    currency,
    minimumFractionDigits: currencyNamed(currency)?.isCoin ? 0 : Math.min(digits, decimalsOf(currency)),
    maximumFractionDigits: digits,
    showSign,
  });

/** The currency within a sentence: `USD` in English, `미국 달러` in Korean. */
export const currencyText = (currency: Currency, locale: Locale): string =>
  locale === 'ko' ? (currencyNamed(currency)?.name.ko ?? currency) : currency;

/** Parts of an amount, rounded so that they add up to the shown total. */
export const moneyParts = (
  parts: readonly Decimal[],
  total: Decimal,
  currency: Currency,
): readonly Decimal[] => shownParts(parts, total, decimalsOf(currency));

/** Gains with two parts each, rounded so that rows and columns add up. */
export const moneyPairs = (
  pairs: Parameters<typeof shownPairs>[0],
  firsts: Decimal,
  currency: Currency,
): ReturnType<typeof shownPairs> => shownPairs(pairs, firsts, decimalsOf(currency));

/** An amount with the decimals of its currency. */
export const moneyText = (value: Decimal, currency: Currency, locale: Locale): string =>
  formatted(value, currency, locale, decimalsOf(currency), false);

/** The same with a sign, for gains and losses. */
export const gainText = (value: Decimal, currency: Currency, locale: Locale): string =>
  formatted(value, currency, locale, decimalsOf(currency), true);

/** The same, with more decimals if the amount would be shown as zero. */
export const shownMoneyText = (value: Decimal, currency: Currency, locale: Locale): string => {
  const usual = decimalsOf(currency);
  const isNothing = value.toDecimalPlaces(usual, Decimal.ROUND_HALF_CEIL).isZero();
  return formatted(value, currency, locale, isNothing ? readableDecimals(value, usual) : usual, false);
};

/** The exact amount as recorded. */
export const exactMoneyText = (value: Decimal, currency: Currency, locale: Locale): string =>
  formatted(
    value,
    currency,
    locale,
    Math.min(MAX_QUANTITY_DECIMALS, Math.max(decimalsOf(currency), value.decimalPlaces())),
    false,
  );

/** The amount as recorded, rounded only if it has unreadably many digits. */
export const writtenMoneyText = (value: Decimal, currency: Currency, locale: Locale): string =>
  (value.decimalPlaces() > MAX_SHOWN ? shownMoneyText : exactMoneyText)(value, currency, locale);

/** The exact price per unit of an entry. */
export const exactPriceText = (value: Decimal, instrument: Instrument, locale: Locale): string =>
  formatFinancialNumber(value, {
    locale,
    currency: instrument.currency,
    minimumFractionDigits: Math.min(instrument.priceDecimals, MAX_SHOWN),
    maximumFractionDigits: Math.min(
      MAX_QUANTITY_DECIMALS,
      Math.max(instrument.priceDecimals, value.decimalPlaces()),
    ),
  });

/** The average cost per unit, rounded. */
export const averageText = (value: Decimal, instrument: Instrument, locale: Locale): string => {
  const usual = Math.min(MAX_SHOWN, Math.max(instrument.priceDecimals, AVERAGE_DECIMALS));
  const digits = readableDecimals(value, usual);
  return formatFinancialNumber(value, {
    locale,
    currency: instrument.currency,
    minimumFractionDigits: instrument.priceDecimals,
    maximumFractionDigits: digits,
  });
};

/** At most eight decimals, which brokers and exchanges count in. */
export const shownQuantityText = (value: Decimal, instrument: Instrument, locale: Locale): string => {
  const shown = value.toDecimalPlaces(MAX_SHOWN);
  // A smaller quantity must not be shown as zero.
  return quantityText(shown.isZero() ? value : shown, instrument, locale);
};

/** The exact quantity. In Korean, shares have the counter 주. */
export const quantityText = (value: Decimal, instrument: Instrument, locale: Locale): string => {
  const number = formatFinancialNumber(value, { locale, maximumFractionDigits: MAX_QUANTITY_DECIMALS });
  return locale === 'ko' && isShare(instrument.assetClass) ? `${number}주` : number;
};

/** Writes two different numbers with the fewest decimals at which they look different. */
const toldApart = (
  [one, other]: readonly [Decimal, Decimal],
  decimals: number,
  write: (value: Decimal) => string,
): readonly [string, string] => {
  const [a, b] = [one.toDecimalPlaces(decimals), other.toDecimalPlaces(decimals)];
  return a.equals(b) && decimals < MAX_QUANTITY_DECIMALS
    ? toldApart([one, other], decimals + 1, write)
    : [write(a), write(b)];
};

export const amountsApart = (
  amounts: readonly [Decimal, Decimal],
  currency: Currency,
  locale: Locale,
): readonly [string, string] =>
  toldApart(amounts, decimalsOf(currency), (value) => exactMoneyText(value, currency, locale));

export const quantitiesApart = (
  quantities: readonly [Decimal, Decimal],
  instrument: Instrument,
  locale: Locale,
): readonly [string, string] =>
  toldApart(quantities, MAX_SHOWN, (value) => quantityText(value, instrument, locale));
