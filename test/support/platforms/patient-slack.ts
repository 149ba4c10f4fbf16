import { createSlackChannel } from '#channels/slack/adapter.ts';
import type { SlackSettings } from '#channels/slack/settings.ts';
import type { PlatformKit } from './driver.ts';
import { openSlack, slackKit } from './slack.ts';

const PATIENCE_MS = 5_000;

/**
 * Slack for tests that are not about its connection: a machine that is held up for a moment does not take it for
 * broken, for what is pressed and called while a new one is made is lost, there as here.
 */
export const patientSlackKit: PlatformKit = {
  ...slackKit,
  open: async () => ({
    ...(await openSlack()),
    openChannel: async ({ config, clock, logger }) => {
      const slack = config.platforms['slack'] as SlackSettings | undefined;
      if (!slack) throw new Error('Slack is not configured');
      const settings = { ...slack, startWaitMs: PATIENCE_MS, pingTimeoutMs: PATIENCE_MS };
      return createSlackChannel({ settings, clock, logger, locale: config.locale });
    },
  }),
};
