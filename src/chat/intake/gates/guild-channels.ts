import { type Gate, PASS } from '#src/kernel/gate.ts';
import type { GuildSettings } from '#src/kernel/guild-settings.ts';
import { guildMessages } from '#src/kernel/messages/guild.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { type AdminSettings, isAdmin } from '../../turns/admins.ts';
import { commandNameOf, type CommandOf } from '../../turns/read-command.ts';
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
  message: InboundMessage,
  { admins, commandOf }: Pick<GuildGateDeps, 'admins' | 'commandOf'>,
): boolean =>
  (message.managesGuild === true || isAdmin(message, admins)) &&
  commandNameOf(commandOf(message)) === 'settings';

/** Limits the bot to the channels that the server's managers chose. A mention elsewhere is answered with those channels. */
export const guildChannels = (deps: GuildGateDeps): Gate => {
  const { guildSettings } = deps;
  const dropWithReply = createThrottledReply(deps);

  return {
    name: 'guild-channels',
    check: (message) => {
      if (message.chatType === 'direct') return PASS;
      const { allowedChats } = guildSettings.of(message.channelId, message.guildId);
      if (!allowedChats) return PASS;
      const isChosen = (id: string | undefined): boolean => allowedChats.some((chat) => chat === id);
      // A thread can be chosen by itself or through its channel.
      if (isChosen(message.chatId) || isChosen(message.threadId) || changesSettings(message, deps))
        return PASS;
      const reason = 'channel-not-chosen';
      if (!message.mentionsBot && !message.interaction) return { verdict: 'drop', reason };
      // Both platforms show a channel mention by name, only to people who may see the channel.
      const chats = namesOf(allowedChats.map((chatId) => `<#${chatId}>`));
      return dropWithReply(message, reason, (locale) => guildMessages(locale).elsewhere({ chats }));
    },
  };
};
