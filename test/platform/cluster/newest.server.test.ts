import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { createProcessBus } from '#src/platform/cluster/process-bus.ts';
import { createAsNewest } from '#src/platform/cluster/newest.ts';
import { createProcesses } from '#src/platform/cluster/processes.ts';
import { openPool } from '#src/platform/storage/postgres.ts';
import { recordingLogger } from '#test/support/context.ts';
import { openStorage, type PostgresServer, startPostgres } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const OLD = '0.1.0 (aaaaaaaa, 2026-11-18T00:00:00Z)';
const NEW = '0.1.0 (bbbbbbbb, 2026-11-19T00:00:00Z)';
const GONE_MS = 15_000;

let server: PostgresServer;
let databaseUrl: string;
let admin: Client;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  databaseUrl = await server.createDatabase();
  await (await openStorage({ dataDir: tmpdir(), databaseUrl })).close();
  admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  onTestFinished(() => admin.end());
});

/** How often a process was called to work, and whether it might write. */
type Calls = readonly boolean[];

const openProcess = async (id: string, version: string) => {
  const pool = await openPool(databaseUrl);
  onTestFinished(() => pool.end());
  const { logger, records } = recordingLogger();
  const bus = createProcessBus({ connectionString: databaseUrl, pool, clock: systemClock, logger });
  await bus.start();
  onTestFinished(bus.stop);
  const processes = createProcesses({
    self: { id, role: 'all', version, channels: ['discord'] },
    undivided: new Set(),
    sessions: () => 0,
    pool,
    bus,
    // The clocks of machines differ by years here: only that of the database counts.
    clock: id === 'new' ? new ManualClock('2001-01-01T00:00:00Z') : systemClock,
    logger,
  });
  await processes.start();
  onTestFinished(processes.stop);
  const clock = new ManualClock();
  const asNewest = createAsNewest({ processes, bus, clock, logger });
  /** Begins the work; `ended` resolves when it is over for good. */
  const begin = (work: () => Promise<void> = async () => undefined) => {
    const calls: boolean[] = [];
    const stopping = new AbortController();
    const ended = asNewest(
      'commands',
      async (mayWrite) => {
        calls.push(mayWrite);
        await work();
      },
      stopping.signal,
    );
    return { calls: calls as Calls, ended, stopping };
  };
  return { ...processes, clock, records, begin };
};

describe('what all processes would write in the same place', () => {
  it('is written by the newest version that lives, and by no older one, also when that starts later', async () => {
    const newer = await openProcess('new', NEW);
    const before = await openProcess('old', OLD);
    for (const old of [before, await openProcess('restarted', OLD)]) {
      const { calls, ended } = old.begin();
      await expect.poll(() => old.clock.pendingTimers).toBe(1);
      await old.clock.advance(GONE_MS);
      await ended;
      expect(calls).toEqual([false, false]);
      expect(old.records()).toMatchObject([
        { message: expect.stringContaining('A newer version runs'), task: 'commands', newer: NEW },
      ]);
    }
    const { calls, ended } = newer.begin();
    await ended;
    expect(calls).toEqual([true]);
  });

  it('is written by an old version that starts when the newer ones have stopped', async () => {
    const newer = await openProcess('new', NEW);
    await newer.stop();
    const { calls, ended } = (await openProcess('old', OLD)).begin();
    await ended;
    expect(calls).toEqual([true]);
  });

  it('is written by an old version as soon as it is certain that the newer one was killed', async () => {
    const old = await openProcess('old', OLD);
    await admin.query(
      `insert into processes (id, role, version, channels, held, started_at, seen_at)
       select 'killed', role, $1, channels, held, started_at, seen_at from processes`,
      [NEW],
    );
    const { calls, ended } = old.begin();
    await expect.poll(() => old.clock.pendingTimers).toBe(1);
    await admin.query(`update processes set seen_at = '2026-01-01T00:00:00.000Z' where id = 'killed'`);
    await old.clock.advance(GONE_MS);
    await ended;
    expect(calls).toEqual([false, true]);
  });

  it('is written by one process at a time, and no more by one that stops', async () => {
    const all = [await openProcess('one', NEW), await openProcess('two', NEW)] as const;
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const first = all[0].begin(() => held);
    await expect.poll(() => first.calls).toEqual([true]);
    const [second, third] = [all[1].begin(), all[1].begin()];
    await expect.poll(() => all[1].clock.pendingTimers).toBe(1);
    second.stopping.abort(new Error('the bot is stopping'));
    await expect(second.ended).rejects.toThrow('the bot is stopping');
    await expect.poll(() => all[1].clock.pendingTimers).toBe(1);
    letGo();
    await first.ended;
    await all[1].clock.advance(250);
    await third.ended;
    expect([second.calls, third.calls]).toEqual([[], [true]]);
  });
});
