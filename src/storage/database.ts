import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Dialect, Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { errorMessage, FinClawError } from '#src/core/errors.ts';
import { migrations } from './migrations/index.ts';
import { type Database, toStoredTime } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

export interface Storage {
  readonly db: Kysely<Database>;
  /** Throws when the database cannot take a write. */
  readonly checkWritable: () => Promise<void>;
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

const sqliteFile = (dataDir: string): Dialect => {
  const path = join(dataDir, 'finclaw.sqlite');
  try {
    return sqliteDialect(path);
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
const postgresDialect = async (connectionString: string): Promise<Dialect> => {
  const [{ PostgresDialect }, { default: pg }] = await Promise.all([import('kysely'), import('pg')]);
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 5_000 });
  // An idle connection that breaks is replaced on next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
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

/** Opens SQLite in the data directory, or PostgreSQL where an address is given, and brings the schema up to date. */
export const openStorage = async (options: {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
}): Promise<Storage> => {
  const dialect = options.databaseUrl
    ? await postgresDialect(options.databaseUrl)
    : sqliteFile(options.dataDir);
  const db = new Kysely<Database>({ dialect });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    checkWritable: async () => {
      const checked_at = toStoredTime(Temporal.Now.instant());
      await db
        .insertInto('health')
        .values({ id: 'readiness', checked_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ checked_at }))
        .execute();
    },
    close: () => db.destroy(),
  };
};
