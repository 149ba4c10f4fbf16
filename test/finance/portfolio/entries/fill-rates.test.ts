import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/core/ledger.ts';
import { type Currency, Decimal } from '#src/core/money.ts';
import { fillRates, SAMPLE_RATE_NOTE } from '#src/finance/portfolio/entries/fill-rates.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { handMadeMarket } from '../desk-support.ts';

const { signal } = new AbortController();

const deposit = (date: string, currency: Currency, rate?: string): NewTransaction => ({
  kind: 'deposit',
  clientId: date,
  date: Temporal.PlainDate.from(date),
  amount: new Decimal(1),
  currency,
  ...(rate !== undefined && { rate: new Decimal(rate) }),
});

const open = () => {
  const made = handMadeMarket();
  const deps = { market: made.market, symbols, clock: new ManualClock('2026-11-13T06:30:00Z') };
  const ratesOf = async (entries: readonly NewTransaction[], base = 'KRW') =>
    (await fillRates(entries, base, deps, signal)).map(({ rate }) => rate?.toFixed());
  return { ...made, deps, ratesOf };
};

describe('rates of entries', () => {
  it('are the close of the day or the last before it, asked for once a currency', async () => {
    const { closes, asked, ratesOf } = open();
    closes.set('USDKRW=X', { '2026-11-05': '1400', '2026-11-06': '1410.5', '2026-11-09': '1420' });
    const entries = [
      deposit('2026-11-04', 'USD'),
      deposit('2026-11-06', 'USD'),
      // A Sunday.
      deposit('2026-11-08', 'USD'),
      deposit('2026-11-09', 'USD', '1399'),
      deposit('2026-11-13', 'USD'),
      deposit('2026-11-13', 'EUR'),
      deposit('2026-11-13', 'KRW'),
    ];
    expect(await ratesOf(entries)).toEqual([undefined, '1410.5', '1410.5', '1399', '1420', undefined, '1']);
    expect(asked.filter((each) => each.startsWith('USDKRW'))).toEqual(['USDKRW=X 1mo']);
  });

  it('are not asked for where no money changes hands', async () => {
    const { closes, asked, ratesOf } = open();
    closes.set('USDKRW=X', { '2026-11-10': '1250' });
    const { amount: _none, ...split } = { ...deposit('2026-11-10', 'USD'), amount: undefined };
    const match = symbols.resolve('AAPL');
    if (match.status !== 'found') throw new Error('no AAPL');
    const entry: NewTransaction = {
      ...split,
      kind: 'split',
      instrument: match.instrument,
      ratio: new Decimal(4),
    };
    expect(await ratesOf([entry])).toEqual([undefined]);
    expect(asked).toEqual([]);
  });

  it('turn a pair round, and go over the dollar where two currencies have none', async () => {
    const { closes, ratesOf } = open();
    closes.set('USDKRW=X', { '2026-11-10': '1250' });
    closes.set('USDTHB=X', { '2026-11-10': '50' });
    expect(await ratesOf([deposit('2026-11-10', 'KRW')], 'USD')).toEqual(['0.0008']);
    expect(await ratesOf([deposit('2026-11-10', 'THB')])).toEqual(['25']);
  });

  it('are never those of a day after: of a week or a month it is the close before', async () => {
    const { closes, asked, ratesOf } = open();
    closes.set('USDKRW=X', { '2022-10-03': '1430', '2022-10-10': '1440', '2026-11-09': '1420' });
    expect(await ratesOf([deposit('2022-10-12', 'USD'), deposit('2026-11-10', 'USD')])).toEqual([
      '1430',
      '1420',
    ]);
    expect(asked.toSorted()).toEqual(['USDKRW=X 1mo', 'USDKRW=X 5y']);
  });

  it('fill both sides of an exchange, and leave a note where they are made up', async () => {
    const { closes, deps } = open();
    closes.set('USDKRW=X', { '2026-11-10': '1400' });
    closes.set('EURKRW=X', { '2026-11-10': '1600' });
    const exchange: NewTransaction = {
      kind: 'fx',
      clientId: 'x',
      date: Temporal.PlainDate.from('2026-11-10'),
      amount: new Decimal(8),
      currency: 'USD',
      toAmount: new Decimal(7),
      toCurrency: 'EUR',
    };
    const [filled] = await fillRates([exchange], 'KRW', deps, signal);
    expect(filled).toMatchObject({ rate: new Decimal(1400), toRate: new Decimal(1600) });
    expect(filled?.note).toBeUndefined();
    const market: typeof deps.market = {
      ...deps.market,
      getHistory: async (...asked) => {
        const found = await deps.market.getHistory(...asked);
        return found.status === 'ok' ? { ...found, value: { ...found.value, isSample: true } } : found;
      },
    };
    const [sample] = await fillRates([exchange], 'KRW', { ...deps, market }, signal);
    expect(sample?.note).toBe(SAMPLE_RATE_NOTE);
    // However much the person noted.
    const noted = { ...exchange, note: 'n'.repeat(200) };
    const [long] = await fillRates([noted], 'KRW', { ...deps, market }, signal);
    expect(long?.note).toContain(SAMPLE_RATE_NOTE);
    expect(long?.note).toHaveLength(200);
  });
});
