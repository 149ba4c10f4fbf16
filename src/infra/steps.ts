import { createYielder } from './yield-by-time.ts';

/** Work that stops after every small piece, so that whoever drives it can let others have their turn. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** For short input: no step waits. */
export const atOnce = <T>(steps: Steps<T>): T => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

const SLICE_MS = 15;

let turnStartedMs: number | undefined;

/** How long the work of this turn of the event loop has taken: several works that follow each other share it. */
const takenMs = (): number => {
  const nowMs = performance.now();
  if (turnStartedMs === undefined) {
    turnStartedMs = nowMs;
    setImmediate(() => (turnStartedMs = undefined));
  }
  return nowMs - turnStartedMs;
};

/** For input of any size: the event loop runs on between the steps. Rejects with the signal's reason after an abort. */
export const byTime = async <T>(steps: Steps<T>, signal: AbortSignal): Promise<T> => {
  const giveWay = createYielder(signal, 0);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (takenMs() >= SLICE_MS) await giveWay();
  }
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

/** For a change that looks at one character at a time: the text is changed slice by slice. */
export const changeInSteps = function* (text: string, change: (slice: string) => string): Steps<string> {
  if (text.length <= SLICE_CHARS) return change(text);
  const changed: string[] = [];
  for (let at = 0; at < text.length; at += SLICE_CHARS) {
    changed.push(change(text.slice(at, at + SLICE_CHARS)));
    yield;
  }
  return changed.join('');
};
