import type { InboxId } from '#src/kernel/ids.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { MsgContext, MessageChange } from '#src/kernel/chat/message.ts';
import { acceptedAs, answeredBy } from './conversation-traces.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { lockMessage, stillWaits, toEntry } from './inbox.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

/** Changes that senders make to accepted messages: newer messages, edits and deletions. */
export interface InboxChanges {
  /**
   * Replaces those of these messages that have no answer yet by a newer one of their sender, and ends their turns.
   * Returns the ids of the replaced messages.
   */
  readonly supersede: (
    ids: readonly InboxId[],
    by: InboxId,
    at: Temporal.Instant,
  ) => Promise<readonly InboxId[]>;
  /** The waiting message that a change on the platform is about. */
  readonly waiting: (change: MessageChange) => Promise<InboxEntry | undefined>;
  /** False where its work has begun. */
  readonly rewrite: (entry: InboxEntry, body: string) => Promise<boolean>;
  /** False where its work has begun. */
  readonly withdraw: (id: InboxId, at: Temporal.Instant) => Promise<boolean>;
  /** A message or a part of its answer was deleted on the platform: neither is quoted any more. */
  readonly markDeleted: (change: MessageChange) => Promise<void>;
  /** Stores the transcript of a recording in those of these messages that have it as an attachment. */
  readonly keepWords: (ids: readonly InboxId[], url: string, words: string) => Promise<void>;
}

export const createInboxChanges = ({ db, write }: Pick<Storage, 'db' | 'write'>): InboxChanges => ({
  supersede: (ids, by, at) =>
    write(async (tx) => {
      if (ids.length === 0) return [];
      const settled_at = toStoredTime(at);
      for (const id of ids) await lockMessage(tx, id);
      const given = await tx
        .updateTable('inbox')
        .set({ status: 'superseded', taken_by: by, settled_at })
        .where('id', 'in', ids)
        .where('status', '=', 'pending')
        // A message whose answer is already planned keeps it.
        .where('id', 'not in', (planned) =>
          planned.selectFrom('outbox').select('inbox_id').where('inbox_id', 'in', ids),
        )
        .returning('id')
        .execute();
      const superseded = given.map(({ id }) => id as InboxId).toSorted();
      if (superseded.length > 0)
        await tx
          .updateTable('turns')
          .set({ status: 'failed', ended_at: settled_at })
          .where('inbox_id', 'in', superseded)
          .where('status', '=', 'open')
          .execute();
      return superseded;
    }),

  waiting: async (change) => {
    const row = await db
      .selectFrom('inbox')
      .selectAll()
      .where('channel_id', '=', change.channelId)
      .where('account_id', '=', change.accountId)
      .where('chat_id', '=', change.chatId)
      .where('message_id', '=', change.messageId)
      .where('status', '=', 'pending')
      .where('attempts', '=', 0)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    return row && toEntry(row);
  },

  rewrite: (entry, body) =>
    write(async (tx) => {
      await lockMessage(tx, entry.id);
      const message = JSON.stringify({ ...entry.message, body });
      const { numUpdatedRows } = await tx
        .updateTable('inbox')
        .set({ message })
        .where('id', 'in', stillWaits(tx, [entry.id]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),

  withdraw: (id, at) =>
    write(async (tx) => {
      await lockMessage(tx, id);
      const { numUpdatedRows } = await tx
        .updateTable('inbox')
        .set({ status: 'withdrawn', settled_at: toStoredTime(at) })
        .where('id', 'in', stillWaits(tx, [id]))
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),

  markDeleted: async (change) => {
    const { messageId } = change;
    const row = (await acceptedAs(db, change, messageId)) ?? (await answeredBy(db, change, messageId));
    if (!row) return;
    const marked = { ...(JSON.parse(row.message) as MsgContext), isDeleted: true };
    await write(async (tx) => {
      await tx
        .updateTable('inbox')
        .set({ message: JSON.stringify(marked) })
        .where('id', '=', row.id)
        .execute();
    });
  },

  keepWords: (ids, url, words) =>
    write(async (tx) => {
      const rows = await tx.selectFrom('inbox').select(['id', 'message']).where('id', 'in', ids).execute();
      for (const row of rows) {
        const message = JSON.parse(row.message) as MsgContext;
        if (!message.media?.some((file) => file.url === url)) continue;
        const media = message.media.map((file) => (file.url === url ? { ...file, words } : file));
        await tx
          .updateTable('inbox')
          .set({ message: JSON.stringify({ ...message, media }) })
          .where('id', '=', row.id)
          .execute();
      }
    }),
});
