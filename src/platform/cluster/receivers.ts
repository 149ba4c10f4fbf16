import type { Clock, Moment } from '../concurrency/clock.ts';
import { momentOf, sinceMs } from '../concurrency/clock.ts';
import type { FinClawLogger } from '../logging/logger.ts';
import type { ProcessBus } from './process-bus.ts';
import type { Processes } from './processes.ts';

/** A platform brings what was not acknowledged again for so long: Slack for some six minutes. */
const COMES_AGAIN_MS = 6 * 60_000;

/** The others that receive messages of one platform. */
interface Watch {
  /** Their connections to the database. */
  others: ReadonlySet<number>;
  /** When all of them were there. */
  seenAt: Temporal.Instant;
  /** The last loss: when it was noticed, and a moment before it. */
  lost: { readonly noticed: Moment; readonly before: Temporal.Instant } | undefined;
}

/**
 * Notices at once that a process which received messages beside this one is gone, however it ended: the database frees its
 * lock with its connection.
 */
export interface Receivers {
  /** A moment before the last loss, as long as messages may come again that the lost process had not stored. Never rejects. */
  readonly lostSince: (channelId: string) => Promise<Temporal.Instant | undefined>;
}

interface ReceiversDeps {
  /** The platforms of which this process receives some of the messages, and others receive the rest. */
  readonly channelIds: readonly string[];
  readonly bus: Pick<ProcessBus, 'tryLock' | 'otherHolders' | 'onConnected'>;
  readonly processes: Pick<Processes, 'onJoined'>;
  readonly clock: Clock;
  readonly logger: Pick<FinClawLogger, 'warn'>;
}

const lockOf = (channelId: string): string => `receive from ${channelId}`;

/** Must be created before the link is started, so that this process is seen before it receives anything. */
export const createReceivers = ({ channelIds, bus, processes, clock, logger }: ReceiversDeps): Receivers => {
  const watches = new Map(
    channelIds.map((id): [string, Watch] => [
      id,
      { others: new Set(), seenAt: clock.now(), lost: undefined },
    ]),
  );
  const failed = (error: unknown): void =>
    logger.warn('It is not known which processes receive messages; asking again', { error });

  const look = async (channelId: string, watch: Watch): Promise<void> => {
    const askedAt = clock.now();
    const others = new Set(await bus.otherHolders(lockOf(channelId)));
    if ([...watch.others].some((each) => !others.has(each)))
      watch.lost = { noticed: momentOf(clock), before: watch.seenAt };
    watch.others = others;
    watch.seenAt = askedAt;
  };

  bus.onConnected(() => {
    for (const id of channelIds) bus.tryLock(lockOf(id), 'shared').catch(failed);
  });
  processes.onJoined(() => {
    for (const [id, watch] of watches) look(id, watch).catch(failed);
  });

  return {
    lostSince: async (channelId) => {
      const watch = watches.get(channelId);
      if (!watch) return undefined;
      if (watch.others.size > 0) await look(channelId, watch).catch(failed);
      const { lost } = watch;
      return lost && sinceMs(lost.noticed, clock) < COMES_AGAIN_MS ? lost.before : undefined;
    },
  };
};
