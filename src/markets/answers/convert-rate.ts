import type { Instrument, Quote, QuoteResult, UnavailableReason } from '#src/kernel/market/finance.ts';
import { type Decimal, RateDecimal } from '#src/kernel/money.ts';
import type { Uses } from '#src/platform/services.ts';
import { currencyNamed, isQuotedIn, type KnownCurrency } from '#src/reading/currencies.ts';
import type { Market } from '../sources/source.ts';

export interface RateDeps extends Uses<'symbols.resolve'> {
  readonly market: Pick<Market, 'getQuotes'>;
}

/** The price of one `base` in the currency `price`. */
export interface RateLeg {
  readonly base: KnownCurrency;
  readonly price: KnownCurrency;
  readonly quote: Quote;
}

export type RateResult =
  | {
      readonly status: 'ok';
      /** The price of one unit of the first currency in the second. */
      readonly rate: Decimal;
      /** One leg, or the two legs of a cross rate. */
      readonly legs: readonly RateLeg[];
    }
  | { readonly status: 'unavailable'; readonly instrument: Instrument; readonly reason: UnavailableReason };

interface Pair {
  readonly base: KnownCurrency;
  readonly price: KnownCurrency;
  readonly instrument: Instrument;
}

const FX_DECIMALS = 4;
const OVER = currencyNamed('USD');

/** The pair from the symbol index, or one made up for the source if the index lacks it. */
const pairOf = (base: KnownCurrency, price: KnownCurrency, { symbols }: Uses<'symbols.resolve'>): Pair => {
  const symbol = base.isCoin ? `${base.code}-${price.code}` : `${base.code}${price.code}=X`;
  const match = symbols.resolve(symbol);
  // Some coins have a number in their symbol: TRUMP35336-USD.
  const isPair = ({ assetClass, currency, symbol: listed }: Instrument): boolean =>
    listed === symbol || (base.isCoin && assetClass === 'crypto' && currency === price.code);
  if (match.status === 'found' && isPair(match.instrument))
    return { base, price, instrument: match.instrument };
  const instrument: Instrument = {
    symbol,
    ticker: `${base.code}/${price.code}`,
    name: { ko: `${base.name.ko}/${price.name.ko}`, en: `${base.name.en} / ${price.name.en}` },
    exchange: base.isCoin ? 'Crypto' : 'FX',
    assetClass: base.isCoin ? 'crypto' : 'fx',
    currency: price.code,
    priceDecimals: base.isCoin ? price.decimals : FX_DECIMALS,
  };
  return { base, price, instrument };
};

/** The pair as markets quote it, which keeps the most digits. Undefined for two coins. */
export const usualPair = (
  a: KnownCurrency,
  b: KnownCurrency,
  deps: Uses<'symbols.resolve'>,
): Pair | undefined => {
  if (a.isCoin && b.isCoin) return undefined;
  const isInOrder = a.isCoin || (!b.isCoin && isQuotedIn(a, b));
  return isInOrder ? pairOf(a, b, deps) : pairOf(b, a, deps);
};

/** Results by symbol. */
type Results = ReadonlyMap<string, QuoteResult>;

const isOut = (reason: UnavailableReason): boolean => reason === 'down' || reason === 'limited';

/** All currency rates come from one source, so further requests are skipped while it is down. */
const isMoneyDown = (pair: Pair | undefined, results: Results): boolean => {
  const result = pair && results.get(pair.instrument.symbol);
  return pair?.base.isCoin === false && result?.status === 'unavailable' && isOut(result.reason);
};

/** The inverse pair, for use if the usual one is missing. Nothing is quoted in coins. */
const reversed = (pair: Pair | undefined, results: Results, deps: RateDeps): Pair | undefined =>
  !pair || pair.base.isCoin || isMoneyDown(pair, results) ? undefined : pairOf(pair.price, pair.base, deps);

/** Undefined if the price is in another currency than the pair's. */
const legIn = (pair: Pair | undefined, results: Results): RateLeg | undefined => {
  const result = pair && results.get(pair.instrument.symbol);
  if (!pair || result?.status !== 'ok') return undefined;
  const { quote } = result;
  const isRate = quote.price.greaterThan(0) && quote.instrument.currency === pair.price.code;
  return isRate ? { base: pair.base, price: pair.price, quote } : undefined;
};

/** The price of one `from` by this leg, which may be quoted inversely. */
const rateBy = ({ base, quote }: RateLeg, from: KnownCurrency): Decimal => {
  const price = new RateDecimal(quote.price);
  return base.code === from.code ? price : new RateDecimal(1).dividedBy(price);
};

const reasonOf = (results: Results): UnavailableReason => {
  const reasons = [...results.values()].flatMap((result) => (result.status === 'ok' ? [] : [result.reason]));
  return reasons.find(isOut) ?? reasons[0] ?? 'no-data';
};

/**
 * The rate between two different currencies: as markets quote it, inverted, or over the dollar. Each way is tried only
 * if the better ones are missing.
 */
export const findRate = async (
  from: KnownCurrency,
  to: KnownCurrency,
  deps: RateDeps,
  signal: AbortSignal,
): Promise<RateResult> => {
  const results = new Map<string, QuoteResult>();
  const ask = async (pairs: readonly (Pair | undefined)[]): Promise<void> => {
    const instruments = pairs.flatMap((pair) => (pair ? [pair.instrument] : []));
    if (instruments.length === 0) return;
    for (const result of await deps.market.getQuotes(instruments, signal)) {
      const { symbol } = result.status === 'ok' ? result.quote.instrument : result.instrument;
      results.set(symbol, result);
    }
  };

  const direct = usualPair(from, to, deps);
  await ask([direct]);
  const usual = legIn(direct, results);
  if (usual) return { status: 'ok', rate: rateBy(usual, from), legs: [usual] };

  const isCrossed = from.code !== OVER?.code && to.code !== OVER?.code && !isMoneyDown(direct, results);
  const crossed = OVER && isCrossed ? [usualPair(from, OVER, deps), usualPair(OVER, to, deps)] : [];
  const turned = reversed(direct, results, deps);
  await ask([turned, ...crossed]);
  const other = legIn(turned, results);
  if (other) return { status: 'ok', rate: rateBy(other, from), legs: [other] };

  const back = crossed.map((pair) => (legIn(pair, results) ? undefined : reversed(pair, results, deps)));
  await ask(back);
  const [first, second] = crossed.map((pair, index) => legIn(pair, results) ?? legIn(back[index], results));
  if (OVER && first && second)
    return { status: 'ok', rate: rateBy(first, from).times(rateBy(second, OVER)), legs: [first, second] };
  return {
    status: 'unavailable',
    instrument: (direct ?? pairOf(from, to, deps)).instrument,
    reason: reasonOf(results),
  };
};
