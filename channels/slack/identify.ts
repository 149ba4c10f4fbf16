import { FinClawError } from '#src/kernel/errors.ts';
import type { SlackApi, SlackRefusedError } from './api.ts';
import type { SlackIdentity, SlackSettings } from './settings.ts';

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

/** Before Slack is asked: a token of the wrong kind is known by how it begins. */
export const checkTokenKinds = ({ botToken, appToken }: SlackSettings): FinClawError | undefined => {
  if (!botToken.startsWith('xoxb-'))
    return tokenError(`SLACK_BOT_TOKEN is not a bot token. ${BOT_TOKEN_PLACE}.`);
  if (!appToken.startsWith('xapp-'))
    return tokenError(`SLACK_APP_TOKEN is not an app-level token. ${APP_TOKEN_PLACE}.`);
  return undefined;
};

/** Throws `ChannelError`. */
export const askIdentity = async (api: SlackApi): Promise<SlackIdentity> => {
  const answer = await api.call('auth.test', {});
  return {
    teamId: answer.team_id ?? '',
    teamName: answer.team ?? '',
    userId: answer.user_id ?? '',
    botId: answer.bot_id,
    scopes: answer.response_metadata?.scopes ?? [],
  };
};
