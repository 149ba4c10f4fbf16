import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { attemptWithin } from '#src/platform/concurrency/abort.ts';
import { currencyNamed, isQuotedIn } from '#src/reading/currencies.ts';
import { isCountedByHundred } from '#src/markets/answers/rate-line.ts';
import { codeFor, type Instrument } from '#src/kernel/market/finance.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { currencyText, exactMoneyText, exactPriceText } from '#src/markets/answers/money-text.ts';
import { isTrade, type Anomaly, timesOff } from '../checks/anomalies.ts';
import { type EntryProblem, isBlank, readEntryNumber } from '../entries/entry-problems.ts';
import type { FillRatesDeps, RateOn } from '../rates/day-rates.ts';
import { rateOn } from '../rates/fill-rates.ts';
import { readEntry } from './read-entry.ts';
import { Exact } from '../ledger/fixed-point.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { writtenMoment } from '../entries/entry-time.ts';
import { dayRateFacts, rateOriginText, rateText } from '../rates/rate-text.ts';
import { recordCommand } from '../entries/instrument.ts';

type Exchange = Extract<NewTransaction, { readonly kind: 'fx' }>;

/** The time limit of an optional comparison. */
const LOOK_UP_MS = 2_500;
/** Banks and cards charge a few percent; a real exchange is never this far from the day's rate. */
const FAR_RATE = 1.5;
/** Some currencies are quoted by the hundred: Koreans quote the price of 100 yen. */
const HUNDRED = 100;

