import { type SqlBool, sql } from 'kysely';
import { counted, type Locale } from '#src/kernel/locale.ts';
import type { ApprovalStatus } from '#src/kernel/agent/approval-store.ts';
import type { TurnStatus } from '#src/kernel/agent/turn-store.ts';
import type { MsgContext, ReplyPayload } from '#src/kernel/chat/message.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import type { EventColumns } from '#src/platform/storage/person-codes.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
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
} from '#src/platform/storage/descriptor.ts';
import {
  defineTable,
  integer,
  nullable,
  text,
  unique,
  withDefault,
  type RowOf,
} from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    inbox: RowOf<typeof inboxForm>;
    turns: RowOf<typeof turnsForm>;
    outbox: RowOf<typeof outboxForm>;
    live_messages: RowOf<typeof liveMessagesForm>;
    approvals: RowOf<typeof approvalsForm>;
    dead_letters: RowOf<typeof deadLettersForm>;
    erased_events: RowOf<typeof erasedEventsForm>;
    awaited_inputs: RowOf<typeof awaitedInputsForm>;
    queue_modes: RowOf<typeof queueModesForm>;
    channel_progress: RowOf<typeof channelProgressForm>;
    notifications: RowOf<typeof notificationsForm>;
    guild_settings: RowOf<typeof guildSettingsForm>;
  }
}

/** Every accepted message. The row is written before the platform is told that the message arrived. */
const inboxForm = defineTable(
  'inbox',
  {
    id: text(),
    channel_id: text(),
    account_id: text(),
    chat_id: text(),
    event_id: text(),
    session_key: text(),
    agent_id: text(),
    matched_by: text(),
    sender_id: text(),
    message: text(),
    status: text<InboxStatus>(),
    attempts: integer(),
    error_id: nullable(text()),
    accepted_at: text(),
    settled_at: nullable(text()),
    /** The platform's id of the visible message, which edits and deletions refer to. */
    message_id: withDefault(text(), ''),
    /** The message that this one was merged into, or that superseded it. */
    taken_by: nullable(text()),
    /** 1: a process began it and stopped before it had ended. That attempt does not count. */
    was_parked: withDefault(integer(), 0),
  },
  {
    key: ['id'],
    unique: {
      // A Slack timestamp is unique only inside its conversation, so the chat is part of the key.
      inbox_event: ['channel_id', 'account_id', 'chat_id', 'event_id'],
    },
    indexes: {
      inbox_message: ['channel_id', 'account_id', 'chat_id', 'message_id'],
      inbox_sender: ['channel_id', 'sender_id', 'accepted_at'],
      inbox_session: ['session_key', 'status'],
      inbox_status: ['status', 'id'],
      inbox_taken: ['taken_by'],
    },
  },
);

/**
 * `suspended`: a person has to decide about a tool call. `merged`: the message is part of the turn of `taken_by`.
 * `superseded`: its sender wrote something new instead. `withdrawn`: its sender deleted it.
 */
export type InboxStatus = 'pending' | 'suspended' | 'done' | 'failed' | 'merged' | 'superseded' | 'withdrawn';

/** One run of the model for one message. Its status says whether the transcript of the run is complete. */
const turnsForm = defineTable(
  'turns',
  {
    id: text(),
    inbox_id: unique(text()),
    session_key: text(),
    sender_id: text(),
    status: text<TurnStatus>(),
    started_at: text(),
    ended_at: nullable(text()),
  },
  {
    key: ['id'],
    indexes: {
      turns_session: ['session_key', 'status'],
    },
  },
);

/** Every part of every answer, written before the first part is sent. */
const outboxForm = defineTable(
  'outbox',
  {
    id: text(),
    inbox_id: text(),
    part_index: integer(),
    target: text(),
    payload: text(),
    status: text<OutboxStatus>(),
    attempts: integer(),
    platform_message_id: nullable(text()),
    created_at: text(),
    sent_at: nullable(text()),
    /** The first attempt, from which on the part may have arrived. */
    first_tried_at: nullable(text()),
    /** The message on the platform that the part replaces. */
    replaces: nullable(text()),
  },
  {
    key: ['id'],
    unique: {
      outbox_part: ['inbox_id', 'part_index'],
    },
    indexes: {
      outbox_message: ['platform_message_id'],
    },
  },
);

export type OutboxStatus = 'pending' | 'sent' | 'failed';

