import { type Generated, type SqlBool, sql } from 'kysely';
import { counted, type Locale } from '#src/kernel/locale.ts';
import type { ApprovalStatus } from '#src/kernel/approval-store.ts';
import type { TurnStatus } from '#src/kernel/turn-store.ts';
import type { MsgContext, ReplyPayload } from '#src/kernel/message.ts';
import type { QueueMode } from '#src/kernel/ports.ts';
import type { EventColumns } from '#src/platform/storage/person-codes.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
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

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    inbox: InboxTable;
    turns: TurnsTable;
    outbox: OutboxTable;
    live_messages: LiveMessagesTable;
    approvals: ApprovalsTable;
    dead_letters: DeadLettersTable;
    erased_events: ErasedEventsTable;
    awaited_inputs: AwaitedInputsTable;
    queue_modes: QueueModesTable;
    channel_progress: ChannelProgressTable;
    notifications: NotificationsTable;
    guild_settings: GuildSettingsTable;
  }
}

/** Every accepted message. The row is written before the platform is told that the message arrived. */
interface InboxTable {
  id: string;
  channel_id: string;
  account_id: string;
  chat_id: string;
  event_id: string;
  session_key: string;
  agent_id: string;
  matched_by: string;
  sender_id: string;
  message: string;
  status: InboxStatus;
  attempts: number;
  error_id: string | null;
  accepted_at: string;
  settled_at: string | null;
  /** The platform's id of the visible message, which edits and deletions refer to. */
  message_id: string;
  /** The message that this one was merged into, or that superseded it. */
  taken_by: string | null;
  /** 1: a process began it and stopped before it had ended. That attempt does not count. */
  was_parked: Generated<number>;
}

/**
 * `suspended`: a person has to decide about a tool call. `merged`: the message is part of the turn of `taken_by`.
 * `superseded`: its sender wrote something new instead. `withdrawn`: its sender deleted it.
 */
export type InboxStatus = 'pending' | 'suspended' | 'done' | 'failed' | 'merged' | 'superseded' | 'withdrawn';

/** One run of the model for one message. Its status says whether the transcript of the run is complete. */
interface TurnsTable {
  id: string;
  inbox_id: string;
  session_key: string;
  sender_id: string;
  status: TurnStatus;
  started_at: string;
  ended_at: string | null;
}

/** Every part of every answer, written before the first part is sent. */
interface OutboxTable {
  id: string;
  inbox_id: string;
  part_index: number;
  target: string;
  payload: string;
  status: OutboxStatus;
  attempts: number;
  platform_message_id: string | null;
  created_at: string;
  sent_at: string | null;
  /** The first attempt, from which on the part may have arrived. */
  first_tried_at: string | null;
  /** The message on the platform that the part replaces. */
  replaces: string | null;
}

export type OutboxStatus = 'pending' | 'sent' | 'failed';

/** Messages that show an answer while it is being made. */
interface LiveMessagesTable {
  inbox_id: string;
  delivery_id: string;
  /** Null if it may have been posted, but its id was not recorded. */
  message_id: string | null;
  opened_at: string;
}

/** The approval of one tool call by a person. */
interface ApprovalsTable {
  id: string;
  inbox_id: string;
  turn_id: string;
  call_id: string;
  session_key: string;
  channel_id: string;
  asked_by: string;
  asker_name: string | null;
  tool_name: string;
  input_hash: string;
  summary: string;
  reason: string;
  locale: Locale;
  target: string;
  status: ApprovalStatus;
  decided_by: string | null;
  decided_at: string | null;
  created_at: string;
  expires_at: string;
  /** The platform's message that holds the question, where the channel reported it. */
  message_id: string | null;
}

/** Messages that were given up after too many attempts. */
interface DeadLettersTable {
  inbox_id: string;
  session_key: string;
  channel_id: string;
  sender_id: string;
  attempts: number;
  reason: string;
  error_id: string;
  at: string;
}

/** Keyed hashes of erased events, so that a platform that repeats one cannot bring it back. */
interface ErasedEventsTable {
  event_hash: string;
  erased_at: string;
}

/** People whom the model asked something in a group: until it expires they need not mention the bot. */
interface AwaitedInputsTable {
  channel_id: string;
  account_id: string;
  chat_id: string;
  /** Empty outside of threads. */
  thread_id: string;
  user_id: string;
  expires_at: string;
}

/** Queue modes that people chose by chat. */
interface QueueModesTable {
  /** `session:…`, `channel:…` or `agent:…`. */
  scope: string;
  mode: QueueMode;
  updated_at: string;
}

/** The time up to which each channel has read. */
interface ChannelProgressTable {
  channel_id: string;
  account_id: string;
  seen_until: string;
}

/** Messages that are not answers, sent when they are due. */
interface NotificationsTable {
  id: string;
  channel_id: string;
  user_id: string;
  target: string;
  payload: string;
  due_at: string;
  status: NotificationStatus;
  attempts: number;
  /** While sending: the end of the claim. While pending: not to be claimed before. */
  claimed_until: string | null;
  created_at: string;
  sent_at: string | null;
}

/** `sending`: a process has claimed it, and only that process knows whether it arrived. */
export type NotificationStatus = 'pending' | 'sending' | 'sent' | 'failed';

/** Settings of servers and workspaces that their administrators chose by chat, as JSON. */
interface GuildSettingsTable {
  channel_id: string;
  guild_id: string;
  settings: string;
  updated_by: string;
  updated_at: string;
}

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

const inbox = table<Database['inbox']>({
  name: 'inbox',
  key: ['id'],
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
  table<Database['outbox']>({
    name: 'outbox',
    key: ['id'],
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
];

/** How messages are taken. */
export const queueTables: readonly TableDescriptor[] = [
  table<Database['queue_modes']>({
    name: 'queue_modes',
    key: ['scope'],
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
  ownerless('channel_progress', ['channel_id', 'account_id'], 'It says how far the bot has read a channel.'),
];

export const notificationTables: readonly TableDescriptor[] = [
  table<Database['notifications']>({
    name: 'notifications',
    key: ['id'],
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
  ownerless(
    'guild_settings',
    ['channel_id', 'guild_id'],
    'Settings of a server or workspace, which its members share.',
    'forever',
    { updated_by: 'an administrator of the server, who answers for the setting' },
  ),
];
