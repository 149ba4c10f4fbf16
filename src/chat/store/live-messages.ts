import { asId, type DeliveryId, type InboxId, type MessageId, type Timestamp } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/** A platform's message that shows an answer while it is being made. */
export interface LiveMessage {
  readonly deliveryId: DeliveryId;
  /** Undefined if it may have been posted, but its id was not recorded. */
  readonly messageId: MessageId | undefined;
  readonly openedAt: Timestamp;
}

export type LiveMessages = ReturnType<typeof createLiveMessages>;

export const createLiveMessages = ({ db, write }: Pick<Storage, 'db' | 'write'>) => {
  const find = async (inboxId: InboxId, from: Storage['db'] = db): Promise<LiveMessage | undefined> => {
    const row = await from
      .selectFrom('live_messages')
      .selectAll()
      .where('inbox_id', '=', inboxId)
      .executeTakeFirst();
    return (
      row && {
        deliveryId: asId<DeliveryId>(row.delivery_id),
        messageId: row.message_id === null ? undefined : asId<MessageId>(row.message_id),
        openedAt: Temporal.Instant.from(row.opened_at),
      }
    );
  };

  return {
    /** Durable when it resolves, so before anything is posted. Gives the earlier one where there is one. */
    open: (
      inboxId: InboxId,
      deliveryId: DeliveryId,
      at: Timestamp,
    ): Promise<LiveMessage & { readonly isNew: boolean }> =>
      write(async (tx) => {
        const earlier = await find(inboxId, tx);
        if (earlier) return { ...earlier, isNew: false };
        await tx
          .insertInto('live_messages')
          .values({
            inbox_id: inboxId,
            delivery_id: deliveryId,
            message_id: null,
            opened_at: toStoredTime(at),
          })
          .execute();
        return { deliveryId, messageId: undefined, openedAt: at, isNew: true };
      }),

    find: (inboxId: InboxId): Promise<LiveMessage | undefined> => find(inboxId),

    /** Records the id of the posted message, also where nothing was opened. */
    record: (inboxId: InboxId, deliveryId: DeliveryId, messageId: MessageId, at: Timestamp): Promise<void> =>
      write(async (tx) => {
        const row = { delivery_id: deliveryId, message_id: messageId };
        await tx
          .insertInto('live_messages')
          .values({ ...row, inbox_id: inboxId, opened_at: toStoredTime(at) })
          .onConflict((conflict) => conflict.column('inbox_id').doUpdateSet(row))
          .execute();
      }),

    remove: (inboxId: InboxId): Promise<void> =>
      write(async (tx) => {
        await tx.deleteFrom('live_messages').where('inbox_id', '=', inboxId).execute();
      }),

    /** The message that the first part of the answer replaces; undefined if there is none. */
    messageOf: async (inboxId: InboxId): Promise<MessageId | undefined> => (await find(inboxId))?.messageId,
  };
};
