import { describe, expect, it } from 'vitest';
import { createUsageReports } from '#src/agent/usage/usage-reports.ts';
import { asId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { UsagePeriod } from '#src/kernel/ports.ts';
import { MINA, readable, usageSnapshot } from '#test/support/usage.ts';
import { DAYS, setUpUsage } from './support.ts';

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
