import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { PersonRef, Timestamp } from '#src/kernel/ids.ts';
import type { JoinedChat } from '#src/kernel/people/welcome.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { NewNotification } from '#src/kernel/chat/notification.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

export type WelcomeStore = ReturnType<typeof createWelcomeStore>;

const MAX_KEPT = 10_000;

const keyOf = ({ channelId, userId }: PersonRef): string => `${channelId} ${userId}`;

const add = async (tx: Transaction<Database>, welcome: NewNotification, at: Timestamp): Promise<void> => {
  await notify(tx, welcome, at);
};

/** A message is stored with the row that says so, in one transaction: it is sent once, whatever happens. */
export const createWelcomeStore = ({ db, write }: Pick<Storage, 'db' | 'write'>) => {
  const known = new LRUCache<string, true>({ max: MAX_KEPT });
  return {
    /** Asks the database once for each person who is known. */
    isKnown: async (person: PersonRef): Promise<boolean> => {
      if (known.has(keyOf(person))) return true;
      const row = await db
        .selectFrom('welcomed_people')
        .select('at')
        .where('channel_id', '=', person.channelId)
        .where('user_id', '=', person.userId)
        .executeTakeFirst();
      if (row) known.set(keyOf(person), true);
      return row !== undefined;
    },

    /** Stores the message for a person who is not known yet, in this transaction. */
    person: async (
      tx: Transaction<Database>,
      { channelId, userId }: PersonRef,
      welcome: NewNotification,
      at: Timestamp,
    ) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('welcomed_people')
        .values({ channel_id: channelId, user_id: userId, at: toStoredTime(at) })
        .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 1n) await add(tx, welcome, at);
    },

    /** Stores the message for a chat that is not known yet. False if it is. */
    chat: (
      { channelId, accountId, subject }: JoinedChat,
      welcome: NewNotification,
      at: Timestamp,
    ): Promise<boolean> =>
      write(async (tx) => {
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('welcomed_chats')
          .values({ channel_id: channelId, account_id: accountId, subject, at: toStoredTime(at) })
          .onConflict((conflict) => conflict.columns(['channel_id', 'account_id', 'subject']).doNothing())
          .executeTakeFirstOrThrow();
        const isNew = numInsertedOrUpdatedRows === 1n;
        if (isNew) await add(tx, welcome, at);
        return isNew;
      }),
    write,
  };
};
