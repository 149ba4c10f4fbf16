import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { SCHEMA } from '#src/wiring/schema.ts';
import { openStorage, type OpenedStorage } from '#src/platform/storage/database.ts';
import { type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const step = (text: string): Migration => ({
  up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)),
});
const ADDED = { '0900-added': step('alter table health add column note text') };
const REMOVED = { '0901-removed': step('alter table health drop column note') };

/** Opens the database as a version with these further migrations does. */
const openAs = async (
  databaseUrl: string,
  migrations: Readonly<Record<string, Migration>> = {},
): Promise<OpenedStorage> => {
  const storage = await openStorage({
    dataDir: temporaryDir(),
    databaseUrl,
    schema: { ...SCHEMA, known: { ...SCHEMA.known, ...migrations } },
  });
  onTestFinished(storage.close);
  return storage;
};

it('an old and a new version work side by side on one database, also if the old one starts again', async () => {
  const url = await server.createDatabase();
  const old = await openAs(url);
  const renewed = await openAs(url, ADDED);
  await Promise.all([old.checkWritable(), renewed.checkWritable()]);
  const restarted = await openAs(url);
  await restarted.checkWritable();
  // The way back and forth again does not make the step twice.
  await openAs(url, ADDED);
});

/** Old versions write into the tables that they know: nothing there may be missing, required or forbidden. */
const TAKING = [
  /\b(?:drop|rename|alter column|add constraint)\b/iu,
  /\badd column\b(?!.*\bdefault\b).*\bnot null\b/iu,
  /\bcreate unique index\b/iu,
  /^\s*(?:delete|update)\b(?!.*kysely)/iu,
];
const takes = (statement: string): boolean => TAKING.some((pattern) => pattern.test(statement));

/** Makes every step on a new database. Gives those that take something away. */
const stepsThatTake = async (migrations: Readonly<Record<string, Migration>>): Promise<readonly string[]> => {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: await server.createDatabase() }) }),
    log: ({ query }) => void statements.push(query.sql),
  });
  onTestFinished(() => db.destroy());
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const taking: string[] = [];
  for (const name of Object.keys(migrations).toSorted()) {
    statements.length = 0;
    expect((await migrator.migrateTo(name)).error).toBeUndefined();
    if (statements.some(takes)) taking.push(name);
  }
  return taking;
};

it('every step only adds something', async () => {
  expect(await stepsThatTake(SCHEMA.known)).toEqual([]);
  expect(await stepsThatTake({ ...SCHEMA.known, ...ADDED, ...REMOVED })).toEqual(['0901-removed']);
  const added = 'alter table inbox add column more integer';
  expect([added, `${added} not null default 0`, `${added} not null`].map(takes)).toEqual([
    false,
    false,
    true,
  ]);
});
