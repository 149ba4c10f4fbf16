import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import { asId, type ChannelId, type DeliveryId, type Timestamp, type UserId } from '#src/kernel/ids.ts';
import type { ReplyPayload, ReplyTarget } from '#src/kernel/chat/message.ts';
import type { NewNotification, Notify, ZoneGuess } from '#src/kernel/chat/notification.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import { markedPayload } from './sample-mark.ts';
import type { NotificationStatus } from './tables.ts';

/** Stores payload and guess in one column: a guess is rare, and removed once the person has set their time zone. */
const encodePayload = (payload: ReplyPayload, guess: ZoneGuess | undefined): string =>
  JSON.stringify({
    ...markedPayload(payload),
    ...(guess && { guess: { ...guess, payload: markedPayload(guess.payload) } }),
  });

const decodePayload = (text: string): Pick<NewNotification, 'payload' | 'guess'> => {
  const { guess, ...payload } = JSON.parse(text) as ReplyPayload & { readonly guess?: ZoneGuess };
  return { payload, ...(guess && { guess }) };
};

const notificationRow = (
  { id, target, payload, dueAt, guess }: NewNotification,
  at: Timestamp,
): Insertable<Database['notifications']> => ({
  id,
  channel_id: target.channelId,
  user_id: target.recipientId,
  target: JSON.stringify(target),
  payload: encodePayload(payload, guess),
  due_at: toStoredTime(dueAt),
  status: 'pending',
  attempts: 0,
  created_at: toStoredTime(at),
});

export const notify: Notify<Tx> = async (tx, notification, at) => {
  await tx.insertInto('notifications').values(notificationRow(notification, at)).execute();
};

export interface Notification extends NewNotification {
  readonly status: NotificationStatus;
  /** The number of claims so far. */
  readonly attempts: number;
}

/** One claim of a notification. The next claim has a higher count, which ends this one. */
export type NotificationClaim = Pick<Notification, 'id' | 'attempts'>;

/** How long a claim lasts unless it is renewed. It is longer than a series of attempts. */
export const CLAIM_MS = 180_000;

export interface NotificationStore {
  /** Durable when it resolves. */
  readonly add: (notification: NewNotification, at: Timestamp) => Promise<void>;
  /** The pending notifications of a person, the earliest first. */
  readonly pendingOf: (channelId: ChannelId, userId: UserId) => Promise<readonly Notification[]>;
  /** Sets the certain due time. False where it was claimed or sent in the meantime. */
  readonly rezone: (notification: Notification, dueAt: Timestamp) => Promise<boolean>;
  /**
   * Claims what is due, the earliest first, and counts an attempt; also notifications whose claim was neither ended nor
   * renewed in time. For `CLAIM_MS` no other process gets the same ones.
   */
  readonly claimDue: (now: Timestamp, limit: number) => Promise<readonly Notification[]>;
  /** Extends claims by `CLAIM_MS`. Gives those that are still held: the others were taken over, or are done. */
  readonly renew: (claims: readonly NotificationClaim[], now: Timestamp) => Promise<readonly DeliveryId[]>;
  /** Whether the claim is still held. It is cheap, because it runs before each attempt. */
  readonly holds: (claim: NotificationClaim) => Promise<boolean>;
  /** Records that it has arrived, whoever sent it. */
  readonly markSent: (id: DeliveryId, at: Timestamp) => Promise<void>;
  /** Makes it pending again, but not claimable before `until`. Does nothing where another process took it over. */
  readonly release: (claim: NotificationClaim, until: Timestamp) => Promise<void>;
  /** Does nothing where another process took it over. */
  readonly markFailed: (claim: NotificationClaim) => Promise<void>;
  /** The next time at which something can be claimed; undefined if nothing waits. */
  readonly nextDueAt: () => Promise<Timestamp | undefined>;
  /** Releases the claims of processes that are gone, and counts them. Only for a database that no other process uses. */
  readonly releaseStuck: () => Promise<number>;
}

const toNotification = (row: Selectable<Database['notifications']>): Notification => ({
  id: asId<DeliveryId>(row.id),
  target: JSON.parse(row.target) as ReplyTarget,
  ...decodePayload(row.payload),
  dueAt: Temporal.Instant.from(row.due_at),
  status: row.status,
  attempts: row.attempts,
});

const earlierFirst = (a: Notification, b: Notification): number =>
  Temporal.Instant.compare(a.dueAt, b.dueAt) || (a.id < b.id ? -1 : 1);

