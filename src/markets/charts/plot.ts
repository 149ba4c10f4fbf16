import { MAX_PLOT_VALUES, type Plot } from '#src/kernel/chat/plot.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import { formatPrice } from '../answers/quote-text.ts';
import { datesOf } from '../series/range-covered.ts';
import type { History } from '../sources/source.ts';
import type { CandlePicture, ComparisonPicture } from './chart-picture.ts';

/** A day on which one of several did not trade shows its close before. */
const carried = (values: readonly (number | null)[]): readonly (number | null)[] => {
  let last: number | null = null;
  return values.map((value) => (last = value ?? last));
};

/** At most so many values, with the first and the last. */
const thinned = <T>(values: readonly T[]): readonly T[] => {
  const step = (values.length - 1) / (MAX_PLOT_VALUES - 1);
  return values.length <= MAX_PLOT_VALUES
    ? values
    : Array.from({ length: MAX_PLOT_VALUES }, (_, index) => values[Math.round(index * step)] as T);
};

/** The closes of a picture of one instrument. */
export const candlePlot = (picture: CandlePicture, history: History): Plot => {
  const { bars, shownFrom, base, locale, head } = picture;
  const { instrument } = history;
  const values = thinned(bars.close.slice(Math.max(0, shownFrom)));
  const all = [...values, ...(base ? [base.price] : [])];
  const price = (value: number): string => formatPrice(new Decimal(value), instrument, locale);
  return {
    lines: [{ name: instrument.name[locale], values }],
    high: price(Math.max(...all)),
    low: price(Math.min(...all)),
    dates: datesOf(history),
    ...(base && { base: { value: base.price, name: `${base.name} ${price(base.price)}` } }),
    ...(head.change && { tone: head.change.tone }),
  };
};

/** The changes of a picture of several. */
export const comparisonPlot = ({ lines, locale }: ComparisonPicture, dates: string, base: string): Plot => {
  const drawn = lines.map(({ name, values }) => ({ name, values: thinned(carried(values)) }));
  const all = [0, ...drawn.flatMap(({ values }) => values.filter((value) => value !== null))];
  const unit = lines.every((line) => line.unit === '%') ? '%' : '';
  const text = (value: number): string =>
    `${formatFinancialNumber(value.toFixed(1), { locale, showSign: true, maximumFractionDigits: 1 })}${unit}`;
  return {
    lines: drawn,
    high: text(Math.max(...all)),
    low: text(Math.min(...all)),
    dates,
    base: { value: 0, name: base },
  };
};
