import { describe, expect, it } from 'vitest';
import { createBudget } from '#src/agent/usage/budget.ts';
import { asId, type ChannelId, type UserId } from '#src/core/ids.ts';
import { Decimal } from '#src/core/money.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { MINA } from '#test/support/usage.ts';
import { DAYS, setUpUsage } from './support.ts';

const NOW = '2026-11-13T06:30:00Z';
const JUN = asId<UserId>('jun');

interface Limits {
  readonly perDayUsd?: string;
  readonly perUserUsd?: string;
}

const setUp = async ({ perDayUsd, perUserUsd }: Limits, at = NOW, timeZone = 'Asia/Seoul') => {
  const usage = await setUpUsage(at);
  const budget = createBudget({
    aggregator: usage.aggregator,
    clock: usage.clock,
    erasedUserId: usage.storage.codes.erasedUserId,
    timeZone,
    ...(perDayUsd === undefined ? {} : { perDayUsd: new Decimal(perDayUsd) }),
    ...(perUserUsd === undefined ? {} : { perUserUsd: new Decimal(perUserUsd) }),
  });
  /** What Mina is told; amounts as text. */
  const ask = async (channelId = MINA.channelId, userId = MINA.userId) => {
    const found = await budget.check(channelId, userId);
    if (found.verdict === 'ok') return 'ok';
    return { ...found, limitUsd: found.limitUsd.toFixed(), spentUsd: found.spentUsd.toFixed() };
  };
  return { ...usage, budget, ask };
};

const refuse = () => Promise.reject(new Error('asked'));

const erasedUserId = (): UserId => asId<UserId>('erased:0');

describe('createBudget', () => {
  it('asks the ledger nothing where no limit is set', async () => {
    const aggregator = { getByUser: refuse, getTotal: refuse };
    const clock = new ManualClock();
    const free = createBudget({ aggregator, clock, erasedUserId, timeZone: 'Asia/Seoul' });
    expect(await free.check(MINA.channelId, MINA.userId)).toEqual({ verdict: 'ok' });
    const limited = createBudget({
      aggregator,
      clock,
      erasedUserId,
      timeZone: 'Asia/Seoul',
      perDayUsd: new Decimal(1),
    });
    await expect(limited.check(MINA.channelId, MINA.userId)).rejects.toThrow('asked');
  });

  it.each([
    { perUserUsd: '0.3', costs: ['0.1', '0.2'], isOver: true },
    { perUserUsd: '0.300000000001', costs: ['0.1', '0.2'], isOver: false },
    { perUserUsd: '0.3', costs: ['0.1', '0.199999999999'], isOver: false },
    { perUserUsd: '0.3', costs: ['0.5'], isOver: true },
    { perUserUsd: '0.3', costs: [], isOver: false },
    { perUserUsd: '0', costs: [], isOver: true },
    { perUserUsd: '9007.199254740993', costs: ['9007.199254740992'], isOver: false },
  ])('is reached at $perUserUsd after $costs: $isOver', async ({ perUserUsd, costs, isOver }) => {
    const { ask, bookAt } = await setUp({ perUserUsd });
    for (const cost of costs) await bookAt(NOW, cost);
    expect((await ask()) !== 'ok').toBe(isOver);
  });

  it('says whose limit it was, how high it is, what was spent, and when it begins anew', async () => {
    const { ask, bookAt } = await setUp({ perUserUsd: '0.5', perDayUsd: '2' });
    await bookAt(NOW, '0.75');
    expect(await ask()).toEqual({
      verdict: 'exceeded',
      scope: 'user',
      limitUsd: '0.5',
      spentUsd: '0.75',
      resetsAt: Temporal.Instant.from('2026-11-13T15:00:00Z'),
    });
    await bookAt(NOW, '1.5', { userId: JUN, channelId: asId<ChannelId>('discord') });
    expect(await ask(MINA.channelId, asId<UserId>('new'))).toMatchObject({
      verdict: 'exceeded',
      scope: 'all',
      limitUsd: '2',
      spentUsd: '2.25',
    });
    expect(await ask()).toMatchObject({ scope: 'user' });
  });

  it('counts for a person only what that person used, on that platform', async () => {
    const { ask, bookAt } = await setUp({ perUserUsd: '1' });
    await bookAt(NOW, '5', { userId: JUN });
    await bookAt(NOW, '5', { channelId: asId<ChannelId>('discord') });
    expect(await ask()).toBe('ok');
    expect(await ask(MINA.channelId, JUN)).toMatchObject({ scope: 'user' });
  });

  it('does not count requests without a price', async () => {
    const { ask, bookAt } = await setUp({ perUserUsd: '1', perDayUsd: '1' });
    await bookAt(NOW, '0', { costUsd: null });
    expect(await ask()).toBe('ok');
  });

  it.each(DAYS)(
    'counts from $start to $end at $at in $timeZone, and begins anew then',
    async ({ timeZone, at, start, end }) => {
      const { ask, bookAt } = await setUp({ perDayUsd: '1' }, at, timeZone);
      const justBefore = Temporal.Instant.from(start).subtract({ milliseconds: 1 }).toString();
      await bookAt(justBefore, '5');
      expect(await ask()).toBe('ok');
      await bookAt(start, '1');
      expect(await ask()).toMatchObject({
        scope: 'all',
        spentUsd: '1',
        resetsAt: Temporal.Instant.from(end),
      });
    },
  );

  it.each(DAYS)(
    'is over until just before $end, and free again then, in $timeZone',
    async ({ timeZone, at, end }) => {
      const { ask, bookAt, clock } = await setUp({ perUserUsd: '1' }, at, timeZone);
      await bookAt(at, '1');
      const toEndMs =
        Temporal.Instant.from(end).epochMilliseconds - Temporal.Instant.from(at).epochMilliseconds;
      await clock.advance(toEndMs - 1);
      expect(await ask()).not.toBe('ok');
      await clock.advance(1);
      expect(await ask()).toBe('ok');
    },
  );
});
