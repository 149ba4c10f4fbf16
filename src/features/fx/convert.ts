import type { Locale } from '#src/kernel/locale.ts';
import { hoursMessages } from '#src/markets/answers/hours-messages.ts';
import type { Audience, MarketAnswer, MarketQuery } from '#src/kernel/market-queries.ts';
import { type Decimal, formatFinancialNumber, RateDecimal } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { currencyNamed, type KnownCurrency } from '#src/language/currencies.ts';
import { readNumber } from '#src/language/numbers.ts';
import { coinsIn, readConversion } from './read-conversion.ts';
import { findRate, type RateDeps, type RateLeg } from '#src/markets/answers/convert-rate.ts';
import { originText } from '#src/markets/answers/quote-text.ts';
import { rateLine } from '#src/markets/answers/rate-line.ts';
import { unavailableText, echo } from '#src/markets/answers/resolve-names.ts';

export interface ConvertRequest {
  /** Decimal as text. */
  readonly amount: string;
  /** As people write them: `usd`, `원`, `BTC`. */
  readonly from: string;
  readonly to: string;
}

/** The same as a person typed it: `100달러 원`, `usd krw`. Empty: the dollar in won. */
export interface ConvertText {
  readonly text: string;
}

export interface ConvertQueries {
  readonly convert: MarketQuery<ConvertRequest | ConvertText>;
}

export type ConvertDeps = RateDeps;

interface Conversion {
  readonly amount: Decimal;
  readonly from: KnownCurrency;
  readonly to: KnownCurrency;
}

const MAX_AMOUNT = new RateDecimal('1e18');
/** Of what is less than one unit: 1 won is $0.0006834, not $0.00. */
const SMALL_DIGITS = 4;
const RATE_DIGITS = 8;
const MAX_DECIMALS = 18;
/** Money without small coins has two digits more below this: ¥100 is ₩945.37, and ₩94,537 is enough. */
const WHOLE_FROM = 1_000;
const CENTS = 2;
/** Longer than any amount and two currencies in words. */
const MAX_TEXT_CHARS = 300;

type Words = ReturnType<typeof hoursMessages>['fx'];
type Understood = Conversion | { readonly problem: string };

/** Where one side is not said: the reader's own money, and against it the dollar (the won). */
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

const amountIn = (typed: string): Decimal | null => readNumber(typed)?.value ?? null;

const checked = (conversion: Conversion, typed: string, words: Words, locale: Locale): Understood => {
  const { amount, from, to } = conversion;
  if (amount.isNegative() || amount.greaterThan(MAX_AMOUNT)) return { problem: words.badAmount({ typed }) };
  return from.code === to.code ? { problem: words.same({ name: from.name[locale] }) } : conversion;
};

const understood = (
  request: ConvertRequest | ConvertText,
  { symbols }: Pick<ConvertDeps, 'symbols'>,
  locale: Locale,
): Understood => {
  const coinNamed = coinsIn(symbols);
  const t = hoursMessages(locale).fx;
  if ('text' in request) {
    if (request.text.length > MAX_TEXT_CHARS) return { problem: t.unclear() };
    const read = readConversion(request.text, coinNamed);
    if (read.status === 'unclear') return { problem: t.unclear() };
    if (read.status === 'unknown') return { problem: t.unknownCurrency({ typed: echo(read.word) }) };
    const [from, to] = completed(read.from, read.to, locale);
    const amount = read.amount ?? new RateDecimal(1);
    if (!from || !to) return { problem: t.unclear() };
    return checked({ amount, from, to }, echo(request.text), t, locale);
  }
  const [from, to] = [request.from, request.to].map((typed) => currencyNamed(typed) ?? coinNamed(typed));
  if (!from) return { problem: t.unknownCurrency({ typed: echo(request.from) }) };
  if (!to) return { problem: t.unknownCurrency({ typed: echo(request.to) }) };
  const amount = amountIn(request.amount);
  const typed = echo(request.amount);
  return amount ? checked({ amount, from, to }, typed, t, locale) : { problem: t.badAmount({ typed }) };
};

/** With the decimals of its currency, or with as many more as people read of a small amount. */
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

const factOf = (leg: RateLeg): Fact => ({
  entity: leg.quote.instrument.symbol,
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
  const quotes = legs.map(factOf);
  // Of two prices the older one says how old the outcome is.
  const [oldest] = quotes.toSorted((a, b) => (a.asOf < b.asOf ? -1 : 1));
  if (!oldest) return [];
  const common = {
    ...oldest,
    entity: `${from.code}/${to.code}`,
    unit: to.code,
    source: [...new Set(quotes.map(({ source }) => source))].join(' + '),
    isSample: quotes.some(({ isSample }) => isSample),
  };
  return [
    ...quotes,
    { ...common, metric: 'rate', value: rate.toSignificantDigits(RATE_DIGITS).toFixed() },
    { ...common, metric: `${amount.toFixed()} ${from.code} in ${to.code}`, value: result.toFixed() },
  ];
};

const legText = ({ base, price, quote }: RateLeg, audience: Audience): string => {
  const rate = rateText(base, price, quote.price, audience.locale);
  return `${rate} · ${originText(quote, audience)}`;
};

/** An amount in another currency: what it comes to, at which rate, from where and as of when. */
export const convertAnswer =
  (deps: ConvertDeps): ConvertQueries['convert'] =>
  async (request, audience, signal): Promise<MarketAnswer> => {
    const { locale } = audience;
    const t = hoursMessages(locale).fx;
    const conversion = understood(request, deps, locale);
    if ('problem' in conversion) return { content: conversion.problem, facts: [], found: 0 };
    const { amount, from, to } = conversion;
    const found = await findRate(from, to, deps, signal);
    if (found.status === 'unavailable')
      return { content: unavailableText(found.instrument, found.reason, locale), facts: [], found: 0 };
    const { rate, legs } = found;
    const exact = amount.times(rate);
    const digits = decimalsFor(exact, to);
    const result = exact.toDecimalPlaces(digits);
    const asked = formatMoney(amount, from, Math.max(amount.decimalPlaces(), from.decimals), locale);
    const crossed = t.cross({ over: 'USD', rate: rateText(from, to, rate, locale) });
    return {
      content: [
        `**${asked} = ${formatMoney(result, to, digits, locale)}**`,
        ...(legs.length > 1 ? [crossed] : []),
        ...legs.map((leg) => legText(leg, audience)),
      ].join('\n'),
      facts: factsOf(conversion, rate, result, legs),
      found: 1,
    };
  };
