import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEMA } from '#src/wiring/schema.ts';
import { writeArchive } from '#src/platform/backup/archive.ts';
import { directoryRows } from '#src/platform/backup/directory-rows.ts';
import { makeBackup } from '#src/platform/backup/make-backup.ts';
import { verifyBackup } from '#src/platform/backup/verify-backup.ts';
import { moveDatabase } from '#src/platform/backup/move.ts';
import { sumOf } from '#src/platform/backup/rows.ts';
import { listBackups, newestBackup } from '#src/platform/backup/stored-backups.ts';
import { copyDatabaseTo, TABLES, temporaryDir } from '#test/support/database.ts';
import { backUp, furnishedDirectory, NOW, onDirectory, restoreTo, SECRET_TABLES } from './fixture.ts';

const signal = new AbortController().signal;
const newKey = (): string => randomBytes(32).toString('base64');

const sumsIn = async (dataDir: string): Promise<readonly string[]> => {
  const sums: string[] = [];
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  for await (const rows of directoryRows(database, dataDir, TABLES).tables())
    if (![...SECRET_TABLES, 'sent_files'].includes(rows.table.name))
      sums.push(JSON.stringify(await sumOf(rows, signal)));
  database.close();
  return sums;
};

describe('a backup of SQLite', () => {
  it('holds every row, the key of the codes, own skills, and the files of unsent messages alone', async () => {
    const dataDir = await furnishedDirectory();
    const { path, isEncrypted, rows } = await backUp(dataDir);
    const directory = join(temporaryDir(), 'new');
    const report = await restoreTo({ kind: 'sqlite', directory }, path);
    expect(isEncrypted).toBe(false);
    expect(report.rows).toBe(rows);
    expect(await sumsIn(directory)).toEqual(await sumsIn(dataDir));
    for (const file of ['person-codes.key', 'charts/a.png', 'exports/b & c.csv', 'skills/own.md'])
      expect(readFileSync(join(directory, file))).toEqual(readFileSync(join(dataDir, file)));
    expect(existsSync(join(directory, 'charts/sent-long-ago.png'))).toBe(false);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is readable by its owner alone, and shows nothing of its contents when it is encrypted', async () => {
    const dataDir = await furnishedDirectory();
    const keys = [newKey()];
    const { path } = await backUp(dataDir, { keys });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path).includes(Buffer.from('삼성전자'))).toBe(false);
    const directory = temporaryDir();
    await restoreTo({ kind: 'sqlite', directory }, path, { keys: [newKey(), ...keys] });
    expect(await sumsIn(directory)).toEqual(await sumsIn(dataDir));
  });
});

const flip = (bytes: Buffer, at: number): Buffer => {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
};

const refused = async (
  file: string,
  keys: readonly string[] = [],
  target = temporaryDir(),
): Promise<string> => {
  const error: unknown = await restoreTo({ kind: 'sqlite', directory: target }, file, { keys }).catch(
    (caught: unknown) => caught,
  );
  expect(readdirSync(target)).toEqual([]);
  return String((error as { readonly code?: unknown }).code);
};

