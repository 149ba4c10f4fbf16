import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { versionNumber } from '../build.ts';

/** `asked`: by a person or a program. `upgrade`: made before the schema was changed. */
export type BackupReason = 'asked' | 'schedule' | 'upgrade';

export interface StoredBackup {
  readonly file: string;
  readonly path: string;
  readonly madeAt: Temporal.Instant;
  readonly bytes: number;
  readonly isFromUpgrade: boolean;
}

/** Those before upgrades are kept apart: a daily backup must not push them out. */
const KEPT_FROM_UPGRADES = 3;
const UPGRADE = '-before-upgrade';
const EXTENSION = '.fcb';
/** The ending of a file that is being written. */
export const PART = '.part';
/** A process that has not written for so long is gone. */
const ABANDONED_MS = 3_600_000;

const NAME = /^finclaw-(\d{8}T\d{9}Z)-[\w.+-]+\.fcb$/;
const TIME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z$/;

/** `finclaw-20261118T170102123Z-0.1.0.fcb`: names sort by time. */
export const backupName = (madeAt: Temporal.Instant, version: string, reason: BackupReason): string => {
  const time = madeAt.toString({ smallestUnit: 'millisecond' }).replaceAll(/[-:.]/g, '');
  const safe = versionNumber(version).replaceAll(/[^\w.+-]/g, '');
  return `finclaw-${time}-${safe}${reason === 'upgrade' ? UPGRADE : ''}${EXTENSION}`;
};

const timeIn = (file: string): Temporal.Instant | undefined => {
  const [, time = ''] = NAME.exec(file) ?? [];
  const parts = TIME.exec(time)?.slice(1);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second, millisecond] = parts;
  try {
    return Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  } catch {
    return undefined;
  }
};

const namesIn = async (directory: string): Promise<readonly string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** The backups in a directory, the newest first. Other files are left out. */
export const listBackups = async (directory: string): Promise<readonly StoredBackup[]> => {
  const found: StoredBackup[] = [];
  for (const file of await namesIn(directory)) {
    const madeAt = timeIn(file);
    if (!madeAt) continue;
    const path = join(directory, file);
    const facts = await stat(path).catch(() => undefined);
    if (!facts?.isFile()) continue;
    const isFromUpgrade = file.endsWith(`${UPGRADE}${EXTENSION}`);
    found.push({ file, path, madeAt, bytes: facts.size, isFromUpgrade });
  }
  return found.toSorted((a, b) => Temporal.Instant.compare(b.madeAt, a.madeAt));
};

/** For the doctor and for metrics. Undefined if there is none. */
export const newestBackup = async (directory: string): Promise<StoredBackup | undefined> =>
  (await listBackups(directory))[0];

/** The clock was ahead when it was made, or is behind now. */
export const isFromFuture = ({ madeAt }: Pick<StoredBackup, 'madeAt'>, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(madeAt, now) > 0;

const isRemoved = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    // Another process was faster.
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );

/**
 * Removes the oldest backups above the numbers to keep, never the one that was made just now: by a clock that was wrong,
 * others are newer, and they go first. Gives how many are left. A file of somebody else stays.
 */
export const rotateBackups = async (
  directory: string,
  keep: number,
  madeAt: Temporal.Instant,
): Promise<number> => {
  const all = await listBackups(directory);
  const inOrder = [
    ...all.filter((backup) => !isFromFuture(backup, madeAt)),
    ...all.filter((backup) => isFromFuture(backup, madeAt)),
  ];
  const old = [
    ...inOrder.filter(({ isFromUpgrade }) => !isFromUpgrade).slice(keep),
    ...inOrder.filter(({ isFromUpgrade }) => isFromUpgrade).slice(KEPT_FROM_UPGRADES),
  ];
  let left = all.length;
  // The backup is made, whatever becomes of an old one.
  for (const { path } of old) if (await isRemoved(path)) left -= 1;
  return left;
};

/**
 * Removes what processes left that ended while they wrote a backup. Where others may be writing one, what has not grown
 * for a while is left.
 */
export const removeAbandoned = async (directory: string, isShared: boolean): Promise<void> => {
  for (const file of await namesIn(directory)) {
    if (!file.endsWith(PART) || !timeIn(file.slice(0, -PART.length))) continue;
    const path = join(directory, file);
    const facts = await stat(path).catch(() => undefined);
    if (facts && (!isShared || Date.now() - facts.mtimeMs > ABANDONED_MS)) await isRemoved(path);
  }
};
