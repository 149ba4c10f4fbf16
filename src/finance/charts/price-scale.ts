/** The ends of an axis, and its lines between them. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly lines: readonly number[];
  /** As many as the lines need to be written without rounding. */
  readonly decimals: number;
}

/** Steps that people count in. */
const STEPS = [1, 2, 2.5, 5, 10] as const;

const stepAbove = (rough: number): number => {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = STEPS.find((each) => each * magnitude >= rough * 0.999_999) ?? 10;
  return step * magnitude;
};

const MAX_DECIMALS = 12;
/** Of the span, above and below: nothing touches the edge, and the marks of high and low have room. */
const PADDING = 0.08;
/** Of a price that never moved, to both sides. */
const FLAT_SHARE = 0.02;

const decimalsOf = (interval: number): number => {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals += 1) {
    const scaled = interval * 10 ** decimals;
    if (Math.round(scaled) >= 1 && Math.abs(scaled - Math.round(scaled)) < 1e-6) return decimals;
  }
  return MAX_DECIMALS;
};

/** Without the dust of floats. */
const round = (value: number): number => Number(value.toFixed(MAX_DECIMALS));

/**
 * An axis that holds all of `low` to `high` with about `lineCount` lines at round numbers, never finer than the
 * market's own decimals: half a won is no price.
 */
export const scaleFor = (low: number, high: number, lineCount: number, maxDecimals: number): Scale => {
  const finest = 10 ** -maxDecimals;
  const flat = Math.max(Math.abs(high) * FLAT_SHARE, finest * 2);
  const span = high - low;
  const [from, to] =
    span < finest / 2 ? [low - flat, high + flat] : [low - span * PADDING, high + span * PADDING];
  const rough = stepAbove((to - from) / lineCount);
  const interval = Math.max(rough, finest);
  const decimals = Math.min(decimalsOf(interval), maxDecimals);
  // 2.5 of the finest unit cannot be written with its decimals.
  const whole = decimalsOf(interval) > maxDecimals ? Math.ceil(interval / finest) * finest : interval;
  // Where nothing was ever below zero, the axis is not either.
  const min = low > 0 ? Math.max(0, from) : from;
  const [firstLine, lastLine] = [Math.ceil(min / whole), Math.floor(to / whole)];
  const lines = Array.from({ length: lastLine - firstLine + 1 }, (_, line) =>
    round((firstLine + line) * whole),
  );
  return { min, max: to, lines, decimals };
};
