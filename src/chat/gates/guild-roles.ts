import { type Gate, PASS } from './gate.ts';
import type { GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { changesSettings, type GuildGateDeps, namesOf } from './guild-channels.ts';
import { createThrottledReply } from './throttled-reply.ts';

/** Whether the server's managers let somebody with these roles use the bot. `@everyone` is a role whose id is that of the server. */
export const hasChosenRole = (
  { allowedRoles }: ReturnType<GuildSettings['of']>,
  { guildId, senderRoles }: Pick<MsgContext, 'guildId' | 'senderRoles'>,
): boolean => !allowedRoles || allowedRoles.some((id) => id === guildId || senderRoles.includes(id));

/** Limits the bot to members with a role that the server's managers chose. Others who mention it are told which ones. */
export const guildRoles = (deps: GuildGateDeps): Gate => {
  const dropWithReply = createThrottledReply(deps);
  return {
    name: 'guild-roles',
    check: (message) => {
      if (message.chatType === 'direct') return PASS;
      const settings = deps.guildSettings.of(message.channelId, message.guildId);
      if (hasChosenRole(settings, message) || changesSettings(message, deps)) return PASS;
      const reason = 'role-not-chosen';
      if (!message.mentionsBot && !message.interaction) return { verdict: 'drop', reason };
      const roles = namesOf((settings.allowedRoles ?? []).map((id) => `<@&${id}>`));
      return dropWithReply(message, reason, (locale) => guildTexts(locale).otherRoles({ roles }));
    },
  };
};
