import type { HomeVisits } from '#src/kernel/people/home.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { HOME_KEPT_DAYS } from './tables.ts';

export const createHomeVisits = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Pick<Clock, 'now'>,
): HomeVisits => ({
  opened: async ({ channelId, userId }) => {
    const opened_at = toStoredTime(clock.now());
    await write((tx) =>
      tx
        .insertInto('home_visits')
        .values({ channel_id: channelId, user_id: userId, opened_at, version: null, written_at: null })
        .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doUpdateSet({ opened_at }))
        .execute(),
    );
  },

  written: async ({ channelId, userId }: PersonRef, version) => {
    await write((tx) =>
      tx
        .updateTable('home_visits')
        .set({ version, written_at: toStoredTime(clock.now()) })
        .where('channel_id', '=', channelId)
        .where('user_id', '=', userId)
        .execute(),
    );
  },

  find: async ({ channelId, userId }) => {
    const row = await db
      .selectFrom('home_visits')
      .select(['version', 'written_at'])
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId)
      .where('opened_at', '>=', toStoredTime(clock.now().subtract({ hours: HOME_KEPT_DAYS * 24 })))
      .executeTakeFirst();
    if (!row) return undefined;
    return {
      ...(row.version !== null && { version: row.version }),
      ...(row.written_at !== null && { writtenAt: Temporal.Instant.from(row.written_at) }),
    };
  },
});
