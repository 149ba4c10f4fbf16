import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { TERMINAL } from '#src/kernel/chat/terminal.ts';
import { Decimal } from '#src/kernel/money.ts';
import { type Charts, createCharts } from '#src/markets/charts/charts.ts';
import { chartColours, PIXELS_A_UNIT, TEXT, WIDTH } from '#src/markets/charts/chart-style.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { recordingLogger } from '#test/support/context.ts';
import { APPLE, SAMSUNG } from '#test/support/instruments.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { historyOf, wavesOf } from './histories.ts';

const { signal } = new AbortController();
const KOREAN = { locale: 'ko', timeZone: 'Asia/Seoul' } as const;
const ENGLISH = { locale: 'en', timeZone: 'America/New_York' } as const;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** The number of pixels of exactly this colour. */
  readonly count: (colour: string) => number;
  readonly isCorner: (colour: string) => boolean;
  readonly box: (x: number, y: number, width: number, height: number) => Buffer;
}

/** The bytes of a pixel as one number: red, green, blue and an opaque alpha. */
const pixelOf = (colour: string): number => Buffer.from(`${colour.slice(1)}ff`, 'hex').readUInt32LE();

/** Decodes a chart with another decoder than the one that wrote it. */
const pixelsOf = async ({ url }: MediaAttachment): Promise<Pixels> => {
  const image = await loadImage(fileURLToPath(url));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { buffer } = Uint8Array.from(context.getImageData(0, 0, width, height).data);
  const pixels = new Uint32Array(buffer);
  const counts = new Map<number, number>();
  // Neighbours mostly have one colour, so each stretch of it is counted at once.
  let from = 0;
  for (let index = 1; index <= pixels.length; index += 1) {
    const colour = pixels[from] ?? 0;
    if (index < pixels.length && pixels[index] === colour) continue;
    counts.set(colour, (counts.get(colour) ?? 0) + index - from);
    from = index;
  }
  return {
    width,
    height,
    count: (colour) => counts.get(pixelOf(colour)) ?? 0,
    isCorner: (colour) => pixels[0] === pixelOf(colour),
    box: (...at) => Buffer.from(context.getImageData(...at).data),
  };
};

type Area = readonly [x: number, y: number, width: number, height: number];

/** Each picture has its own palette, so the smoothed edges of a letter may differ by this. */
const SAME_SHADE = 12;

const same = (a: Pixels | undefined, b: Pixels | undefined, area: Area): boolean => {
  if (a === undefined || b === undefined) return false;
  const other = b.box(...area);
  return a.box(...area).every((value, index) => Math.abs(value - (other[index] ?? 0)) <= SAME_SHADE);
};

/** Thirty days of an instrument with this name. */
const named = (ko: string, isSample = false) =>
  wavesOf(30, { instrument: { ...SAMSUNG, name: { ko, en: ko } }, isSample });

