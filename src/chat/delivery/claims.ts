import type { DeliveryId, Timestamp } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { type NotificationClaim, CLAIM_MS, type NotificationStore } from '#src/chat/store/notifications.ts';

/** A claim is renewed twice before it expires, so that a single database failure does not lose it. */
const RENEW_EVERY_MS = CLAIM_MS / 3;

export interface Claims {
  /** `takenAt` is the time that the store recorded for the claim. */
  readonly add: (claim: NotificationClaim, takenAt: Timestamp) => void;
  /** Whether the claim holds for at least `forMs` more, so that no other process sends the same notification. */
  readonly isHeld: (claim: NotificationClaim, forMs: number) => boolean;
  readonly release: (claim: NotificationClaim) => void;
}

/** Keeps the claims of this process on notifications alive until they are released. */
export const createClaims = (
  store: Pick<NotificationStore, 'renew'>,
  clock: Clock,
  logger: FinClawLogger,
): Claims => {
  const held = new Map<DeliveryId, { readonly claim: NotificationClaim; takenAt: Timestamp | undefined }>();
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
      logger.error('Claims on notifications could not be renewed', { error });
    }
    setTimer();
  };

  const setTimer = (): void => {
    cancelTimer?.();
    cancelTimer = held.size > 0 ? clock.after(RENEW_EVERY_MS, () => void renew()) : undefined;
  };

  return {
    add: (claim, takenAt) => {
      held.set(claim.id, { claim, takenAt });
      if (!cancelTimer) setTimer();
    },
    isHeld: ({ id, attempts }, forMs) => {
      const found = held.get(id);
      if (found?.claim.attempts !== attempts || !found.takenAt) return false;
      // The wall clock continues while this process is suspended, and other processes use it too.
      return found.takenAt.until(clock.now()).total('milliseconds') + forMs <= CLAIM_MS;
    },
    release: ({ id, attempts }) => {
      if (held.get(id)?.claim.attempts !== attempts) return;
      held.delete(id);
      if (held.size === 0) setTimer();
    },
  };
};
