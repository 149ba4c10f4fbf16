import { createHash } from 'node:crypto';
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * Lock files are handled synchronously: the steps touch only names and a few bytes, and take some 50 µs.
 * Through the thread pool they would take 270 µs, nearly half of the append that they protect.
 */

/** The content of a lock file: its holder. */
export interface LockRecord {
  readonly pid: number;
  /** Start time of the process; absent if the system does not report it. */
  readonly processStart?: string;
  readonly timestamp: string;
  /** Random, so that no two locks have the same content. */
  readonly token: string;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const unlinkIfThere = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
};

const writeAnew = (path: string, content: string): void => {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // A killed process with our pid left it. It may be a hard link to a lock, so it is removed rather than
    // overwritten.
    unlinkIfThere(path);
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  }
};

/**
 * Creates the lock unless it exists. The file is written under another name and then linked, which is atomic:
 * nobody ever sees a lock without its content.
 */
export const placeLock = (path: string, content: string): boolean => {
  const draft = `${path}.${process.pid}.tmp`;
  writeAnew(draft, content);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    unlinkIfThere(draft);
  }
};

/** Undefined if there is no lock. */
export const readLock = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Undefined for anything but a record, which must be debris because no record is ever visible half-written. */
export const parseLock = (content: string): LockRecord | undefined => {
  try {
    const record = JSON.parse(content) as LockRecord | null;
    // Zero and negative pids mean whole process groups to the system.
    return record && Number.isInteger(record.pid) && record.pid > 0 ? record : undefined;
  } catch {
    return undefined;
  }
};

export const isSameFile = (path: string, other: string): boolean => {
  const [one, two] = [path, other].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
};

/** Removes the lock if its content is unchanged. */
export const removeLock = (path: string, content: string): void => {
  if (readLock(path) === content) unlinkIfThere(path);
};

/**
 * Removes a stale lock. Returns false if another process is doing so. Two processes may find the same lock
 * stale, and the slower one must not remove the lock that the faster one has created meanwhile. So a process
 * first takes a second lock, named after the content of the stale one, and checks again: only one process at a
 * time is between check and removal, and a changed lock is left alone. The second lock is handled like any
 * other; if its holder died, it is removed in the same way.
 */
export const removeStaleLock = (
  path: string,
  stale: string,
  own: string,
  isStale: (content: string) => boolean,
): boolean => {
  const guard = `${path}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}.taking`;
  if (!placeLock(guard, own)) {
    const other = readLock(guard);
    if (other !== undefined && !(isStale(other) && removeStaleLock(guard, other, own, isStale))) return false;
    return removeStaleLock(path, stale, own, isStale);
  }
  try {
    removeLock(path, stale);
    return true;
  } finally {
    unlinkIfThere(guard);
  }
};
