import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askControl } from '#src/platform/net/control-socket.ts';
import { type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { startAsMain } from '#test/support/start-as-main.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

it('a running bot on PostgreSQL makes the backup itself, and none for somebody with another key', async () => {
  const dataDir = temporaryDir();
  const env = { FINCLAW_DATA_DIR: dataDir, DATABASE_URL: await postgres.createDatabase() };
  await startAsMain(env, temporaryDir());
  expect(await askControl(dataDir, { ask: 'backup', keyId: 'another' })).toMatchObject({
    answer: { status: 'failed', reason: expect.stringContaining('has no FINCLAW_BACKUP_KEY') },
  });
  expect(await askControl(dataDir, { ask: 'backup' })).toMatchObject({ answer: { status: 'made' } });
  expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(1);
});
