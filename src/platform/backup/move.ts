import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { type Schema, SQLITE_FILE } from '../storage/database.ts';
import { openExclusive } from '../storage/sqlite.ts';
import { directoryRows } from './directory-rows.ts';
import { fillDirectory, fillSqlite } from './fill-directory.ts';
import { fillPostgres } from './fill-postgres.ts';
import { type Query, withPostgresSnapshot } from './postgres-rows.ts';
import { type RestoreTarget, schemaLike } from './restore.ts';
import type { RowSource } from './rows.ts';
import { requireOurs } from './source-schema.ts';
import { transfer, type TransferReport } from './transfer.ts';

export interface MoveOptions {
  readonly from: RestoreTarget;
  /** A directory or database that is empty. */
  readonly to: RestoreTarget;
  readonly schema: Schema;
  readonly secretKeys: readonly string[];
  readonly signal: AbortSignal;
}

/** A process that was seen within this time is running. */
const SEEN_SECONDS = 60;

const requireStopped = async (query: Query): Promise<void> => {
  const { rows } = await query(
    `select count(*) as count from processes
     where seen_at::timestamptz > clock_timestamp() - make_interval(secs => ${SEEN_SECONDS})`,
  );
  const count = Number(rows[0]?.['count'] ?? 0);
  if (count > 0)
    throw new FinClawError(
      `FinClaw is running on this PostgreSQL database (processes: ${count}). Stop it first; after a crash, wait a minute.`,
      'DATABASE_IN_USE',
    );
};

const openSource = (path: string): DatabaseSync => {
  try {
    return openExclusive(path);
  } catch (error) {
    if (error instanceof FinClawError) throw error;
    throw new FinClawError(
      `The database ${path} cannot be read (${errorMessage(error)}). Check that it is FinClaw's own and that this user may write there; if it is damaged, restore a backup.`,
      'DATABASE_UNUSABLE',
      { cause: error },
    );
  }
};

const withSource = async <T>(
  { from, schema: { tables } }: MoveOptions,
  read: (source: RowSource) => Promise<T>,
): Promise<T> => {
  if (from.kind === 'postgres')
    return withPostgresSnapshot(from.databaseUrl, tables, async (source, query) => {
      await requireStopped(query);
      return read(source);
    });
  const path = join(from.directory, SQLITE_FILE);
  if (!existsSync(path)) throw new FinClawError(`There is no database in ${from.directory}.`, 'NO_DATABASE');
  // Nobody else can open it until the move is over.
  const database = openSource(path);
  try {
    const source = directoryRows(database, from.directory, tables);
    requireOurs(source.migrations, path);
    return await read(source);
  } finally {
    database.close();
  }
};

/**
 * Copies everything from one database into an empty one, and compares every row and column. The source stays as it is;
 * after a failure the target is as empty as before. The bot must not run.
 */
export const moveDatabase = (options: MoveOptions): Promise<TransferReport> =>
  withSource(options, (source) => {
    const { to, secretKeys, signal } = options;
    const schema = schemaLike(source.migrations, options.schema, secretKeys);
    if (to.kind === 'postgres')
      return fillPostgres(to.databaseUrl, schema, (target) => transfer(source, target, signal));
    return fillDirectory(to.directory, (staging) =>
      fillSqlite(staging, schema, (target) => transfer(source, target, signal)),
    );
  });
