import type { Instrument } from '#src/kernel/finance.ts';
import { instrumentOf, type NewTransaction } from '#src/kernel/ledger.ts';
import { type Currency, Decimal, smallestUnit } from '#src/kernel/money.ts';
import { mapInSteps, type Steps } from '#src/platform/cooperative-tasks.ts';
import { numberIn } from '../records/cells.ts';
import type { StatedCash, TransactionTable } from '../tables/find-tables.ts';
import { compareDates, isOf, type Item } from './items.ts';
import { statedCurrency } from './line-money.ts';
import { type CashCheck, cashEffects, type LedgerPoint } from './reconcile.ts';

const ZERO = new Decimal(0);

/** Pieces of each instrument, entry by entry. */
export class HeldPieces {
  readonly #held = new Map<string, Decimal>();

  constructor(instrument?: Instrument, held = ZERO) {
    if (instrument) this.#held.set(instrument.symbol, held);
  }

  of({ symbol }: Instrument): Decimal {
    return this.#held.get(symbol) ?? ZERO;
  }

  add(entry: NewTransaction): void {
    if (!('instrument' in entry) || !entry.instrument) return;
    const held = this.of(entry.instrument);
    const after = (): Decimal => {
      if (entry.kind === 'split') return held.times(entry.ratio);
      if (entry.kind === 'buy' || entry.kind === 'rights') return held.plus(entry.quantity);
      if (entry.kind === 'sell') return held.minus(entry.quantity);
      return entry.kind === 'cash-in-lieu' ? held.minus(entry.quantity ?? 0) : held;
    };
    this.#held.set(entry.instrument.symbol, after());
  }
}

const pointOf = (item: Item, isLastOfDay: boolean): LedgerPoint => {
  const { draft, entries, effect, record, table, problem } = item;
  const reported = entries[0]?.currency ?? effect?.currency ?? (draft && statedCurrency(draft));
  const currency = effect?.currency ?? reported ?? (table.header.isKorean ? 'KRW' : undefined);
  const own = entries
    .map(instrumentOf)
    .find((instrument): instrument is Instrument => instrument !== undefined);
  return {
    line: record.line,
    account: table.account,
    effects: effect
      ? [effect, ...entries.filter(({ kind }) => kind === 'fee').flatMap(cashEffects)]
      : entries.flatMap(cashEffects),
    isRead: problem === undefined,
    currency,
    balance: isLastOfDay ? draft?.balance : undefined,
    foreignBalance: isLastOfDay ? draft?.foreignBalance : undefined,
    instrument: own,
    change: (held) => {
      const pieces = new HeldPieces(own, held);
      for (const entry of entries) pieces.add(entry);
      return own ? pieces.of(own) : held;
    },
    // What is held between a line and the one that takes it back is not counted.
    held: item.isCancelled ? undefined : draft?.held,
  };
};

export const pointsOf = function* (items: readonly Item[]): Steps<readonly LedgerPoint[]> {
  // Shares and money of a trade on two lines: in between the balance is neither before nor after it.
  const hasCashLegs = items.some((item) => isOf(item, 'cash-leg'));
  return yield* mapInSteps(items, (item, index) => {
    const next = items[index + 1];
    const isLast = !hasCashLegs || !next || compareDates(item, next) !== 0;
    // Two transactions of one line share its balance, which is that after the second.
    return pointOf(item, isLast && next?.record !== item.record);
  });
};

interface Stated {
  readonly currency: Currency;
  /** Of the sum below a table; 0 where a section of its own says it. */
  readonly line: number;
  readonly opening: Decimal;
  readonly reported: Decimal;
}

/** What a line that cannot be recorded did to the cash, where its amount has a sign and is what was paid. */
const lostBy = ({ problem, draft, table }: Item): Decimal | undefined => {
  const isSigned = table.header.isAmerican || table.section !== undefined;
  const amount = problem && isSigned ? (draft?.net ?? draft?.amount) : undefined;
  return amount && !amount.value.isZero() ? amount.value : undefined;
};

const checkStated = ({ currency, line, opening, reported }: Stated, items: readonly Item[]): CashCheck => {
  const computed = items
    .flatMap((item) => pointOf(item, true).effects)
    .reduce((sum, effect) => (effect.currency === currency ? sum.plus(effect.amount) : sum), opening);
  const unread = items.flatMap((item) => {
    const amount = item.draft && statedCurrency(item.draft) === currency ? lostBy(item) : undefined;
    return amount ? [{ line: item.record.line, amount }] : [];
  });
  const whole = unread.reduce((sum, { amount }) => sum.plus(amount), computed);
  const isSame = whole.minus(reported).abs().lessThan(smallestUnit(currency));
  const first = isSame ? undefined : { line, reported, computed };
  return { currency, compared: 1, opening, end: reported, differences: isSame ? 0 : 1, first, unread };
};

const amountOf = (cell: string): Decimal | undefined => {
  const number = numberIn(cell);
  return typeof number === 'string' ? undefined : number.value;
};

/**
 * Against what a statement says about its first and last day, and against the sum below a table. Where a file says
 * nothing at all, what the lines that cannot be recorded did to the cash.
 */
export const statedChecks = (
  items: readonly Item[],
  tables: readonly TransactionTable[],
  stated: readonly StatedCash[],
): readonly CashCheck[] => {
  const ends = stated.flatMap(({ kind, currency, amount }): readonly CashCheck[] => {
    const start = stated.find((each) => each.kind === 'starting' && each.currency === currency);
    const [opening, reported] = [amountOf(start?.amount ?? '0') ?? ZERO, amountOf(amount)];
    return kind === 'ending' && reported
      ? [checkStated({ currency, line: 0, opening, reported }, items)]
      : [];
  });
  const sums = tables.flatMap((table): readonly CashCheck[] => {
    const { total, header } = table;
    const reported = total && amountOf(total.cells[header.columns.get('amount')?.[0] ?? -1] ?? '');
    const own = items.filter((item) => item.table === table);
    return total && reported
      ? [checkStated({ currency: 'USD', line: total.line, opening: ZERO, reported }, own)]
      : [];
  });
  if (ends.length + sums.length > 0 || items.some(({ draft }) => draft?.balance)) return [...ends, ...sums];
  const lost = items.flatMap((item) => {
    const amount = lostBy(item);
    const currency = item.draft && statedCurrency(item.draft);
    return amount && currency !== undefined ? [{ currency, line: item.record.line, amount }] : [];
  });
  return [...Map.groupBy(lost, ({ currency }) => currency)].map(([currency, unread]) => ({
    currency,
    compared: 0,
    opening: ZERO,
    end: ZERO,
    differences: 0,
    first: undefined,
    unread,
  }));
};
