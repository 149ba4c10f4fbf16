import { App, type Receiver } from '@slack/bolt';
import { errorMessage } from '#src/kernel/errors.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { boltLogger, clientOptions } from './api.ts';
import type { Directory } from './directory.ts';
import { handleSubmission, type Submission } from './forms.ts';
import type { InteractionDeps } from './interactions.ts';
import type { Receiver as MessageReceiver } from './receiver.ts';
import { type ButtonEvent, handleButton } from './button-clicks.ts';
import { type Assistant, type AssistantThreadStarted } from './assistant.ts';
import { handleQuestion, QUESTION_CALLBACK } from './questions.ts';
import type { SlackSettings } from './settings.ts';
import { handleShortcut, type Shortcut } from './shortcuts.ts';
import { handleCommand, type SlashCall } from './slash.ts';
import { type JoinEvent, type OpenEvent, welcomeChannel, welcomePerson } from './welcome.ts';
import type { SlackMessageEvent } from './wire.ts';

/** One frame of the socket, as the Socket Mode client emits it, or one request in HTTP mode. */
export interface Envelope {
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly ack: (response?: unknown) => Promise<void>;
}

interface UserChange {
  readonly user: Parameters<Directory['personChanged']>[0];
}

interface HomeOpened {
  readonly user?: string;
  readonly tab?: string;
}

interface ChannelRename {
  readonly channel: Parameters<Directory['placeRenamed']>[0];
}

type EventHandler = (event: unknown) => unknown;

interface BoltReceiver extends Receiver {
  /** Resolves when the envelope is handled, acknowledged or not. Never rejects. */
  readonly accept: (envelope: Envelope) => Promise<void>;
  /** What is done with events, by type. Others are acknowledged and ignored. */
  readonly onEvents: (handlers: ReadonlyMap<string, EventHandler>) => void;
  /** Ignores new envelopes, so that Slack sends them again later; those being handled are finished. */
  readonly refuse: () => void;
  /** Resolves when no envelope is being handled. */
  readonly settled: () => Promise<void>;
}

/**
 * Connects the socket or the HTTP server with the Bolt app. Bolt acknowledges an event before its listeners run. Here events go to their
 * handlers directly and are acknowledged afterwards, so that Slack sends again what could not be stored. This also saves
 * CPU: Bolt calls every listener for every event. Listeners acknowledge commands and buttons themselves, at once; what no
 * listener handles is acknowledged here, so that nobody sees a timeout.
 */
export const createBoltReceiver = (logger: FinClawLogger): BoltReceiver => {
  const underWay = new Set<Promise<void>>();
  let app: App | undefined;
  let eventHandlers: ReadonlyMap<string, EventHandler> = new Map();
  let isRefusing = false;

  const handleEvent = async ({ body, ack }: Envelope): Promise<void> => {
    const event = body?.['event'] as { readonly type?: string } | undefined;
    await eventHandlers.get(event?.type ?? '')?.(event);
    await ack();
  };

  const handleInteraction = async ({ body = {}, ack }: Envelope): Promise<void> => {
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
    onEvents: (handlers) => {
      eventHandlers = handlers;
    },
    start: async () => undefined,
    stop: async () => undefined,
    accept: async (envelope) => {
      if (isRefusing) return;
      const { type } = envelope;
      const work: Promise<void> = (
        type === 'events_api' ? handleEvent(envelope) : handleInteraction(envelope)
      )
        .catch((error: unknown) =>
          logger.warn('Slack: could not handle an envelope', { type, reason: errorMessage(error) }),
        )
        .finally(() => underWay.delete(work));
      underWay.add(work);
      await work;
    },
    refuse: () => {
      isRefusing = true;
    },
    settled: async () => {
      await Promise.all(underWay);
    },
  };
};

/**
 * Registers the handlers. The bot's identity is passed in, because Bolt would otherwise ask Slack for it with every command
 * and button.
 */
export const createBoltApp = (
  settings: SlackSettings,
  boltReceiver: BoltReceiver,
  receiver: MessageReceiver,
  deps: InteractionDeps & { readonly assistant: Assistant },
): App => {
  const { self, logger, directory, home, assistant } = deps;
  const app = new App({
    token: settings.botToken,
    botUserId: self.userId,
    // A token without a bot user has no bot id; any id keeps Bolt from asking Slack for one.
    botId: self.botId ?? self.userId,
    tokenVerificationEnabled: false,
    receiver: boltReceiver,
    convoStore: false,
    logger: boltLogger(logger),
    clientOptions: clientOptions(settings, logger),
  });

  const handleMessage: EventHandler = (event) => receiver.handle(event as SlackMessageEvent);
  const homeOpened: EventHandler = (event) => {
    const { user, tab } = event as HomeOpened;
    if (user && tab === 'home') home.open(user);
    return welcomePerson(deps, event as OpenEvent);
  };
  const placeRenamed: EventHandler = (event) => directory.placeRenamed((event as ChannelRename).channel);
  boltReceiver.onEvents(
    new Map([
      ['message', handleMessage],
      ['app_mention', handleMessage],
      ['app_home_opened', homeOpened],
      ['assistant_thread_started', (event) => assistant.started(event as AssistantThreadStarted)],
      ['user_change', (event) => directory.personChanged((event as UserChange).user)],
      ['channel_rename', placeRenamed],
      ['group_rename', placeRenamed],
      ['member_joined_channel', (event) => welcomeChannel(deps, event as JoinEvent)],
    ]),
  );
  app.command(/.*/, ({ command, ack }) =>
    handleCommand(deps, command as unknown as SlashCall, (response) => ack(response)),
  );
  app.action(/.*/, ({ body, ack }) => handleButton(deps, body as unknown as ButtonEvent, () => ack()));
  app.shortcut(/.*/, ({ shortcut, ack }) =>
    handleShortcut(deps, shortcut as unknown as Shortcut, () => ack()),
  );
  app.view(QUESTION_CALLBACK, ({ body, ack }) =>
    handleQuestion(deps, body as unknown as Submission, (response) => ack(response)),
  );
  app.view(/^(?!finclaw_question$)/, ({ body, ack }) =>
    handleSubmission(deps, body as unknown as Submission, (response) => ack(response as never)),
  );
  return app;
};
