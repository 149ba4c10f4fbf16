import type { Kysely, Selectable } from 'kysely';
import { asId, type ChannelId, type DeliveryId, type Timestamp, type UserId } from '#src/core/ids.ts';
import type { ReplyPayload, ReplyTarget } from '#src/core/message.ts';
import { type Database, type NotificationStatus, toStoredTime } from './schema.ts';

/** A message that is not an answer. It belongs to its target's recipient. */
export interface NewNotification {
  readonly id: DeliveryId;
  readonly target: ReplyTarget;
  readonly payload: ReplyPayload;
  readonly dueAt: Timestamp;
}

export interface Notification extends NewNotification {
  readonly status: NotificationStatus;
  /** How often it has been taken up. */
  readonly attempts: number;
}

export interface NotificationStore {
  /** Durable when it resolves. */
  readonly add: (notification: NewNotification, at: Timestamp) => Promise<void>;
  /** What waits for a person, the earliest first. */
  readonly pendingOf: (channelId: ChannelId, userId: UserId) => Promise<readonly Notification[]>;
  /** Takes what is due, the earliest first, and counts it as an attempt. Nobody else is given the same one. */
  readonly claimDue: (now: Timestamp, limit: number) => Promise<readonly Notification[]>;
  readonly markSent: (id: DeliveryId, at: Timestamp) => Promise<void>;
  /** It waits again, until then. */
  readonly release: (id: DeliveryId, dueAt: Timestamp) => Promise<void>;
  readonly markFailed: (id: DeliveryId) => Promise<void>;
  /** Of what waits; undefined when nothing does. */
  readonly nextDueAt: () => Promise<Timestamp | undefined>;
  /** What a process that is gone had taken waits again. Only while nobody else sends. How many there were. */
  readonly releaseStuck: () => Promise<number>;
}

const toNotification = (row: Selectable<Database['notifications']>): Notification => ({
  id: asId<DeliveryId>(row.id),
  target: JSON.parse(row.target) as ReplyTarget,
  payload: JSON.parse(row.payload) as ReplyPayload,
  dueAt: Temporal.Instant.from(row.due_at),
  status: row.status,
  attempts: row.attempts,
});

const earlierFirst = (a: Notification, b: Notification): number =>
  Temporal.Instant.compare(a.dueAt, b.dueAt) || (a.id < b.id ? -1 : 1);

export const createNotificationStore = (db: Kysely<Database>): NotificationStore => ({
  add: async ({ id, target, payload, dueAt }, at) => {
    await db
      .insertInto('notifications')
      .values({
        id,
        channel_id: target.channelId,
        user_id: target.recipientId,
        target: JSON.stringify(target),
        payload: JSON.stringify(payload),
        due_at: toStoredTime(dueAt),
        status: 'pending',
        attempts: 0,
        created_at: toStoredTime(at),
      })
      .execute();
  },

  pendingOf: async (channelId, userId) => {
    const rows = await db
      .selectFrom('notifications')
      .selectAll()
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId)
      .where('status', '=', 'pending')
      .orderBy('due_at')
      .orderBy('id')
      .execute();
    return rows.map(toNotification);
  },

  claimDue: async (now, limit) => {
    const rows = await db
      .updateTable('notifications')
      .set((column) => ({ status: 'sending', attempts: column('attempts', '+', 1) }))
      // Asked again of the row itself: another process may have taken it since the list was made.
      .where('status', '=', 'pending')
      .where('id', 'in', (is) =>
        is
          .selectFrom('notifications')
          .select('id')
          .where('status', '=', 'pending')
          .where('due_at', '<=', toStoredTime(now))
          .orderBy('due_at')
          .orderBy('id')
          .limit(limit),
      )
      .returningAll()
      .execute();
    return rows.map(toNotification).toSorted(earlierFirst);
  },

  markSent: async (id, at) => {
    await db
      .updateTable('notifications')
      .set({ status: 'sent', sent_at: toStoredTime(at) })
      .where('id', '=', id)
      .execute();
  },

  release: async (id, dueAt) => {
    await db
      .updateTable('notifications')
      .set({ status: 'pending', due_at: toStoredTime(dueAt) })
      .where('id', '=', id)
      .execute();
  },

  markFailed: async (id) => {
    await db.updateTable('notifications').set({ status: 'failed' }).where('id', '=', id).execute();
  },

  nextDueAt: async () => {
    const row = await db
      .selectFrom('notifications')
      .select('due_at')
      .where('status', '=', 'pending')
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    return row && Temporal.Instant.from(row.due_at);
  },

  releaseStuck: async () => {
    const { numUpdatedRows } = await db
      .updateTable('notifications')
      .set({ status: 'pending' })
      .where('status', '=', 'sending')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  },
});
