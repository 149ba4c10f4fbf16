import { FinClawError } from '#src/core/errors.ts';
import type { Events } from '#src/core/events.ts';
import { acquireWriteLock } from './write-lock.ts';

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
