import type { Transaction } from 'kysely';
import type { LinkParty } from '#src/kernel/identity.ts';
import { asId, type ChannelId, type OwnerId, type PersonRef, type UserId } from '#src/kernel/ids.ts';
import { DEFAULT_MAX_ENTRIES } from '#src/kernel/ledger.ts';
import type { NamedIdentity } from '#src/kernel/account-services.ts';
import type { Clock } from '../../clock.ts';
import type { Storage } from '../database.ts';
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
import { type Database, toStoredTime } from '../schema.ts';
import type { TableDescriptor, UnlinkNames } from '../tables/descriptor.ts';
import { fitsTogether, moveRows, splitRows, unlinkNamesOf } from '../tables/rows.ts';

/** An identity of an owner, and how it is told about its link. */
export interface OwnerIdentity extends PersonRef {
  readonly contact?: Contact;
}

/** Runs in the transaction of a change of links: what it writes is there if and only if the change is. */
export type WithinLinkChange<T> = (tx: Transaction<Database>, change: T) => Promise<void>;

export interface LinkMade {
  /** All identities but the one that said the code. */
  readonly others: readonly OwnerIdentity[];
}

export interface LinkLeft extends UnlinkNames {
  readonly others: readonly OwnerIdentity[];
}

/** Who is whose owner. Somebody who linked nothing owns what is theirs under their own name. */
export interface OwnerStore {
  readonly ownerOf: (person: PersonRef) => Promise<OwnerId>;
  /** All identities of an owner, those that linked nothing included: at least the one that asks. */
  readonly identitiesOf: (person: PersonRef) => Promise<readonly OwnerIdentity[]>;
  /** A new code for this identity, in place of an earlier one; ten minutes. Only its hash is stored. */
  readonly issueCode: (
    person: LinkParty,
  ) => Promise<{ readonly code: string; readonly expiresAt: Temporal.Instant }>;
  readonly voidCode: (code: string) => Promise<void>;
  /** Notes that this person was asked about this code, and gives the identities that the question has to name. */
  readonly ask: (code: string, person: PersonRef) => Promise<AskOutcome>;
  /** No to all open questions of this person; their codes are void. */
  readonly decline: (person: PersonRef) => Promise<boolean>;
  /**
   * Joins who says a code with who got it, if they were asked about it: one owner from here on, with the portfolios
   * (a name that both had gets the platform behind it), alerts, watchlist and briefings of both. A code works once.
   */
  readonly link: (
    code: string,
    person: LinkParty,
    within?: WithinLinkChange<LinkMade>,
  ) => Promise<LinkOutcome>;
  /** What `unlink` would do; undefined where nothing is linked. */
  readonly split: (person: PersonRef) => Promise<LinkLeft | undefined>;
  /**
   * This identity is on its own again. It takes the portfolios that it began, a copy of the watchlist, and the alerts
   * and briefings that it set, for they are told where it is. Everything else stays with the others.
   */
  readonly unlink: (person: PersonRef, within?: WithinLinkChange<LinkLeft>) => Promise<LinkLeft | undefined>;
}

/** Wrong, used or expired; or said by the one who got it, or both are one already. */
type UnusableCode = { readonly status: 'unknown' } | { readonly status: 'same' };

export type AskOutcome = { readonly status: 'asked'; readonly with: readonly NamedIdentity[] } | UnusableCode;

export type LinkOutcome =
  | { readonly status: 'linked'; readonly with: NamedIdentity }
  /** Not asked about this code yet, or those it would join have changed since. */
  | { readonly status: 'unasked' | 'changed' }
  /** Together they would have more entries in their portfolios than anybody may; the code stays good. */
  | { readonly status: 'full'; readonly limit: number }
  | UnusableCode;

/** Ids come from platforms: one that contains our separator must not be another person. */
const part = (raw: string): string => raw.replaceAll('%', '%25').replaceAll(':', '%3A');

/**
 * Under which a person owns what is theirs as long as they linked nothing. Those who are linked own theirs together
 * under the one of somebody among them: nobody else's data is ever found under a person's own.
 */
export const ownOwnerId = ({ channelId, userId }: PersonRef): OwnerId =>
  asId<OwnerId>(`person:${part(channelId)}:${part(userId)}`);

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

const findIdentities = async (db: Reader, ownerId: OwnerId): Promise<readonly OwnerIdentity[]> => {
  const rows = await db
    .selectFrom('identity_links')
    .select(['channel_id', 'user_id', 'contact'])
    .where('owner_id', '=', ownerId)
    .orderBy('linked_at')
    .orderBy('channel_id')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => {
    const contact = contactIn(row.contact);
    return {
      channelId: asId<ChannelId>(row.channel_id),
      userId: asId<UserId>(row.user_id),
      ...(contact ? { contact } : {}),
    };
  });
};

