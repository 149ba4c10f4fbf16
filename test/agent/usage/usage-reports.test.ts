import { describe, expect, it } from 'vitest';
import { createUsageReports, UsageAggregator } from '#src/agent/usage/usage-reports.ts';
import { asId, type ChannelId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { UsagePeriod, UsageSnapshot } from '#src/kernel/agent/usage.ts';
import { MINA, readable, usageEntry, usageSnapshot, usageLedger } from '#test/support/usage.ts';
import { DAYS, setUpUsage } from './support.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { dayAround, startOfMonth } from '#src/agent/usage/periods.ts';
import { everyRow } from '#test/support/every-row.ts';

const setUp = async (at?: string, timeZone = 'Asia/Seoul') => {
  const usage = await setUpUsage(at);
  return { ...usage, reports: createUsageReports({ ...usage, timeZone }) };
};

const costOf = ({ total }: UsagePeriod): string => total.costUsd.toFixed();
const modelsOf = ({ byModel }: UsagePeriod): readonly string[] =>
  byModel.map(({ model, usage }) => `${model} ${usage.costUsd.toFixed()}`);

describe('createUsageReports', () => {
  it('tells today and the month apart, and leaves out what was before', async () => {
    const { reports, bookAt } = await setUp();
    await bookAt('2026-10-31T14:59:59.999Z', '100');
    await bookAt('2026-10-31T15:00:00Z', '10');
    await bookAt('2026-11-12T14:59:59.999Z', '1');
    await bookAt('2026-11-12T15:00:00Z', '0.1');
    await bookAt('2026-11-13T06:29:00Z', '0.2');
    for (const scope of ['all', MINA] as const) {
      const [today, month] = [await reports.today(scope), await reports.month(scope)];
      expect([costOf(today), costOf(month)]).toEqual(['0.3', '11.3']);
      expect(modelsOf(today)).toEqual(['claude-sonnet-5-5 0.3']);
      expect(modelsOf(month)).toEqual(['claude-sonnet-5-5 11.3']);
    }
  });

  it.each(DAYS)('begins today with $start at $at in $timeZone', async ({ timeZone, at, start }) => {
    const { reports, bookAt } = await setUp(at, timeZone);
    await bookAt(Temporal.Instant.from(start).subtract({ milliseconds: 1 }).toString(), '5');
    await bookAt(start, '1');
    expect(costOf(await reports.today('all'))).toBe('1');
  });

  it('goes on to the next day and the next month by itself', async () => {
    const { reports, bookAt, clock } = await setUp('2026-11-30T14:59:59Z');
    await bookAt('2026-11-30T14:59:59Z', '1');
    expect([costOf(await reports.today('all')), costOf(await reports.month('all'))]).toEqual(['1', '1']);
    await clock.advance(1_000);
    expect([costOf(await reports.today('all')), costOf(await reports.month('all'))]).toEqual(['0', '0']);
  });

  it('tells a person what that person used, and everybody what all did, in total and by model', async () => {
    const { reports, bookAt } = await setUp();
    await bookAt('2026-11-13T06:00:00Z', '1');
    await bookAt('2026-11-13T06:00:00Z', '2', { userId: asId<UserId>('jun'), model: 'gpt-6' });
    for (const report of [reports.today, reports.month]) {
      expect(costOf(await report(MINA))).toBe('1');
      expect(modelsOf(await report(MINA))).toEqual(['claude-sonnet-5-5 1']);
      expect(costOf(await report('all'))).toBe('3');
      expect(modelsOf(await report('all'))).toEqual(['gpt-6 2', 'claude-sonnet-5-5 1']);
    }
  });

  it('takes of a scope who it is, and nothing else that lies in it', async () => {
    const { reports, bookAt } = await setUp();
    await bookAt('2026-11-13T06:00:00Z', '1');
    const context = { ...MINA, sessionKey: 'another', model: 'another' };
    expect(modelsOf(await reports.today(context))).toEqual(['claude-sonnet-5-5 1']);
  });

  it('sorts the models by cost, the dearest first, then by name', async () => {
    const { reports, bookAt } = await setUp();
    for (const [model, cost] of [
      ['b', '0.1'],
      ['dear', '10'],
      ['a', '0.1'],
      ['c', '0.1'],
      ['nine', '9'],
    ] as const) {
      await bookAt('2026-11-13T06:00:00Z', cost, { model });
    }
    await bookAt('2026-11-13T06:00:00Z', '0', { model: 'unpriced', costUsd: null });
    expect(modelsOf(await reports.today('all'))).toEqual([
      'dear 10',
      'nine 9',
      'a 0.1',
      'b 0.1',
      'c 0.1',
      'unpriced 0',
    ]);
  });

  it('is empty where nothing was used', async () => {
    const { reports } = await setUp();
    expect(await reports.today(MINA)).toStrictEqual({ total: usageSnapshot(), byModel: [] });
    expect(await reports.month('all')).toStrictEqual({ total: usageSnapshot(), byModel: [] });
  });

  it('tells of one conversation all that it used, whoever asked in it and however long ago', async () => {
    const { reports, bookAt } = await setUp();
    const group = asId<SessionKey>('agent:main:slack:T1:group:all');
    await bookAt('2025-01-01T00:00:00Z', '1', { sessionKey: group });
    await bookAt('2026-11-13T06:00:00Z', '2', { sessionKey: group, userId: asId<UserId>('jun') });
    await bookAt('2026-11-13T06:00:00Z', '4');
    expect(readable(await reports.conversation(group))).toMatchObject({ requestCount: 2, costUsd: '3' });
    expect(await reports.conversation(asId<SessionKey>('another'))).toStrictEqual(usageSnapshot());
  });

  it("tells of everybody's month by provider, and of no provider that was not used in it", async () => {
    const { reports, bookAt } = await setUp();
    expect(await reports.monthByProvider()).toEqual([]);
    const openai = { provider: 'openai', model: 'gpt-6', userId: asId<UserId>('jun') } as const;
    const told = async () =>
      (await reports.monthByProvider()).map(({ provider, usage }) => [
        provider,
        usage.requestCount,
        usage.costUsd.toFixed(),
      ]);
    await bookAt('2026-10-31T14:59:59.999Z', '100', openai);
    await bookAt('2026-10-31T15:00:00Z', '1');
    await bookAt('2026-11-13T06:00:00Z', '2', { userId: asId<UserId>('jun') });
    expect(await told()).toEqual([['anthropic', 2, '3']]);
    await bookAt('2026-11-13T06:00:00Z', '0', { ...openai, costUsd: null });
    expect(await told()).toEqual([
      ['anthropic', 2, '3'],
      ['openai', 1, '0'],
    ]);
  });

  it('tells the limits that are set', async () => {
    const { aggregator, clock, reports } = await setUp();
    expect(reports.limits).toEqual({ perUserUsd: undefined, perDayUsd: undefined });
    const limits = { perUserUsd: new Decimal(1), perDayUsd: new Decimal(5) };
    expect(createUsageReports({ aggregator, clock, timeZone: 'UTC', ...limits }).limits).toEqual(limits);
  });
});

const TEAM = asId<SessionKey>('agent:main:slack:T1:channel:C1');
const DISCORD = asId<ChannelId>('discord');

/** Five requests, one an hour; each costs another power of two cents, so that a sum tells which they were. */
const recordFive = async () => {
  const setUp = await setUpUsage();
  const entries = [
    {},
    { provider: 'openai', model: 'gpt-6' },
    { sessionKey: TEAM },
    { userId: asId<UserId>('jun') },
    { channelId: DISCORD },
  ] as const;
  for (const [index, overrides] of entries.entries()) {
    const entry = usageEntry({ costUsd: new Decimal(2 ** index).div(100), ...overrides });
    await setUp.ledger.book(entry, setUp.clock.now());
    await setUp.clock.advance(3_600_000);
  }
  return setUp;
};

const cents = ({ costUsd }: UsageSnapshot): number => costUsd.times(100).toNumber();
const START = Temporal.Instant.from('2026-11-13T06:30:00Z');

describe('UsageAggregator', () => {
  it('adds up by provider, conversation and person, and in total', async () => {
    const { aggregator } = await recordFive();
    expect(cents(await aggregator.getTotal())).toBe(31);
    expect(cents(await aggregator.getByProvider('openai'))).toBe(2);
    expect(cents(await aggregator.getByProvider('anthropic'))).toBe(29);
    expect(cents(await aggregator.getBySession(TEAM))).toBe(4);
    expect(cents(await aggregator.getByUser(MINA.channelId, MINA.userId))).toBe(7);
  });

  it('does not take the same id on another platform for the same person', async () => {
    const { aggregator } = await recordFive();
    expect(cents(await aggregator.getByUser(DISCORD, MINA.userId))).toBe(16);
  });

  it('counts from the moment asked for, by the time of each request', async () => {
    const { aggregator } = await recordFive();
    const since = START.add({ hours: 1 });
    expect(cents(await aggregator.getTotal(since))).toBe(30);
    expect(cents(await aggregator.getByProvider('anthropic', since))).toBe(28);
    expect(cents(await aggregator.getBySession(TEAM, START.add({ hours: 3 })))).toBe(0);
    expect(cents(await aggregator.getByUser(MINA.channelId, MINA.userId, since))).toBe(6);
    expect(cents(await aggregator.getTotal(START.add({ hours: 24 })))).toBe(0);
  });

  it('has all of a snapshot, with failed requests and those without a price', async () => {
    const { aggregator, ledger } = await setUpUsage();
    await ledger.book(usageEntry(), START);
    await ledger.book(usageEntry({ outcome: 'failed', costUsd: null }), START);
    expect(readable(await aggregator.getTotal())).toEqual({
      requestCount: 2,
      failedCount: 1,
      unpricedCount: 1,
      inputTokens: 200,
      outputTokens: 40,
      cacheReadTokens: 600,
      cacheWriteTokens: 8,
      costUsd: '0.01',
    });
  });

  it('has zeros for what nobody knows', async () => {
    const { aggregator } = await recordFive();
    for (const sum of [
      await aggregator.getByProvider('offline'),
      await aggregator.getBySession(asId<SessionKey>("x'; drop table usage; --")),
      await aggregator.getByUser(asId<ChannelId>(''), asId<UserId>('')),
    ]) {
      expect(sum).toStrictEqual(usageSnapshot());
    }
    expect((await aggregator.getTotal()).requestCount).toBe(5);
  });

  it('lists the models that were used, narrowed as asked', async () => {
    const { aggregator } = await recordFive();
    const list = async (filter?: Parameters<UsageAggregator['listByModel']>[0]) =>
      Object.fromEntries(
        (await aggregator.listByModel(filter)).map(({ model, usage }) => [model, cents(usage)]),
      );
    expect(await list()).toEqual({ 'claude-sonnet-5-5': 29, 'gpt-6': 2 });
    expect(await list(MINA)).toEqual({ 'claude-sonnet-5-5': 5, 'gpt-6': 2 });
    expect(await list({ since: START.add({ hours: 2 }) })).toEqual({ 'claude-sonnet-5-5': 28 });
  });

  it('gives the same after a restart', async () => {
    const dataDir = temporaryDir();
    const { storage, reopen } = await sqliteStorage(dataDir);
    await usageLedger(storage).book(usageEntry(), START);
    await storage.close();
    const again = new UsageAggregator({ ledger: usageLedger(await reopen()) });
    expect(cents(await again.getTotal())).toBe(1);
  });
});

describe('dayAround', () => {
  everyRow(DAYS)('is from $start to $end at $at in $timeZone', ({ timeZone, at, start, end }) => {
    const day = dayAround(Temporal.Instant.from(at), timeZone);
    expect([day.start.toString(), day.end.toString()]).toEqual([start, end]);
  });

  it.each(['Asia/Seoul', 'America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe', 'UTC'])(
    'leaves no moment of a year out, and has none twice, in %s',
    (timeZone) => {
      let day = dayAround(Temporal.Instant.from('2026-01-01T12:00:00Z'), timeZone);
      const last = Temporal.Instant.from('2027-01-02T00:00:00Z');
      while (Temporal.Instant.compare(day.end, last) < 0) {
        const next = dayAround(day.end, timeZone);
        const beforeEnd = dayAround(day.end.subtract({ nanoseconds: 1 }), timeZone);
        expect(next.start.toString()).toBe(day.end.toString());
        expect(beforeEnd.start.toString()).toBe(day.start.toString());
        day = next;
      }
    },
  );
});

describe('startOfMonth', () => {
  it.each([
    ['2026-11-13T06:30:00Z', 'Asia/Seoul', '2026-10-31T15:00:00Z'],
    ['2026-10-31T14:59:59.999Z', 'Asia/Seoul', '2026-09-30T15:00:00Z'],
    ['2026-10-31T15:00:00Z', 'Asia/Seoul', '2026-10-31T15:00:00Z'],
    ['2026-03-31T12:00:00Z', 'America/New_York', '2026-03-01T05:00:00Z'],
    ['2026-11-30T12:00:00Z', 'America/New_York', '2026-11-01T04:00:00Z'],
    ['2027-01-01T04:59:59Z', 'America/New_York', '2026-12-01T05:00:00Z'],
  ])('at %s in %s is %s', (at, timeZone, start) => {
    expect(startOfMonth(Temporal.Instant.from(at), timeZone).toString()).toBe(start);
  });
});
