import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { errorMessage, FinClawError } from '#src/core/errors.ts';
import { createGroupCommit, eachForItself, type Write } from './group-commit.ts';
import { migrations } from './migrations/index.ts';
import { type Database, toStoredTime } from './schema.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

export interface Storage {
  /** For reading. A write through it that is not in `write` costs a wait for the disk of its own. */
  readonly db: Kysely<Database>;
  readonly write: Write;
  /** Throws when the database cannot take a write. */
  readonly checkWritable: () => Promise<void>;
  /** What was given to `write` before is written first. */
  readonly close: () => Promise<void>;
}

/** Not `recursive: true`: below a directory that refuses children (`/proc`), Node's own never returns. */
const makeDirectory = (path: string): void => {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
};

/** The data directory, made if missing, readable by its owner alone. */
export const ensureDataDir = (dataDir: string): void => {
  try {
    makeDirectory(dataDir);
    if (!statSync(dataDir).isDirectory()) throw new Error('it is a file');
    chmodSync(dataDir, 0o700);
  } catch (error) {
    throw new FinClawError(
      `The data directory ${dataDir} cannot be used (${errorMessage(error)}). Set FINCLAW_DATA_DIR to a directory this user may write to.`,
      'DATA_DIR_UNUSABLE',
      { cause: error },
    );
  }
};

type Opened = Pick<Storage, 'db' | 'write'>;

const openFile = (dataDir: string, options: SqliteOptions): Opened => {
  const path = join(dataDir, 'finclaw.sqlite');
  try {
    const { dialect, session } = openSqlite(path, options);
    const db = new Kysely<Database>({ dialect });
    return { db, write: createGroupCommit(db, session) };
  } catch (error) {
    if (error instanceof FinClawError) throw error;
    throw new FinClawError(
      `The database ${path} cannot be opened (${errorMessage(error)}). Check that the disk is not full, that this user may write there, and that the file is FinClaw's own.`,
      'DATABASE_UNUSABLE',
      { cause: error },
    );
  }
};

/** PostgreSQL's client is loaded only where it is used: it costs start-up time and memory. */
const openPostgres = async (connectionString: string): Promise<Opened> => {
  const [{ PostgresDialect }, { default: pg }] = await Promise.all([import('kysely'), import('pg')]);
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 5_000 });
  // An idle connection that breaks is replaced on next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, write: eachForItself(db) };
};

const migrate = async (db: Kysely<Database>): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  throw new FinClawError(
    `The database cannot be used (${errorMessage(error)}). Check that it runs, and with PostgreSQL that DATABASE_URL is right.`,
    'DATABASE_UNUSABLE',
    { cause: error },
  );
};

export interface StorageOptions extends SqliteOptions {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}

/** Opens SQLite in the data directory, or PostgreSQL where an address is given, and brings the schema up to date. */
export const openStorage = async (options: StorageOptions): Promise<Storage> => {
  const { db, write } = options.databaseUrl
    ? await openPostgres(options.databaseUrl)
    : openFile(options.dataDir, options);
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    write,
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
      // It comes behind all that wait; whether they succeed is told to those who wrote.
      await write(async () => undefined).catch(() => undefined);
      await db.destroy();
    },
  };
};
