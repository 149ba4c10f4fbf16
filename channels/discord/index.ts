import { z } from 'zod';
import {
  HTTPS_ONLY,
  nonEmpty,
  optionalVariable,
  webAddress,
} from '#src/kernel/operations/setting-schemas.ts';
import { defineChannel } from '#src/platform/channel-definition.ts';
import { discordMarkup } from './send/markup.ts';
import { ASK_NAMES, DISCORD, type DiscordSettings } from './settings.ts';

const token = z
  .string()
  .trim()
  .regex(/^(?!Bot )/i, 'must be the token alone, without the word Bot before it')
  .regex(/^\S+$/, 'must not contain blanks')
  .meta({ title: 'secret' });

export const discord = defineChannel({
  id: DISCORD,
  variables: {
    DISCORD_BOT_TOKEN: optionalVariable(token, {
      description: 'Token of the Discord bot. Connects the bot to Discord.',
      unset: 'Discord is off',
    }),
    DISCORD_API_URL: optionalVariable(webAddress, {
      description: `Base URL of the Discord API, such as a proxy. ${HTTPS_ONLY}`,
      unset: 'the API of Discord',
    }),
  },
  secrets: ['DISCORD_BOT_TOKEN'],
  addresses: ['DISCORD_API_URL'],
  block: z
    .strictObject({
      commandGuilds: z
        .array(
          nonEmpty.regex(
            /^\d*$/,
            'is not the id of a server; write its number, such as 123: there are no names and no wildcards',
          ),
        )
        .default([])
        .describe('Ids of the servers where slash commands are registered. Empty list: everywhere.'),
    })
    .prefault({})
    .describe('Discord.'),
  turnedOnBy: 'DISCORD_BOT_TOKEN',
  settings: ({ DISCORD_BOT_TOKEN, DISCORD_API_URL }, { commandGuilds }): DiscordSettings | undefined =>
    DISCORD_BOT_TOKEN
      ? {
          token: DISCORD_BOT_TOKEN,
          ...(DISCORD_API_URL ? { apiUrl: DISCORD_API_URL } : {}),
          commandGuilds,
        }
      : undefined,
  create: async (settings, deps) => {
    const { createDiscordChannel } = await import('./adapter.ts');
    return createDiscordChannel({ settings, ...deps });
  },
  check: async (settings) => {
    const { checkDiscord } = await import('./check.ts');
    return checkDiscord(settings);
  },
  markup: discordMarkup,
  commandNames: ASK_NAMES,
});
