import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { InboxRow } from './facts.ts';

/** One part of an answer, as the bot recorded it. */
export interface SentPart {
  readonly deliveryId: string;
  readonly inboxId: string;
  /** The platform's id of it; null where none was recorded. */
  readonly messageId: string | null;
}

/** What the bot itself knows at the end. */
export interface Store {
  readonly rows: readonly InboxRow[];
  readonly parts: readonly SentPart[];
}

/** Only of an app that has ended: the database is its own until then. */
export const readStore = (dataDir: string): Store => {
  const database = new DatabaseSync(join(dataDir, 'finclaw.sqlite'));
  const all = <Row>(query: string): readonly Row[] =>
    database
      .prepare(query)
      .all()
      .map((row) => ({ ...row }) as unknown as Row);
  try {
    return {
      rows: all<InboxRow>(
        `select id, event_id as event, session_key as session, sender_id as sender, status, attempts,
           taken_by as takenBy from inbox order by id`,
      ),
      parts: all<SentPart>(
        `select id as deliveryId, inbox_id as inboxId, platform_message_id as messageId
           from outbox order by inbox_id, part_index`,
      ),
    };
  } finally {
    database.close();
  }
};
