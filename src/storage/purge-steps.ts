import type { ExpressionBuilder, Transaction } from 'kysely';
import { asId, type SessionKey } from '#src/core/ids.ts';
import type { Storage } from './database.ts';
import { WAITING } from './notifications.ts';
import { type Database, type InboxStatus, toStoredTime } from './schema.ts';

/** Removes a few, with how many of each table, and whether there may be more. */
export type PurgeStep = () => Promise<{
  readonly removed: Readonly<Record<string, number>>;
  readonly hasMore: boolean;
}>;

interface PurgeTimes {
  readonly now: Temporal.Instant;
  /** What is older may go. */
  readonly limit: Temporal.Instant;
}

/** Some ten milliseconds of work: nobody who waits for an answer notices. */
const BATCH = 200;
/** A person who asked to be let in sees for so long that they did. */
const UNCONFIRMED_HOURS = 24;

const SETTLED: readonly InboxStatus[] = ['done', 'failed', 'superseded', 'withdrawn'];
const LIVE: readonly InboxStatus[] = ['pending', 'suspended'];

/** The conversations with a message that is not at its end. */
export const liveSessions = async ({ db }: Pick<Storage, 'db'>): Promise<ReadonlySet<SessionKey>> => {
  const rows = await db
    .selectFrom('inbox')
    .select('session_key')
    .distinct()
    .where('status', 'in', LIVE)
    .execute();
  return new Set(rows.map((row) => asId<SessionKey>(row.session_key)));
};

const countOf = (result: { readonly numDeletedRows: bigint }): number => Number(result.numDeletedRows);

/**
 * Settled before the limit. What is part of another message's turn stays as long as that message is not at its
 * end: after a crash the turn is made of all of them again.
 */
const isForgettable = (limit: string) => (is: ExpressionBuilder<Database, 'inbox'>) =>
  is.and([
    is('inbox.settled_at', '<', limit),
    is.or([
      is('inbox.status', 'in', SETTLED),
      is.and([
        is('inbox.status', '=', 'merged'),
        is.not(
          is.exists(
            is
              .selectFrom('inbox as leader')
              .select('leader.id')
              .whereRef('leader.id', '=', 'inbox.taken_by')
              .where('leader.status', 'in', [...LIVE, 'merged']),
          ),
        ),
      ]),
    ]),
  ]);

/** Behind `from` and up to `to`, with all that belongs to them. */
const removeMessages = async (tx: Transaction<Database>, from: string, to: string, limit: string) => {
  const forgettable = () =>
    tx
      .selectFrom('inbox')
      .select('inbox.id')
      .where('inbox.id', '>', from)
      .where('inbox.id', '<=', to)
      .where(isForgettable(limit));
  const removeFrom = async (table: 'outbox' | 'turns' | 'approvals' | 'live_messages'): Promise<number> =>
    countOf(await tx.deleteFrom(table).where('inbox_id', 'in', forgettable()).executeTakeFirstOrThrow());
  return {
    outbox: await removeFrom('outbox'),
    turns: await removeFrom('turns'),
    approvals: await removeFrom('approvals'),
    live_messages: await removeFrom('live_messages'),
    inbox: countOf(
      await tx.deleteFrom('inbox').where('inbox.id', 'in', forgettable()).executeTakeFirstOrThrow(),
    ),
  };
};

/**
 * Messages by their ids, which are in the order of acceptance: a walk from the oldest on, which ends where the
 * young ones begin, reads no more than it has to.
 */
const messages = ({ db, write }: Pick<Storage, 'db' | 'write'>, limit: string): PurgeStep => {
  let from = '';
  return async () => {
    const window = await db
      .selectFrom('inbox')
      .select(['id', 'accepted_at'])
      .where('id', '>', from)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const last = window.at(-1);
    if (!last || window.every((row) => row.accepted_at >= limit)) return { removed: {}, hasMore: false };
    const removed = { outbox: 0, turns: 0, approvals: 0, live_messages: 0, inbox: 0 };
    await write(async (tx) => {
      // With a message those become free that were part of its turn.
      for (let isFirst = true, found = 0; isFirst || found > 0; isFirst = false) {
        const gone = await removeMessages(tx, from, last.id, limit);
        for (const table of ['outbox', 'turns', 'approvals', 'live_messages', 'inbox'] as const)
          removed[table] += gone[table];
        found = gone.inbox;
      }
    });
    from = last.id;
    return { removed, hasMore: window.length === BATCH };
  };
};

const inBatches =
  (table: string, remove: (limit: number) => Promise<{ readonly numDeletedRows: bigint }>): PurgeStep =>
  async () => {
    const removed = countOf(await remove(BATCH));
    return { removed: { [table]: removed }, hasMore: removed === BATCH };
  };

/**
 * All that is purged from the database. What people chose (models, modes, profiles) is none of it, and nothing that is
 * their own (portfolios, lists, briefings, alerts that wait).
 */
