import { describe, expect, it } from 'vitest';
import type { Instrument, HistoryRange } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { sessionOf } from '#src/markets/calendar/calendar.ts';
import { sampleInstruments } from '#src/markets/sources/sample/instruments.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { Bar, History } from '#src/markets/sources/source.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { instrumentOf } from '../market-fixtures.ts';

const { signal } = new AbortController();
/** The last minutes of the sample's last date, when coins cost what the table says. */
const clock = new ManualClock('2026-11-13T23:57:00Z');
const source = createSampleSource(clock);

const symbols = createSymbolSearch();
const find = (symbol: string): Instrument => {
  const match = [symbol, `$${symbol}`].map(symbols.resolve).find(({ status }) => status === 'found');
  if (match?.status !== 'found') throw new Error(`${symbol} is not in the index`);
  return match.instrument;
};
const historyOf = async (symbol: string, range: HistoryRange = '1y', of = source): Promise<History> => {
  const history = await of.getHistory?.(find(symbol), range, signal);
  if (!history) throw new Error(`no history of ${symbol}`);
  return history;
};
const datesOf = async (symbol: string): Promise<readonly string[]> => {
  const { bars, timeZone } = await historyOf(symbol);
  return bars.map(({ at }) => at.toZonedDateTimeISO(timeZone).toPlainDate().toString());
};
const closes = async (symbol: string) => (await historyOf(symbol)).bars.map(({ close }) => close.toFixed());
const quoteOf = async (symbol: string) => {
  const [quote] = await source.getQuotes([find(symbol)], signal);
  if (!quote) throw new Error(`no quote for ${symbol}`);
  return quote;
};
const impossible = (bars: readonly Bar[], priceDecimals: number): readonly Bar[] =>
  bars.filter(
    ({ open, high, low, close, volume }) =>
      low.greaterThan(Decimal.min(open, close)) ||
      high.lessThan(Decimal.max(open, close)) ||
      !low.greaterThan(0) ||
      volume.isNegative() ||
      !volume.isInteger() ||
      [open, high, low, close].some((price) => price.decimalPlaces() > priceDecimals),
  );

/** Days of a month on which one does not go the way of the other; hardly any move is none. */
const apart = async (one: string, other: string, way: 1 | -1): Promise<number> => {
  const [moves, others] = await Promise.all(
    [one, other].map(async (symbol) => {
      const { bars } = await historyOf(symbol, '1mo');
      return bars.slice(1).map(({ close }, index) => close.dividedBy(bars[index]?.close ?? 1).toNumber() - 1);
    }),
  );
  return (moves ?? []).filter((move, day) => {
    const far = others?.[day] ?? 0;
    return Math.abs(move) > 0.003 && Math.abs(far) > 0.003 && Math.sign(move) !== way * Math.sign(far);
  }).length;
};

