import { createPollingLoop } from '../concurrency/polling-loop.ts';
import type { ProcessBus } from './process-bus.ts';
import type { Uses } from '../services.ts';

const TRY_AGAIN_MS = 2_000;

interface LeaseDeps extends Uses<'clock' | 'logger.info' | 'logger.warn'> {
  /** The work that only one of several processes does at a time. */
  readonly name: string;
  readonly bus: Pick<ProcessBus, 'tryLock' | 'onConnected' | 'onLost'>;
}

/**
 * A task of one process at a time: the one that holds a lock. The database frees the lock with the connection, however the
 * process ends, and another process has it within seconds. For a moment two may do the task, so that must be harmless.
 */
export type Lease = ReturnType<typeof createLease>;

export const createLease = ({ name, bus, clock, logger }: LeaseDeps) => {
  let isHeld = false;

  const end = (): void => {
    if (isHeld) logger.info('This process has given up a shared task', { task: name });
    isHeld = false;
  };

  const loop = createPollingLoop(async () => {
    let isOurs = false;
    try {
      isOurs = await bus.tryLock(name);
    } catch (error) {
      logger.warn('The database did not say which process has a task; asking again', { task: name, error });
    }
    if (!isOurs) return TRY_AGAIN_MS;
    if (!isHeld) logger.info('This process has taken on a shared task', { task: name });
    isHeld = true;
    return undefined;
  }, clock);

  bus.onLost(end);
  // Before others ask, who do so every two seconds.
  bus.onConnected(loop.wake);

  return {
    start: loop.start,
    /** Ends the task. The lock is free when the connection ends. */
    stop: async () => {
      await loop.stop();
      end();
    },
    isHeld: (): boolean => isHeld,
  };
};
