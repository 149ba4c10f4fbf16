import { networkReason } from '#src/kernel/errors.ts';
import type { Finding } from '#src/platform/channel-definition.ts';
import { type DiscordSettings, withPlainUrl } from './settings.ts';

/** The permissions that the bot needs in a server, by their names in Discord's settings. */
const PERMISSIONS = {
  'View Channels': 1n << 10n,
  'Send Messages': 1n << 11n,
  'Send Messages in Threads': 1n << 38n,
  'Embed Links': 1n << 14n,
  'Attach Files': 1n << 15n,
  'Read Message History': 1n << 16n,
  'Add Reactions': 1n << 6n,
} as const;

/** The link that adds the bot to a server with exactly the permissions it needs. */
export const inviteUrl = (applicationId: string): string => {
  const permissions = Object.values(PERMISSIONS).reduce((all, one) => all | one, 0n);
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: 'bot applications.commands',
    permissions: String(permissions),
  });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
};

const TIMEOUT_MS = 4_000;
const PORTAL = 'https://discord.com/developers/applications';
/** The application flags for this intent: granted, or switched on for a bot in few servers. */
const MESSAGE_CONTENT = (1 << 18) | (1 << 19);
const MAX_NAMED = 5;

type Answer =
  | { readonly status: 'ok'; readonly body: unknown }
  | { readonly status: 'refused'; readonly code: number }
  | { readonly status: 'unreachable'; readonly reason: string };

const ask = async (path: string, settings: DiscordSettings): Promise<Answer> => {
  const { token, apiUrl: base = 'https://discord.com/api' } = withPlainUrl(settings);
  try {
    const response = await fetch(`${base}/v10${path}`, {
      headers: { authorization: `Bot ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { status: 'ok', body: await response.json() };
    await response.body?.cancel();
    return response.status >= 500
      ? { status: 'unreachable', reason: `it answers with ${response.status}` }
      : { status: 'refused', code: response.status };
  } catch (error) {
    return { status: 'unreachable', reason: networkReason(error) };
  }
};

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null
    ? Object.entries(body).find(([key]) => key === name)?.[1]
    : undefined;

const textIn = (body: unknown, name: string): string => {
  const value = field(body, name);
  return typeof value === 'string' ? value : '';
};

const checkContent = (flags: unknown): Finding =>
  typeof flags === 'number' && (flags & MESSAGE_CONTENT) !== 0
    ? { status: 'ok', text: 'Discord: Message Content Intent is on' }
    : {
        // The bot works without it.
        status: 'note',
        text: `Discord: Message Content Intent is off, so follow-ups in threads without a mention arrive empty. Switch it on at ${PORTAL} → your application → Bot → Privileged Gateway Intents, and restart the bot.`,
      };

const missingIn = (guild: unknown): readonly string[] => {
  const permissions = textIn(guild, 'permissions');
  if (!/^\d+$/.test(permissions)) return [];
  const held = BigInt(permissions);
  const isAdministrator = (held & (1n << 3n)) !== 0n;
  return Object.entries(PERMISSIONS)
    .filter(([, bit]) => !isAdministrator && (held & bit) === 0n)
    .map(([name]) => name);
};

const checkGuilds = (guilds: unknown, invite: string): readonly Finding[] => {
  if (!Array.isArray(guilds)) return [];
  if (guilds.length === 0)
    return [{ status: 'note', text: `Discord: the bot is in no server yet. Add it with ${invite}` }];
  const lacking = guilds
    .map((guild) => ({ name: textIn(guild, 'name'), missing: missingIn(guild) }))
    .filter(({ missing }) => missing.length > 0);
  if (lacking.length === 0)
    return [{ status: 'ok', text: `Discord: in ${guilds.length} server(s), with the permissions it needs` }];
  return lacking.slice(0, MAX_NAMED).map(({ name, missing }) => ({
    status: 'bad',
    text: `Discord: in the server ${name} the bot lacks ${missing.join(', ')}. Add it again with ${invite}, or give its role these permissions.`,
  }));
};

/** Checks the token, the intent and the permissions; each problem says how to fix it. Never throws. */
export const checkDiscord = async (settings: DiscordSettings): Promise<readonly Finding[]> => {
  const me = await ask('/users/@me', settings);
  if (me.status === 'unreachable')
    return [
      {
        status: 'bad',
        text: `Discord cannot be reached: ${me.reason}. Check the network, and DISCORD_API_URL if it is set.`,
      },
    ];
  if (me.status === 'refused')
    return [
      {
        status: 'bad',
        text: `Discord does not accept DISCORD_BOT_TOKEN (${me.code}). Reset it at ${PORTAL} → your application → Bot → Reset Token, and set the new one.`,
      },
    ];
  const [application, guilds] = await Promise.all([
    ask('/applications/@me', settings),
    ask('/users/@me/guilds', settings),
  ]);
  const name = textIn(me.body, 'username');
  if (application.status !== 'ok')
    return [
      { status: 'ok', text: `Discord: the token is that of ${name}` },
      { status: 'note', text: 'Discord does not tell about the application; try again in a moment.' },
    ];
  const invite = inviteUrl(textIn(application.body, 'id'));
  return [
    { status: 'ok', text: `Discord: the token is that of ${name}` },
    checkContent(field(application.body, 'flags')),
    ...(field(application.body, 'bot_require_code_grant') === true
      ? [
          {
            status: 'bad',
            text: `Discord: the bot cannot be added to servers while Requires OAuth2 Code Grant is on. Switch it off at ${PORTAL} → your application → Bot.`,
          } as const,
        ]
      : []),
    ...(guilds.status === 'ok' ? checkGuilds(guilds.body, invite) : []),
    { status: 'note', text: `Discord: add the bot to a server with ${invite}` },
  ];
};
