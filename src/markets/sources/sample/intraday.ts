import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { type SampleDay, toMarketPrice } from './history.ts';
import { bell, createRandom } from './random.ts';
import type { Bar } from '../source.ts';

const STEP_MINUTES = 5;
/** Share of the day's range beyond open and close that prices use; the rest is a wick. */
const TAKEN = 0.9;

/** Busy at the opening, quiet at noon, busy again at the end. */
const tradingShape = (part: number): number => 0.75 + 1.4 * (2 * part - 1) ** 4 + (part === 0 ? 1.2 : 0);
/** Markets that never close are busier during US hours. */
const roundTheClockShape = (part: number): number => 0.8 + (part > 0.54 && part < 0.88 ? 0.5 : 0);

const numbersOf = ({ open, high, low, close }: Bar) => ({
  open: open.toNumber(),
  high: high.toNumber(),
  low: low.toNumber(),
  close: close.toNumber(),
});

/** A path from the day's open to its close, scaled to the day's range. */
const makePath = (day: Bar, shape: readonly number[], random: () => number): readonly number[] => {
  const { open, high, low, close } = numbersOf(day);
  const step = (0.8 * (high - low)) / Math.sqrt(shape.length);
  let price = open;
  const path = shape.map((busy, index) => {
    const left = shape.length - index;
    // Deviations shrink towards the end of the day.
    const noise = step * busy ** 0.25 * Math.sqrt((left - 1) / left) * bell(random);
    price += (close - price) / left + noise;
    return left === 1 ? close : price;
  });
  const [top, bottom] = [Math.max(open, close), Math.min(open, close)];
  const over = Math.max(top, ...path) - top;
  const under = bottom - Math.min(bottom, ...path);
  return [
    open,
    ...path.map((value) => {
      if (value > top) return top + ((value - top) / over) * TAKEN * (high - top);
      return value < bottom ? bottom - ((bottom - value) / under) * TAKEN * (bottom - low) : value;
    }),
  ];
};

/** Distributes a total in whole numbers by rounding the running sum. */
const shareOut = (whole: Decimal, weights: readonly number[]): readonly Decimal[] => {
  const all = whole.toNumber();
  const sum = weights.reduce((a, b) => a + b, 0);
  let soFar = 0;
  let given = 0;
  return weights.map((weight, index) => {
    soFar += weight;
    const until = index === weights.length - 1 ? all : Math.round((all * soFar) / sum);
    const part = until - given;
    given = until;
    return new Decimal(part);
  });
};

/** Five-minute bars that together equal the day's bar. */
export const fiveMinutes = (instrument: Instrument, day: SampleDay): readonly Bar[] => {
  const { bar, opensAt, closesAt, date, seed } = day;
  const random = createRandom(`${seed} ${date.toString()}`);
  const steps = Math.max(2, Math.floor(opensAt.until(closesAt).total('minutes') / STEP_MINUTES));
  const shapeOf = instrument.assetClass === 'crypto' ? roundTheClockShape : tradingShape;
  const shape = Array.from({ length: steps }, (_, index) => shapeOf(index / (steps - 1)));
  const path = makePath(bar, shape, random);
  const rounded = toMarketPrice(instrument);
  const prices = path.map(rounded);
  const { high: dayHigh, low: dayLow } = numbersOf(bar);
  const usualWick = (0.8 * (dayHigh - dayLow)) / Math.sqrt(steps);
  // Mostly short, now and then long.
  const wick = (): number => usualWick * (0.25 + 0.6 * random() + 1.1 * random() ** 6);
  const volumes = shareOut(
    bar.volume,
    shape.map((busy, index) => {
      const moved = Math.abs((path[index + 1] ?? 0) - (path[index] ?? 0));
      // A burst of trades in some of them, and more where the price moves.
      const burst = 1.6 * random() ** 8;
      return busy * (0.35 + 0.9 * random() + burst + (usualWick > 0 ? 0.5 * (moved / usualWick) : 0));
    }),
  );
  const tops = shape.map((_, index) => Math.max(path[index] ?? 0, path[index + 1] ?? 0));
  const bottoms = shape.map((_, index) => Math.min(path[index] ?? 0, path[index + 1] ?? 0));
  const highest = tops.indexOf(Math.max(...tops));
  const lowest = bottoms.indexOf(Math.min(...bottoms));
  return shape.map((_, index): Bar => {
    const [open = bar.open, close = bar.close] = [prices[index], prices[index + 1]];
    const above = rounded((tops[index] ?? 0) + wick());
    const below = rounded((bottoms[index] ?? 0) - wick());
    return {
      at: opensAt.add({ minutes: index * STEP_MINUTES }),
      open,
      high: index === highest ? bar.high : Decimal.min(bar.high, Decimal.max(open, close, above)),
      low: index === lowest ? bar.low : Decimal.max(bar.low, Decimal.min(open, close, below)),
      close,
      volume: volumes[index] ?? new Decimal(0),
    };
  });
};

/** Merges consecutive bars into one. */
export const mergeBars = (bars: readonly [Bar, ...Bar[]]): Bar => ({
  at: bars[0].at,
  open: bars[0].open,
  high: Decimal.max(...bars.map(({ high }) => high)),
  low: Decimal.min(...bars.map(({ low }) => low)),
  close: bars.at(-1)?.close ?? bars[0].close,
  volume: Decimal.sum(...bars.map(({ volume }) => volume)),
});

/** Merges bars with the same key. */
export const mergeBy = (bars: readonly Bar[], keyOf: (bar: Bar) => string | number): readonly Bar[] =>
  [...Map.groupBy(bars, keyOf).values()].flatMap(([first, ...rest]) =>
    first ? [mergeBars([first, ...rest])] : [],
  );
