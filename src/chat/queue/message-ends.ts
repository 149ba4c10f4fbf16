import type { InboxId } from '#src/kernel/ids.ts';
import type { ProcessBus } from '#src/platform/cluster/process-bus.ts';
import { createPollingLoop } from '#src/platform/concurrency/polling-loop.ts';
import type { Uses } from '#src/platform/services.ts';
import type { SharedInbox } from '#src/chat/store/shared-inbox.ts';

/** Finds ends whose signal was lost. */
const LOOK_MS = 15_000;

interface MessageEndsDeps extends Uses<'clock' | 'logger.warn'> {
  readonly bus: Pick<ProcessBus, 'listen' | 'publish'>;
  readonly inbox: Pick<SharedInbox, 'settledOf'>;
}

/** Tells whoever received a message when its turn has ended, in whichever process. */
export type MessageEnds = ReturnType<typeof createMessageEnds>;

export const createMessageEnds = ({ bus, inbox, clock, logger }: MessageEndsDeps) => {
  const waiting = new Map<InboxId, (() => void)[]>();
  let isStopped = false;

  const end = (id: InboxId): boolean => {
    const resolvers = waiting.get(id) ?? [];
    for (const resolve of resolvers) resolve();
    return waiting.delete(id);
  };

  const loop = createPollingLoop(async () => {
    try {
      for (const id of await inbox.settledOf([...waiting.keys()])) end(id);
    } catch (error) {
      logger.warn('The ends of messages could not be looked up; looking again later', { error });
    }
    return LOOK_MS;
  }, clock);
  bus.listen('ended', { told: (id) => end(id as InboxId), gap: loop.wake });

  return {
    start: loop.start,
    /** Nobody waits any longer. */
    stop: async () => {
      isStopped = true;
      for (const id of waiting.keys()) end(id);
      await loop.stop();
    },
    /** Resolves when the turn of this message has ended, or at a shutdown. */
    whenEnded: (id: InboxId): Promise<void> => {
      if (isStopped) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, [...(waiting.get(id) ?? []), resolve]);
      return promise;
    },
    /** The turn of this message has ended here. */
    ended: (id: InboxId) => {
      if (!end(id)) void bus.publish('ended', id);
    },
  };
};
