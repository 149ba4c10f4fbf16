import type { Selectable } from 'kysely';
import { asId, type ChannelId, type InboxId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import type { DeadLetter } from '#src/kernel/operations/status.ts';
import type { MsgContext, ReplyPayload } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { type AuditActor, recordAudit } from '#src/people/store/audit.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import type { InboxStatus } from './tables.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import { lockMessage } from './inbox.ts';

export interface DeadLetterRecord extends DeadLetter {
  readonly sessionKey: SessionKey;
  readonly senderId: UserId;
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

const MAX_REASON_CHARS = 200;

const toDeadLetter = (row: Selectable<Database['dead_letters']>): DeadLetter => ({
  inboxId: asId<InboxId>(row.inbox_id),
  channelId: asId<ChannelId>(row.channel_id),
  attempts: row.attempts,
  reason: row.reason,
  errorId: row.error_id,
  at: Temporal.Instant.from(row.at),
});

/** Messages that were given up after too many attempts, for the operator. */
export const createDeadLetters = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  /** Adding the same message again changes nothing. */
  add: (letter: DeadLetterRecord): Promise<void> =>
    write(async (tx) => {
      await tx
        .insertInto('dead_letters')
        .values({
          inbox_id: letter.inboxId,
          session_key: letter.sessionKey,
          channel_id: letter.channelId,
          sender_id: letter.senderId,
          attempts: letter.attempts,
          // The log has the full text. A cut may split a character of two units, which `toWellFormed` repairs.
          reason: letter.reason.slice(0, MAX_REASON_CHARS).toWellFormed(),
          error_id: letter.errorId,
          at: toStoredTime(letter.at),
        })
        .onConflict((conflict) => conflict.column('inbox_id').doNothing())
        .execute();
    }),

  summary: async (
    limit: number,
  ): Promise<{ readonly count: number; readonly newest: readonly DeadLetter[] }> => {
    const { count } = await db
      .selectFrom('dead_letters')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    const rows = await db
      .selectFrom('dead_letters')
      .selectAll()
      .orderBy('at', 'desc')
      .orderBy('inbox_id', 'desc')
      .limit(limit)
      .execute();
    return { count: Number(count), newest: rows.map(toDeadLetter) };
  },
});

const remove = async (tx: Tx, id: InboxId): Promise<{ readonly error_id: string } | undefined> =>
  tx.deleteFrom('dead_letters').where('inbox_id', '=', id).returning('error_id').executeTakeFirst();

/** How a message ends that is given up: `done` if the process was killed before it could settle it. */
const GIVEN_UP: ReadonlySet<InboxStatus> = new Set(['failed', 'done']);

/**
 * Forgets what was sent, so that it does not count as the answer. If the person was told that there is none, that notice
 * has taken the place of the live message, and the answer becomes a message of its own.
 */
const forgetSent = async (tx: Tx, id: InboxId): Promise<void> => {
  const parts = await tx
    .deleteFrom('outbox')
    .where('inbox_id', '=', id)
    .returning(['status', 'payload'])
    .execute();
  const isTold = parts.some(
    ({ status, payload }) => status === 'sent' && (JSON.parse(payload) as ReplyPayload).isClosing === true,
  );
  if (isTold) await tx.deleteFrom('live_messages').where('inbox_id', '=', id).execute();
};

/** The answer was given and not delivered, and the conversation has been reset since: there is nothing to deliver. */
const isAnswerGone = async (tx: Tx, id: InboxId): Promise<boolean> => {
  const turn = await tx
    .selectFrom('turns')
    .select(['id', 'session_key'])
    .where('inbox_id', '=', id)
    .where('status', '=', 'complete')
    .executeTakeFirst();
  if (!turn) return false;
  const entry = await tx
    .selectFrom('transcript_entries')
    .select('turn_id')
    .where('session_key', '=', turn.session_key)
    .where('turn_id', '=', turn.id)
    .where('state', 'in', ['current', 'compacted'])
    .executeTakeFirst();
  return entry === undefined;
};

/** Not if it was answered or purged meanwhile, deleted by its author, or if its answer went with a reset conversation. */
const isAnswerable = async (tx: Tx, id: InboxId, status: InboxStatus | undefined): Promise<boolean> => {
  if (status === undefined || !GIVEN_UP.has(status)) return false;
  const { message } = await tx
    .selectFrom('inbox')
    .select('message')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return (JSON.parse(message) as MsgContext).isDeleted !== true && !(await isAnswerGone(tx, id));
};

/** The actions of operators on dead letters. Each is in the audit log. */
export const createDeadLetterActions = ({ write, codes }: Pick<Storage, 'write' | 'codes'>) => ({
  /**
   * Makes the message pending again, as if nobody had tried to answer it; whoever calls it wakes the queue. The whole
   * answer is sent, also where parts of an earlier one have arrived. `gone`: the message was replayed, discarded or deleted
   * meanwhile, or its conversation was reset; it leaves the list.
   */
  replay: (id: InboxId, by: AuditActor, at: Temporal.Instant): Promise<'done' | 'gone'> =>
    write(async (tx) => {
      // The lock lets one of two operators win.
      const locked = await lockMessage(tx, id);
      // The message is just being given up.
      if (locked?.status === 'pending') return 'gone';
      const removed = await remove(tx, id);
      if (!removed) return 'gone';
      const details = { message: id, error: removed.error_id };
      if (!(await isAnswerable(tx, id, locked?.status))) {
        // The dead letter has left the list all the same.
        await recordAudit(tx, codes, 'message-discard', by, details, at);
        return 'gone';
      }
      await forgetSent(tx, id);
      // An open turn goes on where it broke off, and a complete one is only delivered. A failed one begins anew.
      await tx
        .updateTable('turns')
        .set({ id: newId(), status: 'open', ended_at: null })
        .where('inbox_id', '=', id)
        .where('status', '=', 'failed')
        .execute();
      await tx
        .updateTable('inbox')
        .set({ status: 'pending', attempts: 0, was_parked: 1, settled_at: null, error_id: null })
        .where('id', '=', id)
        .execute();
      await recordAudit(tx, codes, 'message-replay', by, details, at);
      return 'done';
    }),

  /** Takes the message off the list. */
  discard: (id: InboxId, by: AuditActor, at: Temporal.Instant): Promise<'done' | 'gone'> =>
    write(async (tx) => {
      const removed = await remove(tx, id);
      if (!removed) return 'gone';
      await recordAudit(tx, codes, 'message-discard', by, { message: id, error: removed.error_id }, at);
      return 'done';
    }),
});