describe('a backup that cannot be trusted', () => {
  let path = '';
  let sealedPath = '';
  const key = newKey();
  const directory = mkdtempSync(join(tmpdir(), 'finclaw-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  beforeAll(async () => {
    await copyDatabaseTo(directory);
    const plain = await backUp(directory);
    const sealed = await backUp(directory, { keys: [key], at: NOW.add({ seconds: 1 }) });
    path = join(directory, 'plain.fcb');
    sealedPath = join(directory, 'sealed.fcb');
    copyFileSync(plain.path, path);
    copyFileSync(sealed.path, sealedPath);
  });

  const altered = (change: (bytes: Buffer) => Buffer, from = path): string => {
    const file = join(temporaryDir(), 'altered.fcb');
    writeFileSync(file, change(readFileSync(from)));
    return file;
  };

  it('is refused when a byte of it was changed, wherever, and leaves the directory empty', async () => {
    const size = statSync(path).size;
    for (const at of [2, 40, 200, Math.floor(size / 2), size - 3])
      expect(await refused(altered((bytes) => flip(bytes, at)))).toBe('BACKUP_DAMAGED');
    const sealedSize = statSync(sealedPath).size;
    for (const at of [Math.floor(sealedSize / 2), sealedSize - 3])
      expect(
        await refused(
          altered((bytes) => flip(bytes, at), sealedPath),
          [key],
        ),
      ).toBe('BACKUP_DAMAGED');
  });

  it('is refused when it was cut off or has something behind its end', async () => {
    for (const change of [
      (bytes: Buffer) => bytes.subarray(0, 10),
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 1),
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)]),
      () => Buffer.alloc(0),
    ])
      expect(await refused(altered(change))).toBe('BACKUP_DAMAGED');
  });

  it('is refused without its key or with another one, and a key that can be guessed makes none', async () => {
    expect(await refused(sealedPath)).toBe('BACKUP_KEY_WRONG');
    expect(await refused(sealedPath, [newKey()])).toBe('BACKUP_KEY_WRONG');
    const dataDir = await furnishedDirectory();
    await expect(backUp(dataDir, { keys: ['a'.repeat(43) + '='] })).rejects.toThrow('FINCLAW_BACKUP_KEY');
  });

  it('is refused when a name in it leads out of the directory', async () => {
    for (const name of [
      '../evil',
      'charts/../../evil',
      '/etc/evil',
      'charts/',
      'finclaw.config.json',
      'skills/./x',
    ]) {
      const file = join(temporaryDir(), 'evil.fcb');
      const parts = async function* () {
        yield {
          name,
          content: (async function* () {
            yield Buffer.from('evil');
          })(),
        };
      };
      const migrations = ['0001-storage'];
      const header = { version: '1', madeAt: '', database: 'sqlite' as const, migrations };
      await writeArchive(file, header, parts(), () => ({ rows: {}, missingFiles: 0 }), {
        key: undefined,
        signal,
      });
      expect(await refused(file)).toBe('BACKUP_NAME');
    }
  });

  it('is refused when a newer version made it', async () => {
    const file = join(temporaryDir(), 'newer.fcb');
    const header = { version: '9', madeAt: '', database: 'sqlite' as const, migrations: ['9999-later'] };
    await writeArchive(file, header, (async function* () {})(), () => ({ rows: {}, missingFiles: 0 }), {
      key: undefined,
      signal,
    });
    expect(await refused(file)).toBe('BACKUP_NEWER');
  });

  it('is refused when it was made of a database without data of FinClaw', async () => {
    for (const database of ['sqlite', 'postgres'] as const) {
      const file = join(temporaryDir(), 'nothing.fcb');
      const header = { version: '1', madeAt: '', database, migrations: [] };
      await writeArchive(file, header, (async function* () {})(), () => ({ rows: {}, missingFiles: 0 }), {
        key: undefined,
        signal,
      });
      expect(await refused(file)).toBe('BACKUP_EMPTY');
    }
  });

  it('is not restored over anything', async () => {
    const used = temporaryDir();
    writeFileSync(join(used, 'finclaw.sqlite'), 'precious');
    chmodSync(used, 0o755);
    chmodSync(join(used, 'finclaw.sqlite'), 0o644);
    const restoring = restoreTo({ kind: 'sqlite', directory: used }, path);
    await expect(restoring).rejects.toMatchObject({ code: 'TARGET_NOT_EMPTY' });
    expect(readFileSync(join(used, 'finclaw.sqlite'), 'utf8')).toBe('precious');
    // A directory of somebody else stays open to whom it was open.
    for (const each of [used, join(used, 'finclaw.sqlite')]) expect(statSync(each).mode & 0o044).toBe(0o044);
    const begun = temporaryDir();
    // What an attempt left that was killed, and the backups themselves, are in nobody's way.
    mkdirSync(join(begun, '.restoring'));
    mkdirSync(join(begun, 'backups'));
    await restoreTo({ kind: 'sqlite', directory: begun }, path);
    expect(readdirSync(begun).toSorted()).toEqual(['backups', 'finclaw.sqlite']);
  });

  it('is refused at once below a directory that takes no children', async () => {
    const dataDir = await furnishedDirectory();
    await expect(backUp(dataDir, { directory: '/proc/finclaw' })).rejects.toMatchObject({
      code: 'BACKUP_FAILED',
    });
  });

  it('says which directory has no room for the copy of the database', async () => {
    const dataDir = await furnishedDirectory();
    const directory = temporaryDir();
    const noSpace = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const copyTo = (): Promise<void> => Promise.reject(noSpace);
    const source = { dataDir, copyTo, ...SCHEMA, version: '0.1.0' };
    const settings = { directory, keep: 7, keys: [] };
    const making = makeBackup(source, settings, { reason: 'asked', at: NOW, signal });
    await expect(making).rejects.toThrow(`There is no room left in ${dataDir}. Free some space`);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is neither made of an empty file, nor is that moved', async () => {
    const dataDir = temporaryDir();
    writeFileSync(join(dataDir, 'finclaw.sqlite'), '');
    const reason = expect.stringContaining('no data of FinClaw');
    await expect(backUp(dataDir)).rejects.toMatchObject({ code: 'BACKUP_FAILED', message: reason });
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([]);
    const to = temporaryDir();
    const moving = moveDatabase({
      from: { kind: 'sqlite', directory: dataDir },
      to: { kind: 'sqlite', directory: to },
      schema: SCHEMA,
      secretKeys: [],
      signal,
    });
    await expect(moving).rejects.toMatchObject({ code: 'NO_DATABASE', message: reason });
    expect(readdirSync(to)).toEqual([]);
  });

  it('is not made of a damaged database, and nothing of it stays', async () => {
    const dataDir = await furnishedDirectory();
    const file = join(dataDir, 'finclaw.sqlite');
    const bytes = readFileSync(file);
    bytes.fill(0x5a, bytes.length - 40_000, bytes.length - 20_000);
    writeFileSync(file, bytes);
    await expect(backUp(dataDir)).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([]);
  });
});