describe('the table of the sample', () => {
  const all = [...sampleInstruments().values()];

  it('has at least 300 instruments of every kind', () => {
    expect(all.length).toBeGreaterThanOrEqual(600);
    const count = Map.groupBy(all, ({ symbol }) => find(symbol).assetClass);
    expect([...count.keys()].toSorted()).toEqual([
      'commodity',
      'crypto',
      'equity',
      'etf',
      'fx',
      'index',
      'rate',
    ]);
    expect(count.get('equity')?.length).toBeGreaterThan(250);
    for (const { movesWith } of all) if (movesWith) expect(source.supports(find(movesWith))).toBe(true);
  });

  it('has only what the symbol index finds by its code and by its Korean and English name', () => {
    const lost = all.flatMap(({ symbol }) => {
      const instrument = find(symbol);
      const names = [instrument.name.ko, instrument.name.en].filter((name) => {
        const match = symbols.resolve(name);
        // One that several share (the company and its share in New York, SK and what begins so) is a question.
        const found = match.status === 'ambiguous' ? match.choices : [];
        return match.status === 'found'
          ? match.instrument.symbol !== symbol
          : !found.some((each) => each.symbol === symbol);
      });
      return instrument.symbol === symbol ? names : [symbol];
    });
    expect(lost).toEqual([]);
  });

  everyRow([
    'AMD',
    '포드',
    'BRK.B',
    '삼성전자우',
    '코스피200',
    '다우',
    'gold',
    '금값',
    '은',
    '유가',
    'brent',
    '천연가스',
    '10년물 금리',
    '30 year treasury',
    '3개월물',
    '닛케이',
    '항셍',
    'VIX',
    'SCHD',
    'TLT',
    'SOXL',
    'KODEX 200',
    'TIGER 미국S&P500',
    '도지',
    'ADA',
    'SUI-KRW',
    '엔화',
    '쿠팡',
  ])('has a price of %s', async (name) => {
    expect(await source.getQuotes([find(name)], signal)).toHaveLength(1);
  });

  it('has decimals as their markets have them, and prices that can be', async () => {
    const bad: string[] = [];
    // A sixth of them: the kinds of instruments are spread over the whole table.
    for (const { symbol, lastPrice } of all.filter((_, index) => index % 6 === 0)) {
      const { bars, instrument } = await historyOf(symbol);
      const isDaily = instrument.assetClass === 'crypto';
      const closes = bars.map(({ close }) => close.toFixed());
      const times = bars.map(({ at }) => at.epochMilliseconds);
      const isSteady = Math.abs(sampleInstruments().get(symbol)?.annualVolatility ?? 0) < 0.05;
      if (
        bars.length < (isDaily ? 365 : 238) ||
        bars.length > (isDaily ? 366 : 262) ||
        bars.at(-1)?.close.toFixed(instrument.priceDecimals) !== lastPrice ||
        impossible(bars, instrument.priceDecimals).length > 0 ||
        !times.every((at, index) => index === 0 || at > (times[index - 1] ?? 0)) ||
        !bars.at(-1)?.at.toString().startsWith('2026-11-13T') ||
        (!isSteady && new Set(closes).size < bars.length / 6)
      )
        bad.push(symbol);
    }
    expect(bad).toEqual([]);
  });

  it.each([
    ['005935.KS', '005930.KS'],
    ['VOO', 'SPY'],
    ['GOOG', 'GOOGL'],
    ['BTC-KRW', 'BTC-USD'],
    ['SUI-KRW', 'SUI20947-USD'],
  ])('moves %s with %s, and an inverse fund against it', async (one, other) => {
    expect(await apart(one, other, 1)).toBe(0);
    expect(await apart('TQQQ', 'SQQQ', -1)).toBe(0);
    expect(await apart('TQQQ', 'AAPL', 1)).toBeGreaterThan(0);
  });
});

