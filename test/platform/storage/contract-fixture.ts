import {
  type AccountId,
  type AgentId,
  asId,
  type ChannelId,
  type ChatId,
  type DeliveryId,
  type EventId,
  type InboxId,
  type MessageId,
  type SessionKey,
  type ThreadId,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { MsgContext, OutboundMessage } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { createInboxChanges } from '#src/chat/store/inbox-changes.ts';
import { createInbox, type Inbox } from '#src/chat/store/inbox.ts';
import { createOutbox } from '#src/chat/store/outbox.ts';
import { createTurns } from '#src/chat/store/turns.ts';
import type { TestStorage } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';

export const AT = Temporal.Instant.from('2026-11-13T06:30:00.123Z');
export const LATER = Temporal.Instant.from('2026-11-13T06:30:05Z');

export const entryOf = (overrides: Partial<MsgContext> = {}): InboxEntry => ({
  id: newId<InboxId>(),
  message: inboundMessage(overrides),
  match: { agentId: asId<AgentId>('main'), matchedBy: 'default' },
  sessionKey: asId<SessionKey>('agent:main:console:local:direct:me'),
});

export const partOf = (text: string): OutboundMessage => ({
  deliveryId: newId<DeliveryId>(),
  target: {
    channelId: asId<ChannelId>('slack'),
    accountId: asId<AccountId>('T1'),
    chatId: asId<ChatId>('C1'),
    recipientId: asId<UserId>('U1'),
  },
  payload: { text },
});

/** All of it in one message: what people type, and what breaks naive storage. */
export const DIFFICULT: MsgContext = {
  id: asId<EventId>("1763015400.000100'; drop table inbox; --"),
  messageId: asId<MessageId>('1763015400.000100'),
  channelId: asId<ChannelId>('slack'),
  accountId: asId<AccountId>('T:1%'),
  chatId: asId<ChatId>('C"1"'),
  chatType: 'channel',
  threadId: asId<ThreadId>('1763015000.000001'),
  senderId: asId<UserId>('U1'),
  senderName: '김철수 👩‍👩‍👧',
  senderRoles: ['관리자', "o'neil"],
  isFromSelf: false,
  body: '삼성전자 얼마야? 🚀👨‍👩‍👧‍👦 مرحبا שלום "quoted" \'single\' \\back\\ $1 ? :name\r\n\ttab\u0001\u001b[31m\u007f\u2028\u202e\ud83d',
  media: [
    {
      kind: 'image',
      mimeType: 'image/png',
      name: '차트 "1".png',
      url: 'https://files.example.com/a?b=c&d=%20',
      sizeBytes: 123_456,
      altText: '',
    },
    { kind: 'file', mimeType: 'text/csv', name: 'x.csv', url: 'inbox/x.csv' },
  ],
  locale: 'ko',
  timestamp: Temporal.Instant.from('2026-11-13T06:30:00.123456789Z'),
};

export const turnOf = (inboxId: InboxId) => ({
  id: newId<TurnId>(),
  inboxId,
  sessionKey: asId<SessionKey>('agent:main:console:local:direct:me'),
  senderId: asId<UserId>('me'),
});

/** Begins the work on a message that is a turn by itself; says how often that was. */
export const begin = async (inbox: Inbox, id: InboxId): Promise<number | undefined> =>
  (await inbox.begin(id, [], AT))?.attempts;

/** All of the storage over one database, and a look at its rows. */
export const setUpStorage = async (open: () => Promise<TestStorage>) => {
  const { storage, reopen } = await open();
  const { db } = storage;
  return {
    storage,
    reopen,
    db,
    inbox: createInbox(storage),
    changes: createInboxChanges(storage),
    turns: createTurns(storage),
    outbox: createOutbox(storage),
    inboxRow: (id: InboxId) =>
      db.selectFrom('inbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    outboxRow: (id: DeliveryId) =>
      db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    turnRow: (id: TurnId) =>
      db.selectFrom('turns').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  };
};
