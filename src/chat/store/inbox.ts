import { type Selectable, sql, type SqlBool, type Transaction } from 'kysely';
import { type AgentId, asId, type InboxId, type SessionKey } from '#src/kernel/ids.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import type { BindingMatch } from '#src/kernel/chat/stage.ts';
import type { EventColumns } from '#src/platform/storage/person-codes.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import { LIVE, type InboxStatus } from './tables.ts';
import { cut } from '#src/kernel/text.ts';

/**
 * What the attempts of a message begin with that a restored backup holds without an answer. It may have been answered
 * after the backup was made, so it is not answered again.
 */
export const RESTORED_ATTEMPTS = 1_000;

export interface BegunWork {
  readonly entry: InboxEntry;
  /** The number of attempts, this one included. */
  readonly attempts: number;
  /** Messages that became part of the turn just now. */
  readonly joined: readonly InboxEntry[];
  /** All messages of the turn except `entry`, in order. */
  readonly merged: readonly InboxEntry[];
  /** Whether a turn of the conversation waits for a decision. */
  readonly hasSuspended: boolean;
}

type EventKey = Pick<MsgContext, 'channelId' | 'accountId' | 'chatId' | 'id'>;

export interface Inbox {
  /** Durable when it resolves. `duplicate`: the platform's event was accepted before, nothing was written. */
  readonly accept: (entry: InboxEntry, at: Temporal.Instant) => Promise<'accepted' | 'duplicate'>;
  /** Whether the event was accepted before, also if its sender has had it erased since. */
  readonly isKnown: (event: EventKey) => Promise<boolean>;
  /**
   * Begins an attempt. It is counted first, so that a message that crashes the process is noticed. At the first attempt,
   * those of `candidates` that still wait become part of its turn; a turn that was begun before continues as it was.
   * Undefined for a message that is not pending.
   */
  readonly begin: (
    id: InboxId,
    candidates: readonly InboxId[],
    at: Temporal.Instant,
  ) => Promise<BegunWork | undefined>;
  /** Makes waiting messages part of a running turn. Gives those that were merged, in order. */
  readonly merge: (
    ids: readonly InboxId[],
    into: InboxId,
    at: Temporal.Instant,
  ) => Promise<readonly InboxEntry[]>;
  /** Takes an attempt back, because an orderly shutdown is not the message's fault. */
  readonly forgiveAttempt: (id: InboxId) => Promise<void>;
  /**
   * Ends a message. Resolves when it is committed: after a power cut, what is known of its answer ends it again. Its
   * undecided approvals are denied, because a decision could no longer take effect.
   */
  readonly settle: (
    id: InboxId,
    status: Extract<InboxStatus, 'done' | 'failed'>,
    at: Temporal.Instant,
    errorId?: string,
  ) => Promise<void>;
  readonly forgetWords: ReturnType<typeof createForgetWords>;
  /** Suspends the message until a person has decided. False, without a change, where no approval of it is pending. */
  readonly suspend: (id: InboxId) => Promise<boolean>;
  readonly get: (id: InboxId) => Promise<InboxEntry | undefined>;
  readonly counts: () => Promise<{ readonly pending: number; readonly suspended: number }>;
  /** Messages that are still to be answered, in the order of acceptance, without suspended ones. */
  readonly pending: () => Promise<readonly InboxEntry[]>;
  /** Superseded messages whose live message is still there, because the process ended before it was removed. */
  readonly supersededWhileShown: (sessionKey?: SessionKey) => Promise<readonly InboxEntry[]>;
}

