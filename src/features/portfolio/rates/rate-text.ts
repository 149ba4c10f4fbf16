import type { Locale } from '#src/kernel/locale.ts';
import { quoteTexts } from '#src/markets/answers/quote-texts.ts';
import type { CurrencyExchange, NewTransaction, Transaction } from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { currencyNamed, isQuotedIn } from '#src/reading/currencies.ts';
import { namesOfPair, withNames } from '#src/markets/answers/fact-names.ts';
import { sourceName } from '#src/markets/answers/quote-text.ts';
import { hundredFact, isCountedByHundred, priceOfHundred, rateLine } from '#src/markets/answers/rate-line.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import type { RateOn } from './day-rates.ts';
import { Exact } from '../ledger/fixed-point.ts';

const RATE_DIGITS = 6;
/** Enough digits to show an inverted rate as it was typed, without spurious digits. */
const TURNED_DIGITS = 8;
const FACT_DIGITS = 12;

/** Whether the pair is quoted the usual way round, which has readable digits. */
const isUsualWay = (from: Currency, to: Currency): boolean => {
  const [a, b] = [currencyNamed(from), currencyNamed(to)];
  return !a || !b || a.isCoin || (!b.isCoin && isQuotedIn(a, b));
};

/** The pair as it is quoted, for asking for its rate. */
const quotedPair = (
  a: Currency,
  b: Currency,
): { readonly one: string; readonly price: string; readonly isWonForDollar: boolean } => {
  const isUsual = isUsualWay(a, b);
  const [one, price] = isCountedByHundred(a, b) ? [a === 'KRW' ? b : a, 'KRW'] : isUsual ? [a, b] : [b, a];
  const units = isCountedByHundred(a, b) ? 100 : 1;
  return { one: `${units} ${one}`, price, isWonForDollar: one === 'USD' && price === 'KRW' };
};

interface QuotedRate {
  readonly one: Currency;
  readonly price: Currency;
  readonly rate: Decimal;
}

/** The rate in the usual direction. `rate` is the price of one `from` in `to`. */
const quotedRate = (from: Currency, to: Currency, rate: Decimal): QuotedRate =>
  isUsualWay(from, to)
    ? { one: from, price: to, rate }
    : { one: to, price: from, rate: new Exact(1).dividedBy(rate) };

/** `1 USD = ₩1,463.25`, in the usual direction. `rate` is the price of one `from` in `to`. */
export const rateText = (from: Currency, to: Currency, of: Decimal, locale: Locale): string => {
  const { one, price, rate } = quotedRate(from, to, of);
  return rateLine(one, price, rate.toSignificantDigits(RATE_DIGITS), locale);
};

const MAX_DIGITS = 8;

/**
 * The rate of an exchange. The received amount was rounded to cents or won, so the shortest rate that gives exactly
 * that amount is shown: 1,000,000 won for $689.66 went at 1,450.
 */
export const exchangeRateOf = ({ amount, currency, toAmount, toCurrency }: CurrencyExchange): QuotedRate => {
  const isUsual = isUsualWay(currency, toCurrency);
  const given = new Exact(amount);
  const exact = isUsual ? new Exact(toAmount).dividedBy(given) : given.dividedBy(toAmount);
  const decimals = currencyNamed(toCurrency)?.decimals ?? 2;
  const brings = (rate: Decimal): Decimal => (isUsual ? given.times(rate) : given.dividedBy(rate));
  const rates = Array.from({ length: MAX_DIGITS }, (_, index) => exact.toSignificantDigits(index + 1));
  const rate = rates.find((each) => brings(each).toDecimalPlaces(decimals).equals(toAmount)) ?? rates.at(-1);
  const [one, price] = isUsual ? [currency, toCurrency] : [toCurrency, currency];
  return { one, price, rate: rate ?? exact };
};

export const exchangeRateText = (exchange: CurrencyExchange, locale: Locale): string => {
  const { one, price, rate } = exchangeRateOf(exchange);
  return rateLine(one, price, rate, locale);
};

