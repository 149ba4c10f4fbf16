import { describe, expect, it } from 'vitest';
import type { SourceQuote } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { quoteFacts } from '#src/markets/answers/quote-facts.ts';
import { quotesCard, quoteTable } from '#src/markets/answers/quote-table.ts';
import { describeQuote } from '#src/markets/answers/quote-text.ts';
import { lastCloseBefore, sessionOf } from '#src/markets/calendar/calendar.ts';
import { createMarket } from '#src/markets/sources/market.ts';
import type { MarketSource } from '#src/markets/sources/source.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { createLiveSource, instrumentOf, quoteOf } from './market-fixtures.ts';

const { signal } = new AbortController();
const SEOUL = { locale: 'en', timeZone: 'Asia/Seoul' } as const;
/** A Monday, half an hour after the opening of New York. */
const MONDAY = '2026-11-16T15:00:00Z';
const FRIDAY = Temporal.Instant.from('2026-11-13T21:00:00Z');

type Given = Readonly<Record<'price' | 'close', number>> & {
  readonly day?: readonly [number, number];
  readonly year?: readonly [number, number];
  readonly before?: number;
  readonly after?: number;
};

const range = ([low, high]: readonly [number, number]) => ({
  low: new Decimal(low),
  high: new Decimal(high),
});

/** The quote as people get it, from a source that has this and reports these splits. */
const ask = async (
  { price, close, day, year, before, after }: Given,
  more: {
    readonly symbol?: string;
    readonly ratio?: number;
    readonly getDays?: MarketSource['getDays'];
  } = {},
) => {
  const clock = new ManualClock(MONDAY);
  const extended = before ?? after;
  const quote = (instrument: SourceQuote['instrument']): SourceQuote =>
    quoteOf(instrument, {
      price: new Decimal(price),
      previousClose: new Decimal(close),
      ...(day && { dayRange: range(day) }),
      ...(year && { yearRange: range(year) }),
      ...(extended !== undefined && {
        extended: {
          session: before === undefined ? 'after' : 'pre',
          price: new Decimal(extended),
          asOf: clock.now(),
        },
      }),
      asOf: before === undefined ? clock.now() : FRIDAY,
    });
  const { ratio } = more;
  const getDays: MarketSource['getDays'] = async (instrument) => ({
    instrument,
    timeZone: 'America/New_York',
    bars: [],
    actions:
      ratio === undefined
        ? []
        : [{ kind: 'split', date: Temporal.PlainDate.from('2026-11-16'), ratio: new Decimal(ratio) }],
    asOf: clock.now(),
    source: 'test',
    isSample: false,
  });
  const { source } = createLiveSource({
    getQuotes: async (wanted) => wanted.map(quote),
    getDays: more.getDays ?? getDays,
  });
  const { logger } = recordingLogger();
  const market = createMarket({ sources: [source], calendar: { sessionOf, lastCloseBefore }, clock, logger });
  const asked = market.getQuotes([instrumentOf(more.symbol ?? 'GOOGL')], signal);
  // A source that never answers about its days.
  if (more.getDays) await clock.advance(2_500);
  const [result] = await asked;
  if (result?.status !== 'ok') throw new Error('no quote');
  return result.quote;
};

describe('a quote that contradicts itself', () => {
  it.each<readonly [what: string, given: Given]>([
    ['only its price is in new shares', { price: 170, close: 680, year: [550, 700] }],
    ['only its ranges are in old shares', { price: 170, close: 171, year: [550, 700] }],
    ['only its close is in new shares', { price: 680, close: 170, year: [140, 190] }],
    ['its day has prices of both kinds', { price: 170, close: 680, day: [168, 690], year: [140, 700] }],
    ['a trade is a hundred times too high', { price: 20_100, close: 201, year: [150, 210] }],
    [
      'that trade is in its ranges, too',
      { price: 20_100, close: 201, day: [200, 20_100], year: [150, 20_100] },
    ],
  ])('has no change and says why, where %s', async (_what, given) => {
    const quote = await ask(given);
    const text = describeQuote(quote, SEOUL);
    expect(text).toContain('(⚠️ check)');
    expect(text).toMatch(
      /⚠️ Please check: this price does not fit the (?:previous close|52-week range) of /u,
    );
    expect(text).not.toContain('%');
    const options = { nameOf: () => 'Alphabet', nameHead: 'Name', levelHead: 'Price' };
    expect(quoteTable([quote], options, SEOUL)).toContain('| – | ⚠️ check |');
    const card = quotesCard([quote], { ...options, title: 'List' }, SEOUL, Temporal.Instant.from(MONDAY));
    expect(card.fields[0]?.value).toContain('\n⚠️ check\n');
    const metrics = quoteFacts(quote).map(({ metric }) => metric);
    expect(metrics).not.toContain('changePercent');
    expect(metrics).not.toContain('previousClose');
  });

  it('is counted in new shares where the source reports a split of its day', async () => {
    const quote = await ask({ price: 170, close: 680, day: [168, 172], year: [550, 700] }, { ratio: 4 });
    expect(describeQuote(quote, SEOUL)).toContain(
      '$170.00 ■ $0.00 (0.00%)\nDay $168.00–$172.00 · 52 weeks $137.50–$175.00',
    );
    const other = await ask({ price: 50, close: 5, year: [3, 6] }, { ratio: 0.1 });
    expect(describeQuote(other, SEOUL)).toContain('52 weeks $30.00–$60.00');
    // A split that does not explain it.
    expect((await ask({ price: 170, close: 680 }, { ratio: 2 })).doubt).toBeDefined();
  });

  it('is none where the price moved during the day, after hours, or as much as prices move', async () => {
    for (const given of [
      { price: 100, close: 200, day: [95, 195], year: [120, 240] },
      { price: 145, close: 200, year: [150, 240] },
      { price: 200, close: 198, after: 120 },
    ] as const)
      expect(describeQuote(await ask(given), SEOUL)).not.toContain('⚠️');
    expect((await ask({ price: 0.2, close: 0.1 }, { symbol: 'SHIB-USD' })).doubt).toBeUndefined();
    expect((await ask({ price: 9_500_000, close: 95_000 }, { symbol: 'BTC-USD' })).doubt).toBeDefined();
    expect((await ask({ price: 0.1, close: 2 }, { symbol: '^TNX' })).doubt).toBeUndefined();
  });

  it('does not wait for a source that is silent about its days, or that fails', async () => {
    for (const getDays of [
      () => new Promise<never>(() => undefined),
      async () => Promise.reject(new Error('down')),
    ])
      expect((await ask({ price: 170, close: 680 }, { getDays })).doubt?.previousClose?.toNumber()).toBe(680);
  });

  it('has a pre-market price without a change, or with one from the price in new shares', async () => {
    const given = { price: 200, close: 199, before: 50.5 };
    expect(describeQuote(await ask(given), SEOUL)).toContain('pre-market $50.50 ⚠️ check · ');
    expect(quoteFacts(await ask(given)).filter(({ parameter }) => parameter === 'pre-market')).toEqual([]);
    expect(describeQuote(await ask(given, { ratio: 4 }), SEOUL)).toContain('$50.50 ▲ +$0.50 (+1.00%) · ');
  });
});
