import type { InboundMessage } from '#src/kernel/message.ts';

export interface AdminSettings {
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

/** Whoever sits at the terminal owns the process; elsewhere the configuration names administrators. */
export const isAdmin = (
  message: Pick<InboundMessage, 'channelId' | 'senderId' | 'senderRoles'>,
  admins: AdminSettings,
): boolean =>
  message.channelId === 'console' ||
  admins.users.includes(message.senderId) ||
  admins.users.includes(`${message.channelId}:${message.senderId}`) ||
  message.senderRoles.some((role) => admins.roles.includes(role));
