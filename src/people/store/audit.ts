import type { Transaction } from 'kysely';
import type { PersonRef, Timestamp } from '#src/kernel/ids.ts';
import type { AuditAction, AuditDetails, AuditEntry, AuditTrail } from '#src/kernel/operations/audit.ts';
import { newId } from '#src/platform/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { PersonCodes } from '#src/platform/storage/person-codes.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

/** Who did it: a person, or an operator who is known by nothing but the token. */
export type AuditActor = PersonRef | 'token';

/** Runs in the transaction of the change that it records. The person is stored as a code. */
export const recordAudit = async (
  tx: Transaction<Database>,
  codes: Pick<PersonCodes, 'person'>,
  action: AuditAction,
  by: AuditActor,
  details: AuditDetails,
  at: Timestamp,
): Promise<void> => {
  await tx
    .insertInto('audit')
    .values({
      id: newId(),
      at: toStoredTime(at),
      action,
      person_hash: by === 'token' ? by : codes.person(by),
      details: JSON.stringify(details),
    })
    .execute();
};

const newest = async (
  db: Storage['db'],
  isRead: '=' | '!=',
  limit: number,
): Promise<readonly AuditEntry[]> => {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('action', isRead, 'tool-read')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    at: Temporal.Instant.from(row.at),
    action: row.action as AuditAction,
    person: row.person_hash,
    details: JSON.parse(row.details) as AuditDetails,
  }));
};

/** Records what was done with people's data. An entry holds none of the data, and a code in place of the person. */
export const createAuditStore = ({
  db,
  write,
  codes,
}: Pick<Storage, 'db' | 'write' | 'codes'>): AuditTrail => ({
  record: (action, person, details, at) => write((tx) => recordAudit(tx, codes, action, person, details, at)),

  recent: (limit) => newest(db, '!=', limit),
  recentReads: (limit) => newest(db, '=', limit),
});

/** The time of the person's last `/privacy delete`. */
export const lastErasureOf = async (
  { db, codes }: Pick<Storage, 'db' | 'codes'>,
  person: PersonRef,
): Promise<Timestamp | undefined> => {
  const row = await db
    .selectFrom('audit')
    .select('at')
    .where('action', '=', 'privacy-delete')
    .where('person_hash', '=', codes.person(person))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && Temporal.Instant.from(row.at);
};
