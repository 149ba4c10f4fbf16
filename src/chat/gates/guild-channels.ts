import { type Gate, PASS } from './gate.ts';
import type { GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { type AdminSettings, isAdmin } from '../context/admins.ts';
import { commandNameOf, type CommandOf } from '../context/read-command.ts';
import { createThrottledReply, type ThrottledReplyDeps } from './throttled-reply.ts';

export interface GuildGateDeps extends ThrottledReplyDeps {
  readonly guildSettings: Pick<GuildSettings, 'of'>;
  readonly admins: AdminSettings;
  readonly commandOf: CommandOf;
}

const MAX_NAMED = 10;

/** The first few of a list, which the platform shows by name. */
export const namesOf = (mentions: readonly string[]): string =>
  [...mentions.slice(0, MAX_NAMED), ...(mentions.length > MAX_NAMED ? ['…'] : [])].join(', ');

/** Managers can use `/settings` whatever they chose, so that they cannot lock themselves out. */
export const changesSettings = (
  message: MsgContext,
  { admins, commandOf }: Pick<GuildGateDeps, 'admins' | 'commandOf'>,
): boolean =>
  (message.managesGuild === true || isAdmin(message, admins)) &&
  commandNameOf(commandOf(message)) === 'settings';

/** Whether the server's managers let the bot answer in a chat. A thread can be chosen by itself or through its channel. */
export const isChatChosen = (
  { allowedChats }: ReturnType<GuildSettings['of']>,
  { chatId, threadId }: Pick<MsgContext, 'chatId' | 'threadId'>,
): boolean =>
  !allowedChats || [chatId, threadId].some((id) => allowedChats.some((chat: string) => chat === id));

/** Limits the bot to the channels that the server's managers chose. A mention elsewhere is answered with those channels. */
export const guildChannels = (deps: GuildGateDeps): Gate => {
  const { guildSettings } = deps;
  const dropWithReply = createThrottledReply(deps);

  return {
    name: 'guild-channels',
    check: (message) => {
      if (message.chatType === 'direct') return PASS;
      const settings = guildSettings.of(message.channelId, message.guildId);
      if (isChatChosen(settings, message) || changesSettings(message, deps)) return PASS;
      const reason = 'channel-not-chosen';
      if (!message.mentionsBot && !message.interaction) return { verdict: 'drop', reason };
      // Both platforms show a channel mention by name, only to people who may see the channel.
      const chats = namesOf((settings.allowedChats ?? []).map((chatId) => `<#${chatId}>`));
      return dropWithReply(message, reason, (locale) => guildTexts(locale).elsewhere({ chats }));
    },
  };
};
