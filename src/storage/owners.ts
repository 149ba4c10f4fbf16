import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { asId, type ChannelId, type OwnerId, type UserId } from '#src/core/ids.ts';
import type { PersonRef } from '#src/core/personal-desk.ts';
import type { Clock } from '#src/infra/clock.ts';
import type { Storage } from './database.ts';
import { moveOwned, moveWhatIsToldTo } from './move-owned.ts';
import { type Database, toStoredTime } from './schema.ts';
import { cleanShortCode, newShortCode } from './short-codes.ts';

/** Who is whose owner. Somebody who linked nothing owns what is theirs under their own name. */
export interface OwnerStore {
  readonly ownerOf: (person: PersonRef) => Promise<OwnerId>;
  /** All identities of an owner, those that linked nothing included: at least the one that asks. */
  readonly identitiesOf: (person: PersonRef) => Promise<readonly PersonRef[]>;
  /** A new code for this identity, in place of an earlier one; ten minutes. Only its hash is stored. */
  readonly issueCode: (
    person: PersonRef,
  ) => Promise<{ readonly code: string; readonly expiresAt: Temporal.Instant }>;
  /**
   * Joins who says a code with who got it: one owner from here on, with the portfolios (a name that both had gets the
   * platform behind it), alerts, watchlist and briefings of both. A code works once.
   */
  readonly link: (code: string, person: PersonRef) => Promise<LinkOutcome>;
  /**
   * This identity is on its own again. Portfolios and watchlist stay with the others; alerts and briefings that it set
   * go with it, for they are told where it is: the others' holdings must not be.
   */
  readonly unlink: (person: PersonRef) => Promise<boolean>;
}

export type LinkOutcome =
  | { readonly status: 'linked'; readonly with: PersonRef; readonly ownerId: OwnerId }
  /** Wrong, used or too old. */
  | { readonly status: 'unknown' }
  /** Said by the one who got it, or both are one already. */
  | { readonly status: 'same' };

const VALID_MINUTES = 10;
const CODE_LENGTH = 8;
const SHOWN_GROUP = 4;

/** Ids come from platforms: one that contains our separator must not be another person. */
const part = (raw: string): string => raw.replaceAll('%', '%25').replaceAll(':', '%3A');

/**
 * Under which a person owns what is theirs as long as they linked nothing. Those who are linked own theirs together
 * under the one of somebody among them: nobody else's data is ever found under a person's own.
 */
export const ownOwnerId = ({ channelId, userId }: PersonRef): OwnerId =>
  asId<OwnerId>(`person:${part(channelId)}:${part(userId)}`);

const hashOf = (cleanCode: string): string => createHash('sha256').update(cleanCode).digest('hex');

const isSamePerson = (a: PersonRef, b: PersonRef): boolean =>
  a.channelId === b.channelId && a.userId === b.userId;

type Reader = Pick<Transaction<Database>, 'selectFrom'>;

const findOwner = async (db: Reader, person: PersonRef): Promise<OwnerId | undefined> => {
  const row = await db
    .selectFrom('identity_links')
    .select('owner_id')
    .where('channel_id', '=', person.channelId)
    .where('user_id', '=', person.userId)
    .executeTakeFirst();
  return row && asId<OwnerId>(row.owner_id);
};

const findIdentities = async (db: Reader, ownerId: OwnerId): Promise<readonly PersonRef[]> => {
  const rows = await db
    .selectFrom('identity_links')
    .select(['channel_id', 'user_id'])
    .where('owner_id', '=', ownerId)
    .orderBy('linked_at')
    .orderBy('channel_id')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => ({
    channelId: asId<ChannelId>(row.channel_id),
    userId: asId<UserId>(row.user_id),
  }));
};

/** No code has an empty hash. */
const NO_CODE = '';

/**
 * Who is whose changes one at a time: on PostgreSQL two at once would otherwise join people to an owner that is just
 * going. The row is gone again before anybody can see it.
 */
const inTurn = async <T>(tx: Transaction<Database>, work: () => Promise<T>): Promise<T> => {
  await tx
    .insertInto('link_codes')
    .values({ code_hash: NO_CODE, channel_id: '', user_id: '', expires_at: '' })
    .onConflict((conflict) => conflict.column('code_hash').doUpdateSet({ expires_at: '' }))
    .execute();
  const result = await work();
  await tx.deleteFrom('link_codes').where('code_hash', '=', NO_CODE).execute();
  return result;
};

