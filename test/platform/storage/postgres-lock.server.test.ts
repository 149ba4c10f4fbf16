import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { holdPostgresLock } from '#src/platform/storage/postgres-lock.ts';
import { recordingLogger } from '#test/support/context.ts';
import { freePort, type PostgresServer, startPostgres } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const IN_USE = { code: 'DATA_DIR_IN_USE', isOperational: true };
const RETRY_MS = 5_000;

const hold = async (databaseUrl: string, clock = new ManualClock()) => {
  const { logger, records } = recordingLogger();
  const lock = await holdPostgresLock(databaseUrl, { clock, logger });
  onTestFinished(lock.release);
  return { ...lock, clock, messages: () => records().map(({ level, message }) => `${level} ${message}`) };
};

/** Ends every session that holds an advisory lock, as a restart of the server would. */
const cutConnections = async (databaseUrl: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'");
  await client.end();
};

describe('the lock on a PostgreSQL database', () => {
  it('is held by one process at a time, and by each database for itself', async () => {
    const databaseUrl = await server.createDatabase();
    const first = await hold(databaseUrl);
    await expect(hold(databaseUrl)).rejects.toMatchObject(IN_USE);
    await hold(await server.createDatabase());
    await first.release();
    await hold(databaseUrl);
  });

  it('is taken again when its connection is lost', async () => {
    const databaseUrl = await server.createDatabase();
    const { clock, messages } = await hold(databaseUrl);
    await cutConnections(databaseUrl);
    await vi.waitUntil(() => clock.pendingTimers === 1);
    await clock.advance(RETRY_MS);
    await vi.waitUntil(() => messages().length > 0);
    expect(messages()).toEqual(['INFO The lock on the database is held again']);
    await expect(hold(databaseUrl)).rejects.toMatchObject(IN_USE);
  });

  it('is logged once as an error when another process has it by then, and taken when that one stops', async () => {
    const databaseUrl = await server.createDatabase();
    const { clock, messages } = await hold(databaseUrl);
    await cutConnections(databaseUrl);
    await vi.waitUntil(() => clock.pendingTimers === 1);
    const other = await hold(databaseUrl);
    for (let tries = 0; tries < 3; tries += 1) {
      await clock.advance(RETRY_MS);
      await vi.waitUntil(() => clock.pendingTimers === 1);
    }
    expect(messages()).toEqual([
      expect.stringContaining('ERROR The lock on the database was lost, and another session holds it.'),
    ]);
    await other.release();
    await clock.advance(RETRY_MS);
    await vi.waitUntil(() => messages().length === 2);
    expect(messages()[1]).toBe('INFO The lock on the database is held again');
  });

  it('is not taken again once it was released', async () => {
    const databaseUrl = await server.createDatabase();
    const { clock, release } = await hold(databaseUrl);
    await cutConnections(databaseUrl);
    await vi.waitUntil(() => clock.pendingTimers === 1);
    await release();
    expect(clock.pendingTimers).toBe(0);
    await hold(databaseUrl);
  });

  it('gives a sentence without the password when the server cannot be reached', async () => {
    const url = `postgres://bot:pa55-word@127.0.0.1:${await freePort()}/app`;
    const error: unknown = await hold(url).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'DATABASE_UNUSABLE', isOperational: true });
    expect(String(error)).not.toContain('pa55-word');
  });
});
