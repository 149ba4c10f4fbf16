import type { Instrument } from '#src/kernel/market/finance.ts';
import { isOpening, type NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal, smallestUnit } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { cashMoves, type SignedMoney } from '../../ledger/ledger-moves.ts';
import { quantityChange } from '../../ledger/share-count.ts';

export type CashEffect = Pick<SignedMoney, 'currency' | 'amount'>;

/** One line of a file in order of time: its effects, and the balances that the file states after it. */
export interface LedgerPoint {
  readonly line: number;
  readonly account: string;
  readonly effects: readonly CashEffect[];
  /** False for a line that cannot be recorded, whose effects are unknown. */
  readonly isRead: boolean;
  /** The currency of the line; undefined if unknown. */
  readonly currency: Currency | undefined;
  readonly balance: Decimal | undefined;
  readonly foreignBalance: Decimal | undefined;
  readonly instrument: Instrument | undefined;
  /** Applies the entries of the line to a quantity. */
  readonly change: (held: Decimal) => Decimal;
  readonly held: Decimal | undefined;
}

interface Difference {
  readonly line: number;
  readonly reported: Decimal;
  readonly computed: Decimal;
}

export interface CashCheck {
  readonly currency: Currency;
  /** The number of lines whose balance was compared. */
  readonly compared: number;
  /** The cash before the first line; zero if it cannot be that. */
  readonly opening: Decimal;
  readonly end: Decimal;
  /** False if the balances fit the lines so seldom that they are probably in another currency. */
  readonly isProven: boolean;
  readonly differences: number;
  readonly first: Difference | undefined;
  /** The cash effects of unrecordable lines, derived from the balances around them. */
  readonly unread: readonly { readonly line: number; readonly amount: Decimal }[];
}

export interface HoldingCheck {
  readonly instrument: Instrument;
  readonly opening: Decimal;
  readonly first: Difference | undefined;
}

export interface Reconciliation {
  readonly cash: readonly CashCheck[];
  readonly holdings: readonly HoldingCheck[];
}

/** Something was compared, and everything matches. */
export const isReconciled = ({ cash, holdings }: Reconciliation): boolean =>
  cash.some(({ compared, isProven }) => compared > 0 && isProven) &&
  cash.every(({ first, unread }) => first === undefined && unread.length === 0) &&
  holdings.every(({ first }) => first === undefined);

const ZERO = new Decimal(0);

/** The cash effects of an entry. */
export const cashEffects = (entry: NewTransaction): readonly CashEffect[] =>
  isOpening(entry) ? [] : cashMoves(entry);

/** The quantity of the entry's instrument after it. */
export const heldAfter = (held: Decimal, entry: NewTransaction): Decimal =>
  entry.kind === 'split' ? held.times(entry.ratio) : held.plus(quantityChange(entry));

const sumOf = (effects: readonly CashEffect[], currency: Currency): Decimal =>
  effects.reduce((sum, effect) => (effect.currency === currency ? sum.plus(effect.amount) : sum), ZERO);

type Reported = (point: LedgerPoint) => Decimal | undefined;

/** Nobody has so much more than a line moves: such a balance is in another currency, or no cash. */
const MAX_OPENING_TIMES = 1_000;

/** Checks one currency of one account. Undefined if no balance is stated. */
const checkCash = function* (
  points: readonly LedgerPoint[],
  currency: Currency,
  reported: Reported,
): Steps<CashCheck | undefined> {
  const tolerance = smallestUnit(currency).dividedBy(2);
  let expected: Decimal | undefined;
  let before = ZERO;
  let opening = ZERO;
  let compared = 0;
  let differences = 0;
  let largest = ZERO;
  let first: CashCheck['first'];
  const unread: { line: number; amount: Decimal }[] = [];
  for (const point of points) {
    yield;
    const delta = sumOf(point.effects, currency);
    largest = Decimal.max(largest, delta.abs());
    const balance = reported(point);
    if (expected === undefined) {
      before = before.plus(delta);
      if (balance === undefined) continue;
      opening = point.isRead ? balance.minus(before) : ZERO;
      if (!point.isRead && !balance.isZero()) unread.push({ line: point.line, amount: balance });
      expected = balance;
      compared += 1;
      continue;
    }
    expected = expected.plus(delta);
    if (balance === undefined) continue;
    compared += 1;
    const isSame = balance.minus(expected).abs().lessThanOrEqualTo(tolerance);
    if (!isSame && point.isRead) {
      differences += 1;
      first ??= { line: point.line, reported: balance, computed: expected };
    } else if (!isSame) unread.push({ line: point.line, amount: balance.minus(expected) });
    expected = balance;
  }
  if (!expected) return undefined;
  // A first balance that is what the lines before it make speaks for the column too.
  const fits = compared - differences - unread.length - (opening.isZero() ? 0 : 1);
  const isLikely = opening.lessThanOrEqualTo(largest.times(MAX_OPENING_TIMES));
  return {
    currency,
    compared,
    opening: isLikely ? opening : ZERO,
    end: expected,
    isProven: fits > differences || (differences === 0 && compared > 1),
    differences,
    first,
    unread,
  };
};

