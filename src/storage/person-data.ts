import type { Transaction } from 'kysely';
import { texts } from '#src/core/i18n.ts';
import type { SessionKey, UserId } from '#src/core/ids.ts';
import type {
  AuditCounts,
  IdentityDataCounts,
  OwnedCounts,
  PersonalData,
  PersonalDataCounts,
} from '#src/core/operations.ts';
import type { Clock } from '#src/infra/clock.ts';
import { erasedUserId } from '#src/infra/ids.ts';
import { auditRow } from './audit.ts';
import type { Storage } from './database.ts';
import { rememberErased } from './erased-events.ts';
import type { WriteExport } from './export-file.ts';
import { identitiesOf } from './identities.ts';
import { exportOwned } from './owned-export.ts';
import { countOwned, eraseOwned } from './owned-rows.ts';
import type { OwnerStore } from './owners.ts';
import { exportPerson } from './person-export.ts';
import { directSessions, MODE_SCOPE, type Person, sentFiles, settledMessages } from './person-rows.ts';
import { type Database, toStoredTime } from './schema.ts';

export interface PersonalDataDeps {
  readonly storage: Pick<Storage, 'db' | 'write'>;
  readonly retentionDays: number;
  readonly clock: Pick<Clock, 'now'>;
  /** All files of these conversations; how many of them had any. */
  readonly removeConversations: (sessionKeys: readonly SessionKey[], by: UserId) => Promise<number>;
  /** Files that were sent to the person, by their addresses; those of others and of elsewhere stay. */
  readonly removeSent: (urls: readonly string[]) => Promise<number>;
  /** Who is one person with whom. */
  readonly owners: Pick<OwnerStore, 'ownerOf' | 'identitiesOf'>;
  readonly writeExport: WriteExport;
}

/** Longer than any platform tells an event again, or is asked for what was missed. */
const TOLD_AGAIN = { hours: 1 };

/** In the place of a conversation in what is kept for its sums. */
const NOBODY = 'erased';

const countOf = (result: { readonly numDeletedRows: bigint }): number => Number(result.numDeletedRows);

/** What belongs to the messages goes before them: it is found through them. */
const eraseMessages = async (
  tx: Transaction<Database>,
  person: Person,
  at: Temporal.Instant,
): Promise<number> => {
  for (const table of ['outbox', 'turns', 'live_messages'] as const)
    await tx.deleteFrom(table).where('inbox_id', 'in', settledMessages(tx, person)).execute();
  await tx
    .deleteFrom('approvals')
    .where('channel_id', '=', person.channelId)
    .where('asked_by', '=', person.userId)
    .where('inbox_id', 'not in', (live) =>
      live.selectFrom('inbox').select('id').where('status', '=', 'pending'),
    )
    .execute();
  const erased = await tx
    .deleteFrom('inbox')
    .where('id', 'in', settledMessages(tx, person))
    .returning(['channel_id', 'account_id', 'chat_id', 'event_id', 'accepted_at'])
    .execute();
  const young = toStoredTime(at.subtract(TOLD_AGAIN));
  await rememberErased(
    tx,
    erased.filter(({ accepted_at }) => accepted_at >= young),
    at,
  );
  return erased.length;
};

const eraseSettings = async (
  tx: Transaction<Database>,
  sessionKeys: readonly SessionKey[],
): Promise<void> => {
  for (const key of sessionKeys) {
    await tx.deleteFrom('session_settings').where('session_key', '=', key).execute();
    await tx.deleteFrom('queue_modes').where('scope', '=', `${MODE_SCOPE}${key}`).execute();
  }
};

const eraseRows = async (
  tx: Transaction<Database>,
  person: Person,
  sessionKeys: readonly SessionKey[],
  at: Temporal.Instant,
) => {
  const { channelId, userId } = person;
  const messages = await eraseMessages(tx, person, at);
  await eraseSettings(tx, sessionKeys);
  await tx
    .deleteFrom('dead_letters')
    .where('channel_id', '=', channelId)
    .where('sender_id', '=', userId)
    .execute();
  for (const table of ['awaited_inputs', 'privacy_notes', 'link_codes'] as const)
    await tx.deleteFrom(table).where('channel_id', '=', channelId).where('user_id', '=', userId).execute();
  const reminders = await tx
    .deleteFrom('notifications')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const profile = await tx
    .deleteFrom('profiles')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  // What was spent stays in the sums, and counts against the person's budget: under a code in the place of their id.
  const { numUpdatedRows } = await tx
    .updateTable('usage')
    .set({ user_id: erasedUserId(channelId, userId), session_key: NOBODY })
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    messages,
    usageRecords: Number(numUpdatedRows),
    reminders: countOf(reminders),
    hasProfile: profile.numDeletedRows > 0n,
  };
};

