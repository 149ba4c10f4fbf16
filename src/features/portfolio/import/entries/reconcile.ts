import type { Instrument } from '#src/kernel/finance.ts';
import type { NewTransaction } from '#src/kernel/ledger.ts';
import { type Currency, Decimal, smallestUnit } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/steps.ts';

export interface CashEffect {
  readonly currency: Currency;
  readonly amount: Decimal;
}

/** One line of a file, in the order of time: what it does, and what the file says there is after it. */
export interface LedgerPoint {
  readonly line: number;
  readonly account: string;
  readonly effects: readonly CashEffect[];
  /** False for a line that cannot be recorded: what it does is not known. */
  readonly isRead: boolean;
  /** The money that the line is in; undefined where it is not known. */
  readonly currency: Currency | undefined;
  readonly balance: Decimal | undefined;
  readonly foreignBalance: Decimal | undefined;
  readonly instrument: Instrument | undefined;
  /** Pieces before and after, by the entries of the line alone. */
  readonly change: (held: Decimal) => Decimal;
  readonly held: Decimal | undefined;
}

export interface CashCheck {
  readonly currency: Currency;
  /** Lines whose balance was compared. */
  readonly compared: number;
  /** Cash that was there before the first line. */
  readonly opening: Decimal;
  readonly end: Decimal;
  readonly differences: number;
  readonly first:
    | { readonly line: number; readonly reported: Decimal; readonly computed: Decimal }
    | undefined;
  /** What lines that cannot be recorded did to the cash, by the balances around them. */
  readonly unread: readonly { readonly line: number; readonly amount: Decimal }[];
}

export interface HoldingCheck {
  readonly instrument: Instrument;
  readonly opening: Decimal;
  readonly first:
    | { readonly line: number; readonly reported: Decimal; readonly computed: Decimal }
    | undefined;
}

export interface Reconciliation {
  readonly cash: readonly CashCheck[];
  readonly holdings: readonly HoldingCheck[];
}

/** Something was compared, and all of it agrees. */
export const isReconciled = ({ cash, holdings }: Reconciliation): boolean =>
  cash.some(({ compared }) => compared > 0) &&
  cash.every(({ first, unread }) => first === undefined && unread.length === 0) &&
  holdings.every(({ first }) => first === undefined);

const ZERO = new Decimal(0);

/** What an entry does to cash. */
export const cashEffects = (entry: NewTransaction): readonly CashEffect[] => {
  const { currency } = entry;
  switch (entry.kind) {
    case 'buy':
    case 'rights':
      return [
        { currency, amount: entry.quantity.times(entry.price).plus(entry.fee).plus(entry.tax).negated() },
      ];
    case 'sell':
      return [{ currency, amount: entry.quantity.times(entry.price).minus(entry.fee).minus(entry.tax) }];
    case 'dividend':
    case 'interest':
      return [{ currency, amount: entry.amount.minus(entry.tax) }];
    case 'tax':
      return [{ currency, amount: entry.isRefund ? entry.amount : entry.amount.negated() }];
    case 'cash-in-lieu':
    case 'deposit':
      return [{ currency, amount: entry.amount }];
    case 'fee':
    case 'withdrawal':
      return [{ currency, amount: entry.amount.negated() }];
    case 'fx':
      return [
        { currency, amount: entry.amount.negated() },
        { currency: entry.toCurrency, amount: entry.toAmount },
      ];
    case 'split':
      return [];
  }
  return entry satisfies never;
};

const sumOf = (effects: readonly CashEffect[], currency: Currency): Decimal =>
  effects.reduce((sum, effect) => (effect.currency === currency ? sum.plus(effect.amount) : sum), ZERO);

type Reported = (point: LedgerPoint) => Decimal | undefined;

/** Walks one currency of one account. Undefined where no balance is told. */
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
  let first: CashCheck['first'];
  const unread: { line: number; amount: Decimal }[] = [];
  for (const point of points) {
    yield;
    const delta = sumOf(point.effects, currency);
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
  return expected && { currency, compared, opening, end: expected, differences, first, unread };
};

const currenciesOf = (points: readonly LedgerPoint[]): readonly Currency[] => [
  ...new Set(points.flatMap(({ effects }) => effects.map(({ currency }) => currency))),
];

const differencesOf = (checks: readonly CashCheck[]): number =>
  checks.reduce((sum, { differences, unread }) => sum + differences * 2 + unread.length, 0);

/**
 * The balances of one account. A column of balances is in the money of each line, or always in won beside one for
 * other money: whichever fits.
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
      // A first line that multiplies what was there says nothing about what was there.
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
  // A column of another meaning fits nowhere.
  const isMeant = expected !== undefined && !opening.isNegative() && differences * 2 <= compared;
  return isMeant ? { instrument, opening, first } : undefined;
};

const cashOf = function* (points: readonly LedgerPoint[]): Steps<readonly CashCheck[]> {
  const found: CashCheck[] = [];
  for (const own of Map.groupBy(points, ({ account }) => account).values())
    found.push(...(yield* checkAccount(own)));
  return found;
};

/** Compares what the lines come to with what the file itself says there is, line by line in the order of time. */
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

/** How badly an order of lines fits the balances: the true one fits best. */
export const misfits = function* (points: readonly LedgerPoint[]): Steps<number> {
  return differencesOf(yield* cashOf(points));
};
