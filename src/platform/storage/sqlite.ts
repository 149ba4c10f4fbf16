import { fdatasync, openSync, closeSync } from 'node:fs';
import { promisify } from 'node:util';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseMetadataOptions,
  type Dialect,
  type Kysely,
  type QueryResult,
  sql,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  type SqliteStatement,
  SqliteQueryCompiler,
  type TableMetadata,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { FinClawError } from '#src/kernel/errors.ts';

const MAX_CACHED_STATEMENTS = 200;

/** The state of the connection. */
export interface SqliteSession {
  readonly isInTransaction: () => boolean;
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #session: SqliteSession;

  constructor(database: SqliteDatabase, session: SqliteSession) {
    super({ database });
    this.#session = session;
  }

  /** Takes the write lock at once, so that a transaction that reads first and writes later cannot fail half-way. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** A full disk may have ended the transaction already; a second error must not hide the first one. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#session.isInTransaction()) await super.rollbackTransaction(connection);
  }
}

/** Lets a compiled query run without the queues between Kysely and the driver, which take longer than most queries. */
export class DirectSqliteAdapter extends SqliteAdapter {
  readonly #database: SqliteDatabase;
  readonly #session: SqliteSession;

  constructor(database: SqliteDatabase, session: SqliteSession) {
    super();
    this.#database = database;
    this.#session = session;
  }

  prepare(sql: string): SqliteStatement {
    return this.#database.prepare(sql);
  }

  /** Undefined for a query outside of the open transaction: it has to wait for the end of it. */
  run<Row>(
    statement: SqliteStatement,
    parameters: readonly unknown[],
    isOfTransaction: boolean,
  ): QueryResult<Row> | undefined {
    if (!isOfTransaction && this.#session.isInTransaction()) return undefined;
    if (statement.reader) return { rows: statement.all(parameters) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
  }
}

const values = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];

/** Makes rows of one shape from plain lists, because the row objects of node:sqlite are large and slow to read. */
const rowMaker = (statement: StatementSync): ((cells: unknown) => Readonly<Record<string, unknown>>) => {
  const names = statement.columns().map(({ name }) => name);
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  return (cells) => {
    const row: Record<string, unknown> = { ...empty };
    for (let index = 0; index < names.length; index += 1)
      row[names[index] ?? ''] = (cells as readonly unknown[])[index];
    return row;
  };
};

const prepareAnew = (database: DatabaseSync, sql: string): SqliteStatement => {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const toRow = rowMaker(statement);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)).map(toRow),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => Iterator.from<unknown>(statement.iterate(...values(parameters))).map(toRow),
  };
};

const CHANGES_TABLES = /^\s*(?:create|alter|drop)\b/i;

/** Adapts node:sqlite to Kysely's SQLite driver, with a cache of prepared statements. */
const asKyselyDatabase = (
  database: DatabaseSync,
  files: readonly Pick<HeldFile, 'close'>[],
): SqliteDatabase => {
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_CACHED_STATEMENTS });
  return {
    close: () => {
      statements.clear();
      database.close();
      for (const file of files) file.close();
    },
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known) return known;
      const statement = prepareAnew(database, sql);
      // Prepared statements keep the names of the columns that their tables had.
      if (CHANGES_TABLES.test(sql)) statements.clear();
      else statements.set(sql, statement);
      return statement;
    },
  };
};

const WRITES = /^\s*(?:insert|update|delete|replace|create|alter|drop)\b/i;

/** Calls `beforeCommit` before every commit, and before a write outside of transactions, which commits by itself. */
const beforeEachCommit = (
  inner: SqliteDatabase,
  isInTransaction: () => boolean,
  beforeCommit: () => void,
): SqliteDatabase => ({
  close: () => inner.close(),
  prepare: (sql) => {
    const statement = inner.prepare(sql);
    const isCommit = /^\s*commit\b/i.test(sql);
    const isWrite = WRITES.test(sql);
    if (!isCommit && !isWrite) return statement;
    const announce = (): void => {
      if (isCommit || !isInTransaction()) beforeCommit();
    };
    return {
      ...statement,
      all: (parameters) => {
        announce();
        return statement.all(parameters);
      },
      run: (parameters) => {
        announce();
        return statement.run(parameters);
      },
    };
  },
});

/**
 * Tells the migrator, which asks for its own tables too, the names of all tables and nothing more: reading every column
 * would take most of the time of opening a database.
 */
class QuickIntrospector extends SqliteIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    if (!options?.withInternalKyselyTables) return super.getTables(options);
    const names = sql<{ name: string }>`select name from sqlite_master where type = 'table'`;
    const { rows } = await names.execute(this.#db);
    return rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }));
  }
}

const SQLITE_BUSY = 5;

/** A checkpoint blocks the event loop while it copies the log and flushes twice, so the log may grow to 16 MB first. */
const CHECKPOINT_PAGES = 4_000;

const flushFile = promisify(fdatasync);

type HeldFile = ReturnType<typeof holdFile>;

/**
 * A descriptor that stays open until the database is closed: closing any descriptor of a file releases all locks that the
 * process has on it, also those of SQLite.
 */
const holdFile = (path: string) => {
  let descriptor: number | undefined;
  return {
    descriptor: (): number => (descriptor ??= openSync(path, 'r')),
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
};

/**
 * Opens the file for this process alone, so that a second process on the same data is refused instead of answering twice.
 * The operating system holds the lock and releases it when the process ends, however it ends.
 */
export const openExclusive = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path);
  try {
    database.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
      pragma foreign_keys = on;
      pragma secure_delete = on;
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

export interface SqliteOptions {
  /** For tests and benchmarks of failing disks. If it throws, the commit does not happen. */
  readonly beforeCommit?: (() => void) | undefined;
  /** For tests and benchmarks of slow or failing disks. If it rejects, the flush has failed. */
  readonly beforeFlush?: (() => Promise<void>) | undefined;
}

export type OpenedSqlite = ReturnType<typeof openSqlite>;

/** Opens a file. A commit is durable only after the next flush. */
export const openSqlite = (path: string, { beforeCommit, beforeFlush }: SqliteOptions = {}) => {
  const file = openExclusive(path);
  const log = holdFile(`${path}-wal`);
  const main = holdFile(path);
  const isInTransaction = (): boolean => file.isTransaction;
  const plain = asKyselyDatabase(file, [log, main]);
  const database = beforeCommit ? beforeEachCommit(plain, isInTransaction, beforeCommit) : plain;
  const session: SqliteSession = { isInTransaction };
  const dialect: Dialect = {
    createAdapter: () => new DirectSqliteAdapter(database, session),
    createDriver: () => new ImmediateSqliteDriver(database, session),
    createIntrospector: (db) => new QuickIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
  return {
    dialect,
    session,
    /**
     * Makes every commit so far durable: SQLite commits without waiting for the disk (`synchronous = normal`). A flush
     * through any descriptor covers all that was written to the log, which keeps its file as long as the database is open.
     * It runs in a thread of its own.
     */
    flush: async () => {
      await beforeFlush?.();
      await flushFile(log.descriptor());
    },
    /** The main file, to be read only. */
    mainFile: main.descriptor,
    /** While it is held, commits go to the log alone, and the main file stays as it is. */
    holdMainFile: (isHeld: boolean) =>
      file.exec(`pragma wal_autocheckpoint = ${isHeld ? 0 : CHECKPOINT_PAGES}`),
  };
};
