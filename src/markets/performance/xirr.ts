import { type PerformanceFigure, figureOf, noFigure, tooFew } from './figure.ts';

/** A cash flow from the investor's side: deposits are negative, payouts positive. */
export interface DatedFlow {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly amount: number;
}

interface TimedFlow {
  readonly years: number;
  readonly amount: number;
}

/** As in Excel, every year has 365 days. */
const DAYS_OF_YEAR = 365;
/**
 * Bounds of ln(1 + rate): from a loss of 99.995 % a year to a 500-millionfold gain. There is no result beyond, because
 * a total loss has no rate, and values close to it would be noise.
 */
const LOWEST = -10;
const HIGHEST = 20;
/** Grid for finding several rates: about 2 % apart near zero, coarser further away. */
const NEAR = 5;
const STEP_NEAR = 0.02;
const STEP_FAR = 0.5;
const MAX_ROUNDS = 200;
const PRECISION = 1e-13;

/** Net flows by day, counted from the first. Days that net to zero are left out. */
const timed = (flows: readonly DatedFlow[]): readonly TimedFlow[] => {
  const byDay = new Map<number, number>();
  for (const { day, amount } of flows) byDay.set(day, (byDay.get(day) ?? 0) + amount);
  const days = [...byDay].filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => a - b);
  const first = days[0]?.[0] ?? 0;
  return days.map(([day, amount]) => ({ years: (day - first) / DAYS_OF_YEAR, amount }));
};

/**
 * The net present value at ln(1 + rate) = `y` and its slope, both divided by the same positive number: signs and ratio
 * stay right, and nothing overflows.
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

/** Newton's method with bisection whenever a step would leave the bracket, so it always converges inside. */
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

/** Neighbouring grid points between which the value changes its sign. */
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
 * The annual rate at which the net present value is zero, as Excel's XIRR: 0.1 is 10 %. Flows that change direction more
 * than once may have several such rates; then there is no result.
 */
export const xirr = (dated: readonly DatedFlow[]): PerformanceFigure => {
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