describe('sample history', () => {
  it.each([
    ['005930.KS', 'T11:00:00+09:00[Asia/Seoul]'],
    ['AAPL', 'T11:00:00[America/New_York]'],
    ['^GSPC', 'T11:00:00[America/New_York]'],
  ])('of %s has a bar on each day that its market was open, and on no other', async (symbol, time) => {
    const openDays: string[] = [];
    for (let date = Temporal.PlainDate.from('2025-11-14'); ; date = date.add({ days: 1 })) {
      const noon = Temporal.ZonedDateTime.from(`${date.toString()}${time}`).toInstant();
      if (sessionOf(find(symbol), noon) === 'open') openDays.push(date.toString());
      if (date.toString() === '2026-11-13') break;
    }
    expect(openDays.length).toBeGreaterThan(238);
    expect(await datesOf(symbol)).toEqual(openDays);
  });

  it('has weekdays for currencies and every day for coins', async () => {
    const saturday = '2026-11-07';
    expect(await datesOf('USDKRW=X')).not.toContain(saturday);
    expect(await datesOf('USDKRW=X')).toContain('2026-07-17');
    expect(await datesOf('BTC-USD')).toContain(saturday);
  });

  it('of some days is marked as sample, the same as over a range, and knows of no splits', async () => {
    const [first, last] = [Temporal.PlainDate.from('2026-11-05'), Temporal.PlainDate.from('2026-11-20')];
    const days = await source.getDays?.(find('AAPL'), { first, last }, signal);
    expect(days).toMatchObject({ isSample: true, actions: [], timeZone: 'America/New_York' });
    expect(days?.asOf.toString()).toBe('2026-11-13T21:00:00Z');
    expect(days?.bars).toEqual((await historyOf('AAPL', '1mo')).bars.slice(-7));
    expect(await source.getDays?.(instrumentOf('NONE'), { first, last }, signal)).toBeNull();
  });

  it('begins a day at its opening, also on days with other hours', async () => {
    const openings = (await historyOf('005930.KS')).bars.map(({ at }) => at.toString());
    expect(openings).toContain('2026-11-13T00:00:00Z');
    expect(openings).toContain('2026-01-02T01:00:00Z');
  });

  it('is the same to the byte in two instances, and different for two symbols', async () => {
    const all = async (of: typeof source) =>
      JSON.stringify(
        await Promise.all(
          ['005930.KS', 'AAPL', 'BTC-USD', 'USDKRW=X', '^TNX'].flatMap((symbol) =>
            (['5d', '1y'] as const).map(async (range) => (await historyOf(symbol, range, of)).bars),
          ),
        ),
      );
    expect(await all(createSampleSource(clock))).toBe(await all(source));
    expect(await closes('EURUSD=X')).not.toEqual(await closes('GBPUSD=X'));
  });

  it.each([
    ['1d', '5m', '2026-11-13T00:00:00Z'],
    ['5d', '30m', '2026-11-09T00:00:00Z'],
    ['1mo', '1d', '2026-10-14T00:00:00Z'],
    ['3mo', '1d', '2026-08-14T00:00:00Z'],
    ['6mo', '1d', '2026-05-14T00:00:00Z'],
    ['ytd', '1d', '2026-01-02T01:00:00Z'],
    ['1y', '1d', '2025-11-14T00:00:00Z'],
    ['2y', '1d', '2024-11-14T00:00:00Z'],
    // There are no more than five years.
    ['5y', '1wk', '2021-11-15T00:00:00Z'],
    ['max', '1wk', '2021-11-15T00:00:00Z'],
  ] as const)('over %s has bars of %s from %s', async (range, interval, from) => {
    const history = await historyOf('005930.KS', range);
    expect(history).toMatchObject({
      range,
      interval,
      timeZone: 'Asia/Seoul',
      source: 'sample data',
      isSample: true,
    });
    expect([history.bars[0]?.at.toString(), history.asOf.toString()]).toEqual([from, '2026-11-13T06:30:00Z']);
    const { bars: years } = await historyOf('005930.KS', '2y');
    const before = years.findLast(({ at }) => at.toString() < from);
    expect(history.baseClose).toEqual(range === '1d' || range === 'ytd' ? before?.close : undefined);
    if (interval === '1d') expect(history.bars).toEqual(years.slice(-history.bars.length));
    else if (interval === '1wk') expect(history.bars).toHaveLength(5 * 52 + 1);
    // 09:00 to 15:30 on each day.
    else expect(history.bars).toHaveLength(range === '1d' ? 78 : 5 * 13);
  });

  it.each(['AAPL', '005930.KS', 'USDKRW=X', '^TNX', 'GC=F', 'SQQQ'])(
    'of %s within its days adds up to them',
    async (symbol) => {
      const days = (await historyOf(symbol)).bars.slice(-5);
      for (const range of ['1d', '5d'] as const) {
        const { bars, instrument } = await historyOf(symbol, range);
        expect(impossible(bars, instrument.priceDecimals)).toEqual([]);
        const wanted = range === '1d' ? days.slice(-1) : days;
        const size = bars.length / wanted.length;
        expect(
          wanted.map((_, index) => {
            const inDay = bars.slice(index * size, (index + 1) * size);
            return {
              at: inDay[0]?.at,
              open: inDay[0]?.open,
              high: Decimal.max(...inDay.map(({ high }) => high)),
              low: Decimal.min(...inDay.map(({ low }) => low)),
              close: inDay.at(-1)?.close,
              volume: Decimal.sum(...inDay.map(({ volume }) => volume)),
            };
          }),
        ).toEqual(wanted);
      }
    },
  );
});

const mean = (part: readonly number[]): number => part.reduce((a, b) => a + b, 0) / part.length;

