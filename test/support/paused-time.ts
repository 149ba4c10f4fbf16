const LOOK_MS = 10;
/** What one look may count: a loop that does not turn for longer was not given the machine. */
const LONGEST_STEP_MS = 20;

let pausedMs = 0;
let lookedAtMs = performance.now();

const look = (): void => {
  const nowMs = performance.now();
  pausedMs += Math.max(0, nowMs - lookedAtMs - LONGEST_STEP_MS);
  lookedAtMs = nowMs;
};
setInterval(look, LOOK_MS).unref();

/** How long this process stood still up to now. Neither waits nor deadlines count that: the bot could do nothing. */
export const pausedTimeMs = (): number => {
  look();
  return pausedMs;
};