describe('backups in a directory', () => {
  it('are rotated by their age, those before upgrades apart, and files of others stay', async () => {
    const dataDir = await furnishedDirectory();
    const directory = join(temporaryDir(), 'kept');
    mkdirSync(directory);
    const foreign = ['finclaw-notes.fcb', 'finclaw-20261118T170000000Z-1.fcb.txt', 'photo.jpg'];
    for (const name of foreign) writeFileSync(join(directory, name), 'mine');
    symlinkSync('/etc/hostname', join(directory, 'link.fcb'));
    for (let index = 0; index < 4; index += 1) {
      const at = NOW.add({ seconds: index });
      await backUp(dataDir, { directory, keep: 2, at });
      await backUp(dataDir, { directory, keep: 2, at: at.add({ milliseconds: 1 }), reason: 'upgrade' });
    }
    const left = await listBackups(directory);
    expect(left.filter(({ isFromUpgrade }) => !isFromUpgrade)).toHaveLength(2);
    expect(left.filter(({ isFromUpgrade }) => isFromUpgrade)).toHaveLength(3);
    expect((await newestBackup(directory))?.madeAt.toString()).toBe('2026-11-18T17:00:03.001Z');
    for (const { path } of left) expect(await verifyBackup(path, [], signal)).toBeGreaterThan(100);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining([...foreign, 'link.fcb']));
    expect(await newestBackup(join(directory, 'none'))).toBeUndefined();

    // The clock was ahead until now. What was made just now stays, and no other is written over.
    const { file, kept } = await backUp(dataDir, { directory, keep: 2, at: NOW });
    expect(kept).toBe(5);
    expect((await listBackups(directory)).map((backup) => backup.file)).toContain(file);
    writeFileSync(join(directory, `${file}.part`), 'of another process');
    await expect(backUp(dataDir, { directory, at: NOW })).rejects.toThrow('the same moment');
    expect(readdirSync(directory)).toEqual(expect.arrayContaining([file, `${file}.part`]));
  });
});

it('a restore or a move that is stopped ends soon, and leaves the target empty', async () => {
  const from = await furnishedDirectory();
  const { path } = await backUp(from);
  const directory = temporaryDir();
  const place = { kind: 'sqlite', directory } as const;
  const stopped = AbortSignal.abort(new Error('Stopped.'));
  await expect(restoreTo(place, path, { signal: stopped })).rejects.toThrow('Stopped.');
  const options = {
    from: { ...place, directory: from },
    to: place,
    schema: SCHEMA,
    secretKeys: [],
  };
  await expect(moveDatabase({ ...options, signal: stopped })).rejects.toThrow('Stopped.');
  expect(readdirSync(directory)).toEqual([]);
});

