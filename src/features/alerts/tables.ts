import { type Kysely, sql } from 'kysely';
import type { AlertSide, AlertStatus } from '#src/kernel/alert.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import {
  countLabel,
  exportedDetails,
  table,
  type TableDescriptor,
} from '#src/platform/storage/descriptor.ts';

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
  /** The channel that it is sent to (`sharedChatOf`); null in direct chats. */
  chat_key: string | null;
}

/** Written with the notification of the same id in one transaction, so that each firing is announced once. */
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
    // The new version refuses writes that still name the old owner.
    link: (tx, from, to) =>
      tx
        .updateTable('alerts')
        .set((column) => ({ owner_id: to, version: column('version', '+', 1) }))
        .where('owner_id', '=', from)
        .execute(),
    // An alert is sent to its identity, so it moves with that identity.
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
  // An alert with an unsent message is kept, because its owner may still snooze or delete it.
  kept: {
    until: ({ limit }) => sql<boolean>`
      ((status = 'fired' and last_fired_at < ${toStoredTime(limit)})
        or (status = 'expired' and expires_at < ${toStoredTime(limit)}))
      and id not in (select alert_firings.alert_id from alert_firings where alert_firings.id in (${UNTOLD}))`,
  },
});

export const alertTables: readonly TableDescriptor[] = [
  alerts,
  table<AlertFiringsTable>({
    name: 'alert_firings',
    key: ['id'],
    owner: { by: 'parent' },
    parent: { table: alerts, column: 'alert_id' },
    exported: { as: 'firedAt', order: ['number'], row: ({ fired_at }) => fired_at },
    // Unsent messages of the alert are erased too, wherever they would go.
    erased: {
      after: {
        columns: ['id'],
        run: async (tx, rows) => {
          for (const { id } of rows) await tx.deleteFrom('notifications').where('id', '=', id).execute();
        },
      },
    },
    // The firings of a deleted alert go with it.
    kept: {
      until: ({ limit }) => sql<boolean>`
        (fired_at < ${toStoredTime(limit)} or alert_id not in (select alerts.id from alerts))
        and id not in (${UNTOLD})`,
    },
  }),
];

/** Makes the tables of alerts. */
export const createAlertTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('alerts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('side', 'text', (column) => column.notNull())
    .addColumn('memory', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text')
    .addColumn('snoozed_until', 'text')
    .addColumn('fired_count', 'integer', (column) => column.notNull())
    .addColumn('last_fired_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('chat_key', 'text')
    .addUniqueConstraint('alerts_request', ['owner_id', 'request_id'])
    .execute();
  await db.schema.createIndex('alerts_chat').on('alerts').column('chat_key').execute();
  await db.schema.createIndex('alerts_status').on('alerts').columns(['status', 'symbol']).execute();

  await db.schema
    .createTable('alert_firings')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('alert_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('fired_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('alert_firings_number', ['alert_id', 'number'])
    .execute();
};
