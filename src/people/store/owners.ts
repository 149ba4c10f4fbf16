import type { LinkParty } from '#src/kernel/people/identity.ts';
import {
  asId,
  type ChannelId,
  keyPart,
  type OwnerId,
  type PersonRef,
  type UserId,
  type NamedIdentity,
} from '#src/kernel/ids.ts';
import { DEFAULT_MAX_ENTRIES } from '#src/kernel/market/ledger.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import {
  type Contact,
  contactIn,
  declineQuestions,
  findLinkCode,
  hashOfCode,
  issueLinkCode,
  type LinkCode,
  sidesAsked,
  sidesOf,
  storeQuestion,
  toContact,
  voidLinkCode,
} from './link-codes.ts';
import { type Reads, toStoredTime } from '#src/platform/storage/schema.ts';
import type { TableDescriptor, Tx, UnlinkNames } from '#src/platform/storage/descriptor.ts';
import { fitsTogether, moveRows, splitRows, unlinkNamesOf } from './rows.ts';

/** An identity of an owner, and how it is notified about its link. Without a link it has no contact. */
export interface OwnerIdentity extends PersonRef {
  readonly contact?: Contact;
}

type LinkedIdentity = Required<OwnerIdentity>;

/** Runs in the transaction that changes links: its writes are committed with the change or not at all. */
export type WithinLinkChange<T> = (tx: Tx, change: T) => Promise<void>;

export interface LinkMade {
  /** All identities except the one that used the code. */
  readonly others: readonly OwnerIdentity[];
}

export interface LinkLeft extends UnlinkNames {
  readonly others: readonly OwnerIdentity[];
}

/** Maps identities to owners. An identity without links is its own owner. */
export type OwnerStore = ReturnType<typeof createOwnerStore>;

/** `unknown`: the code is wrong, used or expired. `same`: both sides already have one owner. */
type UnusableCode = { readonly status: 'unknown' } | { readonly status: 'same' };

export type AskOutcome = { readonly status: 'asked'; readonly with: readonly NamedIdentity[] } | UnusableCode;

export type LinkOutcome =
  | { readonly status: 'linked'; readonly with: NamedIdentity }
  /** The person was not asked about this code yet, or the identities that it would link have changed since. */
  | { readonly status: 'unasked' | 'changed' }
  /** Together they would have more portfolio entries than allowed; the code stays valid. */
  | { readonly status: 'full'; readonly limit: number }
  | UnusableCode;

/**
 * The owner id of an identity without links. Linked identities share the id of one of them, so nobody else's data is
 * ever stored under it.
 */
export const ownOwnerId = ({ channelId, userId }: PersonRef): OwnerId =>
  asId<OwnerId>(`person:${keyPart(channelId)}:${keyPart(userId)}`);

const isSamePerson = (a: PersonRef, b: PersonRef): boolean =>
  a.channelId === b.channelId && a.userId === b.userId;

const findOwner = async (db: Reads, person: PersonRef): Promise<OwnerId | undefined> => {
  const row = await db
    .selectFrom('identity_links')
    .select('owner_id')
    .where('channel_id', '=', person.channelId)
    .where('user_id', '=', person.userId)
    .executeTakeFirst();
  return row && asId<OwnerId>(row.owner_id);
};

const findIdentities = async (db: Reads, ownerId: OwnerId): Promise<readonly LinkedIdentity[]> => {
  const rows = await db
    .selectFrom('identity_links')
    .select(['channel_id', 'user_id', 'contact'])
    .where('owner_id', '=', ownerId)
    .orderBy('linked_at')
    .orderBy('channel_id')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => ({
    channelId: asId<ChannelId>(row.channel_id),
    userId: asId<UserId>(row.user_id),
    contact: contactIn(row.contact),
  }));
};

/** The other identities with the same owner. */
const othersWith = async (db: Reads, person: PersonRef): Promise<readonly LinkedIdentity[]> => {
  const ownerId = await findOwner(db, person);
  const found = ownerId ? await findIdentities(db, ownerId) : [];
  return found.filter((one) => !isSamePerson(one, person));
};

/** All identities with the same owner, this one included. */
export const identitiesWith = async (db: Reads, person: PersonRef): Promise<readonly OwnerIdentity[]> => {
  const ownerId = await findOwner(db, person);
  const found = ownerId ? await findIdentities(db, ownerId) : [];
  return found.some((one) => isSamePerson(one, person)) ? found : [person];
};

export const named = ({ channelId, userId, contact }: OwnerIdentity): NamedIdentity => ({
  channelId,
  userId,
  ...(contact ? { name: contact.name } : {}),
});

