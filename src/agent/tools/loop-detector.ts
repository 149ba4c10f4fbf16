import { hash } from 'node:crypto';
import type { Clock } from '#src/platform/clock.ts';
import { canonicalJson } from './canonical-json.ts';

/** Which kind of loop a call belongs to, and what to tell the person who is asked about it. */
export interface LoopKind {
  readonly kind: 'repeat' | 'cycle';
  readonly reason: string;
}

interface Call {
  readonly toolName: string;
  /** Tool and input: the same for two calls that ask for the same. */
  readonly fingerprint: string;
  readonly atMs: number;
}

const WINDOW_MS = 10_000;
const REPEAT_THRESHOLD = 5;
/** A burst of parallel calls must not grow without end; a loop shows in far fewer. */
const MAX_CALLS = 200;

/** Four calls of two kinds, in turns. Two tools in turns with new inputs each time are work, not a loop. */
const isCycle = (calls: readonly Call[]): boolean => {
  const [first, second, third, fourth] = calls.slice(-4).map(({ fingerprint }) => fingerprint);
  return first !== second && first === third && second === fourth;
};

/**
 * Notices a model that goes round in circles: the same call for the fifth time within ten seconds, or two
 * calls in turns (A, B, A, B) within that time. It goes on to object with every further such call until
 * they are apart in time or somebody called `forget`.
 */
export class LoopDetector {
  /** The session that was quiet for longest comes first. Only calls inside the window are ever looked at. */
  readonly #callsBySession = new Map<string, readonly Call[]>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts the call that is about to be made; undefined where nothing is wrong with it. */
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

  /** After a person's word the count begins anew. */
  forget(sessionKey: string): void {
    this.#callsBySession.delete(sessionKey);
  }

  /** How many calls are kept, of all sessions. */
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
