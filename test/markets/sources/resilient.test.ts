import { describe, expect, it } from 'vitest';
import type { SourceQuote } from '#src/kernel/market/finance.ts';
import { marketError } from '#src/markets/sources/errors.ts';
import { troubledBreakers } from '#src/platform/concurrency/circuit-breaker.ts';
import { resilient } from '#src/markets/sources/resilient.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import {
  createFixedCalendar,
  createLiveSource,
  createRecorder,
  instrumentOf,
  instruments,
} from './market-fixtures.ts';
import { createFailing, limited, open, signal, unreachable } from './resilient-set-up.ts';

describe('requests of one moment', () => {
  it('for the same symbol are one, however many ask', async () => {
    const { source, asked, clock } = open();
    const answers = Array.from({ length: 50 }, () => source.getQuotes(instruments('AAPL'), signal));
    await clock.advance(5);
    expect((await Promise.all(answers)).flat()).toHaveLength(50);
    expect(asked).toEqual([['AAPL']]);
  });

  it('for different symbols go up together, at most 50 in one', async () => {
    const { source, asked, clock } = open();
    const symbols = Array.from({ length: 60 }, (_, index) => `S${index}`);
    const answers = symbols.map((symbol) => source.getQuotes(instruments(symbol), signal));
    await clock.advance(5);
    expect((await Promise.all(answers)).map(([quote]) => quote?.instrument.symbol)).toEqual(symbols);
    expect(asked.map(({ length }) => length)).toEqual([50, 10]);
  });

  it('end for the one who aborts, and upstream once nobody waits', async () => {
    const ended: unknown[] = [];
    const { promise: answer, resolve } = Promise.withResolvers<readonly SourceQuote[]>();
    const { source, asked, clock } = open({
      getQuotes: (_, upstream) => {
        upstream.addEventListener('abort', () => ended.push(upstream.reason));
        return answer;
      },
    });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = source.getQuotes(instruments('AAPL'), one.signal);
    const second = source.getQuotes(instruments('AAPL', 'TSLA'), two.signal);
    const reason = new Error('stopped by the user');
    first.catch(() => undefined);
    second.catch(() => undefined);
    await clock.advance(5);

    one.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(ended).toEqual([]);
    two.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect(ended).toHaveLength(1);

    // Whoever comes now does not join what ended.
    void source.getQuotes(instruments('AAPL'), signal);
    await clock.advance(5);
    expect(asked).toEqual([['AAPL', 'TSLA'], ['AAPL']]);
    resolve([]);
  });

  it('that nobody waits for any more do not go up at all', async () => {
    const { source, asked, clock } = open();
    const controller = new AbortController();
    const gone = source.getQuotes(instruments('AAPL'), controller.signal);
    gone.catch(() => undefined);
    const there = source.getQuotes(instruments('TSLA'), signal);
    controller.abort();
    await clock.advance(5);
    await there;
    expect(asked).toEqual([['TSLA']]);
  });
});

