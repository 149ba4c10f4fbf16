import { type Gate, PASS } from '#src/kernel/gate.ts';
import { guildMessages } from '#src/kernel/messages/guild.ts';
import { changesSettings, type GuildGateDeps, namesOf } from './guild-channels.ts';
import { createThrottledReply } from './throttled-reply.ts';

/** Limits the bot to members with a role that the server's managers chose. Others who mention it are told which ones. */
export const guildRoles = (deps: GuildGateDeps): Gate => {
  const dropWithReply = createThrottledReply(deps);
  return {
    name: 'guild-roles',
    check: (message) => {
      if (message.chatType === 'direct') return PASS;
      const { allowedRoles } = deps.guildSettings.of(message.channelId, message.guildId);
      if (!allowedRoles) return PASS;
      // `@everyone` is a role whose id is that of the server.
      const isHeld = (id: string): boolean => id === message.guildId || message.senderRoles.includes(id);
      if (allowedRoles.some(isHeld) || changesSettings(message, deps)) return PASS;
      const reason = 'role-not-chosen';
      if (!message.mentionsBot && !message.interaction) return { verdict: 'drop', reason };
      const roles = namesOf(allowedRoles.map((id) => `<@&${id}>`));
      return dropWithReply(message, reason, (locale) => guildMessages(locale).otherRoles({ roles }));
    },
  };
};
