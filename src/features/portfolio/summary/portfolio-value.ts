import type { Currency, Decimal } from '#src/kernel/money.ts';
import type { Quote, UnavailableReason } from '#src/kernel/market/finance.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import type { DailyRateStore } from '../store/daily-rates.ts';
import { findRate, type RateLeg } from '#src/markets/answers/convert-rate.ts';
import {
  AMOUNT_DECIMALS,
  atRate,
  BASE_DECIMALS,
  ENTRY_DECIMALS,
  Exact,
  gainOf,
  ONE,
  sumOf,
  toDatedAmount,
  toFixedPoint,
  toGain,
  ZERO,
} from '../ledger/fixed-point.ts';
import type {
  BaseGain,
  CashBalance,
  DatedAmount,
  Gain,
  LedgerState,
  Position,
} from '../ledger/ledger-state.ts';
import { lastClose, type RateOn, renewLastClose } from '../rates/day-rates.ts';
import type { FeatureUses } from '#src/features/services.ts';

interface PositionValue {
  /** Negative for a short position. `base` is undefined without a rate. */
  readonly value: DatedAmount;
  readonly unrealised: Gain;
}

/** Values a position at a price; `rate` is the price of the instrument's currency in the portfolio's. */
export const valuePosition = (
  { quantity, cost }: Pick<Position, 'quantity' | 'cost'>,
  price: Decimal,
  rate: Decimal | undefined,
): PositionValue => {
  const local = toFixedPoint(quantity, ENTRY_DECIMALS) * toFixedPoint(price, ENTRY_DECIMALS);
  const value = atRate(local, rate && toFixedPoint(rate, AMOUNT_DECIMALS));
  const paid = {
    local: toFixedPoint(cost.local, AMOUNT_DECIMALS),
    base: cost.base && toFixedPoint(cost.base, BASE_DECIMALS),
  };
  return { value: toDatedAmount(value), unrealised: toGain(gainOf(value, paid)) };
};

export interface PortfolioValueDeps extends FeatureUses<
  'clock' | 'symbols.resolve' | 'market.getQuotes' | 'market.getDays'
> {
  /** Symbols whose quantities do not match today's prices, so that they get no value. */
  readonly unvalued?: ReadonlySet<string>;
  /** Symbols that get one although their quote is in doubt. */
  readonly settled?: ReadonlySet<string>;
  readonly dailyRates?: DailyRateStore;
}

/** The current price of a foreign currency, or its last close if there is no current one. */
export interface CurrentRate {
  readonly currency: Currency;
  readonly rate: Decimal;
  /** The quotes behind the rate; empty for a last close. */
  readonly legs: readonly RateLeg[];
  readonly lastClose?: RateOn;
}

/** A holding with its value, as far as known. */
export interface ValuedHolding {
  readonly position: Position;
  readonly quote: Quote | undefined;
  /** The reason why there is no quote. */
  readonly reason?: UnavailableReason;
  /** 1 for the portfolio's own currency; undefined if there is no rate, not even a last close. */
  readonly rate: Decimal | undefined;
  readonly worth: PositionValue | undefined;
  /** The change since the previous regular close, in its own currency and in the portfolio's at the current rate. */
  readonly dayChange: { readonly local: Decimal; readonly base: Decimal | undefined } | undefined;
  /** The holding lacks a split, which is noted beside its name. */
  readonly isMarked?: boolean;
}

interface ValuedCash {
  readonly balance: CashBalance;
  readonly base: Decimal | undefined;
}

/** Whether all, some or none of the parts of a sum are known. */
export type KnownAmount = 'all' | 'some' | 'none';

/** Sums in the portfolio's currency. Each leaves out unknown parts, which `PortfolioValue` lists. */
interface PortfolioTotals {
  readonly holdings: Decimal;
  readonly cash: Decimal;
  /** Holdings and cash. */
  readonly value: Decimal;
  readonly dayChange: Decimal;
  /** The value at the previous close of holdings whose change is known; shorts count by absolute value. */
  readonly dayBase: Decimal;
  readonly unrealised: BaseGain;
  /** The cost of the holdings whose gain is in `unrealised`; shorts count by absolute value. */
  readonly cost: Decimal;
  readonly realised: BaseGain;
  /** After recorded tax. */
  readonly dividends: Decimal;
  readonly dividendTax: Decimal;
  readonly interest: Decimal;
  /** Realised and unrealised gains of cash from exchange rates. */
  readonly cashFx: Decimal;
  readonly fees: Decimal;
  readonly taxes: Decimal;
  readonly accountFees: Decimal;
  /** A sum without any known part is zero and must not be shown as zero. */
  readonly known: Readonly<
    Record<'value' | 'unrealised' | 'realised' | 'dividends' | 'interest' | 'cashFx', KnownAmount>
  >;
}