describe('a source that says 429', () => {
  it('is left alone as long as it asks for, then longer each time, and is used again once it answers', async () => {
    const failing = createFailing();
    const { ask, asked, clock } = open({ getQuotes: failing.getQuotes });
    failing.fail(limited(20_000));
    const isAsked = async (): Promise<boolean> => {
      const before = asked.length;
      await ask([`S${before}-${clock.monotonicMs()}`]).catch(() => undefined);
      return asked.length > before;
    };
    expect(await isAsked()).toBe(true);
    await clock.advance(19_900);
    expect(await isAsked()).toBe(false);
    failing.fail(limited());
    await clock.advance(100);
    expect(await isAsked()).toBe(true);
    await clock.advance(29_900);
    expect(await isAsked()).toBe(false);
    failing.fail(undefined);
    await clock.advance(100);
    expect(await isAsked()).toBe(true);
    expect(await isAsked()).toBe(true);
    // From the beginning: what is over is forgiven.
    failing.fail(limited());
    expect(await isAsked()).toBe(true);
    await clock.advance(14_900);
    expect(await isAsked()).toBe(false);
    await clock.advance(100);
    expect(await isAsked()).toBe(true);
  });

  it('says it once, though several requests were on their way', async () => {
    const { promise: answer, reject } = Promise.withResolvers<never>();
    const { source, ask, asked, clock } = open({ getQuotes: () => answer, getNews: () => answer });
    const ended = Promise.allSettled([
      ask(['AAPL']),
      source.getNews?.({ limit: 5 }, signal) ?? Promise.resolve(),
    ]);
    await clock.advance(5);
    reject(limited());
    await ended;
    await clock.advance(15_000);
    await ask(['TSLA']).catch(() => undefined);
    expect(asked).toEqual([['AAPL'], ['TSLA']]);
  });

  it('has its last known price given for a quarter of an hour', async () => {
    const failing = createFailing();
    const { ask, clock } = open({
      getQuotes: async (wanted) =>
        (await failing.getQuotes(wanted)).map((quote) => ({ ...quote, delayMinutes: 0 })),
    });
    expect(await ask(['AAPL'])).toMatchObject([{ delayMinutes: 0 }]);
    failing.fail(limited(3_600_000));
    await clock.advance(14 * 60_000);
    expect(await ask(['AAPL'])).toMatchObject([{ isLastKnown: true, instrument: instrumentOf('AAPL') }]);
    await expect(ask(['TSLA'])).rejects.toMatchObject({ code: 'MARKET_RATE_LIMITED' });
    await clock.advance(60_000);
    await expect(ask(['AAPL'])).rejects.toMatchObject({ code: 'MARKET_RATE_LIMITED' });
  });

  it('has it given also where that has opened the breaker', async () => {
    const failing = createFailing();
    const { ask, asked, clock, breaker } = open({ getQuotes: failing.getQuotes });
    await ask(['AAPL']);
    failing.fail(limited(15_000));
    for (let count = 0; count < 3; count += 1) {
      await clock.advance(15_000);
      expect(await ask(['AAPL'])).toHaveLength(1);
    }
    await clock.advance(15_000);
    expect(breaker?.state).toBe('open');
    expect(await ask(['AAPL'])).toHaveLength(1);
    expect(asked).toHaveLength(4);
  });
});

const familyOf = (kind: string): string => (kind === 'quotes' ? 'prices' : 'rest');

describe('requests that a source limits each for itself', () => {
  it('go on while others are held back, after a 429 and after a refusal', async () => {
    for (const held of [limited(3_600_000), marketError('MARKET_REFUSED', 'no crumb')]) {
      const failing = createFailing();
      const { ask, source, asked } = open({
        familyOf,
        getQuotes: failing.getQuotes,
        getNews: async () => [],
        getEarnings: () => Promise.reject(limited()),
      });
      failing.fail(held);
      await expect(ask(['AAPL'])).rejects.toBe(held);
      await expect(ask(['TSLA'])).rejects.toBe(held);
      expect(asked).toHaveLength(1);
      expect(await source.getNews?.({ limit: 5 }, signal)).toEqual([]);
    }
  });

  it('are held back together over two sources that share them, and tried again ever later', async () => {
    const clock = new ManualClock();
    const counts = { usual: 0, standIn: 0 };
    const { logger } = createRecorder();
    const shared = { familyOf: () => 'charts' };
    const usual = createLiveSource({
      ...shared,
      getQuotes: async () => {
        counts.usual += 1;
        throw marketError('MARKET_REFUSED', 'no crumb');
      },
    });
    const fallback = createLiveSource({
      ...shared,
      getQuotes: async () => {
        counts.standIn += 1;
        throw limited();
      },
    }).source;
    const { source } = resilient(usual.source, {
      calendar: createFixedCalendar().calendar,
      clock,
      logger,
      fallback,
    });
    const times: number[] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      const before = counts.usual;
      const asked = source.getQuotes(instruments(`S${String(minute)}`), signal);
      asked.catch(() => undefined);
      await clock.advance(20);
      await asked.catch(() => undefined);
      if (counts.usual > before) times.push(minute);
      await clock.advance(59_980);
    }
    expect(times).toEqual([0, 1, 3, 7, 12, 17, 22, 27]);
    expect(counts.standIn).toBe(0);
  });
});

