import { type Gate, PASS } from '#src/kernel/gate.ts';
import type { GuildSettings } from '#src/kernel/guild-settings.ts';
import { guildMessages } from '#src/kernel/messages/guild.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { type AdminSettings, isAdmin } from '../../turns/admins.ts';
import { commandNameOf, type CommandOf } from '../../turns/read-command.ts';
import { createThrottledReply, type ThrottledReplyDeps } from './throttled-reply.ts';

export interface GuildChannelsDeps extends ThrottledReplyDeps {
  readonly guildSettings: Pick<GuildSettings, 'of'>;
  readonly admins: AdminSettings;
  readonly commandOf: CommandOf;
}

const MAX_NAMED = 10;

/**
 * Where those who run a server named the channels in which the bot answers, it is silent in the others. Who calls
 * it there is told where it answers; whoever may change that can do so from anywhere, or could lock themselves out.
 */
export const guildChannels = (deps: GuildChannelsDeps): Gate => {
  const { guildSettings, admins, commandOf } = deps;
  const dropWithReply = createThrottledReply(deps);
  const mayChangeIt = (message: InboundMessage): boolean =>
    (message.managesGuild === true || isAdmin(message, admins)) &&
    commandNameOf(commandOf(message)) === 'settings';

  return {
    name: 'guild-channels',
    check: (message) => {
      if (message.chatType === 'direct') return PASS;
      const { allowedChats } = guildSettings.of(message.channelId, message.guildId);
      if (!allowedChats) return PASS;
      const isChosen = (id: string | undefined): boolean => allowedChats.some((chat) => chat === id);
      // A thread may be chosen by itself, and is with its channel.
      if (isChosen(message.chatId) || isChosen(message.threadId) || mayChangeIt(message)) return PASS;
      const reason = 'channel-not-chosen';
      if (!message.mentionsBot && !message.interaction) return { verdict: 'drop', reason };
      // Both platforms show the name of a channel for its mention, and only to those who may see it.
      const named = allowedChats.slice(0, MAX_NAMED).map((chatId) => `<#${chatId}>`);
      const chats = [...named, ...(allowedChats.length > MAX_NAMED ? ['…'] : [])].join(', ');
      return dropWithReply(message, reason, (locale) => guildMessages(locale).elsewhere({ chats }));
    },
  };
};
