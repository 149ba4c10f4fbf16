import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  type APIApplicationCommandInteractionDataOption,
  type APIChatInputApplicationCommandInteractionData,
  InteractionContextType,
  type InteractionType,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import {
  type CommandDefinition,
  type CommandOption,
  commandText,
  type Subcommand,
} from '#src/kernel/chat/command-definition.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { MESSAGE_MENUS, type MessageMenu } from '#src/kernel/chat/message-menus.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { Uses } from '#src/platform/services.ts';
import type { DiscordApi } from '../api.ts';
import type { ApplicationFacts } from '../directory.ts';
import { mediaIn } from '../receive/message-words.ts';
import { ASK_NAMES } from '../settings.ts';

const NAME = /^[-_'\p{L}\p{N}]{1,32}$/u;
const HANGUL = /[\uac00-\ud7af]/;
const MAX_DESCRIPTION = 100;
const MAX_CHOICES = 25;
/** Commands of plugins come last. Those beyond Discord's limit are not registered, but can still be typed. */
const MAX_COMMANDS = 100;

/** A slash command whose text is handled as an ordinary message. */
export const ASK: CommandDefinition = {
  name: ASK_NAMES[0],
  aliases: [ASK_NAMES[1]],
  description: { ko: '무엇이든 물어봅니다', en: 'asks anything, in your own words' },
  usage: { ko: '/ask 삼성전자 얼마야?', en: '/ask How is Apple doing today?' },
  category: 'general',
  options: [
    {
      name: 'question',
      nameKo: '질문',
      description: { ko: '예: 삼성전자 얼마야?', en: 'e.g. How is Apple doing today?' },
      type: 'text',
      isRequired: true,
    },
  ],
};

const TYPES = {
  text: ApplicationCommandOptionType.String,
  integer: ApplicationCommandOptionType.Integer,
  flag: ApplicationCommandOptionType.Boolean,
  file: ApplicationCommandOptionType.Attachment,
  channel: ApplicationCommandOptionType.Channel,
  role: ApplicationCommandOptionType.Role,
} as const;

/** Places with messages. */
const CHANNEL_TYPES = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
  ChannelType.GuildVoice,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
];

const described = ({ en, ko }: CommandDefinition['description']) => ({
  description: en.slice(0, MAX_DESCRIPTION),
  description_localizations: { ko: ko.slice(0, MAX_DESCRIPTION) },
});

const toOption = (option: CommandOption) => {
  const { name, nameKo, description, type, isRequired = false, choices = [], suggest, min, max } = option;
  return {
    type: TYPES[type],
    name,
    name_localizations: { ko: nameKo },
    ...described(description),
    required: isRequired,
    ...(type === 'channel' ? { channel_types: CHANNEL_TYPES } : {}),
    ...(min === undefined ? {} : { min_value: min }),
    ...(max === undefined ? {} : { max_value: max }),
    ...(choices.length > 0 && (type === 'text' || type === 'integer')
      ? {
          choices: choices.slice(0, MAX_CHOICES).map(({ value, label }) => ({
            name: label.en,
            name_localizations: { ko: label.ko },
            value: type === 'integer' ? Number(value) : value,
          })),
        }
      : {}),
    ...(suggest && choices.length === 0 ? { autocomplete: true } : {}),
  };
};

/** Discord demands required options first; our options are identified by name, so the order is free. */
const toOptions = (options: readonly CommandOption[]) =>
  options.toSorted((a, b) => Number(b.isRequired ?? false) - Number(a.isRequired ?? false)).map(toOption);

const toSubcommand = ({ name, nameKo, description, options = [] }: Subcommand) => ({
  type: ApplicationCommandOptionType.Subcommand,
  name,
  name_localizations: { ko: nameKo },
  ...described(description),
  options: toOptions(options),
});

/** Commands for administrators are not offered to other members. Who may use them is checked when they are called. */
const permissionsFor = ({ requiredRoles = [], category }: CommandDefinition) => {
  if (requiredRoles.length > 0) return { default_member_permissions: '0' };
  return category === 'admin' ? { default_member_permissions: String(PermissionFlagsBits.ManageGuild) } : {};
};

