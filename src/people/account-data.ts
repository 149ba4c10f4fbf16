import { identityTexts } from '#src/kernel/people/texts/identity.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import { identityName } from '#src/kernel/people/identity.ts';
import { type PersonRef, type SessionKey, type UserId, personKey } from '#src/kernel/ids.ts';
import type { AccountCounts, AccountData, AccountDataCounts } from '#src/kernel/people/privacy.ts';
import type { AuditCounts } from '#src/kernel/operations/audit.ts';
import { NEVER_ABORTED } from '#src/platform/concurrency/abort.ts';
import { byTime } from '#src/platform/concurrency/cooperative-tasks.ts';
import { recordAudit } from './store/audit.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import {
  type ExportFile,
  jsonInPieces,
  sizeInSteps,
  type WriteExport,
} from '#src/platform/storage/export-file.ts';
import { tellIdentities, withoutSelf } from './identities.ts';
import { forOwnerOf, identitiesWith, named, type OwnerIdentity, type OwnerStore } from './store/owners.ts';
import type { Notify } from '#src/kernel/chat/notification.ts';
import type { Account, Tx } from '#src/platform/storage/descriptor.ts';
import type { Uses } from '#src/platform/services.ts';
import {
  conversationsOf,
  countRows,
  eraseRows,
  exportRows,
  filesSentTo,
  labelsOf,
  sharedAmong,
} from './store/rows.ts';

export interface AccountDataDeps extends Uses<'clock.now' | 'wake'> {
  readonly storage: Pick<Storage, 'db' | 'write' | 'codes' | 'tables' | 'truncateLog'>;
  readonly retentionDays: number;
  /**
   * Removes everything of these conversations, and then runs `eraseRest` with how many there were. No turn of them begins
   * before that is done: it would lose the messages that it has just stored.
   */
  readonly removeConversations: <T>(
    sessionKeys: readonly SessionKey[],
    by: UserId,
    eraseRest: (conversations: number) => Promise<T>,
  ) => Promise<T>;
  /** Removes files that were sent to the person, by address; files outside of the data directory stay. */
  readonly removeSent: (urls: readonly string[]) => Promise<number>;
  /** Removes an export that no message names: the process was killed before it could send it. */
  readonly removeExport: (file: ExportFile) => Promise<unknown>;
  readonly owners: Pick<OwnerStore, 'ownerOf' | 'identitiesOf'>;
  readonly writeExport: WriteExport;
  readonly notify: Notify<Tx>;
}

const toCounts = (
  { hasProfile = 0, ...rows }: AccountCounts,
  conversations: number,
  others: readonly OwnerIdentity[],
): AccountDataCounts => ({
  ...rows,
  conversations,
  hasProfile: hasProfile > 0,
  others: others.map(named),
});

const auditCounts = (rows: AccountCounts, conversations: number, identities: number): AuditCounts => {
  const { hasProfile: profiles = 0, ...counts } = rows;
  return { ...counts, profiles: Math.min(profiles, 1), conversations, identities };
};

const dataFileOf = (person: PersonRef): ExportFile => ({
  kind: 'data',
  subject: personKey(person),
  extension: 'json',
});

/**
 * Counts, exports and erases what is kept about a person on one platform, and what they own. Their messages in shared
 * conversations stay, because those belong to all participants; so does an administrator's decision about pairing.
 */
export const createAccountData = (deps: AccountDataDeps): AccountData => {
  const {
    storage,
    retentionDays,
    removeConversations,
    removeSent,
    removeExport,
    owners,
    writeExport,
    notify,
    wake,
    clock,
  } = deps;
  const { db, write, codes, tables } = storage;

  const accountOf = async (person: PersonRef): Promise<Account> => {
    const [ownerId, sessions] = await Promise.all([
      owners.ownerOf(person),
      conversationsOf(db, tables, person),
    ]);
    return { ...person, ownerId, sessions, codes };
  };

  return {
    retentionDays,

    labels: labelsOf(tables),

    counts: async (channelId, userId) => {
      const person = { channelId, userId };
      const account = await accountOf(person);
      const [rows, people] = await Promise.all([countRows(db, tables, account), owners.identitiesOf(person)]);
      return toCounts(rows, account.sessions.length, withoutSelf(people, person));
    },

    erase: async (channelId, userId) => {
      const person = { channelId, userId };
      // Files go first, because they are found through the rows, also by a second attempt after a failure.
      const sessions = await conversationsOf(db, tables, person);
      const result = await removeConversations(sessions, userId, async (conversations) => {
        await removeSent(await filesSentTo(db, tables, person));
        await removeExport(dataFileOf(person));
        return write((tx) =>
          forOwnerOf(tx, person, async (ownerId) => {
            const at = clock.now();
            const others = withoutSelf(await identitiesWith(tx, person), person);
            const rows = await eraseRows(tx, tables, { ...person, ownerId, sessions, codes }, at);
            await tellIdentities(
              notify,
              tx,
              others,
              (locale) => identityTexts(locale).otherDeleted({ other: identityName(person, locale) }),
              at,
            );
            const details = auditCounts(rows, conversations, others.length + 1);
            await recordAudit(tx, codes, 'privacy-delete', person, details, at);
            return toCounts(rows, conversations, others);
          }),
        );
      });
      await storage.truncateLog();
      if (result.others.length > 0) wake();
      return result;
    },

    export: async (channelId, userId, locale, timeZone) => {
      const person = { channelId, userId };
      const account = await accountOf(person);
      const shared = new Set(sharedAmong(tables));
      const own = tables.filter((table) => !shared.has(table));
      const at = clock.now();
      const file = {
        about: privacyTexts(locale).exportAbout({ days: retentionDays }),
        exportedAt: at.toString(),
        identities: [{ ...person, ...(await exportRows(db, own, account)) }],
        ...(await exportRows(db, [...shared], account)),
      };
      const content = await byTime(jsonInPieces(file), NEVER_ABORTED);
      const [rows, people] = await Promise.all([countRows(db, tables, account), owners.identitiesOf(person)]);
      const details = auditCounts(rows, account.sessions.length, people.length);
      await write((tx) => recordAudit(tx, codes, 'privacy-export', person, details, at));
      return {
        kind: 'file',
        mimeType: 'application/json',
        name: `finclaw-data-${at.toZonedDateTimeISO(timeZone).toPlainDate().toString()}.json`,
        url: await writeExport(dataFileOf(person), content),
        sizeBytes: await byTime(sizeInSteps(content), NEVER_ABORTED),
      };
    },
  };
};
