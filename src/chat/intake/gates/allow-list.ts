import { type Gate, type GateVerdict, PASS } from '#src/kernel/gate.ts';
import { gateMessages } from '#src/kernel/messages/gates.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { type AdminSettings, isAdmin, isListed } from '../../turns/admins.ts';
import { createThrottledReply, type ThrottledReplyDeps } from './throttled-reply.ts';

type List = readonly string[] | undefined;

export interface AllowListDeps extends ThrottledReplyDeps {
  readonly admins: AdminSettings;
  /** If it is not `open`, it alone decides who may write directly. */
  readonly direct: { readonly policy: 'open' | 'allowlist' | 'pairing' };
  /** An absent list admits everybody, an empty list nobody. */
  readonly allow: {
    readonly users?: List;
    readonly roles?: List;
    /** Discord guilds and Slack teams. */
    readonly guilds?: List;
    /** Platforms (`discord`) and chats (`discord:123`, `123`). */
    readonly channels?: List;
  };
}

type Allow = AllowListDeps['allow'];

/** A person needs to be listed by id or by role, not both. */
export const isPersonAllowed = (
  { users, roles }: Allow,
  message: Pick<InboundMessage, 'channelId' | 'senderId' | 'senderRoles'>,
): boolean =>
  (!users && !roles) ||
  isListed(users ?? [], message.channelId, message.senderId) ||
  message.senderRoles.some((role) => roles?.includes(role));

/** A guest belongs to their own guild, wherever they write. */
const isGuildAllowed = (
  { guilds }: Allow,
  {
    channelId,
    guildId,
    senderGuildId = guildId,
  }: Pick<InboundMessage, 'channelId' | 'guildId' | 'senderGuildId'>,
): boolean => !guilds || (senderGuildId !== undefined && isListed(guilds, channelId, senderGuildId));

const isChannelAllowed = (
  { channels }: Allow,
  { channelId, chatId }: Pick<InboundMessage, 'channelId' | 'chatId'>,
): boolean => !channels || channels.includes(channelId) || isListed(channels, channelId, chatId);

/** Whether the bot answers in a server's chat at all, whoever writes there. */
export const isChatAllowed = (
  allow: Allow,
  chat: Pick<InboundMessage, 'channelId' | 'guildId' | 'chatId'>,
): boolean => isGuildAllowed(allow, chat) && isChannelAllowed(allow, chat);

/** Whether everybody may write to the bot directly. */
export const isDirectOpen = ({ allow, direct }: Pick<AllowListDeps, 'allow' | 'direct'>): boolean =>
  direct.policy === 'open' && !allow.users && !allow.roles && !allow.guilds;

const silently = (reason: string): GateVerdict => ({ verdict: 'drop', reason });

/** Who may use the bot, and where. Administrators need no entry; the person at the terminal may always use it. */
export const allowList = ({ allow, admins, direct, ...deps }: AllowListDeps): Gate => {
  const dropWithReply = createThrottledReply(deps);
  return {
    name: 'allow-list',
    check: (message) => {
      if (message.channelId === 'console') return PASS;
      const isDirect = message.chatType === 'direct';
      const isGuest = message.senderGuildId !== undefined;
      if ((!isDirect || isGuest) && !isGuildAllowed(allow, message)) return silently('guild-not-allowed');
      if (!isDirect && !isChannelAllowed(allow, message)) return silently('channel-not-allowed');
      if (isDirect && direct.policy !== 'open') return PASS;
      if (isPersonAllowed(allow, message) || isAdmin(message, admins)) return PASS;
      // In a shared chat the reply would be noise to everybody, and the message may not be meant for the bot.
      if (!isDirect) return silently('user-not-allowed');
      const id = `${message.channelId}:${message.senderId}`;
      return dropWithReply(message, 'user-not-allowed', (locale) => gateMessages(locale).notAllowed({ id }));
    },
  };
};
