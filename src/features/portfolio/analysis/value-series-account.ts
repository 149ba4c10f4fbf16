import type { Instrument } from '#src/kernel/finance.ts';
import type { NewTransaction } from '#src/kernel/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { isWeekday } from '#src/markets/performance/epoch-day.ts';
import { closeCursor, type CloseCursor, type DailyCloses } from './value-series-closes.ts';
import { adjusted, isDust, type PiecesMove, piecesMove, type SplitFactor } from './value-series-held.ts';
import { type Included, movesOf, type SignedMoney } from './value-series-moves.ts';

interface Holding {
  readonly isCoin: boolean;
  readonly currency: Currency;
  readonly cursor: CloseCursor;
  /** In pieces of today: later splits are in it. */
  pieces: Decimal;
  /** The same as a number; undefined after a trade, until somebody asks. */
  quantity: number | undefined;
  /** Its price is the one until there is a close. */
  lastTrade: { readonly price: Decimal; readonly factor: Decimal } | undefined;
}

/** What came from outside and left, both above zero. */
interface Flows {
  readonly inflow: number;
  readonly outflow: number;
}

const NO_FLOWS: Flows = { inflow: 0, outflow: 0 };

interface AccountRequest {
  readonly baseCurrency: Currency;
  /** Those that are looked at; all have closes. */
  readonly instruments: readonly Instrument[];
  readonly closes: ReadonlyMap<string, DailyCloses>;
  readonly rates: ReadonlyMap<Currency, DailyCloses>;
  readonly included: Included;
  readonly factorOf: SplitFactor;
  /** Rates are known from that day on. */
  readonly from: number;
}

const ZERO = new Decimal(0);
const ONE = new Decimal(1);

const holdingOf = ({ assetClass, currency }: Instrument, closes: DailyCloses): Holding => ({
  isCoin: assetClass === 'crypto',
  currency,
  cursor: closeCursor(closes),
  pieces: ZERO,
  quantity: 0,
  lastTrade: undefined,
});

/** Numbers are made of decimals only where they are needed: that is what takes the time here. */
const quantityOf = (holding: Holding): number => (holding.quantity ??= holding.pieces.toNumber());

const priceOf = ({ cursor, lastTrade }: Holding): number =>
  cursor.close() ?? lastTrade?.price.dividedBy(lastTrade.factor).toNumber() ?? 0;

/** What lies in a portfolio, moved from day to day: entries are applied in order, prices are those of the day. */
export const openAccount = ({
  baseCurrency,
  instruments,
  closes,
  rates,
  included,
  factorOf,
  from,
}: AccountRequest) => {
  const rateCursors = new Map([...rates].map(([currency, daily]) => [currency, closeCursor(daily)]));
  const holdings = new Map(
    instruments.map(({ symbol, ...rest }) => [
      symbol,
      holdingOf({ symbol, ...rest }, closes.get(symbol) ?? { days: [], values: [] }),
    ]),
  );
  const isAllCoins = holdings.size > 0 && [...holdings.values()].every(({ isCoin }) => isCoin);
  const cash = new Map<Currency, { readonly exact: Decimal; readonly amount: number }>();
  let flows = NO_FLOWS;
  let contributed = ZERO;
  let isPartial = false;

  /** Before the first one: the first one, which is a few days off at most. */
  const rateOf = (currency: Currency): number =>
    currency === baseCurrency
      ? 1
      : (rateCursors.get(currency)?.close() ?? rates.get(currency)?.values[0] ?? 0);

  const countFlow = ({ currency, amount, rate }: SignedMoney, day: number): void => {
    const recorded = currency === baseCurrency ? ONE : rate;
    // Rates of the range say nothing about years before it.
    const known = recorded ?? (day >= from ? new Decimal(rateOf(currency)) : undefined);
    isPartial ||= known === undefined;
    const exact = known === ONE ? amount : amount.times(known ?? ZERO);
    contributed = contributed.plus(exact);
    const base = exact.toNumber();
    flows = {
      inflow: flows.inflow + Math.max(base, 0),
      outflow: flows.outflow + Math.max(-base, 0),
    };
  };

  const move = ({ symbol, quantity, price }: PiecesMove, day: number): void => {
    const holding = holdings.get(symbol);
    if (!holding) return;
    const factor = factorOf(symbol, day);
    const pieces = holding.pieces.plus(adjusted(quantity, factor));
    holding.pieces = isDust(pieces) ? ZERO : pieces;
    holding.quantity = undefined;
    if (price) holding.lastTrade = { price, factor };
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
      for (const money of moves.external) countFlow(money, day);
      const pieces = piecesMove(entry);
      if (pieces) move(pieces, day);
    },
    /** Something that is held was traded. Weekends of coins beside shares are no days of their own. */
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
    /** Since they were last taken. */
    takeFlows: (): Flows => {
      const taken = flows;
      flows = NO_FLOWS;
      return taken;
    },
    /** All that came from outside until now, less what left. */
    contributed: (): Decimal => contributed,
    /** Something that came or left has no rate: what was paid in is not all of it. */
    isPartial: (): boolean => isPartial,
  };
};
