import { sql, type Transaction } from 'kysely';
import type { AlertRecord, AlertSide } from '#src/kernel/people/alerts.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import type { AlertId, DeliveryId, OwnerId, Timestamp } from '#src/kernel/ids.ts';
import { sharedChatOf } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import { type alertRow, encodeDetails, toAlert } from './store-rows.ts';
import type {
  AlertStore,
  ChatAlertLimits,
  Firing,
  EvaluationOutcome,
  NewAlert,
  Revision,
} from './store-types.ts';
import type { Write } from '#src/platform/storage/group-commit.ts';
import type { NewNotification } from '#src/kernel/chat/notification.ts';
import { notify, WAITING } from '#src/chat/store/notifications.ts';
import { addOwned } from '#src/platform/storage/owned.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';
import { readShortId } from '#src/platform/text/short-codes.ts';

type AlertRow = ReturnType<typeof alertRow>;

interface Limits {
  readonly limit: number;
  readonly chatLimits: ChatAlertLimits | undefined;
  readonly alert: Pick<NewAlert, 'isRepeating'>;
}

/** Two owners at once may exceed the limit by one, which does no harm. */
const chatRefusal = async (
  tx: Transaction<Database>,
  { chat_key, channel_id, user_id }: Pick<AlertRow, 'chat_key' | 'channel_id' | 'user_id'>,
  limits: ChatAlertLimits | undefined,
  { isRepeating }: Limits['alert'],
): Promise<'chat-full' | 'repeating-full' | undefined> => {
  if (!limits || typeof chat_key !== 'string') return undefined;
  const rows = await tx
    .selectFrom('alerts')
    .selectAll()
    .where('chat_key', '=', chat_key)
    .where('status', '=', 'active')
    .execute();
  if (rows.length >= limits.perChat) return 'chat-full';
  if (!isRepeating) return undefined;
  const own = rows.filter((row) => row.channel_id === channel_id && row.user_id === user_id);
  const repeating = own.filter((row) => toAlert(row).isRepeating);
  return repeating.length >= limits.repeatingPerPerson ? 'repeating-full' : undefined;
};

/** Adds a row with a free id. */
export const addAlert = async (
  tx: Transaction<Database>,
  row: AlertRow,
  { limit, chatLimits, alert }: Limits,
  newAlertId: () => string,
): ReturnType<AlertStore['add']> => {
  const made = await addOwned(tx, 'alerts', row, {
    limit,
    // A condition on the status would scan the index of all active alerts.
    counted: sql`count(case when status = 'active' then 1 end)`,
    refusal: () => chatRefusal(tx, row, chatLimits, alert),
    newShortId: newAlertId,
  });
  return 'row' in made ? { status: made.status, alert: toAlert(made.row) } : made;
};

/** Moves an alert that nobody changed meanwhile. It keeps its memory. */
export const moveAlert = async (
  tx: Transaction<Database>,
  alert: AlertRecord,
  chatLimits: ChatAlertLimits,
): ReturnType<AlertStore['move']> => {
  const { target } = alert;
  const place = {
    channel_id: target.channelId,
    user_id: target.recipientId,
    chat_key: sharedChatOf(target) ?? null,
  };
  const refusal = await chatRefusal(tx, place, chatLimits, alert);
  if (refusal) return { status: refusal };
  const row = await tx
    .updateTable('alerts')
    .set((column) => ({ ...place, details: encodeDetails(alert), version: column('version', '+', 1) }))
    .where('id', '=', alert.id)
    .where('owner_id', '=', alert.ownerId)
    .where('version', '=', alert.version)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst();
  return row ? { status: 'moved', alert: toAlert(row) } : { status: 'gone' };
};

