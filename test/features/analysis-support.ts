import type {
  Instrument,
  SymbolMatch,
  SymbolSearch,
  UnavailableReason,
  HistoryRange,
} from '#src/kernel/market/finance.ts';
import type { Audience } from '#src/kernel/chat/answer.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Bar, BarInterval, History, Market } from '#src/markets/sources/source.ts';
import { APPLE, BITCOIN, HYNIX, KOSPI, SAMSUNG, TEN_YEARS } from '#test/support/instruments.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export const KO: Audience = { locale: 'ko', timeZone: 'Asia/Seoul' };
export const EN: Audience = { locale: 'en', timeZone: 'America/New_York' };

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
