import { type Instrument, isShare } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import {
  type Currency,
  Decimal,
  formatFinancialNumber,
  formatPercent,
  readableDecimals,
} from '#src/kernel/money.ts';
import { shownPairs, shownParts } from '#src/kernel/shown-parts.ts';
import { currencyNamed } from '#src/language/currencies.ts';

/** More digits behind the point are nothing to read, not even of a coin. */
const MAX_SHOWN = 8;
const SHARE_DECIMALS = 6;
const MAX_QUANTITY_DECIMALS = 18;
/** Of an average: two more than prices have would only be noise where prices have many. */
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

/** In a sentence: English says USD, Korean 미국 달러. */
export const currencyText = (currency: Currency, locale: Locale): string =>
  locale === 'ko' ? (currencyNamed(currency)?.name.ko ?? currency) : currency;

/** Parts of a sum of money, rounded so that they add up to it as it is shown. */
export const moneyParts = (
  parts: readonly Decimal[],
  total: Decimal,
  currency: Currency,
): readonly Decimal[] => shownParts(parts, total, decimalsOf(currency));

/** Gains below each other, each with two parts, rounded so that rows and columns add up. */
export const moneyPairs = (
  pairs: Parameters<typeof shownPairs>[0],
  firsts: Decimal,
  currency: Currency,
): ReturnType<typeof shownPairs> => shownPairs(pairs, firsts, decimalsOf(currency));

/** A sum of money, with the decimals that its currency has. */
export const moneyText = (value: Decimal, currency: Currency, locale: Locale): string =>
  formatted(value, currency, locale, decimalsOf(currency), false);

/** The same with its sign: what was gained or lost. */
export const gainText = (value: Decimal, currency: Currency, locale: Locale): string =>
  formatted(value, currency, locale, decimalsOf(currency), true);

/** The same, of a sum that may be less than its smallest unit: that is still something. */
export const shownMoneyText = (value: Decimal, currency: Currency, locale: Locale): string => {
  const usual = decimalsOf(currency);
  const isNothing = value.toDecimalPlaces(usual, Decimal.ROUND_HALF_CEIL).isZero();
  return formatted(value, currency, locale, isNothing ? readableDecimals(value, usual) : usual, false);
};

/** As it was written down, to the last digit. */
export const exactMoneyText = (value: Decimal, currency: Currency, locale: Locale): string =>
  formatted(
    value,
    currency,
    locale,
    Math.min(MAX_QUANTITY_DECIMALS, Math.max(decimalsOf(currency), value.decimalPlaces())),
    false,
  );

/** As it was written down; rounded where it has more digits than anybody writes. */
export const writtenMoneyText = (value: Decimal, currency: Currency, locale: Locale): string =>
  (value.decimalPlaces() > MAX_SHOWN ? shownMoneyText : exactMoneyText)(value, currency, locale);

/** The price for one piece of an entry, to the last digit. */
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

/** What one piece cost on average: rounded, as it seldom comes out even. */
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

/** As it was written down; rounded where it has more digits than anybody writes. */
export const writtenPriceText = (value: Decimal, instrument: Instrument, locale: Locale): string =>
  (value.decimalPlaces() > MAX_SHOWN ? averageText : exactPriceText)(value, instrument, locale);

const shownDecimals = ({ assetClass }: Instrument): number =>
  assetClass === 'crypto' ? MAX_SHOWN : SHARE_DECIMALS;

/** Of shares nobody reads more than six decimals, of coins eight. */
export const shownQuantityText = (value: Decimal, instrument: Instrument, locale: Locale): string => {
  const shown = value.toDecimalPlaces(shownDecimals(instrument));
  // What is less than that is still something.
  return quantityText(shown.isZero() ? value : shown, instrument, locale);
};

/** To the last digit. Shares are counted by a word of their own in Korean. */
export const quantityText = (value: Decimal, instrument: Instrument, locale: Locale): string => {
  const number = formatFinancialNumber(value, { locale, maximumFractionDigits: MAX_QUANTITY_DECIMALS });
  return locale === 'ko' && isShare(instrument.assetClass) ? `${number}주` : number;
};

/** Two numbers that differ: with as few more decimals than people read as it takes to see that. */
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
  toldApart(quantities, shownDecimals(instrument), (value) => quantityText(value, instrument, locale));

/** ` (+5.20%)`; empty where there is nothing to measure from. */
export const percentOf = (gain: Decimal, of: Decimal, locale: Locale): string =>
  of.isZero() ? '' : ` (${formatPercent(gain.dividedBy(of.abs()), locale)})`;
