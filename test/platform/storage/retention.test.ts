import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRetention } from '#src/platform/storage/retention.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { leftIn, rowsOf } from './rows-fixture.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const OLD = '2026-10-01T00:00:00.000Z';

const setUp = async (purgeFiles?: () => Promise<Record<string, number>>) => {
  const dataDir = temporaryDir();
  const { storage } = await sqliteStorage(dataDir);
  const clock = new ManualClock();
  const { events, payloads } = recordingEvents();
  const { logger, records } = recordingLogger();
  const purges: string[] = [];
  const retention = createRetention({
    storage,
    purgeFiles: async () => {
      purges.push(clock.now().toString());
      return (await purgeFiles?.()) ?? { conversations: 2, exports: 0 };
    },
    days: 30,
    clock,
    events,
    logger,
  });
  /** Until a purge that a timer began has come to its report. */
  const reported = async (count: number): Promise<void> => {
    await expect.poll(() => payloads('retention:purge'), { interval: 1 }).toHaveLength(count);
    // Behind the report the next one is set.
    await clock.advance(0);
  };
  return { dataDir, storage, clock, payloads, records, purges, retention, reported, rows: rowsOf(storage) };
};

describe('the purge of old data', () => {
  it('comes soon after the start, not with it, and then every day', async () => {
    const { clock, retention, reported, purges, payloads } = await setUp();
    retention.start();
    await clock.advance(MINUTE_MS - 1);
    expect(payloads('retention:purge')).toEqual([]);
    await clock.advance(1);
    await reported(1);
    await clock.advance(DAY_MS - 1);
    expect(payloads('retention:purge')).toHaveLength(1);
    await clock.advance(1);
    await reported(2);
    await clock.advance(DAY_MS);
    await reported(3);
    await retention.stop();
    expect(purges).toEqual(['2026-11-13T06:31:00Z', '2026-11-14T06:31:00Z', '2026-11-15T06:31:00Z']);
  });

  it('reports the rows and the files that it removed', async () => {
    const { retention, payloads, rows } = await setUp();
    await rows.inbox({ settled_at: OLD });
    await rows.usage({ at: OLD });
    const removed = await retention.purge();
    expect(removed).toEqual({
      inbox: 1,
      outbox: 0,
      live_messages: 0,
      erased_events: 0,
      listings: 0,
      turns: 0,
      approvals: 0,
      notifications: 0,
      usage: 1,
      pairings: 0,
      awaited_inputs: 0,
      budget_days: 0,
      dead_letters: 0,
      alerts: 0,
      alert_firings: 0,
      home_visits: 0,
      feedback: 0,
      audit: 0,
      pending_imports: 0,
      link_codes: 0,
      link_questions: 0,
      processes: 0,
      session_holders: 0,
      sent_files: 0,
      usage_days: 0,
      usage_day_totals: 0,
      support_shares: 0,
      support_reads: 0,
      operator_codes: 0,
      operator_sessions: 0,
      conversations: 2,
      exports: 0,
    });
    expect(payloads('retention:purge')).toEqual([{ removed }]);
  });

  it('leaves no word of what it removed in the database or its log', async () => {
    const { dataDir, retention, rows } = await setUp();
    const held = (name: string): boolean => readFileSync(join(dataDir, name)).includes('canary-5c1e');
    await rows.inbox({ settled_at: OLD, message: '{"body":"canary-5c1e"}' });
    expect(held('finclaw.sqlite-wal')).toBe(true);
    await retention.purge();
    expect([held('finclaw.sqlite-wal'), held('finclaw.sqlite')]).toEqual([false, false]);
  });

  it('goes on with the rest where something fails, says so, and tries again a day later', async () => {
    const failures = [new Error('no such disk')];
    const { clock, retention, reported, records, storage, rows } = await setUp(async () => {
      const failure = failures.pop();
      if (failure) throw failure;
      return {};
    });
    await storage.db.schema.dropTable('approvals').execute();
    await rows.usage({ at: OLD });
    retention.start();
    await clock.advance(MINUTE_MS);
    await reported(1);
    expect((await leftIn(storage, 'usage')).size).toBe(0);
    const record = records().find(({ message }) => message.startsWith('Old data'));
    expect(record?.message).toBe('Old data could not be removed; the next attempt is in a day');
    expect(JSON.stringify(record)).toMatch(/no such table: approvals.*no such disk/);
    await clock.advance(DAY_MS);
    await reported(2);
    await retention.stop();
    expect(failures).toEqual([]);
  });

  it('rejects, when it was asked for, with what failed', async () => {
    const { retention } = await setUp(() => Promise.reject(new Error('no such disk')));
    await expect(retention.purge()).rejects.toMatchObject({
      errors: [expect.objectContaining({ message: 'no such disk' })],
    });
    await expect(retention.purge()).rejects.toThrow();
  });

  it('is made once where two ask for it', async () => {
    const { retention, payloads } = await setUp();
    const [one, other] = await Promise.all([retention.purge(), retention.purge()]);
    expect(one).toBe(other);
    expect(payloads('retention:purge')).toHaveLength(1);
  });
});

describe('the end of it', () => {
  it('leaves no timer, before the first purge and after', async () => {
    const early = await setUp();
    early.retention.start();
    await early.retention.stop();
    expect(early.clock.pendingTimers).toBe(0);
    const late = await setUp();
    late.retention.start();
    await late.clock.advance(MINUTE_MS);
    await late.reported(1);
    await late.retention.stop();
    expect(late.clock.pendingTimers).toBe(0);
    await late.clock.advance(3 * DAY_MS);
    expect(late.payloads('retention:purge')).toHaveLength(1);
  });

  it('waits for the step that is under way, not for those behind it', async () => {
    const { clock, retention, rows, storage, purges } = await setUp();
    const first = await rows.usage({ at: OLD });
    const { id: _id, ...row } = await storage.db
      .selectFrom('usage')
      .select([
        'id',
        'at',
        'channel_id',
        'user_id',
        'session_key',
        'provider',
        'model',
        'profile_id',
        'outcome',
      ])
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    const tokens = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
    const copies = Array.from({ length: 999 }, (_, index) => ({
      ...row,
      ...tokens,
      id: `${first}-${index}`,
    }));
    await storage.db.insertInto('usage').values(copies).execute();
    retention.start();
    await clock.advance(MINUTE_MS);
    for (let tries = 0; tries < 2_000 && clock.pendingTimers === 0; tries += 1)
      await new Promise((resolve) => void setImmediate(resolve));
    await retention.stop();
    expect((await leftIn(storage, 'usage')).size).toBe(800);
    expect(purges).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });
});
