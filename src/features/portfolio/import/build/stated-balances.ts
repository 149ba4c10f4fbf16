import type { Instrument } from '#src/kernel/market/finance.ts';
import { instrumentOf } from '#src/kernel/market/ledger.ts';
import { type Currency, type Decimal, smallestUnit } from '#src/kernel/money.ts';
import { mapInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { valueIn, ZERO } from '../columns/cells.ts';
import type { StatedCash, TransactionTable } from '../columns/find-tables.ts';
import { compareDates, isOf, type Item } from './items.ts';
import { statedCurrency } from './line-money.ts';
import { type CashCheck, cashEffects, heldAfter, type LedgerPoint } from './reconcile.ts';

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
    change: (held) => entries.reduce(heldAfter, held),
    // The quantity between a line and the one that cancels it is not compared.
    held: item.isCancelled ? undefined : draft?.held,
  };
};

export const pointsOf = function* (items: readonly Item[]): Steps<readonly LedgerPoint[]> {
  // Between the shares and the cash of a trade, the balance is neither that before nor that after it.
  const hasCashLegs = items.some((item) => isOf(item, 'cash-leg'));
  return yield* mapInSteps(items, (item, index) => {
    const next = items[index + 1];
    const isLast = !hasCashLegs || !next || compareDates(item, next) !== 0;
    // The balance of a line with two transactions is that after the second.
    return pointOf(item, isLast && next?.record !== item.record);
  });
};

/** The cash that a file states. */
interface Stated {
  readonly currency: Currency;
  /** The line of the sum below a table; 0 for the cash report of a statement. */
  readonly line: number;
  readonly opening: Decimal;
  readonly reported: Decimal;
}

/** The cash effect of a line that cannot be recorded, if the file states signed amounts after charges. */
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
  return {
    currency,
    compared: 1,
    opening,
    end: reported,
    isProven: true,
    differences: isSame ? 0 : 1,
    first,
    unread,
  };
};

/**
 * Compares the lines with the cash that a statement states for the start and end, and with the sum below a table. If the
 * file states neither, reports the cash effects of the lines that cannot be recorded.
 */
export const statedChecks = (
  items: readonly Item[],
  tables: readonly TransactionTable[],
  stated: readonly StatedCash[],
): readonly CashCheck[] => {
  const ends = stated.flatMap(({ kind, currency, amount }): readonly CashCheck[] => {
    const start = stated.find((each) => each.kind === 'starting' && each.currency === currency);
    const [opening, reported] = [valueIn(start?.amount ?? '0') ?? ZERO, valueIn(amount)];
    return kind === 'ending' && reported
      ? [checkStated({ currency, line: 0, opening, reported }, items)]
      : [];
  });
  const sums = tables.flatMap((table): readonly CashCheck[] => {
    const { total, header } = table;
    const reported = total && valueIn(total.cells[header.columns.get('amount')?.[0] ?? -1] ?? '');
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
    isProven: true,
    differences: 0,
    first: undefined,
    unread,
  }));
};
