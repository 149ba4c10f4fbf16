import { sql } from 'kysely';
import type { AlertSide, AlertStatus } from '#src/kernel/alert.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import {
  countLabel,
  exportedDetails,
  table,
  type TableGroup,
} from '#src/platform/storage/tables/descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    alerts: AlertsTable;
    alert_firings: AlertFiringsTable;
  }
}

interface AlertsTable {
  id: string;
  owner_id: string;
  channel_id: string;
  user_id: string;
  request_id: string;
  symbol: string;
  status: AlertStatus;
  side: AlertSide;
  memory: string;
  details: string;
  expires_at: string | null;
  snoozed_until: string | null;
  fired_count: number;
  last_fired_at: string | null;
  created_at: string;
  version: number;
  /** The channel in which it is told (`sharedChatOf`); null in direct chats. */
  chat_key: string | null;
}

/** Written together with the notification of the same id: what is told was recorded, and is told once. */
interface AlertFiringsTable {
  id: string;
  alert_id: string;
  number: number;
  fired_at: string;
}

/** Firings whose notification has not been sent yet. */
const UNTOLD = sql`select notifications.id from notifications where notifications.status in ('pending', 'sending')`;

const alerts = table<AlertsTable>({
  name: 'alerts',
  key: ['id'],
  owner: {
    by: 'account',
    column: 'owner_id',
    // Whoever has read one meanwhile would write it for the owner it no longer has: the version refuses that.
    link: (tx, from, to) =>
      tx
        .updateTable('alerts')
        .set((column) => ({ owner_id: to, version: column('version', '+', 1) }))
        .where('owner_id', '=', from)
        .execute(),
    // An alert is told where its identity is, so it goes with that identity.
    unlink: (tx, { channelId, userId }, from, to) =>
      tx
        .updateTable('alerts')
        .set((column) => ({ owner_id: to, version: column('version', '+', 1) }))
        .where('owner_id', '=', from)
        .where('channel_id', '=', channelId)
        .where('user_id', '=', userId)
        .execute(),
  },
  mentions: { user_id: 'the identity of the owner that is told' },
  counted: { as: 'alerts' },
  labels: [countLabel('alerts', { title: 'Alerts', one: 'alert' }, { title: '가격 알림', unit: '개' })],
  exported: {
    as: 'alerts',
    order: ['created_at', 'id'],
    row: (row) => ({
      id: row.id,
      status: row.status,
      ...exportedDetails(row.details),
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      snoozedUntil: row.snoozed_until,
    }),
  },
  erased: 'delete',
  // The bot may have been away: an alert that is still to be told can be snoozed or deleted by its owner.
  kept: {
    until: ({ limit }) => sql<boolean>`
      ((status = 'fired' and last_fired_at < ${toStoredTime(limit)})
        or (status = 'expired' and expires_at < ${toStoredTime(limit)}))
      and id not in (select alert_firings.alert_id from alert_firings where alert_firings.id in (${UNTOLD}))`,
  },
});

export const alertTables: TableGroup = {
  tables: [
    alerts,
    table<AlertFiringsTable>({
      name: 'alert_firings',
      key: ['id'],
      owner: { by: 'parent' },
      parent: { table: alerts, column: 'alert_id' },
      exported: { as: 'firedAt', order: ['number'], row: ({ fired_at }) => fired_at },
      // What waits to be told about the alert goes too, wherever it would be told.
      erased: {
        after: {
          columns: ['id'],
          run: async (tx, rows) => {
            for (const { id } of rows) await tx.deleteFrom('notifications').where('id', '=', id).execute();
          },
        },
      },
      // With an alert go all its firings, however young.
      kept: {
        until: ({ limit }) => sql<boolean>`
          (fired_at < ${toStoredTime(limit)} or alert_id not in (select alerts.id from alerts))
          and id not in (${UNTOLD})`,
      },
    }),
  ],
};
