import { describe, expect, it } from 'vitest';
import { UsageAggregator } from '#src/agent/usage/usage-reports.ts';
import { asId, type ChannelId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { UsageSnapshot } from '#src/kernel/ports.ts';
import { createUsageLedger } from '#src/platform/storage/usage.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { MINA, readable, usageEntry, usageSnapshot } from '#test/support/usage.ts';
import { setUpUsage } from './support.ts';

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
    await createUsageLedger(storage.db).book(usageEntry(), START);
    await storage.close();
    const again = new UsageAggregator({ ledger: createUsageLedger((await reopen()).db) });
    expect(cents(await again.getTotal())).toBe(1);
  });
});
