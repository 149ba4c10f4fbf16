import type { Bar } from '../market/source.ts';

/** As long as what it is made from; null where there is not enough before it. */
export type Series = readonly (number | null)[];

/** A bar for statistics: these may be floats. */
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

/** The same from `offset` on, with nulls before it. */
export const shifted = (values: Series, offset: number): Series => [
  ...Array<null>(offset).fill(null),
  ...values,
];
