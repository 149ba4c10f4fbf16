import { LIVE_MODES, type LiveMode } from '#src/kernel/chat/live-answer.ts';
import type { CommandDefinition, CommandOption, Subcommand } from '#src/kernel/chat/command-definition.ts';
import type { Locale, Localized } from '#src/kernel/locale.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { queueModeChoices } from '#commands/chat/queue-modes.ts';
import { choiceLabels } from '#commands/shared/labels.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import type { GuildSetting, GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import { queueTexts } from '#commands/chat/texts.ts';
import { type ChatId, asId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { shortened } from '#src/kernel/text.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import { ephemeral } from '#commands/shared/results.ts';
import type { MarkupReader } from '#src/platform/text/platform-markup.ts';
import { QUEUE_MODES, type QueueMode } from '#src/kernel/chat/queue.ts';
import { resolveTimeZone } from '#src/reading/time-zone.ts';

/** The names of settings, in display order. */
const SETTING_NAMES = ['language', 'timezone', 'channels', 'roles', 'live', 'queue'] as const;
type SettingName = (typeof SETTING_NAMES)[number];

/** Null removes an earlier choice. */
type Chosen<Value> = { readonly value: Value | null } | undefined;

const namesOf = <Value>(names: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> =>
  new Map(names.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)));

const SETTINGS = namesOf<SettingName>([
  ['language', 'language lang locale 언어'],
  ['timezone', 'timezone tz zone 시간대'],
  ['channels', 'channels channel 채널'],
  ['roles', 'roles role 역할'],
  ['live', 'live 표시 실시간'],
  ['queue', 'queue 대기열'],
]);

const LANGUAGES = namesOf<Locale | 'auto' | null>([
  ['auto', 'auto automatic 자동'],
  ['ko', 'ko kr korean 한국어 한글'],
  ['en', 'en english 영어'],
  [null, 'default 기본 기본값'],
]);

const LIVE = namesOf<LiveMode | null>([
  ...LIVE_MODES.map((mode) => [mode, mode] as const),
  ['off', '끄기'],
  ['status', '상태'],
  ['stream', '실시간'],
  [null, 'default 기본 기본값'],
]);

const MODES = namesOf<QueueMode | null>([
  ...QUEUE_MODES.map((mode) => [mode, mode] as const),
  [null, 'default reset 기본 기본값'],
]);

const readIn =
  <Value>(values: ReadonlyMap<string, Value | null>) =>
  (typed: string): Chosen<Value> => {
    const value = values.get(typed.toLowerCase());
    return value === undefined ? undefined : { value };
  };

const settingNameOf = (typed: string): SettingName | undefined => SETTINGS.get(typed.toLowerCase());
const readLanguage = readIn<NonNullable<GuildSetting['locale']>>(LANGUAGES);
const readLive = readIn<LiveMode>(LIVE);
const readZone = (typed: string): Chosen<string> => {
  if (/^(?:default|기본값?)$/iu.test(typed)) return { value: null };
  const value = resolveTimeZone(typed);
  return value === undefined ? undefined : { value };
};
const readQueueMode = readIn<QueueMode>(MODES);

/** A change of a list of channels or roles. `unknown`: the named one cannot be identified. */
type ListChange<Id extends string> =
  | { readonly action: 'add' | 'remove'; readonly id: Id | 'unknown' }
  | { readonly action: 'all' };

const ACTIONS = namesOf<'add' | 'remove' | 'all' | 'here'>([
  ['add', 'add allow 추가 허용'],
  ['remove', 'remove delete 제거 삭제 제외'],
  ['all', 'all everywhere everybody everyone default 전체 모두 기본'],
  ['here', 'here #here 여기'],
]);

type MentionReader = Pick<MarkupReader, 'chatsMentionedIn' | 'rolesMentionedIn' | 'chatIdIn'>;

/**
 * Finds the named channel; without a name, it is the one of the message. The arguments of a command keep only the name of
 * a mentioned channel, so mentions are read from the message as the platform sent it.
 */