const currenciesOf = (points: readonly LedgerPoint[]): readonly Currency[] => [
  ...new Set(points.flatMap(({ effects }) => effects.map(({ currency }) => currency))),
];

const differencesOf = (checks: readonly CashCheck[]): number =>
  checks.reduce((sum, { differences, unread }) => sum + differences * 2 + unread.length, 0);

/**
 * Checks the balances of one account. A balance column is in the currency of each line, or always in won beside one
 * for foreign currency; the better fit is used.
 */
const checkAccount = function* (points: readonly LedgerPoint[]): Steps<readonly CashCheck[]> {
  if (points.every(({ balance, foreignBalance }) => balance === undefined && foreignBalance === undefined))
    return [];
  const currencies = currenciesOf(points);
  const checks = function* (reported: (currency: Currency) => Reported): Steps<readonly CashCheck[]> {
    const found: CashCheck[] = [];
    for (const currency of currencies) {
      const check = yield* checkCash(points, currency, reported(currency));
      if (check) found.push(check);
    }
    return found;
  };
  const own = yield* checks((currency) => (point) => {
    if (point.currency !== currency) return undefined;
    return currency === 'KRW' ? point.balance : (point.foreignBalance ?? point.balance);
  });
  const always = yield* checks((currency) => (point) => {
    if (currency === 'KRW') return point.balance;
    return point.currency === currency ? point.foreignBalance : undefined;
  });
  if (always.length === 0) return own;
  return differencesOf(own) <= differencesOf(always) ? own : always;
};

const checkHolding = function* (
  points: readonly LedgerPoint[],
  instrument: Instrument,
): Steps<HoldingCheck | undefined> {
  if (points.every(({ held }) => held === undefined)) return undefined;
  let expected: Decimal | undefined;
  let opening = ZERO;
  let compared = 0;
  let differences = 0;
  let first: HoldingCheck['first'];
  for (const point of points) {
    yield;
    const { held } = point;
    if (expected === undefined) {
      if (held === undefined || !point.isRead) continue;
      // A first line that multiplies the holding does not reveal its size.
      const added = point.change(ZERO);
      opening = held.minus(added);
      expected = held;
      compared += 1;
      continue;
    }
    expected = point.change(expected);
    if (held === undefined) continue;
    compared += 1;
    if (!held.equals(expected) && point.isRead) {
      differences += 1;
      first ??= { line: point.line, reported: held, computed: expected };
    }
    expected = held;
  }
  // A column with another meaning fits nowhere.
  const isMeant = expected !== undefined && !opening.isNegative() && differences * 2 <= compared;
  return isMeant ? { instrument, opening, first } : undefined;
};

const cashOf = function* (points: readonly LedgerPoint[]): Steps<readonly CashCheck[]> {
  const found: CashCheck[] = [];
  for (const own of Map.groupBy(points, ({ account }) => account).values())
    found.push(...(yield* checkAccount(own)));
  return found;
};

/** Compares the running totals of the lines with the balances in the file, in order of time. */
export const reconcile = function* (points: readonly LedgerPoint[]): Steps<Reconciliation> {
  const cash = yield* cashOf(points);
  const bySymbol = Map.groupBy(
    points.filter(({ instrument }) => instrument !== undefined),
    ({ instrument, account }) => `${instrument?.symbol ?? ''} ${account}`,
  );
  const holdings: HoldingCheck[] = [];
  for (const own of bySymbol.values()) {
    const instrument = own[0]?.instrument;
    const check = instrument && (yield* checkHolding(own, instrument));
    if (check) holdings.push(check);
  }
  return { cash, holdings };
};

/** The number of balances that an order of lines contradicts; the true order has the fewest. */
export const misfits = function* (points: readonly LedgerPoint[]): Steps<number> {
  return differencesOf(yield* cashOf(points));
};