const decodeMessage = (text: string): MsgContext => {
  const raw = JSON.parse(text) as Omit<MsgContext, 'timestamp'> & { readonly timestamp: string };
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

/** SQLite gives 0 or 1. */
const IS_PLANNED = sql<SqlBool>`exists (select 1 from outbox where outbox.inbox_id = inbox.id)`.as(
  'is_planned',
);

const LOCK = prepared<{ readonly id: string }>()((db, value) =>
  db
    .updateTable('inbox')
    .set((column) => ({ attempts: column.ref('attempts') }))
    .where('id', '=', value('id'))
    .returning(['status', IS_PLANNED]),
);

/**
 * Locks the row until the transaction ends, on both databases. Without it, PostgreSQL would read other tables as of the
 * beginning of the statement and miss a decision that is made at that moment. Gives undefined if the row is gone.
 */
export const lockMessage = (
  tx: Transaction<Database>,
  id: string,
): Promise<{ readonly status: InboxStatus; readonly is_planned: SqlBool } | undefined> =>
  LOCK.first(tx, { id });

/**
 * Selects the messages whose work has not begun: they have no turn, and no other message was merged into them. Lock them
 * first: otherwise PostgreSQL would not notice that their work begins at this moment.
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
  for (const id of ids.toSorted()) await lockMessage(tx, id);
  const merged = await tx
    .updateTable('inbox')
    .set({ status: 'merged', taken_by: into, settled_at: at })
    .where('id', 'in', stillWaits(tx, ids))
    .returningAll()
    .execute();
  return merged.map(toEntry).toSorted(inOrder);
};

/** Whether work on the message has begun. Attempts do not tell, because a shutdown and a decision reset them. */
const isBegun = async (tx: Transaction<Database>, id: InboxId): Promise<boolean> => {
  const turn = await tx.selectFrom('turns').select('id').where('inbox_id', '=', id).executeTakeFirst();
  const part = await tx.selectFrom('outbox').select('id').where('inbox_id', '=', id).executeTakeFirst();
  return (turn ?? part) !== undefined;
};

/** SQLite gives 0 or 1. */
const HAS_MERGED = sql<SqlBool>`exists (
  select 1 from inbox as other where other.taken_by = inbox.id and other.status = 'merged')`.as('has_merged');
const HAS_SUSPENDED = sql<SqlBool>`exists (
  select 1 from turns where turns.session_key = inbox.session_key and turns.status = 'suspended')`.as(
  'has_suspended',
);

const HAS_UNDECIDED = sql<SqlBool>`exists (
  select 1 from approvals where approvals.inbox_id = inbox.id and approvals.status = 'pending')`.as(
  'has_undecided',
);

interface NewMessage extends EventColumns {
  readonly id: string;
  readonly message_id: string;
  readonly session_key: string;
  readonly agent_id: string;
  readonly matched_by: string;
  readonly sender_id: string;
  readonly message: string;
  readonly accepted_at: string;
}

const ACCEPT = prepared<NewMessage>()((db, value) =>
  db
    .insertInto('inbox')
    .values({
      id: value('id'),
      channel_id: value('channel_id'),
      account_id: value('account_id'),
      chat_id: value('chat_id'),
      event_id: value('event_id'),
      message_id: value('message_id'),
      session_key: value('session_key'),
      agent_id: value('agent_id'),
      matched_by: value('matched_by'),
      sender_id: value('sender_id'),
      message: value('message'),
      status: 'pending',
      attempts: 0,
      accepted_at: value('accepted_at'),
    })
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'account_id', 'chat_id', 'event_id']).doNothing(),
    ),
);

const FIND_EVENT = prepared<EventColumns & { readonly event_hash: string }>()((db, value) =>
  db
    .selectFrom('inbox')
    .select('id')
    .where('channel_id', '=', value('channel_id'))
    .where('account_id', '=', value('account_id'))
    .where('chat_id', '=', value('chat_id'))
    .where('event_id', '=', value('event_id'))
    .unionAll(
      db.selectFrom('erased_events').select('event_hash as id').where('event_hash', '=', value('event_hash')),
    ),
);

const BEGIN = prepared<{ readonly id: string }>()((db, value) =>
  db
    .updateTable('inbox')
    .set((column) => ({ attempts: column('attempts', '+', 1) }))
    .where('id', '=', value('id'))
    .where('status', '=', 'pending')
    .returningAll()
    // Both are nearly always false, and then save a query.
    .returning([HAS_MERGED, HAS_SUSPENDED]),
);

interface Settled {
  readonly id: string;
  readonly status: InboxStatus;
  readonly settled_at: string;
  readonly error_id: string | null;
}

const SETTLE = prepared<Settled>()((db, value) =>
  db
    .updateTable('inbox')
    .set({ status: value('status'), settled_at: value('settled_at'), error_id: value('error_id') })
    .where('id', '=', value('id'))
    // A merged or superseded message keeps its status.
    .where('status', 'in', LIVE)
    .returning(HAS_UNDECIDED),
);

