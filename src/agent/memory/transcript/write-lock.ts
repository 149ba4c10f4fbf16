import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { computeBackoff } from '#src/platform/retry.ts';
import { type Clock, systemClock } from '#src/platform/clock.ts';
import { SerialQueue, type WaitForTurn } from '#src/platform/serial-queue.ts';
import {
  isSameFile,
  type LockRecord,
  parseLock,
  placeLock,
  readLock,
  removeLock,
  removeStaleLock,
} from './lock-file.ts';
import { mkdir } from 'node:fs/promises';
import type { SessionKey } from '#src/kernel/ids.ts';
import { fileNameOf, isMissing, syncDirectory } from './session-files.ts';

interface RunningProcess {
  /** Boot id and start tick of the process, which are unique together. */
  readonly start: string;
  /** The process has ended, but its parent has not reaped it. */
  readonly isZombie: boolean;
}

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Field positions after the program name, which is in brackets and may contain spaces and brackets. */
const STATE = 0;
const START_TICK = 19;

/**
 * Only Linux exposes the start of a process in a file. Elsewhere, or without access to `/proc`, this is
 * undefined, and a reused pid cannot be told from its first owner.
 */
const lookUp = (pid: number): RunningProcess | undefined => {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim();
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (boot === undefined || stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { start: `${boot}/${fields[START_TICK]}`, isZombie: /^[ZXx]/.test(fields[STATE] ?? '') };
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists even if it may not be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Start of this process; undefined if the system does not report it. */
const ownStart: string | undefined = lookUp(process.pid)?.start;

/**
 * Whether the process with this pid and start still runs. `unknown`: a process with that pid exists, but may be
 * another one. Processes on other machines or in other pid namespaces are not visible; the lock on the data
 * directory keeps those out.
 */
const stateOfProcess = (pid: number, start: string | undefined): 'alive' | 'dead' | 'unknown' => {
  if (!exists(pid)) return 'dead';
  const found = lookUp(pid);
  if (!found) return 'unknown';
  if (found.isZombie) return 'dead';
  if (start === undefined) return 'unknown';
  return found.start === start ? 'alive' : 'dead';
};

export interface LockOptions {
  readonly sessionDir: string;
  readonly sessionId: string;
  /** The session key for events, if the id is only a file name. */
  readonly sessionKey?: string;
  readonly timeoutMs?: number;
  /** Age at which a lock is ignored if its holder may be another process with the same pid. */
  readonly staleAfterMs?: number;
  readonly events?: Events;
  readonly clock?: Clock;
}

/** `release` never rejects, and a second call does nothing. */
export type LockResult =
  | { readonly acquired: true; readonly release: () => Promise<void> }
  | { readonly acquired: false; readonly lockPath: string; readonly heldBy?: number };

interface Hold {
  readonly lockPath: string;
  readonly token: string;
  readonly content: string;
  readonly onRelease: () => void;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_STALE_AFTER_MS = 300_000;
const POLL = { minDelayMs: 5, maxDelayMs: 100, jitter: false };
const FILE_NAME = /^[\w-]{1,100}$/;

/**
 * Locks held and awaited in this process. A lock belongs to a process, so this is module state. (A second
 * thread would not see it: only one thread takes locks.)
 */
const holds = new Map<string, Hold>();
const line = new SerialQueue();

/** Runs on every regular exit. After a signal the file remains, and is stale because its process is gone. */
const removeAllAtExit = (): void => {
  for (const { lockPath, content } of holds.values()) {
    try {
      removeLock(lockPath, content);
    } catch {
      // Continue with the other locks.
    }
  }
};

/** Whether it is our file under another name (a link, not a copy). */
const isOurs = (lockPath: string, token: string): boolean =>
  holds.values().some((hold) => hold.token === token && isSameFile(hold.lockPath, lockPath));

const isStale = (lockPath: string, content: string, staleAfterMs: number, nowMs: number): boolean => {
  const record = parseLock(content);
  if (!record) return true;
  // An earlier process with our pid left it: in a container every process may have pid 1.
  if (record.pid === process.pid) return !isOurs(lockPath, record.token);
  const ageMs = nowMs - Date.parse(record.timestamp);
  const state = stateOfProcess(record.pid, record.processStart);
  // A live holder is waited for however long, because taking its lock would let two processes write.
  return state === 'dead' || (state === 'unknown' && !(ageMs <= staleAfterMs));
};

/** Ends the hold in this process; a remaining file is stale. */
const endHold = (hold: Hold): void => {
  holds.delete(hold.lockPath);
  if (holds.size === 0) process.off('exit', removeAllAtExit);
};

const beginHold = (lockPath: string, token: string, content: string, options: LockOptions): Hold => {
  const { events, sessionKey = options.sessionId } = options;
  const hold: Hold = {
    lockPath,
    token,
    content,
    onRelease: () => events?.emit('session:lock:release', { sessionKey }),
  };
  if (holds.size === 0) process.on('exit', removeAllAtExit);
  holds.set(lockPath, hold);
  events?.emit('session:lock:acquire', { sessionKey, pid: process.pid });
  return hold;
};

const granted = (hold: Hold): LockResult => {
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (isReleased) return;
    isReleased = true;
    try {
      removeLock(hold.lockPath, hold.content);
    } catch {
      // The protected work is done, and the next process treats the remaining file as stale.
    }
    endHold(hold);
    hold.onRelease();
  };
  return { acquired: true, release };
};

/** Polls, because other processes cannot notify us. */
const placeWithin = async (
  lockPath: string,
  deadlineMs: number,
  options: LockOptions,
): Promise<LockResult> => {
  const { staleAfterMs = DEFAULT_STALE_AFTER_MS, events, clock = systemClock } = options;
  const sessionKey = options.sessionKey ?? options.sessionId;
  const token = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const now = clock.now();
    const record: LockRecord = {
      pid: process.pid,
      ...(ownStart === undefined ? {} : { processStart: ownStart }),
      timestamp: now.toString({ smallestUnit: 'millisecond' }),
      token,
    };
    const content = JSON.stringify(record);
    if (placeLock(lockPath, content)) return granted(beginHold(lockPath, token, content, options));
    const seen = readLock(lockPath);
    if (seen === undefined) continue;
    const holder = parseLock(seen);
    const isFree = (lock: string): boolean => isStale(lockPath, lock, staleAfterMs, now.epochMilliseconds);
    if (isFree(seen) && removeStaleLock(lockPath, seen, content, isFree)) {
      events?.emit('session:lock:stale', { sessionKey, stalePid: holder?.pid ?? 0 });
      continue;
    }
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) return { acquired: false, lockPath, ...(holder ? { heldBy: holder.pid } : {}) };
    const delayMs = Math.min(leftMs, computeBackoff(attempt, POLL));
    await new Promise<void>((wake) => clock.after(delayMs, wake));
  }
};

