import { constants, read as readCallback } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';
import type { OpenedSqlite } from './sqlite.ts';

const read = promisify(readCallback);

const PIECE_BYTES = 1_024 * 1_024;
const EMPTY_ATTEMPTS = 20;
const EMPTY_AGAIN_MS = 50;
const TRUNCATE_AGAIN_MS = 1_000;

export type SqliteFiles = ReturnType<typeof createSqliteFiles>;

/**
 * The log is copied into the main file first, and then the main file stays as it is until it is copied: new commits go to
 * the log alone. Answers go on meanwhile. SQLite's own way, `backup()`, fails in Node when one of its steps
 * meets an open transaction, and a single step keeps every query waiting.
 */
export const createSqliteFiles = (
  db: Kysely<Database>,
  { mainFile, holdMainFile }: Pick<OpenedSqlite, 'mainFile' | 'holdMainFile'>,
) => {
  let copies = 0;

  /** Runs in the connection's queue, so never inside a transaction. */
  const isEmptied = async (): Promise<boolean> => {
    const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    return rows[0]?.busy === 0;
  };

  const emptyLog = async (signal: AbortSignal): Promise<void> => {
    for (let attempt = 0; attempt < EMPTY_ATTEMPTS; attempt += 1) {
      if (await isEmptied()) return;
      await sleep(EMPTY_AGAIN_MS, undefined, { signal });
    }
    throw new Error('The log of the database could not be emptied');
  };

  const copyMainFile = async (path: string, signal: AbortSignal): Promise<void> => {
    const target = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    try {
      const buffer = Buffer.alloc(PIECE_BYTES);
      for (let at = 0; ;) {
        signal.throwIfAborted();
        const { bytesRead } = await read(mainFile(), buffer, 0, PIECE_BYTES, at);
        if (bytesRead === 0) return;
        await target.write(buffer, 0, bytesRead, at);
        at += bytesRead;
      }
    } finally {
      await target.close();
    }
  };

  const tryTruncate = async (): Promise<boolean> => {
    try {
      // A copy must not see the main file change.
      return copies === 0 && (await isEmptied());
    } catch {
      return false;
    }
  };

  const truncateLater = (): void =>
    void setTimeout(() => {
      if (copies > 0) truncateLater();
      else void tryTruncate();
    }, TRUNCATE_AGAIN_MS).unref();

  return {
    /**
     * Copies the database as it is at one moment, while it is in use: everything that is committed by then, and nothing that
     * comes later. The path must not exist.
     */
    copyTo: async (path: string, signal: AbortSignal) => {
      if (copies > 0) throw new Error('The database is being copied already');
      copies += 1;
      try {
        holdMainFile(true);
        await emptyLog(signal);
        await copyMainFile(path, signal);
      } finally {
        copies -= 1;
        holdMainFile(false);
      }
    },
    /** Empties the log, now or a little later. Never throws. */
    truncateLog: async () => {
      if (!(await tryTruncate())) truncateLater();
    },
  };
};
