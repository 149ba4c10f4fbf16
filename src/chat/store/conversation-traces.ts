import type { ChannelId, MessageId, PersonRef, SessionKey, Timestamp, UserId } from '#src/kernel/ids.ts';
import type { TracedPlace } from '#src/kernel/chat/exchanges.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { type Reads, toStoredTime } from '#src/platform/storage/schema.ts';

/** Looks up where the bot has taken part, as far back as inbox and outbox are kept. */
export type ConversationTraces = ReturnType<typeof createConversationTraces>;

/** The name of a person as their platform gave it with their last message. */
export const lastNameOf = async (
  db: Reads,
  { channelId, userId }: PersonRef,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('inbox')
    .select('message')
    .where('channel_id', '=', channelId)
    .where('sender_id', '=', userId)
    .orderBy('accepted_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && (JSON.parse(row.message) as Partial<MsgContext>).senderName;
};

/** Narrows to one chat, because some platforms have message ids that are unique only in their chat. */
const inPlace = (db: Reads, { channelId, accountId, chatId }: TracedPlace) =>
  db
    .selectFrom('inbox')
    .where('inbox.channel_id', '=', channelId)
    .where('inbox.account_id', '=', accountId)
    .where('inbox.chat_id', '=', chatId);

/** The inbox row of a message of the chat. */
export const acceptedAs = (db: Reads, place: TracedPlace, messageId: MessageId) =>
  inPlace(db, place).where('inbox.message_id', '=', messageId).selectAll('inbox').executeTakeFirst();

/** The inbox row that a message of the chat answers. */
export const answeredBy = (db: Reads, place: TracedPlace, messageId: MessageId) =>
  inPlace(db, place)
    .innerJoin('outbox', 'outbox.inbox_id', 'inbox.id')
    .where('outbox.platform_message_id', '=', messageId)
    .selectAll('inbox')
    .executeTakeFirst();

export const createConversationTraces = (db: Reads) => ({
  /** Whether this message of the chat is part of an answer of the bot. */
  isOurs: async (place: TracedPlace, messageId: MessageId): Promise<boolean> =>
    (await answeredBy(db, place, messageId)) !== undefined,

  /** Whether a message that was written before then has been accepted in the conversation. */
  hasTakenPart: async (sessionKey: SessionKey, before: Timestamp): Promise<boolean> => {
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

  /** The times at which messages of this person were accepted, the newest first. `until` is included. */
  acceptedTimes: async (
    { channelId, senderId }: { readonly channelId: ChannelId; readonly senderId: UserId },
    { after, until }: { readonly after: Timestamp; readonly until: Timestamp },
    limit: number,
  ): Promise<readonly Timestamp[]> => {
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
