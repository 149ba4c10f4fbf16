import type { AlertRecord, AlertSide } from '#src/kernel/alert.ts';
import type { AlertId, OwnerId, Timestamp } from '#src/kernel/ids.ts';
import type { ReplyPayload } from '#src/kernel/message.ts';
import type { PersonRef } from '#src/kernel/account-services.ts';
import type { Clock } from '../clock.ts';
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
} from './alert-changes.ts';
import { alertRow, toAlert } from './alert-rows.ts';
import type { Storage } from './database.ts';
import type { NewNotification } from './notifications.ts';
import { toStoredTime } from './schema.ts';
import { newShortId } from './short-id.ts';

export type NewAlert = Omit<
  AlertRecord,
  | 'id'
  | 'status'
  | 'side'
  | 'memory'
  | 'firedCount'
  | 'lastFiredAt'
  | 'createdAt'
  | 'version'
  | 'snoozedUntil'
> & {
  /** What was seen when it was set. */
  readonly memory?: string;
};

/** One alert that came true: what is told, and what it is afterwards. */
export interface Firing {
  /** As it was read: with another version meanwhile, nothing happens. */
  readonly alert: AlertRecord;
  readonly at: Timestamp;
  readonly payload: ReplyPayload;
  readonly memory: string;
}

/** What a look changed without anything to tell. */
export interface EvaluationOutcome {
  readonly alert: AlertRecord;
  readonly side: AlertSide;
  readonly memory: string;
}

/** What alerts are from now on, and what their owner is told of that. */
export interface Revision {
  /** `alert` as it was read: with another version of one of them meanwhile, nothing happens. */
  readonly changes: readonly {
    readonly alert: AlertRecord;
    readonly next: Pick<AlertRecord, 'condition' | 'memory' | 'split'>;
  }[];
  readonly notice: NewNotification;
}

/** So that nobody floods a channel. */
export interface ChatAlertLimits {
  /** Active ones in one channel, whoever set them. */
  readonly perChat: number;
  /** Repeating ones of one person in one channel. */
  readonly repeatingPerPerson: number;
}

export interface AlertStore {
  /** `full`: so many are active already, of this owner or in this channel. The same request twice is one alert. */
  readonly add: (
    alert: NewAlert,
    setBy: PersonRef,
    requestId: string,
    limit: number,
    chatLimits?: ChatAlertLimits,
  ) => Promise<
    | { readonly status: 'added' | 'repeated'; readonly alert: AlertRecord }
    | { readonly status: 'full' }
    | { readonly status: 'chat-full' }
    | { readonly status: 'repeating-full' }
  >;
  /** Rings at its new `target` from now on. `gone`: it was deleted or changed meanwhile. */
  readonly move: (
    alert: AlertRecord,
    chatLimits: ChatAlertLimits,
  ) => Promise<
    | { readonly status: 'moved'; readonly alert: AlertRecord }
    | { readonly status: 'chat-full' }
    | { readonly status: 'repeating-full' }
    | { readonly status: 'gone' }
  >;
  /** Those that are active in this channel, the oldest first. */
  readonly inChat: (chatKey: string) => Promise<readonly AlertRecord[]>;
  /** It is not judged any more, what waits to be told is taken back, and this is told. False where it is gone. */
  readonly end: (id: AlertId, notice: NewNotification | undefined) => Promise<boolean>;
  /** Those that are active, snoozed ones included; the oldest first. */
  readonly listOf: (ownerId: OwnerId) => Promise<readonly AlertRecord[]>;
  /** With what waits to be told of them. How many there were: 0 for one of somebody else. */
  readonly remove: (ownerId: OwnerId, ids: readonly AlertId[]) => Promise<number>;
  /**
   * Also one that has fired and was to fire once: it waits again. What waits to be told is taken back. Undefined for
   * one of somebody else.
   */
  readonly snooze: (ownerId: OwnerId, id: AlertId, until: Timestamp) => Promise<AlertRecord | undefined>;
  /** It is in this zone for certain now. False where it changed meanwhile. */
  readonly rezone: (
    alert: AlertRecord,
    timeZone: string,
    ends: { readonly expiresAt: Timestamp | undefined; readonly snoozedUntil: Timestamp | undefined },
  ) => Promise<boolean>;
  /** All that may be judged now: active, not snoozed. In order of symbol. */
  readonly due: (now: Timestamp) => Promise<readonly AlertRecord[]>;
  readonly hasActive: () => Promise<boolean>;
  /**
   * Records firings with what is told of them, in one transaction each with its notification: whoever comes second,
   * in this process or another, changes nothing. Those that were recorded. Rejects only where none could be.
   */
  readonly fire: (firings: readonly Firing[]) => Promise<readonly AlertRecord[]>;
  /** All of its changes and its notice in one transaction, or nothing: false where one of them changed meanwhile. */
  readonly revise: (revision: Revision) => Promise<boolean>;
  /** Only where nobody changed the alert meanwhile. */
  readonly look: (outcomes: readonly EvaluationOutcome[]) => Promise<void>;
  /** Those whose time is over. How many. */
  readonly expire: (now: Timestamp) => Promise<number>;
}

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

    look: async (outcomes) => {
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
