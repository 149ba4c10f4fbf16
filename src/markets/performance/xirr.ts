import { type Figure, figureOf, noFigure, tooFew } from './figure.ts';

/** Money from the investor's side: what is paid in is below zero, what comes back above. */
export interface DatedFlow {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly amount: number;
}

interface TimedFlow {
  readonly years: number;
  readonly amount: number;
}

/** Excel's: every year has 365 days, leap years too. */
const DAYS_OF_YEAR = 365;
/**
 * ln(1 + rate): from a loss of 99.995 % a year to a gain of 500 million times. Beyond that nothing is told: a total loss
 * has no rate, and a number so close to one would be noise.
 */
const LOWEST = -10;
const HIGHEST = 20;
/** How finely rates are looked through where there may be several: near zero about 2 % apart, far away less. */
const NEAR = 5;
const STEP_NEAR = 0.02;
const STEP_FAR = 0.5;
const MAX_ROUNDS = 200;
const PRECISION = 1e-13;

/** By day, the first one at zero; days on which nothing is left are left out. */
const timed = (flows: readonly DatedFlow[]): readonly TimedFlow[] => {
  const byDay = new Map<number, number>();
  for (const { day, amount } of flows) byDay.set(day, (byDay.get(day) ?? 0) + amount);
  const days = [...byDay].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => a - b);
  const first = days[0]?.[0] ?? 0;
  return days.map(([day, amount]) => ({ years: (day - first) / DAYS_OF_YEAR, amount }));
};

/**
 * The net present value at ln(1 + rate) = `y` and its slope, both divided by the same number above zero: signs and
 * their ratio are right, and nothing overflows.
 */
const presentValue = (flows: readonly TimedFlow[], y: number): readonly [value: number, slope: number] => {
  const last = flows.at(-1)?.years ?? 0;
  const largest = y < 0 ? -y * last : 0;
  let [value, slope] = [0, 0];
  for (const { years, amount } of flows) {
    const part = amount * Math.exp(-y * years - largest);
    value += part;
    slope -= years * part;
  }
  return [value, slope];
};

/** Newton's steps, halving instead whenever one would leave the bracket: it always ends, and inside. */
const rootWithin = (flows: readonly TimedFlow[], from: number, to: number): number => {
  let [low, high] = [from, to];
  const signAtLow = Math.sign(presentValue(flows, low)[0]);
  let y = (low + high) / 2;
  for (let round = 0; round < MAX_ROUNDS && high - low > PRECISION; round += 1) {
    const [value, slope] = presentValue(flows, y);
    if (value === 0) return y;
    if (Math.sign(value) === signAtLow) low = y;
    else high = y;
    const next = y - value / slope;
    if (Math.abs(next - y) < PRECISION) return next;
    y = next > low && next < high ? next : (low + high) / 2;
  }
  return y;
};

const signChanges = (flows: readonly TimedFlow[]): number =>
  flows.filter(
    ({ amount }, index) => index > 0 && Math.sign(amount) !== Math.sign(flows[index - 1]?.amount ?? 0),
  ).length;

/** Where the value changes its sign, as pairs of neighbours on a grid. */
const brackets = (flows: readonly TimedFlow[]): readonly (readonly [number, number])[] => {
  const found: (readonly [number, number])[] = [];
  let [before, signBefore] = [LOWEST, Math.sign(presentValue(flows, LOWEST)[0])];
  for (let y = LOWEST; y < HIGHEST;) {
    y += Math.abs(y) < NEAR ? STEP_NEAR : STEP_FAR;
    const sign = Math.sign(presentValue(flows, y)[0]);
    if (sign !== 0 && sign !== signBefore) {
      if (signBefore !== 0) found.push([before, y]);
      [before, signBefore] = [y, sign];
    } else if (sign !== 0) before = y;
  }
  return found;
};

/**
 * The rate a year at which all flows together are worth nothing, as Excel's XIRR gives it: 0.1 is 10 %. Where the
 * direction of the flows changes more than once there may be several such rates; then there is no answer.
 */
export const xirr = (dated: readonly DatedFlow[]): Figure => {
  const flows = timed(dated);
  if (flows.length < 2) return tooFew(2, flows.length);
  const changes = signChanges(flows);
  if (changes === 0) return noFigure('no-rate');
  const found: readonly (readonly [number, number])[] = changes === 1 ? [[LOWEST, HIGHEST]] : brackets(flows);
  const [bracket] = found;
  if (!bracket) return noFigure('no-rate');
  if (found.length > 1) return noFigure('several-rates');
  const [low, high] = bracket;
  const isBracket = Math.sign(presentValue(flows, low)[0]) !== Math.sign(presentValue(flows, high)[0]);
  return isBracket ? figureOf(Math.expm1(rootWithin(flows, low, high)), 'no-rate') : noFigure('no-rate');
};
