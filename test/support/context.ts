import type { EventName, Events, FinClawEventMap } from '#src/kernel/operations/events.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type InboxId,
  type MessageId,
  type SessionKey,
  type UserId,
} from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { createEvents } from '#src/platform/events.ts';
import { newId } from '#src/platform/ids.ts';
import { createLogger, type FinClawLogger } from '#src/platform/logging/logger.ts';

/** An accepted direct message on the test channel; `rawBody` fills both forms of the text. */
export const msgContext = (overrides: Partial<TurnContext> = {}): TurnContext => {
  const body = overrides.rawBody ?? 'How is Apple doing today?';
  return {
    inboxId: newId<InboxId>(),
    merged: [],
    messageId: asId<MessageId>('question-1'),
    bodyForAgent: body,
    rawBody: body,
    senderId: asId<UserId>('mina'),
    senderName: 'Mina',
    userRoles: [],
    isAdmin: false,
    managesGuild: false,
    mentionsBot: false,
    channelId: asId<ChannelId>('test'),
    accountId: asId<AccountId>('local'),
    chatId: asId<ChatId>('mina'),
    chatType: 'direct',
    sessionKey: asId<SessionKey>('agent:main:test:local:direct:mina'),
    locale: 'en',
    timeZone: 'Asia/Seoul',
    timestamp: Temporal.Instant.from('2026-11-13T06:30:00Z'),
    ...overrides,
  };
};

interface LogRecord {
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

const recordOf = (line: string): LogRecord => {
  const { msg, ...rest } = JSON.parse(line) as { readonly msg: string; readonly level: string };
  return { ...rest, message: msg };
};

/** The real logger, writing into memory. */
export const recordingLogger = (): {
  readonly logger: FinClawLogger;
  readonly records: () => readonly LogRecord[];
} => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    pretty: false,
    secrets: [],
    write: (line) => lines.push(line),
  });
  return { logger, records: () => lines.map(recordOf) };
};

/** The real events, kept in order. */
export const recordingEvents = (): {
  readonly events: Events;
  readonly names: () => readonly EventName[];
  readonly payloads: <Name extends EventName>(name: Name) => readonly FinClawEventMap[Name][];
} => {
  const seen: { readonly name: EventName; readonly payload: FinClawEventMap[EventName] }[] = [];
  const events = createEvents((error) => {
    throw error;
  });
  events.onAny((name, payload) => seen.push({ name, payload }));
  return {
    events,
    names: () => seen.map(({ name }) => name),
    payloads: <Name extends EventName>(wanted: Name) =>
      seen.filter(({ name }) => name === wanted).map(({ payload }) => payload as FinClawEventMap[Name]),
  };
};
