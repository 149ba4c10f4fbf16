import type { Instrument } from '#src/core/finance.ts';
import { Decimal } from '#src/core/money.ts';
import type { SampleDay } from './sample-history.ts';
import { bell, createRandom } from './sample-random.ts';
import type { Bar } from './source.ts';

const STEP_MINUTES = 5;

/** From one price to the other in so many steps, never outside of the day's range. */
const makePath = ({ bar }: SampleDay, steps: number, random: () => number): readonly number[] => {
  const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const path = [open];
  let price = open;
  for (let left = steps; left > 1; left -= 1) {
    const noise = ((high - low) / Math.sqrt(steps)) * 0.7 * bell(random);
    price = Math.min(high, Math.max(low, price + (close - price) / left + noise));
    path.push(price);
  }
  return [...path, close];
};

/** The bars of one day, five minutes each: together they are the day's own bar. */
const fiveMinutes = (instrument: Instrument, day: SampleDay): readonly Bar[] => {
  const { bar, opensAt, closesAt, date } = day;
  const random = createRandom(`${instrument.symbol} ${date.toString()}`);
  const steps = Math.max(2, Math.floor(opensAt.until(closesAt).total('minutes') / STEP_MINUTES));
  const path = makePath(day, steps, random).map((price) =>
    new Decimal(price).toDecimalPlaces(instrument.priceDecimals),
  );
  const highest = Math.floor(random() * steps);
  const lowest = (highest + 1 + Math.floor(random() * (steps - 1))) % steps;
  const share = bar.volume.dividedToIntegerBy(steps);
  return Array.from({ length: steps }, (_, index): Bar => {
    const [open = bar.open, close = bar.close] = [path[index], path[index + 1]];
    return {
      at: opensAt.add({ minutes: index * STEP_MINUTES }),
      open,
      high: index === highest ? bar.high : Decimal.max(open, close),
      low: index === lowest ? bar.low : Decimal.min(open, close),
      close,
      volume: index === steps - 1 ? bar.volume.minus(share.times(steps - 1)) : share,
    };
  });
};

/** Several bars as one. */
const merge = (bars: readonly [Bar, ...Bar[]]): Bar => ({
  at: bars[0].at,
  open: bars[0].open,
  high: Decimal.max(...bars.map(({ high }) => high)),
  low: Decimal.min(...bars.map(({ low }) => low)),
  close: bars.at(-1)?.close ?? bars[0].close,
  volume: Decimal.sum(...bars.map(({ volume }) => volume)),
});

/** The days in bars of so many minutes, a multiple of five. */
export const makeIntraday = (
  instrument: Instrument,
  days: readonly SampleDay[],
  minutes: number,
): readonly Bar[] =>
  days.flatMap((day) => {
    const bars = fiveMinutes(instrument, day);
    const size = minutes / STEP_MINUTES;
    return Array.from({ length: Math.ceil(bars.length / size) }, (_, index) => {
      const [first, ...rest] = bars.slice(index * size, (index + 1) * size);
      return first ? [merge([first, ...rest])] : [];
    }).flat();
  });
