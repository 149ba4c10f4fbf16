import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SymbolMatch, SymbolSearch } from '#src/kernel/market/finance.ts';

/** Is called before every item. It waits for other work only once the time slice is used up. */
type Yielder = () => Promise<void> | undefined;

const YIELDER_SLICE_MS = 20;

const waiting: (() => void)[] = [];

/** Resumes one loop for each turn of the event loop, so that many loops block no longer than one. */
const resumeNext = (): void => {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
};

const queuedTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeNext);
  });

/**
 * For long loops over untrusted input: `await giveWay()` before each item lets pending I/O run after every `sliceMs` of
 * work. It reads the clock once for each item. Throws the signal's reason after an abort.
 */
export const createYielder = (
  signal: AbortSignal,
  sliceMs = YIELDER_SLICE_MS,
  nowMs: () => number = () => performance.now(),
): Yielder => {
  let startedMs = nowMs();
  const pause = async (): Promise<void> => {
    signal.throwIfAborted();
    await queuedTurn();
    signal.throwIfAborted();
    startedMs = nowMs();
  };
  return () => (nowMs() - startedMs < sliceMs ? undefined : pause());
};

/** Work that yields after every small piece, so that its driver can let other work run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps without a pause. For short input. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

const SLICE_MS = 15;

let turnStartedMs: number | undefined;

/** The time that steps have taken in this turn of the event loop, over all tasks that follow each other. */
const takenMs = (): number => {
  const nowMs = performance.now();
  if (turnStartedMs === undefined) {
    turnStartedMs = nowMs;
    setImmediate(() => (turnStartedMs = undefined));
  }
  return nowMs - turnStartedMs;
};

/** Runs the steps with pauses, so that the event loop is never blocked. Rejects with the signal's reason after an abort. */
export const byTime = async <T>(steps: Steps<T>, signal: AbortSignal): Promise<T> => {
  const giveWay = createYielder(signal, 0);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (takenMs() >= SLICE_MS) await giveWay();
  }
};

/**
 * For work that awaits between its parts, such as pages of a table: call the result after each part. It waits only once
 * the time slice of this turn, which it shares with `byTime`, is used up. Rejects with the signal's reason after an abort.
 */
export const createPause = (signal: AbortSignal): (() => Promise<void> | undefined) => {
  const giveWay = createYielder(signal, 0);
  return () => (takenMs() >= SLICE_MS ? giveWay() : undefined);
};

/** The same for work that holds others up, such as a transaction: it continues at the very next turn, before all others. */
export const pauseBriefly = (): Promise<void> | undefined => (takenMs() >= SLICE_MS ? nextTurn() : undefined);

const ITEMS_A_STEP = 64;

/** `items.map`, in steps. */
export const mapInSteps = function* <T, U>(
  items: readonly T[],
  change: (item: T, index: number) => U,
): Steps<readonly U[]> {
  const changed: U[] = [];
  for (const [index, item] of items.entries()) {
    changed.push(change(item, index));
    if (index % ITEMS_A_STEP === 0) yield;
  }
  return changed;
};

const merged = function* <T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<T[]> {
  const both: T[] = [];
  let [at, other] = [0, 0];
  while (at < first.length && other < second.length) {
    const [a, b] = [first[at] as T, second[other] as T];
    if (compare(a, b) <= 0) {
      both.push(a);
      at += 1;
    } else {
      both.push(b);
      other += 1;
    }
    if (both.length % ITEMS_A_STEP === 0) yield;
  }
  for (; at < first.length; at += 1) both.push(first[at] as T);
  for (; other < second.length; other += 1) both.push(second[other] as T);
  return both;
};

const SORTED_A_STEP = 256;

/** `items.toSorted(compare)`, in steps, and stable too. */
export const sortInSteps = function* <T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += SORTED_A_STEP) {
    runs.push(items.slice(at, at + SORTED_A_STEP).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merged(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
};

const PIECES_A_STEP = 4_096;

/** `pieces.join('')`, in steps: a page may be a million pieces. */
export const joinInSteps = function* (
  pieces: readonly string[],
  from = 0,
  to = pieces.length,
): Steps<string> {
  if (to - from <= PIECES_A_STEP) return pieces.slice(from, to).join('');
  const joined: string[] = [];
  for (let at = from; at < to; at += PIECES_A_STEP) {
    joined.push(pieces.slice(at, Math.min(at + PIECES_A_STEP, to)).join(''));
    yield;
  }
  return joined.join('');
};

const MATCHES_A_STEP = 32;

/** `text.replace` with a global pattern, in steps: a long text may hold a match at every character. */
export const replaceInSteps = function* (
  text: string,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string,
): Steps<string> {
  const pieces: string[] = [];
  let copied = 0;
  for (const match of text.matchAll(pattern)) {
    pieces.push(text.slice(copied, match.index), replacement(match));
    copied = match.index + match[0].length;
    if (pieces.length % MATCHES_A_STEP === 0) yield;
  }
  if (pieces.length === 0) return text;
  pieces.push(text.slice(copied));
  return yield* joinInSteps(pieces);
};

const SLICE_CHARS = 32_768;

/** Changes a text slice by slice. For changes that treat each character by itself. */
export const changeInSteps = function* (text: string, change: (slice: string) => string): Steps<string> {
  if (text.length <= SLICE_CHARS) return change(text);
  const changed: string[] = [];
  for (let at = 0; at < text.length; at += SLICE_CHARS) {
    changed.push(change(text.slice(at, at + SLICE_CHARS)));
    yield;
  }
  return changed.join('');
};

/** Thrown when the time slice is used up; `lookUpByTime` always catches it. */
class SliceOver extends Error {}

/**
 * Runs work that looks up many names and has no side effects. When the time slice is used up, the work is restarted after
 * other work ran; names that were found before are not looked up again.
 */
export const lookUpByTime = async <T>(
  symbols: SymbolSearch,
  work: (symbols: SymbolSearch) => T,
  signal: AbortSignal,
): Promise<T> => {
  const known = new Map<string, SymbolMatch>();
  const giveWay = createYielder(signal);
  let pause: Promise<void> | undefined;
  const resolve = (query: string): SymbolMatch => {
    const found = known.get(query);
    if (found) return found;
    pause = giveWay();
    if (pause) throw new SliceOver();
    const match = symbols.resolve(query);
    known.set(query, match);
    return match;
  };
  for (;;) {
    try {
      return work({ ...symbols, resolve });
    } catch (error) {
      if (!(error instanceof SliceOver)) throw error;
      await pause;
    }
  }
};
