import { type Gate, PASS } from './gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { type AdminSettings, isAdmin, isListed } from '../context/admins.ts';
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
  message: Pick<MsgContext, 'channelId' | 'senderId' | 'senderRoles'>,
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
  }: Pick<MsgContext, 'channelId' | 'guildId' | 'senderGuildId'>,
): boolean => !guilds || (senderGuildId !== undefined && isListed(guilds, channelId, senderGuildId));

const isChannelAllowed = (
  { channels }: Allow,
  { channelId, chatId }: Pick<MsgContext, 'channelId' | 'chatId'>,
): boolean => !channels || channels.includes(channelId) || isListed(channels, channelId, chatId);

/** Whether the bot answers in a server's chat at all, whoever writes there. */
export const isChatAllowed = (
  allow: Allow,
  chat: Pick<MsgContext, 'channelId' | 'guildId' | 'chatId'>,
): boolean => isGuildAllowed(allow, chat) && isChannelAllowed(allow, chat);

/** Why the lists keep somebody from using the bot here. Administrators, such as the person at the terminal, need no entry. */
export const refusalByLists = (
  person: Pick<
    MsgContext,
    'channelId' | 'chatId' | 'chatType' | 'guildId' | 'senderId' | 'senderRoles' | 'senderGuildId' | 'ownsBot'
  >,
  { allow, admins, direct }: Pick<AllowListDeps, 'allow' | 'admins' | 'direct'>,
): 'guild-not-allowed' | 'channel-not-allowed' | 'user-not-allowed' | undefined => {
  const isDirect = person.chatType === 'direct';
  const isGuest = person.senderGuildId !== undefined;
  if ((!isDirect || isGuest) && !isGuildAllowed(allow, person)) return 'guild-not-allowed';
  if (!isDirect && !isChannelAllowed(allow, person)) return 'channel-not-allowed';
  if (isDirect && direct.policy !== 'open') return undefined;
  return isPersonAllowed(allow, person) || isAdmin(person, admins) ? undefined : 'user-not-allowed';
};

/** Whether everybody may write to the bot directly. */
export const isDirectOpen = ({ allow, direct }: Pick<AllowListDeps, 'allow' | 'direct'>): boolean =>
  direct.policy === 'open' && !allow.users && !allow.roles && !allow.guilds;

/** Who may use the bot, and where. */
export const allowList = (deps: AllowListDeps): Gate => {
  const dropWithReply = createThrottledReply(deps);
  return {
    name: 'allow-list',
    check: (message) => {
      const reason = refusalByLists(message, deps);
      if (reason === undefined) return PASS;
      // In a shared chat the reply would be noise to everybody, and the message may not be meant for the bot.
      if (reason !== 'user-not-allowed' || message.chatType !== 'direct') return { verdict: 'drop', reason };
      const id = `${message.channelId}:${message.senderId}`;
      return dropWithReply(message, reason, (locale) => gateTexts(locale).notAllowed({ id }));
    },
  };
};
