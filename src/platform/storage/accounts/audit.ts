import type { Insertable } from 'kysely';
import type { Timestamp, TurnId } from '#src/kernel/ids.ts';
import type {
  AuditAction,
  AuditCounts,
  AuditEntry,
  AuditTrail,
  AccountReads,
} from '#src/kernel/operations.ts';
import type { Clock } from '../../clock.ts';
import { newId } from '../../ids.ts';
import type { FinClawLogger } from '../../logger.ts';
import type { Storage } from '../database.ts';
import { type Database, toStoredTime } from '../schema.ts';

/** To be written in the transaction of what it tells of. */
export const auditRow = (
  action: AuditAction,
  /** Coded. */
  person: string,
  details: AuditCounts,
  at: Timestamp,
): Insertable<Database['audit']> => ({
  id: newId(),
  at: toStoredTime(at),
  action,
  person_hash: person,
  details: JSON.stringify(details),
});

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
    details: JSON.parse(row.details) as AuditCounts,
  }));
};

/** What was done with people's data, without saying whose it was, and without any of it. */
export const createAuditStore = ({
  db,
  write,
  codes,
}: Pick<Storage, 'db' | 'write' | 'codes'>): AuditTrail => ({
  record: async (action, person, details, at) => {
    await write((tx) =>
      tx
        .insertInto('audit')
        .values(auditRow(action, codes.person(person), details, at))
        .execute(),
    );
  },

  recent: (limit) => newest(db, '!=', limit),
  recentReads: (limit) => newest(db, '=', limit),
});

interface PersonalReadsDeps {
  readonly audit: Pick<AuditTrail, 'record'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<FinClawLogger, 'error'>;
}

/** More turns than run at once: one that is forgotten gets a second line at worst. */
const MAX_TURNS = 1_000;

/** One line a turn and tool, however often the tool is called; written together with what else is written then. */
export const createAccountReads = ({ audit, clock, logger }: PersonalReadsDeps): AccountReads => {
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
        logger.error('That a tool read personal data could not be noted', { toolName, error });
      }
    },
  };
};
