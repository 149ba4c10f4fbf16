import type { Selectable, Transaction, Updateable } from 'kysely';
import { asId, type ChannelId, type Timestamp, type UserId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import type { Pairing, Pairings } from '#src/kernel/people/pairing.ts';
import { visibleLine } from '#src/kernel/text.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { Write } from '#src/platform/storage/group-commit.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import { cleanShortCode, newShortCode } from '#src/platform/text/short-codes.ts';

export type PairingRequest = Pick<Pairing, 'channelId' | 'userId' | 'userName' | 'target' | 'locale'>;

export type PairingOutcome =
  | { readonly outcome: 'code'; readonly code: string }
  /** The earlier code is still valid. */
  | { readonly outcome: 'waiting'; readonly code: string }
  /** An administrator refused recently. */
  | { readonly outcome: 'denied' }
  /** Confirmed in the meantime. */
  | { readonly outcome: 'paired' };

export interface PairingStore extends Pairings {
  readonly isPaired: (channelId: ChannelId, userId: UserId) => Promise<boolean>;
  /** Requests an administrator's confirmation. A code stays the same while it is valid, and is stored before it is shown. */
  readonly request: (request: PairingRequest) => Promise<PairingOutcome>;
}

/** The limit on one platform. Beyond it the oldest request is removed, so strangers cannot keep others from asking. */
export const MAX_PENDING = 50;
const VALID_HOURS = 1;
/** How long a refused person cannot ask again. */
const DENIED_HOURS = 24;
const CODE_LENGTH = 8;
const MAX_NAME_LENGTH = 100;

const toPairing = (row: Selectable<Database['pairings']>): Pairing => ({
  code: row.code,
  channelId: asId<ChannelId>(row.channel_id),
  userId: asId<UserId>(row.user_id),
  userName: row.user_name,
  target: JSON.parse(row.target) as ReplyTarget,
  locale: row.locale,
  expiresAt: Temporal.Instant.from(row.expires_at),
});

const requestRow = (request: PairingRequest, code: string, now: Timestamp) => ({
  channel_id: request.channelId,
  user_id: request.userId,
  user_name: visibleLine(request.userName).trim().slice(0, MAX_NAME_LENGTH).toWellFormed(),
  code,
  status: 'pending' as const,
  target: JSON.stringify(request.target),
  locale: request.locale,
  created_at: toStoredTime(now),
  expires_at: toStoredTime(now.add({ hours: VALID_HOURS })),
});

/** The user id of nobody: platforms have no empty ids. */
const NOBODY = asId<UserId>('');

/**
 * Serializes requests on one platform: on PostgreSQL, two at once would otherwise be counted without each other. The row
 * is deleted in the same transaction, so nobody ever sees it.
 */
const withPlatformLock = async <T>(
  tx: Transaction<Database>,
  request: PairingRequest,
  now: Timestamp,
  work: () => Promise<T>,
): Promise<T> => {
  await tx
    .insertInto('pairings')
    .values(requestRow({ ...request, userId: NOBODY }, '', now))
    .onConflict((conflict) => conflict.columns(['channel_id', 'user_id']).doUpdateSet({ code: '' }))
    .execute();
  const result = await work();
  await tx
    .deleteFrom('pairings')
    .where('channel_id', '=', request.channelId)
    .where('user_id', '=', NOBODY)
    .execute();
  return result;
};

const decideRequest = async (
  tx: Transaction<Database>,
  request: PairingRequest,
  now: Timestamp,
): Promise<PairingOutcome> => {
  const { channelId, userId } = request;
  await tx
    .deleteFrom('pairings')
    .where('channel_id', '=', channelId)
    .where('status', 'in', ['pending', 'denied'])
    .where('expires_at', '<=', toStoredTime(now))
    .execute();
  const rows = await tx
    .selectFrom('pairings')
    .select(['user_id', 'status', 'code'])
    .where('channel_id', '=', channelId)
    .where('user_id', '!=', NOBODY)
    .where((is) => is.or([is('status', '=', 'pending'), is('user_id', '=', userId)]))
    .orderBy('created_at')
    .orderBy('code')
    .execute();
  const own = rows.find(({ user_id }) => user_id === userId);
  if (own?.status === 'pending') return { outcome: 'waiting', code: own.code };
  if (own) return { outcome: own.status };
  const tooOld = rows.slice(0, Math.max(0, rows.length + 1 - MAX_PENDING)).map(({ user_id }) => user_id);
  if (tooOld.length > 0)
    await tx
      .deleteFrom('pairings')
      .where('channel_id', '=', channelId)
      .where('user_id', 'in', tooOld)
      .execute();
  const code = newShortCode(CODE_LENGTH);
  await tx
    .insertInto('pairings')
    .values(requestRow(request, code, now))
    .execute();
  return { outcome: 'code', code };
};

const decide = async (
  write: Write,
  code: string,
  now: Timestamp,
  decision: Updateable<Database['pairings']>,
): Promise<Pairing | undefined> => {
  const row = await write((tx) =>
    tx
      .updateTable('pairings')
      .set(decision)
      .where('code', '=', cleanShortCode(code))
      .where('status', '=', 'pending')
      .where('expires_at', '>', toStoredTime(now))
      .returningAll()
      .executeTakeFirst(),
  );
  return row && toPairing(row);
};

/** People who may send direct messages, and those who wait for an administrator's confirmation. */
export const createPairings = ({ db, write }: Pick<Storage, 'db' | 'write'>, clock: Clock): PairingStore => ({
  isPaired: async (channelId, userId) => {
    const row = await db
      .selectFrom('pairings')
      .select('status')
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId)
      .where('status', '=', 'paired')
      .executeTakeFirst();
    return row !== undefined;
  },

  request: (request) => {
    const now = clock.now();
    return write((tx) => withPlatformLock(tx, request, now, () => decideRequest(tx, request, now)));
  },

  confirm: (code, by) => {
    const now = clock.now();
    return decide(write, code, now, { status: 'paired', decided_by: by, decided_at: toStoredTime(now) });
  },

  deny: (code, by) => {
    const now = clock.now();
    const expires_at = toStoredTime(now.add({ hours: DENIED_HOURS }));
    return decide(write, code, now, {
      status: 'denied',
      decided_by: by,
      decided_at: toStoredTime(now),
      expires_at,
    });
  },

  pending: async () => {
    const now = toStoredTime(clock.now());
    const rows = await db
      .selectFrom('pairings')
      .selectAll()
      .where('status', '=', 'pending')
      .where('expires_at', '>', now)
      .orderBy('created_at')
      .orderBy('code')
      .execute();
    return rows.map(toPairing);
  },

  revoke: (channelId, userId) =>
    write(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('pairings')
        .where('channel_id', '=', channelId)
        .where('user_id', '=', userId)
        .where('status', '=', 'paired')
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    }),
});
