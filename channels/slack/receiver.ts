import type { App, Receiver } from '@slack/bolt';
import { errorMessage } from '#src/kernel/errors.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';

/** One frame of the socket as the Socket Mode client hands it on. */
export interface Envelope {
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly ack: (response?: unknown) => Promise<void>;
}

export interface StoringReceiver extends Receiver {
  readonly take: (envelope: Envelope) => void;
  /** From now on envelopes are left alone, so that Slack gives them to somebody else; those under way are finished. */
  readonly refuse: () => void;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

/**
 * Stands between the socket and the Bolt app, in the place of Bolt's own receiver, which acknowledges an event
 * before anybody has looked at it. Here an event is acknowledged after its listeners are through: what they
 * could not store comes again. Commands and presses are acknowledged by their listeners, at once; what none of
 * them took is acknowledged here, so that nobody sees it time out.
 */
export const createReceiver = (logger: FinClawLogger): StoringReceiver => {
  const underWay = new Set<Promise<void>>();
  let app: App | undefined;
  let isRefusing = false;

  const takeEvent = async ({ body = {}, ack }: Envelope): Promise<void> => {
    // Bolt acknowledges before it calls the listeners; that one goes nowhere.
    await app?.processEvent({ body, ack: async () => undefined });
    await ack();
  };

  const takeInteraction = async ({ body = {}, ack }: Envelope): Promise<void> => {
    let isAcked = false;
    const ackOnce = async (response?: unknown): Promise<void> => {
      if (isAcked) return;
      isAcked = true;
      await ack(response);
    };
    try {
      await app?.processEvent({ body, ack: ackOnce });
    } finally {
      await ackOnce();
    }
  };

  return {
    init: (bolt) => {
      app = bolt;
    },
    start: async () => undefined,
    stop: async () => undefined,
    take: (envelope) => {
      if (isRefusing) return;
      const { type } = envelope;
      const work: Promise<void> = (type === 'events_api' ? takeEvent(envelope) : takeInteraction(envelope))
        .catch((error: unknown) =>
          logger.warn('Slack: something that came could not be taken', { type, reason: errorMessage(error) }),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    refuse: () => {
      isRefusing = true;
    },
    settled: async () => {
      await Promise.all(underWay);
    },
  };
};