const mergedInto = async (tx: Transaction<Database>, id: InboxId): Promise<readonly InboxEntry[]> => {
  const rows = await tx
    .selectFrom('inbox')
    .selectAll()
    .where('taken_by', '=', id)
    .where('status', '=', 'merged')
    .orderBy('id')
    .execute();
  return rows.map(toEntry);
};

const inOrder = (a: InboxEntry, b: InboxEntry): number => (a.id < b.id ? -1 : 1);

export const createInbox = ({ db, write, codes }: Pick<Storage, 'db' | 'write' | 'codes'>): Inbox => ({
  accept: (entry, at) =>
    write(async (tx) => {
      const { numAffectedRows } = await ACCEPT.run(tx, {
        id: entry.id,
        ...eventColumns(entry.message),
        message_id: entry.message.messageId,
        session_key: entry.sessionKey,
        agent_id: entry.match.agentId,
        matched_by: entry.match.matchedBy,
        sender_id: entry.message.senderId,
        message: JSON.stringify(entry.message),
        accepted_at: toStoredTime(at),
      });
      return numAffectedRows === 1n ? 'accepted' : 'duplicate';
    }),

  isKnown: async (event) => {
    const columns = eventColumns(event);
    const row = await FIND_EVENT.first(db, { ...columns, event_hash: codes.event(columns) });
    return row !== undefined;
  },

  begin: (id, candidates, at) =>
    write(async (tx) => {
      const row = await BEGIN.first(tx, { id });
      if (!row) return undefined;
      const { attempts } = row;
      const isFresh = attempts === 1 && candidates.length > 0 && !(await isBegun(tx, id));
      const joined = isFresh ? await mergeInto(tx, candidates, id, toStoredTime(at)) : [];
      const merged = joined.length > 0 || row.has_merged ? await mergedInto(tx, id) : [];
      return { entry: toEntry(row), attempts, joined, merged, hasSuspended: Boolean(row.has_suspended) };
    }, 'committed'),

  merge: (ids, into, at) => write((tx) => mergeInto(tx, ids, into, toStoredTime(at))),

  forgiveAttempt: (id) =>
    write(async (tx) => {
      await tx
        .updateTable('inbox')
        .set((column) => ({ attempts: column('attempts', '-', 1), was_parked: 1 }))
        .where('id', '=', id)
        .execute();
    }),

  settle: (id, status, at, errorId) =>
    write(async (tx) => {
      const settled = await SETTLE.first(tx, {
        id,
        status,
        settled_at: toStoredTime(at),
        error_id: errorId ?? null,
      });
      if (settled && !settled.has_undecided) return;
      await tx
        .updateTable('approvals')
        .set({ status: 'denied', decided_by: 'end of the message', decided_at: toStoredTime(at) })
        .where('inbox_id', '=', id)
        .where('status', '=', 'pending')
        .execute();
    }, 'committed'),

  forgetWords: createForgetWords({ write }),

  suspend: (id) =>
    write(async (tx) => {
      await lockMessage(tx, id);
      const { numUpdatedRows } = await tx
        .updateTable('inbox')
        .set({ status: 'suspended' })
        .where('id', '=', id)
        // The message may be suspended already: an earlier call may have succeeded although its result was lost.
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

  supersededWhileShown: async (sessionKey) => {
    const found = db
      .selectFrom('inbox')
      .innerJoin('live_messages', 'live_messages.inbox_id', 'inbox.id')
      .selectAll('inbox')
      .where('inbox.status', '=', 'superseded')
      .orderBy('inbox.id');
    const rows = await (
      sessionKey === undefined ? found : found.where('inbox.session_key', '=', sessionKey)
    ).execute();
    return rows.map(toEntry);
  },
});

const KEPT_CHARS = 200;

/** Keeps no more than the first words of an answered command: pasted rows are in the portfolio by then. */
const createForgetWords =
  ({ write }: Pick<Storage, 'write'>) =>
  async ({ id, message }: { readonly id: InboxId; readonly message: MsgContext }): Promise<void> => {
    if (message.body.length <= KEPT_CHARS) return;
    const kept = JSON.stringify({ ...message, body: cut(message.body, KEPT_CHARS) });
    await write(async (tx) => {
      await tx
        .updateTable('inbox')
        .set({ message: kept })
        .where('id', '=', id)
        .where('status', '=', 'done')
        .execute();
    });
  };
