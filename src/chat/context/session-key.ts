import { partsOfKey, PRIVATE } from '#src/kernel/chat/conversation-key.ts';
import { type AgentId, asId, fromKeyPart, keyPart, type SessionKey, personKey } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';

/** The key of a message's sender across all chats. */
export const senderKey = ({ channelId, senderId }: Pick<MsgContext, 'channelId' | 'senderId'>): string =>
  personKey({ channelId, userId: senderId });

/** Channel, account, chat type and chat: the parts between the agent and the thread. */
const PLACE_PARTS = 4;

/**
 * The conversation of a message. A direct chat is keyed by its person, so that two people never share a private
 * conversation. A group, channel or thread is shared by its members.
 */
export const deriveSessionKey = (agentId: AgentId, message: MsgContext): SessionKey => {
  const chat = message.chatType === 'direct' ? message.senderId : message.chatId;
  const parts: string[] = [agentId, message.channelId, message.accountId, message.chatType, chat];
  if (message.threadId) parts.push(message.threadId);
  return asId<SessionKey>(`agent:${parts.map(keyPart).join(':')}`);
};

/** Whether only its sender sees the message and its answer, although others are in the chat. */
const isUnseen = ({ chatType, interaction }: MsgContext): boolean =>
  chatType !== 'direct' && interaction?.isPrivate === true;

/**
 * The conversation that a question to the model belongs to. What one person alone sees in a shared chat is never part of the
 * conversation that all share. Commands belong to none; they act on the shared one.
 */
export const deriveQuestionKey = (agentId: AgentId, message: MsgContext): SessionKey => {
  if (!isUnseen(message)) return deriveSessionKey(agentId, message);
  const { channelId, accountId, senderId, chatId, threadId } = message;
  const place = [chatId, ...(threadId ? [threadId] : [])].map(keyPart).join('/');
  const parts = [agentId, channelId, accountId, PRIVATE, senderId, place];
  return asId<SessionKey>(`agent:${parts.map(keyPart).join(':')}`);
};

/**
 * The conversation of a thread's parent chat. Undefined outside of threads, and for the message that starts a thread.
 */
export const deriveParentKey = (agentId: AgentId, message: MsgContext): SessionKey | undefined => {
  const { threadId, ...inChat } = message;
  const isInThread = threadId !== undefined && threadId !== (message.messageId as string);
  return isInThread ? deriveSessionKey(agentId, inChat) : undefined;
};

const isPrivateInChatOf = (key: SessionKey, other: SessionKey): boolean => {
  const [one, shared] = [partsOfKey(key), partsOfKey(other)];
  const [chat = ''] = one.rest.split('/');
  return (
    one.chatType === PRIVATE &&
    shared.chatType !== PRIVATE &&
    one.channelId === shared.channelId &&
    one.accountId === shared.accountId &&
    fromKeyPart(chat) === shared.chat
  );
};

/**
 * Whether a conversation is a thread in the chat of the other one, or that of one person there, whichever agent answers in
 * it.
 */
export const isThreadOfSameChat = (key: SessionKey, other: SessionKey): boolean => {
  if (isPrivateInChatOf(key, other)) return true;
  const [, , ...place] = key.split(':');
  const [, , ...otherPlace] = other.split(':');
  return (
    place.length === PLACE_PARTS + 1 &&
    place[2] !== PRIVATE &&
    place.slice(0, PLACE_PARTS).join(':') === otherPlace.slice(0, PLACE_PARTS).join(':')
  );
};
