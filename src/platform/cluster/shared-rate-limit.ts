import type { OtherProcesses } from '#src/kernel/channel/host.ts';
import { raceAbort } from '../concurrency/abort.ts';
import type { Clock } from '../concurrency/clock.ts';
import { sleepWithAbort } from '../concurrency/retry.ts';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import type { ProcessBus } from './process-bus.ts';

const LOOK_MS = 250;

/** A rate limit that all processes share. The process whose turn it is keeps a lock for the pause after its turn. */
export const createSharedRateLimit = (
  bus: Pick<ProcessBus, 'tryLock' | 'unlock'>,
  clock: Clock,
): OtherProcesses['takeTurn'] => {
  // A process gets its own lock again, so its turns wait for each other here.
  const own = new SerialQueue();
  return async (what, pauseMs, signal) => {
    const leave = await own.enter(what, (before) => raceAbort(before, signal));
    try {
      while (!(await bus.tryLock(what))) await sleepWithAbort(LOOK_MS, clock, signal);
    } catch (error) {
      leave();
      throw error;
    }
    clock.after(pauseMs, () => void bus.unlock(what).then(leave));
  };
};
