import { type Currency, Decimal } from '#src/kernel/money.ts';
import { currencyNamed, isQuotedIn } from '#src/language/currencies.ts';
import { isCountedByHundred } from '#src/markets/answers/rate-line.ts';
import { timesOff } from './checks/oddities.ts';
import type { FillRatesDeps, RateOn } from './entries/fill-rates.ts';
import { Exact } from './ledger/exact.ts';
import { FAR_RATE, knownRate } from './record-exchange.ts';

const HUNDRED = 100;
/** Of a rate that is turned round: enough to turn it back to what was typed. */
const DIGITS = 15;
/** Where only the rate of today is known: rates move in years, but not this far. */
const FAR_FROM_TODAY = 10;

interface RatePair {
  readonly from: Currency;
  readonly to: Currency;
  readonly date: Temporal.PlainDate;
  readonly today: Temporal.PlainDate;
}

export interface TypedRate {
  /** What one `from` costs in `to`. */
  readonly rate: Decimal;
  /** A known rate that no reading of what was typed comes near. */
  readonly farFrom?: RateOn;
}

const turned = (rate: Decimal): Decimal =>
  new Decimal(new Exact(1).dividedBy(rate).toSignificantDigits(DIGITS).toFixed());

/** Where no rate is known: as markets quote the pair, and Koreans yen by the hundred. */
const byConvention = (typed: Decimal, from: Currency, to: Currency): Decimal => {
  const [own, other] = [currencyNamed(from), currencyNamed(to)];
  const isHundred = isCountedByHundred(from, to) && typed.greaterThanOrEqualTo(HUNDRED);
  const each = isHundred ? typed.dividedBy(HUNDRED) : typed;
  const isTurned = own && other && !own.isCoin && isQuotedIn(other, own) && each.greaterThanOrEqualTo(1);
  return isTurned ? turned(each) : each;
};

/**
 * The rate that somebody typed for an entry, read as people quote the pair: `rate 1180` is won for a dollar, whichever
 * of the two the portfolio is kept in. The known rate of the day decides, else that of today. Throws on abort alone.
 */
export const readTypedRate = async (
  typed: Decimal,
  { from, to, date, today }: RatePair,
  deps: FillRatesDeps,
  signal: AbortSignal,
): Promise<TypedRate> => {
  const known = await knownRate(from, to, date, deps, signal);
  const isOfDay = known !== undefined && !known.isSample;
  const market = isOfDay || date.equals(today) ? known : await knownRate(from, to, today, deps, signal);
  if (!market || market.isSample) return { rate: byConvention(typed, from, to) };
  const units = isCountedByHundred(from, to) ? [typed, typed.dividedBy(HUNDRED)] : [typed];
  const readings = units.flatMap((each) => [each, turned(each)]);
  const offBy = (rate: Decimal): Decimal => timesOff(new Exact(rate), market.rate);
  const best = readings.reduce((a, b) => (offBy(b).lessThan(offBy(a)) ? b : a));
  return offBy(best).lessThanOrEqualTo(isOfDay ? FAR_RATE : FAR_FROM_TODAY)
    ? { rate: best }
    : { rate: byConvention(typed, from, to), farFrom: market };
};