let dataDir: string;
let charts: Charts;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'finclaw-charts-'));
  charts = createCharts({
    files: createSentFiles({ dataDir, clock: new ManualClock() }),
    clock: new ManualClock(),
    logger: recordingLogger().logger,
    drawsPlots: (channelId) => channelId === TERMINAL,
  });
});
afterAll(async () => {
  await charts.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('charts', () => {
  it('draws Korean candles in red and blue and saves each chart in its own file', async () => {
    const media = await charts.candles(wavesOf(120), {}, KOREAN, signal);
    const path = fileURLToPath(media.url);
    const { mode, size } = await stat(path);
    expect(media).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      name: '005930-6mo.png',
      url: media.url,
      sizeBytes: size,
      altText: media.altText,
    });
    expect(path.startsWith(join(dataDir, 'charts') + '/')).toBe(true);
    expect(mode & 0o777).toBe(0o600);
    expect((await readdir(join(dataDir, 'charts'))).filter((name) => !name.endsWith('.png'))).toEqual([]);

    const pixels = await pixelsOf(media);
    const { tones, averages, background } = chartColours('light', 'ko');
    expect([pixels.width, pixels.height, pixels.isCorner(background)]).toEqual([1_280, 1_036, true]);
    expect(pixels.count(tones.up)).toBeGreaterThan(500);
    expect(pixels.count(tones.down)).toBeGreaterThan(500);
    expect(pixels.count(chartColours('light', 'en').tones.up)).toBe(0);
    expect(averages.map((colour) => pixels.count(colour) > 20)).toEqual([true, true, false, false, false]);
  });

  it('draws other candles in green and red, supports the dark theme, and grows with panels', async () => {
    const options = { theme: 'dark', indicators: ['bollinger', 'rsi', 'macd'] } as const;
    const pixels = await pixelsOf(await charts.candles(wavesOf(120), options, ENGLISH, signal));
    const { tones, background } = chartColours('dark', 'en');
    expect([pixels.width, pixels.height, pixels.isCorner(background)]).toEqual([1_280, 1_524, true]);
    expect(pixels.count(tones.up)).toBeGreaterThan(200);
    expect(pixels.count(tones.down)).toBeGreaterThan(200);
    expect(pixels.count(chartColours('dark', 'ko').tones.down)).toBe(0);
  });

  it('have two pixels for each unit, and letters of nine pixels where a phone shows them', async () => {
    const { width } = await pixelsOf(await charts.candles(wavesOf(20), {}, KOREAN, signal));
    expect(width).toBe(WIDTH * PIXELS_A_UNIT);
    expect((TEXT * 390) / WIDTH).toBeGreaterThanOrEqual(9);
  });

  it('hand the same numbers to a channel that draws with characters, and to no other', async () => {
    const there = { ...KOREAN, channelId: TERMINAL };
    const day = wavesOf(300, { range: '1d', baseClose: new Decimal(40) });
    const { plot } = await charts.candles(day, {}, there, signal);
    const closes = day.bars.map(({ close }) => close.toNumber());
    expect(plot?.lines[0]?.values).toHaveLength(200);
    expect(plot?.lines[0]?.values.at(-1)).toBe(closes.at(-1));
    expect(plot).toMatchObject({ low: '₩40', base: { value: 40, name: '전일 종가 ₩40' } });
    const pair = [named('하나'), named('둘')];
    expect((await charts.comparison(pair, {}, there, signal)).plot).toMatchObject({
      lines: [{ name: '하나' }, { name: '둘' }],
      base: { value: 0 },
    });
    expect(await charts.comparison(pair, {}, KOREAN, signal)).not.toHaveProperty('plot');
  });

  it('draw the previous close as a line, though no candle comes near it', async () => {
    const { muted } = chartColours('light', 'ko');
    const countOf = async (baseClose?: Decimal): Promise<number> => {
      const day = wavesOf(60, { range: '1d', ...(baseClose && { baseClose }) });
      return (await pixelsOf(await charts.candles(day, {}, KOREAN, signal))).count(muted);
    };
    expect((await countOf(new Decimal(40))) - (await countOf())).toBeGreaterThan(500);
  });

  it("give the tag of the last price the headline's colour, whatever the last candle's is", async () => {
    // Falls by a third, but rises on the last day.
    const fallen = historyOf({ '2026-11-10': 90, '2026-11-11': 70, '2026-11-12': 50, '2026-11-13': 60 });
    const { box } = await pixelsOf(await charts.candles(fallen, {}, KOREAN, signal));
    const { up, down } = chartColours('light', 'ko').tones;
    const axis = box(1_180, 300, 90, 500);
    const count = (colour: string): number =>
      Array.from({ length: axis.length / 4 }, (_, index) => axis.readUInt32LE(index * 4)).filter(
        (pixel) => pixel === pixelOf(colour),
      ).length;
    expect(count(down)).toBeGreaterThan(500);
    expect(count(up)).toBe(0);
  });

  it('draw a line of closes in the colour of the change, also on a logarithmic axis', async () => {
    const risen = wavesOf(60);
    for (const isLog of [false, true]) {
      const options = { shape: 'line', isLog, indicators: ['ma20', 'bollinger'] } as const;
      const media = await charts.candles(risen, options, KOREAN, signal);
      expect(media.altText).toContain('선 차트');
      const pixels = await pixelsOf(media);
      const { up, down } = chartColours('light', 'ko').tones;
      const [line, other] = [up, down].map((colour) => pixels.count(colour)).toSorted((a, b) => b - a);
      expect(line).toBeGreaterThan(1_000);
      expect(other).toBe(0);
    }
  });

  it('describes the chart in its alt text', async () => {
    const closes = { '2026-11-11': 70_000, '2026-11-12': 80_000, '2026-11-13': 77_000 };
    const shown = historyOf(closes, { range: '5d' });
    expect((await charts.candles(shown, {}, KOREAN, signal)).altText).toBe(
      '삼성전자 (005930, KOSPI) 캔들 차트(2026-11-11 – 2026-11-13, 일봉): ₩70,000 → ₩77,000 (+10.00%), 최고 ₩80,001 (2026-11-13), 최저 ₩69,999 (2026-11-12). 기준 2026-11-13 15:30 KST · 출처: Test Exchange.',
    );
    const day = historyOf({ '2026-11-13': 77_000 }, { range: '1d', baseClose: new Decimal(70_000) });
    expect((await charts.candles(day, {}, ENGLISH, signal)).altText).toContain(
      'from ₩70,000 (previous close) to ₩77,000 (+10.00%)',
    );
    const made = { ...shown, isSample: true };
    const apple = historyOf({ '2026-11-12': 200, '2026-11-13': 190 }, { instrument: APPLE, isSample: true });
    const compared = await charts.comparison([made, apple], {}, ENGLISH, signal);
    expect(compared.name).toBe('compare-005930-AAPL-5d.png');
    // From the first day that both have: 80,000 and 200.
    expect(compared.altText).toBe(
      'Line chart that compares the change over 2026-11-12 – 2026-11-13, % from 2026-11-12, the first common day: Samsung Electronics Co., Ltd. (005930, KOSPI) -3.75%, Apple Inc. (AAPL, NASDAQ) -5.00%; as of 2026-11-13 01:30 EST · source: sample data. Sample data, not real prices.',
    );
    const pixels = await pixelsOf(compared);
    const [first = '', second = '', third = ''] = chartColours('light', 'en').lines;
    expect([first, second, third].map((colour) => pixels.count(colour) > 100)).toEqual([true, true, false]);
  });

  it('renders Korean with the bundled font and watermarks sample data', async () => {
    const [one, other, sample] = await Promise.all(
      [named('가나'), named('하카'), named('가나', true)].map(async (history) =>
        pixelsOf(await charts.candles(history, {}, KOREAN, signal)),
      ),
    );
    const title: Area = [36, 28, 96, 50];
    // Without the glyphs both would be the same two boxes.
    expect(same(one, other, title)).toBe(false);
    expect(same(one, sample, title)).toBe(true);
    const middle: Area = [300, 400, 700, 300];
    expect(same(one, other, middle)).toBe(true);
    expect(same(one, sample, middle)).toBe(false);
  });

  it('draws a single bar, a flat price, 1,300 days and prices of a millionth', async () => {
    const flat = Object.fromEntries(wavesOf(40).bars.map(({ at }) => [at.toString().slice(0, 10), 5_000]));
    const tiny = wavesOf(40, { instrument: { ...APPLE, priceDecimals: 8 } });
    const shrunk = tiny.bars.map((bar) => ({
      ...bar,
      open: bar.open.times(1e-11),
      high: bar.high.times(1e-11),
      low: bar.low.times(1e-11),
      close: bar.close.times(1e-11),
    }));
    const odd = [wavesOf(1), historyOf(flat), wavesOf(1_300, { range: '5y' }), { ...tiny, bars: shrunk }];
    for (const history of odd) {
      const pixels = await pixelsOf(await charts.candles(history, {}, KOREAN, signal));
      const { up, down } = chartColours('light', 'ko').tones;
      expect(pixels.count(up) + pixels.count(down)).toBeGreaterThan(300);
    }
  });

  it('draw prices below zero, and tell no percentage from one', async () => {
    const oil = { ...APPLE, assetClass: 'commodity' as const };
    const closes = { '2020-04-17': 18.27, '2020-04-20': -37.63, '2020-04-21': 10.01 };
    const whole = historyOf(closes, { instrument: oil });
    const { '2020-04-17': _first, ...rest } = closes;
    const [all, later] = [whole, historyOf(rest, { instrument: oil })].map((history) =>
      charts.candles(history, {}, ENGLISH, signal),
    );
    expect((await all)?.altText).toMatch(/from \$18\.27 to \$10\.01 \(-45\.21%\).*low -\$38\.63/u);
    expect((await later)?.altText).toMatch(/from -\$37\.63 to \$10\.01 \(\+?\$47\.64\)/u);
  });
});

