import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { UNFINISHED } from '#src/chat/store/unfinished.ts';
import { SCHEMA } from '#src/wiring/schema.ts';
import { type BackupReport, makeBackup } from '#src/platform/backup/make-backup.ts';
import { type RestoreTarget, restoreBackup, type RestoreOptions } from '#src/platform/backup/restore.ts';
import { openFile, SQLITE_FILE } from '#src/platform/storage/database.ts';
import { copyDatabaseTo, TABLES, temporaryDir } from '#test/support/database.ts';

export const NOW = Temporal.Instant.from('2026-11-18T17:00:00Z');
const AT = '2026-11-13T06:30:00.000Z';
const signal = new AbortController().signal;

/** Texts that a careless copy would change. */
const TEXTS = [
  '',
  '삼성전자 005930',
  "'; drop table inbox; --",
  'two\nlines\r\n\t"quoted" \\N',
  '😀\u2028é',
  '0012.50',
];
const BIG = 9_007_199_254_740_993n;

const UNLIKE = new Set(['processes', 'session_holders', 'received_shards', 'sent_files', 'instance_keys']);

const cellOf = (type: string, isNullable: boolean, line: number, index: number): SQLInputValue => {
  if (isNullable && (line + index) % 3 === 0) return null;
  if (type === 'bigint') return line === 0 ? BIG : -BIG + BigInt(line);
  if (type === 'integer') return line === 0 ? 2_147_483_647 : -line;
  // Unique, because some columns must be.
  return `${TEXTS[(line + index) % TEXTS.length] ?? ''}#${line}`;
};

/** Three rows in every table that a backup copies, with every column filled. */
const fillEveryTable = (database: DatabaseSync): void => {
  for (const { name } of TABLES.filter((table) => !UNLIKE.has(table.name))) {
    const columns = database.prepare('select name, type, "notnull", pk from pragma_table_info(?)').all(name);
    const places = columns.map(() => '?').join(', ');
    const insert = database.prepare(`insert into "${name}" values (${places})`);
    for (const line of [0, 1, 2])
      insert.run(
        ...columns.map((column, index) =>
          cellOf(
            String(column['type']).toLowerCase(),
            column['notnull'] === 0 && column['pk'] === 0,
            line,
            index,
          ),
        ),
      );
  }
};

/** A message whose answer has two files, one of which is gone. */
const addUnsentFiles = (database: DatabaseSync, dataDir: string): void => {
  const files = ['charts/a.png', 'exports/b & c.csv', 'charts/gone.png'];
  const media = files.map((file) => ({ url: new URL(`file://${join(dataDir, file)}`).href, name: file }));
  database
    .prepare(
      `insert into outbox (id, inbox_id, part_index, target, payload, status, attempts, created_at)
       values ('unsent', 'unfinished', 0, '{}', ?, 'pending', 0, ?)`,
    )
    .run(JSON.stringify({ text: 'see', media }), AT);
};

/** A data directory with something in every table, and files. The bot does not run on it. */
export const furnishedDirectory = async (): Promise<string> => {
  const dataDir = temporaryDir();
  await copyDatabaseTo(dataDir);
  writeFileSync(join(dataDir, 'person-codes.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  for (const [folder, file, content] of [
    ['charts', 'a.png', 'picture'],
    ['charts', 'sent-long-ago.png', 'old picture'],
    ['exports', 'b & c.csv', 'a,b\n1,2\n'],
    ['skills', 'own.md', '# own'],
  ] as const) {
    mkdirSync(join(dataDir, folder), { recursive: true });
    writeFileSync(join(dataDir, folder, file), content);
    utimesSync(join(dataDir, folder, file), new Date(AT), new Date(AT));
  }
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  fillEveryTable(database);
  addUnsentFiles(database, dataDir);
  database.close();
  return dataDir;
};

/** Runs statements on a data directory that nobody uses. */
export const onDirectory = <T>(dataDir: string, run: (database: DatabaseSync) => T): T => {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  try {
    return run(database);
  } finally {
    database.close();
  }
};

interface Wanted {
  readonly keys?: readonly string[];
  readonly directory?: string;
  readonly keep?: number;
  readonly at?: Temporal.Instant;
  readonly reason?: 'asked' | 'upgrade';
}

/** What opens something. A restore leaves it out. */
export const SECRET_TABLES: readonly string[] = ['operator_sessions', 'operator_codes', 'link_codes'];

/** A backup of a directory that nobody uses. */
export const backUp = async (
  dataDir: string,
  { keys = [], directory = join(dataDir, 'backups'), keep = 7, at = NOW, reason = 'asked' }: Wanted = {},
): Promise<BackupReport> => {
  const { db, copyTo } = openFile({ dataDir });
  try {
    const source = { dataDir, copyTo, ...SCHEMA, version: '0.1.0' };
    return await makeBackup(source, { directory, keep, keys }, { reason, at, signal });
  } finally {
    await db.destroy();
  }
};

export const restoreTo = (target: RestoreTarget, path: string, options: Partial<RestoreOptions> = {}) =>
  restoreBackup({
    path,
    target,
    schema: SCHEMA,
    unfinished: UNFINISHED,
    keys: [],
    secretKeys: [],
    isContinued: true,
    now: NOW,
    signal,
    ...options,
  });
