import { asId, type InboxId, type SessionKey, type TurnId, type UserId } from '#src/kernel/ids.ts';
import type { NewTurn, TurnStatus, TurnStore } from '#src/kernel/agent/turn-store.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { lockMessage } from './inbox.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

const OPEN = prepared<NewTurn & { readonly startedAt: string }>()((db, value) =>
  db
    .insertInto('turns')
    .values({
      id: value('id'),
      inbox_id: value('inboxId'),
      session_key: value('sessionKey'),
      sender_id: value('senderId'),
      status: 'open',
      started_at: value('startedAt'),
    })
    // Without a change, the row that is there would not be returned.
    .onConflict((conflict) => conflict.column('inbox_id').doUpdateSet({ inbox_id: value('inboxId') }))
    .returning(['id', 'status']),
);

const FIND_ENDED = prepared<{ readonly sessionKey: SessionKey; readonly except: InboxId }>()((db, value) =>
  db
    .selectFrom('turns')
    .select('id')
    .where('session_key', '=', value('sessionKey'))
    .where('status', '=', 'complete')
    .where('inbox_id', '!=', value('except'))
    .limit(1),
);

const FIND_LIVE = prepared<{ readonly sessionKey: SessionKey }>()((db, value) =>
  db
    .selectFrom('turns')
    .select('id')
    .where('session_key', '=', value('sessionKey'))
    .where('status', 'in', ['open', 'suspended']),
);

interface EndedTurn {
  readonly id: TurnId;
  readonly status: TurnStatus;
  readonly endedAt: string;
}

const FINISH = prepared<EndedTurn>()((db, value) =>
  db
    .updateTable('turns')
    .set({ status: value('status'), ended_at: value('endedAt') })
    .where('id', '=', value('id')),
);

export const createTurns = ({ db, write }: Pick<Storage, 'db' | 'write'>): TurnStore => ({
  open: (turn, at) =>
    write(async (tx) => {
      const row = await OPEN.first(tx, { ...turn, startedAt: toStoredTime(at) });
      if (!row) throw new Error('A turn was neither stored nor found');
      return { id: asId<TurnId>(row.id), status: row.status };
    }, 'committed'),

  isBegun: async (inboxId) => {
    const row = await db.selectFrom('turns').select('id').where('inbox_id', '=', inboxId).executeTakeFirst();
    return row !== undefined;
  },

  sessionOf: async (inboxId) => {
    const row = await db
      .selectFrom('turns')
      .select('session_key')
      .where('inbox_id', '=', inboxId)
      .executeTakeFirst();
    return row && asId<SessionKey>(row.session_key);
  },

  hasEnded: async (sessionKey, except) => {
    const row = await FIND_ENDED.first(db, { sessionKey, except });
    return row !== undefined;
  },

  finish: (id, status, at) =>
    write(async (tx) => {
      await FINISH.run(tx, { id, status, endedAt: toStoredTime(at) });
    }, 'committed'),

  suspend: (id) =>
    write(async (tx) => {
      await tx.updateTable('turns').set({ status: 'suspended' }).where('id', '=', id).execute();
    }),

  reopen: (id, inboxId) =>
    write(async (tx) => {
      // The lock orders this against a concurrent decision to give the message up.
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
    const rows = await FIND_LIVE.all(db, { sessionKey });
    return new Set(rows.map((row) => asId<TurnId>(row.id)));
  },
});
