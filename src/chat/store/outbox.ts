import type { Transaction } from 'kysely';
import { asId, type DeliveryId, type InboxId, type MessageId } from '#src/kernel/ids.ts';
import type { OutboundMessage } from '#src/kernel/chat/message.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { lockMessage } from './inbox.ts';
import { WAITING } from './notifications.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { filesIn } from '#src/platform/storage/sent-files.ts';
import type { Alongside } from '#src/platform/storage/descriptor.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import type { OutboxStatus } from './tables.ts';

export interface OutboxPart extends OutboundMessage {
  readonly status: OutboxStatus;
}

export interface Outbox {
  /**
   * Stores all parts in one transaction, with `alongside`, and counts the first attempt of the first part, which must
   * follow. Durable when it resolves. `known`: the message has an answer already, and an answer is planned once.
   * `superseded`: a newer message replaced this one, and nothing was planned.
   */
  readonly plan: (
    inboxId: InboxId,
    parts: readonly OutboundMessage[],
    at: Temporal.Instant,
    alongside?: Alongside,
  ) => Promise<'planned' | 'known' | 'superseded'>;
  /** The parts of the answer in order; empty when no answer was planned. */
  readonly partsOf: (inboxId: InboxId) => Promise<readonly OutboxPart[]>;
  /** Removes the parts that were not sent yet, and adds a closing part behind those that were. */
  readonly closeWith: (inboxId: InboxId, part: OutboundMessage, at: Temporal.Instant) => Promise<void>;
  /** Counts an attempt before it is made. Gives the time of an earlier first attempt, by which the part may have arrived. */
  readonly countAttempt: (id: DeliveryId, at: Temporal.Instant) => Promise<Temporal.Instant | undefined>;
  /** Resolves when it is committed: after a power cut the part is in doubt, and looked for before it is sent again. */
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
  replaces: part.replaces ?? null,
});

/** For a message whose row is gone. */
const hasParts = async (tx: Transaction<Database>, inboxId: InboxId): Promise<boolean> => {
  const part = await tx.selectFrom('outbox').select('id').where('inbox_id', '=', inboxId).executeTakeFirst();
  return part !== undefined;
};

type PlannedRow = ReturnType<typeof pendingRow> & { readonly first_tried_at: string | null };

const INSERT = prepared<PlannedRow>()((db, value) =>
  db.insertInto('outbox').values({
    id: value('id'),
    inbox_id: value('inbox_id'),
    part_index: value('part_index'),
    target: value('target'),
    payload: value('payload'),
    status: value('status'),
    attempts: value('attempts'),
    created_at: value('created_at'),
    replaces: value('replaces'),
    first_tried_at: value('first_tried_at'),
  }),
);

interface SentPart {
  readonly id: DeliveryId;
  readonly messageId: MessageId;
  readonly sentAt: string;
}

const MARK_SENT = prepared<SentPart>()((db, value) =>
  db
    .updateTable('outbox')
    .set({ status: 'sent', platform_message_id: value('messageId'), sent_at: value('sentAt') })
    .where('id', '=', value('id')),
);

export const createOutbox = ({ db, write }: Pick<Storage, 'db' | 'write'>): Outbox => ({
  plan: async (inboxId, parts, at, alongside) => {
    if (parts.length === 0) return 'planned';
    const rows = parts.map((part, index) => ({
      ...pendingRow(inboxId, index, part, at),
      attempts: index === 0 ? 1 : 0,
      first_tried_at: index === 0 ? toStoredTime(at) : null,
    }));
    return write(async (tx) => {
      const message = await lockMessage(tx, inboxId);
      if (message ? message.is_planned : await hasParts(tx, inboxId)) return 'known';
      if (message?.status === 'superseded') return 'superseded';
      for (const row of rows) await INSERT.run(tx, row);
      await alongside?.(tx);
      return 'planned';
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
      ...(row.replaces === null ? {} : { replaces: asId<MessageId>(row.replaces) }),
    }));
  },

  closeWith: (inboxId, part, at) =>
    write(async (tx) => {
      await tx.deleteFrom('outbox').where('inbox_id', '=', inboxId).where('status', '=', 'pending').execute();
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
    }),

  countAttempt: (id, at) =>
    write(async (tx) => {
      const before = await tx
        .selectFrom('outbox')
        .select('first_tried_at')
        .where('id', '=', id)
        .executeTakeFirst();
      const firstTriedAt = before?.first_tried_at ?? null;
      await tx
        .updateTable('outbox')
        .set((column) => ({
          attempts: column('attempts', '+', 1),
          first_tried_at: firstTriedAt ?? toStoredTime(at),
        }))
        .where('id', '=', id)
        .execute();
      return firstTriedAt === null ? undefined : Temporal.Instant.from(firstTriedAt);
    }),

  markSent: (id, messageId, at) =>
    write(async (tx) => {
      await MARK_SENT.run(tx, { id, messageId, sentAt: toStoredTime(at) });
    }, 'committed'),

  markFailed: (id) =>
    write(async (tx) => {
      await tx.updateTable('outbox').set({ status: 'failed' }).where('id', '=', id).execute();
    }),
});

/** The files of messages that are still to be sent. */
export const unsentFiles = async ({ db }: Pick<Storage, 'db'>): Promise<ReadonlySet<string>> => {
  const parts = await db
    .selectFrom('outbox')
    .select('payload')
    .where('status', '=', 'pending')
    .where('payload', 'like', '%"media"%')
    .execute();
  const notifications = await db
    .selectFrom('notifications')
    .select('payload')
    .where('status', 'in', WAITING)
    .where('payload', 'like', '%"media"%')
    .execute();
  return new Set([...parts, ...notifications].flatMap(({ payload }) => filesIn(payload)));
};
