import { type AgentId, asId, type SessionKey } from '#src/core/ids.ts';
import type { InboundMessage } from '#src/core/message.ts';

/** Ids come from platforms: one that contains our separator must not reach into another conversation. */
const part = (raw: string): string => raw.replaceAll('%', '%25').replaceAll(':', '%3A');

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
