import type { AccountId, ChannelId, ChatId, ThreadId, UserId } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/** A chat, or a thread of it. */
export interface InputPlace {
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly threadId?: ThreadId | undefined;
}

export type AwaitedInputs = ReturnType<typeof createAwaitedInputs>;

const columnsOf = (place: InputPlace, userId: UserId) => ({
  channel_id: place.channelId,
  account_id: place.accountId,
  chat_id: place.chatId,
  thread_id: place.threadId ?? '',
  user_id: userId,
});

/** People whom the model asked something in a group: they need not mention the bot to answer. */
export const createAwaitedInputs = ({ db, write }: Pick<Storage, 'db' | 'write'>, clock: Clock) => ({
  /** Until `forMs` have passed, messages of this person there are meant for the bot. Durable when it resolves. */
  open: (place: InputPlace, userId: UserId, forMs: number): Promise<void> =>
    write(async (tx) => {
      const now = clock.now();
      // Expired rows are removed here, because the purge runs only once a day.
      await tx.deleteFrom('awaited_inputs').where('expires_at', '<=', toStoredTime(now)).execute();
      const expires_at = toStoredTime(now.add({ milliseconds: forMs }));
      await tx
        .insertInto('awaited_inputs')
        .values({ ...columnsOf(place, userId), expires_at })
        .onConflict((conflict) =>
          conflict
            .columns(['channel_id', 'account_id', 'chat_id', 'thread_id', 'user_id'])
            .doUpdateSet({ expires_at }),
        )
        .execute();
    }),

  isOpen: async (place: InputPlace, userId: UserId): Promise<boolean> => {
    const row = await db
      .selectFrom('awaited_inputs')
      .select('expires_at')
      .where((is) => is.and(columnsOf(place, userId)))
      .where('expires_at', '>', toStoredTime(clock.now()))
      .executeTakeFirst();
    return row !== undefined;
  },
});
