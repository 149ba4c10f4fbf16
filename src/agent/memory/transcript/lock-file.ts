import { createHash } from 'node:crypto';
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * The steps on the lock file are synchronous. They touch names and a few bytes and wait for no disk: some 50 µs,
 * where the same through the thread pool takes 270, nearly half of what the append takes that they protect.
 */

/** Who holds a lock, as it stands in the file. */
export interface LockRecord {
  readonly pid: number;
  /** When the process began; not there where the system does not say. */
  readonly processStart?: string;
  readonly timestamp: string;
  /** By chance: no two holds ever write the same file. */
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
    // Left by a process of our number that was killed in between. It may be a second name of a lock: not written into.
    unlinkIfThere(path);
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 });
  }
};

/**
 * Puts the file there, unless one is. It is written under another name and then linked, which the file system
 * does at once and for one caller only: nobody ever sees a lock without its content.
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

/** Undefined where there is no lock. */
export const readLock = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Undefined for what is no record: since none is ever seen half written, that is debris. */
export const parseLock = (content: string): LockRecord | undefined => {
  try {
    const record = JSON.parse(content) as LockRecord | null;
    // Zero and negative numbers would ask the system about whole groups of processes.
    return record && Number.isInteger(record.pid) && record.pid > 0 ? record : undefined;
  } catch {
    return undefined;
  }
};

export const isSameFile = (path: string, other: string): boolean => {
  const [one, two] = [path, other].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
};

/** Removes the lock if it is still this one. */
export const removeLock = (path: string, content: string): void => {
  if (readLock(path) === content) unlinkIfThere(path);
};

/**
 * Removes a lock that was found stale. False where another process is just doing it.
 *
 * Two may find the same lock stale. If both simply removed it, the slower one would remove the lock that the
 * faster one has put in its place meanwhile. So whoever removes it first takes a second lock that is named
 * after the content of the stale one, and looks again once it has that: only one at a time can be between the
 * look and the removal, and a lock that is not the stale one any more stays. The second lock is taken like
 * any other; if its holder died, it is itself removed in the same way.
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