/** The hash of no code. */
const NO_CODE = '';

/**
 * Serializes changes of links: on PostgreSQL, two at once could otherwise link people to an owner that is being removed.
 * The row is deleted in the same transaction, so nobody ever sees it.
 */
const inTurn = async <T>(tx: Tx, work: () => Promise<T>): Promise<T> => {
  await tx
    .insertInto('link_codes')
    .values({ code_hash: NO_CODE, channel_id: '', user_id: '', expires_at: '', contact: '' })
    .onConflict((conflict) => conflict.column('code_hash').doUpdateSet({ expires_at: '' }))
    .execute();
  const result = await work();
  await tx.deleteFrom('link_codes').where('code_hash', '=', NO_CODE).execute();
  return result;
};

/** Runs work for a person's owner. No link changes before the transaction is over. */
export const forOwnerOf = <T>(
  tx: Tx,
  person: PersonRef,
  work: (ownerId: OwnerId) => Promise<T>,
): Promise<T> => inTurn(tx, async () => work((await findOwner(tx, person)) ?? ownOwnerId(person)));

/** Makes all of these people identities of this owner. */
const setOwner = async (
  tx: Tx,
  people: readonly LinkedIdentity[],
  ownerId: OwnerId,
  at: Temporal.Instant,
): Promise<void> => {
  for (const { channelId, userId, contact } of people) {
    const known = toContact(contact);
    await tx
      .insertInto('identity_links')
      .values({
        channel_id: channelId,
        user_id: userId,
        owner_id: ownerId,
        linked_at: toStoredTime(at),
        contact: known,
      })
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'user_id']).doUpdateSet({ owner_id: ownerId, contact: known }),
      )
      .execute();
  }
};

const leave = async (tx: Tx, { channelId, userId }: PersonRef): Promise<void> => {
  await tx
    .deleteFrom('identity_links')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .execute();
};

const issuerOf = ({ issuer, contact }: LinkCode): LinkedIdentity => ({ ...issuer, contact });

/** Reads what a code would do for this person. `sides` changes when the identities on either side change. */
const readCode = async (tx: Tx, hash: string, person: PersonRef, now: Temporal.Instant) => {
  const code = await findLinkCode(tx, hash, now);
  if (!code) return { status: 'unknown' } as const;
  const ownerId = (await findOwner(tx, code.issuer)) ?? ownOwnerId(code.issuer);
  const former = (await findOwner(tx, person)) ?? ownOwnerId(person);
  // The code stays valid: it was only used in the wrong place.
  if (former === ownerId) return { status: 'same' } as const;
  const issuer = issuerOf(code);
  const issuers = [issuer, ...(await othersWith(tx, issuer))];
  return {
    status: 'good',
    code,
    ownerId,
    former,
    issuers,
    besides: await othersWith(tx, person),
    sides: sidesOf(issuers, await identitiesWith(tx, person)),
  } as const;
};

const askAbout = async (
  tx: Tx,
  hash: string,
  person: PersonRef,
  now: Temporal.Instant,
): Promise<AskOutcome> => {
  const found = await readCode(tx, hash, person, now);
  if (found.status !== 'good') return found;
  await storeQuestion(tx, found.code, person, found.sides);
  return { status: 'asked', with: found.issuers.map(named) };
};

const joinBy = async (
  tx: Tx,
  hash: string,
  person: LinkParty,
  now: Temporal.Instant,
  maxEntries: number,
  tables: readonly TableDescriptor[],
  within: WithinLinkChange<LinkMade> | undefined,
): Promise<LinkOutcome> => {
  const found = await readCode(tx, hash, person, now);
  if (found.status !== 'good') return found;
  const asked = await sidesAsked(tx, hash, person);
  if (asked !== found.sides) return { status: asked === undefined ? 'unasked' : 'changed' };
  const { code, ownerId, former, issuers, besides } = found;
  if (!(await fitsTogether(tx, tables, [former, ownerId], maxEntries)))
    return { status: 'full', limit: maxEntries };
  await voidLinkCode(tx, hash);
  await moveRows(tx, tables, former, ownerId, person.channelId);
  const { channelId, userId, name, locale, target } = person;
  const self = { channelId, userId, contact: { name, locale, target } };
  const others = [...issuers, ...besides];
  await setOwner(tx, [...others, self], ownerId, now);
  const issuer = named(issuerOf(code));
  await within?.(tx, { others });
  return { status: 'linked', with: issuer };
};

