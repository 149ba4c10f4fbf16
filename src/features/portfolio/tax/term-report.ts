import type { Instrument } from '#src/kernel/market/finance.ts';
import { instrumentOf } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { deriveLedger } from '../ledger/derive-ledger.ts';
import { withLinkedLots } from '../ledger/linked-lots.ts';
import type { Disposal, LedgerProblem } from '../ledger/ledger-state.ts';
import { receivedBy, roundedTo, type TaxedLedger, type Unrated } from './korean-report.ts';

/** The holding period under US rules: more than a year or not. A closed short sale is not classified. */
export type Term = 'short' | 'long' | 'short-sale';

/** Shares that were bought together and sold together. Amounts are rounded, so that sums match what is shown. */
interface TermSale {
  readonly instrument: Instrument;
  readonly quantity: Decimal;
  readonly acquired: Temporal.PlainDate;
  readonly sold: Temporal.PlainDate;
  readonly term: Term;
  /** After fees and taxes of the sale. */
  readonly local: { readonly proceeds: Decimal; readonly cost: Decimal };
  /** In the portfolio's currency, at the rates of the trade days. */
  readonly base: { readonly proceeds: Decimal; readonly cost: Decimal; readonly gain: Decimal };
}

interface TermIncome {
  readonly gross: Decimal;
  readonly withheld: Decimal;
}

export interface TermReport {
  readonly year: number;
  readonly currency: Currency;
  readonly sales: readonly TermSale[];
  readonly gains: Readonly<Record<Term, Decimal>>;
  readonly dividends: TermIncome;
  readonly interest: TermIncome;
  /** Items without a rate, which no sum includes. */
  readonly unrated: readonly Pick<Unrated, 'name' | 'date'>[];
}

const ZERO = new Decimal(0);

/** More than one year, counted from the day after the purchase. A purchase of 29 February qualifies on 1 March. */
const termOf = (acquired: Temporal.PlainDate, sold: Temporal.PlainDate): 'short' | 'long' =>
  Temporal.PlainDate.compare(sold, acquired.add({ years: 1 })) > 0 ? 'long' : 'short';

/** One sale for each lot; proceeds are divided by shares, and the last lot gets the remainder. */
const salesOf = (disposal: Disposal, round: (value: Decimal) => Decimal): readonly TermSale[] | undefined => {
  const { entry, quantity, value, cost, lots } = disposal;
  const { instrument, date } = entry;
  const isShortSale = entry.kind === 'buy' || entry.kind === 'rights';
  const { base: valueBase } = value;
  if (!valueBase || !cost.base) return undefined;
  const roundLocal = roundedTo(entry.currency);
  // Cash in lieu of shares that were never recorded is entirely a gain of that day.
  if (lots.length === 0) {
    const proceeds = round(valueBase);
    return [
      {
        instrument,
        quantity,
        acquired: date,
        sold: date,
        term: 'short',
        local: { proceeds: value.local, cost: ZERO },
        base: { proceeds, cost: ZERO, gain: proceeds },
      },
    ];
  }
  // Capital paid back above the cost takes no shares away: its gain belongs to all of them.
  const shares = lots.reduce((sum, lot) => sum.plus(lot.quantity), ZERO);
  let left = { local: value.local, base: round(valueBase) };
  return lots.map((lot, index): TermSale => {
    const isLast = index === lots.length - 1;
    const part = lot.quantity.dividedBy(shares);
    const brought = isLast
      ? left
      : { local: roundLocal(value.local.times(part)), base: round(valueBase.times(part)) };
    left = { local: left.local.minus(brought.local), base: left.base.minus(brought.base) };
    const spent = { local: lot.cost.local, base: round(lot.cost.base ?? ZERO) };
    const common = { instrument, quantity: quantity.isZero() ? ZERO : lot.quantity };
    const gain = brought.base.minus(spent.base);
    if (!isShortSale)
      return {
        ...common,
        acquired: lot.first,
        sold: date,
        term: termOf(lot.first, date),
        local: { proceeds: brought.local, cost: spent.local },
        base: { proceeds: brought.base, cost: spent.base, gain },
      };
    // For a short position, proceeds and cost are both negative here.
    return {
      ...common,
      acquired: date,
      sold: lot.first,
      term: 'short-sale',
      local: { proceeds: spent.local.negated(), cost: brought.local.negated() },
      base: { proceeds: spent.base.negated(), cost: brought.base.negated(), gain },
    };
  });
};

/**
 * Sales of a year by trade day and holding period, oldest shares first. Computes no tax. `refused`: the ledger is
 * invalid.
 */
export const termReport = function* (
  { entries, allowsShort }: Pick<TaxedLedger, 'entries' | 'allowsShort'>,
  currency: Currency,
  year: number,
  /** Ledgers in the same currency, from which shares came. */
  sources: readonly Pick<TaxedLedger, 'entries' | 'allowsShort'>[] = [],
): Steps<TermReport | { readonly refused: LedgerProblem }> {
  const round = roundedTo(currency);
  const rules = { baseCurrency: currency, method: 'fifo', allowsShort } as const;
  const [linked = entries] = yield* withLinkedLots(
    [{ entries, allowsShort }, ...sources].map((each) => ({
      entries: each.entries,
      rules: { ...rules, allowsShort: each.allowsShort },
    })),
  );
  const derived = yield* deriveLedger(linked, rules);
  if (derived.status === 'refused') return { refused: derived.problem };
  const sales: TermSale[] = [];
  const unrated: Pick<Unrated, 'name' | 'date'>[] = [];
  for (const disposal of derived.state.disposals) {
    const { instrument, date } = disposal.entry;
    yield;
    if (date.year !== year) continue;
    const found = salesOf(disposal, round);
    if (found) sales.push(...found);
    else unrated.push({ name: instrument, date });
  }
  const income = { dividend: { gross: ZERO, withheld: ZERO }, interest: { gross: ZERO, withheld: ZERO } };
  for (const entry of entries) {
    const received = receivedBy(entry);
    if (!received || entry.date.year !== year) continue;
    const rate = entry.currency === currency ? new Decimal(1) : entry.rate;
    if (!rate) {
      unrated.push({ name: instrumentOf(entry) ?? entry.currency, date: entry.date });
      continue;
    }
    const sums = income[received.kind];
    sums.gross = sums.gross.plus(round(received.gross.times(rate)));
    sums.withheld = sums.withheld.plus(round(received.withheld.times(rate)));
  }
  const gainOf = (term: Term): Decimal =>
    sales.reduce((sum, sale) => (sale.term === term ? sum.plus(sale.base.gain) : sum), ZERO);
  return {
    year,
    currency,
    sales,
    gains: { short: gainOf('short'), long: gainOf('long'), 'short-sale': gainOf('short-sale') },
    dividends: income.dividend,
    interest: income.interest,
    unrated,
  };
};
