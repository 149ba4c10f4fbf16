import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FinClawError } from '#src/kernel/errors.ts';
import type { Events } from '#src/kernel/events.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import { fileNameOf, isMissing, syncDirectory } from './session-files.ts';
import { acquireWriteLock, type LockResult } from './write-lock.ts';

/** Runs a task while nobody else writes to the files of the session. Rejects with `SESSION_LOCKED` where somebody does. */
export type LockedSession = <T>(sessionKey: SessionKey, task: () => Promise<T>) => Promise<T>;

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
