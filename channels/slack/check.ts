import { webApi } from '@slack/bolt';
import type { Finding } from '#src/platform/channel-definition.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { systemClock } from '#src/platform/clock.ts';
import { clientOptions, createSlackApi, SlackRefusedError, toChannelError } from './api.ts';
import { APP_TOKEN_PLACE, askIdentity, BOT_TOKEN_PLACE, checkTokenKinds, explain } from './identify.ts';
import { BOT_SCOPES } from './manifest.ts';
import type { SlackSettings } from './settings.ts';

const SILENT: FinClawLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  hide: () => undefined,
};

const failed = (variable: string, place: string, error: unknown): Finding => {
  const failure = toChannelError('Slack', error);
  return failure instanceof SlackRefusedError
    ? { status: 'bad', text: explain(variable, place, failure) }
    : {
        status: 'bad',
        text: `Slack cannot be asked just now: ${failure.message}. Check the network and try again.`,
      };
};

const checkScopes = (granted: readonly string[]): Finding => {
  const missing = Object.entries(BOT_SCOPES).filter(([scope]) => !granted.includes(scope));
  if (missing.length === 0) return { status: 'ok', text: `Slack: all ${granted.length} scopes are granted` };
  const list = missing.map(([scope, use]) => `${scope} (${use})`).join(', ');
  return {
    status: missing.some(([scope]) => scope === 'chat:write') ? 'bad' : 'note',
    text: `Slack: these scopes are missing: ${list}. Update the app with the output of npm run slack:manifest and install it to the workspace again.`,
  };
};

const checkBot = async (settings: SlackSettings): Promise<readonly Finding[]> => {
  try {
    const self = await askIdentity(createSlackApi(settings, SILENT, systemClock));
    return [
      {
        status: 'ok',
        text: `Slack: the bot token belongs to ${self.userId} in ${self.teamName} (${self.teamId})`,
      },
      checkScopes(self.scopes),
    ];
  } catch (error) {
    return [failed('SLACK_BOT_TOKEN', BOT_TOKEN_PLACE, error)];
  }
};

/** Opening a connection tells all about this token; asking for its owner is not open to it. */
const checkApp = async (settings: SlackSettings): Promise<Finding> => {
  try {
    const client = new webApi.WebClient(settings.appToken, clientOptions(settings, SILENT));
    await client.apiCall('apps.connections.open');
    return { status: 'ok', text: 'Slack: the app token opens a connection (Socket Mode is on)' };
  } catch (error) {
    return failed('SLACK_APP_TOKEN', APP_TOKEN_PLACE, error);
  }
};

/** For `npm run doctor`: what is set up, and how to mend what is not. Never throws. */
export const checkSlack = async (settings: SlackSettings): Promise<readonly Finding[]> => {
  const wrongKind = checkTokenKinds(settings);
  if (wrongKind) return [{ status: 'bad', text: wrongKind.message }];
  const [bot, app] = await Promise.all([checkBot(settings), checkApp(settings)]);
  return [...bot, app];
};
