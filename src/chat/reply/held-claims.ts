import type { DeliveryId, Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { type Claim, CLAIM_MS, type NotificationStore } from '#src/platform/storage/notifications.ts';

/** Twice before a claim runs out, so that one failure of the database costs none. */
const RENEW_EVERY_MS = CLAIM_MS / 3;

export interface HeldClaims {
  /** `takenAt`: the time that was told to the store. */
  readonly take: (claim: Claim, takenAt: Timestamp) => void;
  /** It stays ours for at least so long: nobody else begins to send it before. */
  readonly isOurs: (claim: Claim, forMs: number) => boolean;
  readonly letGo: (claim: Claim) => void;
}

/** What this process has taken and is not done with, renewed for as long as that lasts. */
export const createHeldClaims = (
  store: Pick<NotificationStore, 'renew'>,
  clock: Clock,
  logger: FinClawLogger,
): HeldClaims => {
  const held = new Map<DeliveryId, { readonly claim: Claim; takenAt: Timestamp | undefined }>();
  let cancelTimer: (() => void) | undefined;

  const renew = async (): Promise<void> => {
    const asked = [...held.values()].filter(({ takenAt }) => takenAt);
    const now = clock.now();
    try {
      const kept = new Set(
        await store.renew(
          asked.map(({ claim }) => claim),
          now,
        ),
      );
      for (const one of asked) one.takenAt = kept.has(one.claim.id) ? now : undefined;
    } catch (error) {
      logger.error('What is being sent could not be kept for this process', { error });
    }
    setTimer();
  };

  const setTimer = (): void => {
    cancelTimer?.();
    cancelTimer = held.size > 0 ? clock.after(RENEW_EVERY_MS, () => void renew()) : undefined;
  };

  return {
    take: (claim, takenAt) => {
      held.set(claim.id, { claim, takenAt });
      if (!cancelTimer) setTimer();
    },
    isOurs: ({ id, attempts }, forMs) => {
      const found = held.get(id);
      if (found?.claim.attempts !== attempts || !found.takenAt) return false;
      // By the clock that the other processes read, which goes on while this one is frozen.
      return found.takenAt.until(clock.now()).total('milliseconds') + forMs <= CLAIM_MS;
    },
    letGo: ({ id, attempts }) => {
      if (held.get(id)?.claim.attempts !== attempts) return;
      held.delete(id);
      if (held.size === 0) setTimer();
    },
  };
};
