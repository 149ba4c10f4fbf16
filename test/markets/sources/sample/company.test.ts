import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { sampleInstruments } from '#src/markets/sources/sample/instruments.ts';
import { createSampleSource } from '#src/markets/sources/sample/source.ts';
import type { FundamentalMetric, Fundamentals } from '#src/markets/sources/source.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const { signal } = new AbortController();
const symbols = createSymbolSearch();
const find = (symbol: string): Instrument => {
  const match = [`$${symbol}`, symbol].map(symbols.resolve).find(({ status }) => status === 'found');
  if (match?.status !== 'found') throw new Error(`${symbol} is not in the index`);
  return match.instrument;
};
const at = (now?: string) => createSampleSource(new ManualClock(now));
const companies = [...sampleInstruments().values()]
  .map(({ symbol }) => find(symbol))
  .filter(({ assetClass }) => assetClass === 'equity');
const figureOf = ({ figures }: Fundamentals, wanted: FundamentalMetric): Decimal =>
  new Decimal(figures.find(({ metric }) => metric === wanted)?.value ?? Number.NaN);

describe('sample headlines', () => {
  it('say of themselves that they are samples, are of today, and lead nowhere', async () => {
    for (const name of ['005930.KS', 'AAPL', 'BTC-USD', '^KS11', undefined]) {
      const query = { ...(name !== undefined && { instrument: find(name) }), limit: 20 };
      const items = (await at().getNews?.(query, signal)) ?? [];
      expect(items).toHaveLength(5);
      for (const { title, url, isSample, publisher } of items) {
        expect(title).toMatch(name === '005930.KS' ? /^\[샘플\] 삼성전자, /u : /^\[SAMPLE\] .+: /u);
        expect([url, isSample, publisher]).toEqual(['', true, 'SAMPLE 샘플']);
      }
      const [{ publishedAt: newest } = { publishedAt: undefined }] = items;
      expect(newest?.until(new ManualClock().now()).total('hours')).toBeLessThan(4);
      const times = items.map(({ publishedAt }) => publishedAt.epochMilliseconds);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    }
  });
});

describe('sample key figures', () => {
  it('fit the price and each other, for every company and for nothing else', async () => {
    const source = at();
    for (const instrument of companies) {
      const found = await source.getFundamentals?.(instrument, signal);
      if (!found) throw new Error(`no figures of ${instrument.symbol}`);
      const price = new Decimal(sampleInstruments().get(instrument.symbol)?.lastPrice ?? 0);
      const near = (value: Decimal, wanted: Decimal) =>
        expect(value.dividedBy(wanted).minus(1).abs().toNumber(), instrument.symbol).toBeLessThan(0.03);
      expect(found).toMatchObject({ isSample: true, source: 'sample data' });
      // Of cheap shares a hundredth is much.
      if (price.greaterThan(40))
        near(figureOf(found, 'epsTrailing').times(figureOf(found, 'peTrailing')), price);
      near(figureOf(found, 'sharesOutstanding').times(price), figureOf(found, 'marketCap'));
      expect(figureOf(found, 'grossMargin').greaterThan(figureOf(found, 'operatingMargin'))).toBe(true);
      expect(figureOf(found, 'grossMargin').lessThan(100)).toBe(true);
      expect(figureOf(found, 'operatingMargin').greaterThan(figureOf(found, 'profitMargin'))).toBe(true);
      expect(
        figureOf(found, 'peTrailing').greaterThan(4) && figureOf(found, 'peTrailing').lessThan(110),
      ).toBe(true);
    }
    for (const symbol of ['SPY', 'BTC-USD', '^KS11'])
      expect(await source.getFundamentals?.(find(symbol), signal)).toBeNull();
  });
});

/** Days on which New York is closed. */
const holidays: ReadonlySet<string> = new Set(['2026-11-26', '2027-01-01', '2027-01-18', '2027-02-15']);

describe('sample earnings dates', () => {
  it.each(['2026-11-13T06:30:00Z', '2026-12-31T23:00:00Z', '2028-02-29T12:00:00Z'])(
    'are trading days to come within four months, whatever the clock says (%s)',
    async (now) => {
      const dates = (await at(now).getEarnings?.(companies, { wantsEstimates: true }, signal)) ?? [];
      expect(dates).toHaveLength(companies.length);
      const [first, last] = [
        Temporal.Instant.from(now).subtract({ hours: 24 }),
        Temporal.Instant.from(now).add({ hours: 24 * 122 }),
      ].map((each) => each.toZonedDateTimeISO('UTC').toPlainDate());
      for (const { from, isEstimate, isSample, epsEstimate, instrument } of dates) {
        expect(from.dayOfWeek, instrument.symbol).toBeLessThan(6);
        expect(
          instrument.currency === 'USD' && holidays.has(from.toString()),
          `${instrument.symbol} ${from.toString()}`,
        ).toBe(false);
        expect(Temporal.PlainDate.compare(from, first ?? from)).toBeGreaterThanOrEqual(0);
        expect(Temporal.PlainDate.compare(from, last ?? from)).toBeLessThanOrEqual(0);
        expect([isEstimate, isSample, epsEstimate?.isPositive()]).toEqual([true, true, true]);
      }
    },
  );
});
