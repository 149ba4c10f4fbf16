import { type SqlBool, sql } from 'kysely';
import { counted } from '#src/kernel/locale.ts';
import type { InboundMessage, ReplyPayload } from '#src/kernel/message.ts';
import type { EventColumns } from '../accounts/person-codes.ts';
import { type Database, type InboxStatus, toStoredTime, type TranscriptState } from '../schema.ts';
import {
  countLabel,
  type Condition,
  olderThanLimit,
  ownerless,
  past,
  type PurgeStorage,
  type PurgeStep,
  type PurgeTimes,
  shownCount,
  table,
  type TableDescriptor,
  type TableGroup,
} from './descriptor.ts';

type Plain = Readonly<Record<string, unknown>>;

/** The text and file names of a payload, without addresses, which may be keys. */
export const exportedPayload = (payload: string): Plain => {
  const { text, media = [] } = JSON.parse(payload) as Partial<ReplyPayload>;
  return { text: text ?? '', ...(media.length > 0 ? { files: media.map(({ name }) => name) } : {}) };
};

/** The prefix of a conversation's scope in `queue_modes`. */
export const MODE_SCOPE = 'session:';

/** The states of a running conversation's entries. */
export const READ_STATES: readonly TranscriptState[] = ['current', 'compacted'];

/** The statuses of unfinished messages. */
export const LIVE: readonly InboxStatus[] = ['pending', 'suspended'];
const SETTLED: readonly InboxStatus[] = ['done', 'failed', 'superseded', 'withdrawn'];

/** Excludes messages that are still being answered, with all that were merged into them. */
export const IS_SETTLED: Condition = sql<boolean>`
  inbox.status <> 'pending' and not (inbox.status = 'merged' and exists (
    select 1 from inbox as leader where leader.id = inbox.taken_by and leader.status = 'pending'))`;

/** Longer than any platform repeats an event, or a channel catches up on missed ones. */
const REPEATED_FOR = { hours: 1 };

const BATCH = 200;

/**
 * Matches messages that were settled before the limit. A merged message stays until the message that it was merged into
 * is finished, because after a crash the turn is made of all of them again.
 */
const isForgettable = (limit: string) => sql<SqlBool>`
  inbox.settled_at < ${limit} and (inbox.status in (${sql.join(SETTLED)}) or (
    inbox.status = 'merged' and not exists (
      select 1 from inbox as leader where leader.id = inbox.taken_by
        and leader.status in (${sql.join([...LIVE, 'merged'])}))))`;

/**
 * Purges messages in the order of their ids, which is the order of acceptance. The walk begins at the oldest message and
 * ends where the recent ones begin, so it reads no more than it has to.
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
      // Messages that were merged into a deleted one are deleted in the next round.
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

const SESSIONS_AT_ONCE = 100;

/**
 * Purges conversations in the order of their keys. The parts of a conversation expire together with the newest, because
 * all of them are read; archived and damaged entries expire by themselves. Unfinished messages keep their conversation.
 */
const purgeTranscripts = ({ db, write }: PurgeStorage, { limit }: PurgeTimes): PurgeStep => {
  const limitUs = limit.epochMilliseconds * 1_000;
  let from = '';
  return async () => {
    const sessions = await db
      .selectFrom('transcript_entries')
      .select('session_key')
      .distinct()
      .where('session_key', '>', from)
      .orderBy('session_key')
      .limit(SESSIONS_AT_ONCE)
      .execute();
    const last = sessions.at(-1)?.session_key;
    if (last === undefined) return { removed: {}, hasMore: false };
    const removed = await write(async (tx) => {
      const { rows } = await sql<{ readonly session_key: string }>`
        select session_key from transcript_entries
        where session_key > ${from} and session_key <= ${last} and state in (${sql.join(READ_STATES)})
          and session_key not in (select session_key from inbox where status in (${sql.join(LIVE)}))
        group by session_key having max(position) < ${limitUs}`.execute(tx);
      const inWindow = () =>
        tx.deleteFrom('transcript_entries').where('session_key', '>', from).where('session_key', '<=', last);
      const left = await inWindow()
        .where('state', 'in', ['archived', 'damaged'])
        .where('left_at', '<', toStoredTime(limit))
        .executeTakeFirstOrThrow();
      const old = rows.map(({ session_key }) => session_key);
      const ended =
        old.length === 0
          ? undefined
          : await inWindow()
              .where('session_key', 'in', old)
              .where('state', 'in', READ_STATES)
              // On PostgreSQL, the conversation may have gone on since it was found.
              .where('position', '<', limitUs)
              .executeTakeFirstOrThrow();
      return Number(left.numDeletedRows + (ended?.numDeletedRows ?? 0n));
    });
    from = last;
    return { removed: { transcript_entries: removed }, hasMore: sessions.length === SESSIONS_AT_ONCE };
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
        line: (count) => `Your messages, with my answers: ${shownCount.en(count)}`,
        amount: (count) => `${counted(count, 'message')} with my answers`,
      },
      ko: {
        line: (count) => `내 메시지와 그에 대한 답변: ${shownCount.ko(count)}개`,
        amount: (count) => `메시지 ${shownCount.ko(count)}개와 그에 대한 답변`,
      },
    },
    // Conversations are found through messages and settings.
    countLabel(
      'conversations',
      { title: 'Direct conversations', one: 'direct conversation' },
      { title: '다이렉트 메시지 대화', unit: '개' },
    ),
  ],
  exported: {
    as: 'messages',
    order: ['id'],
    // Messages may be long.
    rowsPerPage: 20,
    // Only these fields are exported: others may hold a key that answers an interaction.
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
      // A platform repeats events for some minutes, which must not bring erased messages back.
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
    table<Database['transcript_entries']>({
      name: 'transcript_entries',
      key: ['session_key', 'state', 'position', 'version'],
      owner: { by: 'conversation', column: 'session_key' },
      exported: { not: 'The messages and answers are exported; `/export` gives a conversation as a file.' },
      // Another process may have begun to answer a waiting message.
      erased: {
        only: () => sql<boolean>`transcript_entries.turn_id not in (
          select turns.id from turns join inbox on inbox.id = turns.inbox_id where inbox.status = 'pending')`,
      },
      kept: { step: purgeTranscripts },
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
    ownerless(
      'erased_events',
      ['event_hash'],
      'It holds a keyed hash of an event, which keeps an erased message from coming back, and nothing of the person.',
      past('erased_at', 24),
    ),
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
    ownerless(
      'channel_progress',
      ['channel_id', 'account_id'],
      'It says how far the bot has read a channel.',
    ),
  ],
};
