import type { Instrument } from '#src/kernel/finance.ts';
import type { NewTransaction } from '#src/kernel/ledger.ts';
import type { Currency, Decimal } from '#src/kernel/money.ts';
import { mapInSteps, sortInSteps, type Steps } from '#src/platform/steps.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import type { FlowPoint } from '#src/markets/performance/time-weighted-return.ts';
import { openAccount } from './value-series-account.ts';
import type { DailyCloses } from './value-series-closes.ts';
import { type HeldInstrument, heldSince, splitFactors } from './value-series-held.ts';

export interface ValueSeriesRequest {
  /** Those that count, in any order. */
  readonly transactions: readonly NewTransaction[];
  /** Symbols whose quantities do not fit the closes; they are left out. */
  readonly unvalued?: ReadonlySet<string>;
  readonly baseCurrency: Currency;
  /** The day of the first deposit, withdrawal or exchange, if there is one: from then on money is counted. */
  readonly cashSince: number | undefined;
  /** Days since 1970-01-01; both are in it. */
  readonly from: number;
  readonly to: number;
  /** By symbol; adjusted for splits. */
  readonly closes: ReadonlyMap<string, DailyCloses>;
  /** The base currency for one unit, by currency. */
  readonly rates: ReadonlyMap<Currency, DailyCloses>;
}

export interface ValuePoint extends FlowPoint {
  /** All that was paid in until then, less what was taken out. */
  readonly contributed: number;
}

export interface LeftOut {
  readonly instrument: Instrument;
  readonly why: 'no-prices' | 'no-rate' | 'unsure-quantity';
}

/** What a portfolio was worth, day by day, in its currency. */
export interface ValueSeries {
  /**
   * One a day on which something that was held then was traded, oldest first; what came on other days is in the next
   * one. A portfolio that began in the range begins with a day at nothing.
   */
  readonly points: readonly ValuePoint[];
  /** The day of the first entry where the portfolio began in the range, else that of the first point. */
  readonly startDay: number;
  readonly leftOut: readonly LeftOut[];
  /** Money that has no rate. */
  readonly leftOutCash: readonly Currency[];
  /** 365 where there are only coins. */
  readonly periodsPerYear: 252 | 365;
  /** All that was paid in, less what was taken out; exact. */
  readonly contributed: Decimal;
  /** Something paid in or out has no rate: `contributed` is not all of it. */
  readonly isContributedPartial: boolean;
  /** It begins later than the range, as prices of something that was held then do. */
  readonly isCutShort: boolean;
}

const WORKING_DAYS = 252;
const ALL_DAYS = 365;
/** Around the longest holidays there are so many days without trade. */
const LONGEST_PAUSE_DAYS = 10;

/** Where prices of something that is held begin later than the range, the series does too: nothing is made up. */
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

const currenciesOf = (entry: NewTransaction): readonly Currency[] =>
  entry.kind === 'fx' ? [entry.currency, entry.toCurrency] : [entry.currency];

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
    isCutShort: isBegunBefore && from - request.from > LONGEST_PAUSE_DAYS,
  };
};
