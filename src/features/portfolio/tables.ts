import { type Kysely, sql } from 'kysely';
import { counted } from '#src/kernel/locale.ts';
import type { ChannelId, OwnerId } from '#src/kernel/ids.ts';
import type { AccountKind, CostMethod, TransactionKind } from '#src/kernel/ledger.ts';
import { countEntries, lockOwner, portfolioNameKey } from './store-portfolios.ts';
import {
  exportedDetails,
  type LinkRule,
  ownerless,
  past,
  table,
  type TableDescriptor,
  type UnlinkNames,
} from '#src/platform/storage/descriptor.ts';
import type { Database } from '#src/platform/storage/schema.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    portfolios: PortfoliosTable;
    transactions: TransactionsTable;
    pending_imports: PendingImportsTable;
    dismissed_actions: DismissedActionsTable;
    corporate_actions: CorporateActionsTable;
    corporate_action_looks: CorporateActionLooksTable;
    daily_rates: DailyRatesTable;
  }
}

interface PortfoliosTable {
  id: string;
  owner_id: string;
  name: string;
  name_key: string;
  base_currency: string;
  cost_method: CostMethod;
  allows_short: number;
  is_default: number;
  created_at: string;
  /** The own owner id of the identity that created it and takes it along when a link ends. Null if unknown. */
  begun_by: string | null;
  /** The target weights as JSON; null without any. */
  targets: string | null;
  /** Null: an ordinary account. */
  account_kind: AccountKind | null;
}

/** Append-only. A row that reverses another one has no details. */
interface TransactionsTable {
  id: string;
  portfolio_id: string;
  number: number;
  client_id: string;
  kind: TransactionKind | 'reversal';
  reverses: string | null;
  trade_date: string | null;
  /** A column of its own, because many entries share an instrument, which is parsed once. */
  instrument: string | null;
  details: string;
  recorded_at: string;
}

/** Entries that were read from a file and wait for the person's confirmation. */
interface PendingImportsTable {
  code: string;
  owner_id: string;
  /** Null if the confirmation creates the portfolio. */
  portfolio_id: string | null;
  content: string;
  expires_at: string;
}

/** A split, dividend or price gap that this portfolio is no longer reminded of. */
interface DismissedActionsTable {
  portfolio_id: string;
  symbol: string;
  kind: string;
  action_date: string;
  dismissed_at: string;
}

/**
 * Splits and dividends as a live source reports them; `gap`: a day that opened far from the close before it; `close`: the
 * last known close.
 */
interface CorporateActionsTable {
  symbol: string;
  kind: 'split' | 'dividend' | 'gap' | 'close';
  action_date: string;
  /** The ratio of a split, the amount of a dividend for one share, the first price after a gap, the close. */
  value: string;
  /** Set for dividends only. */
  currency: string | null;
  /** The last close before it, if known. */
  price_before: string | null;
  source: string;
  first_seen_at: string;
}

/** The days of an instrument that were requested from a source. */
interface CorporateActionLooksTable {
  symbol: string;
  first_day: string;
  last_day: string;
  source: string;
  looked_at: string;
  /** When all of these days were last read, not only the newest. */
  whole_looked_at: string;
}

/** The closing exchange rate of a finished day from a live source. It has no owner and is kept forever. */
interface DailyRatesTable {
  base: string;
  quote: string;
  /** Any calendar day, including weekends and holidays. */
  day: string;
  /** The day of the close: the same day or the last trading day before it. Null if there is none. */
  close_day: string | null;
  /** The price of one `base` in `quote` as decimal text. Null if the source has none for that day. */
  rate: string | null;
  source: string;
  stored_at: string;
}

/** The first free name of `main`, `main-slack`, `main-slack-2`; always one word. */
const freeName = (name: string, platform: ChannelId, used: ReadonlySet<string>): string => {
  if (!used.has(portfolioNameKey(name))) return name;
  const base = name.endsWith(`-${platform}`) ? name : `${name}-${platform}`;
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? base : `${base}-${count}`;
    if (!used.has(portfolioNameKey(candidate))) return candidate;
  }
};

