import { sql } from 'kysely';
import { Decimal } from '#src/kernel/money.ts';
import { ERASED_SESSION } from '../accounts/person-codes.ts';
import { type Database, toStoredTime } from '../schema.ts';
import {
  countLabel,
  type LinkRule,
  olderThanLimit,
  past,
  shownCount,
  table,
  type TableGroup,
} from './descriptor.ts';
import { exportedPayload } from './messages.ts';

/** Large numbers are read as text, because the drivers return them differently. */
interface UsageRow extends Pick<
  Database['usage'],
  'id' | 'at' | 'channel_id' | 'user_id' | 'provider' | 'model' | 'outcome' | 'request_id' | 'response_id'
> {
  readonly input: string;
  readonly output: string;
  readonly cache_read: string;
  readonly cache_write: string;
  /** Null if the price is unknown. */
  readonly pico_usd: string | null;
}

const identity = { by: 'identity', channel: 'channel_id', user: 'user_id' } as const;

/** `/link` and `/link off` change these rows themselves. */
const leaveToLinking: LinkRule = async () => undefined;

/** In time zones behind UTC, requests may still be booked on the day before yesterday. */
const PAID_HOURS = 72;

/** How long an unconfirmed request is kept after it expired. */
const UNCONFIRMED_HOURS = 24;

export const accountTables: TableGroup = {
  tables: [
    table<UsageRow>({
      name: 'usage',
      key: ['id'],
      owner: identity,
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
    table<Database['budget_days']>({
      name: 'budget_days',
      key: ['day', 'scope'],
      owner: { by: 'nobody', reason: 'It holds sums of money; a person is a code that leads to nobody.' },
      exported: { not: 'Each request is exported with its cost.' },
      erased: { not: 'Erasing data must not give a new budget.' },
      kept: {
        until: ({ now }) =>
          sql<boolean>`day < ${toStoredTime(now.subtract({ hours: PAID_HOURS })).slice(0, 'yyyy-mm-dd'.length)}`,
      },
    }),
    table<Database['notifications']>({
      name: 'notifications',
      key: ['id'],
      owner: identity,
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
    table<Database['profiles']>({
      name: 'profiles',
      key: ['channel_id', 'user_id'],
      owner: identity,
      // A profile without any setting is stored as an empty object.
      counted: { as: 'hasProfile', only: sql<boolean>`profile <> '{}'` },
      labels: [
        {
          of: 'hasProfile',
          en: {
            line: (count) =>
              `Your profile: ${count > 0 ? 'stored, with the language and time zone that this platform reports, if any (see `/profile`)' : 'not set'}`,
          },
          ko: {
            line: (count) =>
              `내 프로필: ${count > 0 ? '저장됨, 플랫폼이 알려 준 언어·시간대 포함 (`/profile`로 확인)' : '설정 안 함'}`,
          },
        },
      ],
      exported: {
        as: 'profile',
        order: ['user_id'],
        row: ({ profile }) => JSON.parse(profile) as unknown,
        isSingle: true,
      },
      erased: 'delete',
      kept: 'forever',
    }),
    table<Database['privacy_notes']>({
      name: 'privacy_notes',
      key: ['channel_id', 'user_id'],
      owner: identity,
      exported: { not: 'It says only that the person was told what is stored.' },
      erased: 'delete',
      kept: 'forever',
    }),
    table<Database['pairings']>({
      name: 'pairings',
      key: ['channel_id', 'user_id'],
      owner: identity,
      mentions: { user_name: 'the name of `user_id`', decided_by: 'an administrator, who answers for it' },
      exported: { not: 'It is the decision of an administrator.' },
      erased: { not: 'Whether somebody may write is for an administrator to decide, not for them.' },
      kept: {
        until: ({ now }) => sql<boolean>`
          status in ('pending', 'denied')
          and expires_at < ${toStoredTime(now.subtract({ hours: UNCONFIRMED_HOURS }))}`,
      },
    }),
    table<Database['link_codes']>({
      name: 'link_codes',
      key: ['code_hash'],
      owner: identity,
      exported: { not: 'It is a secret that lasts ten minutes.' },
      erased: 'delete',
      kept: past('expires_at'),
    }),
    table<Database['link_questions']>({
      name: 'link_questions',
      key: ['code_hash', 'channel_id', 'user_id'],
      owner: identity,
      exported: { not: 'It lasts ten minutes.' },
      erased: 'delete',
      kept: past('expires_at'),
    }),
    table<Database['audit']>({
      name: 'audit',
      key: ['id'],
      owner: { by: 'pseudonym', column: 'person_hash' },
      exported: {
        as: 'audit',
        order: ['at', 'id'],
        row: ({ at, action, details }) => ({ at, action, details: JSON.parse(details) as unknown }),
      },
      erased: { not: 'It proves that data was erased, and names nobody.' },
      kept: olderThanLimit('at'),
    }),
    table<Database['identity_links']>({
      name: 'identity_links',
      key: ['channel_id', 'user_id'],
      owner: { by: 'account', column: 'owner_id', link: leaveToLinking, unlink: 'stays' },
      mentions: { user_id: 'an identity of the owner' },
      exported: { not: 'The names of linked accounts belong to those accounts.' },
      erased: 'delete',
      kept: 'forever',
    }),
  ],
};