const within =
  (timeoutMs: number, clock: Clock): WaitForTurn =>
  async (before) => {
    const isTheirTurn = await waitAtMost(
      before.then(() => true),
      timeoutMs,
      clock,
    );
    if (!isTheirTurn) throw new Error(`The lock was not free within ${timeoutMs} ms`);
  };

/**
 * Acquires the right to write to the files of one session, for one caller in one process. A lock of a dead
 * process is taken at once. Rejects only if the directory is not writable.
 */
export const acquireWriteLock = async (options: LockOptions): Promise<LockResult> => {
  const { sessionDir, sessionId, timeoutMs = DEFAULT_TIMEOUT_MS, clock = systemClock } = options;
  const name = FILE_NAME.test(sessionId) ? sessionId : createHash('sha256').update(sessionId).digest('hex');
  const lockPath = join(resolve(sessionDir), `${name}.lock`);
  const deadlineMs = clock.monotonicMs() + timeoutMs;

  const leave = await line.enter(lockPath, within(timeoutMs, clock)).catch(() => undefined);
  if (!leave) return { acquired: false, lockPath, heldBy: process.pid };
  let result: LockResult | undefined;
  try {
    result = await placeWithin(lockPath, deadlineMs, options);
  } finally {
    if (!result?.acquired) leave();
  }
  return result.acquired ? { ...result, release: () => result.release().finally(leave) } : result;
};

/**
 * Locks the data directory, because a second process on the same data would answer every message twice.
 * Resolves with the release function.
 */
export const lockDataDir = async (dataDir: string, events: Events): Promise<() => Promise<void>> => {
  const lock = await acquireWriteLock({
    sessionDir: dataDir,
    sessionId: 'finclaw',
    timeoutMs: 0,
    // This lock is held for days, so its age does not matter.
    staleAfterMs: Infinity,
    events,
  });
  if (lock.acquired) return lock.release;
  const holder = lock.heldBy === undefined ? '' : ` (process ${lock.heldBy})`;
  throw new FinClawError(
    `Another FinClaw${holder} is running on ${dataDir}. Stop it first, or give this one its own FINCLAW_DATA_DIR. If none is running, remove ${lock.lockPath}.`,
    'DATA_DIR_IN_USE',
  );
};

/** Runs a task under the session's lock. Rejects with `SESSION_LOCKED` if the lock is unavailable. */
type LockedSession = <T>(sessionKey: SessionKey, task: () => Promise<T>) => Promise<T>;

export const isLocked = (error: unknown): boolean =>
  error instanceof FinClawError && error.code === 'SESSION_LOCKED';

export const createLockedSession = (
  directory: string,
  clock: Clock,
  events: Events | undefined,
): LockedSession => {
  const acquire = (sessionKey: SessionKey): Promise<LockResult> =>
    acquireWriteLock({
      sessionDir: directory,
      sessionId: fileNameOf(sessionKey),
      sessionKey,
      clock,
      ...(events ? { events } : {}),
    });

  let made: Promise<void> | undefined;
  const makeDirectory = async (): Promise<void> => {
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await syncDirectory(dirname(directory));
    } catch (error) {
      made = undefined;
      throw error;
    }
  };

  return async (sessionKey, task) => {
    // Create the directory once, so that concurrent calls keep their order.
    await (made ??= makeDirectory());
    const lock = await acquire(sessionKey).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      // The directory was removed meanwhile.
      await (made = makeDirectory());
      return acquire(sessionKey);
    });
    if (!lock.acquired) {
      const { heldBy } = lock;
      const message = `Process ${heldBy ?? '(unknown)'} does not release the lock on the conversation`;
      throw new FinClawError(message, 'SESSION_LOCKED', { statusCode: 503, details: { sessionKey, heldBy } });
    }
    try {
      return await task();
    } finally {
      await lock.release();
    }
  };
};
