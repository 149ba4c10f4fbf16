import type { Transaction } from 'kysely';
import type { PersonRef, Timestamp, TurnId } from '#src/kernel/ids.ts';
import type {
  AuditAction,
  AuditDetails,
  AuditEntry,
  AuditTrail,
  AccountReads,
} from '#src/kernel/operations.ts';
import type { Clock } from '../../clock.ts';
import { newId } from '../../ids.ts';
import type { FinClawLogger } from '../../logger.ts';
import type { Storage } from '../database.ts';
import type { PersonCodes } from './person-codes.ts';
import { type Database, toStoredTime } from '../schema.ts';

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

interface AccountReadsDeps {
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<FinClawLogger, 'error'>;
}

/** More turns than run at once. A turn that is forgotten too early gets a second entry at worst. */
const MAX_TURNS = 1_000;

/** Records that a tool read account data: once for each turn and tool, however often the tool is called. */
export const createAccountReads = ({ audit, clock, logger }: AccountReadsDeps): AccountReads => {
  const noted = new Map<TurnId, Set<string>>();
  return {
    note: async (toolName, { channelId, userId, turnId }) => {
      const tools = noted.getOrInsertComputed(turnId, () => new Set());
      if (tools.has(toolName)) return;
      tools.add(toolName);
      if (noted.size > MAX_TURNS) noted.delete(noted.keys().next().value ?? turnId);
      try {
        await audit.record('tool-read', { channelId, userId }, { [toolName]: 1 }, clock.now());
      } catch (error) {
        tools.delete(toolName);
        logger.error('The read of account data by a tool could not be recorded', { toolName, error });
      }
    },
  };
};
