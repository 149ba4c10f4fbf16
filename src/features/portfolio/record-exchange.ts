import type { NewTransaction } from '#src/kernel/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/account-services.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import { currencyNamed, isQuotedIn } from '#src/language/currencies.ts';
import { type Oddity, timesOff } from './checks/oddities.ts';
import type { EntryProblem } from './entries/entry-problems.ts';
import { type FillRatesDeps, rateOn, type RateOn } from './entries/fill-rates.ts';
import { readEntry } from './entries/read-entry.ts';
import { readEntryNumber } from './entries/read-entry-checks.ts';
import { Exact } from './ledger/exact.ts';

type Exchange = Extract<NewTransaction, { readonly kind: 'fx' }>;

/** Nobody waits longer than this for a comparison that can be left out. */
const LOOK_UP_MS = 2_500;
/** Banks and cards take some percent; no exchange is this far from the rate of its day. */
export const FAR_RATE = 1.5;
/** Koreans tell the price of a hundred yen. */
const YEN_AT_ONCE = 100;

/** The rate of a day, where it is known in time. Throws on abort alone. */
export const knownRate = async (
  from: Currency,
  to: Currency,
  date: Temporal.PlainDate,
  deps: FillRatesDeps,
  parent: AbortSignal,
): Promise<RateOn | undefined> => {
  const { signal, clear } = withDeadline(parent, LOOK_UP_MS, deps.clock, () => new Error('no rate in time'));
  try {
    return await raceAbort(rateOn(from, to, date, deps, signal), signal);
  } catch {
    parent.throwIfAborted();
    return undefined;
  } finally {
    clear();
  }
};

export const isNearRate = (rate: Decimal, market: Decimal): boolean =>
  timesOff(rate, market).lessThanOrEqualTo(FAR_RATE);

const decimalsOf = (currency: Currency): number => currencyNamed(currency)?.decimals ?? 2;

const inMoney = (value: Decimal, currency: Currency): Decimal =>
  new Decimal(value.toDecimalPlaces(decimalsOf(currency)).toFixed());

/** By the money of the rate, or as markets quote the pair. A bare rate below one may be either way round. */
const byConvention = (
  given: Decimal,
  rate: { readonly value: Decimal; readonly currency?: Currency },
  from: Currency,
  to: Currency,
): Decimal | undefined => {
  const [own, other] = [currencyNamed(from), currencyNamed(to)];
  const isNamed = rate.currency === from || rate.currency === to;
  if (!own || !other || (!isNamed && rate.value.lessThan(1))) return undefined;
  const isInOther = isNamed ? rate.currency === to : isQuotedIn(own, other);
  const isYen = (isInOther ? from : to) === 'JPY' && rate.value.greaterThanOrEqualTo(YEN_AT_ONCE);
  const each = isYen ? rate.value.dividedBy(YEN_AT_ONCE) : rate.value;
  return isInOther ? given.times(each) : given.dividedBy(each);
};

interface Unfit {
  readonly problem: EntryProblem;
}

/** A rate that is told with both amounts may be rounded, and leave out what the bank kept. */
const OWN_RATE_SLACK = 1.05;

/**
 * `1000 USD 1,470,000 KRW rate 1470`: the amounts tell the rate already. One that does not fit them is refused, unless
 * it can be that of a third currency, in which the portfolio is kept.
 */
const withoutOwnRate = (request: RecordRequest, baseCurrency: Currency): RecordRequest | Unfit => {
  const [typed, amount, toAmount] = [request.rate, request.amount, request.toAmount].map((each) =>
    readEntryNumber(each ?? ''),
  );
  const isReadable = [typed, amount, toAmount].every((each) => each?.value.greaterThan(0));
  if (!isReadable || !typed || !amount || !toAmount) return request;
  const own = new Exact(toAmount.value).dividedBy(amount.value);
  const rate = new Exact(typed.value);
  const isSame = [rate, rate.dividedBy(YEN_AT_ONCE)].some((each) =>
    [each, new Exact(1).dividedBy(each)].some((turned) => timesOff(turned, own).lessThan(OWN_RATE_SLACK)),
  );
  if (isSame) return { ...request, rate: undefined };
  const from = currencyNamed(request.currency ?? '')?.code ?? amount.currency ?? baseCurrency;
  const to = currencyNamed(request.toCurrency ?? '')?.code ?? toAmount.currency ?? baseCurrency;
  if (from !== baseCurrency && to !== baseCurrency) return request;
  return { problem: { kind: 'rate-and-amounts', typed: request.rate ?? '' } };
};

