import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { withDeadline } from '#src/platform/abort.ts';
import type { ConcurrencyLaneManager } from '#src/platform/concurrency-lane.ts';
import type { AlertStore } from '../store-types.ts';
import type { AlertEvaluationDeps } from './evaluate-alerts.ts';

export interface AlertWatchDeps extends AlertEvaluationDeps {
  readonly store: Pick<
    AlertStore,
    'hasActive' | 'due' | 'expire' | 'fire' | 'saveObservations' | 'revise' | 'end'
  >;
  readonly lanes: Pick<ConcurrencyLaneManager, 'acquire'>;
  readonly tickMs?: number;
}

/** Looks at all alerts about once a minute. Nothing in it throws: what failed is tried again. */
export interface AlertWatch {
  readonly start: () => void;
  /** Ends a look that is under way; what it had recorded stays so. */
  readonly stop: () => Promise<void>;
  /** One look now, or the one that is under way. */
  readonly tick: () => Promise<void>;
  /** An alert was set: there is something to look at. */
  readonly changed: () => void;
}

const TICK_MS = 60_000;
/** With nothing to wait for, it is enough to see now and then whether another process set an alert. */
const IDLE_TICKS = 5;
const LOOK_LIMIT_MS = 240_000;

const late = (): Error => new FinClawError('Looking at alerts took too long', 'TIMEOUT');

export const createAlertWatch = (deps: AlertWatchDeps): AlertWatch => {
  const { store, clock, lanes, logger, tickMs = TICK_MS } = deps;
  const stopping = new AbortController();
  let evaluate: ((signal: AbortSignal) => Promise<void>) | undefined;
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let isStarted = false;
  let isIdle = false;

  const lookOnce = async (): Promise<void> => {
    isIdle = !(await store.hasActive());
    if (isIdle) return;
    const { signal, clear } = withDeadline(stopping.signal, LOOK_LIMIT_MS, clock, late);
    try {
      // Only with the first alert: a bot without any has no use for what judges them.
      evaluate ??= (await import('./evaluate-alerts.ts')).createAlertEvaluation(deps);
      const slot = await lanes.acquire('cron', { key: 'alerts' }, signal);
      try {
        await evaluate(signal);
      } finally {
        slot.release();
      }
    } finally {
      clear();
    }
  };

  const tick = (): Promise<void> => {
    running ??= lookOnce()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        logger.warn('Alerts could not be evaluated', { cause: errorMessage(error) });
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  const schedule = (delayMs: number): void => {
    cancelTimer?.();
    if (!isStarted || stopping.signal.aborted) return;
    cancelTimer = clock.after(delayMs, () => {
      cancelTimer = undefined;
      const startedMs = clock.monotonicMs();
      void tick().then(() => {
        const tookMs = clock.monotonicMs() - startedMs;
        schedule(isIdle ? tickMs * IDLE_TICKS : Math.max(tickMs - tookMs, tickMs / 2));
      });
    });
  };

  return {
    start: () => {
      isStarted = true;
      schedule(tickMs);
    },
    stop: async () => {
      isStarted = false;
      cancelTimer?.();
      stopping.abort(new FinClawError('The bot is stopping', 'STOPPING'));
      await running;
    },
    tick,
    changed: () => {
      if (!isIdle) return;
      isIdle = false;
      if (cancelTimer) schedule(tickMs);
    },
  };
};
