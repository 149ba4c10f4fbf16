import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureDataDir } from '#src/platform/storage/database.ts';
import { createInbox } from '#src/chat/store/inbox.ts';
import { openSqlite } from '#src/platform/storage/sqlite.ts';
import { openStorage, sqliteStorage, TABLES, temporaryDir } from '#test/support/database.ts';
import { describeStorageContract } from './contract.ts';

describeStorageContract('SQLite', sqliteStorage);

const IN_USE = { code: 'DATA_DIR_IN_USE', isOperational: true };

describe('the descriptors of tables', () => {
  it('name the primary keys, by which rows are purged and found by their children', async () => {
    const { storage } = await sqliteStorage();
    const { rows } = await sql<{ name: string; key: string }>`
      select tables.name as name, columns.name as key from sqlite_master as tables
      join pragma_table_info(tables.name) as columns on columns.pk > 0
      where tables.type = 'table' order by columns.pk`.execute(storage.db);
    const keys = Map.groupBy(rows, ({ name }) => name);
    const wrong = TABLES.filter(
      ({ name, key }) =>
        key.join() !==
        keys
          .get(name)
          ?.map((column) => column.key)
          .join(),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('the SQLite file', () => {
  it('has a log that commits only append to, and that is flushed by itself', async () => {
    const { storage } = await sqliteStorage();
    const pragma = async (name: string): Promise<unknown> => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(storage.db);
      return Object.values(rows[0] ?? {})[0];
    };
    const NORMAL = 1;
    expect([await pragma('journal_mode'), await pragma('synchronous')]).toEqual(['wal', NORMAL]);
  });

  it('stores the entries of a conversation together, so that loading it reads nothing of others', async () => {
    const { storage } = await sqliteStorage();
    const { rows } = await sql<{ detail: string }>`
      explain query plan select message from transcript_entries
      where session_key = 'a' and state = 'current' order by position, version`.execute(storage.db);
    // Where rows lie apart from their key, it would be an index that is searched.
    expect(rows.map(({ detail }) => detail)).toEqual([
      'SEARCH transcript_entries USING PRIMARY KEY (session_key=? AND state=?)',
    ]);
  });

  it('says so when its log cannot be flushed', async () => {
    const dataDir = temporaryDir();
    const path = join(dataDir, 'x.sqlite');
    const { dialect, flush } = openSqlite(path);
    const db = new Kysely({ dialect });
    onTestFinished(() => db.destroy());
    await sql`create table one (id text)`.execute(db);
    rmSync(`${path}-wal`);
    await expect(flush()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('flushes all that was committed, and again after its log was emptied', async () => {
    const path = join(temporaryDir(), 'x.sqlite');
    const { dialect, flush } = openSqlite(path);
    const db = new Kysely({ dialect });
    onTestFinished(() => db.destroy());
    await sql`create table one (id text)`.execute(db);
    await expect(flush()).resolves.toBeUndefined();
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
    await sql`insert into one values ('a')`.execute(db);
    await expect(flush()).resolves.toBeUndefined();
  });

  it('leaves not a byte of what was deleted in the file', async () => {
    const dataDir = temporaryDir();
    const { storage } = await sqliteStorage(dataDir);
    const rows = Array.from({ length: 50 }, (_, index) => ({
      channel_id: 'slack',
      user_id: `U${index}`,
      profile: JSON.stringify({ note: `${'private words '.repeat(40)}${index}` }),
      updated_at: '2026-11-13T06:30:00.000Z',
    }));
    await storage.write((tx) => tx.insertInto('profiles').values(rows).execute());
    await storage.write((tx) => tx.deleteFrom('profiles').execute());
    await storage.close();
    expect(readFileSync(join(dataDir, 'finclaw.sqlite'), 'latin1')).not.toContain('private words');
  });

  it('is not ready while it takes no writes, though it can be read, and is again afterwards', async () => {
    const { storage } = await sqliteStorage();
    await sql`pragma query_only = on`.execute(storage.db);
    expect(await createInbox(storage).pending()).toEqual([]);
    await expect(storage.checkWritable()).rejects.toThrow('readonly');
    await sql`pragma query_only = off`.execute(storage.db);
    await expect(storage.checkWritable()).resolves.toBeUndefined();
  });

  it('is refused to a second opening with a sentence, and free again after closing', async () => {
    const dataDir = temporaryDir();
    const { storage, reopen } = await sqliteStorage(dataDir);
    await expect(reopen()).rejects.toMatchObject({
      ...IN_USE,
      message: `Another FinClaw is running on ${join(dataDir, 'finclaw.sqlite')}. Stop it first, or give this one its own FINCLAW_DATA_DIR.`,
    });
    await expect(storage.checkWritable()).resolves.toBeUndefined();
    await storage.close();
    await expect((await reopen()).checkWritable()).resolves.toBeUndefined();
  });

  it.each([
    ['a file that is no database', (path: string) => writeFileSync(path, 'not a database, '.repeat(100))],
    ['a directory', (path: string) => mkdirSync(path)],
  ])('gives a sentence with its path when it is %s', async (_what, make) => {
    const dataDir = temporaryDir();
    const path = join(dataDir, 'finclaw.sqlite');
    make(path);
    await expect(openStorage({ dataDir })).rejects.toMatchObject({
      code: 'DATABASE_UNUSABLE',
      isOperational: true,
      message: expect.stringMatching(
        new RegExp(`^The database ${path} cannot be opened \\(.+\\)\\. Check that the disk is not full`),
      ),
    });
  });

  it('leaves a file that is no database as it found it', async () => {
    const dataDir = temporaryDir();
    const path = join(dataDir, 'finclaw.sqlite');
    writeFileSync(path, 'precious notes, not a database '.repeat(50));
    const before = readFileSync(path, 'utf8');
    await expect(openStorage({ dataDir })).rejects.toThrow();
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

const moduleUrl = (path: string): string => new URL(`../../../${path}`, import.meta.url).href;

/** Another process that accepts one message, says so, and then holds the database until it is killed. */
const HOLDER = `
  import { openStorage } from '${moduleUrl('src/platform/storage/database.ts')}';
  import { SCHEMA } from '${moduleUrl('src/wiring/schema.ts')}';
  import { createInbox } from '${moduleUrl('src/chat/store/inbox.ts')}';
  const storage = await openStorage({ dataDir: process.argv[1], schema: SCHEMA });
  const id = '00000000-0000-7000-8000-000000000001';
  const message = {
    id: 'event', messageId: 'message', channelId: 'console', accountId: 'local', chatId: 'me',
    chatType: 'direct', senderId: 'me', senderName: 'Me', senderRoles: [], isFromSelf: false,
    body: 'written before the kill', timestamp: Temporal.Now.instant(),
  };
  const match = { agentId: 'main', matchedBy: 'default' };
  await createInbox(storage).accept({ id, message, match, sessionKey: 'session' }, Temporal.Now.instant());
  process.stdout.write('accepted');
  setInterval(() => undefined, 60_000);
`;

const startHolder = async (dataDir: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const ended = once(child, 'exit').then(() => 'ended');
  const first = await Promise.race([once(child.stdout, 'data').then(String), ended]);
  if (first !== 'accepted') throw new Error(`The other process is not ready: ${errors.join('')}`);
  return child;
};

describe('the SQLite file and another process', () => {
  it('is refused while the other one lives, free once it was killed, and has what was accepted', async () => {
    const dataDir = temporaryDir();
    const child = await startHolder(dataDir);
    await expect(openStorage({ dataDir })).rejects.toMatchObject(IN_USE);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    expect(await gone).toEqual([null, 'SIGKILL']);
    const { storage } = await sqliteStorage(dataDir);
    const bodies = (await createInbox(storage).pending()).map(({ message }) => message.body);
    expect(bodies).toEqual(['written before the kill']);
    await expect(storage.checkWritable()).resolves.toBeUndefined();
  });
});

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('ensureDataDir', () => {
  const UNUSABLE = { code: 'DATA_DIR_UNUSABLE', isOperational: true };

  it('makes the directory and those above it, for their owner alone', () => {
    const parent = temporaryDir();
    ensureDataDir(join(parent, 'a', 'b', 'data'));
    const made = ['a', join('a', 'b'), join('a', 'b', 'data')];
    expect(made.map((path) => modeOf(join(parent, path)))).toEqual(['700', '700', '700']);
  });

  it('leaves what is in a directory that exists', () => {
    const dataDir = temporaryDir();
    writeFileSync(join(dataDir, 'kept.txt'), 'kept');
    ensureDataDir(dataDir);
    expect(readFileSync(join(dataDir, 'kept.txt'), 'utf8')).toBe('kept');
  });

  it('takes a directory that exists for its owner alone, and so what is kept in it', () => {
    const dataDir = temporaryDir();
    chmodSync(dataDir, 0o755);
    ensureDataDir(dataDir);
    expect(modeOf(dataDir)).toBe('700');
  });

  it('says in a sentence that a file is no directory', () => {
    const file = join(temporaryDir(), 'file');
    writeFileSync(file, '');
    expect(() => ensureDataDir(file)).toThrow(
      expect.objectContaining({ ...UNUSABLE, message: expect.stringContaining('it is a file') }),
    );
  });

  it('says in a sentence that there cannot be a directory below a file, and what to set', () => {
    const file = join(temporaryDir(), 'file');
    writeFileSync(file, '');
    const dataDir = join(file, 'deeper', 'data');
    expect(() => ensureDataDir(dataDir)).toThrow(
      expect.objectContaining({
        ...UNUSABLE,
        message: expect.stringMatching(
          new RegExp(
            `^The data directory ${dataDir} cannot be used \\(.+\\)\\. Name one that this user may write to`,
          ),
        ),
      }),
    );
  });

  it.runIf(process.platform === 'linux')(
    'says so at once below a directory that takes no children, instead of hanging',
    () => {
      expect(() => ensureDataDir('/proc/finclaw/data')).toThrow(expect.objectContaining(UNUSABLE));
    },
  );
});
