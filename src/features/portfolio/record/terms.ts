import {
  instrumentOf,
  isOfMoney,
  type NewTransaction,
  type Trade,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { type Portion, portionOf } from '#src/reading/portions.ts';
import type { Instrument, Quote } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { MAX_PRESSED_CHARS } from '#src/kernel/chat/message.ts';
import { readAmount } from '#src/reading/amounts.ts';
import { shortLabel } from '#src/markets/answers/narrow-name.ts';
import { missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { coinIn, isPairNamed } from '#src/markets/symbols/coin-pairs.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { Exact } from '../ledger/fixed-point.ts';
import { newRules, positionIn } from '../ledger/ledger-state.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { splitFactors } from '../ledger/ledger-moves.ts';
import {
  dayAnomaly,
  hourAnomaly,
  isEarly,
  isNear,
  isTrade,
  type Anomaly,
  priceAnomaly,
  readingAnomalies,
} from '../checks/anomalies.ts';
import { knownPrices, type PriceDeps } from '../checks/price-reference.ts';
import type { FillRatesDeps } from '../rates/day-rates.ts';
import { entryProblemText, isBlank, readEntryNumber } from '../entries/entry-problems.ts';
import { isHoldable, readEntry } from './read-entry.ts';
import { type MovedTime, placeInTime } from '../entries/entry-time.ts';
import {
  convertedAnswer,
  rateAnomaly,
  readTypedRate,
  withAmountReceived,
  withHomeListing,
} from './foreign-currency.ts';
import { namedCurrency, recordCommand, usualCoinPair } from '../entries/instrument.ts';
import type { PerShare } from '../entries/entry-text.ts';
import { refusedAnswer } from '../portfolios/pick-portfolio.ts';

export type TermsDeps = FillRatesDeps & PriceDeps;

/** The last quote, for a trade without a price; undefined if there is none. */
const lastPrice = async (
  instrument: Instrument,
  { market }: TermsDeps,
  signal: AbortSignal,
): Promise<Quote | undefined> => {
  const [result] = await market.getQuotes([instrument], signal);
  return result?.status === 'ok' && result.quote.price.greaterThan(0) ? result.quote : undefined;
};

/** The portfolio of the entry, and the moment of the request. */
interface TermsContext {
  /** All recorded entries, including reversed ones. */
  readonly existing: readonly Transaction[];
  readonly baseCurrency: Currency;
  readonly today: Temporal.PlainDate;
  readonly now: Timestamp;
}

export interface EntryTerms {
  /** A sale of a `portion` has no quantity yet. */
  readonly entry: NewTransaction;
  /** The portion of the holding to sell, resolved when the entry is recorded. */
  readonly portion: Portion | undefined;
  /** The quote that supplied the price, if the request gave none. */
  readonly quote: Quote | undefined;
  /** Set for a dividend that was given per share. */
  readonly perShare?: PerShare | undefined;
  readonly moved?: MovedTime | undefined;
  /** Anomalies of the day and the price. A confirmed request is not checked again. */
  readonly anomalies: readonly Anomaly[];
  /** The last price, if it was looked up. */
  readonly last: Quote | undefined;
}

type Answered = { readonly answer: MarketAnswer };

/** The price of one share, as far as the unchecked input tells. */
const typedPrice = ({ price, total, quantity }: RecordRequest): Decimal | undefined => {
  const [each, all, pieces] = [price, total, quantity].map((typed) => readEntryNumber(typed ?? '')?.value);
  if (each) return each;
  return all && pieces?.greaterThan(0) ? new Exact(all).dividedBy(pieces) : undefined;
};

/** A coin without a currency means the usual pair, unless only another pair has a last price near the given one. */
const coinMeant = async (
  instrument: Instrument,
  request: RecordRequest,
  { existing, baseCurrency }: TermsContext,
  { symbols, market }: TermsDeps,
  signal: AbortSignal,
): Promise<Instrument> => {
  if (instrument.assetClass !== 'crypto' || isPairNamed(request.name ?? '', instrument)) return instrument;
  const named = namedCurrency(request);
  if (named !== undefined) return coinIn(instrument, named, symbols);
  const usual = usualCoinPair(instrument, existing, baseCurrency, symbols);
  const price = typedPrice(request);
  if (!price) return usual;
  const others = ['KRW', 'USD'].map((currency) => coinIn(instrument, currency, symbols));
  const pairs = [usual, instrument, ...others].filter(
    ({ symbol }, index, all) => all.findIndex((each) => each.symbol === symbol) === index,
  );
  const quotes = await market.getQuotes(pairs, signal);
  const near = pairs.find((pair, index) => {
    const result = quotes[index];
    return (
      result?.status === 'ok' &&
      result.quote.instrument.currency === pair.currency &&
      isNear(price, result.quote.price)
    );
  });
  return near ?? usual;
};

/** The instruments that a request names. */
interface Named {
  readonly instrument: Instrument | undefined;
  readonly toInstrument?: Instrument | undefined;
}

/** The company whose shares were received. */
const resolveReceived = async (
  request: RecordRequest,
  { locale }: Pick<Requester, 'locale'>,
  { symbols }: TermsDeps,
  signal: AbortSignal,
): Promise<Pick<Named, 'toInstrument'> | Answered> => {
  const name = request.toName?.trim() ?? '';
  if (name === '') return {};
  const commandFor = (code: string): string =>
    recordCommand({ ...request, toName: code }, request.name?.trim() ?? '');
  const found = await resolveNames([name], symbols, locale, commandFor, signal);
  const [toInstrument] = found.instruments;
  if (toInstrument) return { toInstrument };
  const choices = found.choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);
  return { answer: missedAnswer({ ...found, choices }) };
};

const resolve = async (
  request: RecordRequest,
  context: TermsContext,
  locale: Requester['locale'],
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<Named | Answered> => {
  const name = request.name?.trim() ?? '';
  if (isOfMoney(request.kind) || name === '') return { instrument: undefined };
  const commandFor = (code: string): string => recordCommand(request, code);
  const found = await resolveNames([name], deps.symbols, locale, commandFor, signal);
  const [instrument] = found.instruments;
  if (instrument) return { instrument: await coinMeant(instrument, request, context, deps, signal) };
  const choices = found.choices.filter(({ command }) => command.length <= MAX_PRESSED_CHARS);
  return { answer: missedAnswer({ ...found, choices }) };
};

/** A trade of today without a price uses the last price; an earlier trade must state its price. */
const withPrice = async (
  request: RecordRequest,
  instrument: Instrument | undefined,
  today: Temporal.PlainDate,
  requester: Requester,
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<{ readonly request: RecordRequest; readonly quote?: Quote } | Answered> => {
  const isTrade = request.kind === 'buy' || request.kind === 'sell';
  const isPriced = !isBlank(request.price) || !isBlank(request.total);
  if (!isTrade || isPriced || !instrument || !isHoldable(instrument)) return { request };
  const t = portfolioTexts(requester.locale);
  // Other problems are reported before a price is requested.
  const context = { instrument, baseCurrency: instrument.currency, today, clientId: requester.requestId };
  const trial = readEntry({ ...request, price: '1', rate: undefined }, context);
  if (trial.status === 'problem') return { request: { ...request, price: '1' } };
  if (!trial.entry.date.equals(today))
    return { answer: refusedAnswer(t.priceOfDay({ date: trial.entry.date.toString() })) };
  const quote = await lastPrice(instrument, deps, signal);
  if (!quote || quote.instrument.currency !== instrument.currency)
    return { answer: refusedAnswer(t.noQuote({ name: shortLabel(instrument, requester.locale) })) };
  // Sample prices must not get into a ledger.
  if (quote.isSample)
    return {
      answer: refusedAnswer(
        t.rateMessages.samplePriceRefused({ name: shortLabel(instrument, requester.locale) }),
      ),
    };
  return { request: { ...request, price: quote.price.toFixed() }, quote };
};

/** Multiplies `주당 361원` or `$0.25 per share` by the shares held on the day before. */
const withShares = (
  request: RecordRequest,
  instrument: Instrument | undefined,
  { existing, baseCurrency }: TermsContext,
  today: Temporal.PlainDate,
  { locale, requestId: clientId }: Requester,
): { readonly request: RecordRequest; readonly perShare?: PerShare } | Answered => {
  const amount = readAmount(request.amount ?? '')?.value;
  if (request.kind !== 'dividend' || amount?.basis !== 'each' || !instrument) return { request };
  const isRecorded = isRecordedIn(existing, instrument);
  const trial = readEntry(
    { ...request, rate: undefined, tax: undefined },
    { instrument, isRecorded, baseCurrency, today, clientId },
  );
  if (trial.status === 'problem') return { request };
  const { date } = trial.entry;
  const earlier = existing.filter(
    (entry) => !entry.isReversed && Temporal.PlainDate.compare(entry.date, date) < 0,
  );
  const ledger = atOnce(deriveLedger(earlier, { ...newRules(baseCurrency), allowsShort: true }));
  const position = ledger.status === 'ok' ? positionIn(ledger.state, instrument.symbol) : undefined;
  if (!position?.quantity.greaterThan(0)) {
    const name = shortLabel(instrument, locale);
    const { problems } = portfolioTexts(locale);
    return { answer: refusedAnswer(problems['nothing-paid-on']({ name, date: date.toString() })) };
  }
  const { quantity } = position;
  const total = new Exact(quantity).times(amount.value);
  return {
    request: { ...request, amount: total.toFixed(), currency: request.currency ?? amount.currency },
    perShare: { quantity, each: amount.value },
  };
};

const isRecordedIn = (existing: readonly Transaction[], { symbol }: Instrument): boolean =>
  existing.some((entry) => !entry.isReversed && instrumentOf(entry)?.symbol === symbol);

const OF_MONEY: ReadonlySet<Anomaly['kind']> = new Set(['other-money', 'after-split']);

/** Finds anomalies of the day of a trade, and of its price if the request gave one. */
const anomaliesOf = async (
  trade: Trade,
  { request, isPriceGiven }: { readonly request: RecordRequest; readonly isPriceGiven: boolean },
  { existing, today }: Pick<TermsContext, 'existing' | 'today'>,
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<Pick<EntryTerms, 'anomalies' | 'last'>> => {
  const { instrument, date } = trade;
  const day = trade.isOpening ? undefined : dayAnomaly(trade, today);
  const hour = hourAnomaly(trade);
  const readings: readonly Anomaly[] = [
    ...(isEarly(date) ? [{ kind: 'early-day' } as const] : []),
    ...(hour ? [hour] : []),
    ...readingAnomalies(request, today),
  ];
  if (!isPriceGiven) return { anomalies: day ? [day, ...readings] : readings, last: undefined };
  const { quote, reference } = await knownPrices(instrument, date, today, deps, signal);
  const counting = existing.filter(({ isReversed }) => !isReversed);
  const factor = splitFactors(counting)(instrument.symbol, epochDay(date));
  // A request that names the currency does not mean another one.
  const isMoneyNamed = namedCurrency(request) !== undefined;
  const price = priceAnomaly(trade, reference, factor, isMoneyNamed);
  // If the price of the day fits only one reading, the other reading is not asked about.
  const isSettled = (anomaly: Anomaly): boolean =>
    anomaly.kind === 'other-amount' &&
    reference !== undefined &&
    !price &&
    anomaly.others.every((other) => {
      const each = anomaly.field === 'total' ? other.dividedBy(trade.quantity) : other;
      return priceAnomaly({ ...trade, price: each }, reference, factor, true) !== undefined;
    });
  const open = readings.filter((anomaly) => !isSettled(anomaly));
  // An average cost says nothing about the day on which it is told.
  const odd = trade.isOpening && price && !OF_MONEY.has(price.kind) ? [] : [day, price];
  return { anomalies: [...odd, ...open].filter((anomaly) => anomaly !== undefined), last: quote };
};

/** Reads a typed rate as people quote it, with its anomaly. An exchange has its own rate. */
const withRateRead = async (
  entry: NewTransaction,
  { baseCurrency, today }: Pick<TermsContext, 'baseCurrency' | 'today'>,
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<Pick<EntryTerms, 'entry' | 'anomalies'>> => {
  const { rate: typed, currency: from, date } = entry;
  if (!typed || from === baseCurrency || entry.kind === 'fx') return { entry, anomalies: [] };
  const pair = { from, to: baseCurrency, date, today };
  const { rate, farFrom: market } = await readTypedRate(typed, pair, deps, signal);
  const anomalies: readonly Anomaly[] = market
    ? [{ kind: 'far-typed-rate', rate, market, to: baseCurrency }]
    : [];
  return { entry: { ...entry, rate }, anomalies };
};

/** Turns a request into an entry without its exchange rate, or into the answer to give instead. */
export const entryTermsOf = async (
  asked: RecordRequest,
  context: TermsContext,
  requester: Requester,
  deps: TermsDeps,
  signal: AbortSignal,
): Promise<EntryTerms | Answered> => {
  const { locale, requestId: clientId } = requester;
  const { baseCurrency, existing } = context;
  const resolved = await resolve(asked, context, locale, deps, signal);
  if ('answer' in resolved) return resolved;
  const received = await resolveReceived(asked, requester, deps, signal);
  if ('answer' in received) return received;
  const { instrument } = resolved;
  const { toInstrument } = received;
  const isOfTrade = asked.kind === 'buy' || asked.kind === 'sell';
  const { request: placed, today, moved } = placeInTime(asked, instrument, { ...context, ...requester });
  const isOfPart = asked.kind === 'sell' || asked.kind === 'transfer-out';
  const portion = isOfPart ? portionOf(asked.quantity) : undefined;
  // A total needs a known quantity, and a portion has none yet.
  if (portion && !isBlank(asked.total))
    return {
      answer: refusedAnswer(entryProblemText({ kind: 'missing', field: 'price', of: 'sell' }, locale)),
    };
  const amounts = await withAmountReceived(placed, { baseCurrency, today }, deps, signal);
  if ('problem' in amounts) return { answer: refusedAnswer(entryProblemText(amounts.problem, locale)) };
  const shares = withShares(amounts, instrument, context, today, requester);
  if ('answer' in shares) return shares;
  const { perShare } = shares;
  const request = portion ? { ...placed, quantity: '1' } : shares.request;
  const isRecorded = instrument !== undefined && isRecordedIn(existing, instrument);
  const priced = await withPrice(request, instrument, today, requester, deps, signal);
  if ('answer' in priced) return priced;
  const named = { instrument, toInstrument, isRecorded, baseCurrency, today, clientId };
  const read = readEntry(priced.request, named);
  if (read.status === 'problem') {
    const { problem } = read;
    const money = problem.kind === 'other-currency' && isOfTrade ? problem.currency : undefined;
    const converted =
      money !== undefined && instrument && !portion
        ? await convertedAnswer(placed, { instrument, money, baseCurrency, today }, requester, deps, signal)
        : undefined;
    const answer = converted ?? refusedAnswer(entryProblemText(problem, locale));
    return {
      answer:
        problem.kind === 'other-currency' ? withHomeListing(answer, problem, asked, requester, deps) : answer,
    };
  }
  const { entry, anomalies: rates } = await withRateRead(read.entry, context, deps, signal);
  const { quote } = priced;
  if (asked.isSure) return { entry, portion, quote, perShare, moved, anomalies: [], last: undefined };
  const found = isTrade(entry)
    ? await anomaliesOf(entry, { request: asked, isPriceGiven: !quote }, { existing, today }, deps, signal)
    : { anomalies: readingAnomalies(asked, today), last: undefined };
  const rate = entry.kind === 'fx' ? await rateAnomaly(entry, deps, signal) : undefined;
  if (rate) return { entry, portion, quote, last: undefined, anomalies: [rate, ...found.anomalies] };
  return { entry, portion, quote, perShare, moved, ...found, anomalies: [...rates, ...found.anomalies] };
};
