import { type SqlBool, sql } from 'kysely';
import { counted } from '#src/kernel/locale.ts';
import type { InboundMessage, ReplyPayload } from '#src/kernel/message.ts';
import type { EventColumns } from '../accounts/person-codes.ts';
import { type Database, type InboxStatus, toStoredTime } from '../schema.ts';
import {
  countLabel,
  type Condition,
  olderThanLimit,
  past,
  type PurgeStorage,
  type PurgeStep,
  type PurgeTimes,
  table,
  type TableDescriptor,
  type TableGroup,
} from './descriptor.ts';

type Plain = Readonly<Record<string, unknown>>;

const en = (count: number): string => count.toLocaleString('en-US');
const ko = (count: number): string => count.toLocaleString('ko-KR');

/** Text and names of files: addresses of files may be keys. */
export const exportedPayload = (payload: string): Plain => {
  const { text, media = [] } = JSON.parse(payload) as Partial<ReplyPayload>;
  return { text: text ?? '', ...(media.length > 0 ? { files: media.map(({ name }) => name) } : {}) };
};

/** How a choice for one conversation is named among the queue modes. */
export const MODE_SCOPE = 'session:';

/** Messages that are not at their end. */
export const LIVE: readonly InboxStatus[] = ['pending', 'suspended'];
const SETTLED: readonly InboxStatus[] = ['done', 'failed', 'superseded', 'withdrawn'];

/** What is still being answered stays until then, with all that became part of it. */
export const IS_SETTLED: Condition = sql<boolean>`
  inbox.status <> 'pending' and not (inbox.status = 'merged' and exists (
    select 1 from inbox as leader where leader.id = inbox.taken_by and leader.status = 'pending'))`;

/** Longer than any platform repeats an event, or is asked for what was missed. */
const REPEATED_FOR = { hours: 1 };

const BATCH = 200;

/**
 * Settled before the limit. What is part of another message's turn stays as long as that message is not at its
 * end: after a crash the turn is made of all of them again.
 */
const isForgettable = (limit: string) => sql<SqlBool>`
  inbox.settled_at < ${limit} and (inbox.status in (${sql.join(SETTLED)}) or (
    inbox.status = 'merged' and not exists (
      select 1 from inbox as leader where leader.id = inbox.taken_by
        and leader.status in (${sql.join([...LIVE, 'merged'])}))))`;

/**
 * Messages by their ids, which are in the order of acceptance: a walk from the oldest on, which ends where the
 * young ones begin, reads no more than it has to.
 */
const purgeMessages = (
  { db, write }: PurgeStorage,
  times: PurgeTimes,
  children: readonly TableDescriptor[],
): PurgeStep => {
  const limit = toStoredTime(times.limit);
  let from = '';
  return async () => {
    const window = await db
      .selectFrom('inbox')
      .select(['id', 'accepted_at'])
      .where('id', '>', from)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const last = window.at(-1);
    if (!last || window.every((row) => row.accepted_at >= limit)) return { removed: {}, hasMore: false };
    const removed: Record<string, number> = {};
    const count = (name: string, { numDeletedRows }: { readonly numDeletedRows: bigint }): number => {
      removed[name] = (removed[name] ?? 0) + Number(numDeletedRows);
      return Number(numDeletedRows);
    };
    await write(async (tx) => {
      const forgettable = () =>
        tx
          .selectFrom('inbox')
          .select('inbox.id')
          .where('inbox.id', '>', from)
          .where('inbox.id', '<=', last.id)
          .where(isForgettable(limit));
      // With a message go those that were part of its turn, in the next round.
      for (let found = 1; found > 0;) {
        for (const { name, parent } of children)
          count(
            name,
            await tx
              .deleteFrom(name as 'outbox')
              .where(sql.ref(parent?.column ?? ''), 'in', forgettable())
              .executeTakeFirstOrThrow(),
          );
        found = count(
          'inbox',
          await tx.deleteFrom('inbox').where('inbox.id', 'in', forgettable()).executeTakeFirstOrThrow(),
        );
      }
    });
    from = last.id;
    return { removed, hasMore: window.length === BATCH };
  };
};

const inbox = table<Database['inbox']>({
  name: 'inbox',
  key: ['id'],
  owner: { by: 'identity', channel: 'channel_id', user: 'sender_id' },
  mentions: { matched_by: 'a routing rule, no person', taken_by: 'a message, no person' },
  counted: { as: 'messages' },
  labels: [
    {
      of: 'messages',
      en: {
        line: (count) => `Your messages, with my answers: ${en(count)}`,
        amount: (count) => `${counted(count, 'message')} with my answers`,
      },
      ko: {
        line: (count) => `내 메시지와 그에 대한 답변: ${ko(count)}개`,
        amount: (count) => `메시지 ${ko(count)}개와 그에 대한 답변`,
      },
    },
    // Conversations are kept in files, and found through messages and settings.
    countLabel(
      'conversations',
      { title: 'Direct conversations', one: 'direct conversation' },
      { title: '1:1 대화', unit: '개' },
    ),
  ],
  exported: {
    as: 'messages',
    order: ['id'],
    // Messages may be long.
    rowsPerPage: 20,
    // Only what is named here leaves the database: what answers an interaction is a key to it.
    row: (row) => {
      const { body, chatType, threadId, media = [] } = JSON.parse(row.message) as Partial<InboundMessage>;
      return {
        at: row.accepted_at,
        chat: { type: chatType, id: row.chat_id, ...(threadId ? { threadId } : {}) },
        text: body ?? '',
        ...(media.length > 0 ? { files: media.map(({ name, mimeType }) => ({ name, mimeType })) } : {}),
        status: row.status,
      };
    },
  },
  erased: {
    only: () => IS_SETTLED,
    after: {
      columns: ['channel_id', 'account_id', 'chat_id', 'event_id', 'accepted_at'],
      // A platform repeats an event for some minutes: what a person had erased must not come back by it.
      run: async (tx, rows, { codes }, at) => {
        const young = toStoredTime(at.subtract(REPEATED_FOR));
        const events: readonly EventColumns[] = rows.filter(({ accepted_at }) => accepted_at >= young);
        if (events.length === 0) return;
        await tx
          .insertInto('erased_events')
          .values(events.map((event) => ({ event_hash: codes.event(event), erased_at: toStoredTime(at) })))
          .onConflict((conflict) => conflict.column('event_hash').doNothing())
          .execute();
      },
    },
  },
  kept: { step: purgeMessages },
});

