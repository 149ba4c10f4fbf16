import type { Insertable, Kysely, Selectable } from 'kysely';
import { asId, type ChannelId, type DeliveryId, type Timestamp, type UserId } from '#src/kernel/ids.ts';
import type { ReplyPayload, ReplyTarget } from '#src/kernel/message.ts';
import { type Database, type NotificationStatus, toStoredTime } from '../schema.ts';

/** A message that is not an answer. It belongs to its target's recipient. */
export interface NewNotification {
  readonly id: DeliveryId;
  readonly target: ReplyTarget;
  readonly payload: ReplyPayload;
  readonly dueAt: Timestamp;
  /** It is due by the clock of a zone that was only guessed. */
  readonly guess?: ZoneGuess;
}

export interface ZoneGuess {
  readonly timeZone: string;
  /** What is sent in the place of `payload` as long as the person has not said where they are. */
  readonly payload: ReplyPayload;
}

/** Both in one column: a guess is rare, and gone as soon as the person has said where they are. */
const encodePayload = (payload: ReplyPayload, guess: ZoneGuess | undefined): string =>
  JSON.stringify(guess ? { ...payload, guess } : payload);

const decodePayload = (text: string): Pick<NewNotification, 'payload' | 'guess'> => {
  const { guess, ...payload } = JSON.parse(text) as ReplyPayload & { readonly guess?: ZoneGuess };
  return { payload, ...(guess && { guess }) };
};

/** To be stored in one transaction with what it tells of; `wake()` of the notifier then has it sent at once. */
export const notificationRow = (
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

export interface Notification extends NewNotification {
  readonly status: NotificationStatus;
  /** How often it has been taken up. */
  readonly attempts: number;
}

/** One taking-up of a notification: the next one, by whomever, has a higher count, and this one is over then. */
export type Claim = Pick<Notification, 'id' | 'attempts'>;

/** What was taken is the taker's for so long, unless they renew it: longer than a series of tries. */
export const CLAIM_MS = 180_000;

export interface NotificationStore {
  /** Durable when it resolves. */
  readonly add: (notification: NewNotification, at: Timestamp) => Promise<void>;
  /** What waits for a person, the earliest first. */
  readonly pendingOf: (channelId: ChannelId, userId: UserId) => Promise<readonly Notification[]>;
  /** It is due then, for certain. Nothing where it was taken or sent meanwhile. */
  readonly rezone: (notification: Notification, dueAt: Timestamp) => Promise<boolean>;
  /**
   * Takes what is due, the earliest first, and counts it as an attempt; also what somebody took who has neither
   * ended nor renewed it in time. For `CLAIM_MS` nobody else is given the same one.
   */
  readonly claimDue: (now: Timestamp, limit: number) => Promise<readonly Notification[]>;
  /** `CLAIM_MS` more. Those that are still the taker's: the others were taken over, or are done. */
  readonly renew: (claims: readonly Claim[], now: Timestamp) => Promise<readonly DeliveryId[]>;
  /** It is there and still the taker's. Cheap: asked before each try. */
  readonly holds: (claim: Claim) => Promise<boolean>;
  /** Whoever sent it: it has arrived. */
  readonly markSent: (id: DeliveryId, at: Timestamp) => Promise<void>;
  /** It waits again, until then; it stays due at its old time. Nothing where somebody else took it over. */
  readonly release: (claim: Claim, until: Timestamp) => Promise<void>;
  /** Nothing where somebody else took it over. */
  readonly markFailed: (claim: Claim) => Promise<void>;
  /** When there is something to take: what is due, or what is somebody's until then. Undefined: there is nothing. */
  readonly nextDueAt: () => Promise<Timestamp | undefined>;
  /** What a process that is gone had taken waits again. Only while nobody else sends. How many there were. */
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

/** Neither sent nor given up. */
export const WAITING: readonly NotificationStatus[] = ['pending', 'sending'];

const claimEnd = (now: Timestamp): string => toStoredTime(now.add({ milliseconds: CLAIM_MS }));

export const createNotificationStore = (db: Kysely<Database>): NotificationStore => ({
  add: async (notification, at) => {
    await db.insertInto('notifications').values(notificationRow(notification, at)).execute();
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

  rezone: async ({ id, payload, attempts }, dueAt) => {
    const { numUpdatedRows } = await db
      .updateTable('notifications')
      .set({ payload: encodePayload(payload, undefined), due_at: toStoredTime(dueAt) })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },

  claimDue: async (now, limit) => {
    const at = toStoredTime(now);
    const rows = await db
      .updateTable('notifications')
      .set((column) => ({
        status: 'sending',
        attempts: column('attempts', '+', 1),
        claimed_until: claimEnd(now),
      }))
      // Asked again of the row itself: another process may have taken it since the list was made.
      .where('status', 'in', WAITING)
      .where((is) => is.or([is('claimed_until', 'is', null), is('claimed_until', '<=', at)]))
      .where('id', 'in', (is) =>
        is
          .selectFrom('notifications')
          .select('id')
          .where('status', 'in', WAITING)
          .where('due_at', '<=', at)
          .where((free) => free.or([free('claimed_until', 'is', null), free('claimed_until', '<=', at)]))
          .orderBy('due_at')
          .orderBy('id')
          .limit(limit),
      )
      .returningAll()
      .execute();
    return rows.map(toNotification).toSorted(earlierFirst);
  },

  renew: async (claims, now) => {
    const kept: DeliveryId[] = [];
    for (const [attempts, group] of Map.groupBy(claims, (claim) => claim.attempts)) {
      const ids = group.map(({ id }) => id);
      const rows = await db
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
  },

  holds: async ({ id, attempts }) => {
    const row = await db
      .selectFrom('notifications')
      .select('id')
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('status', '=', 'sending')
      .executeTakeFirst();
    return row !== undefined;
  },

  markSent: async (id, at) => {
    await db
      .updateTable('notifications')
      .set({ status: 'sent', sent_at: toStoredTime(at), claimed_until: null })
      .where('id', '=', id)
      .execute();
  },

  release: async ({ id, attempts }, until) => {
    await db
      .updateTable('notifications')
      .set({ status: 'pending', claimed_until: toStoredTime(until) })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('status', '=', 'sending')
      .execute();
  },

  markFailed: async ({ id, attempts }) => {
    await db
      .updateTable('notifications')
      .set({ status: 'failed', claimed_until: null })
      .where('id', '=', id)
      .where('attempts', '=', attempts)
      .where('status', '=', 'sending')
      .execute();
  },

  nextDueAt: async () => {
    // The later of its two times says when one may be taken; the earliest of those is what is next.
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

  releaseStuck: async () => {
    const { numUpdatedRows } = await db
      .updateTable('notifications')
      .set({ status: 'pending', claimed_until: null })
      .where('status', '=', 'sending')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  },
});
