import { type ColumnType, sql } from 'kysely';
import { Decimal } from '#src/kernel/money.ts';
import { ERASED_SESSION } from '#src/platform/storage/person-codes.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import {
  olderThanLimit,
  ownerless,
  type PurgeStorage,
  type PurgeStep,
  type PurgeTimes,
  shownCount,
  table,
  type TableDescriptor,
} from '#src/platform/storage/descriptor.ts';
import {
  bigint,
  defineTable,
  integer,
  nullable,
  text,
  withDefault,
  type RowOf,
} from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    transcript_entries: RowOf<typeof transcriptEntriesForm>;
    session_settings: RowOf<typeof sessionSettingsForm>;
    auth_profiles: RowOf<typeof authProfilesForm>;
    usage: RowOf<typeof usageForm>;
    budget_days: RowOf<typeof budgetDaysForm>;
    usage_days: RowOf<typeof usageDaysForm>;
    usage_day_totals: RowOf<typeof usageDayTotalsForm>;
    usage_sums: RowOf<typeof usageSumsForm>;
  }
}

/**
 * `current`: the model reads it. `compacted`: a summary or a shorter form replaced it; it still belongs to the
 * conversation. `damaged`: a repair replaced it. `archived`: its conversation has ended.
 */
export type TranscriptState = 'current' | 'compacted' | 'damaged' | 'archived';

const transcriptEntriesForm = defineTable(
  'transcript_entries',
  {
    session_key: text(),
    state: text<TranscriptState>(),
    /** Microseconds since 1970 of the moment it was written, rising within a conversation. PostgreSQL gives text. */
    position: bigint<ColumnType<number | string, number, never>>(),
    /** Distinguishes entries at one position: later forms of an entry, and entries that a repair inserted behind it. */
    version: integer(),
    turn_id: text(),
    at: text(),
    message: text(),
    /** When it was damaged or archived. */
    left_at: nullable(text()),
  },
  {
    key: ['session_key', 'state', 'position', 'version'],
    isStoredByKey: true,
  },
);

/** Choices of people for one conversation. */
const sessionSettingsForm = defineTable(
  'session_settings',
  {
    session_key: text(),
    model: nullable(text()),
    updated_at: text(),
    /** 1 where an administrator chose the model. */
    chosen_by_admin: withDefault(integer(), 0),
  },
  { key: ['session_key'] },
);

/** Keys of model providers, added by an operator. `sealed_key` is encrypted. */
const authProfilesForm = defineTable(
  'auth_profiles',
  {
    id: text(),
    provider: text(),
    name: text(),
    sealed_key: text(),
    /** 0 or 1: SQLite has no booleans. */
    is_active: integer(),
    priority: integer(),
    created_at: text(),
    last_used_at: nullable(text()),
    failure_count: integer(),
    cooldown_until: nullable(text()),
  },
  { key: ['id'] },
);

/** One row for every request to a model, booked when it ended, whether it succeeded or not. */
const usageForm = defineTable(
  'usage',
  {
    id: text(),
    at: text(),
    channel_id: text(),
    user_id: text(),
    session_key: text(),
    provider: text(),
    model: text(),
    profile_id: text(),
    outcome: text<UsageOutcome>(),
    input_tokens: bigint<BigintColumn<number>>(),
    output_tokens: bigint<BigintColumn<number>>(),
    cache_read_tokens: bigint<BigintColumn<number>>(),
    cache_write_tokens: bigint<BigintColumn<number>>(),
    /** Millionths of a millionth of a dollar, so that sums are exact. Null if the price is unknown. */
    cost_pico_usd: nullable(bigint<BigintColumn<string | null>>()),
    /** The reservation while the request is under way; null once it has ended. Until then, tokens and cost are estimates. */
    reserved_pico_usd: nullable(bigint<BigintColumn<string | null>>()),
    /** The provider's ids of the request and its answer; null if it gave none. */
    request_id: nullable(text()),
    response_id: nullable(text()),
  },
  {
    key: ['id'],
    indexes: {
      usage_at: ['at'],
      usage_user: ['channel_id', 'user_id', 'at'],
    },
    partialIndexes: { usage_open: { columns: ['at'], present: 'reserved_pico_usd' } },
  },
);

/**
 * A query must cast the column, or its sum, to text: one driver gives a number (and throws above 2^53), the other a text.
 */
type BigintColumn<Written> = ColumnType<never, Written, Written>;

export type UsageOutcome = 'ok' | 'failed';

