import type { Kysely } from 'kysely';
import { asId, type InboxId, type SessionKey, type TurnId, type UserId } from '#src/core/ids.ts';
import { type Database, toStoredTime, type TurnStatus } from './schema.ts';

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
  /** Call it only after the turn's last transcript entry is on disk. */
  readonly finish: (id: TurnId, status: 'complete' | 'failed', at: Temporal.Instant) => Promise<void>;
  /** It waits for a person's decision. */
  readonly suspend: (id: TurnId) => Promise<void>;
}

export const createTurns = (db: Kysely<Database>): Turns => ({
  open: async (turn, at) => {
    await db
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
    const row = await db
      .selectFrom('turns')
      .select(['id', 'status'])
      .where('inbox_id', '=', turn.inboxId)
      .executeTakeFirstOrThrow();
    return { id: asId<TurnId>(row.id), status: row.status };
  },

  finish: async (id, status, at) => {
    await db
      .updateTable('turns')
      .set({ status, ended_at: toStoredTime(at) })
      .where('id', '=', id)
      .execute();
  },

  suspend: async (id) => {
    await db.updateTable('turns').set({ status: 'suspended' }).where('id', '=', id).execute();
  },
});
