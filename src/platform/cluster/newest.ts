import type { OtherProcesses } from '#src/kernel/channel/host.ts';
import { sleepWithAbort } from '../concurrency/retry.ts';
import { SerialQueue } from '../concurrency/serial-queue.ts';
import type { ProcessBus } from './process-bus.ts';
import { GONE_SECONDS, type ProcessInfo, type Processes } from './processes.ts';
import type { Uses } from '../services.ts';

const LOOK_MS = 250;

interface NewestDeps extends Uses<'clock' | 'logger.info'> {
  readonly processes: Pick<Processes, 'findNewer'>;
  readonly bus: Pick<ProcessBus, 'tryLock' | 'unlock'>;
}

/**
 * The processes take turns, each with a lock, and look for newer ones when they have it. So an old one that has looked
 * cannot overwrite what a newer one writes in between.
 */
export const createAsNewest = ({ processes, bus, clock, logger }: NewestDeps): OtherProcesses['asNewest'] => {
  // A process gets its own lock again, so its turns wait for each other here.
  const own = new SerialQueue();
  return async (what, work, signal) => {
    const inTurn = (): Promise<ProcessInfo | undefined> =>
      own.run(what, async () => {
        while (!(await bus.tryLock(what))) await sleepWithAbort(LOOK_MS, clock, signal);
        try {
          const newer = await processes.findNewer();
          await work(newer === undefined);
          return newer;
        } finally {
          await bus.unlock(what);
        }
      });
    const newer = await inTurn();
    if (!newer) return;
    logger.info('A newer version runs, so this process leaves a shared task to it', {
      task: what,
      newer: newer.version,
    });
    // One that was killed seems to live for so long: after a roll-back it must not stay in the way.
    await sleepWithAbort(GONE_SECONDS * 1_000, clock, signal);
    await inTurn();
  };
};
