import { ChannelError } from '#src/kernel/errors.ts';
import { raceAbort } from '#src/platform/concurrency/abort.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';

/** Slack accepts one message a second per chat, and a few more in a burst. */
const INTERVAL_MS = 1_000;
const BURST = 3;
/** A longer wait fails, so that the sender decides; a send that hangs for long would count as dead. */
const PATIENCE_MS = 15_000;
const MAX_IDLE_CHATS = 1_000;

interface Lane {
  waiting: number;
  /** When the next message would be due if they went out one a second. */
  dueMs: number;
}

/** Keeps order and rate of outgoing messages. Each chat waits only for itself. */
export type Pacing = ReturnType<typeof createPacing>;

export const createPacing = (clock: Clock) => {
  const lanes = new Map<string, Lane>();
  const order = new SerialQueue();

  const laneOf = (chat: string): Lane => {
    const known = lanes.get(chat);
    if (known) return known;
    if (lanes.size >= MAX_IDLE_CHATS) {
      for (const [name, lane] of lanes)
        if (lane.waiting === 0 && lane.dueMs <= clock.monotonicMs()) lanes.delete(name);
    }
    const lane: Lane = { waiting: 0, dueMs: 0 };
    lanes.set(chat, lane);
    return lane;
  };

  const waitForTurn = async (lane: Lane, signal: AbortSignal): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const earlyMs = Math.max(lane.dueMs, nowMs) - nowMs - (BURST - 1) * INTERVAL_MS;
    if (earlyMs > 0) await sleepWithAbort(earlyMs, clock, signal);
    lane.dueMs = Math.max(lane.dueMs, clock.monotonicMs()) + INTERVAL_MS;
  };

  const patiently = async <T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const startedMs = clock.monotonicMs();
    for (;;) {
      try {
        return await task();
      } catch (error) {
        const waitMs = error instanceof ChannelError ? error.retryAfterMs : undefined;
        if (waitMs === undefined || clock.monotonicMs() - startedMs + waitMs > PATIENCE_MS) throw error;
        await sleepWithAbort(waitMs, clock, signal);
      }
    }
  };

  /** Refuses instead of queueing when the wait would be too long. */
  const refuseLongLine = ({ dueMs, waiting }: Lane): void => {
    const waitMs = Math.max(dueMs - clock.monotonicMs(), waiting * INTERVAL_MS);
    if (waitMs > PATIENCE_MS)
      throw new ChannelError('rate-limited', 'Too many messages wait for this chat', {
        retryAfterMs: waitMs / 2,
      });
  };

  return {
    /** Waits for its turn and for rate limits. Rejects with the reason of the signal if that aborts meanwhile. */
    run: async <T>(chat: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> => {
      const lane = laneOf(chat);
      refuseLongLine(lane);
      const send = async (): ReturnType<typeof task> => {
        await waitForTurn(lane, signal);
        return patiently(task, signal);
      };
      signal.throwIfAborted();
      lane.waiting += 1;
      try {
        return await order.run(chat, send, (before) => raceAbort(before, signal));
      } finally {
        lane.waiting -= 1;
      }
    },
  };
};
