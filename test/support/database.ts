import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { SCHEMA } from '#src/wiring/schema.ts';
import {
  openStorage as open,
  type OpenedStorage as Storage,
  type StorageOptions,
} from '#src/platform/storage/database.ts';
import type { TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { runPostgres, type RunningPostgres } from './postgres-server.ts';

/** Every table of the database. */
export const TABLES: readonly TableDescriptor[] = SCHEMA.tables;

/** Opens a database with all tables, as the program does. */
export const openStorage = (options: Omit<StorageOptions, 'schema'>): Promise<Storage> =>
  open({ ...options, schema: SCHEMA });

const makeDir = (): string => mkdtempSync(join(tmpdir(), 'finclaw-test-'));

/** A directory of this test alone, gone when the test has ended. */
export const temporaryDir = (): string => {
  const path = makeDir();
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** Below the range from which systems give ports to servers on port 0 and to outgoing connections. */
const FIRST_PORT = 10_000;
/** Each worker of the test run has a range of its own, so two workers never pick the same port. */
const PORTS_PER_WORKER = 1_000;

let portsGiven = 0;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** A port of the loopback address that nobody listens on, and that nobody else is given in the meantime. */
export const freePort = async (): Promise<number> => {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 1) % 20;
  while (portsGiven < PORTS_PER_WORKER) {
    const port = FIRST_PORT + worker * PORTS_PER_WORKER + ((process.pid + portsGiven) % PORTS_PER_WORKER);
    portsGiven += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('This worker has used up its ports');
};

/** An empty database, of this test alone until it has ended. */
export interface TestStorage {
  readonly storage: Storage;
  /** Closes nothing: with SQLite, close what is open first. */
  readonly reopen: () => Promise<Storage>;
}

/** Opens again and again what the options name; with the test, all of it is closed. */
const reopening = (options: Parameters<typeof openStorage>[0]) => async (): Promise<Storage> => {
  const storage = await openStorage(options);
  onTestFinished(() => storage.close());
  return storage;
};

const SQLITE_FILE = 'finclaw.sqlite';

const migrateNew = async (): Promise<Buffer> => {
  const dataDir = makeDir();
  try {
    await (await openStorage({ dataDir })).close();
    return readFileSync(join(dataDir, SQLITE_FILE));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

let migrated: Promise<Buffer> | undefined;

/** Puts a migrated, empty database where there is none. Copying one takes a fraction of the time of migrating it. */
export const copyDatabaseTo = async (dataDir: string): Promise<void> => {
  const path = join(dataDir, SQLITE_FILE);
  if (existsSync(path)) return;
  migrated ??= migrateNew();
  writeFileSync(path, await migrated, { mode: 0o600 });
};

/** In a directory that the test names, the database is made as a new user's is. */
export const sqliteStorage = async (named?: string): Promise<TestStorage> => {
  const dataDir = named ?? temporaryDir();
  if (named === undefined) await copyDatabaseTo(dataDir);
  const reopen = reopening({ dataDir });
  return { storage: await reopen(), reopen };
};

export interface PostgresServer extends RunningPostgres {
  readonly port: number;
  readonly storage: () => Promise<TestStorage>;
}

/** Not `truncate`, which makes every file anew. What tells of the schema stays. */
const EMPTY_ALL_TABLES = `
  do $$ declare name text; begin
    perform set_config('lock_timeout', '2s', true);
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' and tablename <> 'instance_keys'
    loop execute format('delete from %I', name); end loop;
  end $$`;

/** A real PostgreSQL: start it in `beforeAll`, stop it in `afterAll`. Takes one to two seconds. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const port = await freePort();
  const server = await runPostgres(port);
  const dir = makeDir();
  const openDatabase = async (databaseUrl: string) => ({
    databaseUrl,
    storage: await openStorage({ dataDir: dir, databaseUrl }),
  });
  // To make and to open a database for every test takes longer than the tests: the next one gets it empty.
  const left: Awaited<ReturnType<typeof openDatabase>>[] = [];
  return {
    ...server,
    port,
    storage: async () => {
      const { databaseUrl, storage } = left.pop() ?? (await openDatabase(await server.createDatabase()));
      let isClosed = false;
      // Said before anything else of the test, it is done last.
      onTestFinished(async () => {
        const opened = isClosed ? await openDatabase(databaseUrl) : { databaseUrl, storage };
        await sql.raw(EMPTY_ALL_TABLES).execute(opened.storage.db);
        left.push(opened);
      });
      const close = (): Promise<void> => {
        isClosed = true;
        return storage.close();
      };
      return { storage: { ...storage, close }, reopen: reopening({ dataDir: dir, databaseUrl }) };
    },
    stop: async () => {
      await Promise.all(left.map(({ storage }) => storage.close()));
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
