import { isShareTransfer, type NewTransaction, type Transaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { Semaphore } from '#src/platform/concurrency/semaphore.ts';
import { byTime, mapInSteps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { Exact } from '../ledger/fixed-point.ts';
import { type DayRate, type FillRatesDeps, type RateOn, ratesOf } from './day-rates.ts';

const RATE_DECIMALS = 12;
/** Sources refuse many requests at once. */
const AT_ONCE = 4;
const MAX_REQUESTS = 40;

/**
 * The price of one `from` in `to` by the close of that day or the last one before it. Undefined if the day is older
 * than the data or no source answered. Throws on abort alone.
 */
export const rateOn = async (
  from: Currency,
  to: Currency,
  date: Temporal.PlainDate,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<RateOn | undefined> => {
  if (from === to) return { rate: new Exact(1), day: date, source: '', isSample: false };
  const found = (await ratesOf(from, to, [date], deps, signal))(date);
  return found.status === 'ok' ? found : undefined;
};

/** A split moves no money, and shares that move bring their cost. */
const lacksOwnRate = (entry: NewTransaction): boolean =>
  entry.rate === undefined && entry.kind !== 'split' && !isShareTransfer(entry);

type Exchange = Extract<NewTransaction, { readonly kind: 'fx' }>;

/** An exchange without the rate of the received currency. */
const lacksToRate = (entry: NewTransaction): entry is Exchange =>
  entry.kind === 'fx' && entry.toRate === undefined;

/** The amounts of an exchange from or into the portfolio's currency are the rate. */
const tellsOwnRate = (entry: NewTransaction, baseCurrency: Currency): boolean =>
  entry.kind === 'fx' && (entry.currency === baseCurrency || entry.toCurrency === baseCurrency);

/** An entry that lacks a rate is left out of sums in the portfolio's currency. */
export const lacksRate = (entry: NewTransaction, baseCurrency: Currency): boolean =>
  !tellsOwnRate(entry, baseCurrency) &&
  ((lacksOwnRate(entry) && entry.currency !== baseCurrency) ||
    (lacksToRate(entry) && entry.toCurrency !== baseCurrency));

const storedAs = new WeakMap<Decimal, Decimal>();

/** The rate rounded as entries store it. Entries of a day share their rate. */
const stored = (rate: Decimal): Decimal =>
  storedAs.getOrInsertComputed(rate, () => new Decimal(rate.toDecimalPlaces(RATE_DECIMALS).toFixed()));

/** Looks up the missing rates of an entry by currency. */
type RatesFor = (currency: Currency, date: Temporal.PlainDate) => DayRate;

const ratesFor = async (
  entries: readonly NewTransaction[],
  baseCurrency: Currency,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<RatesFor> => {
  const datesBy = new Map<Currency, Map<number, Temporal.PlainDate>>();
  const want = (currency: Currency, date: Temporal.PlainDate): void => {
    datesBy.getOrInsertComputed(currency, () => new Map()).set(epochDay(date), date);
  };
  const note = (entry: NewTransaction): void => {
    if (lacksOwnRate(entry)) want(entry.currency, entry.date);
    if (lacksToRate(entry)) want(entry.toCurrency, entry.date);
  };
  await byTime(mapInSteps(entries, note), signal);
  datesBy.delete(baseCurrency);
  const once = askingOnce(deps);
  const found = new Map(
    await Promise.all(
      [...datesBy].map(
        async ([currency, dates]) =>
          [currency, await ratesOf(currency, baseCurrency, [...dates.values()], once, signal)] as const,
      ),
    ),
  );
  return (currency, date) =>
    currency === baseCurrency ? one(date) : (found.get(currency)?.(date) ?? { status: 'waits' });
};

const one = (day: Temporal.PlainDate): DayRate => ({
  status: 'ok',
  rate: new Decimal(1),
  day,
  source: '',
  isSample: false,
  isFinal: true,
  isNew: false,
});

/**
 * Requests each rate once, because the dollar may be part of several pairs. The number of requests per call is
 * limited, since a ledger may span a hundred years in forty currencies; the next call continues.
 */
export const askingOnce = (deps: FillRatesDeps): FillRatesDeps => {
  const asked = new Map<string, ReturnType<FillRatesDeps['market']['getDays']>>();
  const places = new Semaphore(AT_ONCE);
  const ask: FillRatesDeps['market']['getDays'] = async (instrument, days, signal) => {
    if (asked.size >= MAX_REQUESTS) return { status: 'unavailable', reason: 'down' };
    const release = await places.acquire('', signal);
    try {
      return await deps.market.getDays(instrument, days, signal);
    } finally {
      release();
    }
  };
  return {
    ...deps,
    market: {
      getDays: (instrument, days, signal) => {
        const key = `${instrument.symbol} ${days.first.toString()} ${days.last.toString()}`;
        return asked.getOrInsertComputed(key, () => ask(instrument, days, signal));
      },
    },
  };
};

const earlierOf = (
  a: Temporal.PlainDate | undefined,
  b: Temporal.PlainDate | undefined,
): Temporal.PlainDate | undefined => (a && b && Temporal.PlainDate.compare(b, a) < 0 ? b : (a ?? b));

/** The entry with the accepted rates, and the outcome of each lookup. */
const withRates = <T extends NewTransaction>(
  entry: T,
  ratesBy: RatesFor,
  isAccepted: (rate: DayRate) => boolean,
): { readonly entry: T; readonly rates: readonly DayRate[] } => {
  const find = (currency: Currency): DayRate => ratesBy(currency, entry.date);
  const rate = lacksOwnRate(entry) ? find(entry.currency) : undefined;
  const toRate = lacksToRate(entry) ? find(entry.toCurrency) : undefined;
  const rates = [rate, toRate].filter((each) => each !== undefined);
  const accepted = (each: DayRate | undefined) =>
    each?.status === 'ok' && isAccepted(each) ? each : undefined;
  const [own, other] = [accepted(rate), accepted(toRate)];
  const day = earlierOf(own?.day, other?.day);
  const isOther = day !== undefined && day !== entry.date && !day.equals(entry.date);
  return {
    entry: {
      ...entry,
      ...(own && { rate: stored(own.rate) }),
      ...(other && { toRate: stored(other.rate) }),
      ...(isOther && { rateDay: day }),
    },
    rates,
  };
};

const isLive = (rate: DayRate): boolean => rate.status === 'ok' && !rate.isSample;

/**
 * Adds the rates of their days to entries before they are recorded: the close of that day or the last before it.
 * Existing rates are kept; rates that no live source has stay undefined. Throws on abort alone.
 */
export const fillRates = async (
  entries: readonly NewTransaction[],
  baseCurrency: Currency,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<readonly NewTransaction[]> => {
  const ratesBy = await ratesFor(entries, baseCurrency, deps, signal);
  const fill = (entry: NewTransaction): NewTransaction =>
    lacksOwnRate(entry) || lacksToRate(entry) ? withRates(entry, ratesBy, isLive).entry : entry;
  return byTime(mapInSteps(entries, fill), signal);
};

/** A ledger as it is shown. */
export interface CompletedLedger {
  readonly entries: readonly Transaction[];
  /** Entries whose rate was just looked up and stored. */
  readonly filledNow: readonly Transaction[];
  /** Another lookup would change nothing. */
  readonly isFinal: boolean;
}

const originOf = (rates: readonly DayRate[]): NonNullable<Transaction['rateFrom']> => {
  if (rates.some(({ status }) => status === 'waits')) return 'waits';
  if (rates.some(({ status }) => status === 'none')) return 'none';
  if (!rates.every(isLive)) return 'sample';
  return rates.every((rate) => rate.status === 'ok' && rate.isFinal) ? 'later' : 'provisional';
};

/**
 * Adds missing rates to recorded entries, from the cache or the market; `rateFrom` states the origin. The stored
 * ledger is not changed. Throws on abort alone.
 */
export const completeRates = async (
  recorded: readonly Transaction[],
  baseCurrency: Currency,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<CompletedLedger> => {
  const ratesBy = await ratesFor(
    recorded.filter((entry) => lacksRate(entry, baseCurrency)),
    baseCurrency,
    deps,
    signal,
  );
  const filledNow: Transaction[] = [];
  let isFinal = true;
  const complete = (recordedEntry: Transaction): Transaction => {
    if (!lacksRate(recordedEntry, baseCurrency)) return recordedEntry;
    const { entry, rates } = withRates(recordedEntry, ratesBy, () => true);
    const completed = { ...entry, rateFrom: originOf(rates) };
    const isStored = rates.every((rate) => rate.status === 'ok' && rate.isFinal);
    isFinal &&= isStored;
    if (isStored && rates.some((rate) => rate.status === 'ok' && rate.isNew)) filledNow.push(completed);
    return completed;
  };
  const entries = await byTime(mapInSteps(recorded, complete), signal);
  return { entries, filledNow, isFinal };
};