describe('one kind of request that fails', () => {
  it('leaves the others alone, and is named; afterwards several at once all succeed', async () => {
    let isDown = true;
    const { ask, source, breakers, clock } = open({
      name: 'Somewhere',
      getNews: () => (isDown ? Promise.reject(unreachable()) : Promise.resolve([])),
    });
    for (let time = 0; time < 3; time += 1)
      await expect(source.getNews?.({ limit: 5 }, signal)).rejects.toMatchObject({
        code: 'MARKET_UNREACHABLE',
      });
    await expect(source.getNews?.({ limit: 5 }, signal)).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(await ask(['AAPL'])).toHaveLength(1);
    expect(troubledBreakers(breakers)).toEqual([{ name: 'Somewhere news', state: 'open' }]);
    isDown = false;
    await clock.advance(36_000_000);
    const together = ['AAPL', 'MSFT', 'NVDA'].map(async (symbol) =>
      source.getNews?.({ limit: 5, instrument: instrumentOf(symbol) }, signal),
    );
    expect(await Promise.all(together)).toEqual([[], [], []]);
  });

  it('with 429s still has its last known prices given once the others work', async () => {
    const failing = createFailing();
    const { ask, source, clock } = open({ getQuotes: failing.getQuotes, getNews: async () => [] });
    await ask(['AAPL']);
    failing.fail(limited(15_000));
    for (let count = 0; count < 3; count += 1) {
      await clock.advance(15_000);
      await ask(['AAPL']);
    }
    await clock.advance(15_000);
    expect(await source.getNews?.({ limit: 5 }, signal)).toEqual([]);
    expect(await ask(['AAPL'])).toHaveLength(1);
  });
});

describe('a source that cannot be reached', () => {
  it('is not called after three failures, probed after 30 s, and used again once that goes well', async () => {
    const failing = createFailing();
    const { ask, asked, clock, breakers, lines } = open({ name: 'Somewhere', getQuotes: failing.getQuotes });
    failing.fail(unreachable());
    for (const symbol of ['A', 'B', 'C'])
      await expect(ask([symbol])).rejects.toMatchObject({ code: 'MARKET_UNREACHABLE' });
    await expect(ask(['D'])).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(asked).toHaveLength(3);
    expect(troubledBreakers(breakers)).toEqual([{ name: 'Somewhere quotes', state: 'open' }]);

    await clock.advance(29_900);
    await expect(ask(['D'])).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    await clock.advance(100);
    await expect(ask(['E'])).rejects.toMatchObject({ code: 'MARKET_UNREACHABLE' });
    await expect(ask(['F'])).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    failing.fail(undefined);
    await clock.advance(30_000);
    expect(await ask(['G'])).toHaveLength(1);
    expect(troubledBreakers(breakers)).toEqual([]);
    expect(lines.map(({ to }) => to)).toEqual(['open', 'half-open', 'open', 'half-open', 'closed']);
  });

  it('is not what bad data, a bug or an abort makes of it', async () => {
    const failing = createFailing();
    const { ask, breaker } = open({ getQuotes: failing.getQuotes });
    for (const [index, error] of [
      marketError('MARKET_BAD_DATA', 'odd'),
      new TypeError('a bug'),
      new DOMException('gone', 'AbortError'),
      marketError('MARKET_BAD_DATA', 'odd'),
    ].entries()) {
      failing.fail(error);
      await expect(ask([`S${index}`])).rejects.toBe(error);
    }
    expect(breaker?.state).toBe('closed');
    expect(breaker?.failures).toBe(0);
  });

  it('is not told by a request that was given up, whatever the source makes of it', async () => {
    const { source, clock, breaker } = open({
      getQuotes: (_, upstream) =>
        new Promise((_resolve, reject) => upstream.addEventListener('abort', () => reject(unreachable()))),
    });
    const controller = new AbortController();
    const asked = source.getQuotes(instruments('AAPL'), controller.signal);
    asked.catch(() => undefined);
    await clock.advance(5);
    controller.abort();
    await clock.advance(5);
    expect(breaker?.failures).toBe(0);
  });
});
