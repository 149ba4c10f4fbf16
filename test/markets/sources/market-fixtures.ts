import type { Instrument, SessionState, SourceQuote } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { MarketSource, SessionCalendar } from '#src/markets/sources/source.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';

const named = (symbol: string) => ({ symbol, ticker: symbol, name: { ko: symbol, en: symbol } });

/** An instrument by the form of its symbol. */
export const instrumentOf = (symbol: string): Instrument => {
  const coin = /-(?<currency>USD|KRW)$/.exec(symbol)?.groups?.currency;
  if (coin)
    return {
      ...named(symbol),
      exchange: 'Crypto',
      assetClass: 'crypto',
      currency: coin,
      priceDecimals: coin === 'KRW' ? 0 : 5,
    };
  if (symbol.endsWith('=X'))
    return {
      ...named(symbol),
      exchange: 'FX',
      assetClass: 'fx',
      currency: symbol.slice(3, 6),
      priceDecimals: 4,
    };
  if (symbol === '^TNX')
    return { ...named(symbol), exchange: 'CBOE', assetClass: 'rate', currency: '%', priceDecimals: 3 };
  if (symbol.startsWith('^'))
    return {
      ...named(symbol),
      exchange: symbol.startsWith('^K') ? 'KRX' : 'NASDAQ',
      assetClass: 'index',
      currency: 'points',
      priceDecimals: 2,
    };
  const korean = /\.K(?<letter>[SQ])$/.exec(symbol)?.groups?.letter;
  return korean
    ? {
        ...named(symbol),
        exchange: korean === 'S' ? 'KOSPI' : 'KOSDAQ',
        assetClass: 'equity',
        currency: 'KRW',
        priceDecimals: 0,
      }
    : { ...named(symbol), exchange: 'NASDAQ', assetClass: 'equity', currency: 'USD', priceDecimals: 2 };
};
export const instruments = (...symbols: readonly string[]): readonly Instrument[] =>
  symbols.map(instrumentOf);

export const quoteOf = (instrument: Instrument, overrides: Partial<SourceQuote> = {}): SourceQuote => ({
  instrument,
  price: new Decimal(100),
  asOf: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  source: 'test',
  isSample: false,
  ...overrides,
});

/** All but when it begins. */
export const FLAT_BAR = {
  open: new Decimal(1),
  high: new Decimal(1),
  low: new Decimal(1),
  close: new Decimal(1),
  volume: new Decimal(0),
};

/** A live source with everything it is asked for, that keeps count of its requests. */
export const createLiveSource = (overrides: Partial<MarketSource> = {}) => {
  const asked: string[][] = [];
  const name = overrides.name ?? 'live';
  const source: MarketSource = {
    name,
    isSample: false,
    supports: () => true,
    getQuotes: async (wanted) => wanted.map((instrument) => quoteOf(instrument, { source: name })),
    ...overrides,
  };
  return {
    asked,
    source: {
      ...source,
      getQuotes: async (wanted, signal) => {
        asked.push(wanted.map(({ symbol }) => symbol));
        return source.getQuotes(wanted, signal);
      },
    } satisfies MarketSource,
  };
};

const silent = (): void => undefined;
export const createRecorder = () => {
  const lines: { readonly level: string; readonly message: string; readonly [field: string]: unknown }[] = [];
  const record =
    (level: string): FinClawLogger['warn'] =>
    (message, fields) =>
      void lines.push({ ...fields, level, message });
  const logger: FinClawLogger = {
    debug: silent,
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    hide: silent,
    named: () => logger,
  };
  return { logger, lines };
};

/** A market that is in one state until the test says otherwise. */
export const createFixedCalendar = (initial: SessionState = 'open') => {
  let state = initial;
  const calendar: SessionCalendar = {
    sessionOf: () => state,
    lastCloseBefore: () => Temporal.Instant.from('2026-11-13T06:30:00Z'),
  };
  return {
    calendar,
    turn: (next: SessionState): void => {
      state = next;
    },
  };
};
