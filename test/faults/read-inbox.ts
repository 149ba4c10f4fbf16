import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { InboxRow } from './facts.ts';

/** Only of an app that has ended: the database is its own until then. */
export const readInbox = (dataDir: string): readonly InboxRow[] => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  try {
    const rows = database
      .prepare(
        `select id, event_id as event, session_key as session, sender_id as sender, status, attempts,
           taken_by as takenBy from inbox order by id`,
      )
      .all();
    return rows.map((row) => ({ ...row }) as unknown as InboxRow);
  } finally {
    database.close();
  }
};