export interface PortfolioValue {
  readonly state: LedgerState;
  /** Holdings by value, largest first; those without a value come last. */
  readonly holdings: readonly ValuedHolding[];
  readonly cash: readonly ValuedCash[];
  readonly rates: readonly CurrentRate[];
  readonly totals: PortfolioTotals;
}

const knownOf = (values: readonly unknown[]): KnownAmount => {
  const known = values.filter((value) => value !== undefined).length;
  if (known === values.length) return 'all';
  return known === 0 ? 'none' : 'some';
};

const sumGains = (gains: readonly (BaseGain | undefined)[]): BaseGain => ({
  total: sumOf(gains.map((gain) => gain?.total)),
  fromPrice: sumOf(gains.map((gain) => gain?.fromPrice)),
  fromFx: sumOf(gains.map((gain) => gain?.fromFx)),
});

/** The current rate, else the last stored close; undefined if there is neither. Throws on abort alone. */
export const currentRate = async (
  code: Currency,
  baseCurrency: Currency,
  deps: PortfolioValueDeps,
  signal: AbortSignal,
): Promise<CurrentRate | undefined> => {
  const [currency, base] = [currencyNamed(code), currencyNamed(baseCurrency)];
  if (!currency || !base) return undefined;
  const found = await findRate(currency, base, deps, signal);
  if (found.status === 'ok') {
    const { rate, legs } = found;
    const isSample = legs.some(({ quote }) => quote.isSample);
    if (!isSample) await renewLastClose(code, baseCurrency, deps, signal);
    return { currency: code, rate, legs };
  }
  // Among sample data, a real rate would be mistaken for a sample one.
  if (found.reason === 'not-in-sample') return undefined;
  const close = await lastClose(code, baseCurrency, deps);
  return close && { currency: code, rate: close.rate, legs: [], lastClose: close };
};

/** The sources and times of the rates. */
export const rateOrigins = (
  rates: readonly CurrentRate[],
): readonly Pick<Quote, 'asOf' | 'source' | 'isSample'>[] =>
  rates.flatMap(({ legs, lastClose: close }) => [
    ...legs.map(({ quote }) => quote),
    ...(close ? [{ ...close, asOf: close.day.toZonedDateTime('UTC').toInstant() }] : []),
  ]);

const changeOf = (
  { quantity }: Position,
  { price, previousClose }: Quote,
  rate: Decimal | undefined,
): ValuedHolding['dayChange'] => {
  if (!previousClose) return undefined;
  const local = new Exact(quantity).times(new Exact(price).minus(previousClose));
  return { local, base: rate && local.times(rate) };
};

const byWorth = (a: ValuedHolding, b: ValuedHolding): number => {
  const [first, second] = [a.worth?.value.base?.abs(), b.worth?.value.base?.abs()];
  if (first && second) return second.comparedTo(first);
  return Number(second !== undefined) - Number(first !== undefined);
};

const totalOf = (sums: LedgerState['fees']): Decimal => sumOf(sums.map(({ total }) => total.base));

const totalsOf = (
  state: LedgerState,
  holdings: readonly ValuedHolding[],
  cash: readonly ValuedCash[],
): PortfolioTotals => {
  const inHoldings = sumOf(holdings.map(({ worth }) => worth?.value.base));
  const inCash = sumOf(cash.map(({ base }) => base));
  const changed = holdings.filter(({ dayChange, worth }) => dayChange?.base && worth?.value.base);
  const dayChange = sumOf(changed.map((each) => each.dayChange?.base));
  const gained = holdings.filter(({ worth }) => worth?.unrealised.base);
  return {
    holdings: inHoldings,
    cash: inCash,
    value: inHoldings.plus(inCash),
    dayChange,
    dayBase: sumOf(changed.map((each) => each.worth?.value.base?.minus(each.dayChange?.base ?? ZERO).abs())),
    unrealised: sumGains(gained.map(({ worth }) => worth?.unrealised.base)),
    cost: sumOf(gained.map(({ position }) => position.cost.base?.abs())),
    realised: sumGains(state.positions.map(({ realised }) => realised.base)),
    dividends: sumOf(state.positions.map(({ dividends }) => dividends.base)),
    dividendTax: totalOf(state.dividendTaxes),
    interest: totalOf(state.interest),
    cashFx: sumOf(
      cash.flatMap(({ balance: { realisedFx, costBase }, base }) => [
        realisedFx,
        base && costBase && base.minus(costBase),
      ]),
    ),
    fees: totalOf(state.fees),
    taxes: totalOf(state.taxes),
    accountFees: totalOf(state.accountFees),
    known: {
      value: knownOf([
        ...holdings.map(({ worth }) => worth?.value.base),
        ...cash.filter(({ balance }) => !balance.amount.isZero()).map(({ base }) => base),
      ]),
      unrealised: knownOf(holdings.map(({ worth }) => worth?.unrealised.base)),
      realised: knownOf(
        state.positions
          .filter(({ realised }) => !realised.local.isZero())
          .map(({ realised }) => realised.base),
      ),
      dividends: knownOf(
        state.positions
          .filter(({ dividends }) => !dividends.local.isZero())
          .map(({ dividends }) => dividends.base),
      ),
      interest: knownOf(state.interest.map(({ total }) => total.base)),
      cashFx: knownOf(
        cash.map(({ balance: { realisedFx, costBase }, base }) => realisedFx && costBase && base),
      ),
    },
  };
};

