import { sql } from 'kysely';
import type { Locale } from '#src/kernel/locale.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import {
  type LinkRule,
  olderThanLimit,
  past,
  table,
  type TableDescriptor,
} from '#src/platform/storage/descriptor.ts';
import { defineTable, nullable, text, unique, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    profiles: RowOf<typeof profilesForm>;
    privacy_notes: RowOf<typeof privacyNotesForm>;
    pairings: RowOf<typeof pairingsForm>;
    link_codes: RowOf<typeof linkCodesForm>;
    link_questions: RowOf<typeof linkQuestionsForm>;
    identity_links: RowOf<typeof identityLinksForm>;
    audit: RowOf<typeof auditForm>;
    support_shares: RowOf<typeof supportSharesForm>;
    support_reads: RowOf<typeof supportReadsForm>;
  }
}

/** Settings of `/profile`, as JSON. */
const profilesForm = defineTable(
  'profiles',
  {
    channel_id: text(),
    user_id: text(),
    profile: text(),
    updated_at: text(),
  },
  { key: ['channel_id', 'user_id'] },
);

/** People who have been told what the bot stores. */
const privacyNotesForm = defineTable(
  'privacy_notes',
  {
    channel_id: text(),
    user_id: text(),
    told_at: text(),
  },
  { key: ['channel_id', 'user_id'] },
);

/** People who may send direct messages, and those who wait for an administrator's confirmation. */
const pairingsForm = defineTable(
  'pairings',
  {
    channel_id: text(),
    user_id: text(),
    user_name: text(),
    code: text(),
    status: text<PairingStatus>(),
    /** The chat in which the person is told the decision. */
    target: text(),
    locale: text<Locale>(),
    created_at: text(),
    expires_at: text(),
    decided_by: nullable(text()),
    decided_at: nullable(text()),
  },
  { key: ['channel_id', 'user_id'] },
);

export type PairingStatus = 'pending' | 'paired' | 'denied';

/** Codes that one identity got and another one has to enter. */
const linkCodesForm = defineTable(
  'link_codes',
  {
    code_hash: text(),
    channel_id: text(),
    user_id: text(),
    expires_at: text(),
    /** JSON: the name of the identity that got the code, and where it is notified when the code is used. */
    contact: text(),
  },
  { key: ['code_hash'] },
);

/** People who were asked whether they want to be linked by a code. Without a row, a yes does not count. */
const linkQuestionsForm = defineTable(
  'link_questions',
  {
    code_hash: text(),
    channel_id: text(),
    user_id: text(),
    /** The identities that the question named. It is asked again when they have changed. */
    sides: text(),
    expires_at: text(),
  },
  { key: ['code_hash', 'channel_id', 'user_id'] },
);

/** The owner of each linked identity. An identity without a row is its own owner. */
const identityLinksForm = defineTable(
  'identity_links',
  {
    channel_id: text(),
    user_id: text(),
    owner_id: text(),
    linked_at: text(),
    /** JSON: the identity's name, and where it is notified about its link. */
    contact: text(),
  },
  {
    key: ['channel_id', 'user_id'],
    indexes: {
      identity_links_owner: ['owner_id'],
    },
  },
);

/** The audit trail of people's data. A person is a code that only somebody with their id and the key can find. */
const auditForm = defineTable(
  'audit',
  {
    id: text(),
    at: text(),
    action: text(),
    person_hash: text(),
    details: text(),
  },
  {
    key: ['id'],
    indexes: {
      audit_at: ['at'],
    },
  },
);

/** Conversations that people share with operators. */
const supportSharesForm = defineTable(
  'support_shares',
  {
    id: text(),
    channel_id: text(),
    user_id: text(),
    session_key: unique(text()),
    /** The chat in which the person is told who read it. */
    target: text(),
    locale: text<Locale>(),
    shared_at: text(),
    expires_at: text(),
  },
  { key: ['id'] },
);

const supportReadsForm = defineTable(
  'support_reads',
  {
    share_id: text(),
    /** The code of the operator, or `token`. */
    reader: text(),
    /** What the person was told about the reader. */
    reader_name: text(),
    at: text(),
  },
  { key: ['share_id', 'reader'] },
);

const identity = { by: 'identity', channel: 'channel_id', user: 'user_id' } as const;

/** `/link` and `/link off` change these rows themselves. */
const leaveToLinking: LinkRule = async () => undefined;

/** How long an unconfirmed request is kept after it expired. */
const UNCONFIRMED_HOURS = 24;

/** Who people are, what they told about themselves, and what was done with their data. */
export const peopleTables: readonly TableDescriptor[] = [
  table(profilesForm, {
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
  table(privacyNotesForm, {
    owner: identity,
    exported: { not: 'It says only that the person was told what is stored.' },
    erased: 'delete',
    kept: 'forever',
  }),
  table(pairingsForm, {
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
  table(linkCodesForm, {
    owner: identity,
    isSecret: true,
    exported: { not: 'It is a secret that lasts ten minutes.' },
    erased: 'delete',
    kept: past('expires_at'),
  }),
  table(linkQuestionsForm, {
    owner: identity,
    exported: { not: 'It lasts ten minutes.' },
    erased: 'delete',
    kept: past('expires_at'),
  }),
  table(auditForm, {
    owner: { by: 'pseudonym', column: 'person_hash' },
    exported: {
      as: 'audit',
      order: ['at', 'id'],
      row: ({ at, action, details }) => ({ at, action, details: JSON.parse(details) as unknown }),
    },
    erased: { not: 'It proves that data was erased, and names nobody.' },
    kept: olderThanLimit('at'),
  }),
  table(identityLinksForm, {
    owner: { by: 'account', column: 'owner_id', link: leaveToLinking, unlink: 'stays' },
    mentions: { user_id: 'an identity of the owner' },
    exported: { not: 'The names of linked accounts belong to those accounts.' },
    erased: 'delete',
    kept: 'forever',
  }),
];

const supportShares = table(supportSharesForm, {
  owner: identity,
  exported: {
    as: 'supportShares',
    order: ['shared_at', 'id'],
    row: ({ shared_at, expires_at }) => ({ sharedAt: shared_at, expiresAt: expires_at }),
  },
  erased: 'delete',
  kept: past('expires_at'),
});

/** Conversations that people share with operators. */
export const supportTables: readonly TableDescriptor[] = [
  supportShares,
  table(supportReadsForm, {
    owner: { by: 'parent' },
    parent: { table: supportShares, column: 'share_id' },
    exported: {
      as: 'readers',
      order: ['at', 'reader'],
      row: ({ reader_name, at }) => ({ name: reader_name, at }),
    },
    erased: 'delete',
    kept: 'with its parent',
  }),
];
