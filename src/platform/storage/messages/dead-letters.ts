import type { Selectable } from 'kysely';
import { asId, type ChannelId, type InboxId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import type { DeadLetter } from '#src/kernel/operations.ts';
import type { Storage } from '../database.ts';
import { type Database, toStoredTime } from '../schema.ts';

export interface DeadLetterRecord extends DeadLetter {
  readonly sessionKey: SessionKey;
  readonly senderId: UserId;
}

export interface DeadLetters {
  /** Adding the same message again changes nothing. */
  readonly add: (letter: DeadLetterRecord) => Promise<void>;
  readonly summary: (
    limit: number,
  ) => Promise<{ readonly count: number; readonly newest: readonly DeadLetter[] }>;
}

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
export const createDeadLetters = ({ db, write }: Pick<Storage, 'db' | 'write'>): DeadLetters => ({
  add: (letter) =>
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

  summary: async (limit) => {
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
