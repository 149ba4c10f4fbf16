import type { Instrument, SymbolMatch, SymbolSearch, UnavailableReason } from '#src/core/finance.ts';
import type { HistoryRange, Reader } from '#src/core/market-desk.ts';
import { Decimal } from '#src/core/money.ts';
import type { Bar, BarInterval, History, Market } from '#src/finance/market/source.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const korean = (ticker: string, ko: string, en: string): Instrument => ({
  symbol: `${ticker}.KS`,
  ticker,
  name: { ko, en },
  exchange: 'KOSPI',
  assetClass: 'equity',
  currency: 'KRW',
  priceDecimals: 0,
});

export const SAMSUNG = korean('005930', '삼성전자', 'Samsung Electronics Co., Ltd.');
export const HYNIX = korean('000660', 'SK하이닉스', 'SK hynix Inc.');
export const APPLE: Instrument = {
  symbol: 'AAPL',
  ticker: 'AAPL',
  name: { ko: '애플', en: 'Apple Inc.' },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
};
export const KOSPI: Instrument = {
  symbol: '^KS11',
  ticker: 'KOSPI',
  name: { ko: '코스피', en: 'KOSPI Composite' },
  exchange: 'KRX',
  assetClass: 'index',
  currency: 'points',
  priceDecimals: 2,
};

export const TEN_YEARS: Instrument = {
  symbol: '^TNX',
  ticker: 'TNX',
  name: { ko: '미국 국채 10년 금리', en: 'US Treasury 10-year yield' },
  exchange: 'CBOE',
  assetClass: 'rate',
  currency: '%',
  priceDecimals: 3,
};
export const BITCOIN: Instrument = {
  symbol: 'BTC-USD',
  ticker: 'BTC',
  name: { ko: '비트코인', en: 'Bitcoin' },
  exchange: 'Crypto',
  assetClass: 'crypto',
  currency: 'USD',
  priceDecimals: 2,
};

export const KO: Reader = { locale: 'ko', timeZone: 'Asia/Seoul' };
export const EN: Reader = { locale: 'en', timeZone: 'America/New_York' };

/** The weekend after the last bars: every exchange is closed. */
export const weekend = new ManualClock('2026-11-14T03:00:00Z');

const zoneOf = ({ currency }: Instrument): string => (currency === 'USD' ? 'America/New_York' : 'Asia/Seoul');

/** So many weekdays, the last one a Friday, oldest first. */
export const weekdays = (count: number): readonly Temporal.PlainDate[] => {
  const days: Temporal.PlainDate[] = [];
  for (
    let day = Temporal.PlainDate.from('2026-11-13');
    days.length < count;
    day = day.subtract({ days: 1 })
  ) {
    if (day.dayOfWeek <= 5) days.unshift(day);
  }
  return days;
};

export const barOf = (at: Temporal.Instant, close: number | string, volume = 1_000): Bar => {
  const price = new Decimal(close);
  return {
    at,
    open: price,
    high: price.plus(1),
    low: price.minus(1),
    close: price,
    volume: new Decimal(volume),
  };
};

interface HistoryOptions {
  readonly range?: HistoryRange;
  readonly interval?: BarInterval;
  readonly days?: readonly Temporal.PlainDate[];
  readonly bars?: readonly Bar[];
  readonly volume?: number;
  /** The last close before the first bar. */
  readonly baseClose?: number;
  readonly delayMinutes?: number;
  readonly asOf?: string;
}

/** Daily bars with these closes, each from one below to one above it; as of the end of the last day. */
export const historyOf = (
  instrument: Instrument,
  closes: readonly number[],
  { range = '1y', interval = '1d', days = weekdays(closes.length), volume, ...options }: HistoryOptions = {},
): History => {
  const timeZone = zoneOf(instrument);
  const opening = (day: Temporal.PlainDate): Temporal.Instant =>
    day.toZonedDateTime({ timeZone, plainTime: '09:00' }).toInstant();
  const bars =
    options.bars ?? days.map((day, index) => barOf(opening(day), closes[index] ?? Number.NaN, volume));
  return {
    instrument,
    range,
    interval,
    timeZone,
    bars,
    ...(options.baseClose !== undefined && { baseClose: new Decimal(options.baseClose) }),
    ...(options.delayMinutes !== undefined && { delayMinutes: options.delayMinutes }),
    asOf:
      options.asOf === undefined
        ? Temporal.PlainDateTime.from('2026-11-13T15:30').toZonedDateTime(timeZone).toInstant()
        : Temporal.Instant.from(options.asOf),
    source: 'Yahoo Finance',
    isSample: false,
  };
};

/** Has these histories and no others. */
export const marketOf = (
  histories: readonly History[],
  reason: UnavailableReason = 'no-data',
): Pick<Market, 'getHistory'> & { readonly asked: readonly string[] } => {
  const asked: string[] = [];
  return {
    asked,
    getHistory: async ({ symbol }, range, signal) => {
      signal.throwIfAborted();
      asked.push(`${symbol} ${range}`);
      const value = histories.find(
        (history) => history.instrument.symbol === symbol && history.range === range,
      );
      return value ? { status: 'ok', value } : { status: 'unavailable', reason };
    },
  };
};

/** Knows these by name, code and symbol; `삼성` may be two of them. */
export const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query): SymbolMatch => {
    const known = [SAMSUNG, HYNIX, APPLE, KOSPI, TEN_YEARS, BITCOIN];
    const instrument = known.find(({ symbol, ticker, name }) =>
      [symbol, ticker, name.ko, name.en].some((word) => word.toLowerCase() === query.toLowerCase()),
    );
    if (instrument) return { status: 'found', instrument };
    if (query === '삼성') return { status: 'ambiguous', choices: [SAMSUNG, HYNIX] };
    return { status: 'unknown', suggestions: [] };
  },
};

export const never = (): AbortSignal => new AbortController().signal;
