import { createHash } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionKey } from '#src/kernel/ids.ts';

/** A hash, for session keys contain ids from outside and may be longer than a file name. */
export const fileNameOf = (sessionKey: SessionKey): string =>
  createHash('sha256').update(sessionKey).digest('hex').slice(0, 32);

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** `otherwise` where there is no such file or directory. */
export const ifThere = async <T>(task: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await task;
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
};

/** A file that was made or renamed is found again after a power cut only when its directory is on disk too. */
export const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};

/** A second name for a file. False when the name is taken, or there is no such file. */
export const linkOnce = async (from: string, to: string): Promise<boolean> => {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'EEXIST') return false;
    throw error;
  }
};

const LINE_FEED = 0x0a;

/** A write that a full disk cut short leaves half a line: the next one must not be glued to it. The size after that. */
const dropTornLine = async (file: FileHandle): Promise<number> => {
  const { size } = await file.stat();
  const last = Buffer.alloc(1);
  if (size > 0) await file.read(last, 0, 1, size - 1);
  if (size === 0 || last[0] === LINE_FEED) return size;
  const bytes = Buffer.alloc(size);
  await file.read(bytes, 0, size, 0);
  const whole = bytes.lastIndexOf(LINE_FEED) + 1;
  await file.truncate(whole);
  return whole;
};

/** On disk when it resolves; not there at all when it rejects, so that it may be tried again. */
export const appendDurably = async (directory: string, name: string, line: string): Promise<void> => {
  const file = await open(join(directory, name), 'a+', 0o600);
  try {
    const size = await dropTornLine(file);
    try {
      await file.appendFile(line);
      await file.datasync();
      if (size === 0) await syncDirectory(directory);
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
};

/**
 * Puts a new file in the place of another. A crash leaves the old one or the new one. `setAside` gives the old
 * one a second name once the new one is on disk. A crash right behind it leaves two names for one file: what is
 * added to it later shows under both, and the next replacement parts them.
 */
export const replaceDurably = async (
  directory: string,
  name: string,
  content: string,
  setAside: (path: string) => Promise<void>,
): Promise<void> => {
  const path = join(directory, name);
  // One name for all: who writes it holds the lock, and what a crash left of it is written over.
  const draft = `${path}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await setAside(path);
  await rename(draft, path);
  await syncDirectory(directory);
};

/** False where there was nothing to rename. */
export const renameIfThere = (from: string, to: string): Promise<boolean> =>
  ifThere(
    rename(from, to).then(() => true),
    false,
  );

interface Segment {
  readonly name: string;
  readonly number: number;
}

/** Set-aside parts of the running conversation, the oldest first. They are counted: a clock may be turned back. */
export const segmentsOf = async (directory: string, base: string): Promise<readonly Segment[]> => {
  const names = await ifThere(readdir(directory), []);
  return names
    .flatMap((name) => {
      if (!name.startsWith(`${base}.`) || !name.endsWith('.segment')) return [];
      const number = Number(/-(\d+)\.segment$/.exec(name)?.[1] ?? Number.NaN);
      return Number.isNaN(number) ? [] : [{ name, number }];
    })
    .toSorted((a, b) => a.number - b.number);
};

/** A point in time as part of a file name. */
export const inFileName = (at: Temporal.Instant): string =>
  at.toString({ smallestUnit: 'millisecond' }).replaceAll(':', '');
