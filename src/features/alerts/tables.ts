import { sql } from 'kysely';
import type { AlertSide, AlertStatus } from '#src/kernel/people/alerts.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import {
  countLabel,
  exportedDetails,
  table,
  type TableDescriptor,
} from '#src/platform/storage/descriptor.ts';
import { defineTable, integer, nullable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    alerts: RowOf<typeof alertsForm>;
    alert_firings: RowOf<typeof alertFiringsForm>;
  }
}

const alertsForm = defineTable(
  'alerts',
  {
    id: text(),
    owner_id: text(),
    channel_id: text(),
    user_id: text(),
    request_id: text(),
    symbol: text(),
    status: text<AlertStatus>(),
    side: text<AlertSide>(),
    memory: text(),
    details: text(),
    expires_at: nullable(text()),
    snoozed_until: nullable(text()),
    fired_count: integer(),
    last_fired_at: nullable(text()),
    created_at: text(),
    version: integer(),
    /** The channel that it is sent to (`sharedChatOf`); null in direct chats. */
    chat_key: nullable(text()),
  },
  {
    key: ['id'],
    unique: {
      alerts_request: ['owner_id', 'request_id'],
    },
    indexes: {
      alerts_chat: ['chat_key'],
      alerts_status: ['status', 'symbol'],
    },
  },
);

/** Written with the notification of the same id in one transaction, so that each firing is announced once. */
const alertFiringsForm = defineTable(
  'alert_firings',
  {
    id: text(),
    alert_id: text(),
    number: integer(),
    fired_at: text(),
  },
  {
    key: ['id'],
    unique: {
      alert_firings_number: ['alert_id', 'number'],
    },
  },
);

/** Firings whose notification has not been sent yet. */
const UNTOLD = sql`select notifications.id from notifications where notifications.status in ('pending', 'sending')`;

const alerts = table(alertsForm, {
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
  table(alertFiringsForm, {
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
