import { describe, expect, it } from 'vitest';
import type { Instrument, QuoteResult } from '#src/kernel/market/finance.ts';
import { asId, type OwnerId, type PortfolioId, type TransactionId } from '#src/kernel/ids.ts';
import type { PortfolioRecord, Trade, Transaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { moversOf } from '#src/features/portfolio/summary/movers.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { instrument, signal } from '../../briefings/support.ts';

const ownerId = asId<OwnerId>('mina');
const createdAt = Temporal.Instant.from('2026-11-01T00:00:00Z');

const portfolioOf = (name: string, baseCurrency: string): PortfolioRecord => ({
  id: asId<PortfolioId>(name),
  ownerId,
  name,
  baseCurrency,
  costMethod: 'average',
  allowsShort: false,
  isDefault: name === 'main',
  createdAt,
});

const trade = (kind: Trade['kind'], code: string, quantity: string): Transaction => ({
  id: asId<TransactionId>(`${kind} ${code}`),
  portfolioId: asId<PortfolioId>('main'),
  number: 1,
  isReversed: false,
  recordedAt: createdAt,
  kind,
  instrument: instrument(code),
  quantity: new Decimal(quantity),
  price: new Decimal(100),
  fee: new Decimal(0),
  tax: new Decimal(0),
  clientId: `${kind} ${code}`,
  date: Temporal.PlainDate.from(kind === 'buy' ? '2026-11-02' : '2026-11-03'),
  currency: instrument(code).currency,
});

/** Price and previous close, by symbol. */
const PRICES: Readonly<Record<string, readonly [price: string, before: string | undefined]>> = {
  AAPL: ['110.10', '100'],
  '005930.KS': ['70000', '71000'],
  TSLA: ['50', undefined],
  'USDKRW=X': ['1400', '1390'],
};

const market = {
  getDays: async () => ({ status: 'unavailable', reason: 'down' }) as const,
  getQuotes: async (instruments: readonly Instrument[]): Promise<readonly QuoteResult[]> =>
    instruments.map((each) => {
      const [price, before] = PRICES[each.symbol] ?? [];
      if (price === undefined) return { status: 'unavailable', instrument: each, reason: 'no-data' };
      return {
        status: 'ok',
        quote: {
          instrument: each,
          price: new Decimal(price),
          ...(before !== undefined && { previousClose: new Decimal(before) }),
          asOf: Temporal.Instant.from(
            each.symbol === 'AAPL' ? '2026-11-12T21:00:00Z' : '2026-11-13T06:00:00Z',
          ),
          source: 'Yahoo Finance',
          isSample: false,
          sessionState: 'open',
          isStale: false,
        },
      };
    }),
};

describe('movers among all portfolios of a person', () => {
  it('have their exact effect in the currency of the default portfolio; holdings without a price are named', async () => {
    const ledgers: Readonly<Record<string, readonly Transaction[]>> = {
      main: [
        trade('buy', 'AAPL', '3'),
        trade('buy', '005930', '10'),
        trade('buy', 'TSLA', '1'),
        { ...trade('buy', 'NVDA', '5'), isReversed: true },
      ],
      old: [trade('buy', 'NVDA', '5'), trade('sell', 'NVDA', '5'), trade('buy', 'AAPL', '2')],
    };
    const found = await moversOf({
      store: {
        list: async () => [portfolioOf('main', 'KRW'), portfolioOf('old', 'USD')],
        transactions: async (_owner, id) => ledgers[id] ?? [],
        dismissed: async () => [],
      },
      corporateActions: {
        since: async () => ({ status: 'unavailable' }),
        during: async () => ({ status: 'unavailable' }),
        lookAgain: async () => ({ status: 'unavailable' }),
      },
      clock: new ManualClock('2026-11-13T06:30:00Z'),
      market,
      symbols,
    })(ownerId, { locale: 'en', timeZone: 'Asia/Seoul' }, signal);
    expect(found?.currency).toBe('KRW');
    const effects = found?.movers.map((mover) => [mover.instrument.symbol, mover.effect.toFixed()]) ?? [];
    // 3 × 10.10 and 2 × 10.10 dollars at 1,400 won, and 10 × −1,000 won.
    expect(Object.fromEntries(effects)).toEqual({ AAPL: '70700', '005930.KS': '-10000' });
    expect(found?.movers[0]?.change.toFixed()).toBe('0.101');
    expect(found?.unpriced.map(({ symbol }) => symbol)).toEqual(['TSLA']);
    expect(found?.origin).toContain('Yahoo Finance');
  });
});
