import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { createWatchlistService, WATCHLIST_LIMIT } from '#src/features/watchlist/service.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { sampleMarket, symbols } from '#test/support/sample-market.ts';
import { instrument } from '../briefings/support.ts';
import { requesterOf, memoryWatchlists, ownerOf, owners } from './support.ts';

const { signal } = new AbortController();
const mina = requesterOf('mina');
const juno = requesterOf('juno');

const setUp = () => {
  const asked: (readonly string[])[] = [];
  const market = {
    getQuotes: (instruments: readonly Instrument[], until: AbortSignal) => {
      asked.push(instruments.map(({ symbol }) => symbol));
      return sampleMarket.getQuotes(instruments, until);
    },
  };
  const store = memoryWatchlists();
  const service = createWatchlistService({ owners, store, market, symbols, clock: new ManualClock() });
  const symbolsOf = async (requester: typeof mina) =>
    (await store.list(ownerOf(requester))).map(({ symbol }) => symbol);
  return { service, store, asked, symbolsOf };
};

describe('a watchlist', () => {
  it('shows all prices in one request, in the order added, with source, as-of and the mark of sample data', async () => {
    const { service, asked } = setUp();
    await service.add({ names: ['BTC', '삼성전자', 'AAPL'] }, mina, signal);
    const { content, facts, found } = await service.show({}, mina, signal);
    expect(asked).toEqual([['BTC-USD', '005930.KS', 'AAPL']]);
    const rows = content.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.slice(2).map((row) => row.split('|')[1]?.trim())).toEqual([
      'Bitcoin (BTC)',
      'Samsung Electron… (005930)',
      'Apple (AAPL)',
    ]);
    expect(content).toMatch(/Change from the previous close · times in KST · source: sample data/);
    expect(found).toBe(3);
    expect(facts.every(({ isSample }) => isSample)).toBe(true);
  });

  it('is one person’s own: nobody else sees, changes or clears it', async () => {
    const { service, symbolsOf } = setUp();
    await service.add({ names: ['AAPL'] }, mina, signal);
    expect((await service.show({}, juno, signal)).content).toContain('is empty');
    expect((await service.remove({ names: ['AAPL'] }, juno, signal)).found).toBe(0);
    await service.clear({ isSure: true }, juno, signal);
    expect(await symbolsOf(mina)).toEqual(['AAPL']);
  });

  it('takes what is clear, says what is on it already, and asks about the rest', async () => {
    const { service, symbolsOf } = setUp();
    await service.add({ names: ['AAPL'] }, mina, signal);
    const { content, choices } = await service.add({ names: ['애플', 'TSLA', '현대'] }, mina, signal);
    expect(content).toMatch(/Added Tesla.*\n\nAlready on it: Apple.*\n\n"현대"/s);
    expect(choices?.length).toBeGreaterThan(1);
    expect(choices?.slice(0, 2).map(({ command }) => command)).toEqual(['/watch remove TSLA', '/watch']);
    for (const { command } of choices?.slice(2) ?? []) expect(command).toMatch(/^\/watch add \S+$/);
    expect(await symbolsOf(mina)).toEqual(['AAPL', 'TSLA']);
  });

  it('adds nothing where it would be more than fit', async () => {
    const { service, store, symbolsOf } = setUp();
    const first = instrument('NVDA');
    const full = Array.from({ length: WATCHLIST_LIMIT - 1 }, (_, index) => ({
      ...first,
      symbol: `S${index}`,
    }));
    await store.add(ownerOf(mina), full, WATCHLIST_LIMIT);
    const { content, found } = await service.add({ names: ['AAPL', 'TSLA'] }, mina, signal);
    expect(content).toContain('Not added');
    expect(found).toBe(0);
    expect(await symbolsOf(mina)).toHaveLength(WATCHLIST_LIMIT - 1);
  });

  it('finds what to remove on the list itself, where a name alone would fit many', async () => {
    const { service, store, symbolsOf } = setUp();
    await service.add({ names: ['현대차', 'AAPL'] }, mina, signal);
    const one = await service.remove({ names: ['현대', 'NVDA'] }, mina, signal);
    expect(one.content).toMatch(/Removed Hyundai Motor.*\n\nNot on your watchlist: "NVDA"/s);
    expect(await symbolsOf(mina)).toEqual(['AAPL']);
    await service.add({ names: ['현대차', '현대모비스'] }, mina, signal);
    const several = await service.remove({ names: ['현대'] }, mina, signal);
    // What is no longer in the index still has its code.
    await store.add(
      ownerOf(mina),
      [{ ...instrument('AAPL'), symbol: 'GONE.KS', ticker: 'GONE' }],
      WATCHLIST_LIMIT,
    );
    expect((await service.remove({ names: ['gone'] }, mina, signal)).found).toBe(1);
    expect(several.choices?.map(({ command }) => command)).toEqual([
      '/watch remove 005380.KS',
      '/watch remove 012330.KS',
    ]);
    expect(await symbolsOf(mina)).toHaveLength(3);
  });

  it('is emptied by a second word only', async () => {
    const { service, symbolsOf } = setUp();
    await service.add({ names: ['AAPL', 'TSLA'] }, mina, signal);
    const { content, choices } = await service.clear({ isSure: false }, mina, signal);
    expect(content).toContain('2 names');
    expect(choices?.[0]?.command).toBe('/watch clear --yes');
    expect(await symbolsOf(mina)).toHaveLength(2);
    await service.clear({ isSure: true }, mina, signal);
    expect(await symbolsOf(mina)).toEqual([]);
  });
});