/** The rate of a day, if it is found in time. Throws on abort alone. */
const knownRate = (
  from: Currency,
  to: Currency,
  date: Temporal.PlainDate,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<RateOn | undefined> =>
  attemptWithin((within) => rateOn(from, to, date, deps, within), LOOK_UP_MS, deps.clock, signal);

export const isNearRate = (rate: Decimal, market: Decimal): boolean =>
  timesOff(rate, market).lessThanOrEqualTo(FAR_RATE);

/** The reading that is nearest to the market; on ties, the first. */
const nearest = (readings: readonly Decimal[], offBy: (reading: Decimal) => Decimal): Decimal =>
  readings.reduce((a, b) => (offBy(b).lessThan(offBy(a)) ? b : a));

/** The code of a currency that is named by itself, or else beside an amount. */
const currencyOf = (named: string | undefined, beside: Currency | undefined): Currency | undefined =>
  currencyNamed(named ?? '')?.code ?? beside;

const inMoney = (value: Decimal, currency: Currency): Decimal =>
  new Decimal(value.toDecimalPlaces(currencyNamed(currency)?.decimals ?? 2).toFixed());

/** Applies the currency of the rate, or the market convention of the pair. A bare rate below one is ambiguous. */
const receivedByConvention = (
  given: Decimal,
  rate: { readonly value: Decimal; readonly currency?: Currency },
  from: Currency,
  to: Currency,
): Decimal | undefined => {
  const [own, other] = [currencyNamed(from), currencyNamed(to)];
  const isNamed = rate.currency === from || rate.currency === to;
  if (!own || !other || (!isNamed && rate.value.lessThan(1))) return undefined;
  const isInOther = isNamed ? rate.currency === to : isQuotedIn(own, other);
  const isYen = (isInOther ? from : to) === 'JPY' && rate.value.greaterThanOrEqualTo(HUNDRED);
  const each = isYen ? rate.value.dividedBy(HUNDRED) : rate.value;
  return isInOther ? given.times(each) : given.dividedBy(each);
};

/** A rate stated beside both amounts may be rounded, or leave out the bank's margin. */
const OWN_RATE_SLACK = 1.05;

/**
 * In `1000 USD 1,470,000 KRW rate 1470` the amounts already give the rate. A rate that contradicts them is refused,
 * unless it can be that of a third currency in which the portfolio is kept.
 */
const withoutOwnRate = (
  request: RecordRequest,
  baseCurrency: Currency,
): RecordRequest | { readonly problem: EntryProblem } => {
  const [typed, amount, toAmount] = [request.rate, request.amount, request.toAmount].map((each) =>
    readEntryNumber(each ?? ''),
  );
  const isReadable = [typed, amount, toAmount].every((each) => each?.value.greaterThan(0));
  if (!isReadable || !typed || !amount || !toAmount) return request;
  const own = new Exact(toAmount.value).dividedBy(amount.value);
  const rate = new Exact(typed.value);
  const isSame = [rate, rate.dividedBy(HUNDRED)].some((each) =>
    [each, new Exact(1).dividedBy(each)].some((turned) => timesOff(turned, own).lessThan(OWN_RATE_SLACK)),
  );
  if (isSame) return { ...request, rate: undefined };
  const from = currencyOf(request.currency, amount.currency) ?? baseCurrency;
  const to = currencyOf(request.toCurrency, toAmount.currency) ?? baseCurrency;
  if (from !== baseCurrency && to !== baseCurrency) return request;
  return { problem: { kind: 'rate-and-amounts', typed: request.rate ?? '' } };
};

/**
 * Computes the received amount of `1000 USD at 1470` from the rate, which may be written either way round. A number
 * that fits the day's rate only as the amount itself (`1000달러 1,470,000원에`) is that amount. If the day's rate is
 * unknown, the rate is read as markets quote it.
 */
export const withAmountReceived = async (
  request: RecordRequest,
  { baseCurrency, today }: { readonly baseCurrency: Currency; readonly today: Temporal.PlainDate },
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<RecordRequest | { readonly problem: EntryProblem }> => {
  const isByRate = request.kind === 'fx' && isBlank(request.toAmount);
  if (request.kind === 'fx' && !isByRate) return withoutOwnRate(request, baseCurrency);
  const rate = isByRate ? readEntryNumber(request.rate ?? '') : null;
  const amount = readEntryNumber(request.amount ?? '');
  if (!rate?.value.greaterThan(0) || !amount?.value.greaterThan(0)) return request;
  const from = currencyOf(request.currency, amount.currency) ?? baseCurrency;
  const priced = rate.currency === from ? undefined : rate.currency;
  // Without another currency in the request, people exchange for dollars.
  const to = currencyOf(request.toCurrency, priced) ?? (from === baseCurrency ? 'USD' : baseCurrency);
  if (to === from) return request;
  const bare = { ...request, currency: from, toCurrency: to, rate: undefined };
  const read = readEntry({ ...bare, toAmount: '1' }, { baseCurrency, today, clientId: '' });
  if (read.status === 'problem') return request;
  const market = await knownRate(from, to, read.entry.date, deps, signal);
  const [given, each] = [new Exact(amount.value), new Exact(rate.value)];
  if (!market) {
    const received = receivedByConvention(given, { ...rate, value: each }, from, to);
    return received ? { ...bare, toAmount: inMoney(received, to).toFixed() } : request;
  }
  const isYen = from === 'JPY' || to === 'JPY';
  const units = isYen ? [each, each.dividedBy(HUNDRED)] : [each];
  const received = units.flatMap((unit) => [given.times(unit), given.dividedBy(unit)]);
  const readings = rate.currency === undefined || rate.currency === to ? [...received, each] : received;
  const best = nearest(readings, (value) => timesOff(value.dividedBy(given), market.rate));
  return { ...bare, toAmount: inMoney(best, to).toFixed() };
};

/** Suggests the intended exchange if one of the two amounts looks like the rate. */
const likelyExchange = (
  { amount, currency, toAmount, toCurrency }: Exchange,
  market: Decimal,
): Extract<Anomaly, { readonly kind: 'far-rate' }>['likely'] => {
  const inverse = new Exact(1).dividedBy(market);
  if (isNearRate(toAmount, market))
    return { price: [toAmount, toCurrency], amount, toAmount: inMoney(amount.times(toAmount), toCurrency) };
  if (isNearRate(amount, inverse))
    return { price: [amount, currency], amount: inMoney(amount.times(toAmount), currency), toAmount };
  return undefined;
};

/** Flags an exchange far from the day's rate. Sample data says nothing about what somebody paid. */
export const exchangeAnomaly = (entry: Exchange, market: RateOn | undefined): Anomaly | undefined => {
  const rate = new Exact(entry.toAmount).dividedBy(entry.amount);
  if (!market || market.isSample || isNearRate(rate, market.rate)) return undefined;
  return { kind: 'far-rate', rate, market, likely: likelyExchange(entry, market.rate) };
};

/** Looks up the day's rate for `exchangeAnomaly`. Throws on abort alone. */
export const rateAnomaly = async (
  entry: Exchange,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<Anomaly | undefined> => {
  const { currency, toCurrency, date } = entry;
  return exchangeAnomaly(entry, await knownRate(currency, toCurrency, date, deps, signal));
};

/** Enough digits to invert a rate and get back what was typed. */
const DIGITS = 15;
/** The limit where only today's rate is known: rates move over the years, but not this far. */
const FAR_FROM_TODAY = 10;

interface RateContext {
  readonly from: Currency;
  readonly to: Currency;
  readonly date: Temporal.PlainDate;
  readonly today: Temporal.PlainDate;
}

interface TypedRate {
  /** The price of one `from` in `to`. */
  readonly rate: Decimal;
  /** A known rate that no reading of the typed rate comes near. */
  readonly farFrom?: RateOn;
}

const turned = (rate: Decimal): Decimal =>
  new Decimal(new Exact(1).dividedBy(rate).toSignificantDigits(DIGITS).toFixed());

/** Without a known rate, the pair is read as markets quote it, and yen by the hundred. */
const rateByConvention = (typed: Decimal, from: Currency, to: Currency): Decimal => {
  const [own, other] = [currencyNamed(from), currencyNamed(to)];
  const isHundred = isCountedByHundred(from, to) && typed.greaterThanOrEqualTo(HUNDRED);
  const each = isHundred ? typed.dividedBy(HUNDRED) : typed;
  const isTurned = own && other && !own.isCoin && isQuotedIn(other, own) && each.greaterThanOrEqualTo(1);
  return isTurned ? turned(each) : each;
};

/**
 * Reads a typed rate as people quote the pair: `rate 1180` is won for a dollar, whichever of the two the portfolio is
 * kept in. The known rate of the day decides, else that of today. Throws on abort alone.
 */
export const readTypedRate = async (
  typed: Decimal,
  { from, to, date, today }: RateContext,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<TypedRate> => {
  const known = await knownRate(from, to, date, deps, signal);
  const isOfDay = known !== undefined && !known.isSample;
  const market = isOfDay || date.equals(today) ? known : await knownRate(from, to, today, deps, signal);
  if (!market || market.isSample) return { rate: rateByConvention(typed, from, to) };
  const units = isCountedByHundred(from, to) ? [typed, typed.dividedBy(HUNDRED)] : [typed];
  const readings = units.flatMap((each) => [each, turned(each)]);
  const offBy = (rate: Decimal): Decimal => timesOff(new Exact(rate), market.rate);
  const best = nearest(readings, offBy);
  return offBy(best).lessThanOrEqualTo(isOfDay ? FAR_RATE : FAR_FROM_TODAY)
    ? { rate: best }
    : { rate: rateByConvention(typed, from, to), farFrom: market };
};

const PRICE_DECIMALS = 4;
/** A won is less than a thousandth of a dollar, so rates keep significant digits instead of decimals. */
const RATE_DIGITS = 8;

/** Strips that currency from a number. Another currency stays, and is refused later. */
const without = (money: Currency, typed: string | undefined): string | undefined => {
  const read = readEntryNumber(typed ?? '');
  if (!read || (read.currency !== undefined && read.currency !== money)) return typed;
  return read.value.toFixed();
};

/** The home exchanges of shares that are known by their US listing, by currency. */
const HOME_OF: ReadonlyMap<Currency, readonly string[]> = new Map([
  ['JPY', ['도쿄', 'Tokyo']],
  ['HKD', ['홍콩', 'Hong Kong']],
  ['GBP', ['런던', 'London']],
]);

/** In `도요타 100 3000엔` the yen mean the shares in Tokyo, which are offered first. */
export const withHomeListing = (
  answer: MarketAnswer,
  { currency, instrument }: { readonly currency: Currency; readonly instrument: Instrument },
  request: RecordRequest,
  { locale }: Requester,
  { symbols }: FillRatesDeps,
): MarketAnswer => {
  const listed = (HOME_OF.get(currency) ?? [])
    .map((city) => symbols.resolve(`${request.name ?? ''} ${city}`))
    .flatMap((match) => (match.status === 'found' ? [match.instrument] : []))
    .find((other) => other.currency === currency && other.symbol !== instrument.symbol);
  if (!listed) return answer;
  const command = recordCommand(request, codeFor(listed, symbols));
  const listing = instrumentLabel(listed, locale);
  return {
    ...answer,
    content: `${portfolioTexts(locale).homeListing({ listing, money: currencyText(currency, locale), command })}\n${answer.content}`,
    choices: [
      ...(command.length <= MAX_PRESSED_CHARS ? [{ label: listing, command }] : []),
      ...(answer.choices ?? []),
    ],
  };
};

/**
 * Offers a trade whose price is in another currency than the instrument's: the converted price at the day's rate, and
 * a command that records exactly that. The rate is stored with the entry if the portfolio is kept in that currency.
 * Undefined without a live rate.
 */
export const convertedAnswer = async (
  request: RecordRequest,
  {
    instrument,
    money,
    baseCurrency,
    today,
  }: {
    readonly instrument: Instrument;
    /** The currency of the given price. */
    readonly money: Currency;
    readonly baseCurrency: Currency;
    readonly today: Temporal.PlainDate;
  },
  requester: Requester,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<MarketAnswer | undefined> => {
  const { locale } = requester;
  const t = portfolioTexts(locale);
  const bare: RecordRequest = {
    ...request,
    price: without(money, request.price),
    total: without(money, request.total),
    fee: without(money, request.fee),
    tax: without(money, request.tax),
    currency: undefined,
    rate: undefined,
  };
  const read = readEntry(bare, { instrument, baseCurrency, today, clientId: '' });
  if (read.status === 'problem' || !isTrade(read.entry)) return undefined;
  const { date, time, price, quantity, currency: own } = read.entry;
  const typed = money === baseCurrency ? readEntryNumber(request.rate ?? '')?.value : undefined;
  const pair = { from: own, to: money, date, today };
  const given = typed?.greaterThan(0) ? (await readTypedRate(typed, pair, deps, signal)).rate : undefined;
  const market = given ? undefined : await rateOn(own, money, date, deps, signal);
  // A price converted at a sample rate must not get into a ledger.
  const rate = given ?? (market?.isSample ? undefined : market?.rate);
  if (!rate?.greaterThan(0)) return undefined;
  const inOwn = (value: Decimal, decimals = PRICE_DECIMALS): string =>
    new Exact(value).dividedBy(rate).toDecimalPlaces(decimals).toFixed();
  const charge = (typed: string | undefined): string | undefined => {
    const value = readEntryNumber(typed ?? '')?.value;
    return value && inOwn(value);
  };
  const decimals = Math.max(PRICE_DECIMALS, instrument.priceDecimals);
  const converted: RecordRequest = {
    ...bare,
    quantity: quantity.toFixed(),
    price: inOwn(price, decimals),
    total: undefined,
    fee: charge(bare.fee),
    tax: charge(bare.tax),
    ...(time
      ? writtenMoment(instrument, date, time, requester)
      : { date: date.equals(today) ? undefined : date.toString() }),
    rate: money === baseCurrency ? rate.toSignificantDigits(RATE_DIGITS).toFixed() : undefined,
  };
  const command = recordCommand(converted, codeFor(instrument, deps.symbols));
  const inWords = exactPriceText(new Decimal(converted.price ?? 0), instrument, locale);
  return {
    content: [
      t.converted({
        name: shortLabel(instrument, locale),
        own: currencyText(own, locale),
        typed: exactMoneyText(price, money, locale),
        price: inWords,
        rate: rateText(own, money, rate, locale),
        origin: market ? rateOriginText(market, locale) : '',
      }),
      converted.rate === undefined ? t.convertedHint({ command }) : t.convertedRateHint({ command }),
    ].join('\n'),
    facts: market ? dayRateFacts(own, money, market) : [],
    found: 0,
    ...(command.length <= MAX_PRESSED_CHARS && {
      choices: [{ label: t.recordConverted({ price: inWords }), command }],
    }),
  };
};
