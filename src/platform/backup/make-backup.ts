import { existsSync } from 'node:fs';
import { open, rename, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { type Schema, SQLITE_FILE } from '../storage/database.ts';
import { toStoredTime } from '../storage/schema.ts';
import { type Part, writeArchive } from './archive.ts';
import { type BackupKeySettings, keysOfBackup } from './backup-key.ts';
import { withPostgresSnapshot } from './postgres-rows.ts';
import { withRoomIn } from './room.ts';
import { rowPart } from './row-parts.ts';
import { countRows } from './rows.ts';
import type { FileHeader } from './sealed-file.ts';
import { requireKnown, requireOurs } from './source-schema.ts';
import type { SqliteFiles } from '../storage/sqlite-copy.ts';
import { CODE_KEY_PART, withStagedCopy } from './staged-copy.ts';
import { backupName, type BackupReason, PART, removeAbandoned, rotateBackups } from './stored-backups.ts';
import { verifyBackup } from './verify-backup.ts';

export interface BackupSource extends Schema {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** With SQLite only. */
  readonly copyTo?: SqliteFiles['copyTo'] | undefined;
  readonly version: string;
}

export interface BackupSettings extends BackupKeySettings {
  readonly directory: string;
  /** How many backups stay. */
  readonly keep: number;
}

export interface BackupReport {
  readonly file: string;
  readonly path: string;
  readonly bytes: number;
  readonly tookMs: number;
  readonly rows: number;
  readonly isEncrypted: boolean;
  /** How many are in the directory now. */
  readonly kept: number;
}

interface Draft {
  readonly header: Omit<FileHeader, 'key'>;
  readonly parts: AsyncIterable<Part>;
  readonly rows: Readonly<Record<string, number>>;
  readonly missingFiles: number;
}

const textOf = async function* (text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
};

/** Reads the source at one moment, and gives its parts to `write`. */
const withDraft = async <T>(
  { dataDir, databaseUrl, copyTo, tables, known, version }: BackupSource,
  madeAt: string,
  signal: AbortSignal,
  write: (draft: Draft) => Promise<T>,
): Promise<T> => {
  if (databaseUrl === undefined) {
    if (!copyTo) throw new TypeError('A backup of SQLite needs a way to copy it');
    return withStagedCopy(dataDir, copyTo, signal, async ({ report, missingFiles, parts }) => {
      const { migrations, rows } = report;
      requireOurs(migrations, join(dataDir, SQLITE_FILE));
      const header = { version, madeAt, database: 'sqlite' as const, migrations };
      return write({ header, parts: parts(), rows, missingFiles });
    });
  }
  return withPostgresSnapshot(databaseUrl, tables, (source) => {
    const rows: Record<string, number> = {};
    const { migrations, codeKey } = source;
    requireKnown(migrations, known);
    const parts = async function* (): AsyncGenerator<Part> {
      if (codeKey !== undefined) yield { name: CODE_KEY_PART, content: textOf(codeKey) };
      for await (const each of source.tables()) {
        const { name } = each.table;
        rows[name] = 0;
        yield rowPart(each, (count) => {
          rows[name] = (rows[name] ?? 0) + count;
        });
      }
    };
    const header = { version, madeAt, database: 'postgres' as const, migrations };
    return write({ header, parts: parts(), rows, missingFiles: 0 });
  });
};

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/** SQLite is copied beside the database before it is packed. Neither is larger than the database and its log. */
const requireRoom = async (dataDir: string, directory: string): Promise<void> => {
  const path = join(dataDir, SQLITE_FILE);
  const size = (await sizeOf(path)) + (await sizeOf(`${path}-wal`));
  const [copy, packed] = await Promise.all([stat(dataDir), stat(directory)]);
  const isOneDisk = copy.dev === packed.dev;
  for (const place of isOneDisk ? [dataDir] : [dataDir, directory]) {
    const needed = isOneDisk ? 2 * size : size;
    const { bavail, bsize } = await statfs(place);
    if (bavail * bsize >= needed) continue;
    const [most, free] = [Math.ceil(needed / 1e6), Math.floor((bavail * bsize) / 1e6)];
    throw new Error(`it may need ${most} MB, and ${free} MB are free in ${place}`);
  }
};

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Makes a backup, reads it back, and only then gives it its name. One that fails leaves nothing behind. */
export const makeBackup = async (
  source: BackupSource,
  settings: BackupSettings,
  {
    reason,
    at,
    signal,
  }: { readonly reason: BackupReason; readonly at: Temporal.Instant; readonly signal: AbortSignal },
): Promise<BackupReport> => {
  const startedMs = performance.now();
  const { directory, keep } = settings;
  const secrets = keysOfBackup(settings);
  const file = backupName(at, source.version, reason);
  const path = join(directory, file);
  const part = `${path}${PART}`;
  const isSqlite = source.databaseUrl === undefined;
  let isBegun = false;
  try {
    makeDirectory(directory);
    // The process that makes a backup of SQLite is alone in the data directory.
    await removeAbandoned(directory, !isSqlite || dirname(directory) !== source.dataDir);
    if (isSqlite) await requireRoom(source.dataDir, directory);
    if (existsSync(path)) throw new Error(`there is one of the same moment, ${file}`);
    isBegun = true;
    const expected = await withDraft(source, toStoredTime(at), signal, async (draft) => {
      const summary = () => ({ rows: draft.rows, missingFiles: draft.missingFiles });
      await withRoomIn(directory, 'Free some space, or name another directory.', () =>
        writeArchive(part, draft.header, draft.parts, summary, { key: secrets[0], signal }),
      );
      return countRows(draft.rows);
    });
    const rows = await verifyBackup(part, secrets, signal);
    if (rows !== expected) throw new Error(`It holds ${rows} rows instead of ${expected}`);
    await rename(part, path);
    await syncDirectory(directory);
    const { size } = await stat(path);
    const kept = await rotateBackups(directory, keep, at);
    const tookMs = Math.round(performance.now() - startedMs);
    return { file, path, bytes: size, tookMs, rows, isEncrypted: secrets.length > 0, kept };
  } catch (error) {
    // A file that exists already is being written by another process.
    const isOurs = isBegun && (error as NodeJS.ErrnoException).code !== 'EEXIST';
    if (isOurs) await unlink(part).catch(() => undefined);
    signal.throwIfAborted();
    throw new FinClawError(
      `No backup could be made in ${directory}: ${errorMessage(error)}`,
      'BACKUP_FAILED',
      {
        cause: error,
      },
    );
  }
};
