import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import type { Instrument, HistoryRange, AssetClass } from '#src/kernel/market/finance.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import { byTime, mapInSteps, sortInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { Uses } from '#src/platform/services.ts';
import { startOfUtc, withinDays } from '../daily-history.ts';
import { marketError } from '../errors.ts';
import type { BarInterval, DailyHistory, DaySpan, History } from '../source.ts';
import type { YahooClient } from './client.ts';
import {
  requestStart,
  dailyBarsOf,
  dailyRequestStart,
  hasDailyBase,
  INTERVALS,
  mapHistory,
} from './history.ts';
import { priceReader, withDecimalsFor } from './prices.ts';
import { type ChartWire, chartWire, dividendWire, problemOf, readAs, splitWire, cleanLine } from './wire.ts';

/** Receives each invalid event. */
type OnInvalid = (problem: string) => void;

const splitOf = (raw: unknown, { meta }: ChartWire, onOdd: OnInvalid): CorporateAction | undefined => {
  const { data, error } = splitWire.safeParse(raw);
  if (error) {
    onOdd(`split: ${problemOf(error)}`);
    return undefined;
  }
  const ratio = new Decimal(String(data.numerator)).dividedBy(new Decimal(String(data.denominator)));
  const date = data.date.toZonedDateTimeISO(meta.exchangeTimezoneName).toPlainDate();
  return ratio.equals(1) ? undefined : { kind: 'split', date, ratio };
};

const dividendOf = (
  raw: unknown,
  instrument: Instrument,
  { meta }: ChartWire,
  onOdd: OnInvalid,
): CorporateAction | undefined => {
  const { data, error } = dividendWire.safeParse(raw);
  const quoted = data && priceReader(instrument, data.currency ?? meta.currency);
  if (!quoted) {
    onOdd(`dividend: ${error ? problemOf(error) : 'no currency'}`);
    return undefined;
  }
  const date = data.date.toZonedDateTimeISO(meta.exchangeTimezoneName).toPlainDate();
  return {
    kind: 'dividend',
    date,
    amount: quoted.amount(data.amount),
    currency: quoted.instrument.currency,
  };
};

interface Mapped {
  readonly now: Timestamp;
  readonly source: string;
  readonly onOdd: OnInvalid;
}

/** A string names the problem that makes the response unusable. */
const mapDays = function* (
  instrument: Instrument,
  wire: ChartWire,
  { now, source, onOdd }: Mapped,
): Steps<DailyHistory | string> {
  const timeZone = wire.meta.exchangeTimezoneName;
  const quoted = priceReader(instrument, wire.meta.currency);
  if (!quoted) return 'no currency';
  const bars = yield* dailyBarsOf(wire, quoted);
  const splits = yield* mapInSteps(wire.events?.splits ?? [], (raw) => splitOf(raw, wire, onOdd));
  const dividends = yield* mapInSteps(wire.events?.dividends ?? [], (raw) =>
    dividendOf(raw, instrument, wire, onOdd),
  );
  const last = bars.at(-1);
  const traded = wire.meta.regularMarketTime;
  const dayOf = (at: Timestamp): string => at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
  const isOfLast =
    last && traded && Temporal.Instant.compare(traded, last.at) >= 0 && dayOf(traded) === dayOf(last.at);
  return {
    instrument: withDecimalsFor(quoted.instrument, [last?.close]),
    timeZone,
    bars,
    actions: yield* sortInSteps(
      [...splits, ...dividends].filter((action) => action !== undefined),
      (a, b) => Temporal.PlainDate.compare(a.date, b.date),
    ),
    asOf: isOfLast ? traded : (last?.at ?? now),
    source,
    isSample: false,
  };
};

interface HistoryReaderDeps extends Uses<'clock' | 'logger'> {
  readonly client: YahooClient;
  readonly source: string;
}

interface ChartQuery {
  readonly interval: BarInterval;
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** Include splits and dividends. */
  readonly wantsEvents?: boolean;
}

/** The exchange's time zone is known only from the response; a day on both sides covers every zone. */
const ZONE_HOURS = 24;
/** A look-up needs no bars, but an empty period is refused. */
const LOOK_UP_HOURS = 24 * 7;

const earlier = (a: Timestamp, b: Timestamp): Timestamp => (Temporal.Instant.compare(a, b) < 0 ? a : b);

