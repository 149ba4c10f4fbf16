import { describe, expect, it } from 'vitest';
import { createMarketHours } from '#src/finance/calendar.ts';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSampleSource } from '#src/finance/market/sample-source.ts';

const { signal } = new AbortController();
const source = createSampleSource();
const instrumentOf = (symbol: string) => {
  const found = SAMPLE_INSTRUMENTS.find(({ instrument }) => instrument.symbol === symbol);
  if (!found) throw new Error(`no sample ${symbol}`);
  return found.instrument;
};
const datesOf = async (symbol: string): Promise<readonly string[]> =>
  (await source.getHistory(instrumentOf(symbol), signal)).map(({ date }) => date.toString());
const closes = async (symbol: string) =>
  (await source.getHistory(instrumentOf(symbol), signal)).map(({ close }) => close.toFixed());
const allHistories = async ({ getHistory }: typeof source) =>
  JSON.stringify(
    await Promise.all(SAMPLE_INSTRUMENTS.map(({ instrument }) => getHistory(instrument, signal))),
  );
const quoteOf = async (symbol: string) => {
  const [quote] = await source.getQuotes([instrumentOf(symbol)], signal);
  if (!quote) throw new Error(`no quote for ${symbol}`);
  return quote;
};

it('lists every instrument once', () => {
  const symbols = SAMPLE_INSTRUMENTS.map(({ instrument }) => instrument.symbol);
  expect(new Set(symbols).size).toBe(symbols.length);
  expect(symbols.length).toBeGreaterThanOrEqual(30);
});

describe.each(SAMPLE_INSTRUMENTS.map((sample) => [sample.instrument.symbol, sample] as const))(
  'history of %s',
  (_, { instrument, lastPrice }) => {
    it('is a year of possible days that ends at the last price on 2026-11-13', async () => {
      const bars = await source.getHistory(instrument, signal);
      const isDaily = instrument.assetClass === 'crypto';
      expect(bars.length).toBeGreaterThanOrEqual(isDaily ? 365 : 238);
      expect(bars.length).toBeLessThanOrEqual(isDaily ? 366 : 262);
      expect(bars.at(-1)?.date.toString()).toBe('2026-11-13');
      expect(bars.at(-1)?.close.toFixed(instrument.priceDecimals)).toBe(lastPrice);

      const impossible = bars.filter(
        ({ open, high, low, close, volume }) =>
          low.greaterThan(open) ||
          low.greaterThan(close) ||
          high.lessThan(open) ||
          high.lessThan(close) ||
          !low.isPositive() ||
          low.isZero() ||
          volume.isNegative() ||
          !volume.isInteger() ||
          [open, high, low, close].some((price) => price.decimalPlaces() > instrument.priceDecimals),
      );
      expect(impossible).toEqual([]);

      const dates = bars.map(({ date }) => date.toString());
      expect(dates).toEqual([...new Set(dates)].toSorted());
      expect(new Set(bars.map(({ close }) => close.toFixed())).size).toBeGreaterThan(bars.length / 4);
    });
  },
);

describe('sample history', () => {
  it.each([
    ['005930.KS', 'KRX', 'T11:00:00+09:00[Asia/Seoul]'],
    ['247540.KQ', 'KRX', 'T11:00:00+09:00[Asia/Seoul]'],
    ['^KS11', 'KRX', 'T11:00:00+09:00[Asia/Seoul]'],
    ['AAPL', 'NYSE', 'T11:00:00[America/New_York]'],
    ['SPY', 'NYSE', 'T11:00:00[America/New_York]'],
    ['^GSPC', 'NYSE', 'T11:00:00[America/New_York]'],
  ])('of %s has a bar on each day that %s was open, and on no other', async (symbol, market, time) => {
    const hours = createMarketHours();
    const openDays: string[] = [];
    for (let date = Temporal.PlainDate.from('2025-11-14'); ; date = date.add({ days: 1 })) {
      const noon = Temporal.ZonedDateTime.from(`${date.toString()}${time}`).toInstant();
      if (hours.sessionAt(market, noon).isOpen) openDays.push(date.toString());
      if (date.toString() === '2026-11-13') break;
    }
    expect(await datesOf(symbol)).toEqual(openDays);
  });

  it('leaves out holidays of one market only', async () => {
    const [korean, american] = [await datesOf('005930.KS'), await datesOf('AAPL')];
    expect(korean).not.toContain('2026-07-17');
    expect(american).toContain('2026-07-17');
    expect(american).not.toContain('2026-07-03');
    expect(korean).toContain('2026-07-03');
  });

  it('has weekdays for currencies and every day for coins', async () => {
    const saturday = '2026-11-07';
    expect(await datesOf('USDKRW=X')).not.toContain(saturday);
    expect(await datesOf('USDKRW=X')).toContain('2026-07-17');
    expect(await datesOf('BTC-USD')).toContain(saturday);
  });

  it('is the same to the byte in two instances, and different for two symbols', async () => {
    expect(await allHistories(createSampleSource())).toBe(await allHistories(source));
    expect(await closes('BTC-USD')).not.toEqual(await closes('ETH-USD'));
  });

  it('is made once a symbol', async () => {
    const instrument = instrumentOf('AAPL');
    expect(await source.getHistory(instrument, signal)).toBe(await source.getHistory(instrument, signal));
  });
});

describe('sample quote', () => {
  it('is the last bar against the close before, and says that it is made up', async () => {
    const quote = await quoteOf('005930.KS');
    const bars = await source.getHistory(quote.instrument, signal);
    const [previous, last] = bars.slice(-2);
    expect(quote.price.toFixed()).toBe('102300');
    // Written out: the sample has to be the same on every machine, not only twice on this one.
    expect(quote.previousClose.toFixed()).toBe('101998');
    expect(quote.previousClose).toEqual(previous?.close);
    expect([quote.dayLow, quote.dayHigh, quote.volume]).toEqual([last?.low, last?.high, last?.volume]);
    expect(bars.some(({ low }) => low.equals(quote.yearLow))).toBe(true);
    expect(bars.some(({ high }) => high.equals(quote.yearHigh))).toBe(true);
    expect(
      bars.every(({ low, high }) => low.greaterThanOrEqualTo(quote.yearLow) && high.lte(quote.yearHigh)),
    ).toBe(true);
    expect(quote).toMatchObject({ source: 'sample data', isSample: true, sessionState: 'closed' });
  });

  it.each([
    ['005930.KS', '2026-11-13T06:30:00Z'],
    ['AAPL', '2026-11-13T21:00:00Z'],
    ['BTC-USD', '2026-11-13T21:00:00Z'],
    ['USDKRW=X', '2026-11-13T21:00:00Z'],
  ])('of %s is as of the close, %s', async (symbol, asOf) => {
    expect((await quoteOf(symbol)).asOf.toString()).toBe(asOf);
  });

  it('never looks live, not even where the market never closes', async () => {
    const quotes = await source.getQuotes(
      SAMPLE_INSTRUMENTS.map(({ instrument }) => instrument),
      signal,
    );
    expect(new Set(quotes.map(({ sessionState }) => sessionState))).toEqual(new Set(['closed']));
    expect(quotes).toHaveLength(SAMPLE_INSTRUMENTS.length);
  });

  it('is left out for what the sample does not have', async () => {
    const stranger = { ...instrumentOf('AAPL'), symbol: 'NOPE' };
    expect(source.supports(stranger)).toBe(false);
    expect(await source.getQuotes([stranger], signal)).toEqual([]);
    expect(await source.getHistory(stranger, signal)).toEqual([]);
  });
});
