import { type AgentId, asId, keyPart, type SessionKey } from '#src/kernel/ids.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { personKey } from '#src/kernel/account-services.ts';

/** The key of a message's sender across all chats. */
export const senderKey = ({ channelId, senderId }: Pick<InboundMessage, 'channelId' | 'senderId'>): string =>
  personKey({ channelId, userId: senderId });

/** Channel, account, chat type and chat: the parts between the agent and the thread. */
const PLACE_PARTS = 4;

/**
 * The conversation of a message. A direct chat is keyed by its person, so that two people never share a private
 * conversation. A group, channel or thread is shared by its members.
 */
export const deriveSessionKey = (agentId: AgentId, message: InboundMessage): SessionKey => {
  const chat = message.chatType === 'direct' ? message.senderId : message.chatId;
  const parts: string[] = [agentId, message.channelId, message.accountId, message.chatType, chat];
  if (message.threadId) parts.push(message.threadId);
  return asId<SessionKey>(`agent:${parts.map(keyPart).join(':')}`);
};

/**
 * The conversation of a thread's parent chat. Undefined outside of threads, and for the message that starts a thread.
 */
export const deriveParentKey = (agentId: AgentId, message: InboundMessage): SessionKey | undefined => {
  const { threadId, ...inChat } = message;
  const isInThread = threadId !== undefined && threadId !== (message.messageId as string);
  return isInThread ? deriveSessionKey(agentId, inChat) : undefined;
};

/** Whether a conversation is a thread in the chat of the other one, whichever agent answers in it. */
export const isThreadOfSameChat = (key: SessionKey, other: SessionKey): boolean => {
  const [, , ...place] = key.split(':');
  const [, , ...otherPlace] = other.split(':');
  return (
    place.length === PLACE_PARTS + 1 &&
    place.slice(0, PLACE_PARTS).join(':') === otherPlace.slice(0, PLACE_PARTS).join(':')
  );
};
