import { asId, type InboxId, type MessageId, type PersonRef, type Timestamp } from '#src/kernel/ids.ts';
import type { InboundMessage, ReplyPayload, ReplyTarget } from '#src/kernel/message.ts';
import { acceptedAs, answeredBy, type ChatPlace } from './conversation-traces.ts';
import type { Storage } from '../database.ts';
import { type InboxEntry, toEntry } from './inbox.ts';

/** An accepted message and its answer. */
export interface Exchange {
  readonly message: InboundMessage;
  /** The parts of the answer that everybody in the chat can see, in order. */
  readonly answers: readonly { readonly messageId: MessageId; readonly at: Timestamp }[];
}

/** Looks up messages and their answers by the ids of the platform, as far back as inbox and outbox are kept. */
export interface Exchanges {
  /** The accepted message that a platform's message belongs to: itself, the one it was merged into, or the one it answers. */
  readonly behind: (place: ChatPlace, messageId: MessageId) => Promise<InboxEntry | undefined>;
  /** The exchanges that are still kept. */
  readonly of: (ids: readonly InboxId[]) => Promise<ReadonlyMap<InboxId, Exchange>>;
  /** The time of the person's last `/privacy delete`. */
  readonly erasedAt: (person: PersonRef) => Promise<Timestamp | undefined>;
}

const isForAll = (target: string, payload: string): boolean => {
  const { isDirect, interaction } = JSON.parse(target) as ReplyTarget;
  const { ephemeral } = JSON.parse(payload) as ReplyPayload;
  return isDirect === true || (ephemeral !== true && interaction?.isPrivate !== true);
};

export const createExchanges = ({ db, codes }: Pick<Storage, 'db' | 'codes'>): Exchanges => ({
  behind: async (place, messageId) => {
    const found = (await acceptedAs(db, place, messageId)) ?? (await answeredBy(db, place, messageId));
    if (!found) return undefined;
    const leader = found.status === 'merged' ? (found.taken_by ?? found.id) : found.id;
    if (leader === found.id) return toEntry(found);
    const row = await db.selectFrom('inbox').selectAll().where('id', '=', leader).executeTakeFirst();
    return row && toEntry(row);
  },

  of: async (ids) => {
    if (ids.length === 0) return new Map();
    const [rows, parts] = await Promise.all([
      db.selectFrom('inbox').selectAll().where('id', 'in', ids).execute(),
      db
        .selectFrom('outbox')
        .selectAll()
        .where('inbox_id', 'in', ids)
        .where('status', '=', 'sent')
        .orderBy('part_index')
        .execute(),
    ]);
    return new Map(
      rows.map(toEntry).map(({ id, message }) => {
        const answers = parts
          .filter((part) => part.inbox_id === id && isForAll(part.target, part.payload))
          .map((part) => ({
            messageId: asId<MessageId>(part.platform_message_id ?? ''),
            at: Temporal.Instant.from(part.sent_at ?? part.created_at),
          }));
        return [id, { message, answers }] as const;
      }),
    );
  },

  erasedAt: async (person) => {
    const row = await db
      .selectFrom('audit')
      .select('at')
      .where('action', '=', 'privacy-delete')
      .where('person_hash', '=', codes.person(person))
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && Temporal.Instant.from(row.at);
  },
});
