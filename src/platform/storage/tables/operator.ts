import { type ColumnType, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Locale } from '#src/kernel/locale.ts';
import { toStoredTime } from '../schema.ts';
import { ownerless, past, type PurgeTimes, table, type TableGroup } from './descriptor.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    usage_days: UsageDaysTable;
    usage_day_totals: UsageDayTotalsTable;
    usage_sums: UsageSumsTable;
    support_shares: SupportSharesTable;
    support_reads: SupportReadsTable;
  }
}

/** PostgreSQL gives large numbers as text. */
type Sum = ColumnType<number | string, number, number>;

/** What all people together used on one day: sums of the table `usage`, so that nobody has to add up its rows again. */
interface UsageDayTotalsTable {
  time_zone: string;
  /** `2026-11-13` in that time zone. */
  day: string;
  channel_id: string;
  model: string;
  requests: Sum;
  failed: Sum;
  unpriced: Sum;
  /** With what was read from and written to the provider's cache. */
  input_tokens: Sum;
  output_tokens: Sum;
  cost_pico_usd: Sum;
}

/** The same of each person. */
interface UsageDaysTable extends UsageDayTotalsTable {
  user_id: string;
}

/** How far `usage` is summed up. */
interface UsageSumsTable {
  time_zone: string;
  /** Rows before this moment are part of the sums. */
  summed_until: string;
}

/** Conversations that people share with operators. */
interface SupportSharesTable {
  id: string;
  channel_id: string;
  user_id: string;
  session_key: string;
  /** The chat in which the person is told who read it. */
  target: string;
  locale: Locale;
  shared_at: string;
  expires_at: string;
}

interface SupportReadsTable {
  share_id: string;
  /** The code of the operator, or `token`. */
  reader: string;
  /** What the person was told about the reader. */
  reader_name: string;
  at: string;
}

const SUMMED = ['requests', 'failed', 'unpriced', 'input_tokens', 'output_tokens', 'cost_pico_usd'] as const;

/** Behind `on conflict`: adds the new sums to those that are there. */
export const addedTo = (name: 'usage_days' | 'usage_day_totals') =>
  sql`do update set ${sql.join(
    SUMMED.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`${name}.${column}`)} + excluded.${sql.ref(column)}`,
    ),
  )}`;

const operatorData: Migration = {
  up: async (db: Kysely<unknown>) => {
    const dayTable = (name: string, keys: string[]) =>
      [...keys.map((key) => [key, 'text'] as const), ...SUMMED.map((sum) => [sum, 'bigint'] as const)]
        .reduce<CreateTableBuilder<string, string>>(
          (made, [column, type]) => made.addColumn(column, type, (added) => added.notNull()),
          db.schema.createTable(name),
        )
        .addPrimaryKeyConstraint(`${name}_pk`, keys)
        .execute();
    await dayTable('usage_day_totals', ['time_zone', 'day', 'channel_id', 'model']);
    await dayTable('usage_days', ['time_zone', 'day', 'channel_id', 'user_id', 'model']);
    await db.schema
      .createIndex('usage_days_of_person')
      .on('usage_days')
      .columns(['channel_id', 'user_id'])
      .execute();
    await db.schema
      .createTable('usage_sums')
      .addColumn('time_zone', 'text', (column) => column.primaryKey())
      .addColumn('summed_until', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('support_shares')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('session_key', 'text', (column) => column.notNull().unique())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('shared_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('support_reads')
      .addColumn('share_id', 'text', (column) => column.notNull())
      .addColumn('reader', 'text', (column) => column.notNull())
      .addColumn('reader_name', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('support_reads_pk', ['share_id', 'reader'])
      .execute();
    await db.schema.createIndex('audit_at').on('audit').columns(['at']).execute();
  },
};

const BEFORE_LIMIT = {
  until: ({ limit }: PurgeTimes) => sql<boolean>`day < ${toStoredTime(limit).slice(0, 'yyyy-mm-dd'.length)}`,
};

const supportShares = table<SupportSharesTable>({
  name: 'support_shares',
  key: ['id'],
  owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
  exported: {
    as: 'supportShares',
    order: ['shared_at', 'id'],
    row: ({ shared_at, expires_at }) => ({ sharedAt: shared_at, expiresAt: expires_at }),
  },
  erased: 'delete',
  kept: past('expires_at'),
});

/** Tables that only the operator page and `/support` use. */
export const operatorTables: TableGroup = {
  tables: [
    table<UsageDaysTable>({
      name: 'usage_days',
      key: ['time_zone', 'day', 'channel_id', 'user_id', 'model'],
      owner: { by: 'identity', channel: 'channel_id', user: 'user_id' },
      exported: { not: 'Each request is exported with its cost.' },
      // As in `usage`: the sums stay, under a code instead of the id.
      erased: {
        anonymize: async (tx, { channelId, userId, codes }) => {
          // Sums that are being added at this moment, in another process, are added before or after this.
          await tx
            .updateTable('usage_sums')
            .set((column) => ({ summed_until: column.ref('summed_until') }))
            .execute();
          const own = sql`from usage_days where channel_id = ${channelId} and user_id = ${userId}`;
          await sql`
            insert into usage_days (time_zone, day, channel_id, user_id, model,
              requests, failed, unpriced, input_tokens, output_tokens, cost_pico_usd)
            select time_zone, day, channel_id, ${codes.erasedUserId(channelId, userId)}, model,
              requests, failed, unpriced, input_tokens, output_tokens, cost_pico_usd ${own}
            on conflict (time_zone, day, channel_id, user_id, model) ${addedTo('usage_days')}`.execute(tx);
          const { numAffectedRows = 0n } = await sql`delete ${own}`.execute(tx);
          return Number(numAffectedRows);
        },
      },
      kept: BEFORE_LIMIT,
    }),
    ownerless(
      'usage_day_totals',
      ['time_zone', 'day', 'channel_id', 'model'],
      'Sums over all people.',
      BEFORE_LIMIT,
    ),
    ownerless('usage_sums', ['time_zone'], 'It says how far the use of models is summed up.'),
    supportShares,
    table<SupportReadsTable>({
      name: 'support_reads',
      key: ['share_id', 'reader'],
      owner: { by: 'parent' },
      parent: { table: supportShares, column: 'share_id' },
      exported: {
        as: 'readers',
        order: ['at', 'reader'],
        row: ({ reader_name, at }) => ({ name: reader_name, at }),
      },
      erased: 'delete',
      kept: 'with its parent',
    }),
  ],
  migrations: { '0022-operator-data': operatorData },
};