/** Messages that show an answer while it is being made. */
const liveMessagesForm = defineTable(
  'live_messages',
  {
    inbox_id: text(),
    delivery_id: text(),
    /** Null if it may have been posted, but its id was not recorded. */
    message_id: nullable(text()),
    opened_at: text(),
  },
  { key: ['inbox_id'] },
);

/** The approval of one tool call by a person. */
const approvalsForm = defineTable(
  'approvals',
  {
    id: text(),
    inbox_id: text(),
    turn_id: text(),
    call_id: text(),
    session_key: text(),
    channel_id: text(),
    asked_by: text(),
    asker_name: nullable(text()),
    tool_name: text(),
    input_hash: text(),
    summary: text(),
    reason: text(),
    locale: text<Locale>(),
    target: text(),
    status: text<ApprovalStatus>(),
    decided_by: nullable(text()),
    decided_at: nullable(text()),
    created_at: text(),
    expires_at: text(),
    /** The platform's message that holds the question, where the channel reported it. */
    message_id: nullable(text()),
  },
  {
    key: ['id'],
    unique: {
      // One question a call: a run that is taken up again does not ask twice.
      approvals_call: ['turn_id', 'call_id'],
    },
    indexes: {
      approvals_inbox: ['inbox_id', 'status'],
      approvals_status: ['status', 'session_key'],
    },
  },
);

/** Messages that were given up after too many attempts. */
const deadLettersForm = defineTable(
  'dead_letters',
  {
    inbox_id: text(),
    session_key: text(),
    channel_id: text(),
    sender_id: text(),
    attempts: integer(),
    reason: text(),
    error_id: text(),
    at: text(),
  },
  { key: ['inbox_id'] },
);

/** Keyed hashes of erased events, so that a platform that repeats one cannot bring it back. */
const erasedEventsForm = defineTable(
  'erased_events',
  {
    event_hash: text(),
    erased_at: text(),
  },
  { key: ['event_hash'] },
);

/** People whom the model asked something in a group: until it expires they need not mention the bot. */
const awaitedInputsForm = defineTable(
  'awaited_inputs',
  {
    channel_id: text(),
    account_id: text(),
    chat_id: text(),
    /** Empty outside of threads. */
    thread_id: text(),
    user_id: text(),
    expires_at: text(),
  },
  { key: ['channel_id', 'account_id', 'chat_id', 'thread_id', 'user_id'] },
);

/** Queue modes that people chose by chat. */
const queueModesForm = defineTable(
  'queue_modes',
  {
    /** `session:…`, `channel:…` or `agent:…`. */
    scope: text(),
    mode: text<QueueMode>(),
    updated_at: text(),
  },
  { key: ['scope'] },
);

/** The time up to which each channel has read. */
const channelProgressForm = defineTable(
  'channel_progress',
  {
    channel_id: text(),
    account_id: text(),
    seen_until: text(),
  },
  { key: ['channel_id', 'account_id'] },
);

/** Messages that are not answers, sent when they are due. */
const notificationsForm = defineTable(
  'notifications',
  {
    id: text(),
    channel_id: text(),
    user_id: text(),
    target: text(),
    payload: text(),
    due_at: text(),
    status: text<NotificationStatus>(),
    attempts: integer(),
    created_at: text(),
    sent_at: nullable(text()),
    /** While sending: the end of the claim. While pending: not to be claimed before. */
    claimed_until: nullable(text()),
  },
  {
    key: ['id'],
    indexes: {
      notifications_due: ['status', 'due_at'],
      notifications_user: ['channel_id', 'user_id', 'status'],
    },
  },
);

/** `sending`: a process has claimed it, and only that process knows whether it arrived. */
export type NotificationStatus = 'pending' | 'sending' | 'sent' | 'failed';

/** Settings of servers and workspaces that their administrators chose by chat, as JSON. */
const guildSettingsForm = defineTable(
  'guild_settings',
  {
    channel_id: text(),
    guild_id: text(),
    settings: text(),
    updated_by: text(),
    updated_at: text(),
  },
  { key: ['channel_id', 'guild_id'] },
);

type Plain = Readonly<Record<string, unknown>>;

/** The text and file names of a payload, without addresses, which may be keys. */
const exportedPayload = (payload: string): Plain => {
  const { text, media = [] } = JSON.parse(payload) as Partial<ReplyPayload>;
  return { text: text ?? '', ...(media.length > 0 ? { files: media.map(({ name }) => name) } : {}) };
};