/**
 * People who added the bot to their own account call commands everywhere, if the application allows it. Commands for
 * administrators are about the bot or about a server that it is in.
 */
const availability = (isPersonal: boolean) => ({
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    ...(isPersonal ? [InteractionContextType.PrivateChannel] : []),
  ],
  integration_types: [
    ApplicationIntegrationType.GuildInstall,
    ...(isPersonal ? [ApplicationIntegrationType.UserInstall] : []),
  ],
});

const toCommand = (definition: CommandDefinition, hasPersonal: boolean) => {
  const { name, aliases, description, options = [], subcommands = [] } = definition;
  const nameKo = aliases.find((alias) => HANGUL.test(alias) && NAME.test(alias));
  return {
    type: ApplicationCommandType.ChatInput,
    name,
    ...(nameKo === undefined ? {} : { name_localizations: { ko: nameKo } }),
    ...described(description),
    options: subcommands.length > 0 ? subcommands.map(toSubcommand) : toOptions(options),
    ...permissionsFor(definition),
    ...availability(hasPersonal && definition.category !== 'admin'),
  };
};

/** Menus have names with blanks, and no description. */
const toMenu = ({ label }: MessageMenu, hasPersonal: boolean) => ({
  type: ApplicationCommandType.Message,
  name: label.en,
  name_localizations: { ko: label.ko },
  ...availability(hasPersonal),
});

export type DiscordCommand = ReturnType<typeof toCommand> | ReturnType<typeof toMenu>;

/** A command whose name Discord does not allow can still be typed. */
const toCommands = (
  definitions: readonly CommandDefinition[],
  hasPersonal: boolean,
): readonly DiscordCommand[] => [
  ...[...definitions.slice(0, MAX_COMMANDS - 1), ASK]
    .filter(({ name }) => NAME.test(name) && name === name.toLowerCase())
    .map((definition) => toCommand(definition, hasPersonal)),
  ...MESSAGE_MENUS.map((menu) => toMenu(menu, hasPersonal)),
];

/** Commands of one server have no availability. */
const forServer = ({ contexts: _contexts, integration_types: _types, ...command }: DiscordCommand) => command;

const KEPT: ReadonlySet<string> = new Set([
  'type',
  'name',
  'name_localizations',
  'description',
  'description_localizations',
  'options',
  'required',
  'choices',
  'autocomplete',
  'channel_types',
  'min_value',
  'max_value',
  'value',
  'ko',
  'default_member_permissions',
  'contexts',
  'integration_types',
]);

const isSet = (item: unknown): boolean =>
  item !== undefined && item !== null && item !== false && !(Array.isArray(item) && item.length === 0);

/** The fields that we set, without defaults: fields that Discord adds must not count as a difference. */
const essence = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => KEPT.has(key) && isSet(item))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, essence(item)]),
  );
};

interface RegisteredCommand {
  readonly name?: unknown;
  readonly id?: unknown;
}

const fingerprint = (commands: readonly RegisteredCommand[]): string =>
  JSON.stringify(commands.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1)).map(essence));

const isSameList = (
  registered: readonly RegisteredCommand[],
  wanted: readonly RegisteredCommand[],
): boolean => fingerprint(registered) === fingerprint(wanted);

interface Registered {
  /** Whether all commands are registered. */
  readonly isComplete: boolean;
  /** Command ids by name, for clickable mentions. Empty if several servers have their own ids. */
  readonly ids: ReadonlyMap<string, string>;
}

const idsIn = (registered: readonly RegisteredCommand[]): ReadonlyMap<string, string> =>
  new Map(
    registered.flatMap(({ name, id }) =>
      typeof name === 'string' && typeof id === 'string' ? [[name, id] as const] : [],
    ),
  );

