import { readdirSync } from 'node:fs';
import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createSecretBox } from '#src/platform/files/secret-box.ts';
import { createMigrations } from '#src/platform/storage/migrate.ts';
import { openPool } from '#src/platform/storage/postgres.ts';
import type { Database } from '#src/platform/storage/schema.ts';
import { type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { oldSteps, OLD_SECRET_KEY } from '#test/support/old-directory.ts';
import { runDoctor } from '#test/support/run-doctor.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
import { startAsMain } from '#test/support/start-as-main.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** A database of an older version, whose key of codes is sealed. Gives its address, and how to look at its schema. */
const oldDatabase = async () => {
  const databaseUrl = await postgres.createDatabase();
  const pool = await openPool(databaseUrl);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  await createMigrations(db, oldSteps(), { isPostgres: true }).run();
  const value = createSecretBox([OLD_SECRET_KEY]).seal(
    'person-codes',
    Buffer.alloc(32, 7).toString('base64'),
  );
  await db.insertInto('instance_keys').values({ id: 'person-codes', value }).execute();
  const schema = async (): Promise<readonly unknown[]> => {
    const { rows } = await pool.query(
      `select table_schema, table_name from information_schema.tables
         where table_schema not in ('pg_catalog', 'information_schema')
       union all select 'step', name from kysely_migration
       union all select 'key', value from instance_keys order by 1, 2`,
    );
    return rows;
  };
  return { databaseUrl, pool, schema };
};

it.each([
  [{}, 'SECRET_KEY_MISSING', /This database was used with a FINCLAW_SECRET_KEY, and none is set/],
  [{ FINCLAW_SECRET_KEY: secretKeyOf(1) }, 'SECRET_KEY_WRONG', /not the one it was sealed with/],
] as const)(
  'a secret key that does not fit PostgreSQL refuses the start of a new version before it changes a table: %j',
  async (key, code, sentence) => {
    const { databaseUrl, schema } = await oldDatabase();
    const before = await schema();
    const dataDir = temporaryDir();
    const env = { ...key, DATABASE_URL: databaseUrl, FINCLAW_DATA_DIR: dataDir };
    await expect(startAsMain(env, temporaryDir())).rejects.toMatchObject({ code, isOperational: true });
    const { output, code: ended } = await runDoctor(env, temporaryDir());
    expect(output.match(/^✖ .*/gm)).toEqual([expect.stringMatching(sentence)]);
    expect(ended).toBe(1);
    expect(await schema()).toEqual(before);
    expect(readdirSync(dataDir)).toEqual([]);
  },
);

it('a terminal beside another one refuses to start before it changes a table, which is no fault for the doctor', async () => {
  const { databaseUrl, pool, schema } = await oldDatabase();
  const before = await schema();
  const other = await pool.connect();
  onTestFinished(() => other.release());
  await other.query(`select pg_advisory_lock(4627114, hashtext('terminal chat'))`);
  const env = {
    FINCLAW_SECRET_KEY: OLD_SECRET_KEY,
    DATABASE_URL: databaseUrl,
    FINCLAW_DATA_DIR: temporaryDir(),
  };
  await expect(startAsMain(env, temporaryDir())).rejects.toMatchObject({
    code: 'TERMINAL_IN_USE',
    isOperational: true,
  });
  const { output, code } = await runDoctor(env, temporaryDir());
  expect(output).toMatch(/^• Database: PostgreSQL is in use by a running FinClaw/m);
  expect(code).toBe(0);
  expect(await schema()).toEqual(before);
});