export const createPurgeSteps = (
  storage: Pick<Storage, 'db' | 'write'>,
  times: PurgeTimes,
): readonly PurgeStep[] => {
  const { write } = storage;
  const now = toStoredTime(times.now);
  const limit = toStoredTime(times.limit);
  const lastPaidDay = toStoredTime(times.now.subtract({ hours: 72 })).slice(0, 'yyyy-mm-dd'.length);
  const unconfirmed = toStoredTime(times.now.subtract({ hours: UNCONFIRMED_HOURS }));
  return [
    messages(storage, limit),

    inBatches('approvals', (count) =>
      write((tx) =>
        tx
          .deleteFrom('approvals')
          .where('id', 'in', (old) =>
            old
              .selectFrom('approvals')
              .select('approvals.id')
              .where('approvals.status', '!=', 'pending')
              .where('approvals.decided_at', '<', limit)
              .where((is) =>
                is.not(
                  is.exists(
                    is
                      .selectFrom('inbox')
                      .select('inbox.id')
                      .whereRef('inbox.id', '=', 'approvals.inbox_id')
                      .where('inbox.status', 'in', LIVE),
                  ),
                ),
              )
              .limit(count),
          )
          .executeTakeFirstOrThrow(),
      ),
    ),

    inBatches('notifications', (count) =>
      write((tx) =>
        tx
          .deleteFrom('notifications')
          .where('id', 'in', (old) =>
            old
              .selectFrom('notifications')
              .select('id')
              .where('status', 'in', ['sent', 'failed'])
              // Of one that failed it is not known when; nothing is sent before it is due.
              .where('due_at', '<', limit)
              .where((is) => is.or([is('sent_at', 'is', null), is('sent_at', '<', limit)]))
              .limit(count),
          )
          .executeTakeFirstOrThrow(),
      ),
    ),

    inBatches('usage', (count) =>
      write((tx) =>
        tx
          .deleteFrom('usage')
          .where('id', 'in', (old) =>
            old.selectFrom('usage').select('id').where('at', '<', limit).orderBy('at').limit(count),
          )
          .executeTakeFirstOrThrow(),
      ),
    ),

    // Whatever the time zone: a day that began three days ago is over, and so is every request of it.
    inBatches('budget_days', () =>
      write((tx) => tx.deleteFrom('budget_days').where('day', '<', lastPaidDay).executeTakeFirstOrThrow()),
    ),

    inBatches('dead_letters', (count) =>
      write((tx) =>
        tx
          .deleteFrom('dead_letters')
          .where('inbox_id', 'in', (old) =>
            old.selectFrom('dead_letters').select('inbox_id').where('at', '<', limit).limit(count),
          )
          .executeTakeFirstOrThrow(),
      ),
    ),

    inBatches('alerts', (count) =>
      write((tx) =>
        tx
          .deleteFrom('alerts')
          .where('id', 'in', (old) =>
            old
              .selectFrom('alerts')
              .select('id')
              .where((is) =>
                is.or([
                  is.and([is('status', '=', 'fired'), is('last_fired_at', '<', limit)]),
                  is.and([is('status', '=', 'expired'), is('expires_at', '<', limit)]),
                ]),
              )
              // The bot may have been away: whoever is still to be told can put it off, or delete it.
              .where('id', 'not in', (waits) =>
                waits
                  .selectFrom('notifications')
                  .innerJoin('alert_firings', 'alert_firings.id', 'notifications.id')
                  .select('alert_firings.alert_id')
                  .where('notifications.status', 'in', WAITING),
              )
              .limit(count),
          )
          .executeTakeFirstOrThrow(),
      ),
    ),

    // Behind the alerts: with one of them all that it told goes, however young.
    inBatches('alert_firings', (count) =>
      write((tx) =>
        tx
          .deleteFrom('alert_firings')
          .where('id', 'in', (old) =>
            old
              .selectFrom('alert_firings')
              .select('id')
              .where((is) =>
                is.or([
                  is('fired_at', '<', limit),
                  is('alert_id', 'not in', is.selectFrom('alerts').select('alerts.id')),
                ]),
              )
              .where('id', 'not in', (waits) =>
                waits
                  .selectFrom('notifications')
                  .select('notifications.id')
                  .where('notifications.status', 'in', WAITING),
              )
              .limit(count),
          )
          .executeTakeFirstOrThrow(),
      ),
    ),

    inBatches('audit', (count) =>
      write((tx) =>
        tx
          .deleteFrom('audit')
          .where('id', 'in', (old) =>
            old.selectFrom('audit').select('id').where('at', '<', limit).orderBy('id').limit(count),
          )
          .executeTakeFirstOrThrow(),
      ),
    ),

    // Of these there are never many.
    ...(['pending_imports', 'link_codes', 'link_questions'] as const).map((table) =>
      inBatches(table, () =>
        write((tx) => tx.deleteFrom(table).where('expires_at', '<', now).executeTakeFirstOrThrow()),
      ),
    ),

    inBatches('pairings', () =>
      write((tx) =>
        tx
          .deleteFrom('pairings')
          .where('status', 'in', ['pending', 'denied'])
          .where('expires_at', '<', unconfirmed)
          .executeTakeFirstOrThrow(),
      ),
    ),

    inBatches('erased_events', () =>
      write((tx) =>
        tx.deleteFrom('erased_events').where('erased_at', '<', unconfirmed).executeTakeFirstOrThrow(),
      ),
    ),

    inBatches('listings', () =>
      write((tx) =>
        tx
          .deleteFrom('listings')
          .where('confirmed_at', 'is', null)
          .where('offered_at', '<', unconfirmed)
          .executeTakeFirstOrThrow(),
      ),
    ),

    inBatches('awaited_inputs', () =>
      write((tx) => tx.deleteFrom('awaited_inputs').where('expires_at', '<', now).executeTakeFirstOrThrow()),
    ),
  ];
};
