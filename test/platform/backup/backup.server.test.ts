import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCHEMA } from '#src/wiring/schema.ts';
import { makeBackup } from '#src/platform/backup/make-backup.ts';
import { moveDatabase } from '#src/platform/backup/move.ts';
import type { RestoreTarget } from '#src/platform/backup/restore.ts';
import { listBackups } from '#src/platform/backup/stored-backups.ts';
import { openStorage as openWith, type StorageOptions } from '#src/platform/storage/database.ts';
import { openStorage, type PostgresServer, startPostgres, temporaryDir } from '#test/support/database.ts';
import { secretKeyOf } from '#test/support/secret-keys.ts';
import { backUp, furnishedDirectory, NOW, onDirectory, restoreTo, SECRET_TABLES } from './fixture.ts';

const SECRET_KEY = secretKeyOf(1);

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const signal = new AbortController().signal;
const move = (from: RestoreTarget, to: RestoreTarget, secretKeys: readonly string[] = []) =>
  moveDatabase({ from, to, schema: SCHEMA, secretKeys, signal });
const sqlite = (directory: string): RestoreTarget => ({ kind: 'sqlite', directory });
const server = (databaseUrl: string): RestoreTarget => ({ kind: 'postgres', databaseUrl });

const ask = async <T extends object>(databaseUrl: string, text: string): Promise<readonly T[]> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
};

const backUpServer = (databaseUrl: string, directory: string, at = NOW) =>
  makeBackup(
    { dataDir: directory, databaseUrl, ...SCHEMA, version: '0.1.0' },
    { directory, keep: 7, keys: [] },
    { reason: 'asked', at, signal },
  );

const texts = (directory: string) =>
  onDirectory(directory, (database) => database.prepare('select * from transactions order by id').all());

it('nothing is backed up or moved from a database without data of FinClaw, and older backups stay', async () => {
  const empty = await postgres.createDatabase();
  // Of another program that uses the same library.
  const foreign = await postgres.createDatabase();
  await ask(foreign, 'create table kysely_migration (name text, timestamp text)');
  await ask(foreign, `insert into kysely_migration values ('2024-10-01-theirs', '')`);
  const older = Array.from({ length: 7 }, (_, day) => `finclaw-2026110${day + 1}T170000000Z-0.1.0.fcb`);
  for (const databaseUrl of [empty, foreign]) {
    const directory = temporaryDir();
    for (const file of older) writeFileSync(join(directory, file), 'precious');
    await expect(backUpServer(databaseUrl, directory)).rejects.toMatchObject({
      code: 'BACKUP_FAILED',
      message: expect.stringContaining('no data of FinClaw'),
    });
    expect(readdirSync(directory).toSorted()).toEqual(older);
    const target = temporaryDir();
    await expect(move(server(databaseUrl), sqlite(target))).rejects.toMatchObject({ code: 'NO_DATABASE' });
    expect(readdirSync(target)).toEqual([]);
  }
}, 30_000);

it('a version makes no backup of what a newer one has added, because it would miss it', async () => {
  const databaseUrl = await postgres.createDatabase();
  await (await openStorage({ dataDir: temporaryDir(), databaseUrl })).close();
  const directory = temporaryDir();
  await backUpServer(databaseUrl, directory);
  await ask(databaseUrl, `insert into kysely_migration values ('9999-later', '')`);
  await ask(databaseUrl, 'create table later (id text primary key)');
  const made = readdirSync(directory);
  await expect(backUpServer(databaseUrl, directory, NOW.add({ hours: 1 }))).rejects.toMatchObject({
    code: 'BACKUP_FAILED',
    message: expect.stringContaining('of a newer version of FinClaw'),
  });
  expect(readdirSync(directory)).toEqual(made);
}, 30_000);

const failing = async (): Promise<void> => {
  throw new Error('No space left');
};

it('everything is the same after a move from SQLite to PostgreSQL, a backup there, and a move back', async () => {
  const from = await furnishedDirectory();
  // A restore leaves them out.
  onDirectory(from, (database) => SECRET_TABLES.forEach((table) => database.exec(`delete from ${table}`)));
  const databaseUrl = await postgres.createDatabase();
  const there = await move(sqlite(from), server(databaseUrl), [SECRET_KEY]);
  expect(there.rows).toBeGreaterThan(100);

  const backups = temporaryDir();
  const backup = await backUpServer(databaseUrl, backups);
  const [second, third] = [await postgres.createDatabase(), join(temporaryDir(), 'third')];
  await restoreTo(server(second), backup.path, { secretKeys: [SECRET_KEY] });
  await restoreTo(sqlite(third), backup.path, { secretKeys: [SECRET_KEY] });

  const back = join(temporaryDir(), 'back');
  expect(await move(server(second), sqlite(back), [SECRET_KEY])).toEqual(there);
  // What a restore into a directory made is the same, too.
  expect(await move(sqlite(third), sqlite(join(temporaryDir(), 'copy')))).toEqual(there);
  for (const file of ['person-codes.key', 'charts/a.png', 'charts/sent-long-ago.png', 'exports/b & c.csv'])
    for (const directory of [back, third])
      expect(readFileSync(join(directory, file))).toEqual(readFileSync(join(from, file)));
  // The key of the codes does not lie open in the database.
  const [key] = await ask<{ value: string }>(databaseUrl, `select value from instance_keys`);
  expect(key?.value).toMatch(/^v1\./);
  // A copy of rows would not carry the counter of a column that numbers them.
  expect(await ask(second, `select 1 from pg_sequences where schemaname = 'public'`)).toEqual([]);
  // The program works on it.
  const opened = await openStorage({
    dataDir: temporaryDir(),
    databaseUrl: second,
    secretKeys: [SECRET_KEY],
  });
  await opened.checkWritable();
  await opened.close();
}, 60_000);

