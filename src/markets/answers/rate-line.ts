import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { type Currency, Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { currencyNamed, HUNDRED, wordOfHundred } from '#src/reading/currencies.ts';
import type { History } from '../sources/source.ts';

const HOME = 'KRW';
/** The highest plausible price of one unit in won. The other currencies cost less than one won. */
const MAX_OF_ONE: Readonly<Record<Currency, number>> = { JPY: 50 };
const SMALL_DIGITS = 4;
const MAX_EXACT_DECIMALS = 4;
const CENTS = 2;
const MAX_DECIMALS = 18;

/** True if Koreans quote this pair per hundred units. */
export const isCountedByHundred = (a: Currency, b: Currency): boolean =>
  (a === HOME && wordOfHundred(b) !== undefined) || (b === HOME && wordOfHundred(a) !== undefined);

/** An exact exchange rate. */
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

/** Keeps rates with few decimals exact and rounds longer ones, which were computed. */
const readable = (value: Decimal): Decimal => {
  if (value.decimalPlaces() <= MAX_EXACT_DECIMALS) return value;
  return value.greaterThanOrEqualTo(HUNDRED)
    ? value.toDecimalPlaces(CENTS)
    : value.toSignificantDigits(SMALL_DIGITS);
};

/** The price of a hundred units in won, where Koreans count by the hundred. One `from` costs `rate` of `to`. */
export const priceOfHundred = (from: Currency, to: Currency, rate: Decimal): Decimal | undefined => {
  if (!isCountedByHundred(from, to)) return undefined;
  return readable(from === HOME ? new Decimal(HUNDRED).dividedBy(rate) : rate.times(HUNDRED));
};

/**
 * `1 USD = ₩1,463.25`, where one `from` costs `rate` of `to`. In Korean, pairs quoted per hundred read
 * `100엔 = ₩945.37`, in whichever direction they are given.
 */
export const rateLine = (from: Currency, to: Currency, rate: Decimal, locale: Locale): string => {
  const word = wordOfHundred(from === HOME ? to : from);
  const hundred = locale === 'ko' ? priceOfHundred(from, to, rate) : undefined;
  return hundred
    ? `${HUNDRED}${word} = ${priceText(hundred, HOME, locale, CENTS)}`
    : `1 ${from} = ${priceText(rate, to, locale, 0)}`;
};

const PAIR = /^(?<few>[A-Z]{3})KRW=X$/u;
const SAID_ONE = / \(1[^)]{1,6}\)$/u;

const fewOf = ({ symbol, assetClass }: Instrument): Currency | undefined =>
  assetClass === 'fx' ? PAIR.exec(symbol)?.groups?.['few'] : undefined;

/** An instrument in the unit shown to an audience, with the conversion of its prices. */
interface Shown {
  readonly instrument: Instrument;
  readonly price: (value: Decimal) => Decimal;
}

/** In Korean, yen, dong and rupiah in won are shown per hundred; everything else as it is. */
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

/** A quote with all prices in the shown unit. */
export const quoteShownTo = (quote: Quote, locale: Locale): Quote => {
  const { instrument, price } = shownTo(quote.instrument, locale);
  if (instrument === quote.instrument) return quote;
  const { previousClose, dayRange, yearRange, extended, otherPrice, doubt } = quote;
  return {
    ...quote,
    instrument,
    price: price(quote.price),
    ...(previousClose && { previousClose: price(previousClose) }),
    ...(dayRange && { dayRange: { low: price(dayRange.low), high: price(dayRange.high) } }),
    ...(yearRange && { yearRange: { low: price(yearRange.low), high: price(yearRange.high) } }),
    ...(extended && { extended: { ...extended, price: price(extended.price) } }),
    ...(otherPrice && { otherPrice: { ...otherPrice, price: price(otherPrice.price) } }),
    ...(doubt?.previousClose && { doubt: { previousClose: price(doubt.previousClose) } }),
  };
};

/** An exchange rate per hundred units as a fact. */
export const hundredFact = (
  base: Pick<Fact, 'entity' | 'asOf' | 'source' | 'isSample'>,
  hundred: Decimal,
): Fact => ({
  ...base,
  metric: 'exchangeRate',
  parameter: String(HUNDRED),
  value: hundred.toFixed(),
  unit: HOME,
});

/** The prices among facts that were made of prices per hundred units, and what is calculated from them. */
const perHundred = (facts: readonly Fact[]): readonly Fact[] =>
  facts.filter(({ unit }) => unit === HOME).map((fact) => ({ parameter: String(HUNDRED), ...fact }));

/** Facts per unit of currency, and as prices are shown where they are shown per hundred. */
export const alsoPerHundred = <Of>(
  given: Of,
  shown: Of,
  factsOf: (of: Of) => readonly Fact[],
): readonly Fact[] => [...factsOf(given), ...(shown === given ? [] : perHundred(factsOf(shown)))];

/** A history with all prices in the shown unit. Not for facts, which are per unit. */
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

/** Converts a typed level to one unit: `900` for the yen means a hundred. `price` is per unit, if known. */
export const levelOfOne = (level: Decimal, instrument: Instrument, price: Decimal | undefined): Decimal => {
  const few = fewOf(instrument);
  if (few === undefined || wordOfHundred(few) === undefined) return level;
  // The geometric middle between one and a hundred times the price.
  const isOfHundred = level.greaterThan(price ? price.times(Math.sqrt(HUNDRED)) : (MAX_OF_ONE[few] ?? 1));
  return isOfHundred ? level.dividedBy(HUNDRED) : level;
};
