import type { Kysely, Selectable, Transaction } from 'kysely';
import { type AgentId, asId, type InboxId, type SessionKey } from '#src/core/ids.ts';
import type { InboundMessage } from '#src/core/message.ts';
import type { BindingMatch } from '#src/core/stage.ts';
import { type Database, type InboxStatus, toStoredTime } from './schema.ts';

/** A message that has been taken on, with where it was routed to. */
export interface InboxEntry {
  readonly id: InboxId;
  readonly message: InboundMessage;
  readonly match: BindingMatch;
  readonly sessionKey: SessionKey;
}

type EventKey = Pick<InboundMessage, 'channelId' | 'accountId' | 'chatId' | 'id'>;

export interface Inbox {
  /** Durable when it resolves. `duplicate`: the platform's event was accepted before, nothing was written. */
  readonly accept: (entry: InboxEntry, at: Temporal.Instant) => Promise<'accepted' | 'duplicate'>;
  readonly isKnown: (event: EventKey) => Promise<boolean>;
  /**
   * Counted before the work begins, so that a message that brings the process down is noticed. Undefined for
   * a message that does not wait to be worked off: it is done, given up, or rests.
   */
  readonly countAttempt: (id: InboxId) => Promise<number | undefined>;
  /** An orderly shutdown is not the message's fault. */
  readonly forgiveAttempt: (id: InboxId) => Promise<void>;
  /** What was still asked about it is asked no longer: the answer could not be heeded any more. */
  readonly settle: (
    id: InboxId,
    status: Extract<InboxStatus, 'done' | 'failed'>,
    at: Temporal.Instant,
    errorId?: string,
  ) => Promise<void>;
  /**
   * The message rests until a person has decided. False where nothing is asked about it any more, and it stays
   * what it is.
   */
  readonly suspend: (id: InboxId) => Promise<boolean>;
  readonly get: (id: InboxId) => Promise<InboxEntry | undefined>;
  /** What still has to be worked off, in the order of acceptance. Not what waits for a decision. */
  readonly pending: () => Promise<readonly InboxEntry[]>;
}

const decodeMessage = (text: string): InboundMessage => {
  const raw = JSON.parse(text) as Omit<InboundMessage, 'timestamp'> & { readonly timestamp: string };
  return { ...raw, timestamp: Temporal.Instant.from(raw.timestamp) };
};

const eventColumns = (event: EventKey) => ({
  channel_id: event.channelId,
  account_id: event.accountId,
  chat_id: event.chatId,
  event_id: event.id,
});

const toEntry = (row: Selectable<Database['inbox']>): InboxEntry => ({
  id: asId<InboxId>(row.id),
  message: decodeMessage(row.message),
  match: { agentId: asId<AgentId>(row.agent_id), matchedBy: row.matched_by as BindingMatch['matchedBy'] },
  sessionKey: asId<SessionKey>(row.session_key),
});

/**
 * Holds the row until the transaction ends, on both databases. Without it, PostgreSQL would judge by what
 * other tables were when the statement began, and a decision that falls just then would be missed.
 */
export const lockMessage = async (tx: Transaction<Database>, id: string): Promise<void> => {
  await tx
    .updateTable('inbox')
    .set((column) => ({ attempts: column.ref('attempts') }))
    .where('id', '=', id)
    .execute();
};

export const createInbox = (db: Kysely<Database>): Inbox => ({
  accept: async (entry, at) => {
    const inserted = await db
      .insertInto('inbox')
      .values({
        id: entry.id,
        ...eventColumns(entry.message),
        session_key: entry.sessionKey,
        agent_id: entry.match.agentId,
        matched_by: entry.match.matchedBy,
        sender_id: entry.message.senderId,
        message: JSON.stringify(entry.message),
        status: 'pending',
        attempts: 0,
        accepted_at: toStoredTime(at),
      })
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'account_id', 'chat_id', 'event_id']).doNothing(),
      )
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n ? 'accepted' : 'duplicate';
  },

  isKnown: async (event) => {
    const columns = eventColumns(event);
    const row = await db
      .selectFrom('inbox')
      .select('id')
      .where((is) => is.and(columns))
      .executeTakeFirst();
    return row !== undefined;
  },

  countAttempt: async (id) => {
    const row = await db
      .updateTable('inbox')
      .set((column) => ({ attempts: column('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .returning('attempts')
      .executeTakeFirst();
    return row?.attempts;
  },

  forgiveAttempt: async (id) => {
    await db
      .updateTable('inbox')
      .set((column) => ({ attempts: column('attempts', '-', 1) }))
      .where('id', '=', id)
      .execute();
  },

  settle: (id, status, at, errorId) =>
    db.transaction().execute(async (tx) => {
      await tx
        .updateTable('inbox')
        .set({ status, settled_at: toStoredTime(at), error_id: errorId ?? null })
        .where('id', '=', id)
        .execute();
      await tx
        .updateTable('approvals')
        .set({ status: 'denied', decided_by: 'end of the message', decided_at: toStoredTime(at) })
        .where('inbox_id', '=', id)
        .where('status', '=', 'pending')
        .execute();
    }),

  suspend: (id) =>
    db.transaction().execute(async (tx) => {
      await lockMessage(tx, id);
      const { numUpdatedRows } = await tx
        .updateTable('inbox')
        .set({ status: 'suspended' })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .where('id', 'in', (is) =>
          is
            .selectFrom('approvals')
            .select('inbox_id')
            .where('inbox_id', '=', id)
            .where('status', '=', 'pending'),
        )
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),

  get: async (id) => {
    const row = await db.selectFrom('inbox').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toEntry(row);
  },

  pending: async () => {
    const rows = await db
      .selectFrom('inbox')
      .selectAll()
      .where('status', '=', 'pending')
      .orderBy('id')
      .execute();
    return rows.map(toEntry);
  },
});
