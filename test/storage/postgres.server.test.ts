import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage, type Storage } from '#src/storage/database.ts';
import { createInbox } from '#src/storage/inbox.ts';
import { freePort, type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { describeStorageContract } from './contract.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describeStorageContract('PostgreSQL', () => server.storage());

const open = (databaseUrl: string): Promise<Storage> => openStorage({ dataDir: temporaryDir(), databaseUrl });

describe('the PostgreSQL database', () => {
  it('can be opened for the first time by several processes at once', async () => {
    const url = await server.createDatabase();
    const storages = await Promise.all([open(url), open(url), open(url)]);
    for (const storage of storages) {
      expect(await createInbox(storage.db).pending()).toEqual([]);
      await storage.close();
    }
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
        /^The database cannot be used \(.+\)\. Check .*DATABASE_URL is right\.$/,
      ),
    });
    expect(String(error)).not.toMatch(new RegExp(`pa55-word|${server.password}`));
  });
});