/** A name that both owners use gets the platform as a suffix. */
const movePortfolios: LinkRule = async (tx, from, to, platform) => {
  const rows = await tx
    .selectFrom('portfolios')
    .select(['id', 'owner_id', 'name', 'name_key'])
    .where('owner_id', 'in', [from, to])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const used = new Set(rows.filter(({ owner_id }) => owner_id === to).map(({ name_key }) => name_key));
  /** The default portfolio of the remaining owner stays the default. */
  const keepsDefault = used.size === 0;
  for (const row of rows.filter(({ owner_id }) => owner_id === from)) {
    const name = freeName(row.name, platform, used);
    const name_key = portfolioNameKey(name);
    used.add(name_key);
    await tx
      .updateTable('portfolios')
      .set({ owner_id: to, name, name_key, ...(keepsDefault ? {} : { is_default: 0 }) })
      .where('id', '=', row.id)
      .execute();
  }
};

const namesOnUnlink = async (
  db: Pick<Kysely<Database>, 'selectFrom'>,
  shared: OwnerId,
  own: OwnerId,
): Promise<UnlinkNames> => {
  const rows = await db
    .selectFrom('portfolios')
    .select(['name', 'begun_by'])
    .where('owner_id', '=', shared)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const [takes, leaves] = [
    rows.filter(({ begun_by }) => begun_by === own),
    rows.filter(({ begun_by }) => begun_by !== own),
  ];
  return { takes: takes.map(({ name }) => name), leaves: leaves.map(({ name }) => name) };
};

const portfolios = table<PortfoliosTable>({
  name: 'portfolios',
  key: ['id'],
  owner: {
    by: 'account',
    column: 'owner_id',
    link: movePortfolios,
    // An identity takes the portfolios that it created. It owns nothing else at that moment, so the names are free.
    unlink: (tx, _person, from, to) =>
      tx
        .updateTable('portfolios')
        .set({ owner_id: to })
        .where('owner_id', '=', from)
        .where('begun_by', '=', to)
        .execute(),
    linkLimit: { lock: lockOwner, count: countEntries },
    unlinkNames: namesOnUnlink,
  },
  mentions: { begun_by: 'an identity of the owner' },
  counted: { as: 'portfolios' },
  labels: [
    {
      of: 'portfolios',
      en: {
        line: (count, { transactions = 0 }) =>
          `Portfolios: ${count.toLocaleString('en-US')}, with ${counted(transactions, 'transaction')}`,
        amount: (count, { transactions = 0 }) =>
          `${counted(count, 'portfolio')} with ${counted(transactions, 'transaction')}`,
      },
      ko: {
        line: (count, { transactions = 0 }) =>
          `포트폴리오: ${count.toLocaleString('ko-KR')}개 (거래 ${transactions.toLocaleString('ko-KR')}건)`,
        amount: (count, { transactions = 0 }) =>
          `포트폴리오 ${count.toLocaleString('ko-KR')}개(거래 ${transactions.toLocaleString('ko-KR')}건)`,
      },
    },
  ],
  exported: {
    as: 'portfolios',
    order: ['created_at', 'id'],
    row: (row) => ({
      name: row.name,
      baseCurrency: row.base_currency,
      costMethod: row.cost_method,
      allowsShort: row.allows_short === 1,
      isDefault: row.is_default === 1,
      ...(row.account_kind === null ? {} : { account: row.account_kind }),
      targets: row.targets === null ? [] : (JSON.parse(row.targets) as unknown),
      createdAt: row.created_at,
    }),
  },
  // The lock waits for entries that are being recorded. The portfolio goes before its entries.
  erased: { before: (tx, { ownerId }) => lockOwner(tx, ownerId) },
  kept: 'forever',
});

