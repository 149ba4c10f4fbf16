import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { FinClawError } from '#src/core/errors.ts';

const MAX_CACHED_STATEMENTS = 200;

/** Takes the write lock at once: a transaction that reads first and writes later cannot fail half-way. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

const values = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];

/** node:sqlite in the shape that Kysely's SQLite driver expects, with prepared statements kept. */
const asKyselyDatabase = (database: DatabaseSync): SqliteDatabase => {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (statements.size < MAX_CACHED_STATEMENTS) statements.set(sql, statement);
    return statement;
  };
  return {
    close: () => {
      statements.clear();
      database.close();
    },
    prepare: (sql) => {
      const statement = prepared(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
};

const SQLITE_BUSY = 5;

/**
 * Opens the file for this process alone. The lock is the kernel's: it is gone the moment the process is,
 * however it ended, and a second process on the same data is refused instead of answering twice.
 */
const openExclusive = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path);
  try {
    database.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      begin exclusive; commit;
    `);
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new FinClawError(
      `Another FinClaw is running on ${path}. Stop it first, or give this one its own FINCLAW_DATA_DIR.`,
      'DATA_DIR_IN_USE',
      { cause: error },
    );
  }
};

/** `:memory:` or a file. */
export const sqliteDialect = (path: string): Dialect => {
  const database = openExclusive(path);
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver({ database: asKyselyDatabase(database) }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
};
