import {
  instrumentsOf,
  type NewTransaction,
  type ShareExchange,
  type Trade,
  type Transaction,
} from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { Portion } from '#src/reading/portions.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { duplicateOf, neverHeld, type Anomaly } from '../checks/anomalies.ts';
import { deriveLedger, isMoneyMove } from '../ledger/derive-ledger.ts';
import { Exact, ZERO } from '../ledger/fixed-point.ts';
import { koreanTransactionTax } from '../ledger/korean-transaction-tax.ts';
import {
  type LedgerProblem,
  type LedgerRules,
  type LedgerState,
  positionIn,
} from '../ledger/ledger-state.ts';
import { isBlank } from '../entries/entry-problems.ts';
import { countsBefore } from '../ledger/order-entries.ts';
import type { EntryTerms } from './terms.ts';

const QUANTITY_DECIMALS = 18;
/** A quantity such as a third has no last digit and is cut to the decimals of coins. */
const ENDLESS_DECIMALS = 8;

/** A portion of what is held on the day of an entry; undefined if nothing is held. */
export const portionHeld = function* (
  { date: day, instrument }: Pick<Trade, 'date' | 'instrument'>,
  { numerator, denominator }: Portion,
  existing: readonly NewTransaction[],
  rules: LedgerRules,
): Steps<Decimal | undefined> {
  const until = existing.filter(({ date }) => Temporal.PlainDate.compare(date, day) <= 0);
  const derived = yield* deriveLedger(until, rules);
  const held = derived.status === 'ok' ? positionIn(derived.state, instrument.symbol) : undefined;
  const part = new Exact(held?.quantity ?? ZERO).times(numerator).dividedBy(denominator);
  const isWritable = part.decimalPlaces() <= QUANTITY_DECIMALS;
  const sold = isWritable ? part : part.toDecimalPlaces(ENDLESS_DECIMALS, Decimal.ROUND_DOWN);
  return sold.greaterThan(0) ? new Decimal(sold.toFixed()) : undefined;
};

const saleOfPortion = function* (
  sale: Trade,
  portion: Portion,
  isTaxGiven: boolean,
  existing: readonly NewTransaction[],
  rules: LedgerRules,
): Steps<Trade | undefined> {
  const quantity = yield* portionHeld(sale, portion, existing, rules);
  if (!quantity) return undefined;
  const tax = isTaxGiven
    ? sale.tax
    : koreanTransactionTax(sale.instrument, new Exact(quantity).times(sale.price), sale.date);
  return { ...sale, quantity, tax };
};

/** A merger that names no quantity takes all that is held when it counts. */
const mergerOfAll = function* (
  merger: ShareExchange,
  existing: readonly NewTransaction[],
  rules: LedgerRules,
): Steps<ShareExchange | undefined> {
  const before = existing.filter((entry) => countsBefore(entry, merger));
  const derived = yield* deriveLedger(before, rules);
  const held = derived.status === 'ok' ? positionIn(derived.state, merger.instrument.symbol) : undefined;
  return held?.quantity.greaterThan(0)
    ? { ...merger, quantity: new Decimal(held.quantity.toFixed()) }
    : undefined;
};

/** Reports the quantity held now if later sales left less than was held on that day. */
const heldNow = function* (
  problem: LedgerProblem,
  existing: readonly Transaction[],
  rules: LedgerRules,
): Steps<LedgerProblem> {
  const now = problem.kind === 'oversold' ? yield* deriveLedger(existing, rules) : undefined;
  if (problem.kind !== 'oversold' || now?.status !== 'ok' || !('instrument' in problem.at)) return problem;
  const left = positionIn(now.state, problem.at.instrument.symbol)?.quantity;
  return left?.lessThan(problem.held) ? { ...problem, held: left } : problem;
};

/** The reason for refusing an entry. `isLater`: the entry itself fits, but breaks an entry of a later day. */
export interface Refusal {
  readonly problem: LedgerProblem;
  readonly isLater: boolean;
}

/** The result of adding an entry to the ledger. */
type Evaluation =
  | { readonly status: 'refused'; readonly refusal: Refusal }
  | {
      readonly status: 'fits';
      readonly entry: NewTransaction;
      /** Empty if the requester has confirmed the entry. */
      readonly anomalies: readonly Anomaly[];
      readonly before: LedgerState | undefined;
      readonly after: LedgerState;
    };

/** Evaluates an entry against the current ledger, which decides how much `all` is and which entries exist. */
export const evaluateEntry = function* (
  { request, terms }: { readonly request: RecordRequest; readonly terms: EntryTerms },
  filled: NewTransaction,
  existing: readonly Transaction[],
  rules: LedgerRules,
): Steps<Evaluation> {
  const isPortion = terms.portion !== undefined && filled.kind === 'sell';
  const entry = isPortion
    ? yield* saleOfPortion(filled, terms.portion, !isBlank(request.tax), existing, rules)
    : filled.kind === 'merger' && filled.quantity.isZero()
      ? yield* mergerOfAll(filled, existing, rules)
      : filled;
  if (!entry)
    return {
      status: 'refused',
      refusal: { problem: { kind: 'nothing-held', at: filled }, isLater: false },
    };
  const derived = yield* deriveLedger([...existing, entry], rules);
  if (derived.status === 'refused') {
    const isLater = derived.problem.at !== entry;
    const problem = isLater ? derived.problem : yield* heldNow(derived.problem, existing, rules);
    return { status: 'refused', refusal: { problem, isLater } };
  }
  // The ledger without the entry tells which gains the entry changes and since when cash is counted.
  const symbols = new Set(instrumentsOf(entry).map(({ symbol }) => symbol));
  const hasLater =
    symbols.size > 0 &&
    existing.some(
      (other) => instrumentsOf(other).some(({ symbol }) => symbols.has(symbol)) && countsBefore(entry, other),
    );
  const isCompared = hasLater || isMoneyMove(entry);
  const without = isCompared ? yield* deriveLedger(existing, rules) : undefined;
  const [duplicate, unheld] = request.isSure
    ? []
    : [duplicateOf(entry, existing), neverHeld(entry, existing)];
  return {
    status: 'fits',
    entry,
    anomalies: [...terms.anomalies, ...[duplicate, unheld].filter((anomaly) => anomaly !== undefined)],
    before: without?.status === 'ok' ? without.state : undefined,
    after: derived.state,
  };
};

export type Fitting = Extract<Evaluation, { readonly status: 'fits' }>;
