import type { Transaction } from 'kysely';
import { asId, type ChannelId, type PersonRef, type Timestamp, type UserId } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

/** An administrator as they were when they asked for a code. */
export interface SessionHolder {
  readonly person: PersonRef;
  readonly roles: readonly string[];
}

/** A session as it is stored. Its secret is not. */
export interface StoredSession {
  readonly hash: string;
  /** Undefined: somebody who knows the token. */
  readonly holder: SessionHolder | undefined;
  readonly expiresAt: Timestamp;
}

export interface NewSession {
  readonly hash: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** The codes and sessions of the operator page. All processes on the database share them. */
export type OperatorSessions = ReturnType<typeof createOperatorSessions>;

interface HolderRow {
  readonly channel_id: string | null;
  readonly user_id: string | null;
  readonly roles: string;
}

const holderIn = ({ channel_id, user_id, roles }: HolderRow): SessionHolder | undefined =>
  channel_id === null || user_id === null
    ? undefined
    : {
        person: { channelId: asId<ChannelId>(channel_id), userId: asId<UserId>(user_id) },
        roles: JSON.parse(roles) as readonly string[],
      };

const columnsOf = ({ person, roles }: SessionHolder) => ({
  channel_id: person.channelId,
  user_id: person.userId,
  roles: JSON.stringify(roles),
});

const timesOf = ({ createdAt, expiresAt }: NewSession) => ({
  created_at: toStoredTime(createdAt),
  expires_at: toStoredTime(expiresAt),
});

const removeCode = (tx: Transaction<Database>, { channelId, userId }: PersonRef) =>
  tx.deleteFrom('operator_codes').where('channel_id', '=', channelId).where('user_id', '=', userId).execute();

export const createOperatorSessions = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  /** Replaces the person's earlier code. */
  putCode: (codeHash: string, holder: SessionHolder, expiresAt: Timestamp): Promise<void> =>
    write(async (tx) => {
      await removeCode(tx, holder.person);
      await tx
        .insertInto('operator_codes')
        .values({ code_hash: codeHash, ...columnsOf(holder), expires_at: toStoredTime(expiresAt) })
        .execute();
    }),
  /** Turns a code into a session. Only one caller gets it. Undefined for a code that is wrong, used or expired. */
  redeem: async (
    codeHash: string,
    session: NewSession,
    now: Timestamp,
  ): Promise<SessionHolder | undefined> => {
    // Wrong codes cost no write.
    const known = await db
      .selectFrom('operator_codes')
      .select('code_hash')
      .where('code_hash', '=', codeHash)
      .executeTakeFirst();
    if (!known) return undefined;
    return write(async (tx) => {
      const code = await tx
        .deleteFrom('operator_codes')
        .where('code_hash', '=', codeHash)
        .returningAll()
        .executeTakeFirst();
      const holder = code && holderIn(code);
      if (!holder || code.expires_at <= toStoredTime(now)) return undefined;
      await tx
        .insertInto('operator_sessions')
        .values({ session_hash: session.hash, ...columnsOf(holder), ...timesOf(session) })
        .execute();
      return holder;
    });
  },
  /** A session of somebody who knows the token. */
  add: (session: NewSession): Promise<void> =>
    write(async (tx) => {
      await tx
        .insertInto('operator_sessions')
        .values({
          session_hash: session.hash,
          channel_id: null,
          user_id: null,
          roles: '[]',
          ...timesOf(session),
        })
        .execute();
    }),
  /** Those of the hashes that are sessions and have not expired. */
  find: async (hashes: readonly string[], now: Timestamp): Promise<readonly StoredSession[]> => {
    const rows = await db
      .selectFrom('operator_sessions')
      .select(['session_hash', 'channel_id', 'user_id', 'roles', 'expires_at'])
      .where('session_hash', 'in', hashes)
      .where('expires_at', '>', toStoredTime(now))
      .execute();
    return rows.map((row) => ({
      hash: row.session_hash,
      holder: holderIn(row),
      expiresAt: Temporal.Instant.from(row.expires_at),
    }));
  },
  end: (hash: string): Promise<void> =>
    write(async (tx) => {
      await tx.deleteFrom('operator_sessions').where('session_hash', '=', hash).execute();
    }),
  /** Ends all sessions of a person, or all that began with the token, and takes back the person's code. */
  endAll: (of: PersonRef | 'token'): Promise<number> =>
    write(async (tx) => {
      const all = tx.deleteFrom('operator_sessions');
      if (of !== 'token') await removeCode(tx, of);
      const { numDeletedRows } = await (
        of === 'token'
          ? all.where('user_id', 'is', null)
          : all.where('channel_id', '=', of.channelId).where('user_id', '=', of.userId)
      ).executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    }),
});
