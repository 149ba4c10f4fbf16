import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import { FinClawError } from '#src/kernel/errors.ts';
import { CODE_KEY_ROW, keyFileIn, keyInRow } from './person-codes.ts';
import { requireUnclaimed } from './directory-lock.ts';
import { openFile, SQLITE_FILE, type StorageOptions } from './database.ts';
import { createMigrations, hasTable, type SchemaState, unusableDatabase } from './migrate.ts';
import { openPool, requireVersion } from './postgres.ts';
import type { Database, Reads } from './schema.ts';

type Place = Pick<StorageOptions, 'dataDir' | 'databaseUrl' | 'secretKeys' | 'schema'>;

/** The state of the database at a start. */
export interface ExistingDatabase<SavedKey> {
  readonly schema: SchemaState;
  /** The saved keys of model providers, sealed. */
  readonly savedKeys: readonly SavedKey[];
}

const NOTHING: ExistingDatabase<never> = { schema: 'none', savedKeys: [] };

type ListKeys<SavedKey> = (db: Reads) => Promise<readonly SavedKey[]>;

const read = async <SavedKey>(
  db: Kysely<Database>,
  { databaseUrl, secretKeys = [], schema: { known } }: Place,
  listKeys: ListKeys<SavedKey>,
): Promise<ExistingDatabase<SavedKey>> => {
  const settings = { isPostgres: databaseUrl !== undefined };
  const schema = await createMigrations(db, known, settings).check();
  if (settings.isPostgres && (await hasTable(db, 'instance_keys', settings))) {
    const rows = db.selectFrom('instance_keys').select('value').where('id', '=', CODE_KEY_ROW);
    for (const { value } of await rows.execute()) keyInRow(value, secretKeys);
  }
  // Its columns have been the same since the first version that had the table.
  const hasKeys = await hasTable(db, 'auth_profiles', settings);
  return { schema, savedKeys: hasKeys ? await listKeys(db) : [] };
};

const readPostgres = async <SavedKey>(
  databaseUrl: string,
  place: Place,
  listKeys: ListKeys<SavedKey>,
): Promise<ExistingDatabase<SavedKey>> => {
  const pool = await openPool(databaseUrl, { max: 1 });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await requireVersion(pool);
    return await read(db, place, listKeys);
  } finally {
    await db.destroy();
  }
};

const readFile = async <SavedKey>(
  place: Place,
  listKeys: ListKeys<SavedKey>,
): Promise<ExistingDatabase<SavedKey>> => {
  const path = join(place.dataDir, SQLITE_FILE);
  keyFileIn(place.dataDir);
  if (!existsSync(path)) {
    requireUnclaimed(path);
    return NOTHING;
  }
  const { db } = openFile(place);
  try {
    return await read(db, place, listKeys);
  } finally {
    await db.destroy();
  }
};

/**
 * Looks at a database before a start changes it, whatever its schema. Throws what would refuse the start. Nothing is made
 * or changed; but the log of a process that was killed becomes a part of SQLite's file, as whenever that is opened.
 */
export const lookAtDatabase = async <SavedKey>(
  place: Place,
  listKeys: ListKeys<SavedKey>,
): Promise<ExistingDatabase<SavedKey>> => {
  try {
    return await (place.databaseUrl === undefined
      ? readFile(place, listKeys)
      : readPostgres(place.databaseUrl, place, listKeys));
  } catch (error) {
    throw error instanceof FinClawError ? error : unusableDatabase(error);
  }
};
