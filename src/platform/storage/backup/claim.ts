import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FinClawError } from '#src/kernel/errors.ts';
import { openExclusive } from '../sqlite.ts';

/** What is not complete yet, in the directory that is being filled. */
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

/** Throws while a restore or move fills the directory: it would put its database in place of a new one. */
export const requireUnclaimed = (directory: string): void => {
  if (!existsSync(join(directory, UNFINISHED, LOCK))) return;
  lock(
    directory,
    `A restore or move is running into ${directory}. Start FinClaw when it is complete.`,
  ).release();
};

/** Whether a process was killed that filled this directory of ours. */
export const isAbandoned = (directory: string): boolean => {
  try {
    if (lstatSync(directory).uid !== process.getuid?.()) return false;
    if (!existsSync(join(directory, UNFINISHED, LOCK))) return false;
    requireUnclaimed(directory);
    return true;
  } catch {
    return false;
  }
};
