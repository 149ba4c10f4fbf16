import { link, mkdir, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { FinClawError } from '#src/kernel/errors.ts';
import { putCodeKey } from '../storage/person-codes.ts';
import { ensureDataDir, openFile, SQLITE_FILE } from '../storage/database.ts';
import { createMigrations } from '../storage/migrate.ts';
import { namesIn } from '../storage/sent-files.ts';
import { claimDirectory, UNFINISHED } from '../storage/directory-lock.ts';
import { BACKED_UP_FOLDERS } from './staged-copy.ts';
import { directoryRows } from './directory-rows.ts';
import type { TargetSchema } from './fill-postgres.ts';
import { withRoomIn } from './room.ts';
import { FILE_TABLE, type Row, type TableShape } from './rows.ts';
import type { RowTarget } from './transfer.ts';

/** The backups themselves, and what nobody misses. */
const IN_NOBODYS_WAY = new Set([UNFINISHED, 'backups', 'control.sock', 'lost+found']);

const notEmpty = (directory: string, found: string, advice: string): FinClawError =>
  new FinClawError(
    `The directory ${directory} is not empty: it has ${found}. ${advice}Name an empty or a new one; FinClaw overwrites nothing.`,
    'TARGET_NOT_EMPTY',
  );

const requireEmpty = async (directory: string): Promise<void> => {
  const names = await namesIn(directory).catch((error: NodeJS.ErrnoException): readonly string[] => {
    // A file in place of the directory is refused below.
    if (error.code === 'ENOTDIR') return [];
    throw error;
  });
  const found = names.find((name) => !IN_NOBODYS_WAY.has(name));
  if (found === undefined) return;
  const earlier = names.includes(UNFINISHED)
    ? 'An earlier attempt was interrupted there: empty it first. '
    : '';
  throw notEmpty(directory, found, earlier);
};

/** Some file systems have no links. There, an empty file takes the name before the database replaces it. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Gives a file its name. Unlike `rename` alone, it never takes that of another one. */
const publish = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await (await open(to, 'wx')).close();
    await rename(from, to);
  }
};

const fill = async <T>(directory: string, prepare: (staging: string) => Promise<T>): Promise<T> => {
  ensureDataDir(directory);
  const claim = claimDirectory(directory);
  const staging = join(directory, UNFINISHED, 'files');
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    const result = await prepare(staging);
    // Somebody else may have put something there meanwhile.
    await requireEmpty(directory);
    const names = (await readdir(staging)).filter((name) => name !== SQLITE_FILE);
    for (const name of names) await rename(join(staging, name), join(directory, name));
    await publish(join(staging, SQLITE_FILE), join(directory, SQLITE_FILE)).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? notEmpty(directory, SQLITE_FILE, '') : error;
      },
    );
    return result;
  } finally {
    claim.release();
    await rm(join(directory, UNFINISHED), { recursive: true, force: true });
  }
};

/**
 * Fills an empty directory, which nobody else fills or uses meanwhile. Everything is prepared inside of it first; the
 * database gets its name last, so a directory with a database is complete.
 */
export const fillDirectory = async <T>(
  directory: string,
  prepare: (staging: string) => Promise<T>,
): Promise<T> => {
  // First, because preparing a directory closes all that is in it to other users.
  await requireEmpty(directory);
  return withRoomIn(directory, 'Free some space, or name another directory.', () => fill(directory, prepare));
};

const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const valueOf = ({ columns }: TableShape, row: Row): readonly SQLInputValue[] =>
  row.map((cell, index) => {
    if (cell === null) return null;
    const kind = columns[index]?.kind;
    if (kind === 'integer') return BigInt(cell);
    return kind === 'bytes' ? Buffer.from(cell, 'base64') : cell;
  });

const insert = (database: DatabaseSync, table: TableShape, rows: readonly Row[]): void => {
  const columns = table.columns.map(({ name }) => named(name)).join(', ');
  const places = table.columns.map(() => '?').join(', ');
  const statement = database.prepare(`insert into ${named(table.name)} (${columns}) values (${places})`);
  for (const row of rows) statement.run(...valueOf(table, row));
};

/** PostgreSQL has files in rows. */
const writeFiles = async (directory: string, table: TableShape, rows: readonly Row[]): Promise<void> => {
  for (const row of rows) {
    const cells = Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index] ?? '']));
    const { kind = '', name = '', content = '', made_at: madeAt = '' } = cells;
    const path = safePath(directory, `${kind}/${name}`);
    await mkdir(join(directory, kind), { recursive: true, mode: 0o700 });
    await writeFile(path, Buffer.from(content, 'base64'), { mode: 0o600, flag: 'wx' });
    const at = new Date(madeAt);
    await utimes(path, at, at);
  }
};

/** Neither empty, nor `.` or `..`, nor a path of its own. */
const SAFE_PART = /^(?!\.{1,2}$)[^/\\\0]+$/;

/** The path of a file that a backup names. Throws for a name that leads elsewhere. */
export const safePath = (directory: string, name: string): string => {
  const [folder = '', ...parts] = name.split('/');
  const isSafe =
    BACKED_UP_FOLDERS.includes(folder) && parts.length > 0 && parts.every((part) => SAFE_PART.test(part));
  if (isSafe) return join(directory, name);
  throw new FinClawError(
    `The backup holds a file with the name ${JSON.stringify(name)}, which does not belong there. It was not restored.`,
    'BACKUP_NAME',
  );
};

/** Makes a database with this schema in a directory, and fills it in one transaction. */
export const fillSqlite = async <T>(
  directory: string,
  { tables, migrations, secretKeys }: TargetSchema,
  fill: (target: RowTarget, database: DatabaseSync) => Promise<T>,
): Promise<T> => {
  const { db } = openFile({ dataDir: directory });
  try {
    await createMigrations(db, migrations, { isPostgres: false }).run();
  } finally {
    await db.destroy();
  }
  const database = new DatabaseSync(join(directory, SQLITE_FILE));
  try {
    database.exec('pragma synchronous = off; begin');
    const shapes: TableShape[] = [];
    for await (const { table } of directoryRows(database, directory, tables).tables()) shapes.push(table);
    const target: RowTarget = {
      shapes,
      write: async (table, rows) =>
        table.name === FILE_TABLE ? writeFiles(directory, table, rows) : insert(database, table, rows),
      putCodeKey: async (stored) => putCodeKey(directory, stored, secretKeys),
      readBack: async () => directoryRows(database, directory, tables),
    };
    const result = await fill(target, database);
    database.exec('commit; pragma synchronous = full; pragma journal_mode = delete; vacuum');
    return result;
  } finally {
    database.close();
  }
};
