import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type DeliveryId,
  type InboxId,
  type SessionKey,
  type UserId,
} from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { BudgetCheck } from '#src/kernel/agent/usage.ts';
import type { GatesDeps } from '#src/chat/gates/index.ts';
import { createDailyBytes } from '#src/platform/files/daily-bytes.ts';
import { createStoredBytes } from '#src/chat/store/stored-bytes.ts';
import { newId } from '#src/platform/ids.ts';
import { createAwaitedInputs } from '#src/chat/store/awaited-inputs.ts';
import { createConversationTraces } from '#src/chat/store/conversation-traces.ts';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import { createPairings } from '#src/people/store/pairings.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { commandOfSlash } from '#test/support/commands.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { stripMentions } from '#test/support/markup.ts';

export const DISCORD = asId<ChannelId>('discord');

/** Mina writes to the bot on Discord. */
export const directMessage = (overrides: Partial<MsgContext> = {}): MsgContext =>
  inboundMessage({
    channelId: DISCORD,
    accountId: asId<AccountId>('bot-1'),
    chatId: asId<ChatId>('dm-7'),
    senderId: asId<UserId>('mina'),
    senderName: 'Mina',
    ...overrides,
  });

/** Mina says something in a channel of a server. */
export const groupMessage = (overrides: Partial<MsgContext> = {}): MsgContext =>
  directMessage({ chatType: 'channel', chatId: asId<ChatId>('chat-1'), guildId: 'guild-1', ...overrides });

export const senderNamed = (id: string): Pick<MsgContext, 'senderId' | 'senderName'> => ({
  senderId: asId<UserId>(id),
  senderName: id,
});

const PLENTY: Pick<BudgetCheck, 'check'> = { check: async () => 'ok' };

/** As the configuration has it where nothing is set, over a real database. */
export const gatesDeps = (storage: OpenedStorage, overrides: Partial<GatesDeps> = {}): GatesDeps => {
  const clock = overrides.clock ?? new ManualClock();
  return {
    maxMessageChars: 20_000,
    isReceivedElsewhere: () => false,
    locale: 'auto',
    stripMentions,
    timeZone: 'Asia/Seoul',
    allowBots: [],
    botLoop: { maxMessages: 20, windowSeconds: 60, silenceSeconds: 60 },
    allow: {},
    direct: { policy: 'open', users: [] },
    mention: { required: true, freeChats: [] },
    rateLimitPerMinute: 20,
    respectMarketHours: false,
    admins: { users: [], roles: [] },
    budget: PLENTY,
    storedToday: createDailyBytes({ clock, storedBytes: createStoredBytes(storage.db) }),
    commandOf: commandOfSlash,
    guildSettings: { of: () => ({}) },
    marketHours: {
      markets: [],
      sessionAt: (market) => ({
        market,
        state: 'unknown',
        nextOpenAt: null,
        nextChange: null,
      }),
    },
    pairings: createPairings(storage, clock),
    awaitedInputs: createAwaitedInputs(storage, clock),
    traces: createConversationTraces(storage.db),
    sessionKeyOf: ({ chatId, threadId }) =>
      asId<SessionKey>(['agent:main:discord', chatId, ...(threadId ? [threadId] : [])].join(':')),
    isExpected: async () => false,
    isAside: async () => false,
    clock,
    ...overrides,
  };
};

/** As the router leaves it in the inbox. Gives the row's id. */
export const accepted = async (
  storage: OpenedStorage,
  message: MsgContext,
  at: Temporal.Instant,
  sessionKey = 'agent:main:elsewhere',
): Promise<string> => {
  const id = newId<InboxId>();
  await storage.db
    .insertInto('inbox')
    .values({
      id,
      channel_id: message.channelId,
      account_id: message.accountId,
      chat_id: message.chatId,
      event_id: message.id,
      session_key: sessionKey,
      agent_id: 'main',
      matched_by: 'default',
      sender_id: message.senderId,
      message: JSON.stringify(message),
      status: 'done',
      attempts: 1,
      accepted_at: toStoredTime(at),
      message_id: message.messageId,
    })
    .execute();
  return id;
};

/** One part of the answer, as the platform took it. */
export const answered = async (storage: OpenedStorage, inboxId: string, messageId: string): Promise<void> => {
  await storage.db
    .insertInto('outbox')
    .values({
      id: newId<DeliveryId>(),
      inbox_id: inboxId,
      part_index: 0,
      target: '{}',
      payload: '{}',
      status: 'sent',
      attempts: 1,
      platform_message_id: messageId,
      created_at: '2026-11-13T06:30:00.000Z',
    })
    .execute();
};
