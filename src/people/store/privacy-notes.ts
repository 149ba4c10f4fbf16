import type { Transaction } from 'kysely';
import type { ChannelId, UserId } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

/** Remembers who has been told what the bot stores. */
export const createPrivacyNotes = ({ db }: Pick<Storage, 'db'>) => ({
  isTold: async (channelId: ChannelId, userId: UserId): Promise<boolean> => {
    const row = await db
      .selectFrom('privacy_notes')
      .select('told_at')
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row !== undefined;
  },

  /**
   * Runs in the transaction that plans the answer with the note, so it is recorded with that answer or not at all. False
   * where the person was told before.
   */
  tell: async (
    tx: Transaction<Database>,
    channelId: ChannelId,
    userId: UserId,
    at: Temporal.Instant,
  ): Promise<boolean> => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('privacy_notes')
      .values({ channel_id: channelId, user_id: userId, told_at: toStoredTime(at) })
      .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  },
});
