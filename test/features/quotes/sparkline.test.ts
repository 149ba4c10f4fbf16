import { describe, expect, it } from 'vitest';
import { quotesAnswer } from '#src/features/quotes/quotes.ts';
import { askSparklines } from '#src/features/quotes/sparkline.ts';
import type { Instrument, QuoteResult } from '#src/kernel/market/finance.ts';
import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { History, Market, MarketResult } from '#src/markets/sources/source.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { sampleMarket, symbols } from '#test/support/sample-market.ts';

const TERMINAL = asId<ChannelId>('terminal');
const ELSEWHERE = asId<ChannelId>('elsewhere');
const BLOCKS = /[▁-█]+/;

/** One day after the other until Friday, 13 November, each of 6.5 hours from 9:30 in New York. */
const historyOf = (
  instrument: Instrument,
  closes: readonly (number | string)[],
  more: Partial<History> = {},
): History => ({
  instrument,
  range: '6mo',
  interval: '1d',
  timeZone: 'America/New_York',
  bars: closes.map((close, index) => {
    const day = Temporal.PlainDate.from('2026-11-13').subtract({ days: closes.length - 1 - index });
    const price = new Decimal(close);
    const at = day.toZonedDateTime({ timeZone: 'America/New_York', plainTime: '09:30' }).toInstant();
    return { at, open: price, high: price, low: price, close: price, volume: new Decimal(1) };
  }),
  asOf: Temporal.Instant.from('2026-11-13T21:00:00Z'),
  source: 'Exchange',
  isSample: false,
  ...more,
});

const quoteOf = (instrument: Instrument): QuoteResult => ({
  status: 'ok',
  quote: {
    instrument,
    price: new Decimal(304),
    previousClose: new Decimal(300),
    asOf: Temporal.Instant.from('2026-11-13T21:00:00Z'),
    source: 'Exchange',
    isSample: false,
    sessionState: 'closed',
    isStale: false,
  },
});

interface Setting {
  readonly history?: (instrument: Instrument) => Promise<MarketResult<History>>;
  readonly getQuotes?: Market['getQuotes'];
  readonly locale?: Locale;
  readonly channelId?: ChannelId;
  readonly now?: string;
}

const setUp = ({ history, getQuotes, locale = 'en', channelId = TERMINAL, now }: Setting = {}) => {
  const clock = new ManualClock(now ?? '2026-11-14T02:00:00Z');
  const { logger, records } = recordingLogger();
  const asked: string[] = [];
  const market: Pick<Market, 'getQuotes' | 'getHistory'> = {
    getQuotes: getQuotes ?? (async (instruments) => instruments.map(quoteOf)),
    getHistory: async (instrument, range) => {
      asked.push(`${instrument.symbol} ${range}`);
      return history ? history(instrument) : { status: 'unavailable', reason: 'no-data' };
    },
  };
  const showsSparklines = (id: ChannelId): boolean => id === TERMINAL;
  const answer = quotesAnswer({
    market,
    symbols,
    askSparklines: askSparklines({ market, clock, logger, showsSparklines }),
  });
  const ask = (...names: readonly string[]) =>
    answer(names, { locale, timeZone: 'UTC', channelId }, new AbortController().signal);
  const levels = (): readonly string[] => records().map(({ level }) => level);
  return { ask, asked, clock, levels };
};

const ofCloses =
  (closes: readonly (number | string)[], more?: Partial<History>) =>
  async (instrument: Instrument): Promise<MarketResult<History>> => ({
    status: 'ok',
    value: historyOf(instrument, closes, more),
  });

const rising = Array.from({ length: 40 }, (_none, index) => 100 + index);
const WITHOUT = (await setUp({ channelId: ELSEWHERE }).ask('AAPL')).content;