const chatIn = (
  words: readonly string[],
  ctx: Pick<TurnContext, 'rawBody' | 'chatId'>,
  markup: MentionReader,
): ChatId | 'unknown' => {
  const mentioned = markup.chatsMentionedIn(ctx.rawBody);
  const [word, ...others] = words;
  if (mentioned.length > 1 || others.length > 0) return 'unknown';
  if (mentioned[0] !== undefined) return asId<ChatId>(mentioned[0]);
  if (word === undefined || ACTIONS.get(word.toLowerCase()) === 'here') return ctx.chatId;
  const id = markup.chatIdIn(word);
  return id === undefined ? 'unknown' : asId<ChatId>(id);
};

const readChannels = (
  [first = '', ...rest]: readonly string[],
  ctx: Pick<TurnContext, 'rawBody' | 'chatId'>,
  markup: MentionReader,
): ListChange<ChatId> | undefined => {
  const action = ACTIONS.get(first.toLowerCase());
  if (action === 'here') return rest.length > 0 ? undefined : { action: 'add', id: ctx.chatId };
  if (action === 'all') return rest.length > 0 ? undefined : { action };
  return action && { action, id: chatIn(rest, ctx, markup) };
};

/** A role can only be mentioned: its name is not unique. */
const readRoles = (
  [first = '', ...rest]: readonly string[],
  { rawBody }: Pick<TurnContext, 'rawBody'>,
  markup: MentionReader,
): ListChange<string> | undefined => {
  const action = ACTIONS.get(first.toLowerCase());
  if (action === undefined || action === 'here') return undefined;
  if (action === 'all') return rest.length > 0 ? undefined : { action };
  const [id = 'unknown', ...others] = markup.rolesMentionedIn(rawBody);
  return { action, id: others.length > 0 ? 'unknown' : id };
};

type Choices = NonNullable<CommandOption['choices']>;

const valueOption = (choices?: Choices): CommandOption => ({
  name: 'value',
  nameKo: '값',
  description: {
    ko: '새 값. 비워 두면 지금 값을 보여 줍니다',
    en: 'the new value; leave it out to see the present one',
  },
  type: 'text',
  ...(choices && { choices }),
});

/** Adds to a list, removes from it, or gives it up. */
const changeOption = (labels: Readonly<Record<'add' | 'remove' | 'all', Localized>>): CommandOption => ({
  ...valueOption([
    { value: 'add', label: labels.add, words: ['추가'] },
    { value: 'remove', label: labels.remove, words: ['제거'] },
    { value: 'all', label: labels.all, words: ['전체'] },
  ]),
  name: 'change',
  nameKo: '변경',
});

const DEFAULT: Choices[number] = {
  value: 'default',
  label: choiceLabels((locale) => guildTexts(locale).asConfigured()),
};

const subcommand = (name: SettingName, nameKo: string, options: readonly CommandOption[]): Subcommand => ({
  name,
  nameKo,
  description: choiceLabels((locale) => guildTexts(locale).names[name]),
  options,
});

const SUBCOMMANDS: readonly Subcommand[] = [
  {
    name: 'show',
    nameKo: '보기',
    description: { ko: '지금 설정을 봅니다', en: 'shows the settings' },
    typed: '',
  },
  subcommand('language', '언어', [
    valueOption([
      ...(['auto', 'ko', 'en'] as const).map((value) => ({
        value,
        label: choiceLabels((locale) => guildTexts(locale).languages[value]),
      })),
      DEFAULT,
    ]),
  ]),
  subcommand('timezone', '시간대', [{ ...valueOption(), suggest: 'zone' }]),
  subcommand('channels', '채널', [
    changeOption({
      add: choiceLabels((locale) => guildTexts(locale).choices.addChannel),
      remove: choiceLabels((locale) => guildTexts(locale).choices.removeChannel),
      all: choiceLabels((locale) => guildTexts(locale).everywhere()),
    }),
    {
      name: 'channel',
      nameKo: '채널',
      description: {
        ko: '추가하거나 제거할 채널. 비워 두면 이 채널입니다',
        en: 'the channel to add or remove; leave it out for this one',
      },
      type: 'channel',
    },
  ]),
  subcommand('roles', '역할', [
    changeOption({
      add: choiceLabels((locale) => guildTexts(locale).choices.addRole),
      remove: choiceLabels((locale) => guildTexts(locale).choices.removeRole),
      all: choiceLabels((locale) => guildTexts(locale).everybody()),
    }),
    {
      name: 'role',
      nameKo: '역할',
      description: { ko: '추가하거나 제거할 역할', en: 'the role to add or remove' },
      type: 'role',
    },
  ]),
  subcommand('live', '표시', [
    valueOption([
      ...LIVE_MODES.map((value) => ({
        value,
        label: choiceLabels((locale) => `${value} — ${guildTexts(locale).lives[value]}`),
      })),
      DEFAULT,
    ]),
  ]),
  subcommand('queue', '대기열', [valueOption([...queueModeChoices, DEFAULT])]),
];

