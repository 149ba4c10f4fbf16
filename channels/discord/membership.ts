import { type APIGuildMember, Routes } from 'discord.js';
import type { Membership } from '#src/kernel/channel.ts';
import type { ReplyTarget } from '#src/kernel/message.ts';
import { CODES, type DiscordApi, hasCode } from './api.ts';
import type { Places } from './places.ts';

/**
 * Asked over REST: the gateway tells who leaves only with the privileged members intent. What a person may see is
 * reckoned from what the gateway told of roles and channels.
 */
export const createMembership =
  (api: DiscordApi, places: Pick<Places, 'find' | 'mayView'>) =>
  async ({ chatId, recipientId }: ReplyTarget, signal: AbortSignal): Promise<Membership> => {
    try {
      const channel = await places.find(chatId, signal);
      const guildId = channel?.guildId;
      // A group of people without a server: nobody but its members can have asked.
      if (guildId === undefined) return 'member';
      const member = await api.request<APIGuildMember>(
        'GET',
        Routes.guildMember(guildId, recipientId),
        {},
        signal,
      );
      return places.mayView(guildId, chatId, recipientId, member.roles) ? 'member' : 'left';
    } catch (error) {
      if (hasCode(error, CODES.unknownMember)) return 'left';
      if (hasCode(error, CODES.unknownChannel, CODES.unknownGuild, CODES.missingAccess)) return 'bot-removed';
      throw error;
    }
  };
