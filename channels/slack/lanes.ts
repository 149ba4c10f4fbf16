import type { Clock } from '#src/infra/clock.ts';

/** One after the other for each chat, so that what was said first is received first. */
export interface Lanes {
  /** Waits for what is before it in the chat, but not longer than a moment: Slack wants its answer within 3 s. */
  readonly run: <T>(chat: string, task: () => Promise<T>) => Promise<T>;
}

const PATIENCE_MS = 2_000;

export const createLanes = (clock: Clock): Lanes => {
  const tails = new Map<string, Promise<void>>();

  const untilLate = async (before: Promise<void>): Promise<void> => {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(PATIENCE_MS, resolve);
    await Promise.race([before, late]);
    cancel();
  };

  return {
    run: async (chat, task) => {
      const before = tails.get(chat);
      const { promise: mine, resolve: release } = Promise.withResolvers<void>();
      const tail = before ? before.then(() => mine) : mine;
      tails.set(chat, tail);
      try {
        if (before) await untilLate(before);
        return await task();
      } finally {
        release();
        void tail.then(() => {
          if (tails.get(chat) === tail) tails.delete(chat);
        });
      }
    },
  };
};
