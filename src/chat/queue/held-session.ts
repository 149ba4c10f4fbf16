import type { InboxId } from '#src/kernel/ids.ts';
import { type Clock, type Moment, sinceMs } from '#src/platform/concurrency/clock.ts';
import { CLAIM_SECONDS, type SessionJob } from '#src/platform/cluster/session-jobs.ts';
import type { Fence } from '#src/platform/storage/fences.ts';

/** A claim that was not renewed for so long counts as lost here, before another process can have it. */
const SAFE_MS = (CLAIM_SECONDS - 2) * 1_000;

/** A session that this process works on. */
export interface HeldSession {
  readonly job: SessionJob;
  readonly fence: Fence;
  /** The queued messages. */
  readonly queued: Set<InboxId>;
  /** Messages whose turns have ended. */
  readonly tried: Set<InboxId>;
  state: 'held' | 'lost' | 'released';
  /** Messages may have come since they were last read. */
  isStale: boolean;
  /** Called when messages may have come, and when a turn has ended. */
  readonly changed: () => void;
  /** Resolves at the next change. */
  readonly nextChange: () => Promise<void>;
  /** Gives the session back. False if it is lost, or could be by now. */
  readonly release: () => boolean;
  /** The claim was renewed by a request that was sent at this moment. */
  readonly renewed: (sentAt: Moment) => void;
}

interface HeldSessionDeps {
  readonly job: SessionJob;
  readonly epoch: number;
  /** When the request was sent by which the session was claimed. */
  readonly claimedAt: Moment;
  /** Called once. */
  readonly onLost: () => void;
  readonly clock: Clock;
}

export const openHeldSession = ({ job, epoch, claimedAt, onLost, clock }: HeldSessionDeps): HeldSession => {
  let renewedAt = claimedAt;
  let next = Promise.withResolvers<void>();
  const held: HeldSession = {
    job,
    queued: new Set(),
    tried: new Set(),
    state: 'held',
    isStale: true,
    changed: () => {
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    nextChange: () => next.promise,
    release: () => {
      // The process may have been suspended. What it began must stay fenced, because another one may hold the session by now.
      if (!held.fence.isHeld()) held.fence.lose();
      else held.state = 'released';
      return held.state === 'released';
    },
    renewed: (sentAt) => {
      // Answers may come out of order.
      if (sentAt.monotonicMs >= renewedAt.monotonicMs) renewedAt = sentAt;
    },
    fence: {
      sessionKey: job.sessionKey,
      epoch,
      isHeld: () => held.state === 'held' && sinceMs(renewedAt, clock) < SAFE_MS,
      isReleased: () => held.state === 'released',
      lose: () => {
        if (held.state !== 'held') return;
        held.state = 'lost';
        onLost();
        held.changed();
      },
    },
  };
  return held;
};
