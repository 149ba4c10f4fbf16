import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { computeBackoff } from '#src/platform/backoff.ts';
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
  /** The boot of the machine and the tick at which the process began: no second process ever has both. */
  readonly start: string;
  /** It has ended, and only its parent has not taken notice yet. */
  readonly isZombie: boolean;
}

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Places behind the name of the program, which stands in brackets and may itself hold blanks and brackets. */
const STATE = 0;
const START_TICK = 19;

/**
 * Only Linux tells in a file when a process began. Elsewhere, and where `/proc` is closed to us, this is
 * undefined: there a number that was given to a new process cannot be told from its first owner.
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
    // One of somebody else's that may not be signalled is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** When this process began; undefined where the system does not say. */
const ownStart: string | undefined = lookUp(process.pid)?.start;

/**
 * Whether the process that wrote down this number and this start is still there. `unknown`: a process of that
 * number is, but whether it is the same one cannot be told. Processes of other machines and of containers with
 * numbers of their own are not seen: what keeps those out is the lock on the whole data directory.
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
  /** How events call the session, where the id is only the name of its file. */
  readonly sessionKey?: string;
  readonly timeoutMs?: number;
  /** The age from which a lock is not respected whose process may be the holder or another of the same number. */
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
 * What this process holds, and who waits in it. A lock belongs to a whole process, so this is known once in
 * each. (A second thread would not see it: locks are taken in one thread only.)
 */
const holds = new Map<string, Hold>();
const line = new SerialQueue();

/** However the process ends by itself. After a signal the file stays, and is stale, for its process is gone. */
const removeAllAtExit = (): void => {
  for (const { lockPath, content } of holds.values()) {
    try {
      removeLock(lockPath, content);
    } catch {
      // The others must be removed too.
    }
  }
};

/** The same file under another name, behind a link; not a copy of it. */
const isOurs = (lockPath: string, token: string): boolean =>
  holds.values().some((hold) => hold.token === token && isSameFile(hold.lockPath, lockPath));

const isStale = (lockPath: string, content: string, staleAfterMs: number, nowMs: number): boolean => {
  const record = parseLock(content);
  if (!record) return true;
  // A predecessor with our number left it: in a container every process may be number 1.
  if (record.pid === process.pid) return !isOurs(lockPath, record.token);
  const ageMs = nowMs - Date.parse(record.timestamp);
  const state = stateOfProcess(record.pid, record.processStart);
  // A holder that is known to live is waited for, however long: taking the lock from it would let two write.
  return state === 'dead' || (state === 'unknown' && !(ageMs <= staleAfterMs));
};

/** From here on the hold counts for nothing; its file may still be there, and is then stale. */
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
      // What the lock protected is done. The next one who wants it finds our file, and takes it for stale.
    }
    endHold(hold);
    hold.onRelease();
  };
  return { acquired: true, release };
};

/** Against other processes: they cannot be listened to, so this asks again and again. */
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
 * The right to write to the files of one session, for one caller in one process. A lock whose process is gone
 * is taken at once. Rejects only where the directory cannot be written to.
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

/** A second process on the same data would answer every message twice. Resolves with what gives the lock back. */
export const lockDataDir = async (dataDir: string, events: Events): Promise<() => Promise<void>> => {
  const lock = await acquireWriteLock({
    sessionDir: dataDir,
    sessionId: 'finclaw',
    timeoutMs: 0,
    // Held for days: age says nothing about it.
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

/** Runs a task while nobody else writes to the files of the session. Rejects with `SESSION_LOCKED` where somebody does. */
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
    // Once for all, so that calls of the same moment stay in order.
    await (made ??= makeDirectory());
    const lock = await acquire(sessionKey).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      // Somebody has removed it since.
      await (made = makeDirectory());
      return acquire(sessionKey);
    });
    if (!lock.acquired) {
      const { heldBy } = lock;
      const message = `Process ${heldBy ?? '(unknown)'} writes to the conversation and does not end`;
      throw new FinClawError(message, 'SESSION_LOCKED', { statusCode: 503, details: { sessionKey, heldBy } });
    }
    try {
      return await task();
    } finally {
      await lock.release();
    }
  };
};
