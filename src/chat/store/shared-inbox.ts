import { sql, type SqlBool } from 'kysely';
import { asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { LIVE } from './tables.ts';
import { toEntry } from './inbox.ts';

export interface PendingEntry extends InboxEntry {
  /** Its turn has waited for a decision, and goes on now. */
  readonly isResumed: boolean;
  /** An attempt was made before. */
  readonly wasBegun: boolean;
  /** No process has begun it yet. */
  readonly isNew: boolean;
}

interface WaitingCounts {
  readonly ofPerson: number;
  readonly inSession: number;
  readonly ofPersonInSession: number;
}

/** Queries that only a process with others beside it needs. A single process has the answers in memory. */
export type SharedInbox = ReturnType<typeof createSharedInbox>;

const IS_RESUMED = sql<SqlBool>`exists (
  select 1 from turns where turns.inbox_id = inbox.id and turns.status = 'suspended')`.as('is_resumed');

const PENDING_IN = prepared<{ readonly session_key: string }>()((db, value) =>
  db
    .selectFrom('inbox')
    .selectAll()
    .select(IS_RESUMED)
    .where('session_key', '=', value('session_key'))
    .where('status', '=', 'pending'),
);

const asWritten = (a: InboxEntry, b: InboxEntry): number =>
  Temporal.Instant.compare(a.message.timestamp, b.message.timestamp) || (a.id < b.id ? -1 : 1);

export const createSharedInbox = ({ db }: Pick<Storage, 'db'>) => ({
  /** The messages of a session that are to be answered, in the order in which they were written on the platform. */
  pendingIn: async (sessionKey: SessionKey): Promise<readonly PendingEntry[]> => {
    const rows = await PENDING_IN.all(db, { session_key: sessionKey });
    const entries = rows.map((row) => ({
      ...toEntry(row),
      isResumed: Boolean(row.is_resumed),
      wasBegun: row.attempts > 0,
      isNew: row.attempts === 0 && row.was_parked === 0,
    }));
    return entries.toSorted(asWritten);
  },

  /** The messages that are being answered, commands included; of one session or of all. */
  begun: async (sessionKey?: SessionKey): Promise<readonly InboxEntry[]> => {
    const begun = db
      .selectFrom('inbox')
      .selectAll()
      .where('status', '=', 'pending')
      .where('attempts', '>', 0)
      .orderBy('id');
    const rows = await (
      sessionKey === undefined ? begun : begun.where('session_key', '=', sessionKey)
    ).execute();
    return rows.map(toEntry);
  },

  /** How many messages wait: of this sender, in this session, and of this sender in this session. */
  waiting: async ({ sessionKey, message: { channelId, senderId } }: InboxEntry): Promise<WaitingCounts> => {
    const rows = await db
      .selectFrom('inbox')
      .select(['session_key', 'sender_id'])
      .where('status', '=', 'pending')
      .where((is) =>
        is.or([
          is('session_key', '=', sessionKey),
          is.and([is('channel_id', '=', channelId), is('sender_id', '=', senderId)]),
        ]),
      )
      .execute();
    const inSession = rows.filter((row) => row.session_key === sessionKey);
    return {
      ofPerson: rows.filter((row) => row.sender_id === senderId).length,
      inSession: inSession.length,
      ofPersonInSession: inSession.filter((row) => row.sender_id === senderId).length,
    };
  },

  /** Those of the messages that are settled. */
  settledOf: async (ids: readonly InboxId[]): Promise<readonly InboxId[]> => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('inbox')
      .select('id')
      .where('id', 'in', ids)
      .where('status', 'not in', LIVE)
      .execute();
    return rows.map(({ id }) => asId<InboxId>(id));
  },
});
