import { type AgentId, asId, type SessionKey } from '#src/kernel/ids.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { personKey } from '#src/kernel/account-services.ts';

/** Who a message counts for, in all chats: the sender as the platform vouches for them. */
export const senderKey = ({ channelId, senderId }: Pick<InboundMessage, 'channelId' | 'senderId'>): string =>
  personKey({ channelId, userId: senderId });

/** Ids come from platforms: one that contains our separator must not reach into another conversation. */
const part = (raw: string): string => raw.replaceAll('%', '%25').replaceAll(':', '%3A');

/** Channel, account, chat type, chat: what stands behind the agent and before the thread. */
const PLACE_PARTS = 4;

/**
 * Which conversation a message belongs to. A direct chat belongs to its person: two people never share a
 * private conversation. A group, channel or thread is shared by those who are in it.
 */
export const deriveSessionKey = (agentId: AgentId, message: InboundMessage): SessionKey => {
  const chat = message.chatType === 'direct' ? message.senderId : message.chatId;
  const parts: string[] = [agentId, message.channelId, message.accountId, message.chatType, chat];
  if (message.threadId) parts.push(message.threadId);
  return asId<SessionKey>(`agent:${parts.map(part).join(':')}`);
};

/**
 * The conversation of the chat in which a thread was opened. Undefined outside of threads, and for a message that
 * begins one itself.
 */
export const deriveParentKey = (agentId: AgentId, message: InboundMessage): SessionKey | undefined => {
  const { threadId, ...inChat } = message;
  const isInThread = threadId !== undefined && threadId !== (message.messageId as string);
  return isInThread ? deriveSessionKey(agentId, inChat) : undefined;
};

/** Whether a conversation is a thread of the chat that the other one is of, whichever agent answers in it. */
export const isThreadOfSameChat = (key: SessionKey, other: SessionKey): boolean => {
  const [, , ...place] = key.split(':');
  const [, , ...otherPlace] = other.split(':');
  return (
    place.length === PLACE_PARTS + 1 &&
    place.slice(0, PLACE_PARTS).join(':') === otherPlace.slice(0, PLACE_PARTS).join(':')
  );
};
