import { createHash } from 'node:crypto';
import { type FileHandle, link, open, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionKey } from '#src/kernel/ids.ts';

/** A hash, because session keys contain external ids and may be longer than a file name. */
export const fileNameOf = (sessionKey: SessionKey): string =>
  createHash('sha256').update(sessionKey).digest('hex').slice(0, 32);

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** Returns `otherwise` if the file or directory does not exist. */
export const ifThere = async <T>(task: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await task;
  } catch (error) {
    if (isMissing(error)) return otherwise;
    throw error;
  }
};

/** A created or renamed file survives a power cut only if its directory is synced too. */
export const syncDirectory = async (path: string): Promise<void> => {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};

/** Creates a hard link. False if the name is taken, or the file does not exist. */
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

/** Truncates half a line that a full disk left, so that the next one is not glued to it. Returns the new size. */
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

/** Durable when it resolves; absent when it rejects, so that it may be retried. */
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
 * Replaces a file atomically: a crash leaves the old or the new one. `setAside` links the old file to a second
 * name once the new one is on disk. After a crash in between, both names refer to one file, appends show under
 * both, and the next replacement separates them.
 */
export const replaceDurably = async (
  directory: string,
  name: string,
  content: string,
  setAside: (path: string) => Promise<void>,
): Promise<void> => {
  const path = join(directory, name);
  // A fixed name is safe: the writer holds the lock, and leftovers of a crash are overwritten.
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

/** False if there was nothing to rename. */
export const renameIfThere = (from: string, to: string): Promise<boolean> =>
  ifThere(
    rename(from, to).then(() => true),
    false,
  );

interface Segment {
  readonly name: string;
  readonly number: number;
}

/** Segments of the running conversation, oldest first. They are numbered, because a clock may be set back. */
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

/** Formats a time for a file name. */
export const inFileName = (at: Temporal.Instant): string =>
  at.toString({ smallestUnit: 'millisecond' }).replaceAll(':', '');
