import { type Kysely, sql } from 'kysely';
import { counted } from '#src/kernel/locale.ts';
import type { ChannelId, OwnerId } from '#src/kernel/ids.ts';
import type { AccountKind, CostMethod, TransactionKind } from '#src/kernel/market/ledger.ts';
import { countEntries, lockOwner, portfolioNameKey } from './portfolios.ts';
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
import { defineTable, integer, nullable, text, type RowOf } from '#src/platform/storage/columns.ts';

declare module '#src/platform/storage/schema.ts' {
  interface Database {
    portfolios: RowOf<typeof portfoliosForm>;
    transactions: RowOf<typeof transactionsForm>;
    pending_imports: RowOf<typeof pendingImportsForm>;
    dismissed_actions: RowOf<typeof dismissedActionsForm>;
    corporate_actions: RowOf<typeof corporateActionsForm>;
    corporate_action_looks: RowOf<typeof corporateActionLooksForm>;
    daily_rates: RowOf<typeof dailyRatesForm>;
  }
}

const portfoliosForm = defineTable(
  'portfolios',
  {
    id: text(),
    owner_id: text(),
    name: text(),
    name_key: text(),
    base_currency: text(),
    cost_method: text<CostMethod>(),
    allows_short: integer(),
    is_default: integer(),
    created_at: text(),
    /** The own owner id of the identity that created it and takes it along when a link ends. Null if unknown. */
    begun_by: nullable(text()),
    /** The target weights as JSON; null without any. */
    targets: nullable(text()),
    /** Null: an ordinary account. */
    account_kind: nullable(text<AccountKind>()),
  },
  {
    key: ['id'],
    unique: {
      portfolios_name: ['owner_id', 'name_key'],
    },
  },
);

/** Append-only. A row that reverses another one has no details. */
const transactionsForm = defineTable(
  'transactions',
  {
    id: text(),
    portfolio_id: text(),
    number: integer(),
    client_id: text(),
    kind: text<TransactionKind | 'reversal'>(),
    reverses: nullable(text()),
    trade_date: nullable(text()),
    /** A column of its own, because many entries share an instrument, which is parsed once. */
    instrument: nullable(text()),
    details: text(),
    recorded_at: text(),
  },
  {
    key: ['id'],
    unique: {
      transactions_client: ['portfolio_id', 'client_id'],
      transactions_number: ['portfolio_id', 'number'],
      transactions_reverses: ['reverses'],
    },
  },
);

/** Entries that were read from a file and wait for the person's confirmation. */
const pendingImportsForm = defineTable(
  'pending_imports',
  {
    code: text(),
    owner_id: text(),
    /** Null if the confirmation creates the portfolio. */
    portfolio_id: nullable(text()),
    content: text(),
    expires_at: text(),
  },
  { key: ['code'] },
);

/** A split, dividend or price gap that this portfolio is no longer reminded of. */
const dismissedActionsForm = defineTable(
  'dismissed_actions',
  {
    portfolio_id: text(),
    symbol: text(),
    kind: text(),
    action_date: text(),
    dismissed_at: text(),
  },
  { key: ['portfolio_id', 'symbol', 'kind', 'action_date'] },
);

/**
 * Splits and dividends as a live source reports them; `gap`: a day that opened far from the close before it; `close`: the
 * last known close.
 */
const corporateActionsForm = defineTable(
  'corporate_actions',
  {
    symbol: text(),
    kind: text<'split' | 'dividend' | 'gap' | 'close'>(),
    action_date: text(),
    /** The ratio of a split, the amount of a dividend for one share, the first price after a gap, the close. */
    value: text(),
    /** Set for dividends only. */
    currency: nullable(text()),
    /** The last close before it, if known. */
    price_before: nullable(text()),
    source: text(),
    first_seen_at: text(),
  },
  { key: ['symbol', 'kind', 'action_date'] },
);

/** The days of an instrument that were requested from a source. */
const corporateActionLooksForm = defineTable(
  'corporate_action_looks',
  {
    symbol: text(),
    first_day: text(),
    last_day: text(),
    source: text(),
    looked_at: text(),
    /** When all of these days were last read, not only the newest. */
    whole_looked_at: text(),
  },
  { key: ['symbol'] },
);

/** The closing exchange rate of a finished day from a live source. It has no owner and is kept forever. */
const dailyRatesForm = defineTable(
  'daily_rates',
  {
    base: text(),
    quote: text(),
    /** Any calendar day, including weekends and holidays. */
    day: text(),
    /** The day of the close: the same day or the last trading day before it. Null if there is none. */
    close_day: nullable(text()),
    /** The price of one `base` in `quote` as decimal text. Null if the source has none for that day. */
    rate: nullable(text()),
    source: text(),
    stored_at: text(),
  },
  { key: ['base', 'quote', 'day'] },
);

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

const portfolios = table(portfoliosForm, {
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
  table<Database['transactions'], Database['transactions'] & { reversed_number: number | null }>(
    transactionsForm,
    {
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
    },
  ),
  table(dismissedActionsForm, {
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
  table(pendingImportsForm, {
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
  ownerless(corporateActionsForm, 'Facts about instruments.'),
  ownerless(corporateActionLooksForm, 'Days of an instrument that were requested from a source.'),
  ownerless(dailyRatesForm, 'Exchange rates of finished days.'),
];
