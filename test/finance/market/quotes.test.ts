import { describe, expect, it } from 'vitest';
import type { Instrument, QuoteResult } from '#src/core/finance.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import { createQuotes } from '#src/finance/market/quotes.ts';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSampleSource } from '#src/finance/market/sample-source.ts';
import type { MarketSource } from '#src/finance/market/source.ts';

const instrumentOf = (symbol: string): Instrument => {
  const found = SAMPLE_INSTRUMENTS.find(({ instrument }) => instrument.symbol === symbol);
  return found?.instrument ?? { ...instrumentOf('AAPL'), symbol };
};
const instruments = (...symbols: string[]): readonly Instrument[] => symbols.map(instrumentOf);

const silent = (): void => undefined;
const createRecorder = () => {
  const warnings: unknown[] = [];
  const logger: FinClawLogger = {
    debug: silent,
    info: silent,
    error: silent,
    hide: silent,
    warn: (message, fields) => void warnings.push({ message, ...fields }),
  };
  return { logger, warnings };
};

const serving = (symbols: readonly string[], overrides: Partial<MarketSource> = {}): MarketSource => ({
  ...createSampleSource(),
  supports: ({ symbol }) => symbols.includes(symbol),
  ...overrides,
});
const down = async (): Promise<never> => {
  throw new Error('host out of reach');
};

const outcome = (results: readonly QuoteResult[]): readonly string[] =>
  results.map((result) =>
    result.status === 'ok'
      ? `${result.quote.instrument.symbol} ${result.quote.source}`
      : `${result.instrument.symbol} -`,
  );
const { signal } = new AbortController();

describe('quotes', () => {
  it('come in the order asked, with what no source serves as unavailable', async () => {
    const quotes = createQuotes({ sources: [createSampleSource()], logger: createRecorder().logger });
    expect(
      outcome(await quotes.getQuotes(instruments('TSLA', 'NOPE', '005930.KS', 'BTC-USD'), signal)),
    ).toEqual(['TSLA sample data', 'NOPE -', '005930.KS sample data', 'BTC-USD sample data']);
  });

  it('come from the first source that supports the instrument, asked once for all of its own', async () => {
    const asked: string[][] = [];
    const sample = createSampleSource();
    const first = serving(['AAPL', 'TSLA'], {
      getQuotes: async (wanted, signal) => {
        asked.push(wanted.map(({ symbol }) => symbol));
        const quotes = await sample.getQuotes(wanted, signal);
        return quotes.map((quote) => ({ ...quote, source: 'first' })).toReversed();
      },
    });
    const quotes = createQuotes({ sources: [first, sample], logger: createRecorder().logger });
    expect(outcome(await quotes.getQuotes(instruments('AAPL', 'KO', 'TSLA'), signal))).toEqual([
      'AAPL first',
      'KO sample data',
      'TSLA first',
    ]);
    expect(asked).toEqual([['AAPL', 'TSLA']]);
  });

  it('of a source that throws are unavailable and logged, while the others still come', async () => {
    const { logger, warnings } = createRecorder();
    const broken = serving(['AAPL'], { name: 'broken', getQuotes: down });
    const quotes = createQuotes({ sources: [broken, createSampleSource()], logger });
    expect(outcome(await quotes.getQuotes(instruments('AAPL', 'KO'), signal))).toEqual([
      'AAPL -',
      'KO sample data',
    ]);
    expect(warnings).toMatchObject([{ source: 'broken', symbols: ['AAPL'] }]);
  });

  it('that a source leaves out are unavailable', async () => {
    const empty = serving(['AAPL'], { getQuotes: async () => [] });
    const quotes = createQuotes({ sources: [empty], logger: createRecorder().logger });
    expect(outcome(await quotes.getQuotes(instruments('AAPL'), signal))).toEqual(['AAPL -']);
  });

  it('of nothing are nothing', async () => {
    const quotes = createQuotes({ sources: [], logger: createRecorder().logger });
    expect(await quotes.getQuotes([], signal)).toEqual([]);
  });

  it('throw the reason of an abort, before and during the request, without a log line', async () => {
    const { logger, warnings } = createRecorder();
    const controller = new AbortController();
    const reason = new Error('stopped by the user');
    const hanging = serving(['AAPL'], {
      getQuotes: async (_, signal) => {
        controller.abort(reason);
        signal.throwIfAborted();
        return [];
      },
    });
    const quotes = createQuotes({ sources: [hanging], logger });
    await expect(quotes.getQuotes(instruments('AAPL'), controller.signal)).rejects.toBe(reason);
    await expect(quotes.getQuotes(instruments('AAPL'), controller.signal)).rejects.toBe(reason);
    expect(warnings).toEqual([]);
  });
});
