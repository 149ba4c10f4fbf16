import { type Currency, Decimal } from '#src/core/money.ts';
import type { Steps } from '#src/infra/steps.ts';
import type { CellNumber } from '../records/cells.ts';
import type { Draft } from '../records/read-record.ts';

/** What one side of an exchange did to the cash of its own line. */
export interface LegEffect {
  readonly currency: Currency;
  readonly amount: Decimal;
}

export interface PairedLegs {
  /** In the place of the second leg. */
  readonly whole: ReadonlyMap<Draft, Draft>;
  /** Legs that are part of another line now. */
  readonly absorbed: ReadonlySet<Draft>;
  readonly effects: ReadonlyMap<Draft, LegEffect>;
}

const MAX_EXCHANGE_DAYS = 3;
/** Trading is halted between the two: in Korea for two or three weeks. */
const MAX_SPLIT_DAYS = 60;
/** A spread of the bank, or a rate that was rounded for the file. */
const MAX_SPREAD = new Decimal('0.03');

const dayNumber = ({ date }: Draft): number =>
  Math.floor(date.toZonedDateTime('UTC').epochMilliseconds / 86_400_000);

const moneyOf = ({ amount, net }: Draft): Decimal | undefined => {
  const found: CellNumber | undefined = amount && !amount.value.isZero() ? amount : net;
  return found?.value.abs();
};

interface Leg {
  readonly draft: Draft;
  readonly currency: Currency;
  readonly amount: Decimal;
}

/** Legs farther away than that belong to another exchange. */
const MAX_LINES_APART = 200;
const MAX_TRIED = 20;

/** The nearest by day, then by line. */
const nearest = (out: Leg, byDay: ReadonlyMap<number, readonly Leg[]>): readonly Leg[] => {
  const { line } = out.draft.record;
  const apart = ({ draft }: Leg): number => Math.abs(draft.record.line - line);
  return Array.from({ length: MAX_EXCHANGE_DAYS * 2 + 1 }, (_, index) =>
    index % 2 === 0 ? index / 2 : -(index + 1) / 2,
  ).flatMap((days) =>
    (byDay.get(dayNumber(out.draft) + days) ?? [])
      .filter((leg) => apart(leg) <= MAX_LINES_APART && leg.currency !== out.currency)
      .toSorted((a, b) => apart(a) - apart(b))
      .slice(0, MAX_TRIED),
  );
};

/** Both sides in won, as some statements tell them: the foreign one is found by the rate. */
const inOwnMoney = (won: Leg, foreign: Leg): Leg => {
  const rate = foreign.draft.rate ?? won.draft.rate;
  const isInWon = foreign.amount.equals(won.amount) && rate !== undefined && rate.greaterThan(1);
  return isInWon ? { ...foreign, amount: foreign.amount.dividedBy(rate).toDecimalPlaces(2) } : foreign;
};

const fitsRate = (won: Leg, foreign: Leg): boolean => {
  const rate = foreign.draft.rate ?? won.draft.rate;
  if (rate === undefined || rate.isZero()) return true;
  const expected = inOwnMoney(won, foreign).amount.times(rate);
  return expected.minus(won.amount).abs().lessThanOrEqualTo(won.amount.times(MAX_SPREAD));
};

const sortedByWon = (a: Leg, b: Leg): readonly [won: Leg, foreign: Leg] =>
  a.currency === 'KRW' ? [a, b] : [b, a];

interface Pairing {
  readonly whole: Map<Draft, Draft>;
  readonly absorbed: Set<Draft>;
  readonly effects: Map<Draft, LegEffect>;
}

const pairExchanges = function* (
  drafts: readonly Draft[],
  currencyOf: (draft: Draft) => Currency | undefined,
  paired: Pairing,
): Steps<void> {
  const legs = drafts.flatMap((draft): readonly Leg[] => {
    if (draft.kind !== 'fx-in' && draft.kind !== 'fx-out') return [];
    const [currency, amount] = [currencyOf(draft), moneyOf(draft)];
    return currency === undefined || amount === undefined ? [] : [{ draft, currency, amount }];
  });
  const free = Map.groupBy(
    legs.filter(({ draft }) => draft.kind === 'fx-in'),
    ({ draft }) => dayNumber(draft),
  );
  for (const out of legs.filter(({ draft }) => draft.kind === 'fx-out')) {
    yield;
    const came = nearest(out, free).find((leg) => fitsRate(...sortedByWon(out, leg)));
    if (!came) continue;
    const day = dayNumber(came.draft);
    free.set(day, free.get(day)?.filter((leg) => leg !== came) ?? []);
    const [won, other] = sortedByWon(out, came);
    const foreign = inOwnMoney(won, other);
    const [from, to] = out.currency === 'KRW' ? [won, foreign] : [foreign, won];
    const amount = { value: from.amount, currency: undefined };
    const exchange = { ...came.draft, kind: 'fx' as const, currency: from.currency, amount, net: undefined };
    paired.whole.set(came.draft, {
      ...exchange,
      toAmount: to.amount,
      toCurrency: to.currency,
      rate: undefined,
      fee: came.draft.fee.plus(out.draft.fee),
    });
    paired.absorbed.add(out.draft);
    paired.effects.set(out.draft, { currency: from.currency, amount: from.amount.negated() });
    paired.effects.set(came.draft, { currency: to.currency, amount: to.amount });
  }
};

const nameOf = ({ code, name }: Draft): string => (code === '' ? name : code).toUpperCase();

/** Pieces that go and pieces that come: as two kinds of lines, or as one kind with a sign. */
const splitSide = ({ kind, quantity, ratio }: Draft): 'in' | 'out' | undefined => {
  if (!quantity || quantity.isZero() || ratio !== '') return undefined;
  if (kind === 'split-in') return 'in';
  if (kind === 'split-out') return 'out';
  if (kind !== 'split') return undefined;
  return quantity.isNegative() ? 'out' : 'in';
};

const pairSplits = function* (drafts: readonly Draft[], paired: Pairing): Steps<void> {
  const sides = Map.groupBy(drafts, splitSide);
  const free = Map.groupBy(sides.get('in') ?? [], nameOf);
  for (const out of sides.get('out') ?? []) {
    yield;
    const [came, ...others] = free.get(nameOf(out)) ?? [];
    const isNear = came && Math.abs(dayNumber(came) - dayNumber(out)) <= MAX_SPLIT_DAYS;
    if (!isNear || !out.quantity || !came.quantity) continue;
    free.set(nameOf(out), others);
    const ratio = came.quantity.abs().dividedBy(out.quantity.abs());
    paired.whole.set(came, { ...came, kind: 'split', ratio: ratio.toFixed() });
    paired.absorbed.add(out);
  }
};

/** Joins what a broker tells of on two lines: the sides of an exchange, the pieces before and after a split. */
export const pairLegs = function* (
  drafts: readonly Draft[],
  currencyOf: (draft: Draft) => Currency | undefined,
): Steps<PairedLegs> {
  const paired: Pairing = { whole: new Map(), absorbed: new Set(), effects: new Map() };
  yield* pairExchanges(drafts, currencyOf, paired);
  yield* pairSplits(drafts, paired);
  return paired;
};
