import { asId, type MessageId } from '#src/kernel/ids.ts';
import type { Exchanges } from '#src/kernel/chat/exchanges.ts';
import type { ReplyPayload, ReplyTarget } from '#src/kernel/chat/message.ts';
import { lastErasureOf } from '#src/people/store/audit.ts';
import { acceptedAs, answeredBy } from './conversation-traces.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toEntry } from './inbox.ts';

const isForAll = (target: string, payload: string): boolean => {
  const { isDirect, interaction } = JSON.parse(target) as ReplyTarget;
  const { ephemeral } = JSON.parse(payload) as ReplyPayload;
  return isDirect === true || (ephemeral !== true && interaction?.isPrivate !== true);
};

export const createExchanges = (storage: Pick<Storage, 'db' | 'codes'>): Exchanges => {
  const { db } = storage;
  return {
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

    erasedAt: (person) => lastErasureOf(storage, person),
  };
};