/** At least the one that asks. */
export const identitiesWith = async (db: Reader, person: PersonRef): Promise<readonly OwnerIdentity[]> => {
  const ownerId = await findOwner(db, person);
  const found = ownerId ? await findIdentities(db, ownerId) : [];
  return found.some((one) => isSamePerson(one, person)) ? found : [person];
};

export const named = ({ channelId, userId, contact }: OwnerIdentity): NamedIdentity => ({
  channelId,
  userId,
  ...(contact ? { name: contact.name } : {}),
});

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
  people: readonly OwnerIdentity[],
  ownerId: OwnerId,
  at: Temporal.Instant,
): Promise<void> => {
  for (const { channelId, userId, contact } of people) {
    const known = contact ? { contact: toContact(contact) } : {};
    await tx
      .insertInto('identity_links')
      .values({
        channel_id: channelId,
        user_id: userId,
        owner_id: ownerId,
        linked_at: toStoredTime(at),
        ...known,
      })
      .onConflict((conflict) =>
        conflict.columns(['channel_id', 'user_id']).doUpdateSet({ owner_id: ownerId, ...known }),
      )
      .execute();
  }
};

const leave = async (tx: Transaction<Database>, { channelId, userId }: PersonRef): Promise<void> => {
  await tx
    .deleteFrom('identity_links')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .execute();
};

const issuerOf = ({ issuer, contact }: LinkCode): OwnerIdentity => ({
  ...issuer,
  ...(contact ? { contact } : {}),
});

/** What a code would do for this person; `sides` changes with the identities on either side. */
const readCode = async (
  tx: Transaction<Database>,
  hash: string,
  person: PersonRef,
  now: Temporal.Instant,
) => {
  const code = await findLinkCode(tx, hash, now);
  if (!code) return { status: 'unknown' } as const;
  const ownerId = (await findOwner(tx, code.issuer)) ?? ownOwnerId(code.issuer);
  const former = (await findOwner(tx, person)) ?? ownOwnerId(person);
  // The code stays good: it was only said in the wrong place.
  if (former === ownerId) return { status: 'same' } as const;
  const issuer = issuerOf(code);
  const others = (await identitiesWith(tx, issuer)).filter((one) => !isSamePerson(one, issuer));
  const issuers = [issuer, ...others];
  const requesters = await identitiesWith(tx, person);
  return {
    status: 'good',
    code,
    ownerId,
    former,
    issuers,
    requesters,
    sides: sidesOf(issuers, requesters),
  } as const;
};

const askAbout = async (
  tx: Transaction<Database>,
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
  tx: Transaction<Database>,
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
  const { code, ownerId, former, issuers, requesters } = found;
  if (!(await fitsTogether(tx, tables, [former, ownerId], maxEntries)))
    return { status: 'full', limit: maxEntries };
  await voidLinkCode(tx, hash);
  await moveRows(tx, tables, former, ownerId, person.channelId);
  const { channelId, userId, name, locale, target } = person;
  const self = { channelId, userId, contact: { name, locale, target } };
  const others = [...issuers, ...requesters.filter((one) => !isSamePerson(one, person))];
  await setOwner(tx, [...others, self], ownerId, now);
  const issuer = named(issuerOf(code));
  await within?.(tx, { others });
  return { status: 'linked', with: issuer };
};

/** What would go with this identity, and what would stay. */
const splitOf = async (
  tx: Reader,
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
  tx: Transaction<Database>,
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
  // What is theirs together must not lie under the name of the one who goes.
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
): OwnerStore => {
  const { db, write, tables } = storage;
  return {
    ownerOf: async (person) => (await findOwner(db, person)) ?? ownOwnerId(person),

    identitiesOf: (person) => identitiesWith(db, person),

    issueCode: (person) => write((tx) => issueLinkCode(tx, person, clock.now())),

    voidCode: async (code) => {
      const hash = hashOfCode(code);
      if (hash !== undefined) await write((tx) => voidLinkCode(tx, hash));
    },

    ask: async (code, person) => {
      const hash = hashOfCode(code);
      if (hash === undefined) return { status: 'unknown' };
      return write((tx) => inTurn(tx, () => askAbout(tx, hash, person, clock.now())));
    },

    decline: (person) => write((tx) => inTurn(tx, () => declineQuestions(tx, person, clock.now()))),

    link: async (code, person, within) => {
      const hash = hashOfCode(code);
      if (hash === undefined) return { status: 'unknown' };
      return write((tx) =>
        inTurn(tx, () => joinBy(tx, hash, person, clock.now(), maxEntries, tables, within)),
      );
    },

    split: async (person) => {
      const found = await splitOf(db, person, tables);
      return found && { others: found.others, takes: found.takes, leaves: found.leaves };
    },

    unlink: (person, within) => write((tx) => inTurn(tx, () => separate(tx, person, tables, within))),
  };
};
