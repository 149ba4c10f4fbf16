import { ChannelError } from '#src/core/errors.ts';
import { sleepWithAbort } from '#src/infra/backoff.ts';
import type { Clock } from '#src/infra/clock.ts';

/** Slack takes one message a second and chat, and a few more in a burst. */
const INTERVAL_MS = 1_000;
const BURST = 3;
/** Longer than this, whoever sends is told, and decides. A send that is silent for long would be taken for dead. */
const PATIENCE_MS = 15_000;
const MAX_IDLE_CHATS = 1_000;

interface Lane {
  /** Resolves when everything before has gone out. */
  tail: Promise<void>;
  waiting: number;
  /** When the next message would be due if they went out one a second. */
  dueMs: number;
}

/** Order and pace of what goes out. Every chat waits for itself alone. */
export interface Pacing {
  /** Waits for its turn, and for the end of a limit. Rejects with the signal's reason when that aborts meanwhile. */
  readonly run: <T>(chat: string, task: () => Promise<T>, signal: AbortSignal) => Promise<T>;
}

const untilAborted = async (waited: Promise<void>, signal: AbortSignal): Promise<void> => {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([waited, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

export const createPacing = (clock: Clock): Pacing => {
  const lanes = new Map<string, Lane>();

  const laneOf = (chat: string): Lane => {
    const known = lanes.get(chat);
    if (known) return known;
    if (lanes.size >= MAX_IDLE_CHATS) {
      for (const [name, lane] of lanes)
        if (lane.waiting === 0 && lane.dueMs <= clock.monotonicMs()) lanes.delete(name);
    }
    const lane: Lane = { tail: Promise.resolve(), waiting: 0, dueMs: 0 };
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

  /** Where the line is long, nobody stands in it: who comes back in its time finds it shorter. */
  const refuseLongLine = ({ dueMs, waiting }: Lane): void => {
    const waitMs = Math.max(dueMs - clock.monotonicMs(), waiting * INTERVAL_MS);
    if (waitMs > PATIENCE_MS)
      throw new ChannelError('rate-limited', 'Many messages wait for this chat', {
        retryAfterMs: waitMs / 2,
      });
  };

  return {
    run: async (chat, task, signal) => {
      const lane = laneOf(chat);
      refuseLongLine(lane);
      const before = lane.tail;
      const { promise: mine, resolve: release } = Promise.withResolvers<void>();
      lane.tail = before.then(() => mine);
      lane.waiting += 1;
      try {
        await untilAborted(before, signal);
        await waitForTurn(lane, signal);
        return await patiently(task, signal);
      } finally {
        lane.waiting -= 1;
        release();
      }
    },
  };
};
