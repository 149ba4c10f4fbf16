import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { type Database, toStoredTime } from './schema.ts';

/** What makes an event of a platform the one it is. */
export interface EventColumns {
  readonly channel_id: string;
  readonly account_id: string;
  readonly chat_id: string;
  readonly event_id: string;
}

/** Nobody can be found again by it. */
const hashOf = ({ channel_id, account_id, chat_id, event_id }: EventColumns): string =>
  createHash('sha256')
    .update(JSON.stringify([channel_id, account_id, chat_id, event_id]))
    .digest('hex');

/** A platform tells an event again for some minutes: what a person had erased must not come back by it. */
export const rememberErased = async (
  tx: Transaction<Database>,
  events: readonly EventColumns[],
  at: Temporal.Instant,
): Promise<void> => {
  if (events.length === 0) return;
  await tx
    .insertInto('erased_events')
    .values(events.map((event) => ({ event_hash: hashOf(event), erased_at: toStoredTime(at) })))
    .onConflict((conflict) => conflict.column('event_hash').doNothing())
    .execute();
};

export const isErased = async (db: Kysely<Database>, event: EventColumns): Promise<boolean> => {
  const row = await db
    .selectFrom('erased_events')
    .select('event_hash')
    .where('event_hash', '=', hashOf(event))
    .executeTakeFirst();
  return row !== undefined;
};
