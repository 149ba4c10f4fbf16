import { describe, expect, it } from 'vitest';
import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { createCorporateActions } from '#src/features/portfolio/corporate-actions/corporate-actions.ts';
import type { DailyHistory, Market } from '#src/markets/sources/source.ts';
import { createCorporateActionStore } from '#src/features/portfolio/store/corporate-actions.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';

const found = (name: string): Instrument => {
  const match = symbols.resolve(name);
  if (match.status !== 'found') throw new Error(name);
  return match.instrument;
};
const NVDA = found('NVDA');
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const SIGNAL = new AbortController().signal;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const bars = (
  prices: Readonly<Record<string, readonly [open: string, close: string]>>,
): DailyHistory['bars'] =>
  Object.entries(prices).map(([date, [open, close]]) => ({
    at: day(date).toZonedDateTime({ timeZone: 'America/New_York', plainTime: '09:30' }).toInstant(),
    open: new Decimal(open),
    high: new Decimal(close),
    low: new Decimal(open),
    close: new Decimal(close),
    volume: new Decimal(1),
  }));

/** A source whose events the test sets. It is a Friday, 11:00 in New York. */
const setUp = async () => {
  const clock = new ManualClock('2026-11-13T16:00:00Z');
  const { storage } = await sqliteStorage();
  const asked: string[] = [];
  const source = {
    actions: [] as CorporateAction[],
    bars: [] as DailyHistory['bars'],
    isDown: false,
    isSample: false,
    held: undefined as Promise<void> | undefined,
  };
  const market: Pick<Market, 'getDays'> = {
    getDays: async (instrument, { first, last }) => {
      asked.push(`${instrument.symbol} ${first.toString()} ${last.toString()}`);
      await source.held;
      if (source.isDown) return { status: 'unavailable', reason: 'down' };
      const isIn = ({ date }: CorporateAction): boolean =>
        Temporal.PlainDate.compare(date, first) >= 0 && Temporal.PlainDate.compare(date, last) <= 0;
      const value = {
        instrument,
        timeZone: 'America/New_York',
        bars: source.bars,
        actions: source.actions.filter(isIn),
        asOf: clock.now(),
        source: 'hand',
        isSample: source.isSample,
      };
      return { status: 'ok', value };
    },
  };
  const service = createCorporateActions({
    market,
    store: createCorporateActionStore(storage),
    clock,
    logger: { warn: () => undefined },
  });
  const since = async (first = '2024-05-20', instrument = NVDA) => {
    const result = await service.since(instrument, day(first), SIGNAL);
    if (result.status !== 'ok') return result.status;
    return result.actions.map((action) =>
      [
        action.date.toString(),
        action.kind,
        (action.kind === 'split' ? action.ratio : action.amount).toFixed(),
      ].join(' '),
    );
  };
  return { clock, source, service, since, asked };
};

const split = (date: string, ratio: string): CorporateAction => ({
  kind: 'split',
  date: day(date),
  ratio: new Decimal(ratio),
});
const dividend = (date: string, amount: string): CorporateAction => ({
  kind: 'dividend',
  date: day(date),
  amount: new Decimal(amount),
  currency: 'USD',
});

