import type { Transaction } from 'kysely';
import type { ChannelId, UserId } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

export interface PrivacyNotes {
  readonly isTold: (channelId: ChannelId, userId: UserId) => Promise<boolean>;
  /**
   * Runs in the transaction that plans the answer with the note, so it is recorded with that answer or not at all. False
   * where the person was told before.
   */
  readonly tell: (
    tx: Transaction<Database>,
    channelId: ChannelId,
    userId: UserId,
    at: Temporal.Instant,
  ) => Promise<boolean>;
}

/** Remembers who has been told what the bot stores. */
export const createPrivacyNotes = ({ db }: Pick<Storage, 'db'>): PrivacyNotes => ({
  isTold: async (channelId, userId) => {
    const row = await db
      .selectFrom('privacy_notes')
      .select('told_at')
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row !== undefined;
  },

  tell: async (tx, channelId, userId, at) => {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('privacy_notes')
      .values({ channel_id: channelId, user_id: userId, told_at: toStoredTime(at) })
      .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  },
});
