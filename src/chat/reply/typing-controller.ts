import type { Clock } from '#src/platform/clock.ts';

export type TypingState = 'active' | 'processing' | 'sealed';

export interface TypingController {
  readonly state: () => TypingState | 'idle';
  readonly start: () => void;
  /** The model is at work: the indicator stays. */
  readonly process: () => void;
  /** There was a sign of life: the time limit counts from now. Nothing begins or goes on again by it. */
  readonly extend: () => void;
  /** Ends it for good; a late `start` does nothing. */
  readonly seal: () => void;
}

export interface TypingOptions {
  readonly intervalMs: number;
  /** A run that hangs must not type for ever: it counts from the start, or from the last sign of life. */
  readonly ttlMs: number;
}

/** Platforms let the indicator fade after some seconds: it is shown again until sealed or too old. */
export const createTypingController = (
  show: () => void,
  clock: Clock,
  options: TypingOptions = { intervalMs: 5_000, ttlMs: 120_000 },
): TypingController => {
  let state: TypingState | 'idle' = 'idle';
  let cancel: (() => void) | undefined;
  let aliveAtMs = 0;

  const seal = (): void => {
    state = 'sealed';
    cancel?.();
  };
  const beat = (): void => {
    if (state === 'sealed') return;
    if (clock.monotonicMs() - aliveAtMs >= options.ttlMs) {
      seal();
      return;
    }
    show();
    cancel = clock.after(options.intervalMs, beat);
  };

  return {
    state: () => state,
    start: () => {
      if (state !== 'idle') return;
      state = 'active';
      aliveAtMs = clock.monotonicMs();
      beat();
    },
    process: () => {
      if (state === 'active') state = 'processing';
    },
    extend: () => {
      aliveAtMs = clock.monotonicMs();
    },
    seal,
  };
};
