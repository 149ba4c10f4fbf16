import { asId, type ChannelId, type SessionKey, type Timestamp, type UserId } from '#src/kernel/ids.ts';
import type { Approval } from '#src/kernel/agent/approval-store.ts';
import type { InboxEntry } from '#src/kernel/chat/exchanges.ts';
import type { Choice, ReplyPayload } from '#src/kernel/chat/message.ts';
import { findPending, toApproval } from './approvals.ts';
import { toEntry } from './inbox.ts';
import { type Reads, toStoredTime } from '#src/platform/storage/schema.ts';

/** A message of a person, and the choices of its answer. */
export interface AnsweredMessage {
  readonly entry: InboxEntry;
  readonly acceptedAt: Temporal.Instant;
  /** The buttons below the answer; empty where it has none, or there is no answer yet. */
  readonly choices: readonly Choice[];
}

/** Looks up what the bot asked a person. It reads stored rows, so it survives a restart. */
export type OpenQuestions = ReturnType<typeof createOpenQuestions>;

const choicesIn = (payload: string): readonly Choice[] => (JSON.parse(payload) as ReplyPayload).choices ?? [];

export const createOpenQuestions = (db: Reads) => ({
  /** Undecided approvals of this person in all conversations, the oldest first. */
  approvalsOf: async (channelId: ChannelId, userId: UserId): Promise<readonly Approval[]> => {
    const rows = await findPending(db)
      .where('approvals.channel_id', '=', channelId)
      .where('approvals.asked_by', '=', userId)
      .execute();
    return rows.map(toApproval);
  },

  /** The newest approval of this person in a conversation, decided or not. */
  lastApprovalOf: async (sessionKey: SessionKey, userId: UserId): Promise<Approval | undefined> => {
    const row = await db
      .selectFrom('approvals')
      .selectAll()
      .where('session_key', '=', sessionKey)
      .where('asked_by', '=', userId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toApproval(row);
  },

  /** The people of a conversation whose approvals were undecided at that time. */
  askedAt: async (sessionKey: SessionKey, at: Timestamp): Promise<readonly UserId[]> => {
    const rows = await db
      .selectFrom('approvals')
      .select('asked_by')
      .where('session_key', '=', sessionKey)
      .where('created_at', '<=', toStoredTime(at))
      .where((eb) => eb.or([eb('decided_at', 'is', null), eb('decided_at', '>=', toStoredTime(at))]))
      .execute();
    return rows.map((row) => asId<UserId>(row.asked_by));
  },

  /** The newest message of this person in a conversation. */
  lastMessageOf: async (sessionKey: SessionKey, userId: UserId): Promise<AnsweredMessage | undefined> => {
    const row = await db
      .selectFrom('inbox')
      .selectAll()
      .where('session_key', '=', sessionKey)
      .where('sender_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    const parts = await db
      .selectFrom('outbox')
      .select('payload')
      .where('inbox_id', '=', row.id)
      .orderBy('part_index')
      .execute();
    return {
      entry: toEntry(row),
      acceptedAt: Temporal.Instant.from(row.accepted_at),
      choices: parts.flatMap(({ payload }) => choicesIn(payload)),
    };
  },
});
