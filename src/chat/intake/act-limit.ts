import type { Actor } from '#src/kernel/chat/actor.ts';
import { LRUCache } from 'lru-cache';

import type { Clock } from '#src/platform/concurrency/clock.ts';

const WINDOW_MS = 60_000;
const MAX_PEOPLE = 2_000;

interface ActWindow {
  readonly beganAtMs: number;
  count: number;
}

/** Counts what people do at this process besides writing messages. 0: no limit. */
export const createActLimit = (perMinute: number, clock: Clock) => {
  const windows = new LRUCache<string, ActWindow>({ max: MAX_PEOPLE });

  return {
    /** Counts one more; 0 if it is allowed. */
    waitSeconds: ({ channelId, senderId }: Pick<Actor, 'channelId' | 'senderId'>): number => {
      if (perMinute === 0) return 0;
      const key = `${channelId}:${senderId}`;
      const nowMs = clock.monotonicMs();
      const known = windows.get(key);
      const isOver = !known || nowMs - known.beganAtMs >= WINDOW_MS;
      const window = isOver ? { beganAtMs: nowMs, count: 0 } : known;
      if (isOver) windows.set(key, window);
      if (window.count >= perMinute) return Math.ceil((window.beganAtMs + WINDOW_MS - nowMs) / 1_000);
      window.count += 1;
      return 0;
    },
  };
};