it('a backup of SQLite is restored into PostgreSQL', async () => {
  const from = await furnishedDirectory();
  const { path } = await backUp(from);
  const databaseUrl = await postgres.createDatabase();
  await restoreTo(server(databaseUrl), path);
  const files = await ask<{ kind: string; name: string }>(
    databaseUrl,
    'select kind, name from sent_files order by 1',
  );
  expect(files).toEqual([
    { kind: 'charts', name: 'a.png' },
    { kind: 'exports', name: 'b & c.csv' },
  ]);
  const moved = join(temporaryDir(), 'moved');
  await move(server(databaseUrl), sqlite(moved));
  expect(texts(moved)).toEqual(texts(from));
}, 30_000);

it('a move refuses a database in use and one that is not empty, and leaves no trace where it fails', async () => {
  const from = await furnishedDirectory();
  const databaseUrl = await postgres.createDatabase();
  // What a hosted server has in each new database is in nobody's way.
  await ask(databaseUrl, 'create view statistics as select 1 as one');
  const running = await openStorage({ dataDir: from });
  await expect(move(sqlite(from), server(databaseUrl))).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
  await running.close();

  // A text that PostgreSQL cannot store: everything before it is taken back.
  onDirectory(from, (database) => database.exec(`update usage set provider = 'a' || char(0) || 'b'`));
  await expect(move(sqlite(from), server(databaseUrl))).rejects.toThrow(/row of usage .*0x00/);
  expect(
    await ask(
      databaseUrl,
      `select 1 from information_schema.tables where table_schema = 'public' and table_type <> 'VIEW'`,
    ),
  ).toEqual([]);
  onDirectory(from, (database) => database.exec(`update usage set provider = 'b'`));
  await move(sqlite(from), server(databaseUrl));

  await expect(move(sqlite(from), server(databaseUrl))).rejects.toMatchObject({ code: 'TARGET_NOT_EMPTY' });
  await ask(
    databaseUrl,
    `insert into processes values ('p', 'all', '1', '', 0, now()::text, to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  );
  const back = temporaryDir();
  await expect(move(server(databaseUrl), sqlite(back))).rejects.toMatchObject({ code: 'DATABASE_IN_USE' });
  expect(readdirSync(back)).toEqual([]);
}, 30_000);

it('a backup is made once before the schema of a database in use is changed, and a failure changes nothing', async () => {
  const directory = temporaryDir();
  const step = '9998-more';
  const schema = { ...SCHEMA, known: { ...SCHEMA.known, [step]: { up: async () => undefined } } };
  for (const databaseUrl of [undefined, await postgres.createDatabase()]) {
    const dataDir = temporaryDir();
    const options = { dataDir, databaseUrl };
    await (await openStorage(options)).close();
    const made: string[] = [];
    const beforeUpgrade: StorageOptions['beforeUpgrade'] = async (database) => {
      const source = { ...options, ...database, version: '2' };
      const at = NOW.add({ seconds: made.length + (databaseUrl ? 60 : 0) });
      const job = { reason: 'upgrade' as const, at, signal };
      made.push((await makeBackup(source, { directory, keep: 7, keys: [] }, job)).file);
    };
    await expect(openWith({ ...options, schema, beforeUpgrade: failing })).rejects.toThrow('No space left');
    // On PostgreSQL, two processes of the new version start at the same time.
    const starts = databaseUrl === undefined ? [1] : [1, 2];
    const opened = await Promise.all(starts.map(() => openWith({ ...options, schema, beforeUpgrade })));
    await Promise.all(opened.map((storage) => storage.close()));
    expect(made).toHaveLength(1);
    const restored = join(temporaryDir(), 'restored');
    await restoreTo(sqlite(restored), join(directory, made[0] ?? ''));
    const names = onDirectory(restored, (database) =>
      database.prepare('select name from kysely_migration').all(),
    );
    expect(names.length).toBe(Object.keys(SCHEMA.known).length);
    expect(names.map(({ name }) => name)).not.toContain(step);
    expect(existsSync(join(restored, 'finclaw.sqlite'))).toBe(true);
  }
  expect((await listBackups(directory)).map(({ isFromUpgrade }) => isFromUpgrade)).toEqual([true, true]);
}, 60_000);
