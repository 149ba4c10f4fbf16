import { createHash, createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import type { Database } from './schema.ts';

/** What makes an event of a platform the one it is. */
export interface EventColumns {
  readonly channel_id: string;
  readonly account_id: string;
  readonly chat_id: string;
  readonly event_id: string;
}

/**
 * Codes in the place of platform ids: the same for the same id. Without the key nobody can find out whose a code is,
 * not even with a list of all ids: they are keyed (HMAC), and the key is not in the rows that hold them.
 */
export interface PersonCodes {
  /** In the audit trail. */
  readonly person: (person: PersonRef) => string;
  /** In sums that are kept after a person had their data deleted. */
  readonly erasedUserId: (channelId: ChannelId, userId: UserId) => UserId;
  /** For events whose messages were deleted. */
  readonly event: (event: EventColumns) => string;
}

/** The conversation of what is kept for the sums of a person whose data was deleted. */
export const ERASED_SESSION = 'erased';

/** How codes were made before they had a key; a code is keyed by running its old form through the key. */
const UNKEYED_PERSON_CHARS = 16;
const UNKEYED_EVENT_CHARS = 64;
/** Other lengths than before, so that what has no key yet is told apart. */
const PERSON_CHARS = 20;
const EVENT_CHARS = 40;

const ERASED = 'erased:';

/** Whether an id in the ledger is such a code already. */
export const isErased = (userId: string): boolean => userId.startsWith(ERASED);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const unkeyedPerson = (channelId: string, userId: string): string =>
  sha256(`${channelId}\0${userId}`).slice(0, UNKEYED_PERSON_CHARS);

const unkeyedEvent = ({ channel_id, account_id, chat_id, event_id }: EventColumns): string =>
  sha256(JSON.stringify([channel_id, account_id, chat_id, event_id]));

/** The use is part of what is coded: codes of different tables cannot be matched with each other. */
const createKeyed =
  (key: Buffer) =>
  (use: 'audit' | 'usage' | 'event', unkeyed: string): string =>
    createHmac('sha256', key)
      .update(`${use}:${unkeyed}`)
      .digest('hex')
      .slice(0, use === 'event' ? EVENT_CHARS : PERSON_CHARS);

export const createPersonCodes = (key: Buffer): PersonCodes => {
  const keyed = createKeyed(key);
  return {
    person: ({ channelId, userId }) => keyed('audit', unkeyedPerson(channelId, userId)),
    erasedUserId: (channelId, userId) =>
      asId<UserId>(`${ERASED}${keyed('usage', unkeyedPerson(channelId, userId))}`),
    event: (event) => keyed('event', unkeyedEvent(event)),
  };
};

/** Puts keyed codes in the place of those from before there was a key. Safe to run again. */
export const keyOldCodes = async (db: Kysely<Database>, key: Buffer): Promise<void> => {
  const keyed = createKeyed(key);
  const people = await db.selectFrom('audit').select('person_hash').distinct().execute();
  for (const { person_hash } of people)
    if (person_hash.length === UNKEYED_PERSON_CHARS)
      await db
        .updateTable('audit')
        .set({ person_hash: keyed('audit', person_hash) })
        .where('person_hash', '=', person_hash)
        .execute();
  const erased = await db
    .selectFrom('usage')
    .select('user_id')
    .distinct()
    .where('user_id', 'like', `${ERASED}%`)
    .execute();
  for (const { user_id } of erased)
    if (user_id.length === ERASED.length + UNKEYED_PERSON_CHARS)
      await db
        .updateTable('usage')
        .set({ user_id: `${ERASED}${keyed('usage', user_id.slice(ERASED.length))}` })
        .where('user_id', '=', user_id)
        .execute();
  const events = await db.selectFrom('erased_events').select('event_hash').execute();
  for (const { event_hash } of events)
    if (event_hash.length === UNKEYED_EVENT_CHARS)
      await db
        .updateTable('erased_events')
        .set({ event_hash: keyed('event', event_hash) })
        .where('event_hash', '=', event_hash)
        .execute();
};
