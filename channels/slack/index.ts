import { z } from 'zod';
import { HTTPS_ONLY, optionalVariable, webAddress } from '#src/kernel/setting-schemas.ts';
import { defineChannel } from '#src/platform/channel-definition.ts';
import { slackMarkup } from './markup.ts';
import { SLACK, type SlackSettings } from './settings.ts';

/** Slack's pages show several secrets side by side; the prefix tells which one was copied. */
const token = (beginning: string, where: string) =>
  z
    .string()
    .trim()
    .startsWith(beginning, `must begin with ${beginning}: copy it from ${where}`)
    .regex(/^\S+$/, 'must not contain blanks')
    .meta({ title: `secret, \`${beginning}…\`` });

export const slack = defineChannel({
  id: SLACK,
  variables: {
    SLACK_BOT_TOKEN: optionalVariable(token('xoxb-', 'OAuth & Permissions, Bot User OAuth Token'), {
      description: 'Bot token of the Slack app. Slack needs this and `SLACK_APP_TOKEN`.',
      unset: 'Slack is off',
    }),
    SLACK_APP_TOKEN: optionalVariable(token('xapp-', 'Basic Information, App-Level Tokens'), {
      description: 'App-level token of the Slack app, with the scope `connections:write` (Socket Mode).',
      unset: 'Slack is off',
    }),
    SLACK_API_URL: optionalVariable(webAddress, {
      description: `Base URL of the Slack API, such as a proxy. ${HTTPS_ONLY}`,
      unset: 'the API of Slack',
    }),
  },
  secrets: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'],
  addresses: ['SLACK_API_URL'],
  laterVariables: ['SLACK_SIGNING_SECRET', 'SLACK_PORT'],
  turnedOnBy: 'SLACK_BOT_TOKEN and SLACK_APP_TOKEN',
  problems: ({ SLACK_BOT_TOKEN, SLACK_APP_TOKEN }) => {
    if (SLACK_BOT_TOKEN && !SLACK_APP_TOKEN)
      return [
        'SLACK_APP_TOKEN: is missing; Slack is set up with two tokens. Make one with the scope connections:write under Basic Information → App-Level Tokens; it begins with xapp-',
      ];
    if (SLACK_APP_TOKEN && !SLACK_BOT_TOKEN)
      return [
        'SLACK_BOT_TOKEN: is missing; Slack is set up with two tokens. Install the app to your workspace and copy the token under OAuth & Permissions; it begins with xoxb-',
      ];
    return [];
  },
  settings: ({ SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL }): SlackSettings | undefined =>
    SLACK_BOT_TOKEN && SLACK_APP_TOKEN
      ? {
          botToken: SLACK_BOT_TOKEN,
          appToken: SLACK_APP_TOKEN,
          ...(SLACK_API_URL ? { apiUrl: SLACK_API_URL } : {}),
        }
      : undefined,
  create: async (settings, deps) => {
    const { createSlackChannel } = await import('./adapter.ts');
    return createSlackChannel({ settings, ...deps });
  },
  check: async (settings) => {
    const { checkSlack } = await import('./check.ts');
    return checkSlack(settings);
  },
  markup: slackMarkup,
});
