import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { asId, type ChannelId, type PersonRef, type UserId } from '#src/kernel/ids.ts';
import type { LinkParty } from '#src/kernel/people/identity.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import { cleanShortCode, newShortCode } from '#src/platform/text/short-codes.ts';

type Tx = Transaction<Database>;

/** The name that others see of an identity, and where it is notified about its link. */
export type Contact = Pick<LinkParty, 'name' | 'locale' | 'target'>;

export interface LinkCode {
  readonly hash: string;
  readonly issuer: PersonRef;
  readonly contact: Contact;
  /** Stored time. */
  readonly expiresAt: string;
}

const VALID_MINUTES = 10;
const CODE_LENGTH = 8;
const SHOWN_GROUP = 4;

export const hashOfCode = (typed: string): string | undefined => {
  const clean = cleanShortCode(typed);
  return clean.length === CODE_LENGTH ? createHash('sha256').update(clean).digest('hex') : undefined;
};

export const toContact = ({ name, locale, target }: Contact): string =>
  JSON.stringify({ name, locale, ...(target ? { target } : {}) });

export const contactIn = (stored: string): Contact => JSON.parse(stored) as Contact;

/** Replaces the person's earlier code. Only the hash of the new one is stored. */
export const issueLinkCode = async (tx: Tx, party: LinkParty, now: Temporal.Instant) => {
  const { channelId, userId } = party;
  const code = newShortCode(CODE_LENGTH);
  const expiresAt = now.add({ minutes: VALID_MINUTES });
  await tx
    .deleteFrom('link_codes')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .execute();
  await tx
    .insertInto('link_codes')
    .values({
      code_hash: hashOfCode(code) ?? '',
      channel_id: channelId,
      user_id: userId,
      expires_at: toStoredTime(expiresAt),
      contact: toContact(party),
    })
    .execute();
  return { code: `${code.slice(0, SHOWN_GROUP)}-${code.slice(SHOWN_GROUP)}`, expiresAt };
};

/** Gives undefined for a code that is wrong, used or expired. */
export const findLinkCode = async (
  tx: Tx,
  hash: string,
  now: Temporal.Instant,
): Promise<LinkCode | undefined> => {
  const row = await tx
    .selectFrom('link_codes')
    .select(['channel_id', 'user_id', 'expires_at', 'contact'])
    .where('code_hash', '=', hash)
    .where('expires_at', '>', toStoredTime(now))
    .executeTakeFirst();
  return (
    row && {
      hash,
      issuer: { channelId: asId<ChannelId>(row.channel_id), userId: asId<UserId>(row.user_id) },
      contact: contactIn(row.contact),
      expiresAt: row.expires_at,
    }
  );
};

/** Deletes the code and every question about it, so that nobody is linked by it any more. */
export const voidLinkCode = async (tx: Tx, hash: string): Promise<void> => {
  for (const table of ['link_codes', 'link_questions'] as const)
    await tx.deleteFrom(table).where('code_hash', '=', hash).execute();
};

/** The identities on both sides of a question as text, in a stable order. */
export const sidesOf = (issuers: readonly PersonRef[], requesters: readonly PersonRef[]): string =>
  JSON.stringify(
    [issuers, requesters].map((people) =>
      people.map(({ channelId, userId }) => JSON.stringify([channelId, userId])).toSorted(),
    ),
  );

export const storeQuestion = async (
  tx: Tx,
  { hash, expiresAt }: LinkCode,
  { channelId, userId }: PersonRef,
  sides: string,
): Promise<void> => {
  await tx
    .insertInto('link_questions')
    .values({ code_hash: hash, channel_id: channelId, user_id: userId, sides, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['code_hash', 'channel_id', 'user_id']).doUpdateSet({ sides, expires_at: expiresAt }),
    )
    .execute();
};

/** The sides that the question about this code named to this person; undefined if they were not asked. */
export const sidesAsked = async (
  tx: Tx,
  hash: string,
  { channelId, userId }: PersonRef,
): Promise<string | undefined> => {
  const row = await tx
    .selectFrom('link_questions')
    .select('sides')
    .where('code_hash', '=', hash)
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.sides;
};

/** Voids the codes of the person's open questions; false where there was none. */
export const declineQuestions = async (
  tx: Tx,
  { channelId, userId }: PersonRef,
  now: Temporal.Instant,
): Promise<boolean> => {
  const open = await tx
    .selectFrom('link_questions')
    .select('code_hash')
    .where('channel_id', '=', channelId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', toStoredTime(now))
    .execute();
  for (const { code_hash } of open) await voidLinkCode(tx, code_hash);
  return open.length > 0;
};