describe('splits and dividends of an instrument', () => {
  it("are fetched once for a year's trades and all waiting callers, and again after hours or for earlier days", async () => {
    const { since, source, asked, clock } = await setUp();
    source.actions = [split('2021-07-20', '4'), split('2024-06-10', '10')];
    const twenty = await Promise.all(Array.from({ length: 20 }, () => since()));
    expect(new Set(twenty.flat())).toEqual(new Set(['2024-06-10 split 10']));
    expect(await since('2024-03-01')).toEqual(['2024-06-10 split 10']);
    expect(asked).toEqual(['NVDA 2024-01-01 2026-11-13']);
    expect(await since('2021-03-01')).toEqual(['2021-07-20 split 4', '2024-06-10 split 10']);
    await clock.advance(5 * HOUR);
    await since();
    expect(asked).toHaveLength(2);
    await clock.advance(2 * HOUR);
    await since();
    expect(asked.at(-1)).toBe('NVDA 2026-09-14 2026-11-13');
    // Nothing takes effect over a weekend.
    await clock.advance(30 * HOUR);
    await since();
    expect(asked).toHaveLength(3);
    expect(await since('2021-01-01', found('BTC'))).toEqual([]);
    expect(asked).toHaveLength(3);
  });

  it('are stale at the opening where they were looked at before it, also after a half day', async () => {
    for (const [before, after] of [
      ['2026-11-16T14:00:00Z', '2026-11-16T14:31:00Z'],
      ['2026-11-27T13:00:00Z', '2026-11-27T18:30:00Z'],
    ] as const) {
      const { since, source, clock } = await setUp();
      const goTo = (at: string) =>
        clock.advance(Temporal.Instant.from(at).epochMilliseconds - clock.now().epochMilliseconds);
      await goTo(before);
      expect(await since('2026-11-02')).toEqual([]);
      source.actions = [split(before.slice(0, 10), '4')];
      await goTo(after);
      expect(await since('2026-11-02')).toEqual([`${before.slice(0, 10)} split 4`]);
    }
  });

  it('are replaced by corrections and new splits, older dividends included', async () => {
    const { since, source, service, asked, clock } = await setUp();
    source.actions = [dividend('2024-03-05', '0.04'), split('2026-11-10', '9'), dividend('2026-11-12', '1')];
    await since('2024-01-02');
    source.actions = [dividend('2024-03-05', '0.004'), split('2026-11-10', '10')];
    await clock.advance(7 * HOUR);
    expect(await since('2024-01-02')).toEqual(['2024-03-05 dividend 0.004', '2026-11-10 split 10']);
    expect(asked).toHaveLength(3);

    await clock.advance(2 * MINUTE);
    source.actions = [split('2026-11-13', '4')];
    expect(await since('2026-11-01')).toEqual(['2026-11-10 split 10']);
    const jumped = await service.lookAgain(NVDA, day('2026-11-01'), SIGNAL);
    expect(jumped.status === 'ok' && jumped.actions).toMatchObject([{ kind: 'split' }]);
    expect(await since('2026-11-01')).toEqual(['2026-11-13 split 4']);
    const count = asked.length;
    await service.lookAgain(NVDA, day('2026-11-01'), SIGNAL);
    expect(asked).toHaveLength(count);
  });

  it('never come from sample data; during an outage stored ones are used and the source is not asked every time', async () => {
    const { since, source, clock, asked } = await setUp();
    source.actions = [split('2024-06-10', '10')];
    source.isSample = true;
    expect(await since()).toBe('unavailable');
    source.isSample = false;
    expect(await since()).toBe('unavailable');
    expect(asked).toHaveLength(1);
    await clock.advance(11 * MINUTE);
    expect(await since()).toEqual(['2024-06-10 split 10']);
    source.isDown = true;
    await clock.advance(7 * HOUR);
    for (let times = 0; times < 5; times += 1) expect(await since()).toEqual(['2024-06-10 split 10']);
    expect(await since('2020-01-02')).toBe('unavailable');
    expect(asked).toHaveLength(3);
  });

  it('reach the next caller if the first did not wait, with at most twenty fetches a minute', async () => {
    const { service, since, source, asked } = await setUp();
    const { promise, resolve } = Promise.withResolvers<void>();
    source.held = promise;
    source.actions = [split('2024-06-10', '10')];
    const left = new AbortController();
    const first = service.since(NVDA, day('2024-05-20'), left.signal);
    left.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    resolve();
    expect(await since()).toEqual(['2024-06-10 split 10']);
    for (let count = 0; count < 30; count += 1) await since('2024-05-20', { ...NVDA, symbol: `X${count}` });
    expect(asked.length).toBeLessThanOrEqual(21);
  });

  it('include the close before a dividend and large price gaps without a split', async () => {
    const { service, source } = await setUp();
    source.actions = [dividend('2026-03-04', '30'), split('2026-03-10', '4')];
    source.bars = bars({
      '2026-03-02': ['100', '101'],
      '2026-03-03': ['101', '102'],
      '2026-03-04': ['60', '61'],
      '2026-03-10': ['240', '61'],
      '2026-05-04': ['30', '31'],
    });
    const result = await service.since(NVDA, day('2026-03-01'), SIGNAL);
    expect(result).toMatchObject({
      actions: [{ priceBefore: new Decimal(102) }, {}],
      gaps: [{ date: day('2026-05-04'), previousClose: new Decimal(61), open: new Decimal(30) }],
    });
  });
});
