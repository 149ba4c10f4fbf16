import type { Verdict } from '#src/kernel/chat/feedback.ts';
import { countLabel, olderThanLimit, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { defineTable, nullable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    feedback: RowOf<typeof feedbackForm>;
  }
}

/** What each person thinks of each answer. */
const feedbackForm = defineTable(
  'feedback',
  {
    /** The message that was answered. It may be removed before the verdict. */
    answer_id: text(),
    channel_id: text(),
    /** Whoever pressed the button, which may be another person than the one who asked. */
    user_id: text(),
    session_key: text(),
    verdict: text<Verdict>(),
    /** Null if it is not known which model answered. */
    provider: nullable(text()),
    model: nullable(text()),
    at: text(),
  },
  {
    key: ['answer_id', 'channel_id', 'user_id'],
    indexes: {
      feedback_of_person: ['channel_id', 'user_id'],
    },
  },
);

export const feedbackTables: readonly TableDescriptor[] = [
  table(feedbackForm, {
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