/** Spending by day of the operator's time zone. */
const budgetDaysForm = defineTable(
  'budget_days',
  {
    /** `2026-11-13`. */
    day: text(),
    /** `all`, or the code of a person, which stays when their data is deleted. */
    scope: text(),
    spent_pico_usd: bigint<BigintColumn<string>>(),
    /** Reservations of requests under way. */
    reserved_pico_usd: bigint<BigintColumn<string>>(),
  },
  { key: ['day', 'scope'] },
);

/** PostgreSQL gives large numbers as text. */
type Sum = ColumnType<number | string, number, number>;

/** What all people together used on one day: sums of the table `usage`, so that nobody has to add up its rows again. */
const usageDayTotalsForm = defineTable(
  'usage_day_totals',
  {
    time_zone: text(),
    /** `2026-11-13` in that time zone. */
    day: text(),
    channel_id: text(),
    model: text(),
    requests: bigint<Sum>(),
    failed: bigint<Sum>(),
    unpriced: bigint<Sum>(),
    /** With what was read from and written to the provider's cache. */
    input_tokens: bigint<Sum>(),
    output_tokens: bigint<Sum>(),
    cost_pico_usd: bigint<Sum>(),
  },
  { key: ['time_zone', 'day', 'channel_id', 'model'] },
);

/** The same of each person. */
const usageDaysForm = defineTable(
  'usage_days',
  {
    time_zone: text(),
    /** `2026-11-13` in that time zone. */
    day: text(),
    channel_id: text(),
    user_id: text(),
    model: text(),
    requests: bigint<Sum>(),
    failed: bigint<Sum>(),
    unpriced: bigint<Sum>(),
    /** With what was read from and written to the provider's cache. */
    input_tokens: bigint<Sum>(),
    output_tokens: bigint<Sum>(),
    cost_pico_usd: bigint<Sum>(),
  },
  {
    key: ['time_zone', 'day', 'channel_id', 'user_id', 'model'],
    indexes: {
      usage_days_of_person: ['channel_id', 'user_id'],
    },
  },
);

/** How far `usage` is summed up. */
const usageSumsForm = defineTable(
  'usage_sums',
  {
    time_zone: text(),
    /** Rows before this moment are part of the sums. */
    summed_until: text(),
  },
  { key: ['time_zone'] },
);

/** The states of a running conversation's entries. */
export const READ_STATES: readonly TranscriptState[] = ['current', 'compacted'];

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
          and session_key not in (select session_key from inbox where status in ('pending', 'suspended'))
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

const identity = { by: 'identity', channel: 'channel_id', user: 'user_id' } as const;

/** Conversations as the model reads them, and the settings of each. */
export const conversationTables: readonly TableDescriptor[] = [
  table(transcriptEntriesForm, {
    owner: { by: 'conversation', column: 'session_key' },
    exported: { not: 'The messages and answers are exported; `/export` gives a conversation as a file.' },
    // Another process may have begun to answer a waiting message.
    erased: {
      only: () => sql<boolean>`transcript_entries.turn_id not in (
        select turns.id from turns join inbox on inbox.id = turns.inbox_id where inbox.status = 'pending')`,
    },
    kept: { step: purgeTranscripts },
  }),
  table(sessionSettingsForm, {
    owner: { by: 'conversation', column: 'session_key' },
    conversations: 'session_key',
    exported: {
      as: 'settings',
      order: ['session_key'],
      row: (row) => ({ conversation: row.session_key, model: row.model }),
    },
    erased: 'delete',
    kept: 'forever',
  }),
];

/** Large numbers are read as text, because the drivers return them differently. */
interface UsageRow extends Pick<
  Database['usage'],
  | 'id'
  | 'at'
  | 'channel_id'
  | 'user_id'
  | 'session_key'
  | 'provider'
  | 'model'
  | 'outcome'
  | 'request_id'
  | 'response_id'
> {
  readonly input: string;
  readonly output: string;
  readonly cache_read: string;
  readonly cache_write: string;
  /** Null if the price is unknown. */
  readonly pico_usd: string | null;
}

/** In time zones behind UTC, requests may still be booked on the day before yesterday. */
const PAID_HOURS = 72;

