import { describe, expect, it } from 'vitest';
import {
  atr,
  bollinger,
  ema,
  macd,
  type NumberBar,
  rsi,
  type Series,
  sma,
  volumeProfile,
  yearRange,
} from '#src/markets/indicators/indicators.ts';
import { ATR_14, BOLLINGER_20_2, EMA_10, MACD_12_26_9, RSI_14 } from './published-examples.ts';

/** Expects nulls before `firstAt` and the printed values from there, within half of the last printed digit. */
const expectPrinted = (
  series: Series,
  firstAt: number,
  printed: readonly number[],
  decimals: number,
): void => {
  expect(series.findIndex((value) => value !== null)).toBe(firstAt);
  const ours = series.slice(firstAt, firstAt + printed.length);
  expect(ours).toHaveLength(printed.length);
  const apart = ours.map((value, index) => Math.abs((value ?? Number.NaN) - (printed[index] ?? Number.NaN)));
  expect(Math.max(...apart)).toBeLessThanOrEqual(0.5001 * 10 ** -decimals);
};

const barOf = (high: number, low: number, close: number, volume = 0): NumberBar => ({
  high,
  low,
  close,
  volume,
});

describe('indicators against published examples', () => {
  it('EMA 10, seeded with the simple average (StockCharts: 22.22, 22.21, 22.24, …)', () => {
    expectPrinted(ema(EMA_10.closes, 10), EMA_10.firstAt, EMA_10.printed, 2);
    expect(sma(EMA_10.closes, 10)[9]).toBeCloseTo(22.22475, 10);
  });

  it("Wilder's RSI 14 (StockCharts: 70.53, 66.32, …)", () => {
    expectPrinted(rsi(RSI_14.closes), RSI_14.firstAt, RSI_14.printed, 2);
  });

  it('MACD 12, 26, 9 with signal and histogram (Investexcel)', () => {
    const { line, signal, histogram } = macd(MACD_12_26_9.closes);
    expectPrinted(line, MACD_12_26_9.lineAt, MACD_12_26_9.line, 8);
    expectPrinted(signal, MACD_12_26_9.signalAt, MACD_12_26_9.signal, 8);
    expectPrinted(histogram, MACD_12_26_9.signalAt, MACD_12_26_9.histogram, 8);
    expect(line.at(-1)).toBeCloseTo(MACD_12_26_9.last.line, 8);
    expect(signal.at(-1)).toBeCloseTo(MACD_12_26_9.last.signal, 8);
    expect(histogram.at(-1)).toBeCloseTo(MACD_12_26_9.last.histogram, 8);
  });

  it('Bollinger bands 20, 2 with population deviation (StockCharts: 91.29, 88.71, 86.12, …)', () => {
    const { middle, upper, lower } = bollinger(BOLLINGER_20_2.closes);
    expectPrinted(middle, BOLLINGER_20_2.firstAt, BOLLINGER_20_2.middle, 2);
    expectPrinted(upper, BOLLINGER_20_2.firstAt, BOLLINGER_20_2.upper, 2);
    expectPrinted(lower, BOLLINGER_20_2.firstAt, BOLLINGER_20_2.lower, 2);
  });

  it("Wilder's ATR 14 (StockCharts: 0.56, 0.59, …)", () => {
    const bars = ATR_14.bars.map(([high, low, close]) => barOf(high, low, close));
    expectPrinted(atr(bars), ATR_14.firstAt, ATR_14.printed, 2);
  });
});

describe('indicators at their limits', () => {
  const short = [1, 2, 3];

  it('have the length of their input, with nulls until there are enough values', () => {
    const nothing = [null, null, null];
    expect(sma(short, 4)).toEqual(nothing);
    expect(ema(short, 4)).toEqual(nothing);
    expect(rsi(short, 3)).toEqual(nothing);
    expect(macd(short)).toEqual({ line: nothing, signal: nothing, histogram: nothing });
    expect(bollinger(short).upper).toEqual(nothing);
    expect(atr(short.map((value) => barOf(value, value, value)))).toEqual(nothing);
    for (const series of [sma([], 2), ema([], 2), rsi([]), macd([]).signal, bollinger([]).lower, atr([])]) {
      expect(series).toEqual([]);
    }
  });

  it('start at the first value with enough input', () => {
    expect(sma(short, 3)).toEqual([null, null, 2]);
    expect(rsi(short, 2)).toEqual([null, null, 100]);
    expect(macd(Array<number>(34).fill(5)).signal.map((value) => value !== null)).toEqual([
      ...Array<boolean>(33).fill(false),
      true,
    ]);
  });

  it('give an RSI of 0, 50 and 100 for falling, flat and rising prices', () => {
    expect(
      [...rsi([3, 2, 1], 2), ...rsi([2, 2, 2], 2), ...rsi(short, 2)].filter((value) => value !== null),
    ).toEqual([0, 50, 100]);
  });

  it("find the year's high and low (on ties the latest) and the position of the close", () => {
    const bars = [barOf(10, 6, 7), barOf(9, 5, 6), barOf(10, 5, 9), barOf(9, 7, 8)];
    expect(yearRange(bars)).toEqual({ highIndex: 2, lowIndex: 2, position: 0.6 });
    expect(yearRange([barOf(4, 4, 4)])?.position).toBeNull();
    expect(yearRange([])).toBeUndefined();
  });
});

const volumeBar = (low: number, high: number, volume: number): NumberBar => ({
  high,
  low,
  close: high,
  volume,
});

describe('volumeProfile', () => {
  it('spreads each bar over its prices and finds the point of control', () => {
    // 0–10 in five bins of 2: the first bar puts 10 in each, the second 60 and 30 in two of them, the third 5 in one.
    const profile = volumeProfile([volumeBar(0, 10, 50), volumeBar(5, 8, 90), volumeBar(1, 1, 5)], 5);
    expect(profile?.bins.map(({ volume }) => Math.round(volume * 1e9) / 1e9)).toEqual([15, 10, 40, 70, 10]);
    expect(profile?.pointOfControl).toMatchObject({ low: 6, high: 8 });
    // 145 in all: 70 % is 101.5, which 70 and 40 hold.
    expect(profile?.valueArea).toEqual({ low: 4, high: 8 });
  });

  it('keeps all volume, including that at the highest price', () => {
    const profile = volumeProfile([volumeBar(1, 4, 30), volumeBar(4, 4, 12), volumeBar(1, 1, 7)], 3);
    expect(profile?.bins.reduce((sum, { volume }) => sum + volume, 0)).toBeCloseTo(49, 10);
    expect(volumeProfile([volumeBar(3, 3, 8), volumeBar(3, 3, 2)])).toEqual({
      bins: [{ low: 3, high: 3, volume: 10 }],
      pointOfControl: { low: 3, high: 3, volume: 10 },
      valueArea: { low: 3, high: 3 },
    });
  });

  it('is null without volume', () => {
    expect(volumeProfile([volumeBar(1, 2, 0), volumeBar(2, 3, 0)])).toBeNull();
    expect(volumeProfile([])).toBeNull();
  });
});