export const settingsDefinition: CommandDefinition = {
  name: 'settings',
  aliases: ['설정'],
  description: {
    ko: '서버 관리자가 언어, 시간대, 채널, 역할, 답변 표시, 대기열 모드를 정합니다',
    en: 'language, channels and more of this server',
  },
  usage: {
    ko: '/settings [언어 | 시간대 | 채널 | 역할 | 표시 | 대기열] [값]',
    en: '/settings [language | timezone | channels | roles | live | queue] [value]',
  },
  category: 'admin',
  // Room for many channel mentions.
  maxChars: 3_000,
  subcommands: SUBCOMMANDS,
  subcommandOf: (_words, named) => named ?? 'show',
  isPrivate: true,
};

interface SettingsDeps {
  readonly guildSettings: GuildSettings;
  readonly markup: MentionReader;
}

type Change = Parameters<GuildSettings['change']>[2];

type Decision = { readonly change: Change } | { readonly refusal: string };

const MAX_LISTED = 100;

/** Every platform shows the name of a chat for its mention. */
const mention = (chatId: ChatId): string => `<#${chatId}>`;
const roleMention = (roleId: string): string => `<@&${roleId}>`;

const valueOf = (name: SettingName, setting: GuildSetting, locale: Locale): string => {
  const t = guildTexts(locale);
  switch (name) {
    case 'language':
      return setting.locale ? t.languages[setting.locale] : t.asConfigured();
    case 'timezone':
      return setting.timeZone ?? t.zoneOfPeople();
    case 'channels':
      return setting.allowedChats?.map(mention).join(', ') ?? t.everywhere();
    case 'roles':
      return setting.allowedRoles?.map(roleMention).join(', ') ?? t.everybody();
    case 'live':
      return setting.live ? `${setting.live} (${t.lives[setting.live]})` : t.asConfigured();
    case 'queue':
      return setting.queueMode
        ? `${setting.queueMode} (${queueTexts(locale).meanings[setting.queueMode]})`
        : t.asConfigured();
  }
  return name satisfies never;
};

const entryOf = (name: SettingName, setting: GuildSetting, locale: Locale) => ({
  name: guildTexts(locale).names[name],
  value: valueOf(name, setting, locale),
});

const describeForms = (locale: Locale): string => {
  const t = guildTexts(locale);
  return [t.howTo(), ...SETTING_NAMES.map((name) => `- \`${t.forms[name]}\``)].join('\n');
};

const describeAll = (setting: GuildSetting, locale: Locale): string => {
  const t = guildTexts(locale);
  const lines = SETTING_NAMES.map((each) => {
    const { name, value } = entryOf(each, setting, locale);
    return `- **${name}** — ${value}`;
  });
  return `${[t.title(), ...lines].join('\n')}\n\n${describeForms(locale)}`;
};

interface ListTexts<Id> {
  readonly mention: (id: Id) => string;
  readonly unknown: () => string;
  readonly tooMany: (p: { readonly limit: number }) => string;
  readonly noneListed: () => string;
  readonly notListed: (p: { readonly named: string }) => string;
  readonly lastOne: (p: { readonly named: string }) => string;
}

/** The new list, null for none, or why it stays as it is. */
const changedList = <Id extends string>(
  wanted: ListChange<Id>,
  listed: readonly Id[] | undefined,
  texts: ListTexts<Id>,
): { readonly list: readonly Id[] | null } | { readonly refusal: string } => {
  if (wanted.action === 'all') return { list: null };
  const { action, id } = wanted;
  if (id === 'unknown') return { refusal: texts.unknown() };
  const named = texts.mention(id);
  if (action === 'add') {
    const list = [...new Set([...(listed ?? []), id])];
    return list.length > MAX_LISTED ? { refusal: texts.tooMany({ limit: MAX_LISTED }) } : { list };
  }
  if (!listed) return { refusal: texts.noneListed() };
  if (!listed.includes(id)) return { refusal: texts.notListed({ named }) };
  const left = listed.filter((each) => each !== id);
  // An empty list would silence the bot everywhere.
  return left.length > 0 ? { list: left } : { refusal: texts.lastOne({ named }) };
};

