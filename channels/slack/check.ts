import { commandFor } from '#src/platform/how-to-run.ts';
import { FinClawError, networkReason } from '#src/kernel/errors.ts';
import { clientOptions, createSlackApi, type SlackApi, SlackRefusedError, toChannelError } from './api.ts';
import {
  EVENTS_PATH,
  type HttpSettings,
  isHttpMode,
  type SlackIdentity,
  type SlackSettings,
  type SocketSettings,
} from './settings.ts';
import { webApi } from '@slack/bolt';
import type { Finding } from '#src/platform/channel-definition.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { BOT_SCOPES } from './manifest.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  invalid_auth: 'Copy it again',
  not_authed: 'Copy it again',
  account_inactive: 'The app was uninstalled or its workspace is gone: install it again and copy the new one',
  token_revoked: 'It was revoked: install the app again and copy the new one',
  token_expired: 'It has expired: turn off token rotation for the app and install it again',
  not_allowed_token_type: 'It is a token of another kind',
  missing_scope: 'It lacks a scope',
  no_permission: 'It lacks a permission',
  org_login_required: 'The workspace is being moved: try again later',
  ekm_access_denied: 'An administrator has suspended the workspace',
};

export const BOT_TOKEN_PLACE =
  'SLACK_BOT_TOKEN is found at api.slack.com/apps → your app → OAuth & Permissions → Bot User OAuth Token, and begins with xoxb-';
export const APP_TOKEN_PLACE =
  'SLACK_APP_TOKEN is found at api.slack.com/apps → your app → Basic Information → App-Level Tokens (scope connections:write), and begins with xapp-';

export const explain = (variable: string, place: string, { slackCode }: SlackRefusedError): string =>
  `Slack does not accept ${variable} (${slackCode}). ${REMEDIES[slackCode] ?? 'Check it'}. ${place}.`;

export const tokenError = (message: string, cause?: unknown): FinClawError =>
  new FinClawError(message, 'SLACK_TOKEN', { statusCode: 401, ...(cause ? { cause } : {}) });

/** Recognizes a token of the wrong kind by its prefix, without a request. */
export const checkTokenKinds = (settings: SlackSettings): FinClawError | undefined => {
  if (!settings.botToken.startsWith('xoxb-'))
    return tokenError(`SLACK_BOT_TOKEN is not a bot token. ${BOT_TOKEN_PLACE}.`);
  if (!isHttpMode(settings) && !settings.appToken.startsWith('xapp-'))
    return tokenError(`SLACK_APP_TOKEN is not an app-level token. ${APP_TOKEN_PLACE}.`);
  return undefined;
};

/** Throws `ChannelError`. */
export const askIdentity = async (api: SlackApi): Promise<SlackIdentity> => {
  const answer = await api.call('auth.test', {});
  return {
    teamId: answer.team_id ?? '',
    teamName: answer.team ?? '',
    name: answer.user ?? 'bot',
    userId: answer.user_id ?? '',
    botId: answer.bot_id,
    scopes: answer.response_metadata?.scopes ?? [],
  };
};

const SILENT: FinClawLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  hide: () => undefined,
  named: () => SILENT,
};

const failed = (variable: string, place: string, method: string, error: unknown): Finding => {
  const failure = toChannelError(method, error);
  if (failure instanceof SlackRefusedError) return { status: 'bad', text: explain(variable, place, failure) };
  // Without a cause Slack did answer, and the message says what.
  const why = failure.cause === undefined ? failure.message : networkReason(failure.cause);
  const advice =
    failure.failure === 'rate-limited' ? 'Try again in a minute.' : 'Check the network and try again.';
  return { status: 'bad', text: `Slack cannot be asked about ${variable} just now: ${why}. ${advice}` };
};

const checkScopes = (granted: readonly string[]): Finding => {
  const missing = Object.entries(BOT_SCOPES).filter(([scope]) => !granted.includes(scope));
  if (missing.length === 0) return { status: 'ok', text: `Slack: all ${granted.length} scopes are granted` };
  const list = missing.map(([scope, use]) => `${scope} (${use})`).join(', ');
  return {
    status: missing.some(([scope]) => scope === 'chat:write') ? 'bad' : 'note',
    text: `Slack: these scopes are missing: ${list}. Update the app with the output of ${commandFor('slack-manifest')} and install it to the workspace again.`,
  };
};

const checkBot = async (settings: SlackSettings): Promise<readonly Finding[]> => {
  try {
    const self = await askIdentity(createSlackApi(settings, systemClock));
    return [
      {
        status: 'ok',
        text: `Slack: the bot token belongs to ${self.userId} in ${self.teamName} (${self.teamId})`,
      },
      checkScopes(self.scopes),
    ];
  } catch (error) {
    return [failed('SLACK_BOT_TOKEN', BOT_TOKEN_PLACE, 'auth.test', error)];
  }
};

const OPEN_CONNECTION = 'apps.connections.open';

/** An app token is checked by opening a connection, because `auth.test` does not accept it. */
const checkApp = async (settings: SocketSettings): Promise<Finding> => {
  try {
    const client = new webApi.WebClient(settings.appToken, clientOptions(settings, SILENT));
    await client.apiCall(OPEN_CONNECTION);
    return { status: 'ok', text: 'Slack: the app token opens a connection (Socket Mode is on)' };
  } catch (error) {
    return failed('SLACK_APP_TOKEN', APP_TOKEN_PLACE, OPEN_CONNECTION, error);
  }
};

/** Nobody can ask Slack for the signing secret; a wrong one shows in the log, with the first request. */
const describeHttp = ({ port }: HttpSettings): Finding => ({
  status: 'ok',
  text: `Slack: HTTP mode; Slack must reach ${EVENTS_PATH} on port ${port} through a public address`,
});

/** Checks tokens and scopes; each problem says how to fix it. Never throws. */
export const checkSlack = async (settings: SlackSettings): Promise<readonly Finding[]> => {
  const wrongKind = checkTokenKinds(settings);
  if (wrongKind) return [{ status: 'bad', text: wrongKind.message }];
  const [bot, connection] = await Promise.all([
    checkBot(settings),
    isHttpMode(settings) ? describeHttp(settings) : checkApp(settings),
  ]);
  return [...bot, connection];
};
