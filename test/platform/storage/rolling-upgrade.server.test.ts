import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FEATURE_TABLES } from '#src/features/tables.ts';
import { openStorage, type OpenedStorage } from '#src/platform/storage/database.ts';
import { RELEASED_MIGRATIONS } from '#src/platform/storage/migrations/index.ts';
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
const REMOVED = { '0901-removed.breaking': step('alter table health drop column note') };

type Waits = readonly { readonly role: string; readonly version: string }[];

/** Opens the database as a version with these further migrations does. */
const openAs = async (
  databaseUrl: string,
  migrations: Readonly<Record<string, Migration>> = {},
  onWait?: (older: Waits) => void,
): Promise<OpenedStorage> => {
  const storage = await openStorage({
    dataDir: temporaryDir(),
    databaseUrl,
    tables: [...FEATURE_TABLES, { tables: [], migrations }],
    onWait,
  });
  onTestFinished(storage.close);
  return storage;
};

const report = (storage: OpenedStorage, id: string, ageSeconds = 0): Promise<unknown> =>
  sql`insert into processes (id, role, version, newest_migration, channels, held, started_at, seen_at)
    values (${id}, 'worker', '0.1.0', ${storage.migrations.newest}, 'slack', 0, 'x',
      to_char((clock_timestamp() - make_interval(secs => ${ageSeconds})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  `.execute(storage.db);

describe('an old and a new version on one database', () => {
  it('work side by side after a step that only adds, also if the old one starts again', async () => {
    const url = await server.createDatabase();
    const old = await openAs(url);
    await report(old, 'old');
    const heard: Waits[] = [];
    const renewed = await openAs(url, ADDED, (older) => heard.push(older));
    expect(heard).toEqual([]);
    await Promise.all([old.checkWritable(), renewed.checkWritable(), old.migrations.check()]);
    const restarted = await openAs(url);
    await restarted.checkWritable();
    expect(renewed.migrations.newest > old.migrations.newest).toBe(true);
    // The way back and forth again does not make the step twice.
    await openAs(url, ADDED);
  });

  it('take turns where a step takes something away: it waits for the old one to end', async () => {
    const url = await server.createDatabase();
    const old = await openAs(url, ADDED);
    await report(old, 'old');
    await report(old, 'long gone', 3_600);
    const heard: Waits[] = [];
    let isOpen = false;
    const opening = openAs(url, { ...ADDED, ...REMOVED }, (older) => heard.push(older)).then((storage) => {
      isOpen = true;
      return storage;
    });
    await expect.poll(() => heard).toEqual([[{ role: 'worker', version: '0.1.0' }]]);
    await sleep(1_500);
    expect([isOpen, heard.length]).toEqual([false, 1]);
    await old.checkWritable();
    await sql`delete from processes where id = 'old'`.execute(old.db);
    await opening;
    // One that starts too late, or hung meanwhile, has to go.
    await expect(old.migrations.check()).rejects.toMatchObject({ code: 'DATABASE_NEWER' });
    await expect(openAs(url, ADDED)).rejects.toThrow('Start the newer version');
    await openAs(url, { ...ADDED, ...REMOVED });
  });

  it('need not wait on a new database', async () => {
    const heard: Waits[] = [];
    await openAs(await server.createDatabase(), { ...ADDED, ...REMOVED }, (older) => heard.push(older));
    expect(heard).toEqual([]);
  });
});

/** Old versions write into the tables that they know: nothing there may be missing, required or forbidden. */
const TAKING = [
  /\b(?:drop|rename|alter column|add constraint)\b/iu,
  /\badd column\b(?!.*\bdefault\b).*\bnot null\b/iu,
  /\bcreate unique index\b/iu,
  /^\s*(?:delete|update)\b(?!.*kysely)/iu,
];
const takes = (statement: string): boolean => TAKING.some((pattern) => pattern.test(statement));

/** Makes every step on a new database. Gives those that take something away, of the ones after the given one. */
const stepsThatTake = async (
  migrations: Readonly<Record<string, Migration>>,
  after: string,
): Promise<readonly string[]> => {
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
    if (name > after && statements.some(takes)) taking.push(name);
  }
  return taking;
};

/** The last step of the versions that had their database to themselves. */
const LAST_ALONE = '0016-transcripts';

it('every step since several processes share a database only adds something, or its name says that it does not', async () => {
  const released = await stepsThatTake(RELEASED_MIGRATIONS, LAST_ALONE);
  expect(released.filter((name) => !name.endsWith('.breaking'))).toEqual([]);
  const all = { ...RELEASED_MIGRATIONS, ...ADDED, ...REMOVED };
  expect(await stepsThatTake(all, LAST_ALONE)).toContain('0901-removed.breaking');
  const added = 'alter table inbox add column more integer';
  expect([added, `${added} not null default 0`, `${added} not null`].map(takes)).toEqual([
    false,
    false,
    true,
  ]);
});
