import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { candlePicture } from '#src/markets/charts/candle-picture.ts';
import { candleSeries } from '#src/markets/charts/candle-series.ts';
import {
  type Aligned,
  alignHistories,
  comparisonOrigin,
  comparisonPicture,
} from '#src/markets/charts/comparison-picture.ts';
import { logScaleFor, scaleFor, timeTicks, volumeText } from '#src/markets/charts/axes.ts';
import { APPLE, TEN_YEARS } from '#test/support/instruments.ts';
import { historyOf, wavesOf } from './histories.ts';

const DAY = 24 * 60;
const NOW = Temporal.Instant.from('2026-11-14T03:00:00Z');
const KOREAN = { locale: 'ko', timeZone: 'Asia/Seoul' } as const;

describe('the price axis', () => {
  it.each([
    { low: 62_438, high: 81_474, decimals: 0, lines: [65_000, 70_000, 75_000, 80_000], shown: 0 },
    { low: 237.2, high: 239.9, decimals: 2, lines: [237, 238, 239, 240], shown: 0 },
    { low: 1.031, high: 1.049, decimals: 4, lines: [1.03, 1.035, 1.04, 1.045, 1.05], shown: 3 },
    { low: 8.9e-7, high: 1.86e-6, decimals: 8, lines: [1e-6, 1.2e-6, 1.4e-6, 1.6e-6, 1.8e-6], shown: 7 },
    { low: 128_504_133, high: 143_864_003, decimals: 0, lines: [130e6, 135e6, 140e6, 145e6], shown: 0 },
    { low: 80_000, high: 80_000, decimals: 0, lines: [79_000, 80_000, 81_000], shown: 0 },
    { low: 10, high: 12, decimals: 0, lines: [10, 11, 12], shown: 0 },
  ])('has grid lines at round numbers between $low and $high', ({ low, high, decimals, lines, shown }) => {
    const scale = scaleFor(low, high, 6, decimals);
    expect(scale.lines).toEqual(lines);
    expect(scale.decimals).toBe(shown);
    expect(scale.min).toBeLessThan(low);
    expect(scale.max).toBeGreaterThan(high);
  });
});

const labels = (
  from: string,
  stepMinutes: number,
  count: number,
  axis: {
    readonly interval: '5m' | '30m' | '1d';
    readonly timeZone: string;
    readonly locale?: 'ko' | 'en';
  },
): readonly string[] => {
  const start = Temporal.Instant.from(from).epochMilliseconds;
  const times = Array.from({ length: count }, (_, index) => start + index * stepMinutes * 60_000);
  return timeTicks(times, { locale: 'en', limit: 12, ...axis }).map(({ label }) => label);
};

