import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AlertRecords } from './checker.ts';

/** Only of an app that has ended: the database is its own until then. */
export const readRecords = (dataDir: string): AlertRecords => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  const all = (query: string): readonly Readonly<Record<string, string>>[] =>
    database
      .prepare(query)
      .all()
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])));
  try {
    return {
      firings: all('select id, alert_id from alert_firings').map(({ id = '', alert_id: alertId = '' }) => ({
        id,
        alertId,
      })),
      notifications: all('select id, status from notifications').map(({ id = '', status = '' }) => ({
        id,
        status,
      })),
    };
  } finally {
    database.close();
  }
};