const parts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    label: `종목 ${index + 1}`,
    value: new Decimal(count - index).times(1_000_000),
  }));

const allocation = (count: number, isSample = false) =>
  charts.allocation(
    {
      title: '연금',
      currency: 'KRW',
      total: new Decimal(55_000_000),
      parts: parts(count),
      origin: '2026-11-13 15:30 KST 기준',
      isSample,
    },
    KOREAN,
    signal,
  );

describe('portfolio charts', () => {
  it('draws each part of an allocation and merges the smallest ones', async () => {
    const few = await allocation(3);
    const many = await allocation(30);
    expect(few.altText).toContain('종목 1 50.0%, 종목 2 33.3%, 종목 3 16.7%');
    expect(many.altText).toContain('그 외 22개');
    const colours = chartColours('light', 'ko');
    const pixels = await pixelsOf(few);
    // Half of the ring is of the first colour, a third of the second.
    const [first, second] = [pixels.count(colours.lines[0] ?? ''), pixels.count(colours.lines[1] ?? '')];
    expect(first / second).toBeGreaterThan(1.4);
    expect(first / second).toBeLessThan(1.6);
  });

  it('draws value and contributions in the light colours', async () => {
    const points = Array.from({ length: 60 }, (_, index) => ({
      date: Temporal.PlainDate.from('2026-01-05').add({ days: index }),
      value: 1_000 + index * 10,
      contributed: 900,
    }));
    const media = await charts.valueOverTime(
      {
        title: 'main',
        subtitle: '3 months',
        currency: 'USD',
        points,
        headline: '$1,590.00',
        origin: 'as of 2026-03-05',
        isSample: false,
      },
      ENGLISH,
      signal,
    );
    const colours = chartColours('light', 'en');
    const pixels = await pixelsOf(media);
    expect(pixels.isCorner(colours.background)).toBe(true);
    expect(pixels.count(colours.lines[0] ?? '')).toBeGreaterThan(500);
    expect(media.altText).toBe(
      'Value of main, 2026-01-05 – 2026-03-05: from $1,000.00 to $1,590.00; paid in until then, net: $900.00. as of 2026-03-05',
    );
  });

  it('are dark where that was asked for', async () => {
    const request = {
      title: 'main',
      theme: 'dark',
      currency: 'USD',
      origin: 'as of 2026-03-05',
      isSample: false,
    } as const;
    const points = [5, 6].map((day) => ({
      date: Temporal.PlainDate.from({ year: 2026, month: 1, day }),
      value: day,
      contributed: 1,
    }));
    const pictures = [
      await charts.allocation({ ...request, total: new Decimal(6e6), parts: parts(3) }, ENGLISH, signal),
      await charts.valueOverTime({ ...request, subtitle: '', points, headline: '$6' }, ENGLISH, signal),
    ];
    const { background } = chartColours('dark', 'en');
    for (const media of pictures) expect((await pixelsOf(media)).isCorner(background)).toBe(true);
  });

  it('fills a negative value from zero downwards', async () => {
    const points = Array.from({ length: 60 }, (_, index) => ({
      date: Temporal.PlainDate.from('2026-01-05').add({ days: index }),
      value: -1_000 - index,
      contributed: -1_000,
    }));
    const media = await charts.valueOverTime(
      {
        title: 'Portfolio main',
        subtitle: '3 months',
        currency: 'USD',
        points,
        headline: '-$1,059.00',
        origin: 'as of 2026-03-05',
        isSample: false,
      },
      ENGLISH,
      signal,
    );
    const pixels = await pixelsOf(media);
    const background = pixelOf(chartColours('light', 'en').background);
    // Halfway between zero, which is near the top, and the value, which is near the bottom.
    const middle = pixels.box(pixels.width / 2, pixels.height / 2, 20, 20);
    const colours = Array.from({ length: 400 }, (_, index) => middle.readUInt32LE(index * 4));
    expect(colours.filter((colour) => colour === background)).toEqual([]);
  });

  it('watermark sample prices', async () => {
    const [real, sample] = await Promise.all([allocation(3), allocation(3, true)]);
    expect(sample.altText).toContain('샘플');
    expect(same(await pixelsOf(real), await pixelsOf(sample), [300, 250, 600, 300])).toBe(false);
  });
});
