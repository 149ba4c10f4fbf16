import type { Kysely, Transaction } from 'kysely';
import type { EventColumns, PersonCodes } from './person-codes.ts';
import { type Database, toStoredTime } from './schema.ts';

/** A platform tells an event again for some minutes: what a person had erased must not come back by it. */
export const rememberErased = async (
  tx: Transaction<Database>,
  codes: PersonCodes,
  events: readonly EventColumns[],
  at: Temporal.Instant,
): Promise<void> => {
  if (events.length === 0) return;
  await tx
    .insertInto('erased_events')
    .values(events.map((event) => ({ event_hash: codes.event(event), erased_at: toStoredTime(at) })))
    .onConflict((conflict) => conflict.column('event_hash').doNothing())
    .execute();
};

export const isErased = async (
  db: Kysely<Database>,
  codes: PersonCodes,
  event: EventColumns,
): Promise<boolean> => {
  const row = await db
    .selectFrom('erased_events')
    .select('event_hash')
    .where('event_hash', '=', codes.event(event))
    .executeTakeFirst();
  return row !== undefined;
};
