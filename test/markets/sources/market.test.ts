import { describe, expect, it } from 'vitest';
import type { QuoteResult } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { IncompleteError, marketError } from '#src/markets/sources/errors.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { History, MarketSource } from '#src/markets/sources/source.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  createFixedCalendar,
  createLiveSource,
  createRecorder,
  instrumentOf,
  instruments,
  quoteOf,
} from './market-fixtures.ts';

const open = (sources: readonly MarketSource[], logger = createRecorder().logger) =>
  createMarket({ sources, calendar: createFixedCalendar().calendar, clock: new ManualClock(), logger });
const only =
  (...symbols: readonly string[]): MarketSource['supports'] =>
  ({ symbol }) =>
    symbols.includes(symbol);
const down = async (): Promise<never> => {
  throw marketError('MARKET_UNREACHABLE', 'host out of reach');
};
const outcome = (results: readonly QuoteResult[]): readonly string[] =>
  results.map((result) =>
    result.status === 'ok'
      ? `${result.quote.instrument.symbol} ${result.quote.source}`
      : `${result.instrument.symbol} ${result.reason}`,
  );
const { signal } = new AbortController();

describe('quotes of the market', () => {
  it('come in the order asked, also twice, from the first source that supports each, asked once for all', async () => {
    const first = createLiveSource({ name: 'first', supports: only('AAPL', 'TSLA') });
    const second = createLiveSource({ name: 'second' });
    const market = open([first.source, second.source]);
    expect(outcome(await market.getQuotes(instruments('AAPL', 'KO', 'TSLA', 'AAPL'), signal))).toEqual([
      'AAPL first',
      'KO second',
      'TSLA first',
      'AAPL first',
    ]);
    expect([first.asked, second.asked]).toEqual([[['AAPL', 'TSLA']], [['KO']]]);
    expect(await market.getQuotes([], signal)).toEqual([]);
  });

  it('come from the next live source where one fails or lacks them', async () => {
    const upbit = createLiveSource({ name: 'Upbit', supports: only('BTC-KRW', 'NEW-KRW'), getQuotes: down });
    const yahoo = createLiveSource({ name: 'Yahoo' });
    const market = open([upbit.source, yahoo.source]);
    expect(outcome(await market.getQuotes(instruments('BTC-KRW', 'AAPL', 'NEW-KRW'), signal))).toEqual([
      'BTC-KRW Yahoo',
      'AAPL Yahoo',
      'NEW-KRW Yahoo',
    ]);
    const lacking = createLiveSource({ name: 'Upbit', getQuotes: async () => [] });
    expect(
      outcome(await open([lacking.source, yahoo.source]).getQuotes(instruments('BTC-KRW'), signal)),
    ).toEqual(['BTC-KRW Yahoo']);
  });

  it('that nobody gives are down where a source failed, else without data', async () => {
    const upbit = createLiveSource({ name: 'Upbit', supports: only('BTC-KRW'), getQuotes: down });
    const yahoo = createLiveSource({
      name: 'Yahoo',
      supports: only('BTC-KRW', 'ODD'),
      getQuotes: async () => [],
    });
    const market = open([upbit.source, yahoo.source]);
    expect(outcome(await market.getQuotes(instruments('BTC-KRW', 'ODD', 'NOBODYS'), signal))).toEqual([
      'BTC-KRW down',
      'ODD no-data',
      'NOBODYS no-data',
    ]);
  });

  it('keep what came before a failure', async () => {
    const partly = createLiveSource({
      getQuotes: async (wanted) => {
        const found = wanted.slice(0, 1).map((instrument) => quoteOf(instrument, { source: 'partly' }));
        throw new IncompleteError(found, ['TSLA'], new Error('cut'));
      },
    });
    expect(
      outcome(await open([partly.source]).getQuotes(instruments('AAPL', 'TSLA', 'GONE'), signal)),
    ).toEqual(['AAPL partly', 'TSLA down', 'GONE no-data']);
  });

  it('log a cause once, with source and symbols, however many waited for it', async () => {
    const { logger, lines } = createRecorder();
    const error = marketError('MARKET_UNREACHABLE', 'host out of reach');
    const broken = createLiveSource({ name: 'broken', getQuotes: () => Promise.reject(error) });
    const market = open([broken.source], logger);
    await Promise.all([1, 2, 3].map(() => market.getQuotes(instruments('AAPL'), signal)));
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'A market source failed',
        source: 'broken',
        asked: 'quotes',
        symbols: ['AAPL'],
        error,
      },
    ]);
  });

  it('throw the reason of an abort, before and during the request, without a log line', async () => {
    const { logger, lines } = createRecorder();
    const controller = new AbortController();
    const reason = new Error('stopped by the user');
    const { source } = createLiveSource({
      getQuotes: async (_, signal) => {
        controller.abort(reason);
        signal.throwIfAborted();
        return [];
      },
    });
    const market = open([source], logger);
    await expect(market.getQuotes(instruments('AAPL'), controller.signal)).rejects.toBe(reason);
    await expect(market.getQuotes(instruments('AAPL'), controller.signal)).rejects.toBe(reason);
    await expect(market.getHistory(instrumentOf('AAPL'), '1y', controller.signal)).rejects.toBe(reason);
    expect(lines).toEqual([]);
  });
});

