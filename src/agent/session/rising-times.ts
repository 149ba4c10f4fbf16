import type { Clock } from '#src/infra/clock.ts';

/** A clock that is set back by more than this is believed. */
const STEP_BACK_MS = 1_000;

/** The time as a text, a little later each time: entries of the same time are one that was written twice. */
export const risingTimes = (clock: Clock): (() => string) => {
  let last: Temporal.Instant | undefined;
  return () => {
    const now = clock.now();
    const aheadMs = last ? last.epochMilliseconds - now.epochMilliseconds : -1;
    const isPassed = last !== undefined && Temporal.Instant.compare(last, now) >= 0;
    last = last && isPassed && aheadMs < STEP_BACK_MS ? last.add({ microseconds: 1 }) : now;
    return last.toString();
  };
};
