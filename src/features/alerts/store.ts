import type { AlertRecord } from '#src/kernel/alert.ts';
import type { Clock } from '#src/platform/clock.ts';
import {
  addAlert,
  endAlert,
  fireAlert,
  saveObservations,
  moveAlert,
  removeAlerts,
  reviseAlerts,
  rezoneAlert,
  snoozeAlert,
} from './store-changes.ts';
import { alertRow, toAlert } from './store-rows.ts';
import type { AlertStore, EvaluationOutcome } from './store-types.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { newShortId } from '#src/platform/storage/short-codes.ts';

/** So many rows in one statement, and so many transactions at once. */
const BATCH = 500;
const AT_ONCE = 50;

function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/**
 * What people want to be told of. Those that are judged are kept as they were read, for as long as their version is
 * the same: thousands are asked for every minute. `newAlertId` is for tests: it may give an id that is taken.
 */

export const createAlertStore = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Pick<Clock, 'now'>,
  newAlertId: () => string = newShortId,
): AlertStore => {
  let judged: ReadonlyMap<string, AlertRecord> = new Map();

  const readAnew = async (ids: readonly string[]): Promise<ReadonlyMap<string, AlertRecord>> => {
    const found = new Map<string, AlertRecord>();
    for (const batch of inBatches(ids, BATCH)) {
      const rows = await db.selectFrom('alerts').selectAll().where('id', 'in', batch).execute();
      for (const row of rows) found.set(row.id, toAlert(row));
    }
    return found;
  };

  return {
    add: (alert, setBy, requestId, limit, chatLimits) => {
      const row = alertRow(alert, setBy, requestId, clock.now());
      return write((tx) => addAlert(tx, row, { limit, chatLimits, alert }, newAlertId));
    },

    move: (alert, chatLimits) => write((tx) => moveAlert(tx, alert, chatLimits)),

    inChat: async (chatKey) => {
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('chat_key', '=', chatKey)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.filter(({ status }) => status === 'active').map(toAlert);
    },

    end: (id, notice) => write((tx) => endAlert(tx, id, notice, clock.now())),

    rezone: (alert, timeZone, ends) => write((tx) => rezoneAlert(tx, alert, timeZone, ends)),

    listOf: async (ownerId) => {
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.filter(({ status }) => status === 'active').map(toAlert);
    },

    remove: (ownerId, ids) => write((tx) => removeAlerts(tx, ownerId, ids)),

    snooze: (ownerId, id, until) => write((tx) => snoozeAlert(tx, ownerId, id, until)),

    due: async (now) => {
      const at = toStoredTime(now);
      const rows = await db
        .selectFrom('alerts')
        .select(['id', 'version'])
        .where('status', '=', 'active')
        .where((is) => is.or([is('snoozed_until', 'is', null), is('snoozed_until', '<=', at)]))
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
        .orderBy('symbol')
        .execute();
      const known = judged;
      const asBefore = (row: (typeof rows)[number]): AlertRecord | undefined => {
        const alert = known.get(row.id);
        return alert?.version === row.version ? alert : undefined;
      };
      const anew = await readAnew(rows.filter((row) => !asBefore(row)).map(({ id }) => id));
      const alerts = rows.flatMap((row) => asBefore(row) ?? anew.get(row.id) ?? []);
      judged = new Map(alerts.map((alert) => [alert.id, alert]));
      // It may have come true, or been put off, since the list was made.
      return alerts.filter(
        ({ status, snoozedUntil }) =>
          status === 'active' && (!snoozedUntil || Temporal.Instant.compare(snoozedUntil, now) <= 0),
      );
    },

    hasActive: async () => {
      const row = await db
        .selectFrom('alerts')
        .select('id')
        .where('status', '=', 'active')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    fire: async (firings) => {
      const recorded: AlertRecord[] = [];
      const errors: unknown[] = [];
      for (const batch of inBatches(firings, AT_ONCE)) {
        const outcomes = await Promise.allSettled(
          batch.map((firing) => write((tx) => fireAlert(tx, firing))),
        );
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') errors.push(outcome.reason);
          else if (outcome.value) recorded.push(outcome.value);
        }
      }
      // What was recorded has to be told, whatever became of the others: those come true again at the next look.
      if (recorded.length === 0 && errors.length > 0) throw errors[0];
      return recorded;
    },

    revise: (revision) => reviseAlerts(write, revision, clock.now()),

    saveObservations: async (outcomes) => {
      const alike = Map.groupBy(outcomes, ({ alert, side, memory }) => `${alert.version} ${side} ${memory}`);
      const seen = new Map(judged);
      const lookAt = async (batch: readonly EvaluationOutcome[]): Promise<void> => {
        const [first] = batch;
        if (!first) return;
        const byId = new Map(batch.map(({ alert }) => [String(alert.id), alert]));
        const ids = batch.map(({ alert }) => alert.id);
        const { side, memory } = first;
        for (const { id } of await write((tx) => saveObservations(tx, first, ids))) {
          const alert = byId.get(id);
          if (alert) seen.set(id, { ...alert, side, memory, version: alert.version + 1 });
        }
      };
      const batches = [...alike.values()].flatMap((group) => [...inBatches(group, BATCH)]);
      // Together, so that they share a commit: the first look of a day changes nearly all.
      for (const some of inBatches(batches, AT_ONCE)) await Promise.all(some.map(lookAt));
      judged = seen;
    },

    expire: async (now) => {
      const { numUpdatedRows } = await write((tx) =>
        tx
          .updateTable('alerts')
          .set((column) => ({ status: 'expired', version: column('version', '+', 1) }))
          .where('status', '=', 'active')
          .where('expires_at', '<=', toStoredTime(now))
          .executeTakeFirstOrThrow(),
      );
      return Number(numUpdatedRows);
    },
  };
};
