import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Database } from './schema.ts';

/**
 * A step of a newer version, which has been made. Processes of an old and a new version work on one database during an
 * upgrade, so a migration only adds: tables, indexes, columns with a default.
 */
const SKIPPED: Migration = { up: async () => undefined };

export const unusableDatabase = (error: unknown): FinClawError =>
  new FinClawError(
    `The database cannot be used (${errorMessage(error)}). Check that it runs, and with PostgreSQL that its address (DATABASE_URL, unless another one was given) is right.`,
    'DATABASE_UNUSABLE',
    { cause: error },
  );

/** `none`: no version has made a table yet. `old`: a newer version, this one included, adds to it. */
export type SchemaState = 'none' | 'old' | 'current';

/** Only one of the processes that start at the same time makes the backup and changes the schema; the others wait. */
const UPGRADE_LOCK = 0x46_43_4d_55;

export const hasTable = async (
  db: Kysely<Database>,
  name: string,
  { isPostgres }: Pick<MigrationSettings, 'isPostgres'>,
): Promise<boolean> => {
  const found = isPostgres
    ? sql`select 1 where to_regclass(${name}) is not null`
    : sql`select 1 from sqlite_master where type = 'table' and name = ${name}`;
  return (await found.execute(db)).rows.length > 0;
};

export interface MigrationSettings {
  readonly isPostgres: boolean;
  /** Called before the schema of a database in use is changed. If it throws, nothing is changed. */
  readonly beforeUpgrade?: (() => Promise<void>) | undefined;
}

export const createMigrations = (
  db: Kysely<Database>,
  known: Readonly<Record<string, Migration>>,
  settings: MigrationSettings,
) => {
  const { isPostgres, beforeUpgrade } = settings;
  const names = Object.keys(known).toSorted();

  const executedNames = async (): Promise<readonly string[]> => {
    if (!(await hasTable(db, 'kysely_migration', settings))) return [];
    const { rows } = await sql<{ readonly name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name);
  };

  /** Steps of a newer version. They only added something, so this version need not know what. */
  const newerSteps = (executed: readonly string[]): readonly string[] =>
    executed.filter((name) => !Object.hasOwn(known, name));

  const migrate = async (newer: readonly string[]): Promise<void> => {
    // Kysely asks for the migrations while it has the lock of PostgreSQL, so no other process adds a step meanwhile.
    // SQLite has one connection, which Kysely uses, and one process.
    const getMigrations = async () => {
      const skipped = isPostgres ? newerSteps(await executedNames()) : newer;
      return { ...known, ...Object.fromEntries(skipped.map((name) => [name, SKIPPED])) };
    };
    // After a way back to an older version, its steps may be missing among newer ones.
    const migrator = new Migrator({ db, provider: { getMigrations }, allowUnorderedMigrations: true });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  };

  /** A new database has nothing to back up. */
  const isUpgrade = (executed: readonly string[]): boolean =>
    executed.length > 0 && names.some((name) => !executed.includes(name));

  const backUpAndMigrate = async (newer: readonly string[]): Promise<void> => {
    // Another process may have changed the schema while this one waited.
    const executed = await executedNames();
    if (isUpgrade(executed)) await beforeUpgrade?.();
    await migrate(newer);
  };

  return {
    /** Brings the database up to date. */
    run: async () => {
      try {
        const executed = await executedNames();
        const newer = newerSteps(executed);
        if (!beforeUpgrade || !isUpgrade(executed)) await migrate(newer);
        else if (!isPostgres) await backUpAndMigrate(newer);
        else
          await db.connection().execute(async (connection) => {
            await sql`select pg_advisory_lock(${sql.lit(UPGRADE_LOCK)})`.execute(connection);
            try {
              await backUpAndMigrate(newer);
            } finally {
              await sql`select pg_advisory_unlock(${sql.lit(UPGRADE_LOCK)})`.execute(connection);
            }
          });
      } catch (error) {
        throw error instanceof FinClawError ? error : unusableDatabase(error);
      }
    },
    /** The result that `run` would have, without a change. */
    check: async (): Promise<SchemaState> => {
      const executed = await executedNames();
      if (executed.length === 0) return 'none';
      return isUpgrade(executed) ? 'old' : 'current';
    },
  };
};