/** The most expensive positions come first, because a source may not return everything at once. */
const byCost = (a: Position, b: Position): number => {
  const [first, second] = [a.cost.base?.abs() ?? ZERO, b.cost.base?.abs() ?? ZERO];
  return second.comparedTo(first);
};

/** Values a ledger with one request for all prices and one for each foreign currency. Throws on abort alone. */
export const valuePortfolio = (
  state: LedgerState,
  deps: PortfolioValueDeps,
  signal: AbortSignal,
): Promise<PortfolioValue> =>
  valuePositions(
    state,
    state.positions.filter(({ quantity }) => !quantity.isZero()),
    deps,
    signal,
  );

/** Values these positions, including empty ones whose price is needed for a purchase. */
export const valuePositions = async (
  state: LedgerState,
  held: readonly Position[],
  deps: PortfolioValueDeps,
  signal: AbortSignal,
): Promise<PortfolioValue> => {
  const { baseCurrency } = state;
  const balances = state.cash.filter(
    ({ amount, realisedFx }) => !amount.isZero() || (realisedFx !== undefined && !realisedFx.isZero()),
  );
  const foreign = [
    ...new Set([
      ...held.map(({ instrument }) => instrument.currency),
      ...balances.flatMap(({ currency, amount }) => (amount.isZero() ? [] : [currency])),
    ]),
  ].filter((currency) => currency !== baseCurrency);
  const instruments = held.toSorted(byCost).map(({ instrument }) => instrument);
  const [found, results] = await Promise.all([
    Promise.all(foreign.map((currency) => currentRate(currency, baseCurrency, deps, signal))),
    instruments.length === 0 ? [] : deps.market.getQuotes(instruments, signal),
  ]);
  const rates = found.filter((rate) => rate !== undefined);
  const rateBy = new Map<Currency, Decimal>([
    [baseCurrency, ONE],
    ...rates.map(({ currency, rate }) => [currency, new Exact(rate)] as const),
  ]);
  const resultBy = new Map(
    results.map((result) => [
      result.status === 'ok' ? result.quote.instrument.symbol : result.instrument.symbol,
      result,
    ]),
  );
  const holdings = held
    .map((position): ValuedHolding => {
      const { instrument } = position;
      const result = resultBy.get(instrument.symbol);
      const rate = rateBy.get(instrument.currency);
      // A price in another currency than that of the entries must not be used.
      if (result?.status !== 'ok' || result.quote.instrument.currency !== instrument.currency) {
        const reason = result?.status === 'unavailable' ? result.reason : 'no-data';
        return { position, quote: undefined, reason, rate, worth: undefined, dayChange: undefined };
      }
      const { quote } = result;
      const isInDoubt = quote.doubt && !deps.settled?.has(instrument.symbol);
      if (isInDoubt || deps.unvalued?.has(instrument.symbol))
        return { position, quote, rate, worth: undefined, dayChange: undefined };
      const worth = valuePosition(position, quote.price, rate);
      return { position, quote, rate, worth, dayChange: changeOf(position, quote, rate) };
    })
    .toSorted(byWorth);
  const cash = balances.map((balance): ValuedCash => {
    const rate = rateBy.get(balance.currency);
    return { balance, base: balance.amount.isZero() ? ZERO : rate && new Exact(balance.amount).times(rate) };
  });
  // A last close is listed only if something is converted with it.
  const isUsed = (code: Currency): boolean =>
    holdings.some(({ position, worth }) => worth && position.instrument.currency === code) ||
    cash.some(({ balance }) => balance.currency === code && !balance.amount.isZero());
  const shownRates = rates.filter(({ lastClose: close, currency }) => !close || isUsed(currency));
  return { state, holdings, cash, rates: shownRates, totals: totalsOf(state, holdings, cash) };
};