describe('sample bars within a day', () => {
  it.each([
    ['005930.KS', '1d'],
    ['AAPL', '1d'],
    ['NVDA', '5d'],
    ['BTC-USD', '1d'],
    ['ETH-USD', '5d'],
  ] as const)('of %s over %s look like a market', async (symbol, range) => {
    const { bars } = await historyOf(symbol, range);
    const number = (of: keyof Omit<Bar, 'at'>) => bars.map((bar) => bar[of].toNumber());
    const [opens, highs, lows, closes, volumes] = [
      number('open'),
      number('high'),
      number('low'),
      number('close'),
      number('volume'),
    ];
    const wicks = bars.map(
      (_, index) =>
        (highs[index] ?? 0) - (lows[index] ?? 0) - Math.abs((opens[index] ?? 0) - (closes[index] ?? 0)),
    );
    const whole = Math.max(...highs) - Math.min(...lows);
    // Most have a wick, none a giant one.
    expect(wicks.filter((wick) => wick > 0).length).toBeGreaterThan(bars.length * 0.75);
    expect(Math.max(...wicks)).toBeLessThan(whole * 0.45);
    // No plateaus: four equal closes in a row are rare.
    const flat = closes.filter((close, index) => [1, 2, 3].every((next) => close === closes[index + next]));
    expect(flat.length).toBeLessThan(bars.length * 0.06);
    expect(new Set(volumes).size).toBeGreaterThan(bars.length * 0.4);
  });

  it('are busy at the opening and the close, and quiet at noon', async () => {
    for (const symbol of ['005930.KS', 'AAPL', 'TSLA']) {
      const { bars } = await historyOf(symbol, '1d');
      const volumes = bars.map(({ volume }) => volume.toNumber());
      const third = Math.floor(volumes.length / 3);
      const noon = mean(volumes.slice(third, -third));
      expect(mean(volumes.slice(0, 6))).toBeGreaterThan(noon * 1.4);
      expect(mean(volumes.slice(-6))).toBeGreaterThan(noon * 1.4);
    }
  });

  it('of a coin are the last 24 hours, and go on with the clock as they were told before', async () => {
    const earlier = createSampleSource(new ManualClock('2026-11-15T23:50:00Z'));
    const later = createSampleSource(new ManualClock('2026-11-16T00:20:00Z'));
    const [before, after] = [
      await historyOf('BTC-USD', '1d', earlier),
      await historyOf('BTC-USD', '1d', later),
    ];
    expect([before.bars.length, after.bars.length]).toEqual([288, 288]);
    expect(after.asOf.toString()).toBe('2026-11-16T00:20:00Z');
    expect(after.bars.at(-1)?.at.toString()).toBe('2026-11-16T00:20:00Z');
    // What was told half an hour ago still holds.
    expect(after.bars.slice(0, -6)).toEqual(before.bars.slice(6));
    const jump = after.bars
      .at(-5)
      ?.open.dividedBy(after.bars.at(-6)?.close ?? 1)
      .minus(1)
      .abs();
    expect(jump?.lessThan(0.001)).toBe(true);
    const years = await historyOf(
      'BTC-USD',
      '5y',
      createSampleSource(new ManualClock('2031-01-01T00:00:00Z')),
    );
    const closes = years.bars.map(({ close }) => close.toNumber());
    expect([Math.min(...closes) > 15_000, Math.max(...closes) < 600_000]).toEqual([true, true]);
  });
});

it('keeps a sample coin in won what the one in dollars is worth, at every minute', async () => {
  for (const now of ['2026-11-13T23:57:00Z', '2026-11-16T06:10:00Z', '2027-03-01T17:43:00Z']) {
    const of = createSampleSource(new ManualClock(now));
    for (const coin of ['BTC', 'ETH', 'SOL']) {
      const [won, dollars] = await of.getQuotes([find(`${coin}-KRW`), find(`${coin}-USD`)], signal);
      const rate = won?.price.dividedBy(dollars?.price ?? 1).toNumber() ?? 0;
      expect(rate).toBeGreaterThan(1463.25 * 0.995);
      expect(rate).toBeLessThan(1463.25 * 1.005);
    }
  }
});

