import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { createFences, type Fences } from './fences.ts';
import { createGroupCommit, type Write } from './group-commit.ts';
import { createMigrations, type Migrations } from './migrate.ts';
import { RELEASED_MIGRATIONS } from './migrations/index.ts';
import { createPersonCodes, openKeyFile, openKeyRow, type PersonCodes } from './accounts/person-codes.ts';
import { createPostgresWrite, openPool, repeatReads } from './postgres.ts';
import { type Database, type Reads, toStoredTime } from './schema.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';
import type { TableDescriptor, TableGroup } from './tables/descriptor.ts';
import { withPlatformTables } from './tables/index.ts';

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
  /** Every table of the database, those of the features included. */
  readonly tables: readonly TableDescriptor[];
  /** Throws when the database cannot take a write. */
  readonly checkWritable: () => Promise<void>;
  /** Completes earlier calls of `write` first. */
  readonly close: () => Promise<void>;
}

/** Avoids `recursive: true`, which never returns below a directory that refuses children, such as `/proc`. */
const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
};

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

/** Creates the data directory if it is missing, and closes it and its contents to other users. */
export const ensureDataDir = (dataDir: string): void => {
  try {
    makeDirectory(dataDir);
    if (!statSync(dataDir).isDirectory()) throw new Error('it is a file');
    chmodSync(dataDir, 0o700);
    closeToOthers(dataDir);
  } catch (error) {
    throw new FinClawError(
      `The data directory ${dataDir} cannot be used (${errorMessage(error)}). Set FINCLAW_DATA_DIR to a directory this user may write to.`,
      'DATA_DIR_UNUSABLE',
      { cause: error },
    );
  }
};

const TRUNCATE_AGAIN_MS = 1_000;

/** Runs in the connection's queue, so never inside a transaction. Tries once more where a reader keeps the log in use. */
const createTruncateLog = (db: Kysely<Database>): Storage['truncateLog'] => {
  const isEmptied = async (): Promise<boolean> => {
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      return rows[0]?.busy === 0;
    } catch {
      return false;
    }
  };
  return async () => {
    if (await isEmptied()) return;
    setTimeout(() => void isEmptied(), TRUNCATE_AGAIN_MS).unref();
  };
};

type Opened = Pick<OpenedStorage, 'db' | 'write' | 'truncateLog'>;

const openFile = ({ dataDir, onFailure, ...options }: StorageOptions): Opened => {
  const path = join(dataDir, 'finclaw.sqlite');
  try {
    // SQLite gives its other files the mode of this one.
    closeSync(openSync(path, 'a', 0o600));
    const { dialect, session, flush } = openSqlite(path, options);
    const db = new Kysely<Database>({ dialect });
    const write = createGroupCommit(db, session, { flush, onFailure });
    return { db, write, truncateLog: createTruncateLog(db) };
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
  /** The tables of the features. */
  readonly tables: readonly TableGroup[];
  /** Called once if older processes have to end before the schema can be brought up to date. */
  readonly onWait?: Parameters<Migrations['run']>[0] | undefined;
  /** Called once when the disk failed to store data: SQLite refuses every write until a restart. */
  readonly onFailure?: ((failure: Error) => void) | undefined;
}

/** A storage with the whole query builder, as its opener has it. */
export interface OpenedStorage extends Storage {
  readonly migrations: Pick<Migrations, 'newest' | 'check'>;
  readonly db: Kysely<Database>;
}

/** Opens SQLite in the data directory, or PostgreSQL where an address is given, and brings the schema up to date. */
export const openStorage = async (options: StorageOptions): Promise<OpenedStorage> => {
  const { dataDir, databaseUrl, secretKeys = [] } = options;
  const fences = createFences();
  const { db, write, truncateLog } = databaseUrl
    ? await openPostgres(databaseUrl, fences)
    : openFile(options);
  const groups = withPlatformTables(options.tables);
  const known: Record<string, Migration> = Object.assign(
    {},
    RELEASED_MIGRATIONS,
    ...groups.map((group) => group.migrations),
  );
  const migrations = createMigrations(db, known, databaseUrl !== undefined);
  let codes: PersonCodes;
  try {
    await migrations.run((processes) => options.onWait?.(processes));
    codes = createPersonCodes(
      databaseUrl ? await openKeyRow(write, secretKeys) : await openKeyFile(dataDir, write),
    );
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    write,
    fences,
    codes,
    tables: groups.flatMap(({ tables }) => tables),
    migrations,
    truncateLog,
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
