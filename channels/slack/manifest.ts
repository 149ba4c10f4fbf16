import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { MESSAGE_MENUS } from '#src/kernel/chat/message-menus.ts';
import { OWN_COMMAND } from './send/markup.ts';
import { ASK_SHORTCUT, EVENTS_PATH, menuShortcut } from './settings.ts';

/** The scopes of the bot token, each with what does not work without it. */
export const BOT_SCOPES = {
  'app_mentions:read': 'hearing mentions',
  'assistant:write': 'suggested questions and titles in the assistant',
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
  // Of the home tab. With this one and `member_joined_channel`, the bot also introduces itself.
  'app_home_opened',
  'app_mention',
  // Slack wants both of an app with an assistant.
  'assistant_thread_context_changed',
  'assistant_thread_started',
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

/** Short names that other apps hardly have. `/finclaw` runs all commands. */
const SHORT: ReadonlySet<string> = new Set(['price', 'chart', 'portfolio']);

const SHORTCUTS = [
  {
    name: 'Ask FinClaw',
    type: 'global',
    callback_id: ASK_SHORTCUT,
    description: 'The answer comes as a direct message · 답은 다이렉트 메시지로 옵니다',
  },
  ...MESSAGE_MENUS.map(({ id, label }) => ({
    name: label.en,
    type: 'message',
    callback_id: menuShortcut(id),
    description: `Only you see the answer · ${label.ko}`,
  })),
];

/** The example after the command's name: `AAPL` for `/price AAPL`. */
const hintOf = ({ usage, name }: CommandDefinition): string => {
  const hints = [usage.en, usage.ko].map((line) => {
    const typed = line.replace(/^\//u, '');
    return (typed.startsWith(name) ? typed.slice(name.length) : line).trim();
  });
  return [...new Set(hints.filter((hint) => hint !== ''))].join(' · ');
};

/** Slack reserves these names. Our commands of these names run through `/finclaw` alone. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'active apps archive away call canvas collapse dm dnd expand feed feedback help huddle invite join keys kick ' +
    'leave me msg mute open part people prefs remind remove rename search settings share shortcuts shrug star ' +
    'status topic unarchive who'
  ).split(' '),
);

/** An alias replaces a name that Slack reserves: `/search` is `/find`. */
const slackName = ({ name, aliases }: CommandDefinition): string | undefined =>
  [name, ...aliases.filter((alias) => /^[a-z]{3,}$/u.test(alias))].find((each) => !RESERVED.has(each));

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

interface ManifestOptions {
  /** The public address of the bot, for HTTP mode. Absent: Socket Mode. */
  readonly publicUrl?: string | undefined;
  /** Registers a name of its own for every command, although other apps may have it too. */
  readonly hasAllCommands?: boolean;
}

/** The app manifest, for api.slack.com/apps → Create New App → From a manifest. */
export const slackManifest = (
  definitions: readonly CommandDefinition[],
  { publicUrl, hasAllCommands = false }: ManifestOptions = {},
) => {
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
    ...definitions.filter(({ name }) => hasAllCommands || SHORT.has(name)).flatMap(commandOf),
  ];
  return {
    display_information: {
      name: 'FinClaw',
      description: 'Answers questions about markets with real data, in Korean and English',
      background_color: '#14342b',
    },
    features: {
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      assistant_view: {
        assistant_description:
          'Prices, charts, news, your portfolio, alerts and briefings · 시세, 차트, 뉴스, 포트폴리오, 알림, 브리핑',
      },
      bot_user: { display_name: 'FinClaw', always_online: true },
      shortcuts: SHORTCUTS,
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
