import { z } from 'zod';
import { LIVE_MODES } from '#src/core/channel.ts';
import type { Environment } from './environment.ts';
import { nonEmpty } from './values.ts';

/** `live`: what people see while an answer is being made. */
export const liveSchema = z
  .strictObject({
    mode: z
      .enum(LIVE_MODES)
      .default('status')
      .describe(
        'Default mode. `off`: only the reaction. `status`: what the bot is doing. `stream`: the answer while it is written.',
      ),
    channels: z
      .record(
        z
          .string()
          .regex(
            /^[a-z][a-z0-9_-]*(?::\S+)?$/,
            'is neither a platform nor a chat; write a name such as discord, or discord:123 for one chat',
          ),
        z.enum(LIVE_MODES),
      )
      .default({})
      .describe('Mode per platform (`discord`) or chat (`discord:123`).'),
  })
  .prefault({})
  .describe('What people see while the bot works on an answer.');

/** `discord`: what is not a token. */
export const discordSchema = z
  .strictObject({
    commandGuilds: z
      .array(nonEmpty)
      .default([])
      .describe('Ids of the servers where slash commands are registered. Empty list: everywhere.'),
  })
  .prefault({})
  .describe('Discord.');

export interface DiscordSettings {
  readonly token: string;
  readonly apiUrl?: string;
  readonly commandGuilds: readonly string[];
}

export interface SlackSettings {
  readonly botToken: string;
  readonly appToken: string;
  readonly apiUrl?: string;
}

/** The platforms that have a token. None: the terminal. */
export interface Platforms {
  readonly discord?: DiscordSettings;
  readonly slack?: SlackSettings;
}

export const platformsOf = (
  variables: Environment,
  { commandGuilds }: z.output<typeof discordSchema>,
): Platforms => {
  const { DISCORD_BOT_TOKEN, DISCORD_API_URL, SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL } = variables;
  return {
    ...(DISCORD_BOT_TOKEN
      ? {
          discord: {
            token: DISCORD_BOT_TOKEN,
            ...(DISCORD_API_URL ? { apiUrl: DISCORD_API_URL } : {}),
            commandGuilds,
          },
        }
      : {}),
    ...(SLACK_BOT_TOKEN && SLACK_APP_TOKEN
      ? {
          slack: {
            botToken: SLACK_BOT_TOKEN,
            appToken: SLACK_APP_TOKEN,
            ...(SLACK_API_URL ? { apiUrl: SLACK_API_URL } : {}),
          },
        }
      : {}),
  };
};

/** Half of what Slack needs: which half is missing, and where it is found. */
export const checkTokens = ({ SLACK_BOT_TOKEN, SLACK_APP_TOKEN }: Environment): readonly string[] => {
  if (SLACK_BOT_TOKEN && !SLACK_APP_TOKEN)
    return [
      '  SLACK_APP_TOKEN: is missing; Slack is set up with two tokens. Make one with the scope connections:write under Basic Information → App-Level Tokens; it begins with xapp-',
    ];
  if (SLACK_APP_TOKEN && !SLACK_BOT_TOKEN)
    return [
      '  SLACK_BOT_TOKEN: is missing; Slack is set up with two tokens. Install the app to your workspace and copy the token under OAuth & Permissions; it begins with xoxb-',
    ];
  return [];
};
