import type { Bar } from '../sources/source.ts';

/** Has the length of its input. Null until enough values precede. */
export type Series = readonly (number | null)[];

/** A bar for statistics, where floats are precise enough. */
export interface NumberBar {
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export const toNumberBars = (bars: readonly Bar[]): readonly NumberBar[] =>
  bars.map(({ high, low, close, volume }) => ({
    high: high.toNumber(),
    low: low.toNumber(),
    close: close.toNumber(),
    volume: volume.toNumber(),
  }));

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Prepends `offset` nulls. */
const shifted = (values: Series, offset: number): Series => [...Array<null>(offset).fill(null), ...values];

/** Simple moving average. `period` is an integer of at least 1. */
export const sma = (values: readonly number[], period: number): Series =>
  // Each window is summed anew because a running sum accumulates rounding errors.
  values.map((_, index) => (index < period - 1 ? null : mean(values.slice(index - period + 1, index + 1))));

/** Moves the previous value by `weight` towards the new one, starting from the mean of the first `period` values. */
const smoothed = (values: readonly number[], period: number, weight: number): Series => {
  let last: number | null = null;
  return values.map((value, index) => {
    if (index < period - 1) return null;
    last = last === null ? mean(values.slice(0, period)) : last + (value - last) * weight;
    return last;
  });
};

/**
 * Exponential moving average, seeded with the simple mean as textbooks do. Seeding with the first value would
 * distort weeks of results.
 */
export const ema = (values: readonly number[], period: number): Series =>
  smoothed(values, period, 2 / (period + 1));

/** Wilder's smoothing, the base of RSI and ATR. */
export const wilderAverage = (values: readonly number[], period: number): Series =>
  smoothed(values, period, 1 / period);

/** RSI of a price that did not move. */
const BALANCED = 50;

/** Wilder's relative strength index, 0 to 100. The first value needs `period` changes. */
export const rsi = (values: readonly number[], period = 14): Series => {
  const changes = values.slice(1).map((value, index) => value - (values[index] ?? value));
  const gains = wilderAverage(
    changes.map((change) => Math.max(change, 0)),
    period,
  );
  const losses = wilderAverage(
    changes.map((change) => Math.max(-change, 0)),
    period,
  );
  const strength = gains.map((gain, index) => {
    const loss = losses[index] ?? null;
    if (gain === null || loss === null) return null;
    return gain + loss === 0 ? BALANCED : (100 * gain) / (gain + loss);
  });
  return values.length === 0 ? [] : shifted(strength, 1);
};

interface Macd {
  /** Fast average minus slow average. */
  readonly line: Series;
  /** EMA of the line. */
  readonly signal: Series;
  /** Line minus signal. */
  readonly histogram: Series;
}

const difference = (one: Series, other: Series): Series =>
  one.map((value, index) => {
    const subtracted = other[index] ?? null;
    return value === null || subtracted === null ? null : value - subtracted;
  });

/** Moving average convergence/divergence. The signal starts `signalPeriod` values after the line. */
export const macd = (values: readonly number[], fastPeriod = 12, slowPeriod = 26, signalPeriod = 9): Macd => {
  const line = difference(ema(values, fastPeriod), ema(values, slowPeriod));
  const known = line.filter((value) => value !== null);
  const signal = shifted(ema(known, signalPeriod), line.length - known.length);
  return { line, signal, histogram: difference(line, signal) };
};

interface Bollinger {
  readonly middle: Series;
  readonly upper: Series;
  readonly lower: Series;
}

/** A simple moving average with bands `width` population standard deviations away. */
export const bollinger = (values: readonly number[], period = 20, width = 2): Bollinger => {
  const middle = sma(values, period);
  const band = (side: 1 | -1): Series =>
    middle.map((average, index) => {
      if (average === null) return null;
      const squares = values.slice(index - period + 1, index + 1).map((value) => (value - average) ** 2);
      return average + side * width * Math.sqrt(mean(squares));
    });
  return { middle, upper: band(1), lower: band(-1) };
};

/** Range of a bar, including the gap from the previous close. */
const trueRange = ({ high, low }: NumberBar, previousClose: number): number =>
  Math.max(high, previousClose) - Math.min(low, previousClose);

/** Wilder's average true range. The first bar has no previous close and uses high minus low. */
export const atr = (bars: readonly NumberBar[], period = 14): Series =>
  wilderAverage(
    bars.map((bar, index) => trueRange(bar, bars[index - 1]?.close ?? bar.low)),
    period,
  );

interface VolumeBin {
  readonly low: number;
  readonly high: number;
  readonly volume: number;
}

interface VolumeProfile {
  /** Ordered by price, lowest first. */
  readonly bins: readonly VolumeBin[];
  /** The bin with the highest volume. */
  readonly pointOfControl: VolumeBin;
  /** The price range around it with 70 % of the volume. */
  readonly valueArea: { readonly low: number; readonly high: number };
}

export const VALUE_AREA = 0.7;

/** A bar's volume between two prices, assuming even trading from low to high. */
const volumeBetween = (bar: NumberBar, low: number, high: number, isLast: boolean): number => {
  if (bar.high === bar.low) {
    return bar.low >= low && (bar.low < high || isLast) ? bar.volume : 0;
  }
  const overlap = Math.min(bar.high, high) - Math.max(bar.low, low);
  return overlap > 0 ? (bar.volume * overlap) / (bar.high - bar.low) : 0;
};

/** Volume by price. Null without volume, as for indices and currencies. */
export const volumeProfile = (bars: readonly NumberBar[], binCount = 24): VolumeProfile | null => {
  const total = bars.reduce((sum, { volume }) => sum + volume, 0);
  if (!(total > 0)) return null;
  const lowest = Math.min(...bars.map(({ low }) => low));
  const highest = Math.max(...bars.map(({ high }) => high));
  const count = highest === lowest ? 1 : binCount;
  const edge = (index: number): number =>
    index === count ? highest : lowest + ((highest - lowest) * index) / count;
  const bins = Array.from({ length: count }, (_, index): VolumeBin => {
    const [low, high, isLast] = [edge(index), edge(index + 1), index === count - 1];
    return {
      low,
      high,
      volume: bars.reduce((sum, bar) => sum + volumeBetween(bar, low, high, isLast), 0),
    };
  });

  const top = bins.reduce(
    (best, { volume }, index) => (volume > (bins[best]?.volume ?? 0) ? index : best),
    0,
  );
  const pointOfControl = bins[top];
  if (!pointOfControl) return null;
  // The area grows towards the busier neighbour, and upwards on ties.
  let [from, to, held] = [top, top, pointOfControl.volume];
  while (held < total * VALUE_AREA && (from > 0 || to < count - 1)) {
    const below = bins[from - 1]?.volume ?? -1;
    const above = bins[to + 1]?.volume ?? -1;
    if (above >= below) to += 1;
    else from -= 1;
    held += Math.max(above, below);
  }
  return { bins, pointOfControl, valueArea: { low: edge(from), high: edge(to + 1) } };
};

interface YearRange {
  /** Indexes of the highest and lowest bar, for callers that need exact prices. */
  readonly highIndex: number;
  readonly lowIndex: number;
  /** Position of the last close: 0 at the low, 1 at the high. Null if both are equal. */
  readonly position: number | null;
}

/** Expects the bars of one year. Undefined without bars. */
export const yearRange = (bars: readonly NumberBar[]): YearRange | undefined => {
  const last = bars.at(-1);
  if (!last) return undefined;
  const [highs, lows] = [bars.map(({ high }) => high), bars.map(({ low }) => low)];
  const [high, low] = [Math.max(...highs), Math.min(...lows)];
  return {
    highIndex: highs.lastIndexOf(high),
    lowIndex: lows.lastIndexOf(low),
    position: high === low ? null : (last.close - low) / (high - low),
  };
};
