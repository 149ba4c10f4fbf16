import { sql } from 'kysely';
import type { PersonRef, Timestamp } from '#src/kernel/ids.ts';
import type { StoredBytes } from '#src/platform/files/daily-bytes.ts';
import { type Reads, toStoredTime } from '#src/platform/storage/schema.ts';

/** The row of a message and those of its turn, without any words. */
export const ROW_BYTES = 2_500;

/** Longer than an entry of words mostly is, and shorter than one with a photo. */
const MIN_PICTURE_BYTES = 100_000;

/** Of the entries themselves the length alone is read: pictures are too long to be looked through while others wait. */
const HAS_PICTURE = sql`octet_length(transcript_entries.message) > ${MIN_PICTURE_BYTES}
  and inbox.message like '%"kind":"image"%'`;

/** The bytes of the messages that a person wrote since then, with their answers and conversations. */
export const createStoredBytes =
  (db: Reads) =>
  async ({ channelId, userId }: PersonRef, after: Timestamp): Promise<StoredBytes> => {
    const written = db
      .selectFrom('inbox')
      .where('inbox.channel_id', '=', channelId)
      .where('inbox.sender_id', '=', userId)
      .where('inbox.accepted_at', '>', toStoredTime(after));
    const messages = await written
      .select(({ fn }) => [
        fn.countAll().as('rows'),
        sql`sum(octet_length(message))`.as('bytes'),
        fn.min('accepted_at').as('since'),
      ])
      .executeTakeFirstOrThrow();
    const { since } = messages;
    if (!since) return { bytes: 0, pictures: 0, since: undefined };
    const answers = await written
      .innerJoin('outbox', 'outbox.inbox_id', 'inbox.id')
      .select(sql`sum(octet_length(outbox.payload))`.as('bytes'))
      .executeTakeFirst();
    const conversations = await written
      .innerJoin('turns', 'turns.inbox_id', 'inbox.id')
      .innerJoin('transcript_entries', (join) =>
        join
          .onRef('transcript_entries.session_key', '=', 'turns.session_key')
          .onRef('transcript_entries.turn_id', '=', 'turns.id'),
      )
      .select([
        sql`sum(octet_length(transcript_entries.message))`.as('bytes'),
        sql`sum(case when ${HAS_PICTURE} then octet_length(transcript_entries.message) else 0 end)`.as(
          'pictures',
        ),
      ])
      .executeTakeFirst();
    const pictures = Number(conversations?.pictures ?? 0);
    const words = [messages, answers, conversations].reduce((sum, row) => sum + Number(row?.bytes ?? 0), 0);
    const bytes = ROW_BYTES * Number(messages.rows) + words - pictures;
    return { bytes, pictures, since: Temporal.Instant.from(since) };
  };
