import { App, type Receiver } from '@slack/bolt';
import { errorMessage } from '#src/kernel/errors.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { boltLogger, clientOptions } from './api.ts';
import { handleSubmission, type Submission } from './forms.ts';
import type { MessageReceiver } from './receiver.ts';
import { handlePress, type Press, type PressDeps } from './button-clicks.ts';
import type { SlackIdentity, SlackSettings } from './settings.ts';
import { handleCommand, type SlashCall } from './slash.ts';
import type { SlackMessageEvent } from './wire.ts';

/** One frame of the socket as the Socket Mode client hands it on. */
export interface Envelope {
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly ack: (response?: unknown) => Promise<void>;
}

interface BoltReceiver extends Receiver {
  readonly accept: (envelope: Envelope) => void;
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
export const createBoltReceiver = (logger: FinClawLogger): BoltReceiver => {
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
    accept: (envelope) => {
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

interface BoltDeps {
  readonly settings: SlackSettings;
  readonly self: SlackIdentity;
  readonly boltReceiver: BoltReceiver;
  readonly receiver: MessageReceiver;
  readonly interactions: PressDeps;
  readonly logger: FinClawLogger;
}

/**
 * Registers the handlers for Slack's events. The bot's identity is passed in, because Bolt would otherwise ask Slack for
 * it with every event. Bolt's filter for own messages is off, because a gate does that.
 */
export const createBoltApp = ({
  settings,
  self,
  boltReceiver,
  receiver,
  interactions,
  logger,
}: BoltDeps): App => {
  const app = new App({
    token: settings.botToken,
    botUserId: self.userId,
    // A token without a bot user has no bot id; any id keeps Bolt from asking Slack for one.
    botId: self.botId ?? self.userId,
    tokenVerificationEnabled: false,
    receiver: boltReceiver,
    ignoreSelf: false,
    convoStore: false,
    logger: boltLogger(logger),
    clientOptions: clientOptions(settings, logger),
  });

  app.event('message', ({ event }) => receiver.handle(event as unknown as SlackMessageEvent));
  app.event('app_mention', ({ event }) => receiver.handle(event as unknown as SlackMessageEvent));
  app.command(/.*/, ({ command, ack }) =>
    handleCommand(interactions, command as unknown as SlashCall, (response) => ack(response)),
  );
  app.action(/.*/, ({ body, ack }) => handlePress(interactions, body as unknown as Press, () => ack()));
  app.view(/.*/, ({ body, ack }) =>
    handleSubmission(interactions, body as unknown as Submission, (response) => ack(response as never)),
  );
  return app;
};
