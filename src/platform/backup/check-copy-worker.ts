import { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';

/** What a copy of a SQLite database holds. */
export interface CopyReport {
  /** Empty if the copy is sound. */
  readonly problems: readonly string[];
  readonly migrations: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  /** The payloads of unsent messages with files. */
  readonly unsent: readonly string[];
}

const UNSENT = `
  select payload from outbox where status = 'pending' and payload like '%"media"%'
  union all
  select payload from notifications where status in ('pending', 'sending') and payload like '%"media"%'`;

const texts = (database: DatabaseSync, query: string): readonly string[] =>
  database
    .prepare(query)
    .all()
    .map((row) => String(Object.values(row)[0]));

/** Checks the whole file, which takes long, and makes it independent of a log. */
const check = (path: string): CopyReport => {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma journal_mode = delete');
    const integrity = texts(database, 'pragma integrity_check').filter((line) => line !== 'ok');
    const foreign = texts(database, 'pragma foreign_key_check').map((table) => `a lost parent in ${table}`);
    const tables = texts(
      database,
      `select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name`,
    );
    const has = (table: string): boolean => tables.includes(table);
    return {
      problems: [...integrity, ...foreign],
      migrations: has('kysely_migration')
        ? texts(database, 'select name from kysely_migration order by name')
        : [],
      rows: Object.fromEntries(
        tables.map((table) => [table, Number(texts(database, `select count(*) from "${table}"`)[0])]),
      ),
      unsent: has('outbox') && has('notifications') ? texts(database, UNSENT) : [],
    };
  } finally {
    database.close();
  }
};

if (!isMainThread) parentPort?.postMessage(check(workerData as string), []);