/** The rate of an entry as the pair is quoted, with every typed digit; undefined if it has none or needs none. */
export const entryRateText = (
  { kind, rate, currency, rateDay }: Pick<NewTransaction, 'kind' | 'rate' | 'currency' | 'rateDay'>,
  baseCurrency: Currency,
  locale: Locale,
): string | undefined => {
  if (kind === 'split' || rate === undefined || currency === baseCurrency) return undefined;
  const { one, price, rate: quoted } = quotedRate(currency, baseCurrency, rate);
  const shown = quoted === rate ? rate : quoted.toSignificantDigits(TURNED_DIGITS);
  const line = rateLine(one, price, shown, locale);
  return rateDay ? `${line} (${rateDay.toString()})` : line;
};

/** The day and the source of a rate. */
export const rateOriginText = ({ day, ...of }: RateOn, locale: Locale): string =>
  `${day.toString()} · ${quoteTexts(locale).source}: ${sourceName(of, locale)}`;

/** A rate as the pair is quoted, and per hundred units where people count so. */
export const rateFacts = (
  from: Currency,
  to: Currency,
  of: Decimal,
  base: Pick<Fact, 'day' | 'asOf' | 'source' | 'isSample'>,
): readonly Fact[] => {
  const { one, price, rate } = quotedRate(from, to, of);
  const common = { ...base, entity: `${one}/${price}`, metric: 'exchangeRate' as const };
  const hundred = priceOfHundred(one, price, rate);
  return withNames(namesOfPair(one, price), [
    { ...common, value: rate.toSignificantDigits(FACT_DIGITS).toFixed(), unit: price },
    ...(hundred ? [hundredFact(common, hundred)] : []),
  ]);
};

export const dayRateFacts = (
  from: Currency,
  to: Currency,
  { rate, day, source, isSample }: RateOn,
): readonly Fact[] =>
  rateFacts(from, to, rate, {
    day: day.toString(),
    asOf: day.toZonedDateTime('UTC').toInstant().toString(),
    source,
    isSample,
  });

/** The most entries that a warning lists. */
const MAX_NAMED = 8;

/** Whether figures of these entries contain sample data. Reversed entries do not count. */
export const hasSampleFigures = (entries: readonly Transaction[]): boolean =>
  entries.some(({ isReversed, rateFrom }) => !isReversed && rateFrom === 'sample');

const listed = (names: readonly string[], locale: Locale): string => {
  const more = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return more > 0 ? `${shown} ${portfolioTexts(locale).rateMessages.more({ count: more })}` : shown;
};

/**
 * Notes for figures of these entries, one line each: rates that were filled in, provisional rates, missing rates, and
 * sample data.
 */
export const rateNotes = (
  entries: readonly Transaction[],
  /** Entries whose filled-in rate was not announced yet. */
  filled: readonly Transaction[] = [],
  baseCurrency: Currency,
  locale: Locale,
): readonly string[] => {
  const t = portfolioTexts(locale).rateMessages;
  const counting = entries.filter(({ isReversed }) => !isReversed);
  const named = (some: readonly Transaction[]): string =>
    listed(
      some.map(({ number, date }) => `#${number} (${date.toString()})`),
      locale,
    );
  const from = (wanted: Transaction['rateFrom']): readonly Transaction[] =>
    counting.filter(({ rateFrom }) => rateFrom === wanted);
  const [waits, none, sample] = [from('waits'), from('none'), from('sample')];
  const provisional = from('provisional');
  const foreign =
    none[0]?.kind === 'fx' && none[0].currency === baseCurrency
      ? none[0].toCurrency
      : (none[0]?.currency ?? baseCurrency);
  const numbers = new Set(filled.length > 0 ? counting.map(({ number }) => number) : []);
  const newlyFilled = filled.filter(({ number }) => numbers.has(number));
  const withRates = (some: readonly Transaction[]): string =>
    listed(
      some.map(
        (entry) =>
          `#${entry.number} (${entry.date.toString()}) ${entryRateText(entry, baseCurrency, locale) ?? ''}`,
      ),
      locale,
    );
  return [
    ...(newlyFilled.length > 0 ? [t.filled({ entries: withRates(newlyFilled) })] : []),
    ...(provisional.length > 0
      ? [t.provisional({ entries: withRates(provisional), currency: baseCurrency })]
      : []),
    ...(waits.length > 0 ? [t.waits({ entries: named(waits), currency: baseCurrency })] : []),
    ...(none.length > 0
      ? [t.none({ entries: named(none), currency: baseCurrency, ...quotedPair(foreign, baseCurrency) })]
      : []),
    ...(sample.length > 0 ? [t.sample({ entries: named(sample), currency: baseCurrency })] : []),
  ];
};