export const messageTables: TableGroup = {
  tables: [
    inbox,
    table<Database['outbox']>({
      name: 'outbox',
      key: ['id'],
      owner: { by: 'parent' },
      parent: { table: inbox, column: 'inbox_id' },
      exported: { as: 'answers', order: ['part_index'], row: ({ payload }) => exportedPayload(payload) },
      erased: 'delete',
      kept: 'with its parent',
    }),
    table<Database['turns']>({
      name: 'turns',
      key: ['id'],
      owner: { by: 'parent' },
      parent: { table: inbox, column: 'inbox_id' },
      mentions: { sender_id: 'the sender of its message' },
      exported: { not: 'It says only that a message was answered.' },
      erased: 'delete',
      kept: 'with its parent',
    }),
    table<Database['live_messages']>({
      name: 'live_messages',
      key: ['inbox_id'],
      owner: { by: 'parent' },
      parent: { table: inbox, column: 'inbox_id' },
      exported: { not: 'It says only where an answer is being shown.' },
      erased: 'delete',
      kept: 'with its parent',
    }),
    table<Database['approvals']>({
      name: 'approvals',
      key: ['id'],
      owner: { by: 'identity', channel: 'channel_id', user: 'asked_by' },
      parent: { table: inbox, column: 'inbox_id' },
      mentions: {
        asker_name: 'the name of `asked_by`',
        decided_by: 'whoever decided about the call of somebody else; it goes with that call',
      },
      exported: {
        as: 'approvals',
        order: ['created_at', 'id'],
        row: (row) => ({
          tool: row.tool_name,
          summary: row.summary,
          reason: row.reason,
          status: row.status,
          askedAt: row.created_at,
          decidedAt: row.decided_at,
        }),
      },
      erased: {
        only: () =>
          sql<boolean>`approvals.inbox_id not in (select inbox.id from inbox where inbox.status = 'pending')`,
      },
      kept: {
        until: ({ limit }) => sql<boolean>`
          approvals.status <> 'pending' and approvals.decided_at < ${toStoredTime(limit)} and not exists (
            select 1 from inbox where inbox.id = approvals.inbox_id and inbox.status in (${sql.join(LIVE)}))`,
      },
    }),
    table<Database['dead_letters']>({
      name: 'dead_letters',
      key: ['inbox_id'],
      owner: { by: 'identity', channel: 'channel_id', user: 'sender_id' },
      exported: { not: 'The message itself is exported; this says only why it was given up.' },
      erased: 'delete',
      kept: olderThanLimit('at'),
    }),
    table<Database['erased_events']>({
      name: 'erased_events',
      key: ['event_hash'],
      owner: { by: 'nobody', reason: 'It holds a keyed hash of an event, and nothing of the person.' },
      exported: { not: 'It belongs to nobody.' },
      erased: { not: 'It keeps erased messages from coming back.' },
      kept: past('erased_at', 24),
    }),
    table<Database['awaited_inputs']>({
      name: 'awaited_inputs',
      key: ['channel_id', 'account_id', 'chat_id', 'thread_id', 'user_id'],
      owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
      exported: { not: 'It says for some minutes that a question is open.' },
      erased: 'delete',
      kept: past('expires_at'),
    }),
    table<Database['session_settings']>({
      name: 'session_settings',
      key: ['session_key'],
      owner: { by: 'conversation', column: 'session_key' },
      exported: {
        as: 'settings',
        order: ['session_key'],
        row: (row) => ({ conversation: row.session_key, model: row.model }),
      },
      erased: 'delete',
      kept: 'forever',
    }),
    table<Database['queue_modes']>({
      name: 'queue_modes',
      key: ['scope'],
      owner: { by: 'conversation', column: 'scope', prefix: MODE_SCOPE },
      exported: {
        as: 'settings',
        order: ['scope'],
        row: ({ scope, mode }) => ({ conversation: scope.slice(MODE_SCOPE.length), queueMode: mode }),
      },
      erased: 'delete',
      kept: 'forever',
    }),
    table<Database['channel_progress']>({
      name: 'channel_progress',
      key: ['channel_id', 'account_id'],
      owner: { by: 'nobody', reason: 'It says how far the bot has read a channel.' },
      exported: { not: 'It belongs to nobody.' },
      erased: { not: 'It belongs to nobody.' },
      kept: 'forever',
    }),
  ],
};
