import type { Command, CommandResult } from '#src/kernel/command.ts';
import type { GuildSetting, GuildSettings } from '#src/kernel/guild-settings.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { guildMessages } from '#src/kernel/messages/guild.ts';
import { queueMessages } from '#commands/chat/messages/queue.ts';
import type { ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import { shortened } from '#src/kernel/text.ts';
import { SerialQueue } from '#src/platform/serial-queue.ts';
import { settingsDefinition } from './settings-definition.ts';
import {
  type ChannelsChange,
  type ChatReader,
  readChannels,
  readLanguage,
  readLive,
  readQueueMode,
  readZone,
  SETTING_NAMES,
  type SettingName,
  settingNameOf,
} from './settings-values.ts';

export interface SettingsDeps {
  readonly guildSettings: GuildSettings;
  readonly markup: ChatReader;
}

type Change = Parameters<GuildSettings['change']>[2];

/** A sentence where nothing is changed. */
type Decision = { readonly change: Change } | { readonly refusal: string };

const MAX_CHATS = 100;

/** Every channel shows the name of a chat for its mention. */
const mention = (chatId: ChatId): string => `<#${chatId}>`;

const valueOf = (name: SettingName, setting: GuildSetting, locale: Locale): string => {
  const t = guildMessages(locale);
  switch (name) {
    case 'language':
      return setting.locale ? t.languages[setting.locale] : t.asConfigured();
    case 'timezone':
      return setting.timeZone ?? t.zoneOfPeople();
    case 'channels':
      return setting.allowedChats?.map(mention).join(', ') ?? t.everywhere();
    case 'live':
      return setting.live ? `${setting.live} (${t.lives[setting.live]})` : t.asConfigured();
    case 'queue':
      return setting.queueMode
        ? `${setting.queueMode} (${queueMessages(locale).meanings[setting.queueMode]})`
        : t.asConfigured();
  }
  return name satisfies never;
};

const entryOf = (name: SettingName, setting: GuildSetting, locale: Locale) => ({
  name: guildMessages(locale).names[name],
  value: valueOf(name, setting, locale),
});

const describeForms = (locale: Locale): string => {
  const t = guildMessages(locale);
  return [t.howTo(), ...SETTING_NAMES.map((name) => `- \`${t.forms[name]}\``)].join('\n');
};

const describeAll = (setting: GuildSetting, locale: Locale): string => {
  const t = guildMessages(locale);
  const lines = SETTING_NAMES.map((each) => {
    const { name, value } = entryOf(each, setting, locale);
    return `- **${name}** — ${value}`;
  });
  return `${[t.title(), ...lines].join('\n')}\n\n${describeForms(locale)}`;
};

const decideChannels = (wanted: ChannelsChange, { allowedChats }: GuildSetting, locale: Locale): Decision => {
  const t = guildMessages(locale);
  if (wanted.action === 'all') return { change: { allowedChats: null } };
  const { action, chatId } = wanted;
  if (chatId === 'unknown') return { refusal: t.unknownChat() };
  if (action === 'add') {
    const chats = [...new Set([...(allowedChats ?? []), chatId])];
    return chats.length > MAX_CHATS
      ? { refusal: t.tooMany({ limit: MAX_CHATS }) }
      : { change: { allowedChats: chats } };
  }
  if (!allowedChats) return { refusal: t.everywhereAlready() };
  if (!allowedChats.includes(chatId)) return { refusal: t.notListed({ chat: mention(chatId) }) };
  const left = allowedChats.filter((each) => each !== chatId);
  // An empty list would silence the bot everywhere, and look like "no list".
  return left.length > 0
    ? { change: { allowedChats: left } }
    : { refusal: t.lastOne({ chat: mention(chatId) }) };
};

const decide = (
  name: SettingName,
  typed: readonly string[],
  setting: GuildSetting,
  ctx: MsgContext,
  markup: ChatReader,
): Decision => {
  const t = guildMessages(ctx.locale);
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
  }
  return name satisfies never;
};

const personal = (content: string): CommandResult => ({ content, ephemeral: true });

export const settings = ({ guildSettings, markup }: SettingsDeps): Command => {
  /** The list of channels is read and written whole: two changes at once would undo each other. */
  const changes = new SerialQueue();

  const change = async (
    name: SettingName,
    typed: readonly string[],
    guildId: string,
    ctx: MsgContext,
  ): Promise<string> => {
    const { channelId, senderId, locale } = ctx;
    const t = guildMessages(locale);
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
      const t = guildMessages(locale);
      if (ctx.chatType === 'direct' || guildId === undefined) return personal(t.onlyInServer());
      if (!ctx.isAdmin && !ctx.managesGuild) return personal(t.managersOnly());
      if (first === '') return personal(describeAll(guildSettings.of(channelId, guildId), locale));
      const name = settingNameOf(first);
      if (name)
        return personal(
          await changes.run(`${ctx.channelId}\0${guildId}`, () => change(name, rest, guildId, ctx)),
        );
      return personal(`${t.unknown({ typed: shortened(first) })}\n${describeForms(locale)}`);
    },
  };
};