export const portfolioTables: readonly TableDescriptor[] = [
  portfolios,
  table<TransactionsTable & { reversed_number: number | null }>({
    name: 'transactions',
    key: ['id'],
    owner: { by: 'parent' },
    parent: { table: portfolios, column: 'portfolio_id' },
    counted: { as: 'transactions' },
    exported: {
      as: 'transactions',
      order: ['number'],
      select: sql`transactions.*, (select original.number from transactions as original where original.id = transactions.reverses) as reversed_number`,
      row: (row) => ({
        number: row.number,
        kind: row.kind,
        ...(row.trade_date === null ? {} : { date: row.trade_date }),
        ...(row.reversed_number === null ? {} : { reverses: row.reversed_number }),
        ...(row.instrument === null ? {} : { instrument: JSON.parse(row.instrument) as unknown }),
        ...exportedDetails(row.details),
        recordedAt: row.recorded_at,
      }),
    },
    erased: 'delete',
    kept: 'forever',
  }),
  table<DismissedActionsTable>({
    name: 'dismissed_actions',
    key: ['portfolio_id', 'symbol', 'kind', 'action_date'],
    owner: { by: 'parent' },
    parent: { table: portfolios, column: 'portfolio_id' },
    exported: {
      as: 'dismissedActions',
      order: ['symbol', 'action_date', 'kind'],
      row: ({ symbol, kind, action_date, dismissed_at }) => ({
        symbol,
        kind,
        date: action_date,
        dismissedAt: dismissed_at,
      }),
    },
    erased: 'delete',
    kept: 'forever',
  }),
  table<PendingImportsTable>({
    name: 'pending_imports',
    key: ['code'],
    owner: {
      by: 'account',
      column: 'owner_id',
      link: 'move',
      // An import follows its portfolio, which has just moved.
      unlink: (tx, _person, from, to) =>
        tx
          .updateTable('pending_imports')
          .set({ owner_id: to })
          .where('owner_id', '=', from)
          .where('portfolio_id', 'in', (moved) =>
            moved.selectFrom('portfolios').select('portfolios.id').where('portfolios.owner_id', '=', to),
          )
          .execute(),
    },
    exported: {
      as: 'unconfirmedImports',
      order: ['expires_at', 'code'],
      row: (row) => ({ content: row.content, keptUntil: row.expires_at }),
    },
    erased: 'delete',
    kept: past('expires_at'),
  }),
  ownerless('corporate_actions', ['symbol', 'kind', 'action_date'], 'Facts about instruments.'),
  ownerless('corporate_action_looks', ['symbol'], 'Days of an instrument that were requested from a source.'),
  ownerless('daily_rates', ['base', 'quote', 'day'], 'Exchange rates of finished days.'),
];

/** Makes the tables of portfolio. */
export const createPortfolioTables = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('portfolios')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('base_currency', 'text', (column) => column.notNull())
    .addColumn('cost_method', 'text', (column) => column.notNull())
    .addColumn('allows_short', 'integer', (column) => column.notNull())
    .addColumn('is_default', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('begun_by', 'text')
    .addColumn('targets', 'text')
    .addColumn('account_kind', 'text')
    .addUniqueConstraint('portfolios_name', ['owner_id', 'name_key'])
    .execute();

  await db.schema
    .createTable('transactions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('portfolio_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reverses', 'text')
    .addColumn('trade_date', 'text')
    .addColumn('instrument', 'text')
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('recorded_at', 'text', (column) => column.notNull())
    .addUniqueConstraint('transactions_client', ['portfolio_id', 'client_id'])
    .addUniqueConstraint('transactions_number', ['portfolio_id', 'number'])
    .addUniqueConstraint('transactions_reverses', ['reverses'])
    .execute();

  await db.schema
    .createTable('pending_imports')
    .addColumn('code', 'text', (column) => column.primaryKey())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('portfolio_id', 'text')
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('dismissed_actions')
    .addColumn('portfolio_id', 'text', (column) => column.notNull())
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('action_date', 'text', (column) => column.notNull())
    .addColumn('dismissed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('dismissed_actions_action', ['portfolio_id', 'symbol', 'kind', 'action_date'])
    .execute();

  await db.schema
    .createTable('corporate_actions')
    .addColumn('symbol', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('action_date', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('currency', 'text')
    .addColumn('price_before', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('first_seen_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('corporate_actions_action', ['symbol', 'kind', 'action_date'])
    .execute();

  await db.schema
    .createTable('corporate_action_looks')
    .addColumn('symbol', 'text', (column) => column.primaryKey())
    .addColumn('first_day', 'text', (column) => column.notNull())
    .addColumn('last_day', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('looked_at', 'text', (column) => column.notNull())
    .addColumn('whole_looked_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('daily_rates')
    .addColumn('base', 'text', (column) => column.notNull())
    .addColumn('quote', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('close_day', 'text')
    .addColumn('rate', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('stored_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('daily_rates_day', ['base', 'quote', 'day'])
    .execute();
};
