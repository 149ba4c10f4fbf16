import type { Selectable } from 'kysely';
import type { CorporateAction, KnownClose, PriceGap } from '#src/kernel/market/corporate-action.ts';
import type { Timestamp } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { type Database, toStoredTime } from '#src/platform/storage/schema.ts';

export interface ActionFacts {
  /** Oldest first. */
  readonly actions: readonly CorporateAction[];
  readonly gaps: readonly PriceGap[];
  /** Absent before the first trade. */
  readonly close?: KnownClose | undefined;
}

/** The stored facts of one instrument and the days that they cover. */
export interface StoredActions extends ActionFacts {
  readonly first: Temporal.PlainDate;
  readonly last: Temporal.PlainDate;
  readonly source: string;
  readonly lookedAt: Timestamp;
  /** The time of the last request that covered all of these days. */
  readonly wholeLookedAt: Timestamp;
}

/** Facts about companies, the same for everybody. */
export type CorporateActionStore = ReturnType<typeof createCorporateActionStore>;

type Row = Selectable<Database['corporate_actions']>;
type NewRow = Pick<Row, 'kind' | 'action_date' | 'value' | 'currency' | 'price_before'>;

const toAction = ({ kind, action_date, value, currency, price_before }: Row): CorporateAction | undefined => {
  const date = Temporal.PlainDate.from(action_date);
  if (kind === 'split') return { kind, date, ratio: new Decimal(value) };
  if (kind !== 'dividend') return undefined;
  const before = price_before === null ? {} : { priceBefore: new Decimal(price_before) };
  return { kind, date, amount: new Decimal(value), currency: currency ?? '', ...before };
};

const toGap = ({ kind, action_date, value, price_before }: Row): PriceGap | undefined =>
  kind === 'gap' && price_before !== null
    ? {
        date: Temporal.PlainDate.from(action_date),
        previousClose: new Decimal(price_before),
        open: new Decimal(value),
      }
    : undefined;

const toClose = (row: Row | undefined): KnownClose | undefined =>
  row && { date: Temporal.PlainDate.from(row.action_date), price: new Decimal(row.value) };

const closeRow = ({ date, price }: KnownClose): NewRow => ({
  kind: 'close',
  action_date: date.toString(),
  value: price.toFixed(),
  currency: null,
  price_before: null,
});

const toRows = ({ actions, gaps, close }: ActionFacts): readonly NewRow[] => [
  ...actions.map((action): NewRow => ({
    kind: action.kind,
    action_date: action.date.toString(),
    value: (action.kind === 'split' ? action.ratio : action.amount).toFixed(),
    currency: action.kind === 'dividend' ? action.currency : null,
    price_before: (action.kind === 'dividend' && action.priceBefore?.toFixed()) || null,
  })),
  ...gaps.map(({ date, previousClose, open }): NewRow => ({
    kind: 'gap',
    action_date: date.toString(),
    value: open.toFixed(),
    currency: null,
    price_before: previousClose.toFixed(),
  })),
  ...(close ? [closeRow(close)] : []),
];

const keyOf = ({ kind, action_date }: Pick<Row, 'kind' | 'action_date'>): string => `${kind} ${action_date}`;

export const createCorporateActionStore = ({ db, write }: Pick<Storage, 'db' | 'write'>) => ({
  read: async (symbol: string): Promise<StoredActions | undefined> => {
    const covered = await db
      .selectFrom('corporate_action_looks')
      .selectAll()
      .where('symbol', '=', symbol)
      .executeTakeFirst();
    if (!covered) return undefined;
    const rows = await db
      .selectFrom('corporate_actions')
      .selectAll()
      .where('symbol', '=', symbol)
      .orderBy('action_date')
      .orderBy('kind', 'desc')
      .execute();
    return {
      first: Temporal.PlainDate.from(covered.first_day),
      last: Temporal.PlainDate.from(covered.last_day),
      source: covered.source,
      lookedAt: Temporal.Instant.from(covered.looked_at),
      wholeLookedAt: Temporal.Instant.from(covered.whole_looked_at),
      actions: rows.flatMap((row) => toAction(row) ?? []),
      gaps: rows.flatMap((row) => toGap(row) ?? []),
      close: toClose(rows.find(({ kind }) => kind === 'close')),
    };
  },

  /**
   * Replaces the stored facts of the days from `first` to `last` and the known close; facts of other days stay. The days must touch or
   * include the stored ones.
   */
  replace: (
    symbol: string,
    days: Pick<StoredActions, 'first' | 'last' | 'source'>,
    facts: ActionFacts,
    at: Timestamp,
  ): Promise<void> =>
    write(async (tx) => {
      const [first, last] = [days.first.toString(), days.last.toString()];
      const looked_at = toStoredTime(at);
      const before = await tx
        .selectFrom('corporate_action_looks')
        .select(['first_day', 'last_day', 'whole_looked_at'])
        .where('symbol', '=', symbol)
        .executeTakeFirst();
      const replaced = await tx
        .deleteFrom('corporate_actions')
        .where('symbol', '=', symbol)
        .where((where) =>
          where.or([
            where('kind', '=', 'close'),
            where.and([where('action_date', '>=', first), where('action_date', '<=', last)]),
          ]),
        )
        .returning(['kind', 'action_date', 'first_seen_at'])
        .execute();
      const seen = new Map(replaced.map((row) => [keyOf(row), row.first_seen_at]));
      for (const row of toRows(facts)) {
        const values = { ...row, source: days.source, first_seen_at: seen.get(keyOf(row)) ?? looked_at };
        await tx
          .insertInto('corporate_actions')
          .values({ symbol, ...values })
          .onConflict((conflict) => conflict.columns(['symbol', 'kind', 'action_date']).doUpdateSet(values))
          .execute();
      }
      const isWhole = !before || first <= before.first_day;
      const covered = {
        first_day: before && before.first_day < first ? before.first_day : first,
        last_day: before && before.last_day > last ? before.last_day : last,
        source: days.source,
        looked_at,
        whole_looked_at: isWhole ? looked_at : before.whole_looked_at,
      };
      await tx
        .insertInto('corporate_action_looks')
        .values({ symbol, ...covered })
        .onConflict((conflict) => conflict.column('symbol').doUpdateSet(covered))
        .execute();
    }),
});
