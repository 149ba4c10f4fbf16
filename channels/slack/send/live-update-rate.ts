import { ChannelError } from '#src/kernel/errors.ts';
import { afterInContext, type Clock } from '#src/platform/concurrency/clock.ts';

/** Shows a value that changes often. Calls return at once and never throw. */
interface Pacer {
  /** Only the newest value is shown: one request at a time, with a pause after each. */
  readonly show: (value: string) => void;
  readonly isUnderWay: () => boolean;
  /** Shows nothing more. Resolves when no request is under way. */
  readonly end: () => Promise<void>;
}

interface PacerOptions {
  readonly show: (value: string) => Promise<void>;
  readonly intervalMs: () => number;
  readonly onFailure: (error: unknown) => void;
  readonly clock: Clock;
}

export const createPacer = ({ show, intervalMs, onFailure, clock }: PacerOptions): Pacer => {
  let wanted: string | undefined;
  let request: Promise<void> | undefined;
  let cancelRest: (() => void) | undefined;
  let hasEnded = false;

  /** Returns the pause. What failed is tried again unless Slack refused it or something newer is there. */
  const attempt = async (value: string): Promise<number> => {
    try {
      await show(value);
      return intervalMs();
    } catch (error) {
      onFailure(error);
      if (!(error instanceof ChannelError)) return intervalMs();
      if (error.failure !== 'refused') wanted ??= value;
      return Math.max(intervalMs(), error.retryAfterMs ?? 0);
    }
  };

  const showNext = (): void => {
    const value = wanted;
    if (hasEnded || value === undefined || request || cancelRest) return;
    wanted = undefined;
    request = attempt(value).then((pauseMs) => {
      request = undefined;
      if (hasEnded) return;
      cancelRest = afterInContext(clock, pauseMs, () => {
        cancelRest = undefined;
        showNext();
      });
    });
  };

  return {
    show: (value) => {
      wanted = value;
      showNext();
    },
    isUnderWay: () => request !== undefined,
    end: async () => {
      hasEnded = true;
      cancelRest?.();
      await request;
    },
  };
};
