import { sql } from 'kysely';
import type { Locale } from '#src/kernel/locale.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import {
  type LinkRule,
  olderThanLimit,
  past,
  table,
  type TableDescriptor,
} from '#src/platform/storage/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    profiles: ProfilesTable;
    privacy_notes: PrivacyNotesTable;
    pairings: PairingsTable;
    link_codes: LinkCodesTable;
    link_questions: LinkQuestionsTable;
    identity_links: IdentityLinksTable;
    audit: AuditTable;
    support_shares: SupportSharesTable;
    support_reads: SupportReadsTable;
  }
}

/** Settings of `/profile`, as JSON. */
interface ProfilesTable {
  channel_id: string;
  user_id: string;
  profile: string;
  updated_at: string;
}

/** People who have been told what the bot stores. */
interface PrivacyNotesTable {
  channel_id: string;
  user_id: string;
  told_at: string;
}

/** People who may send direct messages, and those who wait for an administrator's confirmation. */
interface PairingsTable {
  channel_id: string;
  user_id: string;
  user_name: string;
  code: string;
  status: PairingStatus;
  /** The chat in which the person is told the decision. */
  target: string;
  locale: Locale;
  created_at: string;
  expires_at: string;
  decided_by: string | null;
  decided_at: string | null;
}

export type PairingStatus = 'pending' | 'paired' | 'denied';

/** Codes that one identity got and another one has to enter. */
interface LinkCodesTable {
  code_hash: string;
  channel_id: string;
  user_id: string;
  expires_at: string;
  /** JSON: the name of the identity that got the code, and where it is notified when the code is used. */
  contact: string | null;
}

/** People who were asked whether they want to be linked by a code. Without a row, a yes does not count. */
interface LinkQuestionsTable {
  code_hash: string;
  channel_id: string;
  user_id: string;
  /** The identities that the question named. It is asked again when they have changed. */
  sides: string;
  expires_at: string;
}

/** The owner of each linked identity. An identity without a row is its own owner. */
interface IdentityLinksTable {
  channel_id: string;
  user_id: string;
  owner_id: string;
  linked_at: string;
  /** JSON: the identity's name, and where it is notified about its link. Null for links of older versions. */
  contact: string | null;
}

/** The audit trail of people's data. A person is a code that only somebody with their id and the key can find. */
interface AuditTable {
  id: string;
  at: string;
  action: string;
  person_hash: string;
  details: string;
}

/** Conversations that people share with operators. */
interface SupportSharesTable {
  id: string;
  channel_id: string;
  user_id: string;
  session_key: string;
  /** The chat in which the person is told who read it. */
  target: string;
  locale: Locale;
  shared_at: string;
  expires_at: string;
}

interface SupportReadsTable {
  share_id: string;
  /** The code of the operator, or `token`. */
  reader: string;
  /** What the person was told about the reader. */
  reader_name: string;
  at: string;
}

const identity = { by: 'identity', channel: 'channel_id', user: 'user_id' } as const;

/** `/link` and `/link off` change these rows themselves. */
const leaveToLinking: LinkRule = async () => undefined;

/** How long an unconfirmed request is kept after it expired. */
const UNCONFIRMED_HOURS = 24;

/** Who people are, what they told about themselves, and what was done with their data. */
export const peopleTables: readonly TableDescriptor[] = [
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
    isSecret: true,
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
];

const supportShares = table<SupportSharesTable>({
  name: 'support_shares',
  key: ['id'],
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
  table<SupportReadsTable>({
    name: 'support_reads',
    key: ['share_id', 'reader'],
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
