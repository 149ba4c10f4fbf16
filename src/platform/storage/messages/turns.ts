import { asId, type InboxId, type SessionKey, type TurnId, type UserId } from '#src/kernel/ids.ts';
import type { Storage } from '../database.ts';
import { lockMessage } from './inbox.ts';
import { toStoredTime, type TurnStatus } from '../schema.ts';

export interface Turn {
  readonly id: TurnId;
  readonly status: TurnStatus;
}

interface NewTurn {
  readonly id: TurnId;
  readonly inboxId: InboxId;
  readonly sessionKey: SessionKey;
  readonly senderId: UserId;
}

export interface Turns {
  /** The turn of this message: begun now, or the one a crash left behind. */
  readonly open: (turn: NewTurn, at: Temporal.Instant) => Promise<Turn>;
  /** A run for this message was begun. */
  readonly isBegun: (inboxId: InboxId) => Promise<boolean>;
  /** A turn of this session has ended with an answer, apart from that of this message. */
  readonly hasEnded: (sessionKey: SessionKey, except: InboxId) => Promise<boolean>;
  /** Call it only after the turn's last transcript entry is on disk. */
  readonly finish: (id: TurnId, status: 'complete' | 'failed', at: Temporal.Instant) => Promise<void>;
  /** It waits for a person's decision. */
  readonly suspend: (id: TurnId) => Promise<void>;
  /** The decision has fallen: it goes on. False where it was given up at the last moment. */
  readonly reopen: (id: TurnId, inboxId: InboxId) => Promise<boolean>;
  /** Who began the turns of a session, as far as they are kept. */
  readonly sendersIn: (sessionKey: SessionKey) => Promise<ReadonlyMap<TurnId, UserId>>;
  /** Those of a session that are not at their end: open ones, and those that wait for a decision. */
  readonly liveIn: (sessionKey: SessionKey) => Promise<ReadonlySet<TurnId>>;
}

export const createTurns = ({ db, write }: Pick<Storage, 'db' | 'write'>): Turns => ({
  open: (turn, at) =>
    write(async (tx) => {
      await tx
        .insertInto('turns')
        .values({
          id: turn.id,
          inbox_id: turn.inboxId,
          session_key: turn.sessionKey,
          sender_id: turn.senderId,
          status: 'open',
          started_at: toStoredTime(at),
        })
        .onConflict((conflict) => conflict.column('inbox_id').doNothing())
        .execute();
      const row = await tx
        .selectFrom('turns')
        .select(['id', 'status'])
        .where('inbox_id', '=', turn.inboxId)
        .executeTakeFirstOrThrow();
      return { id: asId<TurnId>(row.id), status: row.status };
    }),

  isBegun: async (inboxId) => {
    const row = await db.selectFrom('turns').select('id').where('inbox_id', '=', inboxId).executeTakeFirst();
    return row !== undefined;
  },

  hasEnded: async (sessionKey, except) => {
    const row = await db
      .selectFrom('turns')
      .select('id')
      .where('session_key', '=', sessionKey)
      .where('status', '=', 'complete')
      .where('inbox_id', '!=', except)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  finish: (id, status, at) =>
    write(async (tx) => {
      await tx
        .updateTable('turns')
        .set({ status, ended_at: toStoredTime(at) })
        .where('id', '=', id)
        .execute();
    }),

  suspend: (id) =>
    write(async (tx) => {
      await tx.updateTable('turns').set({ status: 'suspended' }).where('id', '=', id).execute();
    }),

  reopen: (id, inboxId) =>
    write(async (tx) => {
      // Who gives the message up at this moment comes before it or after it, not in between.
      await lockMessage(tx, inboxId);
      const { numUpdatedRows } = await tx
        .updateTable('turns')
        .set({ status: 'open' })
        .where('id', '=', id)
        .where('status', '=', 'suspended')
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),

  sendersIn: async (sessionKey) => {
    const rows = await db
      .selectFrom('turns')
      .select(['id', 'sender_id'])
      .where('session_key', '=', sessionKey)
      .execute();
    return new Map(rows.map((row) => [asId<TurnId>(row.id), asId<UserId>(row.sender_id)]));
  },

  liveIn: async (sessionKey) => {
    const rows = await db
      .selectFrom('turns')
      .select('id')
      .where('session_key', '=', sessionKey)
      .where('status', 'in', ['open', 'suspended'])
      .execute();
    return new Set(rows.map((row) => asId<TurnId>(row.id)));
  },
});
