import type { RatedAnswer, Verdict } from '#src/kernel/chat/feedback.ts';
import { asId, type InboxId, type PersonRef, type SessionKey, type Timestamp } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import type { ExportedVerdict } from '#src/kernel/people/feedback.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';

interface StoredAnswer extends RatedAnswer {
  readonly sessionKey: SessionKey;
}

export interface FeedbackStore {
  /** An answer of this platform whose reader was asked. Undefined if it is unknown, or was removed. */
  readonly answer: (
    answerId: string,
    platform: Pick<PersonRef, 'channelId'>,
  ) => Promise<StoredAnswer | undefined>;
  /** Durable when it resolves. `same`: the person has said so before. */
  readonly record: (
    answer: StoredAnswer,
    verdict: Verdict,
    by: PersonRef,
    at: Timestamp,
  ) => Promise<'recorded' | 'same'>;
  /** All verdicts, in the order of their answers. */
  readonly all: () => AsyncGenerator<ExportedVerdict>;
}

const PAGE = 500;

const modelOf = ({ provider, model }: { readonly provider: string | null; readonly model: string | null }) =>
  provider === null || model === null ? {} : { provider, model };

export const createFeedbackStore = ({ db, write }: Pick<Storage, 'db' | 'write'>): FeedbackStore => ({
  answer: async (answerId, { channelId }) => {
    const parts = await db
      .selectFrom('outbox')
      .innerJoin('inbox', 'inbox.id', 'outbox.inbox_id')
      .select(['outbox.payload', 'inbox.session_key'])
      .where('outbox.inbox_id', '=', answerId)
      .where('inbox.channel_id', '=', channelId)
      .execute();
    for (const { payload, session_key: sessionKey } of parts) {
      const { rated } = JSON.parse(payload) as ReplyPayload;
      if (rated) return { ...rated, sessionKey: asId<SessionKey>(sessionKey) };
    }
    return undefined;
  },

  record: ({ answerId, sessionKey, provider = null, model = null }, verdict, { channelId, userId }, at) =>
    write(async (tx) => {
      const { numInsertedOrUpdatedRows = 0n } = await tx
        .insertInto('feedback')
        .values({
          answer_id: answerId,
          channel_id: channelId,
          user_id: userId,
          session_key: sessionKey,
          verdict,
          provider,
          model,
          at: toStoredTime(at),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['answer_id', 'channel_id', 'user_id'])
            .doUpdateSet({ verdict, at: toStoredTime(at) })
            .where('feedback.verdict', '<>', verdict),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n ? 'recorded' : 'same';
    }),

  all: async function* () {
    let last: readonly [string, string, string] = ['', '', ''];
    for (;;) {
      const [answerId, channelId, userId] = last;
      const rows = await db
        .selectFrom('feedback')
        .selectAll()
        .where((is) =>
          is(is.refTuple('answer_id', 'channel_id', 'user_id'), '>', is.tuple(answerId, channelId, userId)),
        )
        .orderBy('answer_id')
        .orderBy('channel_id')
        .orderBy('user_id')
        .limit(PAGE)
        .execute();
      for (const row of rows) {
        last = [row.answer_id, row.channel_id, row.user_id];
        yield {
          answerId: asId<InboxId>(row.answer_id),
          channel: row.channel_id,
          verdict: row.verdict,
          at: Temporal.Instant.from(row.at),
          ...modelOf(row),
        };
      }
      if (rows.length < PAGE) return;
    }
  },
});