describe('the time axis', () => {
  it("labels the hours of one day in the exchange's time, in winter and in summer", () => {
    const newYork = { interval: '5m', timeZone: 'America/New_York' } as const;
    const hours = ['09:30', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00'];
    expect(labels('2026-11-13T14:30:00Z', 5, 78, newYork)).toEqual(hours);
    expect(labels('2026-07-14T13:30:00Z', 5, 78, newYork)).toEqual(hours);
  });

  it('labels days of a week, months of a year and years of a decade', () => {
    expect(
      labels('2026-11-09T00:00:00Z', 240, 26, { interval: '30m', timeZone: 'Asia/Seoul', locale: 'ko' }),
    ).toEqual(['11/9', '11/10', '11/11', '11/12', '11/13']);
    const seoul = { interval: '1d', timeZone: 'Asia/Seoul' } as const;
    expect(labels('2026-10-05T00:00:00Z', DAY, 130, { ...seoul, locale: 'ko' })).toEqual([
      '11월',
      '12월',
      '2027',
      '2월',
    ]);
    expect(labels('2026-10-05T00:00:00Z', DAY, 130, seoul)).toEqual(['Nov', 'Dec', '2027', 'Feb']);
    expect(labels('2017-03-01T00:00:00Z', DAY * 7, 500, seoul)).toEqual(
      Array.from({ length: 9 }, (_, index) => String(2018 + index)),
    );
    expect(labels('2026-11-12T00:00:00Z', DAY, 2, seoul)).toEqual(['2026-11-12', '2026-11-13']);
  });
});

describe('the day labels', () => {
  it('begin with the first day, and in English name a month once', () => {
    const days = { interval: '30m', timeZone: 'UTC' } as const;
    expect(labels('2026-11-28T00:00:00Z', 240, 30, days)).toEqual(['Nov 28', '29', '30', 'Dec 1', '2']);
  });

  it('stand among the hours where a day of trading spans two dates', () => {
    const coin = { interval: '5m', timeZone: 'UTC', locale: 'ko' } as const;
    expect(labels('2026-11-17T08:00:00Z', 5, 288, coin)).toEqual([
      '11/17',
      '12:00',
      '14:00',
      '16:00',
      '18:00',
      '20:00',
      '22:00',
      '11/18',
      '02:00',
      '04:00',
      '06:00',
    ]);
  });
});

describe('a logarithmic axis', () => {
  it('has lines at round numbers, evenly spaced ones only where prices are close together', () => {
    expect(logScaleFor(8, 400, 5, 2).lines).toEqual([10, 20, 30, 50, 100, 200, 300, 500]);
    expect(logScaleFor(3, 900, 5, 2).lines).toEqual([3, 10, 30, 100, 300, 1_000]);
    expect(logScaleFor(0.02, 60_000, 5, 2).lines).toEqual([0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000]);
    expect(logScaleFor(100, 200, 5, 2).lines).toEqual([100, 125, 150, 175, 200]);
  });

  it('holds all prices and none below zero, also for a price that never moved', () => {
    for (const [low, high] of [
      [0.0004, 90],
      [50, 50],
    ] as const) {
      const { min, max } = logScaleFor(low, high, 5, 4);
      expect(min).toBeGreaterThan(0);
      expect(min).toBeLessThan(low);
      expect(max).toBeGreaterThan(high);
    }
  });
});

describe('the volume label', () => {
  it.each([
    [25_800_000, '2,580만', '25.8M'],
    [3_360, '3,360', '3,360'],
    [412, '412', '412'],
    [1_270_000_000, '12.7억', '1.27B'],
  ])('writes %d as people do', (value, ko, en) => {
    expect([volumeText(value, 'ko'), volumeText(value, 'en')]).toEqual([ko, en]);
  });
});

const fractions = ({ changes }: Aligned) => changes.map((change) => change?.fraction?.toFixed(2));

describe('the data of a chart', () => {
  it('merges too many days into weeks', () => {
    const days = wavesOf(1_300, { range: '5y' });
    const { bars, interval, head } = candlePicture(days, {}, KOREAN, NOW);
    expect(interval).toBe('1wk');
    expect(head.subtitle).toContain('주봉');
    expect(bars.times).toHaveLength(260);
    const [firstWeek] = [days.bars.slice(0, 5)];
    expect([bars.open[0], bars.close[0], bars.volume[0]]).toEqual([
      firstWeek[0]?.open.toNumber(),
      firstWeek[4]?.close.toNumber(),
      5_000,
    ]);
    expect(bars.high[0]).toBe(Math.max(...firstWeek.map(({ high }) => high.toNumber())));
  });

  it('merges days into the weeks or months that were asked for, and weeks into no days', () => {
    const days = wavesOf(260, { range: '1y' });
    const drawn = (history: typeof days, interval: '1d' | '1wk' | '1mo') =>
      candlePicture(history, { interval }, KOREAN, NOW);
    expect(drawn(days, '1wk').bars.times).toHaveLength(52);
    expect(drawn(days, '1wk').head.subtitle).toContain('주봉');
    expect(drawn(days, '1mo').bars.times).toHaveLength(13);
    expect(drawn(days, '1mo').head.subtitle).toContain('월봉');
    expect(drawn(days, '1d').interval).toBe('1d');
    expect(drawn({ ...days, interval: '1wk' }, '1d').interval).toBe('1wk');
    expect(drawn({ ...days, interval: '30m' }, '1wk').interval).toBe('30m');
  });

  it('names a line by its closes and a logarithmic axis as such, which needs prices above zero', () => {
    const days = wavesOf(30);
    const { shape, isLog, head } = candlePicture(days, { shape: 'line', isLog: true }, KOREAN, NOW);
    expect({ shape, isLog }).toEqual({ shape: 'line', isLog: true });
    expect(head.subtitle).toContain('일별 종가 · 로그 축');
    const yields = historyOf({ '2026-11-12': 0, '2026-11-13': 0.25 }, { instrument: TEN_YEARS });
    const even = candlePicture(yields, { isLog: true }, KOREAN, NOW);
    expect(even.isLog).toBe(false);
    expect(even.head.subtitle).not.toContain('로그');
  });

  it('keeps every point of a line, which needs no room for candles', () => {
    const days = wavesOf(1_300, { range: '5y' });
    expect(candlePicture(days, { shape: 'line' }, KOREAN, NOW).bars.times).toHaveLength(1_300);
  });

  it('keeps days for an average that needs more bars than there are weeks', () => {
    const twoYears = wavesOf(504, { instrument: APPLE, range: '2y', timeZone: 'America/New_York' });
    const barsFor = (...indicators: readonly string[]): number =>
      candlePicture(twoYears, { indicators }, KOREAN, NOW).bars.times.length;
    expect(barsFor('ma200')).toBe(504);
    expect(barsFor('ma20')).toBeLessThan(120);
    expect(barsFor()).toBeLessThan(120);
  });

  it('starts averages at the first bar by using earlier bars, which stay hidden', () => {
    const shown = wavesOf(30, { range: '1mo' });
    const first = (earlier?: typeof shown) =>
      candleSeries(candlePicture(shown, { earlier, indicators: ['ma20'] }, KOREAN, NOW));
    expect(first().averages[0]?.values[0]).toBeNull();
    const withEarlier = first(wavesOf(120));
    expect(withEarlier.averages[0]?.values[0]).not.toBeNull();
    expect(withEarlier.bars).toEqual(first().bars);
    // Bars of another interval would give another average.
    expect(first(wavesOf(120, { interval: '1wk' })).averages[0]?.values[0]).toBeNull();
  });

  it("compares from the first common day, by each exchange's own days", () => {
    const seoul = historyOf({ '2026-11-10': 90, '2026-11-11': 100, '2026-11-13': 110 });
    const york = historyOf({ '2026-11-11': 50, '2026-11-12': 45, '2026-11-13': 40 }, { instrument: APPLE });
    // New York opens on these days when it is already the next day in Seoul.
    const bars = york.bars.map((bar) => ({ ...bar, at: bar.at.add({ hours: 14, minutes: 30 }) }));
    const aligned = alignHistories([seoul, { ...york, bars, timeZone: 'America/New_York' }]);
    expect(aligned.baseDate).toBe('2026-11-11');
    expect(aligned.times.map((time) => new Date(time).toISOString().slice(0, 10))).toEqual([
      '2026-11-11',
      '2026-11-12',
      '2026-11-13',
    ]);
    expect(aligned.values.map((row) => row.map((value) => value && Math.round(value)))).toEqual([
      [0, null, 10],
      [0, -10, -20],
    ]);
    expect(fractions(aligned)).toEqual(['0.10', '-0.20']);
    const apart = alignHistories([seoul, historyOf({ '2026-11-12': 10, '2026-11-14': 20 })]);
    expect(apart.baseDate).toBeUndefined();
    expect(fractions(apart)).toEqual(['0.22', '1.00']);
  });

  it('compares from each previous close if all have one', () => {
    const year = { range: 'ytd', baseClose: new Decimal(80) } as const;
    const seoul = historyOf({ '2026-01-05': 100, '2026-01-06': 120 }, year);
    const york = historyOf({ '2026-01-02': 40, '2026-01-06': 60 }, { ...year, instrument: APPLE });
    const aligned = alignHistories([seoul, york]);
    expect(aligned.baseDate).toBeUndefined();
    expect(aligned.values).toEqual([
      [null, 25, 50],
      [-50, null, -25],
    ]);
    expect(fractions(aligned)).toEqual(['0.50', '-0.25']);
    const { head } = comparisonPicture([seoul, york], aligned, {}, KOREAN, NOW);
    expect(head.subtitle).toContain('2025년 말 종가 대비 %');
    // If one has no previous close, all start at the first common day.
    const { baseClose: _, ...without } = york;
    expect(alignHistories([seoul, without])).toMatchObject({ baseDate: '2026-01-06', values: [[0], [0]] });
  });

  it('draws yields in points beside percentages', () => {
    const yields = historyOf({ '2026-11-12': 0, '2026-11-13': 0.25 }, { instrument: TEN_YEARS });
    const shares = historyOf({ '2026-11-12': 50, '2026-11-13': 60 }, { instrument: APPLE });
    const aligned = alignHistories([yields, shares]);
    expect(aligned.values.map((row) => row.map((value) => value?.toFixed(2)))).toEqual([
      ['0.00', '0.25'],
      ['0.00', '20.00'],
    ]);
    const { lines } = comparisonPicture([yields, shares], aligned, {}, KOREAN, NOW);
    expect(lines.map(({ unit }) => unit)).toEqual(['%p', '%']);
  });

  it('names the base of the change above an intraday chart', () => {
    const day = historyOf({ '2026-11-13': 102_300 }, { range: '1d', baseClose: new Decimal(101_100) });
    expect(candlePicture(day, {}, KOREAN, NOW).head.change).toEqual({
      text: '▲ +₩1,200 (+1.19%) 전일 종가 대비',
      tone: 'up',
    });
    const { baseClose: _, ...without } = day;
    expect(candlePicture(without, {}, KOREAN, NOW)).toMatchObject({
      head: { change: undefined },
      base: undefined,
    });
  });

  it('has a line at the price that a day is measured from, within its scale, and none for a year', () => {
    const day = historyOf({ '2026-11-13': 102_300 }, { range: '1d', baseClose: new Decimal(101_100) });
    const baseOf = (history: typeof day) => candlePicture(history, {}, KOREAN, NOW).base;
    expect(baseOf(day)).toEqual({ price: 101_100, name: '전일 종가' });
    const coin = { ...day, instrument: { ...day.instrument, assetClass: 'crypto' } } as const;
    expect(baseOf(coin)).toEqual({ price: 101_100, name: '24시간 전' });
    expect(baseOf({ ...day, range: 'ytd' })).toBeUndefined();
  });

  it('states the delay of the slowest source', () => {
    const now = Temporal.Instant.from('2026-11-13T01:00:10Z');
    const asOf = now.subtract({ seconds: 10 });
    const of = (...delays: readonly (number | undefined)[]): string =>
      comparisonOrigin(
        delays.map((delayMinutes) =>
          wavesOf(2, { asOf, ...(delayMinutes !== undefined && { delayMinutes }) }),
        ),
        KOREAN,
        now,
      );
    expect(of(0, 15)).toContain('15분 지연');
    expect(of(0, 0)).toContain('실시간');
    expect(of(0, undefined)).not.toMatch(/지연|실시간/u);
  });
});