/** Withdraws the unsent messages of alerts, and gives their number. */
const withdrawMessages = async (tx: Transaction<Database>, ids: readonly string[]): Promise<number> => {
  const { numDeletedRows } = await tx
    .deleteFrom('notifications')
    .where('status', 'in', WAITING)
    .where('id', 'in', (told) =>
      told.selectFrom('alert_firings').select('alert_firings.id').where('alert_id', 'in', ids),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

/** Removes alerts with their firings and unsent messages. */
export const removeAlerts = async (
  tx: Transaction<Database>,
  ownerId: OwnerId,
  ids: readonly AlertId[],
): Promise<number> => {
  if (ids.length === 0) return 0;
  const removed = await tx
    .deleteFrom('alerts')
    .where('owner_id', '=', ownerId)
    .where('id', 'in', ids.map(readShortId))
    .returning('id')
    .execute();
  if (removed.length === 0) return 0;
  const gone = removed.map(({ id }) => id);
  await withdrawMessages(tx, gone);
  await tx.deleteFrom('alert_firings').where('alert_id', 'in', gone).execute();
  return removed.length;
};

/** Ends an alert, which then counts as expired until it is purged. */
export const endAlert = async (
  tx: Transaction<Database>,
  id: AlertId,
  notice: NewNotification | undefined,
  at: Timestamp,
): Promise<boolean> => {
  const row = await tx
    .updateTable('alerts')
    .set((column) => ({ status: 'expired', version: column('version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  await withdrawMessages(tx, [row.id]);
  if (notice) await notify(tx, notice, at);
  return true;
};

/** Withdraws unsent messages too. The alert fires again afterwards if its condition still holds. */
export const snoozeAlert = async (
  tx: Transaction<Database>,
  ownerId: OwnerId,
  id: AlertId,
  until: Timestamp,
): Promise<AlertRecord | undefined> => {
  const row = await tx
    .updateTable('alerts')
    .set((column) => ({
      status: 'active',
      snoozed_until: toStoredTime(until),
      // An alert that fired is evaluated as if it were new.
      side: sql<AlertSide>`case when status = 'fired' then 'unknown' else side end`,
      version: column('version', '+', 1),
    }))
    .where('owner_id', '=', ownerId)
    .where('id', '=', readShortId(id))
    .where('status', 'in', ['active', 'fired'])
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  if ((await withdrawMessages(tx, [row.id])) === 0) return toAlert(row);
  await tx.updateTable('alerts').set({ side: 'unknown' }).where('id', '=', row.id).execute();
  return { ...toAlert(row), side: 'unknown' };
};

/** Changes nothing if the version has changed. */
export const rezoneAlert = async (
  tx: Transaction<Database>,
  alert: AlertRecord,
  timeZone: string,
  { expiresAt, snoozedUntil }: Parameters<AlertStore['rezone']>[2],
): Promise<boolean> => {
  const { zoneGuess: _settled, ...known } = alert;
  const row = await tx
    .updateTable('alerts')
    .set((column) => ({
      details: encodeDetails({ ...known, timeZone }),
      expires_at: expiresAt ? toStoredTime(expiresAt) : null,
      snoozed_until: snoozedUntil ? toStoredTime(snoozedUntil) : null,
      version: column('version', '+', 1),
    }))
    .where('id', '=', alert.id)
    .where('version', '=', alert.version)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

/** Changes nothing if the version has changed. */
export const fireAlert = async (
  tx: Transaction<Database>,
  { alert, at, payload, memory }: Firing,
): Promise<AlertRecord | undefined> => {
  const fired = await tx
    .updateTable('alerts')
    .set((column) => ({
      status: alert.isRepeating ? 'active' : 'fired',
      side: 'met',
      memory,
      fired_count: column('fired_count', '+', 1),
      last_fired_at: toStoredTime(at),
      version: column('version', '+', 1),
    }))
    .where('id', '=', alert.id)
    .where('version', '=', alert.version)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst();
  if (!fired) return undefined;
  const id = newId<DeliveryId>();
  await tx
    .insertInto('alert_firings')
    .values({ id, alert_id: fired.id, number: fired.fired_count, fired_at: toStoredTime(at) })
    .execute();
  await notify(tx, { id, target: alert.target, payload, dueAt: at }, at);
  return toAlert(fired);
};

const CHANGED = 'ALERT_CHANGED';

/** Revises alerts in one transaction. False, with nothing stored, where one of them changed or ended meanwhile. */
export const reviseAlerts = async (
  write: Write,
  { changes, notice }: Revision,
  at: Timestamp,
): Promise<boolean> => {
  // A fixed order keeps two processes from a deadlock.
  const inOrder = changes.toSorted((a, b) => (a.alert.id < b.alert.id ? -1 : 1));
  try {
    await write(async (tx) => {
      for (const { alert, next } of inOrder) {
        const row = await tx
          .updateTable('alerts')
          .set((column) => ({
            details: encodeDetails({ ...alert, ...next }),
            memory: next.memory,
            version: column('version', '+', 1),
          }))
          .where('id', '=', alert.id)
          .where('version', '=', alert.version)
          .where('status', '=', 'active')
          .returning('id')
          .executeTakeFirst();
        if (!row) throw new FinClawError('An alert was changed meanwhile', CHANGED);
      }
      await notify(tx, notice, at);
    });
    return true;
  } catch (error) {
    if (error instanceof FinClawError && error.code === CHANGED) return false;
    throw error;
  }
};

/** Updates alerts of one version to one state in one statement. Gives the ids that were written. */
export const saveObservations = (
  tx: Transaction<Database>,
  { alert: { version }, side, memory }: EvaluationOutcome,
  ids: readonly AlertId[],
): Promise<readonly { readonly id: string }[]> =>
  tx
    .updateTable('alerts')
    .set({ side, memory, version: version + 1 })
    .where('id', 'in', ids)
    // Every change of the status changes the version, so no other check is needed.
    .where('version', '=', version)
    .returning('id')
    .execute();
