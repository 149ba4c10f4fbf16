import { onTestFinished } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { createYahooSource } from '#src/markets/sources/yahoo/source.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { startFakeYahoo } from '#test/fakes/yahoo/server.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export const instrument = (symbol: string, of: Partial<Instrument> = {}): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: symbol, en: `${symbol} Inc.` },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
  ...of,
});

export const AAPL = instrument('AAPL');
export const MSFT = instrument('MSFT');
export const SAMSUNG = instrument('005930.KS', { currency: 'KRW', priceDecimals: 0, exchange: 'KOSPI' });

/** A Thursday, 10:00 in New York and midnight in Seoul. */
export const NOW = '2026-11-12T15:00:00Z';

export const signal = (): AbortSignal => new AbortController().signal;

/** The source before a Yahoo of this test alone. */
export const setUp = async () => {
  const clock = new ManualClock(NOW);
  const fake = await startFakeYahoo({ now: clock.now });
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: [],
    write: (line) => void lines.push(line),
  });
  const source = createYahooSource({ baseUrl: fake.url, clock, logger });
  onTestFinished(fake.stop);
  return { clock, fake, source, lines };
};

/** What a promise fails with. */
export const failureOf = async (task: Promise<unknown>): Promise<unknown> => {
  try {
    await task;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
};

/** Turns of the event loop until something holds. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};
