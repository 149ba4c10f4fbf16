/** Call it before every item: it resolves at once until the time slice is used up, then after others had their turn. */
export type Yielder = () => Promise<void> | undefined;

const SLICE_MS = 20;

const waiting: (() => void)[] = [];

/** One loop goes on per turn of the event loop: many of them at the same time block no longer than one. */
const resumeNext = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
};

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeNext);
  });

/**
 * For long loops over untrusted input: `await giveWay()` before each item lets pending I/O run after every `sliceMs`
 * of work. It costs one look at the clock per item. Throws the signal's reason after an abort.
 */
export const createYielder = (
  signal: AbortSignal,
  sliceMs = SLICE_MS,
  nowMs: () => number = () => performance.now(),
): Yielder => {
  let startedMs = nowMs();
  const pause = async (): Promise<void> => {
    signal.throwIfAborted();
    await nextTurn();
    signal.throwIfAborted();
    startedMs = nowMs();
  };
  return () => (nowMs() - startedMs < sliceMs ? undefined : pause());
};
