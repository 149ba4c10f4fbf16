import {
  asId,
  type ChannelId,
  type DeliveryId,
  type SessionKey,
  type Timestamp,
  type UserId,
} from '#src/kernel/ids.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { SharedChat, SharedState } from '#src/kernel/people/support-shares.ts';
import type { SharedConversation } from '#src/kernel/operations/operator.ts';
import { newId } from '#src/platform/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Notify } from '#src/kernel/chat/notification.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import { type AuditActor, recordAudit } from './audit.ts';

interface Reader {
  readonly by: AuditActor;
  /** As the person is told. */
  readonly name: (locale: Locale) => string;
  readonly notice: (name: string, locale: Locale) => string;
}

export interface SupportShareStore {
  /** Shares a conversation, or changes the end of a share. */
  readonly share: (chat: SharedChat, at: Timestamp, expiresAt: Timestamp) => Promise<void>;
  /** False if it is not shared at this moment. */
  readonly revoke: (chat: Pick<SharedChat, 'person' | 'sessionKey'>, at: Timestamp) => Promise<boolean>;
  readonly current: (sessionKey: SessionKey, at: Timestamp) => Promise<SharedState | undefined>;
  /** The newest first. */
  readonly list: (at: Timestamp) => Promise<readonly SharedConversation[]>;
  /**
   * Records that an operator is about to read a shared conversation, and stores a notice for its person: one for each
   * operator, however often they read it. Undefined if it is not shared any more.
   */
  readonly read: (id: string, reader: Reader, at: Timestamp) => Promise<SessionKey | undefined>;
}

/** Removes a share with its readers. */
const removeShare = async (tx: Tx, id: string): Promise<void> => {
  await tx.deleteFrom('support_reads').where('share_id', '=', id).execute();
  await tx.deleteFrom('support_shares').where('id', '=', id).execute();
};

const codeOf = ({ codes }: Pick<Storage, 'codes'>, by: AuditActor): string =>
  by === 'token' ? by : codes.person(by);

/** Locks the share, so that it is not revoked while it is being read. */
const lockShare = (tx: Tx, column: 'id' | 'session_key', value: string) =>
  tx
    .updateTable('support_shares')
    .set((own) => ({ expires_at: own.ref('expires_at') }))
    .where(column, '=', value)
    .returningAll()
    .executeTakeFirst();

export const createSupportShareStore = (
  storage: Pick<Storage, 'db' | 'write' | 'codes'>,
  notify: Notify<Tx>,
): SupportShareStore => {
  const { db, write, codes } = storage;

  return {
    share: ({ person, sessionKey, target, locale }, at, expiresAt) =>
      write(async (tx) => {
        const before = await lockShare(tx, 'session_key', sessionKey);
        if (before && before.expires_at <= toStoredTime(at)) await removeShare(tx, before.id);
        const changed = {
          target: JSON.stringify(target),
          locale,
          expires_at: toStoredTime(expiresAt),
        };
        await tx
          .insertInto('support_shares')
          .values({
            id: newId(),
            channel_id: person.channelId,
            user_id: person.userId,
            session_key: sessionKey,
            shared_at: toStoredTime(at),
            ...changed,
          })
          .onConflict((conflict) => conflict.column('session_key').doUpdateSet(changed))
          .execute();
        await recordAudit(tx, codes, 'support-share', person, {}, at);
      }),

    revoke: ({ person, sessionKey }, at) =>
      write(async (tx) => {
        const share = await lockShare(tx, 'session_key', sessionKey);
        if (!share) return false;
        await removeShare(tx, share.id);
        if (share.expires_at <= toStoredTime(at)) return false;
        await recordAudit(tx, codes, 'support-revoke', person, {}, at);
        return true;
      }),

    current: async (sessionKey, at) => {
      const share = await db
        .selectFrom('support_shares')
        .select(['id', 'expires_at'])
        .where('session_key', '=', sessionKey)
        .where('expires_at', '>', toStoredTime(at))
        .executeTakeFirst();
      if (!share) return undefined;
      const readers = await db
        .selectFrom('support_reads')
        .select(['reader_name', 'at'])
        .where('share_id', '=', share.id)
        .orderBy('at')
        .orderBy('reader')
        .execute();
      return {
        expiresAt: Temporal.Instant.from(share.expires_at),
        readers: readers.map((row) => ({ name: row.reader_name, at: Temporal.Instant.from(row.at) })),
      };
    },

    list: async (at) => {
      const rows = await db
        .selectFrom('support_shares')
        .select(['id', 'channel_id', 'user_id', 'shared_at', 'expires_at'])
        .where('expires_at', '>', toStoredTime(at))
        .orderBy('shared_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map((row) => {
        const channelId = asId<ChannelId>(row.channel_id);
        return {
          id: row.id,
          person: codes.person({ channelId, userId: asId<UserId>(row.user_id) }),
          channelId,
          sharedAt: Temporal.Instant.from(row.shared_at),
          expiresAt: Temporal.Instant.from(row.expires_at),
        };
      });
    },

    read: (id, { by, name, notice }, at) =>
      write(async (tx) => {
        const share = await lockShare(tx, 'id', id);
        if (!share || share.expires_at <= toStoredTime(at)) return undefined;
        const shown = name(share.locale);
        const { numInsertedOrUpdatedRows = 0n } = await tx
          .insertInto('support_reads')
          .values({
            share_id: id,
            reader: codeOf(storage, by),
            reader_name: shown,
            at: toStoredTime(at),
          })
          .onConflict((conflict) => conflict.columns(['share_id', 'reader']).doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows > 0n) {
          const told = {
            id: newId<DeliveryId>(),
            target: JSON.parse(share.target) as ReplyTarget,
            payload: { text: notice(shown, share.locale), locale: share.locale, isSentAnyway: true as const },
            dueAt: at,
          };
          await notify(tx, told, at);
        }
        const person = { channelId: asId<ChannelId>(share.channel_id), userId: asId<UserId>(share.user_id) };
        await recordAudit(tx, codes, 'support-read', by, { person: codes.person(person) }, at);
        return asId<SessionKey>(share.session_key);
      }),
  };
};
