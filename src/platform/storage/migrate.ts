import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import type { Database } from './schema.ts';

/**
 * Processes of an old and a new version work on one database during an upgrade, so a migration only adds: tables,
 * indexes, columns with a default. One that takes something away ends with this, because the old version sees nothing
 * but its name. It waits until all processes of older versions have ended.
 */
const BREAKING = '.breaking';
const isBreaking = (name: string): boolean => name.endsWith(BREAKING);

const LOOK_AGAIN_MS = 1_000;
/** A process that was not seen for so long is not coming back: sessions have long been taken from it. */
const ENDED_SECONDS = 60;

/** A step of a newer version, which has been made. */
const SKIPPED: Migration = { up: async () => undefined };

export const unusableDatabase = (error: unknown): FinClawError =>
  new FinClawError(
    `The database cannot be used (${errorMessage(error)}). Check that it runs, and with PostgreSQL that its address (DATABASE_URL, unless another one was given) is right.`,
    'DATABASE_UNUSABLE',
    { cause: error },
  );

interface OlderProcess {
  readonly role: string;
  readonly version: string;
}

const olderProcesses = async (db: Kysely<Database>, step: string): Promise<readonly OlderProcess[]> => {
  const { rows } = await sql<OlderProcess>`select role, version from processes
    where newest_migration < ${step}
      and seen_at::timestamptz > clock_timestamp() - make_interval(secs => ${ENDED_SECONDS})
    order by started_at`.execute(db);
  return rows;
};

export interface Migrations {
  /** The name of the newest migration that this version knows. */
  readonly newest: string;
  /**
   * Brings the database up to date. A step that older versions cannot work with waits for them; `onWait` is told of them
   * once. Throws if a newer version made such a step.
   */
  readonly run: (onWait: (processes: readonly OlderProcess[]) => void) => Promise<void>;
  /** Throws if a newer version has made a step that this version cannot work with. */
  readonly check: () => Promise<void>;
}

/** Only one of the processes that start at the same time makes the backup and changes the schema; the others wait. */
const UPGRADE_LOCK = 0x46_43_4d_55;

export interface MigrationSettings {
  readonly isPostgres: boolean;
  /** Called before the schema of a database in use is changed. If it throws, nothing is changed. */
  readonly beforeUpgrade?: (() => Promise<void>) | undefined;
}

export const createMigrations = (
  db: Kysely<Database>,
  known: Readonly<Record<string, Migration>>,
  { isPostgres, beforeUpgrade }: MigrationSettings,
): Migrations => {
  const names = Object.keys(known).toSorted();

  const hasTable = async (name: string): Promise<boolean> => {
    const found = isPostgres
      ? sql`select 1 where to_regclass(${name}) is not null`
      : sql`select 1 from sqlite_master where type = 'table' and name = ${name}`;
    return (await found.execute(db)).rows.length > 0;
  };

  const executedNames = async (): Promise<readonly string[]> => {
    if (!(await hasTable('kysely_migration'))) return [];
    const { rows } = await sql<{ readonly name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name);
  };

  /** Steps of a newer version. They only added something, so this version need not know what. */
  const newerSteps = (executed: readonly string[]): readonly string[] => {
    const newer = executed.filter((name) => !Object.hasOwn(known, name));
    if (newer.some(isBreaking))
      throw new FinClawError(
        'A newer version of FinClaw has changed this database, and this version cannot work with it. Start the newer version, or restore the backup from before the upgrade.',
        'DATABASE_NEWER',
      );
    return newer;
  };

  const untilOlderEnd = async (
    step: string,
    onWait: (older: readonly OlderProcess[]) => void,
  ): Promise<void> => {
    // Without the table there was never more than one process.
    if (!isPostgres || !(await hasTable('processes'))) return;
    for (let attempt = 0; ; attempt += 1) {
      const older = await olderProcesses(db, step);
      if (older.length === 0) return;
      if (attempt === 0) onWait(older);
      await sleep(LOOK_AGAIN_MS);
    }
  };

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
    newest: names.at(-1) ?? '',
    run: async (onWait) => {
      try {
        const executed = await executedNames();
        const newer = newerSteps(executed);
        const breaking = names.findLast((name) => isBreaking(name) && !executed.includes(name));
        if (breaking !== undefined) await untilOlderEnd(breaking, onWait);
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
    check: async () => void newerSteps(await executedNames()),
  };
};