it('a move from a directory to another keeps every row and file', async () => {
  const from = await furnishedDirectory();
  const backup = await backUp(from);
  const to = join(temporaryDir(), 'moved');
  const { rows } = await moveDatabase({
    from: { kind: 'sqlite', directory: from },
    to: { kind: 'sqlite', directory: to },
    schema: SCHEMA,
    secretKeys: [],
    signal,
  });
  expect(rows).toBeGreaterThan(100);
  expect(await sumsIn(to)).toEqual(await sumsIn(from));
  expect(readFileSync(join(to, 'charts/sent-long-ago.png'), 'utf8')).toBe('old picture');
  // A move counts files as rows, as PostgreSQL has them; neither counts the rows that say how old the schema is.
  const files = ['charts/a.png', 'charts/sent-long-ago.png', 'exports/b & c.csv'];
  expect(backup.rows).toBe(rows - files.length);
});

const ADDED = {
  up: async (db: Kysely<unknown>): Promise<void> =>
    void (await sql`alter table health add column note text`.execute(db)),
};

it('a backup made before an upgrade is restored by the newer version too', async () => {
  const dataDir = await furnishedDirectory();
  const { path } = await backUp(dataDir);
  const schema = { ...SCHEMA, known: { ...SCHEMA.known, '0900-added': ADDED } };
  for (const isContinued of [true, false]) {
    const directory = temporaryDir();
    await restoreTo({ kind: 'sqlite', directory }, path, { isContinued, schema });
    if (isContinued) expect(await sumsIn(directory)).toEqual(await sumsIn(dataDir));
  }
});

it('a restored message without an answer is not answered again, and nothing later is caught up on', async () => {
  const dataDir = await furnishedDirectory();
  onDirectory(dataDir, (database) => {
    database.exec(`delete from outbox; delete from inbox; delete from notifications`);
    const message = (id: string, status: string): void =>
      void database
        .prepare(
          `insert into inbox (id, channel_id, account_id, chat_id, event_id, session_key, agent_id, matched_by, sender_id,
             message, status, attempts, accepted_at, message_id) values (?, '', '', '', ?, '', '', '', '', '{}', ?, 1, '', '')`,
        )
        .run(id, id, status);
    message('open', 'pending');
    message('planned', 'pending');
    message('waits', 'suspended');
    const notification = database.prepare(
      `insert into notifications (id, channel_id, user_id, target, payload, status, attempts, created_at, due_at)
       values (?, '', '', '{}', '{}', 'pending', 0, '', ?)`,
    );
    notification.run('due', NOW.subtract({ seconds: 1 }).toString({ smallestUnit: 'millisecond' }));
    notification.run('later', NOW.add({ seconds: 1 }).toString({ smallestUnit: 'millisecond' }));
    database.exec(`insert into outbox (id, inbox_id, part_index, target, payload, status, attempts, created_at)
      values ('part', 'planned', 1, '{}', '{}', 'pending', 0, '2026-11-18T16:00:00.000Z')`);
  });
  const { path } = await backUp(dataDir);
  const directory = temporaryDir();
  const { unanswered } = await restoreTo({ kind: 'sqlite', directory }, path, { isContinued: false });
  expect(unanswered).toBe(2);
  onDirectory(directory, (database) => {
    const attempts = database.prepare('select id, attempts from inbox order by id').all();
    expect(attempts.map((row) => ({ ...row }))).toEqual([
      { id: 'open', attempts: 1_000 },
      { id: 'planned', attempts: 1 },
      { id: 'waits', attempts: 1_000 },
    ]);
    // What may have been sent is looked for first.
    const tried = database.prepare('select id from notifications where attempts = 1').all();
    expect(tried.map(({ id }) => id)).toEqual(['due']);
    expect(database.prepare('select first_tried_at as at from outbox').get()?.['at']).toBe(
      '2026-11-18T16:00:00.000Z',
    );
    expect(database.prepare('select count(*) as count from channel_progress').get()?.['count']).toBe(0);
  });
});
