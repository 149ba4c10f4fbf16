import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { OWN_COMMAND, slackName } from './markup.ts';
import { EVENTS_PATH } from './settings.ts';

/** The scopes of the bot token, each with what does not work without it. */
export const BOT_SCOPES = {
  'app_mentions:read': 'hearing mentions',
  'channels:history': 'hearing and reading public channels',
  'channels:read': 'the names of public channels',
  'chat:write': 'answering',
  commands: 'slash commands',
  'files:read': 'reading attachments',
  'files:write': 'sending files and charts',
  'groups:history': 'hearing and reading private channels',
  'groups:read': 'the names of private channels',
  'im:history': 'hearing and reading direct messages',
  'im:read': 'direct messages',
  'im:write': 'writing to people directly',
  'mpim:history': 'hearing and reading group messages',
  'mpim:read': 'group messages',
  'reactions:write': 'the sign that a message was seen',
  'users:read': 'the names and languages of people',
} as const;

const BOT_EVENTS = [
  // With this one and `member_joined_channel`, the bot introduces itself.
  'app_home_opened',
  'app_mention',
  // With these two and `user_change`, new names are known at once; without them, after half an hour.
  'channel_rename',
  'group_rename',
  'member_joined_channel',
  'message.channels',
  'message.groups',
  'message.im',
  'message.mpim',
  'user_change',
];

const MAX_DESCRIPTION = 140;

/** The example after the command's name: `AAPL` for `/price AAPL`. */
const hintOf = ({ usage, name }: CommandDefinition): string => {
  const hints = [usage.en, usage.ko].map((line) => {
    const typed = line.replace(/^\//u, '');
    return (typed.startsWith(name) ? typed.slice(name.length) : line).trim();
  });
  return [...new Set(hints.filter((hint) => hint !== ''))].join(' · ');
};

const commandOf = (definition: CommandDefinition) => {
  const name = slackName(definition);
  if (name === undefined) return [];
  const hint = hintOf(definition);
  const { en, ko } = definition.description;
  return [
    {
      command: `/${name}`,
      description: `${en} · ${ko}`.slice(0, MAX_DESCRIPTION),
      ...(hint === '' ? {} : { usage_hint: hint }),
      // Makes Slack send the ids of mentioned channels and people.
      should_escape: true,
    },
  ];
};

/**
 * The app manifest, for api.slack.com/apps → Create New App → From a manifest. With the public address of the bot it is for
 * HTTP mode, without one for Socket Mode.
 */
export const slackManifest = (definitions: readonly CommandDefinition[], publicUrl?: string) => {
  const base = publicUrl?.replace(/\/$/u, '');
  const requestUrl = base && (base.endsWith(EVENTS_PATH) ? base : `${base}${EVENTS_PATH}`);
  const here = requestUrl ? { request_url: requestUrl } : {};
  const commands = [
    {
      command: OWN_COMMAND,
      description: 'asks FinClaw anything · 무엇이든 물어보기',
      usage_hint: 'help · price AAPL · 삼성전자 얼마야?',
      should_escape: true,
    },
    ...definitions.flatMap(commandOf),
  ];
  return {
    display_information: {
      name: 'FinClaw',
      description: 'Answers questions about markets with real data, in Korean and English',
      background_color: '#14342b',
    },
    features: {
      app_home: {
        home_tab_enabled: false,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: 'FinClaw', always_online: true },
      slash_commands: requestUrl ? commands.map((each) => ({ ...each, url: requestUrl })) : commands,
    },
    oauth_config: { scopes: { bot: Object.keys(BOT_SCOPES) } },
    settings: {
      event_subscriptions: { ...here, bot_events: BOT_EVENTS },
      interactivity: { ...here, is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: !requestUrl,
      token_rotation_enabled: false,
    },
  };
};
