import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { asId, type OwnerId } from '#src/kernel/ids.ts';
import { createWatchlistStore } from '#src/features/watchlist/store.ts';
import type { TestStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const ME = asId<OwnerId>('person:slack:U1');
const OTHER = asId<OwnerId>('person:slack:U2');

const instrument = (symbol: string): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: `${symbol} 주식`, en: symbol },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
});
const all = (...symbols: readonly string[]) => symbols.map(instrument);

/** The part of the contract about what people keep an eye on. */
export const describeWatchlistsContract = (name: string, open: () => Promise<TestStorage>): void => {
  const setUp = async () => {
    const { storage } = await open();
    const store = createWatchlistStore(storage, new ManualClock());
    const symbols = async (owner = ME) => (await store.list(owner)).map(({ symbol }) => symbol);
    return { store, symbols };
  };

  describe(`watchlists on ${name}`, () => {
    it('keep the order in which things were added, each once, for their owner alone', async () => {
      const { store, symbols } = await setUp();
      expect(await store.add(ME, all('TSLA', 'AAPL', 'TSLA'), 10)).toEqual(all('TSLA', 'AAPL'));
      expect(await store.add(ME, all('AAPL', 'ABNB'), 10)).toEqual(all('ABNB'));
      expect(await store.add(OTHER, all('MSFT'), 10)).toEqual(all('MSFT'));
      expect(await store.list(ME)).toEqual(all('TSLA', 'AAPL', 'ABNB'));
      expect(await store.remove(ME, ['MSFT', 'ABNB', 'TSLA'])).toEqual(['ABNB', 'TSLA']);
      expect(await store.remove(ME, [])).toEqual([]);
      expect(await symbols()).toEqual(['AAPL']);
      expect(await store.clear(ME)).toBe(1);
      expect([await symbols(), await symbols(OTHER)]).toEqual([[], ['MSFT']]);
    });

    it('take all or nothing where they would get too long, also when several come at once', async () => {
      const { store, symbols } = await setUp();
      await store.add(ME, all('A', 'B'), 3);
      expect(await store.add(ME, all('C', 'D'), 3)).toBe('full');
      expect(await store.add(ME, all('A'), 2)).toEqual([]);
      expect(await symbols()).toEqual(['A', 'B']);
      const outcomes = await Promise.all(['E', 'F', 'G', 'H'].map((symbol) => store.add(ME, all(symbol), 3)));
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(3);
      expect(await symbols()).toHaveLength(3);
    });
  });
};
