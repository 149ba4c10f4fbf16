import { hash } from 'node:crypto';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import { canonicalJson } from './canonical-json.ts';

/** The kind of loop, and its description for the person who is asked. */
export interface LoopKind {
  readonly kind: 'repeat' | 'cycle';
  readonly reason: string;
}

interface Call {
  readonly toolName: string;
  /** Identifies tool and input; equal calls have equal fingerprints. */
  readonly fingerprint: string;
  readonly atMs: number;
}

const WINDOW_MS = 10_000;
const REPEAT_THRESHOLD = 5;
/** Bounds memory in a burst of parallel calls; a loop shows in far fewer. */
const MAX_CALLS = 200;

/** Detects A, B, A, B. Alternating tools with new inputs are no loop. */
const isCycle = (calls: readonly Call[]): boolean => {
  const [first, second, third, fourth] = calls.slice(-4).map(({ fingerprint }) => fingerprint);
  return first !== second && first === third && second === fourth;
};

/**
 * Detects a model in a loop: the same call five times within ten seconds, or two alternating calls (A, B, A, B)
 * within that time. Objects to every further such call until they are spread in time or `forget` is called.
 */
export class LoopDetector {
  /** Ordered by last call, the oldest first. Only calls inside the window count. */
  readonly #callsBySession = new Map<string, readonly Call[]>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a call before it is made; undefined if it is no loop. */
  record(sessionKey: string, toolName: string, input: unknown): LoopKind | undefined {
    const atMs = this.#clock.monotonicMs();
    const fingerprint = hash('sha256', `${toolName} ${canonicalJson(input)}`);
    const before = this.#callsBySession.get(sessionKey) ?? [];
    const calls = [...before, { toolName, fingerprint, atMs }]
      .filter((call) => atMs - call.atMs < WINDOW_MS)
      .slice(-MAX_CALLS);
    this.#callsBySession.delete(sessionKey);
    this.#callsBySession.set(sessionKey, calls);
    this.#dropQuietSessions(atMs);

    const times = calls.filter((call) => call.fingerprint === fingerprint).length;
    if (times >= REPEAT_THRESHOLD)
      return {
        kind: 'repeat',
        reason: `${toolName} was called ${times} times with the same input within ${WINDOW_MS / 1_000} seconds.`,
      };
    if (!isCycle(calls)) return undefined;
    const other = calls.at(-2)?.toolName ?? toolName;
    const pair = other === toolName ? `Two calls of ${toolName}` : `${other} and ${toolName}`;
    return { kind: 'cycle', reason: `${pair} are repeated in turns with the same inputs.` };
  }

  /** Resets the count after a person's decision. */
  forget(sessionKey: string): void {
    this.#callsBySession.delete(sessionKey);
  }

  /** Number of recorded calls over all sessions. */
  get size(): number {
    return this.#callsBySession.values().reduce((sum, calls) => sum + calls.length, 0);
  }

  #dropQuietSessions(nowMs: number): void {
    for (const [sessionKey, calls] of this.#callsBySession) {
      const last = calls.at(-1);
      if (last && nowMs - last.atMs < WINDOW_MS) break;
      this.#callsBySession.delete(sessionKey);
    }
  }
}