const decideChannels = (
  wanted: ListChange<ChatId>,
  { allowedChats }: GuildSetting,
  locale: Locale,
): Decision => {
  const changed = changedList(wanted, allowedChats, { mention, ...guildTexts(locale).ofChannels });
  return 'refusal' in changed ? changed : { change: { allowedChats: changed.list } };
};

const decideRoles = (
  wanted: ListChange<string>,
  { allowedRoles }: GuildSetting,
  locale: Locale,
): Decision => {
  const texts = { mention: roleMention, ...guildTexts(locale).ofRoles };
  const changed = changedList(wanted, allowedRoles, texts);
  return 'refusal' in changed ? changed : { change: { allowedRoles: changed.list } };
};

const decide = (
  name: SettingName,
  typed: readonly string[],
  setting: GuildSetting,
  ctx: TurnContext,
  markup: MentionReader,
): Decision => {
  const t = guildTexts(ctx.locale);
  const value = typed.join(' ').trim();
  const wrong: Decision = { refusal: t.wrong({ typed: shortened(value), form: t.forms[name] }) };
  switch (name) {
    case 'language': {
      const chosen = readLanguage(value);
      return chosen ? { change: { locale: chosen.value } } : wrong;
    }
    case 'timezone': {
      const chosen = readZone(value);
      return chosen ? { change: { timeZone: chosen.value } } : wrong;
    }
    case 'live': {
      const chosen = readLive(value);
      return chosen ? { change: { live: chosen.value } } : wrong;
    }
    case 'queue': {
      const chosen = readQueueMode(value);
      return chosen ? { change: { queueMode: chosen.value } } : wrong;
    }
    case 'channels': {
      const wanted = readChannels(typed, ctx, markup);
      return wanted ? decideChannels(wanted, setting, ctx.locale) : wrong;
    }
    case 'roles': {
      const wanted = readRoles(typed, ctx, markup);
      return wanted ? decideRoles(wanted, setting, ctx.locale) : wrong;
    }
  }
  return name satisfies never;
};

export const settings = ({ guildSettings, markup }: SettingsDeps): Command => {
  /** Changes run one after the other, because concurrent ones would overwrite each other's list of channels. */
  const changes = new SerialQueue();

  const change = async (
    name: SettingName,
    typed: readonly string[],
    guildId: string,
    ctx: TurnContext,
  ): Promise<string> => {
    const { channelId, senderId, locale } = ctx;
    const t = guildTexts(locale);
    const decision = decide(name, typed, guildSettings.of(channelId, guildId), ctx, markup);
    if ('refusal' in decision) return decision.refusal;
    const setting = await guildSettings.change(channelId, guildId, decision.change, senderId);
    const isLeftOut = name === 'channels' && setting.allowedChats?.includes(ctx.chatId) === false;
    return [t.changed(entryOf(name, setting, locale)), ...(isLeftOut ? [t.notAmong()] : [])].join('\n');
  };

  return {
    definition: settingsDefinition,
    execute: async ([first = '', ...rest], ctx) => {
      const { channelId, guildId, locale } = ctx;
      const t = guildTexts(locale);
      if (ctx.chatType === 'direct' || guildId === undefined) return ephemeral(t.onlyInServer());
      if (!ctx.isAdmin && !ctx.managesGuild) return ephemeral(t.managersOnly());
      if (first === '') return ephemeral(describeAll(guildSettings.of(channelId, guildId), locale));
      const name = settingNameOf(first);
      if (name)
        return ephemeral(
          await changes.run(`${ctx.channelId}\0${guildId}`, () => change(name, rest, guildId, ctx)),
        );
      return ephemeral(`${t.unknown({ typed: shortened(first) })}\n${describeForms(locale)}`);
    },
  };
};
