import type { Instrument } from '#src/kernel/market/finance.ts';
import { isOpening, isShareTransfer, type NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { epochDay, isWeekday } from '#src/markets/performance/epoch-day.ts';
import { mapInSteps, sortInSteps, type Steps } from '#src/platform/concurrency/cooperative-tasks.ts';
import type { FlowPoint } from '#src/markets/performance/time-weighted-return.ts';
import type { DailyValues } from '#src/markets/performance/risk.ts';
import { closeCursor, type CloseCursor } from './market-data.ts';
import {
  adjusted,
  currenciesOf,
  type HeldInstrument,
  heldSince,
  type Included,
  isDust,
  movesOf,
  type PiecesMove,
  piecesMoves,
  type SignedMoney,
  type SplitFactor,
  splitFactors,
} from '../ledger/ledger-moves.ts';

interface Holding {
  readonly isCoin: boolean;
  readonly currency: Currency;
  readonly cursor: CloseCursor;
  /** Stands in for the market value before there is a close. */
  readonly firstClose: number | undefined;
  /** In today's shares, later splits included. */
  pieces: Decimal;
  /** `pieces` as a number; undefined after a trade until it is read. */
  quantity: number | undefined;
  /** The trade price stands in until there is a close. */
  lastTrade: { readonly price: Decimal; readonly factor: Decimal } | undefined;
}

/** External flows in and out, both positive. */
interface Flows {
  readonly inflow: number;
  readonly outflow: number;
}

const NO_FLOWS: Flows = { inflow: 0, outflow: 0 };

interface AccountRequest extends Pick<
  ValueSeriesRequest,
  'baseCurrency' | 'closes' | 'rates' | 'isOffMarket'
> {
  /** The analysed instruments; all have closes. */
  readonly instruments: readonly Instrument[];
  readonly included: Included;
  readonly factorOf: SplitFactor;
  /** The first day with known rates. */
  readonly from: number;
}

const ZERO = new Decimal(0);
const ONE = new Decimal(1);

const holdingOf = ({ assetClass, currency }: Instrument, closes: DailyValues): Holding => ({
  isCoin: assetClass === 'crypto',
  currency,
  cursor: closeCursor(closes),
  firstClose: closes.values[0],
  pieces: ZERO,
  quantity: 0,
  lastTrade: undefined,
});

/** Decimals are converted only when needed, because conversion dominates the run time. */
const quantityOf = (holding: Holding): number => (holding.quantity ??= holding.pieces.toNumber());

const priceOf = ({ cursor, lastTrade, firstClose }: Holding): number =>
  cursor.close() ?? lastTrade?.price.dividedBy(lastTrade.factor).toNumber() ?? firstClose ?? 0;

/** The holdings of a portfolio, moved from day to day: entries apply in order, prices are those of the day. */
const openAccount = (request: AccountRequest) => {
  const { baseCurrency, instruments, closes, rates, included, factorOf, from, isOffMarket } = request;
  const rateCursors = new Map([...rates].map(([currency, daily]) => [currency, closeCursor(daily)]));
  const holdings = new Map(
    instruments.map(({ symbol, ...rest }) => [
      symbol,
      holdingOf({ symbol, ...rest }, closes.get(symbol) ?? { days: [], values: [] }),
    ]),
  );
  const isAllCoins = holdings.size > 0 && [...holdings.values()].every(({ isCoin }) => isCoin);
  const cash = new Map<Currency, { readonly exact: Decimal; readonly amount: number }>();
  const brought = new Set<string>();
  let flows = NO_FLOWS;
  let contributed = ZERO;
  let isPartial = false;

  /** Before the first rate, which is at most a few days off, the first rate is used. */
  const rateOf = (currency: Currency): number =>
    currency === baseCurrency
      ? 1
      : (rateCursors.get(currency)?.close() ?? rates.get(currency)?.values[0] ?? 0);

  const countFlow = (
    { currency, amount, rate }: SignedMoney,
    /** Rates of the range say nothing about the years before it. */
    isRateKnown: boolean,
  ): void => {
    const recorded = currency === baseCurrency ? ONE : rate;
    const known = recorded ?? (isRateKnown ? new Decimal(rateOf(currency)) : undefined);
    isPartial ||= known === undefined;
    const exact = known === ONE ? amount : amount.times(known ?? ZERO);
    contributed = contributed.plus(exact);
    const base = exact.toNumber();
    flows = {
      inflow: flows.inflow + Math.max(base, 0),
      outflow: flows.outflow + Math.max(-base, 0),
    };
  };

  const move = ({ instrument: { symbol }, quantity, price }: PiecesMove, day: number): void => {
    const holding = holdings.get(symbol);
    if (!holding) return;
    const factor = factorOf(symbol, day);
    const pieces = holding.pieces.plus(adjusted(quantity, factor));
    holding.pieces = isDust(pieces) ? ZERO : pieces;
    holding.quantity = undefined;
    if (price) holding.lastTrade = { price, factor };
  };

  /** What an entry brings in that the market did not sell at its price: worth the close of its day, whatever it cost. */
  const broughtIn = (
    entry: NewTransaction,
    pieces: PiecesMove | undefined,
    day: number,
  ): SignedMoney | undefined => {
    const symbol = pieces?.instrument.symbol ?? '';
    const holding = holdings.get(symbol);
    const close = holding && (holding.cursor.close() ?? holding.firstClose);
    if (
      !pieces ||
      close === undefined ||
      !(isOpening(entry) || isShareTransfer(entry) || isOffMarket?.(entry, day))
    )
      return undefined;
    const amount = adjusted(pieces.quantity, factorOf(symbol, day)).times(close);
    return { currency: entry.currency, amount, rate: undefined };
  };

  return {
    isAllCoins,
    moveTo: (day: number): void => {
      for (const { cursor } of holdings.values()) cursor.moveTo(day);
      for (const cursor of rateCursors.values()) cursor.moveTo(day);
    },
    apply: (entry: NewTransaction, day: number): void => {
      const moves = movesOf(entry, day, included);
      for (const { currency, amount } of moves.cash) {
        const exact = (cash.get(currency)?.exact ?? ZERO).plus(amount);
        cash.set(currency, { exact, amount: exact.toNumber() });
      }
      const [pieces, ...others] = piecesMoves(entry);
      const value = broughtIn(entry, pieces, day);
      if (pieces && value) {
        for (const money of [value, ...moves.cash]) countFlow(money, true);
        move({ ...pieces, price: undefined }, day);
        if (!isShareTransfer(entry)) brought.add(pieces.instrument.symbol);
        return;
      }
      for (const money of moves.external) countFlow(money, day >= from);
      if (pieces) for (const each of [pieces, ...others]) move(each, day);
    },
    /** Whether a holding was traded. Weekends of coins beside shares are not separate days. */
    isTradedOn: (day: number): boolean => {
      let [hasShares, hasCoins, isCoinTraded] = [false, false, false];
      for (const { pieces, isCoin, cursor } of holdings.values()) {
        if (pieces.isZero()) continue;
        const isTraded = cursor.isTradedToday();
        if (isTraded && !isCoin) return true;
        hasShares ||= !isCoin;
        hasCoins ||= isCoin;
        isCoinTraded ||= isTraded;
      }
      return !hasShares && (isAllCoins || isWeekday(day)) && (isCoinTraded || !hasCoins);
    },
    value: (): number => {
      let value = 0;
      for (const holding of holdings.values()) {
        if (!holding.pieces.isZero())
          value += quantityOf(holding) * priceOf(holding) * rateOf(holding.currency);
      }
      for (const [currency, { amount }] of cash) value += amount * rateOf(currency);
      return value;
    },
    /** The flows since the last call. */
    takeFlows: (): Flows => {
      const taken = flows;
      flows = NO_FLOWS;
      return taken;
    },
    broughtIn: (): ReadonlySet<string> => brought,
    /** External inflows so far, less outflows. */
    contributed: (): Decimal => contributed,
    /** A flow without a rate is missing from `contributed`. */
    isPartial: (): boolean => isPartial,
  };
};

export interface ValueSeriesRequest {
  /** Entries that count, in any order. */
  readonly transactions: readonly NewTransaction[];
  /** Symbols whose quantities do not match the closes; they are left out. */
  readonly unvalued?: ReadonlySet<string>;
  readonly baseCurrency: Currency;
  /** The day of the first deposit, withdrawal or exchange, from which cash is counted. */
  readonly cashSince: number | undefined;
  /** Days since 1970-01-01, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** By symbol, adjusted for splits. */
  readonly closes: ReadonlyMap<string, DailyValues>;
  /** The price of one unit in the base currency, by currency. */
  readonly rates: ReadonlyMap<Currency, DailyValues>;
  /** Whether it was bought at a price that the market did not have that day. Absent: nothing was. */
  readonly isOffMarket?: (entry: NewTransaction, day: number) => boolean;
}

export interface ValuePoint extends FlowPoint {
  /** Everything paid in so far, less withdrawals. */
  readonly contributed: number;
}

interface LeftOut {
  readonly instrument: Instrument;
  readonly why: 'no-prices' | 'no-rate' | 'unsure-quantity';
}

/** The daily value of a portfolio in its currency. */
export interface ValueSeries {
  /**
   * One point for each day on which a holding was traded, oldest first; flows of other days are in the next one. A
   * portfolio that began in the range starts with a day at zero.
   */
  readonly points: readonly ValuePoint[];
  /** The day of the first entry if the portfolio began in the range, else that of the first point. */
  readonly startDay: number;
  readonly leftOut: readonly LeftOut[];
  /** Cash without a rate. */
  readonly leftOutCash: readonly Currency[];
  /** 365 for coins alone. */
  readonly periodsPerYear: 252 | 365;
  /** Everything paid in less withdrawals, exact. */
  readonly contributed: Decimal;
  /** A flow without a rate is missing from `contributed`. */
  readonly isContributedPartial: boolean;
  /** The series begins later than the range, because prices of a holding do. */
  readonly isCutShort: boolean;
  /** What counts at the market value of a day instead of its cost. */
  readonly broughtIn: readonly Instrument[];
}

const WORKING_DAYS = 252;
const ALL_DAYS = 365;
/** The most days without trade around the longest holidays. */
const LONGEST_PAUSE_DAYS = 10;

/** If prices of a holding begin later than the range, the series does too. */
const startOf = (
  counted: readonly HeldInstrument[],
  { from, closes }: Pick<ValueSeriesRequest, 'from' | 'closes'>,
): number =>
  Math.max(
    from,
    ...counted
      .filter(({ isHeldBefore }) => isHeldBefore)
      .map(({ instrument }) => closes.get(instrument.symbol)?.days[0] ?? from),
  );

/** The entries are walked through once, day by day: two years of fifty holdings take a few milliseconds. Pure; in steps. */
export const valueSeries = function* (request: ValueSeriesRequest): Steps<ValueSeries> {
  const { transactions, unvalued, baseCurrency, cashSince, to, closes, rates } = request;
  const hasCurrency = (currency: Currency): boolean => currency === baseCurrency || rates.has(currency);
  const held = yield* heldSince(transactions, request.from, to);
  const leftOut = held.flatMap(({ instrument }): readonly LeftOut[] => {
    if (unvalued?.has(instrument.symbol)) return [{ instrument, why: 'unsure-quantity' }];
    if (!closes.has(instrument.symbol)) return [{ instrument, why: 'no-prices' }];
    return hasCurrency(instrument.currency) ? [] : [{ instrument, why: 'no-rate' }];
  });
  const leftOutSymbols = new Set(leftOut.map(({ instrument }) => instrument.symbol));
  const counted = held.filter(({ instrument }) => !leftOutSymbols.has(instrument.symbol));
  const from = startOf(counted, request);
  const account = openAccount({
    baseCurrency,
    instruments: counted.map(({ instrument }) => instrument),
    closes,
    rates,
    included: { cashSince, hasInstrument: (symbol) => !leftOutSymbols.has(symbol), hasCurrency },
    factorOf: splitFactors(transactions),
    from,
    ...(request.isOffMarket && { isOffMarket: request.isOffMarket }),
  });

  const withDays = yield* mapInSteps(transactions, (entry) => ({ entry, day: epochDay(entry.date) }));
  const dated = yield* sortInSteps(
    withDays.filter(({ day }) => day <= to),
    (a, b) => a.day - b.day,
  );
  let next = 0;
  /** Whether there were any. */
  const applyUntil = function* (day: number): Steps<boolean> {
    const first = next;
    for (let item = dated[next]; item && item.day <= day; item = dated[next]) {
      account.apply(item.entry, item.day);
      next += 1;
      yield;
    }
    return next > first;
  };

  const points: ValuePoint[] = [];
  const firstDay = dated[0]?.day ?? Number.POSITIVE_INFINITY;
  const isBegunBefore = firstDay < from;
  if (isBegunBefore) {
    yield* applyUntil(from - 1);
    account.takeFlows();
  } else if (firstDay <= to) {
    points.push({ day: firstDay - 1, value: 0, inflow: 0, outflow: 0, contributed: 0 });
  }
  let isChanged = false;
  for (let day = Math.max(from, firstDay); day <= to; day += 1) {
    account.moveTo(day);
    const wasTraded = account.isTradedOn(day);
    isChanged = (yield* applyUntil(day)) || isChanged;
    yield;
    if (!wasTraded && !account.isTradedOn(day) && !(isChanged && day === to)) continue;
    points.push({
      day,
      value: account.value(),
      ...account.takeFlows(),
      contributed: account.contributed().toNumber(),
    });
    isChanged = false;
  }
  return {
    points,
    startDay: isBegunBefore ? (points[0]?.day ?? from) : Math.min(firstDay, to),
    leftOut,
    leftOutCash:
      cashSince === undefined
        ? []
        : [
            ...new Set(dated.flatMap(({ entry, day }) => (day >= cashSince ? currenciesOf(entry) : []))),
          ].filter((each) => !hasCurrency(each)),
    periodsPerYear: account.isAllCoins ? ALL_DAYS : WORKING_DAYS,
    contributed: account.contributed(),
    isContributedPartial: account.isPartial(),
    broughtIn: counted.flatMap(({ instrument }) =>
      account.broughtIn().has(instrument.symbol) ? [instrument] : [],
    ),
    isCutShort: isBegunBefore && from - request.from > LONGEST_PAUSE_DAYS,
  };
};
