import type { Transaction } from 'kysely';
import { texts } from '#src/core/i18n.ts';
import { identityName } from '#src/core/identity-names.ts';
import type { SessionKey, UserId } from '#src/core/ids.ts';
import type { AuditCounts, PersonalData, PersonalDataCounts } from '#src/core/operations.ts';
import { personKey } from '#src/core/personal-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import { NEVER_ABORTED } from '#src/infra/abort.ts';
import { byTime } from '#src/infra/steps.ts';
import { auditRow } from './audit.ts';
import type { Storage } from './database.ts';
import { rememberErased } from './erased-events.ts';
import type { WriteExport } from './export-file.ts';
import { tellIdentities, withoutSelf } from './identities.ts';
import { jsonInPieces, sizeInSteps } from './json-pieces.ts';
import { exportOwned } from './owned-export.ts';
import { countOwned, eraseOwned } from './owned-rows.ts';
import { forOwnerOf, identitiesWith, named, type OwnerStore } from './owners.ts';
import { exportPerson } from './person-export.ts';
import { ERASED_SESSION, type PersonCodes } from './person-codes.ts';
import { directSessions, MODE_SCOPE, type Person, sentFiles, settledMessages } from './person-rows.ts';
import { type Database, toStoredTime } from './schema.ts';

export interface PersonalDataDeps {
  readonly storage: Pick<Storage, 'db' | 'write' | 'codes' | 'truncateLog'>;
  readonly retentionDays: number;
  readonly clock: Pick<Clock, 'now'>;
  /** All files of these conversations; how many of them had any. */
  readonly removeConversations: (sessionKeys: readonly SessionKey[], by: UserId) => Promise<number>;
  /** Files that were sent to the person, by their addresses; those of others and of elsewhere stay. */
  readonly removeSent: (urls: readonly string[]) => Promise<number>;
  /** Who is one person with whom. */
  readonly owners: Pick<OwnerStore, 'ownerOf' | 'identitiesOf'>;
  readonly writeExport: WriteExport;
  /** Notifications were stored: they are to be sent now. */
  readonly wake: () => void;
}

/** Longer than any platform tells an event again, or is asked for what was missed. */
const TOLD_AGAIN = { hours: 1 };

const countOf = (result: { readonly numDeletedRows: bigint }): number => Number(result.numDeletedRows);

/** What belongs to the messages goes before them: it is found through them. */
const eraseMessages = async (
  tx: Transaction<Database>,
  codes: PersonCodes,
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
    codes,
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
  codes: PersonCodes,
  person: Person,
  sessionKeys: readonly SessionKey[],
  at: Temporal.Instant,
) => {
  const { channelId, userId } = person;
  const messages = await eraseMessages(tx, codes, person, at);
  await eraseSettings(tx, sessionKeys);
  await tx
    .deleteFrom('dead_letters')
    .where('channel_id', '=', channelId)
    .where('sender_id', '=', userId)
    .execute();
  for (const table of ['awaited_inputs', 'privacy_notes', 'link_codes', 'link_questions'] as const)
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
    .set({
      user_id: codes.erasedUserId(channelId, userId),
      session_key: ERASED_SESSION,
      // The provider may still know by them what was said.
      request_id: null,
      response_id: null,
    })
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

const auditCounts = ({ hasProfile, others, ...counts }: PersonalDataCounts): AuditCounts => ({
  ...counts,
  profiles: hasProfile ? 1 : 0,
  identities: others.length + 1,
});

/**
 * What is kept about a person on one platform, and what they own. Their words in shared conversations stay, for those
 * belong to all who are in them; so does an administrator's word that they may write.
 */
export const createPersonalData = (deps: PersonalDataDeps): PersonalData => {
  const { storage, retentionDays, removeConversations, removeSent, owners, writeExport, wake, clock } = deps;
  const { db, write, codes } = storage;

  const counts: PersonalData['counts'] = async (channelId, userId) => {
    const person = { channelId, userId };
    const [rows, sessions, owned, people] = await Promise.all([
      countRows(db, person),
      directSessions(storage, person),
      owners.ownerOf(person).then((ownerId) => countOwned(db, ownerId)),
      owners.identitiesOf(person),
    ]);
    return {
      ...rows,
      conversations: sessions.length,
      ...owned,
      others: withoutSelf(people, person).map(named),
    };
  };

  return {
    retentionDays,

    counts,

    erase: async (channelId, userId) => {
      const person = { channelId, userId };
      // The files first: they are found through the rows, also by another attempt after a failure in between.
      const sessions = await directSessions(storage, person);
      const conversations = await removeConversations(sessions, userId);
      await removeSent(await sentFiles(db, person));
      const result = await write((tx) =>
        forOwnerOf(tx, person, async (ownerId) => {
          const at = clock.now();
          const others = withoutSelf(await identitiesWith(tx, person), person);
          const rows = await eraseRows(tx, codes, person, sessions, at);
          const owned = await eraseOwned(tx, ownerId);
          const erased = { ...rows, conversations, ...owned, others: others.map(named) };
          await tellIdentities(
            tx,
            others,
            (locale) => texts(locale).identity.otherDeleted({ other: identityName(person, locale) }),
            at,
          );
          await tx
            .insertInto('audit')
            .values(auditRow('privacy-delete', codes.person(person), auditCounts(erased), at))
            .execute();
          return erased;
        }),
      );
      await storage.truncateLog();
      if (result.others.length > 0) wake();
      return result;
    },

    export: async (channelId, userId, locale, timeZone) => {
      const asker = { channelId, userId };
      const stored = await exportPerson(storage, asker);
      const owned = await exportOwned(db, await owners.ownerOf(asker));
      const at = clock.now();
      const about = texts(locale).privacy.exportAbout({ days: retentionDays });
      const file = { about, exportedAt: at.toString(), identities: [stored], ...owned };
      const content = await byTime(jsonInPieces(file), NEVER_ABORTED);
      const held = await counts(channelId, userId);
      await write((tx) =>
        tx
          .insertInto('audit')
          .values(auditRow('privacy-export', codes.person(asker), auditCounts(held), at))
          .execute(),
      );
      return {
        kind: 'file',
        mimeType: 'application/json',
        name: `finclaw-data-${at.toZonedDateTimeISO(timeZone).toPlainDate().toString()}.json`,
        url: await writeExport({ kind: 'data', subject: personKey(asker), extension: 'json' }, content),
        sizeBytes: await byTime(sizeInSteps(content), NEVER_ABORTED),
      };
    },
  };
};