/** The prefix of a conversation's scope in `queue_modes`. */
const MODE_SCOPE = 'session:';

/** The statuses of unfinished messages. */
export const LIVE: readonly InboxStatus[] = ['pending', 'suspended'];
const SETTLED: readonly InboxStatus[] = ['done', 'failed', 'superseded', 'withdrawn'];

/** Excludes messages that are still being answered, with all that were merged into them. */
const IS_SETTLED: Condition = sql<boolean>`
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

const inbox = table(inboxForm, {
  owner: { by: 'identity', channel: 'channel_id', user: 'sender_id' },
  conversations: 'session_key',
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
      const { body, chatType, threadId, media = [] } = JSON.parse(row.message) as Partial<MsgContext>;
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

/** Messages, and all that belongs to one of them. */
export const messageTables: readonly TableDescriptor[] = [
  inbox,
  table(outboxForm, {
    owner: { by: 'parent' },
    parent: { table: inbox, column: 'inbox_id' },
    payloads: ({ channelId, userId }) => sql`
      select payload from outbox where payload like '%"media"%' and inbox_id in (
        select inbox.id from inbox
        where inbox.channel_id = ${channelId} and inbox.sender_id = ${userId} and ${IS_SETTLED})`,
    exported: { as: 'answers', order: ['part_index'], row: ({ payload }) => exportedPayload(payload) },
    erased: 'delete',
    kept: 'with its parent',
  }),
  table(turnsForm, {
    owner: { by: 'parent' },
    parent: { table: inbox, column: 'inbox_id' },
    mentions: { sender_id: 'the sender of its message' },
    exported: { not: 'It says only that a message was answered.' },
    erased: 'delete',
    kept: 'with its parent',
  }),
  table(liveMessagesForm, {
    owner: { by: 'parent' },
    parent: { table: inbox, column: 'inbox_id' },
    exported: { not: 'It says only where an answer is being shown.' },
    erased: 'delete',
    kept: 'with its parent',
  }),
  table(approvalsForm, {
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
  table(deadLettersForm, {
    owner: { by: 'identity', channel: 'channel_id', user: 'sender_id' },
    exported: { not: 'The message itself is exported; this says only why it was given up.' },
    erased: 'delete',
    kept: olderThanLimit('at'),
  }),
  ownerless(
    erasedEventsForm,
    'It holds a keyed hash of an event, which keeps an erased message from coming back, and nothing of the person.',
    past('erased_at', 24),
  ),
  table(awaitedInputsForm, {
    owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
    exported: { not: 'It says for some minutes that a question is open.' },
    erased: 'delete',
    kept: past('expires_at'),
  }),
];

/** How messages are taken. */
export const queueTables: readonly TableDescriptor[] = [
  table(queueModesForm, {
    owner: { by: 'conversation', column: 'scope', prefix: MODE_SCOPE },
    conversations: 'scope',
    exported: {
      as: 'settings',
      order: ['scope'],
      row: ({ scope, mode }) => ({ conversation: scope.slice(MODE_SCOPE.length), queueMode: mode }),
    },
    erased: 'delete',
    kept: 'forever',
  }),
  ownerless(channelProgressForm, 'It says how far the bot has read a channel.'),
];

export const notificationTables: readonly TableDescriptor[] = [
  table(notificationsForm, {
    owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
    counted: { as: 'reminders' },
    labels: [
      countLabel(
        'reminders',
        { title: 'Reminders and notices', one: 'reminder' },
        { title: '알림과 안내', unit: '개' },
      ),
    ],
    exported: {
      as: 'reminders',
      order: ['due_at', 'id'],
      row: (row) => ({
        ...exportedPayload(row.payload),
        dueAt: row.due_at,
        status: row.status,
        createdAt: row.created_at,
        sentAt: row.sent_at,
      }),
    },
    erased: 'delete',
    // The time of a failure is not stored, so the due time counts.
    kept: {
      until: ({ limit }) => sql<boolean>`
        status in ('sent', 'failed') and due_at < ${toStoredTime(limit)}
        and (sent_at is null or sent_at < ${toStoredTime(limit)})`,
    },
  }),
];

export const guildTables: readonly TableDescriptor[] = [
  ownerless(guildSettingsForm, 'Settings of a server or workspace, which its members share.', 'forever', {
    updated_by: 'an administrator of the server, who answers for the setting',
  }),
];
