import type { Selectable, Transaction } from 'kysely';
import type { Approval, ApprovalStore, DecisionOutcome, GivenUp } from '#src/kernel/agent/approval-store.ts';
import {
  type ApprovalId,
  asId,
  type ChannelId,
  type InboxId,
  type MessageId,
  type SessionKey,
  type TurnId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { MsgContext, ReplyTarget } from '#src/kernel/chat/message.ts';
import { recordAudit } from '#src/people/store/audit.ts';
import { lockMessage } from './inbox.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { type Database, type Reads, toStoredTime } from '#src/platform/storage/schema.ts';

export const toApproval = (row: Selectable<Database['approvals']>): Approval => ({
  id: asId<ApprovalId>(row.id),
  inboxId: asId<InboxId>(row.inbox_id),
  turnId: asId<TurnId>(row.turn_id),
  callId: row.call_id,
  sessionKey: asId<SessionKey>(row.session_key),
  channelId: asId<ChannelId>(row.channel_id),
  askedBy: asId<UserId>(row.asked_by),
  requesterName: row.asker_name ?? undefined,
  toolName: row.tool_name,
  inputHash: row.input_hash,
  summary: row.summary,
  reason: row.reason,
  locale: row.locale,
  target: JSON.parse(row.target) as ReplyTarget,
  status: row.status,
  decidedBy: row.decided_by ?? undefined,
  createdAt: Temporal.Instant.from(row.created_at),
  expiresAt: Temporal.Instant.from(row.expires_at),
  ...(row.message_id === null ? {} : { messageId: asId<MessageId>(row.message_id) }),
});

const pendingRow = (approval: Omit<Approval, 'status' | 'decidedBy'>) => ({
  id: approval.id,
  inbox_id: approval.inboxId,
  turn_id: approval.turnId,
  call_id: approval.callId,
  session_key: approval.sessionKey,
  channel_id: approval.channelId,
  asked_by: approval.askedBy,
  asker_name: approval.requesterName ?? null,
  tool_name: approval.toolName,
  input_hash: approval.inputHash,
  summary: approval.summary,
  reason: approval.reason,
  locale: approval.locale,
  target: JSON.stringify(approval.target),
  status: 'pending' as const,
  created_at: toStoredTime(approval.createdAt),
  expires_at: toStoredTime(approval.expiresAt),
});

const findOfCall = (db: Reads, turnId: TurnId, callId: string) =>
  db.selectFrom('approvals').selectAll().where('turn_id', '=', turnId).where('call_id', '=', callId);

export const findPending = (db: Reads) =>
  db
    .selectFrom('approvals')
    .selectAll('approvals')
    .innerJoin('inbox', 'inbox.id', 'approvals.inbox_id')
    .where('approvals.status', '=', 'pending')
    .where('inbox.status', '=', 'suspended')
    .orderBy('approvals.created_at')
    .orderBy('approvals.id');

/** Suspended messages, and with `isDecidedToo` also decided ones that have not continued yet. */
const findResting = (tx: Reads, sessionKey: SessionKey, which: GivenUp) => {
  const { askedBy, before, isDecidedToo = false } = which;
  return tx
    .selectFrom('inbox')
    .innerJoin('turns', 'turns.inbox_id', 'inbox.id')
    .select('inbox.id')
    .where('inbox.session_key', '=', sessionKey)
    .where('inbox.status', 'in', isDecidedToo ? ['suspended', 'pending'] : ['suspended'])
    .where('turns.status', '=', 'suspended')
    .$if(askedBy !== undefined, (query) => query.where('inbox.sender_id', '=', askedBy ?? ''))
    .$if(before !== undefined, (query) =>
      query
        .where('inbox.id', '<', before ?? '')
        // A message that was written before the question was asked does not cancel it.
        .where('inbox.id', 'in', (asked) =>
          asked
            .selectFrom('approvals')
            .select('approvals.inbox_id')
            .whereRef('approvals.created_at', '<=', (newer) =>
              newer
                .selectFrom('inbox as newer')
                .select('newer.accepted_at')
                .where('newer.id', '=', before ?? ''),
            ),
        ),
    )
    .orderBy('inbox.id');
};

/** Ends suspended messages and their turns. The rows must be locked. */
const endResting = async (tx: Transaction<Database>, inboxIds: readonly string[], at: string) => {
  const resting = await tx
    .updateTable('inbox')
    .set({ status: 'done', settled_at: at })
    .where('id', 'in', inboxIds)
    .where('status', 'in', ['suspended', 'pending'])
    .returning('id')
    .execute();
  if (resting.length === 0) return;
  const ids = resting.map((row) => row.id);
  await tx
    .updateTable('turns')
    .set({ status: 'failed', ended_at: at })
    .where('inbox_id', 'in', ids)
    .where('status', 'in', ['open', 'suspended'])
    .execute();
};

const olderFirst = (a: Approval, b: Approval): number =>
  Temporal.Instant.compare(a.createdAt, b.createdAt) || (a.id < b.id ? -1 : 1);

export const createApprovalStore = ({
  db,
  write,
  codes,
}: Pick<Storage, 'db' | 'write' | 'codes'>): ApprovalStore => ({
  request: (approval) =>
    write(async (tx) => {
      await tx
        .insertInto('approvals')
        .values(pendingRow(approval))
        .onConflict((conflict) => conflict.columns(['turn_id', 'call_id']).doNothing())
        .execute();
      return toApproval(await findOfCall(tx, approval.turnId, approval.callId).executeTakeFirstOrThrow());
    }),

  get: async (id) => {
    const row = await db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toApproval(row);
  },

  askedIn: (id, messageId) =>
    write(async (tx) => {
      await tx.updateTable('approvals').set({ message_id: messageId }).where('id', '=', id).execute();
    }),

  ofCall: async (turnId, callId) => {
    const row = await findOfCall(db, turnId, callId).executeTakeFirst();
    return row && toApproval(row);
  },

  heardIn: async (inboxId) => {
    const rows = await db
      .selectFrom('inbox')
      .select('message')
      .where((is) =>
        is.or([is('id', '=', inboxId), is.and([is('taken_by', '=', inboxId), is('status', '=', 'merged')])]),
      )
      .orderBy('id')
      .execute();
    const words = rows.flatMap(({ message }) => {
      const { media = [] } = JSON.parse(message) as Pick<MsgContext, 'media'>;
      return media.flatMap(({ isVoice, words = '' }) => (isVoice && words !== '' ? [words] : []));
    });
    return words.length > 0 ? words.join('\n\n') : undefined;
  },

  decide: (id, status, by, at, operator) =>
    write(async (tx): Promise<DecisionOutcome> => {
      const asked = await tx
        .selectFrom('approvals')
        .select('inbox_id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (!asked) return { outcome: 'too-late' };
      // Without the lock, two decisions at once could each take the other for undecided.
      await lockMessage(tx, asked.inbox_id);
      if (!(await findPending(tx).where('approvals.id', '=', id).executeTakeFirst()))
        return { outcome: 'too-late' };
      const { numUpdatedRows } = await tx
        .updateTable('approvals')
        .set({ status, decided_by: by, decided_at: toStoredTime(at) })
        .where('id', '=', id)
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return { outcome: 'too-late' };
      if (operator) {
        const action = status === 'approved' ? 'approval-approve' : 'approval-deny';
        await recordAudit(tx, codes, action, operator, { approval: id }, at);
      }
      const other = await findPending(tx).where('approvals.inbox_id', '=', asked.inbox_id).executeTakeFirst();
      if (other) return { outcome: 'recorded', isLast: false };
      await tx
        .updateTable('inbox')
        .set({ status: 'pending', attempts: 0, settled_at: null })
        .where('id', '=', asked.inbox_id)
        .where('status', '=', 'suspended')
        .execute();
      return { outcome: 'recorded', isLast: true };
    }),

  start: (id) =>
    write(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('approvals')
        .set({ status: 'started' })
        .where('id', '=', id)
        .where('status', '=', 'approved')
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),

  pending: async (sessionKey) => {
    const all = findPending(db);
    const rows = await (
      sessionKey === undefined ? all : all.where('approvals.session_key', '=', sessionKey)
    ).execute();
    return rows.map(toApproval);
  },

  giveUp: async (sessionKey, which, by, at) => {
    // This runs before every turn and nearly always finds nothing, so it first looks without a transaction.
    const found = await findResting(db, sessionKey, which).execute();
    if (found.length === 0) return [];
    return write(async (tx) => {
      for (const { id } of found) await lockMessage(tx, id);
      // Read again under the locks: a decision may have been made, or its run may have begun.
      const ids = (await findResting(tx, sessionKey, which).execute()).map(({ id }) => id);
      if (ids.length === 0) return [];
      const denied = await tx
        .updateTable('approvals')
        .set({ status: 'denied', decided_by: by, decided_at: toStoredTime(at) })
        .where('inbox_id', 'in', ids)
        // A call that has started keeps its status.
        .where('status', 'in', ['pending', 'approved'])
        .returningAll()
        .execute();
      await endResting(tx, ids, toStoredTime(at));
      return denied.map(toApproval).toSorted(olderFirst);
    });
  },
});
