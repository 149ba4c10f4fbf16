import {
  type AccountId,
  type AgentId,
  asId,
  type ChannelId,
  type ChatId,
  type InboxId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';

/** A person in a direct chat who is nobody special. */
export const toolContextOf = (overrides: Partial<ToolExecutionContext> = {}): ToolExecutionContext => {
  const userId = asId<UserId>('me');
  const channelId = asId<ChannelId>('console');
  return {
    agentId: asId<AgentId>('main'),
    sessionKey: asId<SessionKey>('agent:main:console:local:direct:me'),
    userId,
    userName: 'Me',
    userRoles: [],
    isAdmin: false,
    channelId,
    chatType: 'direct',
    locale: 'en',
    timeZone: 'Asia/Seoul',
    target: {
      channelId,
      accountId: asId<AccountId>('local'),
      chatId: asId<ChatId>('terminal'),
      recipientId: userId,
    },
    inboxId: asId<InboxId>('inbox-1'),
    turnId: asId<TurnId>('turn-1'),
    isResumed: false,
    ...overrides,
  };
};
