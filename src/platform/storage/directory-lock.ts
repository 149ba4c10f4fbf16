import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FinClawError } from '#src/kernel/errors.ts';
import { openExclusive } from './sqlite.ts';

/** The place for files that are not complete yet, in a directory that is being filled. */
export const UNFINISHED = '.restoring';
const LOCK = 'lock.sqlite';

const isInUse = (error: unknown): boolean =>
  error instanceof FinClawError && error.code === 'DATA_DIR_IN_USE';

/** The operating system releases the lock when the process ends, however it ends. */
const lock = (directory: string, refusal: string): { readonly release: () => void } => {
  try {
    const database = openExclusive(join(directory, UNFINISHED, LOCK));
    return { release: () => database.close() };
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new FinClawError(refusal, 'DATA_DIR_IN_USE', { cause: error });
  }
};

/** Only one restore or move at a time may fill a directory. */
export const claimDirectory = (directory: string): { readonly release: () => void } => {
  mkdirSync(join(directory, UNFINISHED), { recursive: true, mode: 0o700 });
  return lock(
    directory,
    `Another restore or move is running into ${directory}. Wait until it is complete, or name another directory.`,
  );
};

/** Throws while a restore or move fills the directory. */
const requireUnlocked = (directory: string): void => {
  if (!existsSync(join(directory, UNFINISHED, LOCK))) return;
  lock(
    directory,
    `A restore or move is running into ${directory}. Start FinClaw when it is complete.`,
  ).release();
};

const hasContents = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Throws if this database must not be opened or made: a restore or move, which would put its own in this place, is running
 * or was killed before its database was complete.
 */
export const requireUnclaimed = (database: string): void => {
  const directory = dirname(database);
  const unfinished = join(directory, UNFINISHED);
  requireUnlocked(directory);
  if (existsSync(unfinished) && !hasContents(database))
    throw new FinClawError(
      `A restore or move into ${directory} was interrupted. Run it again, or remove ${unfinished} to do without its data.`,
      'RESTORE_INTERRUPTED',
    );
};

/**
 * Removes what a restore or move left that was killed when its database was complete: it holds everything, and no key
 * protects it. While one is running, nothing is removed.
 */
export const removeLeftCopy = async (directory: string): Promise<void> => {
  const unfinished = join(directory, UNFINISHED);
  if (!existsSync(unfinished)) return;
  try {
    claimDirectory(directory).release();
  } catch (error) {
    if (isInUse(error)) return;
    throw error;
  }
  await rm(unfinished, { recursive: true, force: true });
};

/** Whether a process was killed that filled this directory of ours. */
export const isAbandoned = (directory: string): boolean => {
  try {
    if (lstatSync(directory).uid !== process.getuid?.()) return false;
    if (!existsSync(join(directory, UNFINISHED, LOCK))) return false;
    requireUnlocked(directory);
    return true;
  } catch {
    return false;
  }
};
