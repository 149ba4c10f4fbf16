import type { Locale } from '#src/kernel/locale.ts';
import { hoursTexts } from '#src/markets/calendar/hours-texts.ts';
import { emptyAnswer, type MarketQuery } from '#src/kernel/chat/answer.ts';
import { type Decimal, formatFinancialNumber, RateDecimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { currencyNamed, type KnownCurrency } from '#src/reading/currencies.ts';
import { readNumber } from '#src/reading/numbers.ts';
import { coinsIn, readConversion } from './read-conversion.ts';
import { findRate, type RateDeps, type RateLeg } from '#src/markets/answers/convert-rate.ts';
import { namesOf, namesOfPair } from '#src/markets/answers/fact-names.ts';
import { shortOrigin } from '#src/markets/answers/quote-text.ts';
import { hundredFact, priceOfHundred, rateLine } from '#src/markets/answers/rate-line.ts';
import { unavailableText, echo } from '#src/markets/answers/resolve-names.ts';

export interface ConvertRequest {
  /** Decimal as text. */
  readonly amount: string;
  /** As people write them: `usd`, `원`, `BTC`. */
  readonly from: string;
  readonly to: string;
}

/** The request as a person typed it: `100달러 원`, `usd krw`. Empty: the dollar in won. */
export interface ConvertText {
  readonly text: string;
}

export interface ConvertQueries {
  readonly convert: MarketQuery<ConvertRequest | ConvertText>;
}

interface Conversion {
  readonly amount: Decimal;
  readonly from: KnownCurrency;
  readonly to: KnownCurrency;
}

const MAX_AMOUNT = new RateDecimal('1e18');
/** Significant digits of amounts below one unit: 1 won is $0.0006834, not $0.00. */
const SMALL_DIGITS = 4;
const RATE_DIGITS = 8;
const MAX_DECIMALS = 18;
/** Below this, currencies without decimals get two: ¥100 is ₩945.37, but ¥10,000 is ₩94,537. */
const WHOLE_FROM = 1_000;
const CENTS = 2;
/** Longer than any amount and two currencies in words. */
const MAX_TEXT_CHARS = 300;

type Understood = Conversion | { readonly problem: string };

/** Fills in a missing side: the home currency, or against it the dollar (for dollars, the won). */
const completed = (
  from: KnownCurrency | undefined,
  to: KnownCurrency | undefined,
  locale: Locale,
): readonly (KnownCurrency | undefined)[] => {
  const home = currencyNamed(locale === 'ko' ? 'KRW' : 'USD');
  const other = currencyNamed(locale === 'ko' ? 'USD' : 'KRW');
  if (!from && !to) return [currencyNamed('USD'), currencyNamed('KRW')];
  if (from && to) return [from, to];
  const known = from ?? to;
  const missing = known?.code === home?.code ? other : home;
  return from ? [from, missing] : [missing, to];
};

const checked = (conversion: Conversion, typed: string, locale: Locale): Understood => {
  const { amount, from, to } = conversion;
  const t = hoursTexts(locale).fx;
  if (amount.isNegative() || amount.greaterThan(MAX_AMOUNT)) return { problem: t.badAmount({ typed }) };
  return from.code === to.code ? { problem: t.same({ name: from.name[locale] }) } : conversion;
};

const understood = (
  request: ConvertRequest | ConvertText,
  { symbols }: Pick<RateDeps, 'symbols'>,
  locale: Locale,
): Understood => {
  const coinNamed = coinsIn(symbols);
  const t = hoursTexts(locale).fx;
  if ('text' in request) {
    if (request.text.length > MAX_TEXT_CHARS) return { problem: t.unclear() };
    const read = readConversion(request.text, coinNamed);
    if (read.status === 'unclear') return { problem: t.unclear() };
    if (read.status === 'unknown') return { problem: t.unknownCurrency({ typed: echo(read.word) }) };
    const [from, to] = completed(read.from, read.to, locale);
    const amount = read.amount ?? new RateDecimal(1);
    if (!from || !to) return { problem: t.unclear() };
    return checked({ amount, from, to }, echo(request.text), locale);
  }
  const [from, to] = [request.from, request.to].map((typed) => currencyNamed(typed) ?? coinNamed(typed));
  if (!from) return { problem: t.unknownCurrency({ typed: echo(request.from) }) };
  if (!to) return { problem: t.unknownCurrency({ typed: echo(request.to) }) };
  const amount = readNumber(request.amount)?.value;
  const typed = echo(request.amount);
  return amount ? checked({ amount, from, to }, typed, locale) : { problem: t.badAmount({ typed }) };
};

/** The decimals of the currency, or more for a small amount. */
const decimalsFor = (value: Decimal, { decimals }: Pick<KnownCurrency, 'decimals'>): number => {
  if (value.isZero()) return decimals;
  if (value.abs().lessThan(1)) return Math.min(MAX_DECIMALS, Math.max(decimals, SMALL_DIGITS - 1 - value.e));
  const isSmall = value.toDecimalPlaces(CENTS).abs().lessThan(WHOLE_FROM);
  return decimals === 0 && isSmall ? CENTS : decimals;
};

const formatMoney = (value: Decimal, currency: KnownCurrency, digits: number, locale: Locale): string => {
  const options = { locale, maximumFractionDigits: digits };
  if (currency.isCoin) return `${formatFinancialNumber(value, options)} ${currency.code}`;
  const least = value.isInteger() ? currency.decimals : Math.max(currency.decimals, CENTS);
  const minimumFractionDigits = Math.min(digits, least);
  return formatFinancialNumber(value, { ...options, minimumFractionDigits, currency: currency.code });
};

const rateText = (base: KnownCurrency, price: KnownCurrency, rate: Decimal, locale: Locale): string =>
  rateLine(base.code, price.code, rate.toSignificantDigits(RATE_DIGITS), locale);

const priceOf = (leg: RateLeg): Fact => ({
  entity: leg.quote.instrument.symbol,
  names: namesOf(leg.quote.instrument),
  metric: 'price',
  value: leg.quote.price.toFixed(),
  unit: leg.price.code,
  asOf: leg.quote.asOf.toString(),
  source: leg.quote.source,
  isSample: leg.quote.isSample,
});

const factsOf = (
  { amount, from, to }: Conversion,
  rate: Decimal,
  result: Decimal,
  legs: readonly RateLeg[],
): readonly Fact[] => {
  const quotes = legs.map(priceOf);
  // The result is as old as the older price.
  const [oldest] = quotes.toSorted((a, b) => (a.asOf < b.asOf ? -1 : 1));
  if (!oldest) return [];
  const hundred = priceOfHundred(from.code, to.code, rate);
  const shown = rate.toSignificantDigits(RATE_DIGITS).toFixed();
  const common = {
    entity: `${from.code}/${to.code}`,
    unit: to.code,
    asOf: oldest.asOf,
    source: [...new Set(quotes.map(({ source }) => source))].join(' + '),
    isSample: quotes.some(({ isSample }) => isSample),
  };
  return [
    ...quotes,
    { ...common, names: namesOfPair(from.code, to.code), metric: 'exchangeRate', value: shown },
    {
      ...common,
      metric: 'converted',
      label: `${amount.toFixed()} ${from.code} in ${to.code}`,
      operands: [amount.toFixed(), shown],
      value: result.toFixed(),
    },
    ...(hundred ? [hundredFact(common, hundred)] : []),
  ];
};

/** Converts an amount, and gives the rate with its source and time. */
export const convertAnswer =
  (deps: RateDeps): ConvertQueries['convert'] =>
  async (request, audience, signal) => {
    const { locale } = audience;
    const t = hoursTexts(locale).fx;
    const conversion = understood(request, deps, locale);
    if ('problem' in conversion) return emptyAnswer(conversion.problem);
    const { amount, from, to } = conversion;
    const found = await findRate(from, to, deps, signal);
    if (found.status === 'unavailable')
      return emptyAnswer(unavailableText(found.instrument, found.reason, locale));
    const { rate, legs } = found;
    const exact = amount.times(rate);
    const digits = decimalsFor(exact, to);
    const result = exact.toDecimalPlaces(digits);
    const asked = formatMoney(amount, from, Math.max(amount.decimalPlaces(), from.decimals), locale);
    const crossed = t.cross({ over: 'USD', rate: rateText(from, to, rate, locale) });
    // One unit of the first is the rate itself.
    const isRate =
      legs.length === 1 && (amount.equals(1) || (from.code !== legs[0]?.base.code && result.equals(1)));
    const legRates = legs.map(({ base, price, quote }) => rateText(base, price, quote.price, locale));
    const rates = [...(legs.length > 1 ? [crossed] : []), ...(isRate ? [] : legRates)];
    // Of each source, the older price.
    const byAge = legs.toSorted((a, b) => Temporal.Instant.compare(b.quote.asOf, a.quote.asOf));
    const oldest = new Map(byAge.map(({ quote }) => [quote.source, quote]));
    const origins = [...oldest.values()].map((quote) => shortOrigin(quote, audience));
    return {
      content: [
        `**${asked} = ${formatMoney(result, to, digits, locale)}**`,
        [...rates, ...origins].join(' · '),
      ].join('\n'),
      facts: factsOf(conversion, rate, result, legs),
      found: 1,
    };
  };
