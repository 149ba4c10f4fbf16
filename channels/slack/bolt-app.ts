import { App, type Receiver } from '@slack/bolt';
import { z } from 'zod';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { boltLogger, clientOptions } from './api.ts';
import { CHANNEL_RENAME, USER_CHANGE } from './directory.ts';
import { handleSubmission, SUBMISSION } from './interact/forms.ts';
import type { InteractionDeps } from './interact/interactions.ts';
import type { SlackReceiver } from './receive/receiver.ts';
import { BUTTON_EVENT, handleButton } from './interact/button-clicks.ts';
import { type Assistant, ASSISTANT_THREAD_STARTED } from './receive/assistant.ts';
import { handleQuestion, QUESTION_CALLBACK } from './interact/questions.ts';
import type { SlackSettings } from './settings.ts';
import { handleShortcut, SHORTCUT } from './interact/shortcuts.ts';
import { handleCommand, SLASH_CALL } from './interact/slash.ts';
import { JOIN_EVENT, OPEN_EVENT, welcomeChannel, welcomePerson } from './receive/welcome.ts';
import { fields, listOf, readAs, readMessageFields } from './wire.ts';

/** One frame of the socket, as the Socket Mode client emits it, or one request in HTTP mode. */
export interface Envelope {
  readonly type: string;
  readonly body: unknown;
  readonly ack: (response?: unknown) => Promise<void>;
}

const OBJECT = z.record(z.string(), z.unknown());

/** What Slack puts around an event. `app_rate_limited` has none. */
const EVENT_BODY = fields({
  type: z.string(),
  event: OBJECT,
  authorizations: listOf(fields({ team_id: z.string(), is_enterprise_install: z.boolean() })),
});

type EventHandler = (event: unknown) => unknown;

/** A handler of an event of this form, which need not have any of its fields. */
const handlerOf =
  <T extends z.ZodType>(form: T, handle: (event: z.infer<T>) => unknown): EventHandler =>
  (event) =>
    handle(readAs(form, event));

interface BoltReceiver extends Receiver {
  /** Resolves when the envelope is handled, acknowledged or not. Never rejects. */
  readonly accept: (envelope: Envelope) => Promise<void>;
  /** What is done with events of this workspace, by type. Others are acknowledged and ignored. */
  readonly onEvents: (teamId: string, handlers: ReadonlyMap<string, EventHandler>) => void;
  /** Ignores new envelopes, so that Slack sends them again later; those being handled are finished. */
  readonly refuse: () => void;
  /** Resolves when no envelope is being handled. */
  readonly settled: () => Promise<void>;
}

/** Whether the event comes for the app in this workspace. It may be installed in others too, with a token of their own. */
const isOf = (teamId: string, { authorizations = [] }: z.infer<typeof EVENT_BODY>): boolean =>
  authorizations.length === 0 ||
  authorizations.some((each) => each.team_id === teamId || each.is_enterprise_install === true);

/**
 * Connects the socket or the HTTP server with the Bolt app. Bolt acknowledges an event before its listeners run. Here events go to their
 * handlers directly and are acknowledged afterwards, so that Slack sends again what could not be stored. This also saves
 * CPU: Bolt calls every listener for every event. Listeners acknowledge commands and buttons themselves, at once; what no
 * listener handles is acknowledged here, so that nobody sees a timeout.
 */
export const createBoltReceiver = (
  logger: FinClawLogger,
  onFailed: (what: string, error: unknown) => void,
): BoltReceiver => {
  const underWay = new Set<Promise<void>>();
  let app: App | undefined;
  let eventHandlers: ReadonlyMap<string, EventHandler> = new Map();
  let ownTeam = '';
  let isRefusing = false;

  const handleEvent = async ({ body: sent, ack }: Envelope): Promise<void> => {
    const body = readAs(EVENT_BODY, sent);
    const { type, event } = body;
    if (type === 'app_rate_limited')
      logger.warn('Slack holds events back: the app gets more than it may in an hour');
    const name = event?.['type'];
    if (typeof name === 'string' && isOf(ownTeam, body)) await eventHandlers.get(name)?.(event);
    await ack();
  };

  const handleInteraction = async ({ body: sent, ack }: Envelope): Promise<void> => {
    const body = readAs(OBJECT, sent);
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
    onEvents: (teamId, handlers) => {
      ownTeam = teamId;
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
        .catch((error: unknown) => onFailed(type, error))
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
  receiver: SlackReceiver,
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

  const handleMessage: EventHandler = (event) => receiver.handle(readMessageFields(event));
  const homeOpened = handlerOf(OPEN_EVENT, (event) => {
    if (event.user && event.tab === 'home') home.open(event.user);
    return welcomePerson(deps, event);
  });
  const placeRenamed = handlerOf(CHANNEL_RENAME, directory.placeRenamed);
  boltReceiver.onEvents(
    self.teamId,
    new Map([
      ['message', handleMessage],
      ['app_mention', handleMessage],
      ['app_home_opened', homeOpened],
      ['assistant_thread_started', handlerOf(ASSISTANT_THREAD_STARTED, assistant.started)],
      ['user_change', handlerOf(USER_CHANGE, directory.personChanged)],
      ['channel_rename', placeRenamed],
      ['group_rename', placeRenamed],
      ['member_joined_channel', handlerOf(JOIN_EVENT, (event) => welcomeChannel(deps, event))],
    ]),
  );
  app.command(/.*/, ({ command, ack }) =>
    handleCommand(deps, readAs(SLASH_CALL, command), (response) => ack(response)),
  );
  app.action(/.*/, ({ body, ack }) => handleButton(deps, readAs(BUTTON_EVENT, body), () => ack()));
  app.shortcut(/.*/, ({ shortcut, ack }) => handleShortcut(deps, readAs(SHORTCUT, shortcut), () => ack()));
  app.view(QUESTION_CALLBACK, ({ body, ack }) =>
    handleQuestion(deps, readAs(SUBMISSION, body), (response) => ack(response)),
  );
  app.view(/^(?!finclaw_question$)/, ({ body, ack }) =>
    handleSubmission(deps, readAs(SUBMISSION, body), (response) => ack(response as never)),
  );
  return app;
};
