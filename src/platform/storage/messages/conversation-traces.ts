import type { Kysely } from 'kysely';
import type {
  AccountId,
  ChannelId,
  ChatId,
  MessageId,
  SessionKey,
  Timestamp,
  UserId,
} from '#src/kernel/ids.ts';
import { type Database, toStoredTime } from '../schema.ts';

export interface ChatPlace {
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
}

/** What the inbox and the outbox tell about where the bot has been. As far back as they are kept. */
export interface ConversationTraces {
  /** Whether this message of that chat is part of an answer of ours. */
  readonly isOurs: (place: ChatPlace, messageId: MessageId) => Promise<boolean>;
  /** Whether anything had been accepted in that conversation that was said before then. */
  readonly hasTakenPart: (sessionKey: SessionKey, before: Timestamp) => Promise<boolean>;
  /** When messages of this person were accepted, the newest first, at most so many. `until` is part of it. */
  readonly acceptedTimes: (
    sender: { readonly channelId: ChannelId; readonly senderId: UserId },
    period: { readonly after: Timestamp; readonly until: Timestamp },
    limit: number,
  ) => Promise<readonly Timestamp[]>;
}

/** On some platforms the id of a message is unique in its chat only. */
const inPlace = (db: Kysely<Database>, { channelId, accountId, chatId }: ChatPlace) =>
  db
    .selectFrom('inbox')
    .where('inbox.channel_id', '=', channelId)
    .where('inbox.account_id', '=', accountId)
    .where('inbox.chat_id', '=', chatId);

/** The accepted message that this message of the chat is. */
export const acceptedAs = (db: Kysely<Database>, place: ChatPlace, messageId: MessageId) =>
  inPlace(db, place).where('inbox.message_id', '=', messageId).selectAll('inbox').executeTakeFirst();

/** The accepted message that this message of the chat answers. */
export const answeredBy = (db: Kysely<Database>, place: ChatPlace, messageId: MessageId) =>
  inPlace(db, place)
    .innerJoin('outbox', 'outbox.inbox_id', 'inbox.id')
    .where('outbox.platform_message_id', '=', messageId)
    .selectAll('inbox')
    .executeTakeFirst();

export const createConversationTraces = (db: Kysely<Database>): ConversationTraces => ({
  isOurs: async (place, messageId) => (await answeredBy(db, place, messageId)) !== undefined,

  hasTakenPart: async (sessionKey, before) => {
    const row = await db
      .selectFrom('inbox')
      .select('message')
      .where('session_key', '=', sessionKey)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return false;
    const { timestamp } = JSON.parse(row.message) as { readonly timestamp: string };
    return Temporal.Instant.compare(timestamp, before) <= 0;
  },

  acceptedTimes: async ({ channelId, senderId }, { after, until }, limit) => {
    const rows = await db
      .selectFrom('inbox')
      .select('accepted_at')
      .where('channel_id', '=', channelId)
      .where('sender_id', '=', senderId)
      .where('accepted_at', '>', toStoredTime(after))
      .where('accepted_at', '<=', toStoredTime(until))
      .orderBy('accepted_at', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ accepted_at }) => Temporal.Instant.from(accepted_at));
  },
});