/** Notifications that are neither sent nor given up. */
export const WAITING: readonly NotificationStatus[] = ['pending', 'sending'];

const claimEnd = (now: Timestamp): string => toStoredTime(now.add({ milliseconds: CLAIM_MS }));

type Where = ExpressionBuilder<Database, 'notifications'>;

const isHeld =
  ({ id, attempts }: NotificationClaim) =>
  (is: Where) =>
    is.and({ id, attempts, status: 'sending' });

const isClaimable = (at: string) => (is: Where) =>
  is.and([
    is('status', 'in', WAITING),
    is.or([is('claimed_until', 'is', null), is('claimed_until', '<=', at)]),
  ]);

export const createNotificationStore = ({ db, write }: Pick<Storage, 'db' | 'write'>): NotificationStore => ({
  add: (notification, at) => write((tx) => notify(tx, notification, at)),

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

  rezone: ({ id, payload, attempts }, dueAt) =>
    write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('notifications')
        .set({ payload: encodePayload(payload, undefined), due_at: toStoredTime(dueAt) })
        .where('id', '=', id)
        .where('attempts', '=', attempts)
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),

  ...claimsIn({ db, write }),
});

/** Each process sends only the notifications that it has claimed. */
const claimsIn = ({
  db,
  write,
}: Pick<Storage, 'db' | 'write'>): Omit<NotificationStore, 'add' | 'pendingOf' | 'rezone'> => ({
  claimDue: (now, limit) =>
    write(async (tx) => {
      const at = toStoredTime(now);
      const rows = await tx
        .updateTable('notifications')
        .set((column) => ({
          status: 'sending',
          attempts: column('attempts', '+', 1),
          claimed_until: claimEnd(now),
        }))
        // The row itself is checked again, because another process may have claimed it since it was selected.
        .where(isClaimable(at))
        .where('id', 'in', (is) =>
          is
            .selectFrom('notifications')
            .select('id')
            .where('due_at', '<=', at)
            .where(isClaimable(at))
            .orderBy('due_at')
            .orderBy('id')
            .limit(limit),
        )
        .returningAll()
        .execute();
      return rows.map(toNotification).toSorted(earlierFirst);
    }),

  renew: (claims, now) =>
    write(async (tx) => {
      const kept: DeliveryId[] = [];
      for (const [attempts, group] of Map.groupBy(claims, (claim) => claim.attempts)) {
        const ids = group.map(({ id }) => id);
        const rows = await tx
          .updateTable('notifications')
          .set({ claimed_until: claimEnd(now) })
          .where('id', 'in', ids)
          .where('attempts', '=', attempts)
          .where('status', '=', 'sending')
          .returning('id')
          .execute();
        kept.push(...rows.map(({ id }) => asId<DeliveryId>(id)));
      }
      return kept;
    }),

  holds: async (claim) => {
    const row = await db.selectFrom('notifications').select('id').where(isHeld(claim)).executeTakeFirst();
    return row !== undefined;
  },

  markSent: (id, at) =>
    write(async (tx) => {
      await tx
        .updateTable('notifications')
        .set({ status: 'sent', sent_at: toStoredTime(at), claimed_until: null })
        .where('id', '=', id)
        .execute();
    }),

  release: (claim, until) =>
    write(async (tx) => {
      await tx
        .updateTable('notifications')
        .set({ status: 'pending', claimed_until: toStoredTime(until) })
        .where(isHeld(claim))
        .execute();
    }),

  markFailed: (claim) =>
    write(async (tx) => {
      await tx
        .updateTable('notifications')
        .set({ status: 'failed', claimed_until: null })
        .where(isHeld(claim))
        .execute();
    }),

  nextDueAt: async () => {
    // A notification can be claimed at the later of its two times.
    const row = await db
      .selectFrom('notifications')
      .select((is) =>
        is
          .case()
          .when('claimed_until', '>', is.ref('due_at'))
          .then(is.ref('claimed_until'))
          .else(is.ref('due_at'))
          .end()
          .as('next_at'),
      )
      .where('status', 'in', WAITING)
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst();
    return row?.next_at ? Temporal.Instant.from(row.next_at) : undefined;
  },

  releaseStuck: () =>
    write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('notifications')
        .set({ status: 'pending', claimed_until: null })
        .where('status', '=', 'sending')
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    }),
});
