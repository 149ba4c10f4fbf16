import { identityMessages } from '#src/kernel/messages/identity.ts';
import { privacyMessages } from '#src/kernel/messages/privacy.ts';
import { identityName } from '#src/kernel/identity.ts';
import { asId, fromKeyPart, type PersonRef, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import type { AccountCounts, AccountData, AccountDataCounts, AuditCounts } from '#src/kernel/operations.ts';
import { personKey } from '#src/kernel/account-services.ts';
import type { Clock } from '../../clock.ts';
import { NEVER_ABORTED } from '../../abort.ts';
import { byTime } from '../../cooperative-tasks.ts';
import { recordAudit } from './audit.ts';
import type { Storage } from '../database.ts';
import { type ExportFile, jsonInPieces, sizeInSteps, type WriteExport } from './export-file.ts';
import { tellIdentities, withoutSelf } from './identities.ts';
import { forOwnerOf, identitiesWith, named, type OwnerIdentity, type OwnerStore } from './owners.ts';
import type { Account } from '../tables/descriptor.ts';
import { IS_SETTLED, MODE_SCOPE } from '../tables/messages.ts';
import { countRows, eraseRows, exportRows, labelsOf, sharedAmong } from '../tables/rows.ts';
import { filesIn } from '../messages/outbox.ts';

export interface AccountDataDeps {
  readonly storage: Pick<Storage, 'db' | 'write' | 'codes' | 'tables' | 'truncateLog'>;
  readonly retentionDays: number;
  readonly clock: Pick<Clock, 'now'>;
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
  /** Sends notifications that were just stored. */
  readonly wake: () => void;
}

/** Whether a key is `agent:{agent}:{channel}:{account}:direct:{user}` of this person, with any agent and account. */
const isDirectOf =
  ({ channelId, userId }: PersonRef) =>
  (sessionKey: string): boolean => {
    const [, , channel = '', , chatType, user = ''] = sessionKey.split(':');
    return fromKeyPart(channel) === channelId && chatType === 'direct' && fromKeyPart(user) === userId;
  };

/** The person's direct conversations. Session settings and queue modes are few, so all of them are read. */
const directSessions = async (db: Storage['db'], person: PersonRef): Promise<readonly SessionKey[]> => {
  const { channelId, userId } = person;
  const [inbox, usage, settings, modes] = await Promise.all([
    db
      .selectFrom('inbox')
      .select('session_key')
      .distinct()
      .where('channel_id', '=', channelId)
      .where('sender_id', '=', userId)
      .execute(),
    db
      .selectFrom('usage')
      .select('session_key')
      .distinct()
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId)
      .execute(),
    db.selectFrom('session_settings').select('session_key').execute(),
    db.selectFrom('queue_modes').select('scope').where('scope', 'like', `${MODE_SCOPE}%`).execute(),
  ]);
  const keys = [
    ...[...inbox, ...usage, ...settings].map(({ session_key }) => session_key),
    ...modes.map(({ scope }) => scope.slice(MODE_SCOPE.length)),
  ];
  return [...new Set(keys)].filter(isDirectOf(person)).map((key) => asId<SessionKey>(key));
};

/** The addresses of files that were sent with answers to the person. */
const sentFiles = async (db: Storage['db'], { channelId, userId }: PersonRef): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('outbox')
    .select('payload')
    .where('inbox_id', 'in', (messages) =>
      messages
        .selectFrom('inbox')
        .select('inbox.id')
        .where('inbox.channel_id', '=', channelId)
        .where('inbox.sender_id', '=', userId)
        .where(IS_SETTLED),
    )
    .where('payload', 'like', '%"media"%')
    .execute();
  return rows.flatMap(({ payload }) => filesIn(payload));
};

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
    wake,
    clock,
  } = deps;
  const { db, write, codes, tables } = storage;

  const accountOf = async (person: PersonRef): Promise<Account> => {
    const [ownerId, sessions] = await Promise.all([owners.ownerOf(person), directSessions(db, person)]);
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
      const sessions = await directSessions(db, person);
      const result = await removeConversations(sessions, userId, async (conversations) => {
        await removeSent(await sentFiles(db, person));
        await removeExport(dataFileOf(person));
        return write((tx) =>
          forOwnerOf(tx, person, async (ownerId) => {
            const at = clock.now();
            const others = withoutSelf(await identitiesWith(tx, person), person);
            const rows = await eraseRows(tx, tables, { ...person, ownerId, sessions, codes }, at);
            await tellIdentities(
              tx,
              others,
              (locale) => identityMessages(locale).otherDeleted({ other: identityName(person, locale) }),
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
        about: privacyMessages(locale).exportAbout({ days: retentionDays }),
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
