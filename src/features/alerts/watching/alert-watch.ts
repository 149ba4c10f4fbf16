import { errorMessage, FinClawError } from '#src/kernel/errors.ts';
import { withDeadline } from '#src/platform/concurrency/abort.ts';
import type { AlertStore } from '../store-types.ts';
import type { AlertEvaluationDeps } from './evaluate-alerts.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface AlertWatchDeps extends AlertEvaluationDeps, FeatureUses<'lanes.acquire'> {
  readonly store: Pick<
    AlertStore,
    'hasActive' | 'due' | 'expire' | 'fire' | 'saveObservations' | 'revise' | 'end'
  >;
  /** Of several processes one asks the markets for all. Default: this one. */
  readonly leads?: (() => boolean) | undefined;
  readonly tickMs?: number;
}

const TICK_MS = 60_000;
/** Without alerts, the store is polled this seldom for alerts that another process set. */
const IDLE_TICKS = 5;
const EVALUATION_LIMIT_MS = 240_000;

const late = (): Error => new FinClawError('Evaluating alerts took too long', 'TIMEOUT');

/** Evaluates all alerts again and again. Nothing in it throws: a failed evaluation is tried again. */
export const createAlertWatch = (deps: AlertWatchDeps) => {
  const { store, clock, lanes, logger, leads = () => true, tickMs = TICK_MS } = deps;
  const stopping = new AbortController();
  let evaluate: ((signal: AbortSignal) => Promise<void>) | undefined;
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let isStarted = false;
  let isIdle = false;

  const evaluateOnce = async (): Promise<void> => {
    isIdle = !(await store.hasActive());
    if (isIdle) return;
    const { signal, clear } = withDeadline(stopping.signal, EVALUATION_LIMIT_MS, clock, late);
    try {
      // The code is loaded with the first alert.
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
    running ??= evaluateOnce()
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
      if (!leads()) {
        schedule(tickMs);
        return;
      }
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
    /** Aborts an evaluation that is under way. What it has stored stays. */
    stop: async () => {
      isStarted = false;
      cancelTimer?.();
      stopping.abort(new FinClawError('The bot is stopping', 'STOPPING'));
      await running;
    },
    /** Evaluates now, or joins the evaluation that is under way. */
    tick,
    /** An alert was set, so an idle watch becomes active. */
    changed: () => {
      if (!isIdle) return;
      isIdle = false;
      if (cancelTimer) schedule(tickMs);
    },
  };
};
