import type { SessionKey } from '#src/kernel/ids.ts';

/** Shares of the window, without the reserve. Each is reported once for a conversation when it is passed. */
export const CONTEXT_THRESHOLDS = [0.8, 0.95] as const;

export type ContextThreshold = (typeof CONTEXT_THRESHOLDS)[number];

const MAX_SESSIONS = 10_000;

interface Passed {
  readonly maxTokens: number;
  readonly thresholds: ReadonlySet<ContextThreshold>;
}

/** The highest threshold that is passed. */
export const thresholdAt = (ratio: number): ContextThreshold | undefined =>
  CONTEXT_THRESHOLDS.findLast((threshold) => ratio >= threshold);

/** Which thresholds each conversation has passed. They are forgotten when the size of its window changes. */
export class ThresholdWatch {
  readonly #passed = new Map<SessionKey, Passed>();

  /** The thresholds that are newly passed, the lowest first. */
  pass(sessionKey: SessionKey, usedTokens: number, maxTokens: number): readonly ContextThreshold[] {
    const before = this.#passed.get(sessionKey);
    const known: ReadonlySet<ContextThreshold> =
      before?.maxTokens === maxTokens ? before.thresholds : new Set();
    const added = CONTEXT_THRESHOLDS.filter(
      (threshold) => usedTokens / maxTokens >= threshold && !known.has(threshold),
    );
    if (added.length === 0) return added;
    if (this.#passed.size >= MAX_SESSIONS && !before) this.#passed.clear();
    this.#passed.set(sessionKey, { maxTokens, thresholds: new Set([...known, ...added]) });
    return added;
  }

  /** The conversation became shorter, so thresholds above its new size can be passed again. */
  shrink(sessionKey: SessionKey, usedTokens: number): void {
    const before = this.#passed.get(sessionKey);
    if (!before) return;
    const left = [...before.thresholds].filter((threshold) => usedTokens / before.maxTokens >= threshold);
    this.#passed.set(sessionKey, { ...before, thresholds: new Set(left) });
  }

  forget(sessionKey: SessionKey): void {
    this.#passed.delete(sessionKey);
  }
}