/**
 * `1000 USD at 1470`: what was received is worked out from the rate, which may be written either way round. A number
 * that fits the rate of the day only as the amount itself (`1000달러 1,470,000원에`) is that amount. Where the rate of the
 * day is not known, the rate is read as markets quote it.
 */
export const withAmountReceived = async (
  request: RecordRequest,
  { baseCurrency, today }: { readonly baseCurrency: Currency; readonly today: Temporal.PlainDate },
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<RecordRequest | Unfit> => {
  const isByRate = request.kind === 'fx' && (request.toAmount ?? '').trim() === '';
  if (request.kind === 'fx' && !isByRate) return withoutOwnRate(request, baseCurrency);
  const rate = isByRate ? readEntryNumber(request.rate ?? '') : null;
  const amount = readEntryNumber(request.amount ?? '');
  if (!rate?.value.greaterThan(0) || !amount?.value.greaterThan(0)) return request;
  const from = currencyNamed(request.currency ?? '')?.code ?? amount.currency ?? baseCurrency;
  const named = currencyNamed(request.toCurrency ?? '')?.code;
  const priced = rate.currency === from ? undefined : rate.currency;
  // Where nothing else is named, people exchange for dollars.
  const to = named ?? priced ?? (from === baseCurrency ? 'USD' : baseCurrency);
  if (to === from) return request;
  const bare = { ...request, currency: from, toCurrency: to, rate: undefined };
  const read = readEntry({ ...bare, toAmount: '1' }, { baseCurrency, today, clientId: '' });
  if (read.status === 'problem') return request;
  const market = await knownRate(from, to, read.entry.date, deps, signal);
  const [given, each] = [new Exact(amount.value), new Exact(rate.value)];
  if (!market) {
    const received = byConvention(given, { ...rate, value: each }, from, to);
    return received ? { ...bare, toAmount: inMoney(received, to).toFixed() } : request;
  }
  const isYen = from === 'JPY' || to === 'JPY';
  const units = isYen ? [each, each.dividedBy(YEN_AT_ONCE)] : [each];
  const received = units.flatMap((unit) => [given.times(unit), given.dividedBy(unit)]);
  const readings = rate.currency === undefined || rate.currency === to ? [...received, each] : received;
  const offBy = (value: Decimal): Decimal => timesOff(value.dividedBy(given), market.rate);
  const best = readings.reduce((a, b) => (offBy(b).lessThan(offBy(a)) ? b : a));
  return { ...bare, toAmount: inMoney(best, to).toFixed() };
};

/** What may have been meant: one of the two amounts is the rate. */
const likelyExchange = (
  { amount, currency, toAmount, toCurrency }: Exchange,
  market: Decimal,
): Extract<Oddity, { readonly kind: 'far-rate' }>['likely'] => {
  const inverse = new Exact(1).dividedBy(market);
  if (isNearRate(toAmount, market))
    return { price: [toAmount, toCurrency], amount, toAmount: inMoney(amount.times(toAmount), toCurrency) };
  if (isNearRate(amount, inverse))
    return { price: [amount, currency], amount: inMoney(amount.times(toAmount), currency), toAmount };
  return undefined;
};

/** An exchange at a rate that is nowhere near that of its day. Sample data says nothing about what somebody paid. */
export const exchangeOddity = (entry: Exchange, market: RateOn | undefined): Oddity | undefined => {
  const rate = new Exact(entry.toAmount).dividedBy(entry.amount);
  if (!market || market.isSample || isNearRate(rate, market.rate)) return undefined;
  return { kind: 'far-rate', rate, market, likely: likelyExchange(entry, market.rate) };
};

/** The same of an entry whose day's rate is looked up. Throws on abort alone. */
export const rateOddity = async (
  entry: Exchange,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<Oddity | undefined> => {
  const { currency, toCurrency, date } = entry;
  return exchangeOddity(entry, await knownRate(currency, toCurrency, date, deps, signal));
};