/** Reads the chart endpoint, which needs no session: bars, splits, dividends and instrument data. */
export const createChartReader = ({ client, clock, logger, source }: HistoryReaderDeps) => {
  /** Null if Yahoo has no data. */
  const readChart = async (
    symbol: string,
    { interval, since, until, wantsEvents = false }: ChartQuery,
    signal: AbortSignal,
  ): Promise<ChartWire | null> => {
    const query = {
      period1: String(Math.floor(since.epochMilliseconds / 1000)),
      period2: String(Math.floor(until.epochMilliseconds / 1000)),
      interval,
      includePrePost: 'false',
      lang: 'en-US',
      ...(wantsEvents && { events: 'div,splits' }),
    };
    const path = `/v8/finance/chart/${encodeURIComponent(symbol)}`;
    const json = await client.fetchJson({ path, query, needsSession: false }, signal);
    return json === null ? null : (readAs(chartWire, json, 'chart').chart.result[0] ?? null);
  };

  /**
   * Daily bars for the previous close of an intraday chart. The last intraday bar of the previous day is not its
   * close, and the close in the chart metadata is older. The chart works without it, so failures are only logged.
   */
  const readDaysBefore = async (
    instrument: Instrument,
    now: Timestamp,
    signal: AbortSignal,
  ): Promise<ChartWire | null> => {
    try {
      return await readChart(
        instrument.symbol,
        { interval: '1d', since: dailyRequestStart(now), until: now },
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      logger.debug('Previous close not available from Yahoo Finance', { symbol: instrument.symbol, error });
      return null;
    }
  };

  const getHistory = async (
    instrument: Instrument,
    range: HistoryRange,
    signal: AbortSignal,
  ): Promise<History | null> => {
    const now = clock.now();
    const { assetClass } = instrument;
    const since = requestStart(range, assetClass, now);
    const [chart, days] = await Promise.all([
      readChart(instrument.symbol, { interval: INTERVALS[range], since, until: now }, signal),
      hasDailyBase(range, assetClass) ? readDaysBefore(instrument, now, signal) : undefined,
    ]);
    if (!chart) return null;
    const history = await byTime(mapHistory(instrument, range, chart, { now, source, days }), signal);
    if (typeof history === 'string')
      throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent an invalid chart: ${history}`);
    return history;
  };

  const getDays = async (
    instrument: Instrument,
    days: DaySpan,
    signal: AbortSignal,
  ): Promise<DailyHistory | null> => {
    const now = clock.now();
    // Yahoo refuses periods that lie entirely in the future.
    const since = earlier(startOfUtc(days.first), now).subtract({ hours: ZONE_HOURS });
    const until = earlier(startOfUtc(days.last.add({ days: 1 })).add({ hours: ZONE_HOURS }), now);
    const chart = await readChart(
      instrument.symbol,
      { interval: '1d', since, until, wantsEvents: true },
      signal,
    );
    if (!chart) return null;
    const odd: string[] = [];
    const onOdd = (problem: string): void => void odd.push(problem);
    const history = await byTime(mapDays(instrument, chart, { now, source, onOdd }), signal);
    if (odd.length > 0)
      logger.warn('Yahoo Finance sent invalid splits or dividends, which are skipped', {
        symbol: instrument.symbol,
        count: odd.length,
        problem: odd[0],
      });
    if (typeof history === 'string')
      throw marketError('MARKET_BAD_DATA', `Yahoo Finance sent invalid daily bars: ${history}`);
    return withinDays(history, days);
  };

  const lookUp = async (text: string, signal: AbortSignal): Promise<Instrument | null> => {
    const symbol = yahooSymbol(text);
    if (symbol === null) return null;
    const now = clock.now();
    const since = now.subtract({ hours: LOOK_UP_HOURS });
    const chart = await readChart(symbol, { interval: '1d', since, until: now }, signal);
    return chart && mapInstrument(symbol, chart);
  };

  /** The days around the last close, with the chart's metadata. */
  const readRecent = (symbol: string, signal: AbortSignal): Promise<ChartWire | null> => {
    const now = clock.now();
    return readChart(symbol, { interval: '1d', since: dailyRequestStart(now), until: now }, signal);
  };

  return { getHistory, getDays, lookUp, readRecent };
};

const ASSET_CLASSES: Readonly<Record<string, AssetClass>> = {
  EQUITY: 'equity',
  ETF: 'etf',
  MUTUALFUND: 'etf',
  CRYPTOCURRENCY: 'crypto',
  CURRENCY: 'fx',
  INDEX: 'index',
  FUTURE: 'commodity',
};

/** Yahoo's exchange codes and the names the calendar uses. */
const EXCHANGES: Readonly<Record<string, string>> = {
  NMS: 'NASDAQ',
  NGM: 'NASDAQ',
  NCM: 'NASDAQ',
  NAS: 'NASDAQ',
  NIM: 'NASDAQ',
  NYQ: 'NYSE',
  PCX: 'NYSE Arca',
  ASE: 'NYSE American',
  BTS: 'Cboe',
  WCB: 'Cboe',
  CXI: 'Cboe',
  SNP: 'S&P',
  DJI: 'Dow Jones',
  KSC: 'KOSPI',
  KOE: 'KOSDAQ',
  JPX: 'TSE',
  HKG: 'HKEX',
  LSE: 'LSE',
  CMX: 'COMEX',
  NYM: 'NYMEX',
  NYB: 'ICE',
  CBT: 'CBOT',
  CCC: 'Crypto',
  CCY: 'FX',
};

/** Longer than any real symbol. */
const SYMBOL = /^[A-Z0-9^][A-Z0-9.=^&-]{0,23}$/u;
const MAX_NAME = 80;
const MAX_EXCHANGE = 40;
const MAX_DECIMALS = 8;
const DEFAULT_DECIMALS = 2;
const WHOLE_CURRENCIES: ReadonlySet<string> = new Set(['KRW', 'JPY', 'VND', 'IDR']);

/** The ticker as the index writes it: `005930`, `USD/KRW`, `BTC`, `BTC/KRW`. */
const tickerOf = (symbol: string, assetClass: AssetClass): string => {
  const [base = symbol, currency] = symbol.split('-');
  if (assetClass === 'crypto')
    return currency === undefined || currency === 'USD' ? base : `${base}/${currency}`;
  if (assetClass === 'fx') return symbol.replace(/^([A-Z]{3})([A-Z]{3})=X$/u, '$1/$2');
  return symbol.replace(/\.K[SQ]$/u, '');
};

const decimalsOf = (assetClass: AssetClass, currency: string, hint: number | undefined): number => {
  if (assetClass === 'fx' || assetClass === 'crypto')
    return Math.min(Math.max(Math.trunc(hint ?? DEFAULT_DECIMALS), DEFAULT_DECIMALS), MAX_DECIMALS);
  const isShare = assetClass === 'equity' || assetClass === 'etf';
  return isShare && WHOLE_CURRENCIES.has(currency) ? 0 : DEFAULT_DECIMALS;
};

/** Normalizes a symbol; null if it is invalid. `KRW=X` is short for `USDKRW=X`. */
const yahooSymbol = (text: string): string | null => {
  const symbol = text
    .trim()
    .toUpperCase()
    .replace(/^(?=[A-Z]{3}=X$)/u, 'USD');
  return SYMBOL.test(symbol) ? symbol : null;
};

/** Null for unsupported instrument types and for instruments without a price. */
const mapInstrument = (symbol: string, { meta }: ChartWire): Instrument | null => {
  const assetClass = ASSET_CLASSES[meta.instrumentType ?? ''];
  if (!assetClass || meta.regularMarketPrice === undefined) return null;
  const name = cleanLine(meta.longName ?? meta.shortName ?? '', MAX_NAME) || symbol;
  const known = EXCHANGES[meta.exchangeName ?? ''];
  const place =
    known ?? (cleanLine(meta.fullExchangeName ?? meta.exchangeName ?? '', MAX_EXCHANGE) || 'Yahoo');
  const instrument: Instrument = {
    symbol,
    ticker: tickerOf(symbol, assetClass),
    name: { ko: name, en: name },
    exchange: assetClass === 'index' && (known === 'KOSPI' || known === 'KOSDAQ') ? 'KRX' : place,
    assetClass,
    currency: assetClass === 'index' ? 'points' : '',
    priceDecimals: DEFAULT_DECIMALS,
  };
  const quoted = priceReader(instrument, meta.currency)?.instrument;
  if (!quoted) return null;
  return { ...quoted, priceDecimals: decimalsOf(assetClass, quoted.currency, meta.priceHint) };
};
