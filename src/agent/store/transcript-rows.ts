import type { Selectable } from 'kysely';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { prepared } from '#src/platform/storage/prepared.ts';
import { type Database, type Reads, toStoredTime } from '#src/platform/storage/schema.ts';
import type { Tx } from '#src/platform/storage/descriptor.ts';
import { READ_STATES, type TranscriptState } from './tables.ts';

/** One entry of a conversation as it is stored. Its message is JSON. */
export interface TranscriptRow {
  readonly position: number;
  readonly version: number;
  readonly turnId: string;
  readonly at: string;
  readonly message: string;
}

/** The place of a row in its conversation. */
export type RowPlace = Pick<TranscriptRow, 'position' | 'version'>;

/** Rows that leave the current conversation, and rows that join it. */
export interface RowChange {
  readonly retired: readonly RowPlace[];
  readonly added: readonly TranscriptRow[];
}

/**
 * What to do with the current rows of a conversation; undefined leaves them. Added rows have versions from `nextVersion`
 * on, so that no two rows of a conversation ever have the same place.
 */
type PlanChange = (current: readonly TranscriptRow[], nextVersion: number) => RowChange | undefined;

export type TranscriptRows = ReturnType<typeof createTranscriptRows>;

const COLUMNS = ['position', 'version', 'turn_id', 'at', 'message'] as const;

const CURRENT = prepared<{ readonly sessionKey: SessionKey }>()((db, value) =>
  db
    .selectFrom('transcript_entries')
    .select(COLUMNS)
    .where('session_key', '=', value('sessionKey'))
    .where('state', '=', 'current')
    .orderBy('position')
    .orderBy('version'),
);

const ENDS = prepared<{ readonly sessionKey: SessionKey }>()((db, value) => {
  const endIn = (order: 'asc' | 'desc') =>
    db
      .selectFrom((query) =>
        query
          .selectFrom('transcript_entries')
          .select(['position', 'version'])
          .where('session_key', '=', value('sessionKey'))
          .where('state', '=', 'current')
          .orderBy('position', order)
          .orderBy('version', order)
          .limit(1)
          .as('end'),
      )
      .select(['position', 'version']);
  return endIn('asc').unionAll(endIn('desc'));
});

const ALL = prepared<{ readonly sessionKey: SessionKey }>()((db, value) =>
  db
    .selectFrom('transcript_entries')
    .select(COLUMNS)
    .where('session_key', '=', value('sessionKey'))
    .where('state', 'in', READ_STATES)
    .orderBy('position')
    .orderBy('version'),
);

const LAST_POSITION = prepared<{ readonly sessionKey: SessionKey }>()((db, value) =>
  db
    .selectFrom('transcript_entries')
    .select((is) => is.fn.max('position').as('position'))
    .where('session_key', '=', value('sessionKey')),
);

type EntryColumns = Selectable<Database['transcript_entries']>;

const toRow = (row: Pick<EntryColumns, (typeof COLUMNS)[number]>): TranscriptRow => ({
  // PostgreSQL returns 64-bit numbers as text.
  position: Number(row.position),
  version: row.version,
  turnId: row.turn_id,
  at: row.at,
  message: row.message,
});

interface NewRow extends TranscriptRow {
  readonly sessionKey: SessionKey;
  readonly state: TranscriptState;
}

const INSERT = prepared<NewRow>()((db, value) =>
  db.insertInto('transcript_entries').values({
    session_key: value('sessionKey'),
    state: value('state'),
    position: value('position'),
    version: value('version'),
    turn_id: value('turnId'),
    at: value('at'),
    message: value('message'),
  }),
);

const insertRow = async (tx: Tx, sessionKey: SessionKey, row: TranscriptRow): Promise<void> => {
  await INSERT.run(tx, { ...row, sessionKey, state: 'current' });
};

const currentRows = async (db: Reads, sessionKey: SessionKey): Promise<readonly TranscriptRow[]> =>
  (await CURRENT.all(db, { sessionKey })).map(toRow);

export const createTranscriptRows = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  /** The rows that the model reads, in order. */
  current: (sessionKey: SessionKey): Promise<readonly TranscriptRow[]> => currentRows(db, sessionKey),

  /** The places of the first and the last of these rows; none if there are no rows. */
  ends: async (sessionKey: SessionKey): Promise<readonly RowPlace[]> =>
    (await ENDS.all(db, { sessionKey })).map(({ position, version }) => ({
      position: Number(position),
      version,
    })),

  /** The rows of the whole conversation, in order. Of several forms of an entry the first one comes first. */
  all: async (sessionKey: SessionKey): Promise<readonly TranscriptRow[]> =>
    (await ALL.all(db, { sessionKey })).map(toRow),

  /** Appends a row. Unless it must be durable, it resolves when it is committed. */
  append: (sessionKey: SessionKey, row: TranscriptRow, isDurable: boolean): Promise<void> =>
    write((tx) => insertRow(tx, sessionKey, row), isDurable ? 'durable' : 'committed'),

  /** Changes the current rows in one transaction; the retired ones stay as `compacted` or `damaged`. */
  change: (
    sessionKey: SessionKey,
    as: 'compacted' | 'damaged',
    plan: PlanChange,
    at: Temporal.Instant,
  ): Promise<void> =>
    write(async (tx) => {
      const { version } = await tx
        .selectFrom('transcript_entries')
        .select((is) => is.fn.max('version').as('version'))
        .where('session_key', '=', sessionKey)
        .executeTakeFirstOrThrow();
      const change = plan(await currentRows(tx, sessionKey), (version ?? 0) + 1);
      if (!change) return;
      for (const { position, version } of change.retired)
        await tx
          .updateTable('transcript_entries')
          .set({ state: as, ...(as === 'damaged' && { left_at: toStoredTime(at) }) })
          .where('session_key', '=', sessionKey)
          .where('state', '=', 'current')
          .where('position', '=', position)
          .where('version', '=', version)
          .execute();
      for (const row of change.added) await insertRow(tx, sessionKey, row);
    }),

  /** Archives the conversation. False if there was none. */
  archive: (sessionKey: SessionKey, at: Temporal.Instant): Promise<boolean> =>
    write(async (tx) => {
      const archived = (states: readonly TranscriptState[]) =>
        tx
          .updateTable('transcript_entries')
          .set({ state: 'archived', left_at: toStoredTime(at) })
          .where('session_key', '=', sessionKey)
          .where('state', 'in', states)
          .executeTakeFirstOrThrow();
      const { numUpdatedRows } = await archived(READ_STATES);
      await archived(['damaged']);
      return numUpdatedRows > 0n;
    }),

  /** The last position that any row of the conversation has ever had; 0 if there is none. */
  lastPosition: async (sessionKey: SessionKey): Promise<number> => {
    const last = await LAST_POSITION.first(db, { sessionKey });
    return Number(last?.position ?? 0);
  },

  /** Whether there are rows in this state. */
  hasAny: async (sessionKey: SessionKey, state: TranscriptState): Promise<boolean> => {
    const row = await db
      .selectFrom('transcript_entries')
      .select('version')
      .where('session_key', '=', sessionKey)
      .where('state', '=', state)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Deletes all rows of a conversation, also archived ones. False if there was none. */
  remove: (sessionKey: SessionKey): Promise<boolean> =>
    write(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('transcript_entries')
        .where('session_key', '=', sessionKey)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    }),
});
