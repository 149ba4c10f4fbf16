import type { Actor } from '#src/kernel/chat/actor.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type EventId,
  type MessageId,
  type UserId,
} from '#src/kernel/ids.ts';

import type { MsgContext } from '#src/kernel/chat/message.ts';

let made = 0;

/** A person's direct message on the console; every call is another event unless the test says otherwise. */
export const inboundMessage = (overrides: Partial<MsgContext> = {}): MsgContext => {
  made += 1;
  return {
    id: asId<EventId>(`event-${made}`),
    messageId: asId<MessageId>(`message-${made}`),
    channelId: asId<ChannelId>('console'),
    accountId: asId<AccountId>('local'),
    chatId: asId<ChatId>('me'),
    chatType: 'direct',
    senderId: asId<UserId>('me'),
    senderName: 'Me',
    senderRoles: [],
    isFromSelf: false,
    body: 'How is Apple doing today?',
    timestamp: Temporal.Instant.from('2026-11-13T06:30:00Z'),
    ...overrides,
  };
};

/** Somebody who presses a button or fills in a form, in their direct chat. */
export const actor = (name: string, overrides: Partial<Actor> = {}): Actor => ({
  channelId: asId<ChannelId>('test'),
  accountId: asId<AccountId>('local'),
  chatId: asId<ChatId>(name),
  chatType: 'direct',
  senderId: asId<UserId>(name),
  senderRoles: [],
  locale: 'en',
  ...overrides,
});