/** Finds what would go with this identity and what would stay; undefined if nothing is linked. */
const splitOf = async (
  tx: Reads,
  person: PersonRef,
  tables: readonly TableDescriptor[],
): Promise<(LinkLeft & { shared: OwnerId }) | undefined> => {
  const shared = await findOwner(tx, person);
  if (!shared) return undefined;
  const others = (await findIdentities(tx, shared)).filter((one) => !isSamePerson(one, person));
  if (others.length === 0) return undefined;
  return { shared, others, ...(await unlinkNamesOf(tx, tables, shared, ownOwnerId(person))) };
};

const separate = async (
  tx: Tx,
  person: PersonRef,
  tables: readonly TableDescriptor[],
  within: WithinLinkChange<LinkLeft> | undefined,
): Promise<LinkLeft | undefined> => {
  const split = await splitOf(tx, person, tables);
  const [first, ...more] = split?.others ?? [];
  if (!split || !first) return undefined;
  const { shared, others, takes, leaves } = split;
  await leave(tx, person);
  const own = ownOwnerId(person);
  // Shared data must not stay under the owner id of the person who leaves.
  const ownerId = shared === own || more.length === 0 ? ownOwnerId(first) : shared;
  if (ownerId !== shared) await moveRows(tx, tables, shared, ownerId, first.channelId);
  await splitRows(tx, tables, person, ownerId, own);
  if (more.length === 0) await leave(tx, first);
  else
    await tx
      .updateTable('identity_links')
      .set({ owner_id: ownerId })
      .where('owner_id', '=', shared)
      .execute();
  const left = { others, takes, leaves };
  await within?.(tx, left);
  return left;
};

export const createOwnerStore = (
  storage: Pick<Storage, 'db' | 'write' | 'tables'>,
  clock: Clock,
  maxEntries = DEFAULT_MAX_ENTRIES,
) => {
  const { db, write, tables } = storage;
  return {
    ownerOf: async (person: PersonRef): Promise<OwnerId> =>
      (await findOwner(db, person)) ?? ownOwnerId(person),

    /** All identities with the same owner, this one included. */
    identitiesOf: (person: PersonRef): Promise<readonly OwnerIdentity[]> => identitiesWith(db, person),

    /** A new code for this identity, valid for ten minutes; it replaces an earlier one. Only its hash is stored. */
    issueCode: (
      person: LinkParty,
    ): Promise<{ readonly code: string; readonly expiresAt: Temporal.Instant }> =>
      write((tx) => issueLinkCode(tx, person, clock.now())),

    voidCode: async (code: string) => {
      const hash = hashOfCode(code);
      if (hash !== undefined) await write((tx) => voidLinkCode(tx, hash));
    },

    /** Records that this person was asked about this code, and gives the identities that the question must name. */
    ask: async (code: string, person: PersonRef): Promise<AskOutcome> => {
      const hash = hashOfCode(code);
      if (hash === undefined) return { status: 'unknown' };
      return write((tx) => inTurn(tx, () => askAbout(tx, hash, person, clock.now())));
    },

    /** Declines all open questions of this person and voids their codes; false where there was none. */
    decline: (person: PersonRef): Promise<boolean> =>
      write((tx) => inTurn(tx, () => declineQuestions(tx, person, clock.now()))),

    /**
     * Links the person who uses a code with the one who got it, if they were asked about it. From then on both have one
     * owner, with the portfolios (a name that both had gets the platform appended), alerts, watchlist and briefings of
     * both. A code works once.
     */
    link: async (
      code: string,
      person: LinkParty,
      within?: WithinLinkChange<LinkMade>,
    ): Promise<LinkOutcome> => {
      const hash = hashOfCode(code);
      if (hash === undefined) return { status: 'unknown' };
      return write((tx) =>
        inTurn(tx, () => joinBy(tx, hash, person, clock.now(), maxEntries, tables, within)),
      );
    },

    /** A preview of `unlink`; undefined if nothing is linked. */
    split: async (person: PersonRef): Promise<LinkLeft | undefined> => {
      const found = await splitOf(db, person, tables);
      return found && { others: found.others, takes: found.takes, leaves: found.leaves };
    },

    /**
     * Separates this identity from the others. It takes the portfolios that it created, a copy of the watchlist, and the
     * alerts and briefings that it set, because those notify it. Everything else stays with the others.
     */
    unlink: (person: PersonRef, within?: WithinLinkChange<LinkLeft>): Promise<LinkLeft | undefined> =>
      write((tx) => inTurn(tx, () => separate(tx, person, tables, within))),
  };
};