/** The cost of requests to models. */
export const usageTables: readonly TableDescriptor[] = [
  table<Database['usage'], UsageRow>(usageForm, {
    owner: identity,
    conversations: 'session_key',
    counted: { as: 'usageRecords' },
    labels: [
      {
        of: 'usageRecords',
        en: { line: (count) => `Requests to models that were made for you: ${shownCount.en(count)}` },
        ko: { line: (count) => `나를 위해 모델에 보낸 요청 기록: ${shownCount.ko(count)}개` },
      },
    ],
    exported: {
      as: 'usage',
      order: ['at', 'id'],
      select: sql`id, at, provider, model, outcome, request_id, response_id,
        cast(input_tokens as text) as input, cast(output_tokens as text) as output,
        cast(cache_read_tokens as text) as cache_read, cast(cache_write_tokens as text) as cache_write,
        cast(cost_pico_usd as text) as pico_usd`,
      row: (row) => ({
        at: row.at,
        provider: row.provider,
        model: row.model,
        outcome: row.outcome,
        requestId: row.request_id,
        responseId: row.response_id,
        inputTokens: Number(row.input),
        outputTokens: Number(row.output),
        cacheReadTokens: Number(row.cache_read),
        cacheWriteTokens: Number(row.cache_write),
        costUsd: row.pico_usd === null ? null : new Decimal(`${row.pico_usd}e-12`).toFixed(),
      }),
    },
    // Spending stays in the sums and counts against the person's budget, under a code instead of their id.
    erased: {
      anonymize: async (tx, { channelId, userId, codes }) => {
        const { numUpdatedRows } = await tx
          .updateTable('usage')
          .set({
            user_id: codes.erasedUserId(channelId, userId),
            session_key: ERASED_SESSION,
            // The provider may still find by these ids what was said.
            request_id: null,
            response_id: null,
          })
          .where('channel_id', '=', channelId)
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      },
    },
    kept: olderThanLimit('at'),
  }),
  table(budgetDaysForm, {
    owner: { by: 'nobody', reason: 'It holds sums of money; a person is a code that leads to nobody.' },
    exported: { not: 'Each request is exported with its cost.' },
    erased: { not: 'Erasing data must not give a new budget.' },
    kept: {
      until: ({ now }) =>
        sql<boolean>`day < ${toStoredTime(now.subtract({ hours: PAID_HOURS })).slice(0, 'yyyy-mm-dd'.length)}`,
    },
  }),
];

const SUMMED = ['requests', 'failed', 'unpriced', 'input_tokens', 'output_tokens', 'cost_pico_usd'] as const;

/** Behind `on conflict`: adds the new sums to those that are there. */
export const addedTo = (name: 'usage_days' | 'usage_day_totals') =>
  sql`do update set ${sql.join(
    SUMMED.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`${name}.${column}`)} + excluded.${sql.ref(column)}`,
    ),
  )}`;

const BEFORE_LIMIT = {
  until: ({ limit }: PurgeTimes) => sql<boolean>`day < ${toStoredTime(limit).slice(0, 'yyyy-mm-dd'.length)}`,
};

/** Sums of what was used, which only the operator page reads. */
export const usageDayTables: readonly TableDescriptor[] = [
  table(usageDaysForm, {
    owner: identity,
    exported: { not: 'Each request is exported with its cost.' },
    // As in `usage`: the sums stay, under a code instead of the id.
    erased: {
      anonymize: async (tx, { channelId, userId, codes }) => {
        // Sums that are being added at this moment, in another process, are added before or after this.
        await tx
          .updateTable('usage_sums')
          .set((column) => ({ summed_until: column.ref('summed_until') }))
          .execute();
        const own = sql`from usage_days where channel_id = ${channelId} and user_id = ${userId}`;
        await sql`
          insert into usage_days (time_zone, day, channel_id, user_id, model,
            requests, failed, unpriced, input_tokens, output_tokens, cost_pico_usd)
          select time_zone, day, channel_id, ${codes.erasedUserId(channelId, userId)}, model,
            requests, failed, unpriced, input_tokens, output_tokens, cost_pico_usd ${own}
          on conflict (time_zone, day, channel_id, user_id, model) ${addedTo('usage_days')}`.execute(tx);
        const { numAffectedRows = 0n } = await sql`delete ${own}`.execute(tx);
        return Number(numAffectedRows);
      },
    },
    kept: BEFORE_LIMIT,
  }),
  ownerless(usageDayTotalsForm, 'Sums over all people.', BEFORE_LIMIT),
  ownerless(usageSumsForm, 'It says how far the use of models is summed up.'),
];

export const keyTables: readonly TableDescriptor[] = [
  ownerless(authProfilesForm, 'Keys of model providers, which an operator added.'),
];
