import { describe, expect, it } from 'vitest';
import type { NumberBar } from '#src/finance/indicators/series.ts';
import { correlation, maxDrawdown, returnsOf } from '#src/finance/indicators/statistics.ts';
import { volumeProfile } from '#src/finance/indicators/volume-profile.ts';

const barOf = (low: number, high: number, volume: number): NumberBar => ({ high, low, close: high, volume });

describe('volumeProfile', () => {
  it('spreads each bar over its prices, and finds where most was traded', () => {
    // 0–10 in five bins of 2: the first bar puts 10 in each, the second 60 and 30 in two of them, the third 5 in one.
    const profile = volumeProfile([barOf(0, 10, 50), barOf(5, 8, 90), barOf(1, 1, 5)], 5);
    expect(profile?.bins.map(({ volume }) => Math.round(volume * 1e9) / 1e9)).toEqual([15, 10, 40, 70, 10]);
    expect(profile?.pointOfControl).toMatchObject({ low: 6, high: 8 });
    // 145 in all: 70 % is 101.5, which 70 and 40 hold.
    expect(profile?.valueArea).toEqual({ low: 4, high: 8 });
  });

  it('loses no volume, at the highest price neither', () => {
    const profile = volumeProfile([barOf(1, 4, 30), barOf(4, 4, 12), barOf(1, 1, 7)], 3);
    expect(profile?.bins.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(49, 10);
    expect(volumeProfile([barOf(3, 3, 8), barOf(3, 3, 2)])).toEqual({
      bins: [{ low: 3, high: 3, volume: 10 }],
      pointOfControl: { low: 3, high: 3, volume: 10 },
      valueArea: { low: 3, high: 3 },
    });
  });

  it('is none where nothing is counted', () => {
    expect(volumeProfile([barOf(1, 2, 0), barOf(2, 3, 0)])).toBeNull();
    expect(volumeProfile([])).toBeNull();
  });
});

describe('statistics', () => {
  it('find the deepest fall, not the last one', () => {
    expect(maxDrawdown([100, 120, 60, 90, 150, 120])).toBe(-0.5);
    expect(maxDrawdown([1, 2, 3])).toBe(0);
  });

  it('tell how returns move together', () => {
    const returns = returnsOf([100, 110, 99, 108.9]);
    expect(correlation(returns, returns)).toBeCloseTo(1, 12);
    expect(
      correlation(
        returns,
        returns.map((value) => -2 * value),
      ),
    ).toBeCloseTo(-1, 12);
    // By hand: deviations (-1, 0, 1) and (-1, 1, 0): 1 / √(2 · 2).
    expect(correlation([1, 2, 3], [1, 3, 2])).toBeCloseTo(0.5, 12);
    expect(correlation([1, 2, 3], [4, 4, 4])).toBeNull();
    expect(correlation([1], [1])).toBeNull();
  });
});
