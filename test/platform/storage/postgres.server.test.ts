import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Storage } from '#src/platform/storage/database.ts';
import { createInbox, lockMessage } from '#src/chat/store/inbox.ts';
import { createRetention } from '#src/platform/storage/retention.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import {
  freePort,
  openStorage,
  type PostgresServer,
  startPostgres,
  temporaryDir,
} from '#test/support/database.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
import { personOf } from '../../features/alerts/alerts-fixture.ts';
import { setUpApprovals } from '../../chat/store/approvals-fixture.ts';
import { describeStorageContract } from './contract.ts';
import { leftIn, rowsOf } from './rows-fixture.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describeStorageContract('PostgreSQL', () => server.storage());

const open = (databaseUrl: string): Promise<Storage> => openStorage({ dataDir: temporaryDir(), databaseUrl });

const someoneWaits = async (db: Kysely<Database>): Promise<void> => {
  const waiting = sql`select 1 from pg_locks where not granted`;
  await vi.waitUntil(async () => (await waiting.execute(db)).rows.length > 0, {
    interval: 1,
    timeout: 30_000,
  });
};

describe('the PostgreSQL database', () => {
  it('lets a run go on only when nobody is about to give its message up', async () => {
    const { db, turns, decided, turnRow } = await setUpApprovals(() => server.storage());
    const { entry, turn } = await decided();
    let reopening: Promise<boolean> = Promise.resolve(false);
    await db.transaction().execute(async (tx) => {
      await lockMessage(tx, entry.id);
      reopening = turns.reopen(turn.id, entry.id);
      await Promise.race([reopening, someoneWaits(db)]);
      expect(await turnRow(turn.id)).toMatchObject({ status: 'suspended' });
    });
    expect(await reopening).toBe(true);
    expect(await turnRow(turn.id)).toMatchObject({ status: 'open' });
  });

  it('keeps what is said in an old conversation while it is being forgotten', async () => {
    const { storage } = await server.storage();
    const rows = rowsOf(storage);
    const ancient = '2025-01-01T00:00:00Z';
    await rows.transcript('old', ancient);
    // The purge waits at this row, after it has found the conversations that are too old.
    await rows.transcript('archived', ancient, { state: 'archived', left_at: '2025-01-01T00:00:00.000Z' });
    const { events } = recordingEvents();
    const { logger } = recordingLogger();
    const retention = createRetention({
      storage,
      purgeFiles: async () => ({}),
      days: 30,
      clock: new ManualClock(),
      events,
      logger,
    });
    let purging: Promise<unknown> = Promise.resolve();
    await storage.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('transcript_entries')
        .selectAll()
        .where('state', '=', 'archived')
        .forUpdate()
        .execute();
      purging = retention.purge();
      await someoneWaits(storage.db);
      await rows.transcript('new', '2026-11-13T06:30:00Z');
    });
    await purging;
    expect(await leftIn(storage, 'transcript_entries')).toEqual(new Set(['new']));
  });

  it('can be opened for the first time by several processes at once', async () => {
    const url = await server.createDatabase();
    const storages = await Promise.all([open(url), open(url), open(url)]);
    for (const storage of storages) {
      expect(await createInbox(storage).pending()).toEqual([]);
      await storage.close();
    }
  });

  it('shares one key of the codes between processes, sealed with the secret key, and keeps it when that changes', async () => {
    const databaseUrl = await server.createDatabase();
    const ann = personOf('slack', 'U-ann');
    const codeWith = async (secretKeys: readonly string[]): Promise<string> => {
      const storage = await openStorage({ dataDir: temporaryDir(), databaseUrl, secretKeys });
      const code = storage.codes.person(ann);
      await storage.close();
      return code;
    };
    const rowOf = async (): Promise<string> => {
      const storage = await openStorage({
        dataDir: temporaryDir(),
        databaseUrl,
        secretKeys: [secretKeyOf(2)],
      });
      const { value } = await storage.db.selectFrom('instance_keys').selectAll().executeTakeFirstOrThrow();
      await storage.close();
      return value;
    };
    const [code, other] = await Promise.all([codeWith([]), codeWith([])]);
    expect(other).toBe(code);
    expect(await codeWith([secretKeyOf(1)])).toBe(code);
    expect(await codeWith([secretKeyOf(2), secretKeyOf(1)])).toBe(code);
    expect(await rowOf()).toMatch(/^v1\./);
    await expect(codeWith([secretKeyOf(1)])).rejects.toMatchObject({ code: 'SECRET_KEY_WRONG' });
    await expect(codeWith([])).rejects.toMatchObject({ code: 'SECRET_KEY_MISSING' });
  });

  it.each([
    ['nobody listens', async () => `postgres://bot:pa55-word@127.0.0.1:${await freePort()}/app`],
    ['the password is wrong', async () => `postgres://postgres:pa55-word@127.0.0.1:${server.port}/postgres`],
    ['there is no such database', async () => `${await server.createDatabase()}_missing`],
  ])('gives a sentence that says why, without the password, when %s', async (_what, addressOf) => {
    const url = await addressOf();
    const error: unknown = await open(url).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'DATABASE_UNUSABLE',
      isOperational: true,
      message: expect.stringMatching(
        /^The database cannot be used \(.+\)\. Check .*\(DATABASE_URL, unless another one was given\) is right\.$/,
      ),
    });
    expect(String(error)).not.toMatch(new RegExp(`pa55-word|${server.password}`));
  });
});
