import type { Kysely } from 'kysely';
import type { Verdict } from '#src/kernel/feedback.ts';
import { countLabel, olderThanLimit, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    feedback: FeedbackTable;
  }
}

/** What each person thinks of each answer. */
interface FeedbackTable {
  /** The message that was answered. It may be removed before the verdict. */
  answer_id: string;
  channel_id: string;
  /** Whoever pressed the button, which may be another person than the one who asked. */
  user_id: string;
  session_key: string;
  verdict: Verdict;
  /** Null if it is not known which model answered. */
  provider: string | null;
  model: string | null;
  at: string;
}

export const feedbackTables: readonly TableDescriptor[] = [
  table<FeedbackTable>({
    name: 'feedback',
    key: ['answer_id', 'channel_id', 'user_id'],
    owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
    counted: { as: 'verdicts' },
    labels: [
      countLabel(
        'verdicts',
        { title: 'Your ratings of my answers', one: 'rating of my answers', many: 'ratings of my answers' },
        { title: '내가 남긴 답변 평가', unit: '개' },
      ),
    ],
    exported: {
      as: 'feedback',
      order: ['at', 'answer_id'],
      row: ({ at, verdict, provider, model }) => ({ at, verdict, provider, model }),
    },
    erased: 'delete',
    kept: olderThanLimit('at'),
  }),
];

/** Makes the tables of feedback. */
export const createFeedbackTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('feedback')
    .addColumn('answer_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('session_key', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('provider', 'text')
    .addColumn('model', 'text')
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('feedback_pk', ['answer_id', 'channel_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('feedback_of_person')
    .on('feedback')
    .columns(['channel_id', 'user_id'])
    .execute();
};
