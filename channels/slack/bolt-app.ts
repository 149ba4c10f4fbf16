import { App } from '@slack/bolt';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { clientOptions } from './api.ts';
import { boltLogger } from './bolt-logger.ts';
import { handleSubmission, type Submission } from './forms.ts';
import type { Intake } from './intake.ts';
import { handlePress, type Press, type PressDeps } from './presses.ts';
import type { StoringReceiver } from './receiver.ts';
import type { SlackIdentity, SlackSettings } from './settings.ts';
import { handleCommand, type SlashCall } from './slash.ts';
import type { SlackMessageEvent } from './wire.ts';

export interface BoltDeps {
  readonly settings: SlackSettings;
  readonly self: SlackIdentity;
  readonly receiver: StoringReceiver;
  readonly intake: Intake;
  readonly interactions: PressDeps;
  readonly logger: FinClawLogger;
}

/**
 * What the bot listens to. Who it is has been found out before: left to itself, Bolt would ask Slack for it
 * with every event. It keeps no conversations and hides nothing from us; the gates know the bot's own messages.
 */
export const createBoltApp = ({ settings, self, receiver, intake, interactions, logger }: BoltDeps): App => {
  const app = new App({
    token: settings.botToken,
    botUserId: self.userId,
    // A token without a bot has none; then Bolt must not look for it.
    botId: self.botId ?? self.userId,
    tokenVerificationEnabled: false,
    receiver,
    ignoreSelf: false,
    convoStore: false,
    logger: boltLogger(logger),
    clientOptions: clientOptions(settings, logger),
  });

  app.event('message', ({ event }) => intake.take(event as unknown as SlackMessageEvent));
  app.event('app_mention', ({ event }) => intake.take(event as unknown as SlackMessageEvent));
  app.command(/.*/, ({ command, ack }) =>
    handleCommand(interactions, command as unknown as SlashCall, (response) => ack(response)),
  );
  app.action(/.*/, ({ body, ack }) => handlePress(interactions, body as unknown as Press, () => ack()));
  app.view(/.*/, ({ body, ack }) =>
    handleSubmission(interactions, body as unknown as Submission, (response) => ack(response as never)),
  );
  return app;
};