/** Registers the commands if they changed and it may. Never throws: without registration, commands still work as text. */
export const registerCommands = async (
  definitions: readonly CommandDefinition[],
  deps: Uses<'logger'> & {
    readonly api: DiscordApi;
    readonly application: Pick<ApplicationFacts, 'id' | 'integration_types_config'>;
    readonly guilds: readonly string[] | undefined;
    readonly mayWrite: boolean;
  },
  signal: AbortSignal,
): Promise<Registered> => {
  const { api, application, guilds = [], logger } = deps;
  const { id: applicationId, integration_types_config: installs } = application;
  const commands = toCommands(definitions, installs?.[ApplicationIntegrationType.UserInstall] !== undefined);
  const everywhere = Routes.applicationCommands(applicationId);
  const places = guilds.map((id) => ({
    route: Routes.applicationGuildCommands(applicationId, id),
    wanted: commands.map(forServer),
  }));
  // Commands registered both globally and for a server would be listed twice.
  const all = [...places, { route: everywhere, wanted: places.length > 0 ? [] : commands }];
  let isComplete = true;
  let ids: Registered['ids'] = new Map();
  for (const { route, wanted } of all) {
    try {
      const query = { with_localizations: 'true' };
      const known = await api.request<readonly RegisteredCommand[]>('GET', route, { query }, signal);
      const isLeft = !deps.mayWrite || isSameList(known, wanted);
      const now = isLeft
        ? known
        : await api.request<readonly RegisteredCommand[]>('PUT', route, { body: wanted }, signal);
      if (wanted.length > 0 && places.length <= 1) ids = idsIn(now);
      if (isLeft) continue;
      logger.info('Discord: registered the commands', { count: wanted.length });
    } catch (error) {
      isComplete = false;
      if (signal.aborted) break;
      logger.warn('Discord: could not register the commands; they still work as text', {
        reason: errorMessage(error),
      });
    }
  }
  return { isComplete, ids };
};

type FilledOption = APIApplicationCommandInteractionDataOption<InteractionType.ApplicationCommand>;

/** The subcommand that was called, and its options. Discord may leave them out. */
export const called = <Option extends { readonly type: ApplicationCommandOptionType; readonly name: string }>(
  options: readonly Option[] = [],
  definition?: CommandDefinition,
): {
  readonly name: string | undefined;
  readonly subcommand: Subcommand | undefined;
  readonly options: readonly Option[];
} => {
  const [first] = options;
  if (first?.type !== ApplicationCommandOptionType.Subcommand)
    return { name: undefined, subcommand: undefined, options };
  const inner = 'options' in first ? (first.options as readonly Option[] | undefined) : undefined;
  const subcommand = definition?.subcommands?.find(({ name }) => name === first.name);
  return { name: first.name, subcommand, options: inner ?? [] };
};

const valueOf = (option: FilledOption): string | number | boolean | undefined => {
  if (!('value' in option)) return undefined;
  if (option.type === ApplicationCommandOptionType.Channel) return `<#${option.value}>`;
  return option.type === ApplicationCommandOptionType.Role ? `<@&${option.value}>` : option.value;
};

/** A filled-in command as a person would have typed it, even if the command no longer exists. */
export const textOf = (
  name: string,
  filled: readonly FilledOption[],
  definition: CommandDefinition | undefined,
): string => {
  const { name: action, subcommand, options } = called(filled, definition);
  const values = Object.fromEntries(options.map((option) => [option.name, valueOf(option)]));
  if (name === ASK.name)
    return String(values['question'] ?? '')
      .replaceAll(/\s+/gu, ' ')
      .trim();
  if (definition && (subcommand || action === undefined)) return commandText(definition, values, subcommand);
  const typed = action === undefined ? name : `${name} ${action}`;
  return commandText({ name: typed, options: options.map(unknownOption) }, values);
};

/** The attached files. The options contain only their ids. */
export const filesOf = ({
  options = [],
  resolved,
}: Pick<APIChatInputApplicationCommandInteractionData, 'options' | 'resolved'>): readonly MediaAttachment[] =>
  called(options).options.flatMap((option) => {
    if (option.type !== ApplicationCommandOptionType.Attachment) return [];
    const file = resolved?.attachments?.[option.value];
    return file ? (mediaIn(file) ?? []) : [];
  });

const unknownOption = ({ name, type }: FilledOption): CommandOption => ({
  name,
  nameKo: name,
  description: { en: name, ko: name },
  type: type === ApplicationCommandOptionType.Attachment ? 'file' : 'text',
});