describe('the recent closes below a price', () => {
  it('say how many they are, how they moved, and of which days they are', async () => {
    const { content } = await setUp({ history: ofCloses([1, 2, 3, 4, 5, 6, 7, 8]) }).ask('AAPL');
    expect(content.split('\n')[1]).toBe('8 daily closes ▁▂▃▄▅▆▇█ ▲ +700.00% · 11-06 – 11-13');
    const korean = await setUp({ history: ofCloses([16, 15, 14, 13, 12, 11, 10, 9]), locale: 'ko' }).ask(
      'AAPL',
    );
    expect(korean.content.split('\n')[1]).toBe('최근 8거래일 종가 █▇▆▅▄▃▂▁ ▼ -43.75% · 11-06 – 11-13');
  });

  it('of a coin are of days, because it is traded on all of them', async () => {
    const { content } = await setUp({ history: ofCloses([1, 2, 3, 4, 5, 6, 7, 8]), locale: 'ko' }).ask('BTC');
    expect(content.split('\n')[1]).toMatch(/^최근 7일 종가 ▁/u);
  });

  it('are the last thirty, and their change is a fact of those days', async () => {
    const { content, facts } = await setUp({ history: ofCloses(rising) }).ask('AAPL');
    expect(content).toMatch(/^30 daily closes ▁[▁-█]{28}█ ▲ \+26\.36% · 10-15 – 11-13$/m);
    expect(facts).toContainEqual(
      expect.objectContaining({
        metric: 'changePercent',
        value: '26.36',
        period: '2026-10-15',
        day: '2026-11-13',
      }),
    );
  });

  it('are without the day whose session still runs', async () => {
    const running = ofCloses([1, 1, 1, 1, 1, 1, 9], { asOf: Temporal.Instant.from('2026-11-13T16:00:00Z') });
    const { content } = await setUp({ history: running, now: '2026-11-13T16:01:00Z' }).ask('AAPL');
    expect(content).toContain('6 daily closes ▄▄▄▄▄▄ ■ 0.00% · 11-07 – 11-12');
  });

  it('are a flat line where nothing moved', async () => {
    const { content } = await setUp({ history: ofCloses(['0.1', '0.1', '0.1', '0.1', '0.1']) }).ask('AAPL');
    expect(content).toContain('5 daily closes ▄▄▄▄▄ ■ 0.00%');
  });

  it('name their source where it is not that of the price', async () => {
    const { content } = await setUp({ history: ofCloses(rising, { source: 'Other' }) }).ask('AAPL');
    expect(content).toMatch(/^30 daily closes .* · source: Other$/m);
  });

  it.each([
    ['there are fewer than five', ofCloses([1, 2, 3, 4])],
    ['they may lie on both sides of a split', ofCloses([200, 201, 199, 200, 201, 200, 50])],
    ['they are weekly', ofCloses(rising, { interval: '1wk' })],
    ['they are sample data beside a real price', ofCloses(rising, { isSample: true })],
  ])('are left out where %s', async (_why, history) => {
    expect((await setUp({ history }).ask('AAPL')).content).toBe(WITHOUT);
  });

  it.each([
    ['has none', async () => ({ status: 'unavailable', reason: 'limited' }) as const],
    ['fails', async () => Promise.reject(new Error('no answer'))],
    ['names days that there are not', ofCloses(rising, { timeZone: 'Nowhere/City' })],
  ])('leave the price as it is where the source %s', async (_why, history) => {
    const { ask, levels } = setUp({ history });
    expect((await ask('AAPL')).content).toBe(WITHOUT);
    expect(levels()).toEqual(['debug']);
  });

  it('are asked for beside the price, and never hold it up for more than a moment', async () => {
    const { promise: quotes, resolve: answerQuotes } = Promise.withResolvers<readonly QuoteResult[]>();
    const { promise: never } = Promise.withResolvers<MarketResult<History>>();
    const { ask, asked, clock, levels } = setUp({ history: () => never, getQuotes: () => quotes });
    let shown: string | undefined;
    const answered = ask('AAPL').then(({ content }) => {
      shown = content;
    });
    await clock.advance(5_000);
    expect(asked).toEqual(['AAPL 6mo']);
    const apple = symbols.resolve('AAPL');
    if (apple.status !== 'found') throw new Error('no Apple');
    answerQuotes([quoteOf(apple.instrument)]);
    await clock.advance(299);
    expect(shown).toBeUndefined();
    await clock.advance(1);
    await answered;
    expect(shown).toBe(WITHOUT);
    expect(levels()).toEqual(['debug']);
    expect(clock.pendingTimers).toBe(0);
  });

  it('cost a channel without them no request', async () => {
    const { ask, asked } = setUp({ history: ofCloses(rising), channelId: ELSEWHERE });
    expect((await ask('AAPL')).content).not.toMatch(BLOCKS);
    expect(asked).toEqual([]);
  });

  it('stand below each of three prices; more would take too many requests', async () => {
    const three = setUp({ history: ofCloses(rising) });
    expect((await three.ask('AAPL', 'MSFT', 'NVDA')).content.match(/30 daily closes/g)).toHaveLength(3);
    const four = setUp({ history: ofCloses(rising) });
    expect((await four.ask('AAPL', 'MSFT', 'NVDA', 'TSLA')).content).not.toMatch(BLOCKS);
    expect(four.asked).toEqual([]);
  });

  it('of the sample market stay marked as sample', async () => {
    const { logger } = recordingLogger();
    const clock = new ManualClock('2026-11-14T02:00:00Z');
    const answer = quotesAnswer({
      market: sampleMarket,
      symbols,
      askSparklines: askSparklines({ market: sampleMarket, clock, logger, showsSparklines: () => true }),
    });
    const { content, facts } = await answer(
      ['삼성전자'],
      { locale: 'ko', timeZone: 'Asia/Seoul', channelId: TERMINAL },
      new AbortController().signal,
    );
    expect(content).toMatch(/^최근 30거래일 종가 [▁-█]{30} [▲▼] [+-]\d+\.\d\d% · 10-\d\d – 11-13$/m);
    expect(content).toContain('11/13 종가 · 샘플');
    expect(facts.every(({ isSample }) => isSample)).toBe(true);
  });
});
