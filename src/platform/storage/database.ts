import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import type { Migration } from 'kysely/migration';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { makeDirectory } from '../files/make-directory.ts';
import { requireUnclaimed } from './directory-lock.ts';
import { createFences, type Fences } from './fences.ts';
import { createGroupCommit, type Write } from './group-commit.ts';
import { createMigrations } from './migrate.ts';
import { createPersonCodes, openKeyFile, openKeyRow, type PersonCodes } from './person-codes.ts';
import { createPostgresWrite, openPool, repeatReads } from './postgres.ts';
import { createSqliteFiles, type SqliteFiles } from './sqlite-copy.ts';
import { type Database, type Reads, toStoredTime } from './schema.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';
import type { TableDescriptor } from './descriptor.ts';

export interface Storage {
  /** Codes that replace people's ids where those must not be kept. */
  readonly codes: PersonCodes;
  /**
   * Must be called after a deletion: afterwards no file of SQLite holds what was deleted. Never throws: a log that is in
   * use is emptied a little later. PostgreSQL recycles its log itself.
   */
  readonly truncateLog: () => Promise<void>;
  readonly db: Reads;
  readonly write: Write;
  readonly fences: Fences;
  /** Every table of the database. */
  readonly tables: readonly TableDescriptor[];
  /** Throws when the database cannot take a write. */
  readonly checkWritable: () => Promise<void>;
  /** Completes earlier calls of `write` first. */
  readonly close: () => Promise<void>;
}

const OTHERS = 0o077;

/**
 * Removes the rights of other users from everything in a directory. The directory itself is closed to them, but a backup
 * or a copy of a file keeps the file's own mode. Links and files of other users are left alone.
 */
const closeToOthers = (directory: string): void => {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    const path = join(directory, entry.name);
    try {
      const { mode } = lstatSync(path);
      if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700);
      if (entry.isDirectory()) closeToOthers(path);
    } catch (error) {
      // The file was deleted in the meantime, or belongs to another user.
      if (!['ENOENT', 'EPERM', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
};

/** The directory of a mounted volume may belong to another user, who alone can close it. The files in it are ours. */
const closeDirectory = (dataDir: string): void => {
  try {
    chmodSync(dataDir, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  }
};

/** Creates the data directory if it is missing, and closes it and its contents to other users. */
export const ensureDataDir = (dataDir: string): void => {
  try {
    makeDirectory(dataDir);
    if (!statSync(dataDir).isDirectory()) throw new Error('it is a file');
    closeDirectory(dataDir);
    closeToOthers(dataDir);
  } catch (error) {
    throw new FinClawError(
      `The data directory ${dataDir} cannot be used (${errorMessage(error)}). Name one that this user may write to; FINCLAW_DATA_DIR sets that of the bot.`,
      'DATA_DIR_UNUSABLE',
      { cause: error },
    );
  }
};

type Opened = Pick<OpenedStorage, 'db' | 'write' | 'truncateLog' | 'copyTo'>;

export const SQLITE_FILE = 'finclaw.sqlite';

/** Opens the file as it is, whatever its schema. */
export const openFile = ({
  dataDir,
  onFailure,
  onFull,
  ...options
}: Pick<StorageOptions, 'dataDir' | 'onFailure' | 'onFull' | keyof SqliteOptions>): Opened => {
  const path = join(dataDir, SQLITE_FILE);
  requireUnclaimed(path);
  try {
    // SQLite gives its other files the mode of this one.
    closeSync(openSync(path, 'a', 0o600));
    const opened = openSqlite(path, options);
    const { session, flush } = opened;
    const db = new Kysely<Database>({ dialect: opened.dialect });
    const write = createGroupCommit(db, session, { flush, onFailure, onFull });
    return { db, write, ...createSqliteFiles(db, opened) };
  } catch (error) {
    if (error instanceof FinClawError) throw error;
    throw new FinClawError(
      `The database ${path} cannot be opened (${errorMessage(error)}). Check that the disk is not full, that this user may write there, and that the file is FinClaw's own.`,
      'DATABASE_UNUSABLE',
      { cause: error },
    );
  }
};

const openPostgres = async (connectionString: string, fences: Fences): Promise<Opened> => {
  const pool = await openPool(connectionString);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  repeatReads(db);
  return { db, write: createPostgresWrite(db, fences), truncateLog: async () => undefined };
};

export interface StorageOptions extends SqliteOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  /** The current key first. Used with PostgreSQL only. */
  readonly secretKeys?: readonly string[] | undefined;
  readonly schema: Schema;
  /** Called before the schema of a database in use is changed. If it throws, nothing is changed. */
  readonly beforeUpgrade?:
    | ((database: Pick<OpenedStorage, 'copyTo' | 'tables' | 'known'>) => Promise<void>)
    | undefined;
  /** Called once when the disk failed to store data: SQLite refuses every write until a restart. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
  /** Called when SQLite finds the disk full: at first, and after a minute without that. */
  readonly onFull?: ((error: unknown) => void) | undefined;
}

/** Every table, and the steps that make them, by their names. */
export interface Schema {
  readonly tables: readonly TableDescriptor[];
  readonly known: Readonly<Record<string, Migration>>;
}

/** A storage with the whole query builder, as its opener has it. */
export interface OpenedStorage extends Storage, Schema {
  /** With SQLite only. */
  readonly copyTo?: SqliteFiles['copyTo'] | undefined;
  readonly db: Kysely<Database>;
}

/** Opens SQLite in the data directory, or PostgreSQL where an address is given, and brings the schema up to date. */
export const openStorage = async (options: StorageOptions): Promise<OpenedStorage> => {
  const { dataDir, databaseUrl, secretKeys = [], beforeUpgrade } = options;
  const fences = createFences();
  const { db, write, truncateLog, copyTo } = databaseUrl
    ? await openPostgres(databaseUrl, fences)
    : openFile(options);
  const { tables, known } = options.schema;
  const migrations = createMigrations(db, known, {
    isPostgres: databaseUrl !== undefined,
    beforeUpgrade: beforeUpgrade && (() => beforeUpgrade({ copyTo, tables, known })),
  });
  let codes: PersonCodes;
  try {
    await migrations.run();
    codes = createPersonCodes(databaseUrl ? await openKeyRow(write, secretKeys) : openKeyFile(dataDir));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    write,
    fences,
    codes,
    tables,
    known,
    truncateLog,
    copyTo,
    checkWritable: async () => {
      const checked_at = toStoredTime(Temporal.Now.instant());
      await write((tx) =>
        tx
          .insertInto('health')
          .values({ id: 'readiness', checked_at })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ checked_at }))
          .execute(),
      );
    },
    close: async () => {
      // This write runs after all that wait. Their callers are told whether they succeed.
      await write(async () => undefined).catch(() => undefined);
      await db.destroy();
    },
  };
};
