import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Timestamp } from '#src/core/ids.ts';
import type { AuditAction, AuditCounts, AuditTrail } from '#src/core/operations.ts';
import type { PersonRef } from '#src/core/personal-desk.ts';
import { newId } from '#src/infra/ids.ts';
import type { Storage } from './database.ts';
import { type Database, toStoredTime } from './schema.ts';

export interface AuditStore extends AuditTrail {
  /** Durable when it resolves. */
  readonly record: (
    action: AuditAction,
    person: PersonRef,
    details: AuditCounts,
    at: Timestamp,
  ) => Promise<void>;
}

const HASH_LENGTH = 16;

/** Whoever knows a person's id can find what was done with their data; nobody finds the id by it. */
export const personHash = ({ channelId, userId }: PersonRef): string =>
  createHash('sha256').update(`${channelId}\0${userId}`).digest('hex').slice(0, HASH_LENGTH);

/** To be written in the transaction of what it tells of. */
export const auditRow = (
  action: AuditAction,
  person: PersonRef,
  details: AuditCounts,
  at: Timestamp,
): Insertable<Database['audit']> => ({
  id: newId(),
  at: toStoredTime(at),
  action,
  person_hash: personHash(person),
  details: JSON.stringify(details),
});

/** What was done with people's data, without saying whose it was, and without any of it. */
export const createAuditStore = ({ db, write }: Pick<Storage, 'db' | 'write'>): AuditStore => ({
  record: async (action, person, details, at) => {
    await write((tx) =>
      tx
        .insertInto('audit')
        .values(auditRow(action, person, details, at))
        .execute(),
    );
  },

  recent: async (limit) => {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      at: Temporal.Instant.from(row.at),
      action: row.action as AuditAction,
      person: row.person_hash,
      details: JSON.parse(row.details) as AuditCounts,
    }));
  },
});