/** What is done for a person's owner: nobody is linked or on their own again before the transaction is over. */
export const forOwnerOf = <T>(
  tx: Transaction<Database>,
  person: PersonRef,
  work: (ownerId: OwnerId) => Promise<T>,
): Promise<T> => inTurn(tx, async () => work((await findOwner(tx, person)) ?? ownOwnerId(person)));

/** All of them are this owner's. */
const setOwner = async (
  tx: Transaction<Database>,
  people: readonly PersonRef[],
  ownerId: OwnerId,
  at: Temporal.Instant,
): Promise<void> => {
  for (const { channelId, userId } of people)
    await tx
      .insertInto('identity_links')
      .values({ channel_id: channelId, user_id: userId, owner_id: ownerId, linked_at: toStoredTime(at) })
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'user_id']).doUpdateSet({ owner_id: ownerId }),
      )
      .execute();
};

const leave = async (tx: Transaction<Database>, { channelId, userId }: PersonRef): Promise<void> => {
  await tx
    .deleteFrom('identity_links')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .execute();
};

const joinBy = async (
  tx: Transaction<Database>,
  codeHash: string,
  person: PersonRef,
  now: Temporal.Instant,
): Promise<LinkOutcome> => {
  const row = await tx
    .selectFrom('link_codes')
    .select(['channel_id', 'user_id'])
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', toStoredTime(now))
    .executeTakeFirst();
  if (!row) return { status: 'unknown' };
  const issuer = { channelId: asId<ChannelId>(row.channel_id), userId: asId<UserId>(row.user_id) };
  const ownerId = (await findOwner(tx, issuer)) ?? ownOwnerId(issuer);
  const former = (await findOwner(tx, person)) ?? ownOwnerId(person);
  // The code stays good: it was only said in the wrong place.
  if (former === ownerId) return { status: 'same' };
  await tx.deleteFrom('link_codes').where('code_hash', '=', codeHash).execute();
  await moveOwned(tx, former, ownerId, person.channelId);
  await setOwner(tx, [issuer, person, ...(await findIdentities(tx, former))], ownerId, now);
  return { status: 'linked', with: issuer, ownerId };
};

const separate = async (tx: Transaction<Database>, person: PersonRef): Promise<boolean> => {
  const shared = await findOwner(tx, person);
  if (!shared) return false;
  const identities = await findIdentities(tx, shared);
  const [first, ...others] = identities.filter((one) => !isSamePerson(one, person));
  if (!first) return false;
  await leave(tx, person);
  const own = ownOwnerId(person);
  // What is theirs together must not lie under the name of the one who goes.
  const ownerId = shared === own || others.length === 0 ? ownOwnerId(first) : shared;
  if (ownerId !== shared) await moveOwned(tx, shared, ownerId, first.channelId);
  await moveWhatIsToldTo(tx, person, ownerId, own);
  if (others.length === 0) await leave(tx, first);
  else
    await tx
      .updateTable('identity_links')
      .set({ owner_id: ownerId })
      .where('owner_id', '=', shared)
      .execute();
  return true;
};

export const createOwnerStore = (storage: Pick<Storage, 'db' | 'write'>, clock: Clock): OwnerStore => {
  const { db, write } = storage;
  return {
    ownerOf: async (person) => (await findOwner(db, person)) ?? ownOwnerId(person),

    identitiesOf: async (person) => {
      const ownerId = await findOwner(db, person);
      const found = ownerId ? await findIdentities(db, ownerId) : [];
      return found.some((one) => isSamePerson(one, person)) ? found : [person];
    },

    issueCode: async (person) => {
      const code = newShortCode(CODE_LENGTH);
      const expiresAt = clock.now().add({ minutes: VALID_MINUTES });
      await write(async (tx) => {
        await tx
          .deleteFrom('link_codes')
          .where('channel_id', '=', person.channelId)
          .where('user_id', '=', person.userId)
          .execute();
        await tx
          .insertInto('link_codes')
          .values({
            code_hash: hashOf(code),
            channel_id: person.channelId,
            user_id: person.userId,
            expires_at: toStoredTime(expiresAt),
          })
          .execute();
      });
      return { code: `${code.slice(0, SHOWN_GROUP)}-${code.slice(SHOWN_GROUP)}`, expiresAt };
    },

    link: async (code, person) => {
      const clean = cleanShortCode(code);
      if (clean.length !== CODE_LENGTH) return { status: 'unknown' };
      return write((tx) => inTurn(tx, () => joinBy(tx, hashOf(clean), person, clock.now())));
    },

    unlink: (person) => write((tx) => inTurn(tx, () => separate(tx, person))),
  };
};
