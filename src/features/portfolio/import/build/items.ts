import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import type { Currency } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { DateOrder } from '#src/reading/dates.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import type { RowProblem } from '../problems.ts';
import { type RecordDraft, readRecord } from '../rows/read-record.ts';
import type { TableRecord, TransactionTable } from '../columns/find-tables.ts';
import { cashCurrency, type MoneyNote, namedIn, statedCurrency } from './line-money.ts';
import { type MakeContext, makeEntries } from './make-entries.ts';
import { pairLegs } from './pair-legs.ts';
import { type CashEffect, cashEffects } from './reconcile.ts';

/** One record of the file and its result. */
export interface Item {
  readonly record: TableRecord;
  readonly table: TransactionTable;
  readonly draft: RecordDraft | undefined;
  /** The `epochDay` of the line; for a line without a date, that of the line before. */
  readonly day: number;
  entries: readonly NewTransaction[];
  notes: readonly MoneyNote[];
  problem: RowProblem | undefined;
  /** The cash effect of a leg whose entry is on another line. */
  effect: CashEffect | undefined;
  /** The line cancels another or is cancelled by one. */
  isCancelled: boolean;
}

/** The currencies that lines of the file name or trade in. */
export const currenciesIn = function* (
  drafts: readonly RecordDraft[],
  find: MakeContext['find'],
): Steps<ReadonlySet<Currency>> {
  const found = new Set<Currency>();
  for (const draft of drafts) {
    yield;
    const reported = statedCurrency(draft);
    const isNamed =
      reported === undefined && (draft.kind === 'buy' || draft.kind === 'sell' || draft.kind === 'dividend');
    const named = isNamed ? find(namedIn(draft, undefined)) : undefined;
    const currency = reported ?? (named?.status === 'found' ? named.instrument.currency : undefined);
    if (currency !== undefined) found.add(currency);
  }
  return found;
};

export const compareDates = (a: Item, b: Item): number => a.day - b.day;

export interface Counts {
  voids: number;
  skipped: number;
}

export const readItems = function* (
  tables: readonly TransactionTable[],
  order: DateOrder,
  base: Currency,
  counts: Counts,
): Steps<Item[]> {
  const items: Item[] = [];
  for (const table of tables) {
    // Lines above the first date come first.
    let day = Number.MIN_SAFE_INTEGER;
    for (const record of table.records) {
      yield;
      const read = readRecord(record, table, order, base);
      if (read.status === 'void') counts.voids += 1;
      if (read.status === 'sweep') counts.skipped += 1;
      const shared = { record, table, entries: [], notes: [], effect: undefined, isCancelled: false };
      if (read.status === 'problem') items.push({ ...shared, draft: undefined, day, problem: read.problem });
      if (read.status !== 'ok') continue;
      for (const draft of read.drafts) {
        day = epochDay(draft.date);
        items.push({ ...shared, draft, day, problem: undefined });
      }
    }
  }
  return items;
};

const isOfSubscription = ({ kind }: RecordDraft): boolean =>
  kind === 'subscription-out' || kind === 'subscription-back' || kind === 'rights';

export const isOf = (item: Item, kind: RecordDraft['kind']): boolean => item.draft?.kind === kind;

/** Adds entries or problems to all items except lines that only repeat another one. */
export const addEntries = function* (
  items: readonly Item[],
  context: MakeContext,
  counts: Counts,
): Steps<void> {
  const drafts = items.flatMap(({ draft }) => draft ?? []);
  const currencyOf = (draft: RecordDraft): Currency | undefined => cashCurrency(draft, context);
  const paired = yield* pairLegs(drafts, currencyOf);
  const { whole, absorbed, effects, unpaid } = paired;
  const cancelledDrafts = new Set(paired.cancelled.values());
  const cancelledEffects = new Map<RecordDraft, CashEffect | undefined>();
  const hasShares = items.some((item) => isOf(item, 'buy') || isOf(item, 'sell'));
  for (const item of items) {
    yield;
    const { draft } = item;
    if (!draft || paired.cancelled.has(draft)) continue;
    item.effect = effects.get(draft);
    const isCashLeg = draft.kind === 'cash-leg' && hasShares;
    if (absorbed.has(draft) || isCashLeg) {
      if (isCashLeg || isOfSubscription(draft)) counts.skipped += 1;
      continue;
    }
    if (unpaid.has(draft)) {
      item.problem = { kind: 'subscription' };
      continue;
    }
    const made = makeEntries(whole.get(draft) ?? draft, context);
    if (cancelledDrafts.has(draft)) {
      const effect = made.status === 'entries' ? made.entries.flatMap(cashEffects)[0] : undefined;
      cancelledEffects.set(draft, effect);
      Object.assign(item, { effect, isCancelled: true });
      counts.voids += 1;
    } else if (made.status === 'entries') Object.assign(item, { entries: made.entries, notes: made.notes });
    else if (made.status === 'problem') item.problem = made.problem;
    else counts.voids += 1;
  }
  for (const item of items) {
    const original = item.draft && paired.cancelled.get(item.draft);
    if (!original) continue;
    const effect = cancelledEffects.get(original);
    Object.assign(item, {
      effect: effect && { ...effect, amount: effect.amount.negated() },
      isCancelled: true,
    });
    counts.voids += 1;
  }
};
