import type { Selectable, Transaction } from 'kysely';
import { type AgentId, asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import type { BindingMatch } from '#src/kernel/stage.ts';
import type { Storage } from '../database.ts';
import { type Database, type InboxStatus, toStoredTime } from '../schema.ts';
import { LIVE } from '../tables/messages.ts';

/** A message that has been taken on, with where it was routed to. */
export interface InboxEntry {
  readonly id: InboxId;
  readonly message: InboundMessage;
  readonly match: BindingMatch;
  readonly sessionKey: SessionKey;
}

export interface BegunWork {
  readonly entry: InboxEntry;
  /** With this one. */
  readonly attempts: number;
  /** Those that became part of the turn just now. */
  readonly joined: readonly InboxEntry[];
  /** All that are part of the turn beside `entry`, in order. */
  readonly merged: readonly InboxEntry[];
}

type EventKey = Pick<InboundMessage, 'channelId' | 'accountId' | 'chatId' | 'id'>;

export interface Inbox {
  /** Durable when it resolves. `duplicate`: the platform's event was accepted before, nothing was written. */
  readonly accept: (entry: InboxEntry, at: Temporal.Instant) => Promise<'accepted' | 'duplicate'>;
  /** Also of what its sender had erased since. */
  readonly isKnown: (event: EventKey) => Promise<boolean>;
  /**
   * The work begins: the attempt is counted first, so that a message that brings the process down is noticed.
   * At the first attempt those of `candidates` that still wait become part of its turn; a turn that was begun
   * before is gone on with as it was. Undefined for a message that does not wait to be worked off.
   */
  readonly begin: (
    id: InboxId,
    candidates: readonly InboxId[],
    at: Temporal.Instant,
  ) => Promise<BegunWork | undefined>;
  /** Makes messages that wait part of a turn that runs. Gives those that were, in order. */
  readonly merge: (
    ids: readonly InboxId[],
    into: InboxId,
    at: Temporal.Instant,
  ) => Promise<readonly InboxEntry[]>;
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
  readonly counts: () => Promise<{ readonly pending: number; readonly suspended: number }>;
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

export const toEntry = (row: Selectable<Database['inbox']>): InboxEntry => ({
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

/**
 * Not begun: nothing of it is in a transcript or on its way to the platform, and no other message is part of its
 * turn.
 */
export const stillWaits = (tx: Transaction<Database>, ids: readonly string[]) =>
  tx
    .selectFrom('inbox')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'pending')
    .where('attempts', '=', 0)
    .where('id', 'not in', (others) =>
      others
        .selectFrom('inbox as other')
        .select((other) => other.ref('other.taken_by').$notNull().as('id'))
        .where('other.taken_by', 'in', ids)
        .where('other.status', '=', 'merged'),
    )
    .where('id', 'not in', (turns) =>
      turns.selectFrom('turns').select('inbox_id').where('inbox_id', 'in', ids),
    );

const mergeInto = async (tx: Transaction<Database>, ids: readonly InboxId[], into: InboxId, at: string) => {
  if (ids.length === 0) return [];
  const merged = await tx
    .updateTable('inbox')
    .set({ status: 'merged', taken_by: into, settled_at: at })
    .where('id', 'in', stillWaits(tx, ids))
    .returningAll()
    .execute();
  return merged.map(toEntry).toSorted(inOrder);
};

/** A shutdown and a decision forgive attempts: only what has been written tells whether the work was begun before. */
const isBegun = async (tx: Transaction<Database>, id: InboxId): Promise<boolean> => {
  const turn = await tx.selectFrom('turns').select('id').where('inbox_id', '=', id).executeTakeFirst();
  const part = await tx.selectFrom('outbox').select('id').where('inbox_id', '=', id).executeTakeFirst();
  return (turn ?? part) !== undefined;
};

const inOrder = (a: InboxEntry, b: InboxEntry): number => (a.id < b.id ? -1 : 1);

export const createInbox = ({ db, write, codes }: Pick<Storage, 'db' | 'write' | 'codes'>): Inbox => ({
  accept: (entry, at) =>
    write(async (tx) => {
      const inserted = await tx
        .insertInto('inbox')
        .values({
          id: entry.id,
          ...eventColumns(entry.message),
          message_id: entry.message.messageId,
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
    }),

  isKnown: async (event) => {
    const columns = eventColumns(event);
    const row = await db
      .selectFrom('inbox')
      .select('id')
      .where((is) => is.and(columns))
      .executeTakeFirst();
    if (row) return true;
    const erased = await db
      .selectFrom('erased_events')
      .select('event_hash')
      .where('event_hash', '=', codes.event(columns))
      .executeTakeFirst();
    return erased !== undefined;
  },

  begin: (id, candidates, at) =>
    write(async (tx) => {
      const row = await tx
        .updateTable('inbox')
        .set((column) => ({ attempts: column('attempts', '+', 1) }))
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      const { attempts } = row;
      const isFresh = attempts === 1 && candidates.length > 0 && !(await isBegun(tx, id));
      const joined = isFresh ? await mergeInto(tx, candidates, id, toStoredTime(at)) : [];
      const before = await tx
        .selectFrom('inbox')
        .selectAll()
        .where('taken_by', '=', id)
        .where('status', '=', 'merged')
        .orderBy('id')
        .execute();
      return { entry: toEntry(row), attempts, joined, merged: before.map(toEntry) };
    }),

  merge: (ids, into, at) => write((tx) => mergeInto(tx, ids, into, toStoredTime(at))),

  forgiveAttempt: (id) =>
    write(async (tx) => {
      await tx
        .updateTable('inbox')
        .set((column) => ({ attempts: column('attempts', '-', 1) }))
        .where('id', '=', id)
        .execute();
    }),

  settle: (id, status, at, errorId) =>
    write(async (tx) => {
      await tx
        .updateTable('inbox')
        .set({ status, settled_at: toStoredTime(at), error_id: errorId ?? null })
        .where('id', '=', id)
        // What took its place has been answered for it.
        .where('status', 'in', LIVE)
        .execute();
      await tx
        .updateTable('approvals')
        .set({ status: 'denied', decided_by: 'end of the message', decided_at: toStoredTime(at) })
        .where('inbox_id', '=', id)
        .where('status', '=', 'pending')
        .execute();
    }),

  suspend: (id) =>
    write(async (tx) => {
      await lockMessage(tx, id);
      const { numUpdatedRows } = await tx
        .updateTable('inbox')
        .set({ status: 'suspended' })
        .where('id', '=', id)
        // Also where it rests already: an attempt before this one may have been recorded, and its answer lost.
        .where('status', 'in', LIVE)
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

  counts: async () => {
    const rows = await db
      .selectFrom('inbox')
      .select(({ fn }) => ['status', fn.countAll().as('count')])
      .where('status', 'in', LIVE)
      .groupBy('status')
      .execute();
    const countOf = (status: InboxStatus): number =>
      Number(rows.find((row) => row.status === status)?.count ?? 0);
    return { pending: countOf('pending'), suspended: countOf('suspended') };
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

/** The conversations with a message that is not at its end. */
export const liveSessions = async ({ db }: Pick<Storage, 'db'>): Promise<ReadonlySet<SessionKey>> => {
  const rows = await db
    .selectFrom('inbox')
    .select('session_key')
    .distinct()
    .where('status', 'in', LIVE)
    .execute();
  return new Set(rows.map((row) => asId<SessionKey>(row.session_key)));
};
