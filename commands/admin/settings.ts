import { LIVE_MODES } from '#src/kernel/chat/live-answer.ts';
import type { CommandDefinition, CommandOption, Subcommand } from '#src/kernel/chat/command-definition.ts';
import type { Locale, Localized } from '#src/kernel/locale.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { queueModeChoices } from '../chat/queue-modes.ts';
import { choiceLabels } from '../shared/labels.ts';
import {
  type ListChange,
  type MentionReader,
  readChannels,
  readLanguage,
  readLive,
  readQueueMode,
  readRoles,
  readZone,
  SETTING_NAMES,
  type SettingName,
  settingNameOf,
} from './settings-values.ts';
import type { Command } from '#src/kernel/chat/command.ts';
import type { GuildSetting, GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import { queueTexts } from '#commands/chat/texts.ts';
import type { ChatId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { shortened } from '#src/kernel/text.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import { ephemeral } from '../shared/results.ts';

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
