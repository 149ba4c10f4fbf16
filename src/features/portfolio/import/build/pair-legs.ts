import { type Currency, Decimal } from '#src/kernel/money.ts';
import type { Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { nonZero, ZERO } from '../columns/cells.ts';
import type { RecordDraft } from '../rows/read-record.ts';
import { withoutCancelling } from '../columns/row-kinds.ts';
import { lettersOf } from '../columns/column-headings.ts';
import { isOut, MERGER_WORDS } from './moved-shares.ts';
import type { CashEffect } from './reconcile.ts';

interface PairedLegs {
  /** The whole transaction, by its last leg. */
  readonly whole: Map<RecordDraft, RecordDraft>;
  /** Legs that are now part of another line. */
  readonly absorbed: Set<RecordDraft>;
  /** The cash effect of each leg on its own line. */
  readonly effects: Map<RecordDraft, CashEffect>;
  /** The cancelled line by the line that cancels it. Neither counts. */
  readonly cancelled: Map<RecordDraft, RecordDraft>;
  /** Shares of a subscription whose payments do not add up to their cost. */
  readonly unpaid: Set<RecordDraft>;
}

const MAX_EXCHANGE_DAYS = 3;
/** Trading is halted between the two legs, in Korea for two or three weeks. */
const MAX_SPLIT_DAYS = 60;
/** The spread of a bank, or the error of a rounded rate. */
const MAX_SPREAD = new Decimal('0.03');

const moneyOf = ({ amount, net }: RecordDraft): Decimal | undefined => nonZero(amount) ?? net?.value.abs();

interface Leg {
  readonly draft: RecordDraft;
  readonly currency: Currency;
  readonly amount: Decimal;
}

/** Legs farther apart belong to different transactions. */
const MAX_LINES_APART = 200;
const MAX_TRIED = 20;

/** The legs that may belong to `out`, the nearest by day, then by line, first. */
const nearest = (out: Leg, byDay: ReadonlyMap<number, readonly Leg[]>): readonly Leg[] => {
  const { line } = out.draft.record;
  const apart = ({ draft }: Leg): number => Math.abs(draft.record.line - line);
  return Array.from({ length: MAX_EXCHANGE_DAYS * 2 + 1 }, (_, index) =>
    index % 2 === 0 ? index / 2 : -(index + 1) / 2,
  ).flatMap((days) =>
    (byDay.get(epochDay(out.draft.date) + days) ?? [])
      .filter((leg) => apart(leg) <= MAX_LINES_APART && leg.currency !== out.currency)
      .toSorted((a, b) => apart(a) - apart(b))
      .slice(0, MAX_TRIED),
  );
};

/** Some statements state both sides in won; the rate then gives the foreign amount. */
const inOwnMoney = (won: Leg, foreign: Leg): Leg => {
  const rate = foreign.draft.rate ?? won.draft.rate;
  const isInWon = foreign.amount.equals(won.amount) && rate !== undefined && rate.greaterThan(1);
  return isInWon ? { ...foreign, amount: foreign.amount.dividedBy(rate).toDecimalPlaces(2) } : foreign;
};

const fitsRate = (won: Leg, foreign: Leg): boolean => {
  const rate = foreign.draft.rate ?? won.draft.rate;
  if (rate === undefined || rate.isZero()) return true;
  const { amount } = inOwnMoney(won, foreign);
  const isNear = (expected: Decimal): boolean =>
    expected.minus(won.amount).abs().lessThanOrEqualTo(won.amount.times(MAX_SPREAD));
  // Between two foreign currencies the rate is stated either way.
  return isNear(amount.times(rate)) || (won.currency !== 'KRW' && isNear(amount.dividedBy(rate)));
};

const sortedByWon = (a: Leg, b: Leg): readonly [won: Leg, foreign: Leg] =>
  a.currency === 'KRW' ? [a, b] : [b, a];

const pairExchanges = function* (
  drafts: readonly RecordDraft[],
  currencyOf: (draft: RecordDraft) => Currency | undefined,
  paired: PairedLegs,
): Steps<void> {
  const legs = drafts.flatMap((draft): readonly Leg[] => {
    if (draft.kind !== 'fx-in' && draft.kind !== 'fx-out') return [];
    const [currency, amount] = [currencyOf(draft), moneyOf(draft)];
    return currency === undefined || amount === undefined ? [] : [{ draft, currency, amount }];
  });
  const free = Map.groupBy(
    legs.filter(({ draft }) => draft.kind === 'fx-in'),
    ({ draft }) => epochDay(draft.date),
  );
  for (const out of legs.filter(({ draft }) => draft.kind === 'fx-out')) {
    yield;
    const came = nearest(out, free).find((leg) => fitsRate(...sortedByWon(out, leg)));
    if (!came) continue;
    const day = epochDay(came.draft.date);
    free.set(day, free.get(day)?.filter((leg) => leg !== came) ?? []);
    const [won, other] = sortedByWon(out, came);
    const foreign = inOwnMoney(won, other);
    const [from, to] = out.currency === 'KRW' ? [won, foreign] : [foreign, won];
    paired.whole.set(came.draft, {
      ...came.draft,
      kind: 'fx',
      currency: from.currency,
      amount: { value: from.amount, currency: undefined },
      net: undefined,
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

const nameOf = ({ code, isin, name }: RecordDraft): string => (code || isin || name).toUpperCase();

/** The side of a split that a line states, by its kind or by the sign of its quantity. */
const splitSide = ({ kind, quantity, ratio }: RecordDraft): 'in' | 'out' | undefined => {
  if (!quantity || quantity.isZero() || ratio !== '') return undefined;
  if (kind === 'split-in') return 'in';
  if (kind === 'split-out') return 'out';
  if (kind !== 'split') return undefined;
  return quantity.isNegative() ? 'out' : 'in';
};

const pairSplits = function* (drafts: readonly RecordDraft[], paired: PairedLegs): Steps<void> {
  const sides = Map.groupBy(drafts, splitSide);
  const free = Map.groupBy(sides.get('in') ?? [], nameOf);
  for (const out of sides.get('out') ?? []) {
    yield;
    const [came, ...others] = free.get(nameOf(out)) ?? [];
    const isNear = came && Math.abs(epochDay(came.date) - epochDay(out.date)) <= MAX_SPLIT_DAYS;
    if (!isNear || !out.quantity || !came.quantity) continue;
    free.set(nameOf(out), others);
    const ratio = came.quantity.abs().dividedBy(out.quantity.abs());
    paired.whole.set(came, { ...came, kind: 'split', ratio: ratio.toFixed() });
    paired.absorbed.add(out);
  }
};

/** Statements of Interactive Brokers give the value of the shares in a column of money. */
const hasMoney = ({ table: { section }, words, amount, net }: RecordDraft): boolean =>
  section === undefined ? (nonZero(amount) ?? nonZero(net)) !== undefined : /\bcash\b/iu.test(words);

/**
 * Joins the two lines of a merger of shares for shares: the only shares of a merger that went on that day, and the only
 * ones that came. With money on a line the price of the new share would be missing. Of one company they are a split.
 */
const pairMergers = (drafts: readonly RecordDraft[], paired: PairedLegs): void => {
  const mergers = drafts.filter(({ kind, words }) => kind === 'reorganisation' && MERGER_WORDS.test(words));
  for (const day of Map.groupBy(mergers, ({ date }) => date.toString()).values()) {
    const [came, out] = day.toSorted((a, b) => Number(isOut(a)) - Number(isOut(b)));
    if (!came || !out || day.length !== 2 || isOut(came) || !isOut(out)) continue;
    if (!came.quantity || !out.quantity || day.some(hasMoney)) continue;
    if (nameOf(came) === nameOf(out)) {
      const ratio = came.quantity.abs().dividedBy(out.quantity.abs()).toFixed();
      paired.whole.set(came, { ...came, kind: 'split', ratio });
      paired.absorbed.add(out);
      continue;
    }
    const { code, isin, name } = came;
    paired.whole.set(came, {
      ...out,
      kind: 'merger',
      quantity: out.quantity.abs(),
      price: undefined,
      amount: undefined,
      received: { code, isin, name },
      toQuantity: came.quantity.abs(),
    });
    paired.absorbed.add(out);
  }
};

const isSameNumber = (a: Decimal | undefined, b: Decimal | undefined): boolean =>
  (a ?? ZERO).abs().equals((b ?? ZERO).abs());

const MAX_CANCEL_DAYS = 30;
/** `배당금취소출금` cancels `배당금입금`, so the direction does not count. */
const DIRECTION = /(?:입금|출금|입고|출고)$/u;
const eventOf = ({ words }: RecordDraft): string =>
  lettersOf(withoutCancelling(words)).toLowerCase().replace(DIRECTION, '');

/** Pairs a cancelling line with the nearest line of the same event, instrument and numbers. */
const pairCancelled = function* (drafts: readonly RecordDraft[], paired: PairedLegs): Steps<void> {
  const cancelling = drafts.filter(({ kind }) => kind === 'cancelled');
  if (cancelling.length === 0) return;
  const byEvent = Map.groupBy(
    drafts.filter(({ kind }) => kind !== 'cancelled'),
    (draft) => `${eventOf(draft)} ${nameOf(draft)}`,
  );
  for (const back of cancelling) {
    yield;
    const key = `${eventOf(back)} ${nameOf(back)}`;
    const apart = ({ record }: RecordDraft): number => Math.abs(record.line - back.record.line);
    const [taken] = (byEvent.get(key) ?? [])
      .filter(
        (draft) =>
          apart(draft) <= MAX_LINES_APART &&
          Math.abs(epochDay(draft.date) - epochDay(back.date)) <= MAX_CANCEL_DAYS &&
          isSameNumber(draft.quantity, back.quantity) &&
          isSameNumber(moneyOf(draft), moneyOf(back)),
      )
      .toSorted((a, b) => apart(a) - apart(b));
    if (!taken) continue;
    byEvent.set(key, byEvent.get(key)?.filter((draft) => draft !== taken) ?? []);
    paired.cancelled.set(back, taken);
  }
};

const MAX_SUBSCRIPTION_DAYS = 60;
const SUBSCRIPTION = /공모|청약|유상|실권주/u;

/** Whether a line is the payment of a subscription. */
export const isMoneyForShares = ({ kind, quantity, words }: RecordDraft): boolean =>
  kind === 'subscription-out' || (kind === 'rights' && words.includes('청약') && (quantity ?? ZERO).isZero());

const sumOf = (drafts: readonly RecordDraft[], of: (draft: RecordDraft) => Decimal | undefined): Decimal =>
  drafts.reduce((sum, draft) => sum.plus(of(draft) ?? ZERO), ZERO);

/** The cash that a payment took, including its fee. */
const takenBy = ({ net, amount, fee, charges }: RecordDraft): Decimal =>
  nonZero(net) ?? (amount?.value.abs() ?? ZERO).plus(fee).plus(charges);

const costOf = ({ price, quantity, amount }: RecordDraft): Decimal => {
  const reported = price && quantity ? price.times(quantity) : ZERO;
  return reported.isZero() ? (amount?.value.abs() ?? ZERO) : reported;
};

/**
 * Joins the payment for new shares, its partial refund and the shares, which are on three lines; the shares alone would
 * take the money a second time. The lines belong together if they name the same company and the sums agree exactly.
 */
const pairSubscriptions = function* (
  drafts: readonly RecordDraft[],
  currencyOf: (draft: RecordDraft) => Currency | undefined,
  paired: PairedLegs,
): Steps<void> {
  const outs = Map.groupBy(drafts.filter(isMoneyForShares), nameOf);
  if (outs.size === 0) return;
  const backs = Map.groupBy(
    drafts.filter(({ kind }) => kind === 'subscription-back'),
    nameOf,
  );
  const shares = drafts.filter(
    ({ kind, words, quantity }) =>
      (kind === 'buy' || kind === 'rights') && SUBSCRIPTION.test(words) && quantity?.greaterThan(0),
  );
  for (const came of shares) {
    yield;
    const near = (all: ReadonlyMap<string, readonly RecordDraft[]>, name: string): readonly RecordDraft[] =>
      (all.get(name) ?? []).filter((draft) => {
        const days = epochDay(came.date) - epochDay(draft.date);
        return days >= 0 && days <= MAX_SUBSCRIPTION_DAYS && !paired.absorbed.has(draft);
      });
    // Some brokers name the company only on the line of the shares.
    const name = near(outs, nameOf(came)).length > 0 ? nameOf(came) : '';
    const [own, returned] = [near(outs, name), near(backs, name)];
    if (own.length + returned.length > MAX_TRIED) {
      paired.unpaid.add(came);
      continue;
    }
    const paid = sumOf(own, moneyOf).minus(sumOf(returned, moneyOf));
    // A full refund without a name belongs to another subscription.
    if (own.length === 0 || (name === '' && paid.isZero())) continue;
    const cost = costOf(came);
    const currency = currencyOf(came);
    if (!paid.greaterThan(0) || currency === undefined || !(cost.isZero() || cost.equals(paid))) {
      paired.unpaid.add(came);
      continue;
    }
    const amount = { value: paid, currency: undefined };
    const fee = came.fee.plus(sumOf(own, (draft) => draft.fee.plus(draft.charges)));
    const price = cost.isZero() ? undefined : came.price;
    paired.whole.set(came, { ...came, amount, net: undefined, price, fee });
    paired.effects.set(came, { currency, amount: ZERO });
    for (const draft of own) paired.effects.set(draft, { currency, amount: takenBy(draft).negated() });
    for (const draft of returned) paired.effects.set(draft, { currency, amount: moneyOf(draft) ?? ZERO });
    for (const draft of [...own, ...returned]) paired.absorbed.add(draft);
  }
};

/** Joins transactions that span several lines: exchanges, splits, subscriptions and cancellations. */
export const pairLegs = function* (
  drafts: readonly RecordDraft[],
  currencyOf: (draft: RecordDraft) => Currency | undefined,
): Steps<PairedLegs> {
  const paired: PairedLegs = {
    whole: new Map(),
    absorbed: new Set(),
    effects: new Map(),
    cancelled: new Map(),
    unpaid: new Set(),
  };
  yield* pairCancelled(drafts, paired);
  const gone = new Set([...paired.cancelled].flat());
  const left = drafts.filter((draft) => !gone.has(draft));
  yield* pairExchanges(left, currencyOf, paired);
  yield* pairSplits(left, paired);
  pairMergers(left, paired);
  yield* pairSubscriptions(left, currencyOf, paired);
  return paired;
};
