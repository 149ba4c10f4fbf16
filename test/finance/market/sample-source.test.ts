import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/core/finance.ts';
import type { HistoryRange } from '#src/core/market-desk.ts';
import { Decimal } from '#src/core/money.ts';
import { sessionOf } from '#src/finance/calendar/calendar.ts';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSampleSource } from '#src/finance/market/sample-source.ts';
import type { Bar, History } from '#src/finance/market/source.ts';
import { createSymbolSearch } from '#src/finance/symbols/symbols.ts';
import { instrumentOf } from './market-fixtures.ts';

const { signal } = new AbortController();
const source = createSampleSource();

const symbols = createSymbolSearch();
const find = (symbol: string): Instrument => {
  const match = symbols.resolve(symbol);
  if (match.status !== 'found') throw new Error(`${symbol} is not in the index`);
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

it('lists every instrument once', () => {
  const symbols = SAMPLE_INSTRUMENTS.map(({ symbol }) => symbol);
  expect(new Set(symbols).size).toBe(symbols.length);
  expect(symbols.length).toBeGreaterThanOrEqual(50);
});

describe.each(SAMPLE_INSTRUMENTS.map((sample) => [sample.symbol, sample] as const))(
  'history of %s',
  (symbol, { lastPrice }) => {
    it('is a year of possible days that ends at the last price on 2026-11-13', async () => {
      const { bars, instrument } = await historyOf(symbol);
      const isDaily = instrument.assetClass === 'crypto';
      expect(bars.length).toBeGreaterThanOrEqual(isDaily ? 365 : 238);
      expect(bars.length).toBeLessThanOrEqual(isDaily ? 366 : 262);
      expect(instrument.symbol).toBe(symbol);
      expect(bars.at(-1)?.close.toFixed(instrument.priceDecimals)).toBe(lastPrice);
      expect(impossible(bars, instrument.priceDecimals)).toEqual([]);
      const times = bars.map(({ at }) => at.epochMilliseconds);
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
      expect(bars.at(-1)?.at.toString()).toMatch(/^2026-11-13T/);
      expect(new Set(bars.map(({ close }) => close.toFixed())).size).toBeGreaterThan(bars.length / 6);
    });
  },
);

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
    expect(await all(createSampleSource())).toBe(await all(source));
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
    // There is no more than a year.
    ['2y', '1d', '2025-11-14T00:00:00Z'],
    ['5y', '1d', '2025-11-14T00:00:00Z'],
    ['max', '1d', '2025-11-14T00:00:00Z'],
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
    const { bars: year } = await historyOf('005930.KS');
    const before = year.findLast(({ at }) => at.toString() < from);
    expect(history.baseClose).toEqual(range === '1d' || range === 'ytd' ? before?.close : undefined);
    if (interval === '1d') expect(history.bars).toEqual(year.slice(-history.bars.length));
    // 09:00 to 15:30 on each day.
    else expect(history.bars).toHaveLength(range === '1d' ? 78 : 5 * 13);
  });

  it.each(['AAPL', 'BTC-USD', 'DOGE-USD', 'USDKRW=X', '^TNX'])(
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

describe('sample quote', () => {
  it('is the last bar against the close before, and says that it is made up', async () => {
    const quote = await quoteOf('005930.KS');
    const { bars } = await historyOf('005930.KS');
    const [previous, last] = bars.slice(-2);
    expect(quote.price.toFixed()).toBe('102300');
    // Written out: the sample has to be the same on every machine, not only twice on this one.
    expect(quote.previousClose?.toFixed()).toBe('101998');
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
    ['BTC-USD', '2026-11-13T21:00:00Z'],
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
});
