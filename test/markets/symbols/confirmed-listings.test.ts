import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { resolveNames } from '#src/markets/answers/resolve-names.ts';
import { searchAnswer } from '#src/features/search/search.ts';
import { withConfirmedListings } from '#src/markets/symbols/confirmed-listings.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { createListingStore } from '#src/markets/store/listings.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const { signal } = new AbortController();
const index = createSymbolSearch();

const listed = (symbol: string): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: 'Quantum Lattice Dynamics', en: 'Quantum Lattice Dynamics' },
  exchange: 'NYSE Arca',
  assetClass: 'etf',
  currency: 'USD',
  priceDecimals: 2,
});

const setUp = async (known: readonly string[] = ['ZZQX']) => {
  const { storage } = await sqliteStorage();
  const store = createListingStore(storage, new ManualClock());
  const asked: string[] = [];
  const open = () =>
    withConfirmedListings(index, {
      store,
      lookUp: async (symbol) => {
        asked.push(symbol);
        return known.includes(symbol)
          ? { status: 'ok', value: listed(symbol) }
          : { status: 'unavailable', reason: 'no-data' };
      },
    });
  const ask = (query: string, symbols = open()) =>
    resolveNames([query], symbols, 'en', (code) => `/price ${code}`, signal);
  return { open, ask, asked };
};

describe('a ticker missing from the index', () => {
  it('is offered with its name at the source and resolves only after confirmation', async () => {
    const { ask, open, asked } = await setUp();
    const symbols = open();
    const offered = await ask('zzqx', symbols);
    expect(offered.instruments).toEqual([]);
    expect(offered.names).toEqual([
      {
        status: 'missed',
        text: '"zzqx" isn\'t in my list. The price source has Quantum Lattice Dynamics (ZZQX, NYSE Arca), in USD. If you mean that one, choose it or write `$ZZQX`.',
      },
    ]);
    expect(offered.choices.map(({ command }) => command)).toEqual(['/price $ZZQX']);
    expect(symbols.resolve('ZZQX').status).toBe('unknown');

    const confirmed = await ask('$ZZQX', symbols);
    expect(confirmed.instruments.map(({ symbol }) => symbol)).toEqual(['ZZQX']);
    expect(symbols.resolve('ZZQX').status).toBe('found');
    expect(asked).toEqual(['ZZQX']);
  });

  it('keeps its state across a restart', async () => {
    const { ask, asked } = await setUp();
    await ask('ZZQX');
    expect((await ask('$ZZQX')).instruments).toHaveLength(1);
    expect((await ask('ZZQX')).instruments).toHaveLength(1);
    expect(asked).toEqual(['ZZQX']);
  });

  it('is confirmed by its code with `$`, also where it was never offered', async () => {
    const { ask } = await setUp(['TEVA.TA']);
    const { names, instruments } = await ask('$TEVA.TA');
    expect(names).toMatchObject([{ status: 'found' }]);
    expect(instruments.map(({ symbol }) => symbol)).toEqual(['TEVA.TA']);
    expect((await ask('$TEVA.TX')).instruments).toEqual([]);
  });

  it('is found by a search', async () => {
    const { open } = await setUp();
    const answer = searchAnswer({ symbols: open() });
    const { content, choices } = await answer({ query: 'ZZQX' }, { locale: 'en', timeZone: 'UTC' }, signal);
    expect(content).toContain('Quantum Lattice Dynamics');
    expect(choices?.map(({ command }) => command)).toEqual(['/price $ZZQX']);
  });

  it.each([
    ['ZZQ.A', 'ZZQ-A'],
    ['zzq.l', 'ZZQ.L'],
    ['9999.T', '9999.T'],
    ['99999.hk', '99999.HK'],
    ['ZZQX-USD', 'ZZQX-USD'],
    ['ZZ=F', 'ZZ=F'],
  ])('%s is looked up as %s', async (typed, symbol) => {
    const { ask, asked } = await setUp();
    await ask(typed);
    expect(asked).toEqual([symbol]);
  });

  it.each(['고양이사료', 'zzqxwvu', 'zz qx', '99999999', '../etc/passwd', 'ZZQX?x=1', '$', 'AAPL', ''])(
    'a source is not asked about %j',
    async (typed) => {
      const { ask, asked } = await setUp();
      await ask(typed);
      expect(asked).toEqual([]);
    },
  );
});
