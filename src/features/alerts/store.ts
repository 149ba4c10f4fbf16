import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
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
import { newShortId } from '#src/platform/text/short-codes.ts';

/** Rows in one statement. */
const BATCH = 500;
/** Transactions at once. */
const AT_ONCE = 50;

function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/**
 * The store of alerts. Alerts that are evaluated stay cached while their version is the same, because thousands are read
 * every minute. Tests pass a `newAlertId` that gives ids that are taken.
 */
export const createAlertStore = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Pick<Clock, 'now'>,
  newAlertId: () => string = newShortId,
): AlertStore => {
  let cached: ReadonlyMap<string, AlertRecord> = new Map();

  const readAnew = async (ids: readonly string[]): Promise<ReadonlyMap<string, AlertRecord>> => {
    const found = new Map<string, AlertRecord>();
    for (const batch of inBatches(ids, BATCH)) {
      const rows = await db.selectFrom('alerts').selectAll().where('id', 'in', batch).execute();
      for (const row of rows) found.set(row.id, toAlert(row));
    }
    return found;
  };

  const activeBy = async (
    column: 'chat_key' | 'owner_id',
    value: string,
  ): Promise<readonly AlertRecord[]> => {
    const rows = await db
      .selectFrom('alerts')
      .selectAll()
      .where(column, '=', value)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.filter(({ status }) => status === 'active').map(toAlert);
  };

  return {
    add: (alert, setBy, requestId, limit, chatLimits) => {
      const row = alertRow(alert, setBy, requestId, clock.now());
      return write((tx) => addAlert(tx, row, { limit, chatLimits, alert }, newAlertId));
    },

    move: (alert, chatLimits) => write((tx) => moveAlert(tx, alert, chatLimits)),

    inChat: (chatKey) => activeBy('chat_key', chatKey),

    end: (id, notice) => write((tx) => endAlert(tx, id, notice, clock.now())),

    rezone: (alert, timeZone, ends) => write((tx) => rezoneAlert(tx, alert, timeZone, ends)),

    listOf: (ownerId) => activeBy('owner_id', ownerId),

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
      const known = cached;
      const asBefore = (row: (typeof rows)[number]): AlertRecord | undefined => {
        const alert = known.get(row.id);
        return alert?.version === row.version ? alert : undefined;
      };
      const anew = await readAnew(rows.filter((row) => !asBefore(row)).map(({ id }) => id));
      const alerts = rows.flatMap((row) => asBefore(row) ?? anew.get(row.id) ?? []);
      cached = new Map(alerts.map((alert) => [alert.id, alert]));
      // An alert may have fired or been snoozed since the list was read.
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
      // Recorded firings must be announced although others failed; those fire again in the next evaluation.
      if (recorded.length === 0 && errors.length > 0) throw errors[0];
      return recorded;
    },

    revise: (revision) => reviseAlerts(write, revision, clock.now()),

    saveObservations: async (outcomes) => {
      const alike = Map.groupBy(outcomes, ({ alert, side, memory }) => `${alert.version} ${side} ${memory}`);
      const seen = new Map(cached);
      const save = async (batch: readonly EvaluationOutcome[]): Promise<void> => {
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
      // Batches at once share a commit: the first evaluation of a day changes nearly all alerts.
      for (const some of inBatches(batches, AT_ONCE)) await Promise.all(some.map(save));
      cached = seen;
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
