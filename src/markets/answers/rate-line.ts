import type { Instrument, Quote } from '#src/kernel/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type Currency, Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { currencyNamed, HUNDRED, wordOfHundred } from '#src/language/currencies.ts';
import type { History } from '../sources/source.ts';

const HOME = 'KRW';
/** The yen has never cost more won; the others cost a fraction of one. */
const MAX_OF_ONE: Readonly<Record<Currency, number>> = { JPY: 50 };
const SMALL_DIGITS = 4;
const MAX_EXACT_DECIMALS = 4;
const CENTS = 2;
const MAX_DECIMALS = 18;

/** Whether Koreans tell the rate of these two for a hundred. */
export const isCountedByHundred = (a: Currency, b: Currency): boolean =>
  (a === HOME && wordOfHundred(b) !== undefined) || (b === HOME && wordOfHundred(a) !== undefined);

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
  const word = locale === 'ko' && home === HOME ? wordOfHundred(few) : undefined;
  if (word === undefined) return `1 ${from} = ${priceText(rate, to, locale, 0)}`;
  const exact = isTurned ? new Decimal(HUNDRED).dividedBy(rate) : rate.times(HUNDRED);
  return `${HUNDRED}${word} = ${priceText(readable(exact), HOME, locale, CENTS)}`;
};

const PAIR = /^(?<few>[A-Z]{3})KRW=X$/u;
const SAID_ONE = / \(1[^)]{1,6}\)$/u;

const fewOf = ({ symbol, assetClass }: Instrument): Currency | undefined =>
  assetClass === 'fx' ? PAIR.exec(symbol)?.groups?.['few'] : undefined;

/** How a reader counts an instrument: its name and decimals, and its prices as they are shown. */
interface Shown {
  readonly instrument: Instrument;
  readonly price: (value: Decimal) => Decimal;
}

/** Koreans read the yen, the dong and the rupiah in won by the hundred; everything else is shown as it is. */
export const shownTo = (instrument: Instrument, locale: Locale): Shown => {
  const few = locale === 'ko' ? fewOf(instrument) : undefined;
  const word = few === undefined ? undefined : wordOfHundred(few);
  if (word === undefined) return { instrument, price: (value) => value };
  const { name, priceDecimals } = instrument;
  return {
    instrument: {
      ...instrument,
      name: { ...name, ko: `${name.ko.replace(SAID_ONE, '')} (${HUNDRED}${word})` },
      priceDecimals: Math.max(CENTS, priceDecimals - 2),
    },
    price: (value) => value.times(HUNDRED),
  };
};

/** A quote with all its prices as the reader counts them. */
export const quoteShownTo = (quote: Quote, locale: Locale): Quote => {
  const { instrument, price } = shownTo(quote.instrument, locale);
  if (instrument === quote.instrument) return quote;
  const { previousClose, dayRange, yearRange, extended, otherPrice } = quote;
  return {
    ...quote,
    instrument,
    price: price(quote.price),
    ...(previousClose && { previousClose: price(previousClose) }),
    ...(dayRange && { dayRange: { low: price(dayRange.low), high: price(dayRange.high) } }),
    ...(yearRange && { yearRange: { low: price(yearRange.low), high: price(yearRange.high) } }),
    ...(extended && { extended: { ...extended, price: price(extended.price) } }),
    ...(otherPrice && { otherPrice: { ...otherPrice, price: price(otherPrice.price) } }),
  };
};

/** A history with all its prices as the reader counts them. Not for facts: they are of one. */
export const historyShownTo = (history: History, locale: Locale): History => {
  const { instrument, price } = shownTo(history.instrument, locale);
  if (instrument === history.instrument) return history;
  const { bars, baseClose } = history;
  return {
    ...history,
    instrument,
    bars: bars.map((bar) => ({
      ...bar,
      open: price(bar.open),
      high: price(bar.high),
      low: price(bar.low),
      close: price(bar.close),
    })),
    ...(baseClose && { baseClose: price(baseClose) }),
  };
};

/** A level of one unit: `900` for the yen is told of a hundred. `price`: of one, where it is known. */
export const levelOfOne = (level: Decimal, instrument: Instrument, price: Decimal | undefined): Decimal => {
  const few = fewOf(instrument);
  if (few === undefined || wordOfHundred(few) === undefined) return level;
  // Halfway between one and a hundred, as prices are compared.
  const isOfHundred = level.greaterThan(price ? price.times(Math.sqrt(HUNDRED)) : (MAX_OF_ONE[few] ?? 1));
  return isOfHundred ? level.dividedBy(HUNDRED) : level;
};