describe('sample quote', () => {
  it('is the last bar against the close before, and says that it is made up', async () => {
    const quote = await quoteOf('005930.KS');
    const { bars } = await historyOf('005930.KS');
    const [previous, last] = bars.slice(-2);
    expect(quote.price.toFixed()).toBe('102300');
    // Written out: the sample has to be the same on every machine, not only twice on this one.
    expect(quote.previousClose?.toFixed()).toBe('103600');
    expect(quote.previousClose).toEqual(previous?.close);
    expect(quote.dayRange).toEqual({ low: last?.low, high: last?.high });
    expect(quote.volume).toEqual(last?.volume);
    expect(quote.yearRange).toEqual({
      low: Decimal.min(...bars.map(({ low }) => low)),
      high: Decimal.max(...bars.map(({ high }) => high)),
    });
    expect(quote).toMatchObject({ source: 'sample data', isSample: true });
  });

  it.each([
    ['005930.KS', '2026-11-13T06:30:00Z'],
    ['AAPL', '2026-11-13T21:00:00Z'],
    ['BTC-USD', '2026-11-13T23:57:00Z'],
    ['USDKRW=X', '2026-11-13T21:00:00Z'],
  ])('of %s is as of the close, %s', async (symbol, asOf) => {
    expect((await quoteOf(symbol)).asOf.toString()).toBe(asOf);
  });

  it('has no volume where nobody counts it', async () => {
    expect(await quoteOf('USDKRW=X')).not.toHaveProperty('volume');
  });

  it('is left out for what the sample does not have', async () => {
    const stranger = instrumentOf('NOPE');
    expect(source.supports(stranger)).toBe(false);
    expect(await source.getQuotes([stranger], signal)).toEqual([]);
    expect(await source.getHistory?.(stranger, '1y', signal)).toBeNull();
  });

  it('goes on by the clock: it moves while the market is open, and stands at the last close while it is not', async () => {
    const samsung = find('005930.KS');
    const at = async (now: string) => {
      const later = createSampleSource(new ManualClock(now));
      const [quote] = await later.getQuotes([samsung], signal);
      const { bars } = await historyOf('005930.KS', '1mo', later);
      return { ...quote, last: bars.at(-1)?.close };
    };
    const close = await at('2026-11-13T06:30:00Z');
    const [friday, saturday, early] = await Promise.all(
      ['2026-12-04T06:30:00Z', '2026-12-05T12:00:00Z', '2026-12-06T23:59:00Z'].map(at),
    );
    expect(friday?.asOf?.toString()).toBe('2026-12-04T06:30:00Z');
    expect(saturday).toEqual(friday);
    expect(early).toEqual(friday);
    expect(friday?.price).not.toEqual(close.price);
    const open = await Promise.all(
      ['2026-12-07T00:30:00Z', '2026-12-07T01:00:00Z', '2026-12-07T05:00:00Z'].map(at),
    );
    for (const { price, previousClose, asOf, last } of open) {
      expect(previousClose).toEqual(friday?.price);
      expect(last).toEqual(price);
      expect(asOf?.toString()).toMatch(/^2026-12-07T0/u);
    }
    expect(new Set(open.map(({ price }) => price?.toFixed())).size).toBeGreaterThan(1);
  });
});

/** Changes from day to day, by the day. */
const movesOf = async (symbol: string): Promise<ReadonlyMap<string, number>> => {
  const { bars, timeZone } = await historyOf(symbol);
  return new Map(
    bars.slice(1).map(({ at, close }, index) => {
      const day = at.toZonedDateTimeISO(timeZone).toPlainDate().toString();
      return [day, close.dividedBy(bars[index]?.close ?? close).toNumber() - 1];
    }),
  );
};

const correlation = async (one: string, other: string): Promise<number> => {
  const [a, b] = await Promise.all([movesOf(one), movesOf(other)]);
  const pairs = [...a].flatMap(([day, move]) => {
    const far = b.get(day);
    return far === undefined ? [] : [[move, far] as const];
  });
  const [x, y] = [mean(pairs.map(([move]) => move)), mean(pairs.map(([, far]) => far))];
  const of = (product: (move: number, far: number) => number): number =>
    mean(pairs.map(([move, far]) => product(move - x, far - y)));
  return of((m, f) => m * f) / Math.sqrt(of((m) => m * m) * of((_m, f) => f * f));
};

describe('the series of the sample', () => {
  everyRow<[one: string, other: string, least: number, most: number]>([
    // An index and its large shares
    ['^GSPC', 'AAPL', 0.4, 0.8],
    ['^GSPC', 'MSFT', 0.4, 0.8],
    ['^GSPC', 'NVDA', 0.4, 0.8],
    ['^GSPC', 'TSLA', 0.4, 0.8],
    ['^KS11', '005930.KS', 0.4, 0.8],
    ['^KS11', '000660.KS', 0.4, 0.8],
    // Two shares of one market, two indices, two markets
    ['AAPL', 'NVDA', 0.2, 0.7],
    ['^GSPC', '^NDX', 0.8, 0.95],
    ['^GSPC', '^KS11', 0.1, 0.6],
    ['BTC-USD', 'ETH-USD', 0.6, 0.9],
    // What goes against it, and what goes its own way
    ['^GSPC', '^VIX', -0.9, -0.6],
    ['^GSPC', 'GC=F', -0.2, 0.2],
    ['AAPL', 'USDKRW=X', -0.2, 0.2],
  ])('of %s and %s correlate as real ones do: %d to %d', async (one, other, least, most) => {
    const found = await correlation(one, other);
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(most);
  });
});