const countRows = async (db: Storage['db'], { channelId, userId }: Person) => {
  const sum = await db
    .selectNoFrom((is) => [
      is
        .selectFrom('inbox')
        .select((all) => all.fn.countAll().as('count'))
        .where('channel_id', '=', channelId)
        .where('sender_id', '=', userId)
        .as('messages'),
      is
        .selectFrom('usage')
        .select((all) => all.fn.countAll().as('count'))
        .where('channel_id', '=', channelId)
        .where('user_id', '=', userId)
        .as('usageRecords'),
      is
        .selectFrom('notifications')
        .select((all) => all.fn.countAll().as('count'))
        .where('channel_id', '=', channelId)
        .where('user_id', '=', userId)
        .as('reminders'),
      is
        .selectFrom('profiles')
        .select((all) => all.fn.countAll().as('count'))
        .where('channel_id', '=', channelId)
        .where('user_id', '=', userId)
        // All of it was taken back by hand.
        .where('profile', '!=', '{}')
        .as('profiles'),
    ])
    .executeTakeFirstOrThrow();
  return {
    messages: Number(sum.messages),
    usageRecords: Number(sum.usageRecords),
    reminders: Number(sum.reminders),
    hasProfile: Number(sum.profiles) > 0,
  };
};

type Identity = Person & IdentityDataCounts;

const sumUp = (identities: readonly Identity[], owned: OwnedCounts): PersonalDataCounts => {
  const sum = (count: (identity: Identity) => number): number =>
    identities.reduce((total, identity) => total + count(identity), 0);
  return {
    messages: sum(({ messages }) => messages),
    conversations: sum(({ conversations }) => conversations),
    usageRecords: sum(({ usageRecords }) => usageRecords),
    reminders: sum(({ reminders }) => reminders),
    hasProfile: identities.some(({ hasProfile }) => hasProfile),
    ...owned,
    identities,
  };
};

const auditCounts = ({ hasProfile, identities, ...counts }: PersonalDataCounts): AuditCounts => ({
  ...counts,
  profiles: hasProfile ? 1 : 0,
  identities: identities.length,
});

/**
 * What is kept about a person under all of their names. Their words in shared conversations stay, for those belong
 * to all who are in them; so does an administrator's word that they may write.
 */
export const createPersonalData = (deps: PersonalDataDeps): PersonalData => {
  const { storage, retentionDays, removeConversations, removeSent, owners, writeExport, clock } = deps;
  const { db, write } = storage;

  const counts: PersonalData['counts'] = async (channelId, userId) => {
    const person = { channelId, userId };
    const identities: Identity[] = [];
    for (const each of await identitiesOf(owners, person)) {
      const [rows, sessions] = await Promise.all([countRows(db, each), directSessions(storage, each)]);
      identities.push({ ...each, ...rows, conversations: sessions.length });
    }
    return sumUp(identities, await countOwned(db, await owners.ownerOf(person)));
  };

  return {
    retentionDays,

    counts,

    erase: async (channelId, userId) => {
      const asker = { channelId, userId };
      const people = await identitiesOf(owners, asker);
      const ownerId = await owners.ownerOf(asker);
      const found: { readonly person: Person; sessions: readonly SessionKey[]; conversations: number }[] = [];
      // The files first: they are found through the rows, also by another attempt after a failure in between.
      for (const person of people) {
        const sessions = await directSessions(storage, person);
        const conversations = await removeConversations(sessions, person.userId);
        await removeSent(await sentFiles(db, person));
        found.push({ person, sessions, conversations });
      }
      return write(async (tx) => {
        const at = clock.now();
        const identities: Identity[] = [];
        for (const { person, sessions, conversations } of found)
          identities.push({ ...person, ...(await eraseRows(tx, person, sessions, at)), conversations });
        const erased = sumUp(identities, await eraseOwned(tx, ownerId));
        await tx
          .insertInto('audit')
          .values(auditRow('privacy-delete', asker, auditCounts(erased), at))
          .execute();
        return erased;
      });
    },

    export: async (channelId, userId, locale, timeZone) => {
      const asker = { channelId, userId };
      const identities: unknown[] = [];
      for (const person of await identitiesOf(owners, asker)) identities.push(await exportPerson(db, person));
      const owned = await exportOwned(db, await owners.ownerOf(asker));
      const at = clock.now();
      const about = texts(locale).privacy.exportAbout({ days: retentionDays });
      const content = JSON.stringify({ about, exportedAt: at.toString(), identities, ...owned }, null, 2);
      const held = await counts(channelId, userId);
      await write((tx) =>
        tx
          .insertInto('audit')
          .values(auditRow('privacy-export', asker, auditCounts(held), at))
          .execute(),
      );
      return {
        kind: 'file',
        mimeType: 'application/json',
        name: `finclaw-data-${at.toZonedDateTimeISO(timeZone).toPlainDate().toString()}.json`,
        url: await writeExport(content, 'json'),
        sizeBytes: Buffer.byteLength(content),
      };
    },
  };
};
