import type { Kysely } from 'kysely';
import { asId, type DeliveryId, type InboxId, type MessageId } from '#src/core/ids.ts';
import type { OutboundMessage } from '#src/core/message.ts';
import { type Database, type OutboxStatus, toStoredTime } from './schema.ts';

export interface OutboxPart extends OutboundMessage {
  readonly status: OutboxStatus;
}

export interface Outbox {
  /** All parts in one transaction. If the message already has parts, those stay: an answer is planned once. */
  readonly plan: (inboxId: InboxId, parts: readonly OutboundMessage[], at: Temporal.Instant) => Promise<void>;
  /** The parts of the answer in order; empty when no answer was planned. */
  readonly partsOf: (inboxId: InboxId) => Promise<readonly OutboxPart[]>;
  /** One more part behind those that are there: what has to be said about the answer. */
  readonly append: (inboxId: InboxId, part: OutboundMessage, at: Temporal.Instant) => Promise<void>;
  /** Forgets the parts that were not sent yet: the person does not want them any more. */
  readonly withdraw: (inboxId: InboxId) => Promise<void>;
  readonly countAttempt: (id: DeliveryId) => Promise<void>;
  readonly markSent: (id: DeliveryId, messageId: MessageId, at: Temporal.Instant) => Promise<void>;
  readonly markFailed: (id: DeliveryId) => Promise<void>;
}

const pendingRow = (inboxId: InboxId, index: number, part: OutboundMessage, at: Temporal.Instant) => ({
  id: part.deliveryId,
  inbox_id: inboxId,
  part_index: index,
  target: JSON.stringify(part.target),
  payload: JSON.stringify(part.payload),
  status: 'pending' as const,
  attempts: 0,
  created_at: toStoredTime(at),
});

export const createOutbox = (db: Kysely<Database>): Outbox => ({
  plan: async (inboxId, parts, at) => {
    if (parts.length === 0) return;
    const rows = parts.map((part, index) => pendingRow(inboxId, index, part, at));
    await db.transaction().execute(async (tx) => {
      const planned = await tx
        .selectFrom('outbox')
        .select('id')
        .where('inbox_id', '=', inboxId)
        .executeTakeFirst();
      if (!planned) await tx.insertInto('outbox').values(rows).execute();
    });
  },

  partsOf: async (inboxId) => {
    const rows = await db
      .selectFrom('outbox')
      .selectAll()
      .where('inbox_id', '=', inboxId)
      .orderBy('part_index')
      .execute();
    return rows.map((row) => ({
      deliveryId: asId<DeliveryId>(row.id),
      target: JSON.parse(row.target) as OutboundMessage['target'],
      payload: JSON.parse(row.payload) as OutboundMessage['payload'],
      status: row.status,
    }));
  },

  append: async (inboxId, part, at) => {
    await db.transaction().execute(async (tx) => {
      const { last } = await tx
        .selectFrom('outbox')
        .select(({ fn }) => fn.max('part_index').as('last'))
        .where('inbox_id', '=', inboxId)
        .executeTakeFirstOrThrow();
      const index = last === null ? 0 : last + 1;
      await tx
        .insertInto('outbox')
        .values(pendingRow(inboxId, index, part, at))
        .execute();
    });
  },

  withdraw: async (inboxId) => {
    await db.deleteFrom('outbox').where('inbox_id', '=', inboxId).where('status', '=', 'pending').execute();
  },

  countAttempt: async (id) => {
    await db
      .updateTable('outbox')
      .set((column) => ({ attempts: column('attempts', '+', 1) }))
      .where('id', '=', id)
      .execute();
  },

  markSent: async (id, messageId, at) => {
    await db
      .updateTable('outbox')
      .set({ status: 'sent', platform_message_id: messageId, sent_at: toStoredTime(at) })
      .where('id', '=', id)
      .execute();
  },

  markFailed: async (id) => {
    await db.updateTable('outbox').set({ status: 'failed' }).where('id', '=', id).execute();
  },
});