describe('sample data', () => {
  it('never stands beside a live source', () => {
    expect(() => open([createLiveSource().source, createSampleSource(new ManualClock())])).toThrow(
      'Sample data cannot stand',
    );
  });

  it('is never stale, and says what it does not have', async () => {
    const market = open([createSampleSource(new ManualClock())]);
    const [first, second] = await market.getQuotes(instruments('AAPL', 'NOPE'), signal);
    expect(first).toMatchObject({ quote: { isStale: false, isSample: true } });
    expect(second).toMatchObject({ status: 'unavailable', reason: 'not-in-sample' });
    const reason = { status: 'unavailable', reason: 'not-in-sample' };
    const stranger = instrumentOf('NOPE');
    expect(await market.getHistory(stranger, '1y', signal)).toEqual(reason);
    expect(await market.getNews({ instrument: stranger, limit: 5 }, signal)).toEqual(reason);
    expect(await market.getFundamentals(stranger, signal)).toEqual(reason);
    expect(await market.getEarnings([stranger], signal)).toEqual(reason);
  });

  it('of a coin goes on around the clock, as of this moment', async () => {
    for (const now of ['2026-11-13T06:30:00Z', '2026-11-15T03:00:00Z', '2027-02-28T23:59:59Z']) {
      const clock = new ManualClock(now);
      const market = createMarket({
        sources: [createSampleSource(clock)],
        calendar: { sessionOf, lastCloseBefore },
        clock,
        logger: createRecorder().logger,
      });
      const [coin] = await market.getQuotes(instruments('BTC-USD'), signal);
      expect(coin).toMatchObject({ quote: { sessionState: 'open', isStale: false, isSample: true } });
      expect(coin?.status === 'ok' && coin.quote.asOf.toString()).toBe(now);
    }
  });
});

describe('what one source answers alone', () => {
  const history: History = {
    instrument: instrumentOf('BTC-KRW'),
    range: '1y',
    interval: '1d',
    timeZone: 'UTC',
    bars: [],
    asOf: Temporal.Instant.from('2026-11-13T06:30:00Z'),
    source: 'Yahoo',
    isSample: false,
  };

  it('comes from the next where one cannot, fails or has none', async () => {
    const { lines, logger } = createRecorder();
    const { source: mute } = createLiveSource();
    const { source: stranger } = createLiveSource({
      supports: () => false,
      getHistory: async () => ({ ...history, source: 'stranger' }),
    });
    const { source: failing } = createLiveSource({ getHistory: down, getNews: async () => [] });
    const { source: yahoo } = createLiveSource({
      getHistory: async () => history,
      getNews: async () => [],
      getFundamentals: async () => null,
    });
    const market = open([stranger, mute, failing, yahoo], logger);
    expect(await market.getHistory(history.instrument, '1y', signal)).toEqual({
      status: 'ok',
      value: history,
    });
    expect(lines).toMatchObject([{ asked: 'history', symbols: ['BTC-KRW'] }]);
    const none = { status: 'unavailable', reason: 'no-data' };
    expect(await market.getNews({ limit: 5 }, signal)).toEqual(none);
    expect(await market.getFundamentals(history.instrument, signal)).toEqual(none);
    expect(await open([mute, failing]).getHistory(history.instrument, '1y', signal)).toEqual({
      status: 'unavailable',
      reason: 'down',
    });
  });

  it('of earnings is everything that came from anywhere', async () => {
    const dates = { from: Temporal.PlainDate.from('2027-01-28'), to: Temporal.PlainDate.from('2027-01-28') };
    const { source } = createLiveSource({
      getEarnings: async (wanted) =>
        wanted
          .filter(({ symbol }) => symbol === 'AAPL')
          .map((instrument) => ({
            instrument,
            ...dates,
            isEstimate: true,
            epsEstimate: new Decimal('2.67'),
            asOf: history.asOf,
            source: 'live',
            isSample: false,
          })),
    });
    const result = await open([source]).getEarnings(instruments('AAPL', 'BTC-USD'), signal);
    expect(result).toMatchObject({
      status: 'ok',
      value: { dates: [{ instrument: { symbol: 'AAPL' } }], unasked: [] },
    });
    expect(await open([source]).getEarnings(instruments('BTC-USD'), signal)).toEqual({
      status: 'unavailable',
      reason: 'no-data',
    });
  });

  it('of earnings names those that could not be asked about, and asks for estimates of a few only', async () => {
    const wanted: boolean[] = [];
    const { source } = createLiveSource({
      getEarnings: async (_, { wantsEstimates }) => {
        wanted.push(wantsEstimates);
        throw new IncompleteError([], ['NVDA'], new Error('cut'));
      },
    });
    const market = open([source]);
    const found = await market.getEarnings(instruments('AAPL', 'NVDA'), signal);
    expect(found).toMatchObject({
      status: 'ok',
      value: { dates: [], unasked: [{ symbol: 'NVDA' }] },
    });
    expect(await market.getEarnings(instruments('NVDA'), signal)).toMatchObject({ reason: 'down' });
    await market.getEarnings(instruments('A', 'B', 'C', 'D'), signal);
    expect(wanted).toEqual([true, true, false]);
  });
});
