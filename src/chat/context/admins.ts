import type { ChannelId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { isTerminal } from '#src/kernel/chat/terminal.ts';

/** Whether a configured list contains an id, alone or as `platform:id`. */
export const isListed = (list: readonly string[], channelId: ChannelId, id: string): boolean =>
  list.includes(id) || list.includes(`${channelId}:${id}`);

export interface AdminSettings {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

/**
 * The person at the terminal owns the process, and whoever registered the bot with its platform runs it. The
 * configuration names other administrators.
 */
export const isAdmin = (
  {
    channelId,
    senderId,
    senderRoles,
    ownsBot,
  }: Pick<MsgContext, 'channelId' | 'senderId' | 'senderRoles' | 'ownsBot'>,
  { users, roles }: AdminSettings,
): boolean =>
  isTerminal(channelId) ||
  ownsBot === true ||
  isListed(users, channelId, senderId) ||
  senderRoles.some((role) => roles.includes(role));
