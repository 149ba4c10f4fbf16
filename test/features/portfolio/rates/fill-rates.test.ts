import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { type Currency, Decimal } from '#src/kernel/money.ts';
import { fillRates, rateOn } from '#src/features/portfolio/rates/fill-rates.ts';
import { entryRateText } from '#src/features/portfolio/rates/rate-text.ts';
import { createDailyRateStore } from '#src/features/portfolio/store/daily-rates.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { handMadeMarket } from '../service-support.ts';

const { signal } = new AbortController();

const down = async () => ({ status: 'unavailable', reason: 'down' }) as const;

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
    (await fillRates(entries, base, deps, signal)).map(({ rate, rateDay }) =>
      rateDay ? `${rate?.toFixed()} of ${rateDay.toString()}` : rate?.toFixed(),
    );
  return { ...made, deps, ratesOf };
};

describe('rates of entries', () => {
  it('are the close of the day, or the last one before it with the day that it is of', async () => {
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
    expect(await ratesOf(entries)).toEqual([
      undefined,
      '1410.5',
      '1410.5 of 2026-11-06',
      '1399',
      '1420',
      undefined,
      '1',
    ]);
    expect(asked.filter((each) => each.startsWith('USDKRW'))).toEqual(['USDKRW=X 2026']);
  });

  it('of any year are those of the very day, with one request for each calendar year', async () => {
    const { closes, asked, ratesOf } = open();
    closes.set('USDKRW=X', {
      '2020-01-02': '1160',
      '2020-03-02': '1193.6',
      '2020-03-19': '1285.7',
      '2020-03-31': '1217.4',
      '2022-12-30': '1264',
      '2023-06-26': '1303',
      '2023-06-30': '1317.7',
    });
    const days = ['2020-03-31', '2023-01-01', '2020-03-02', '2020-03-19', '2023-06-26', '2023-06-30'];
    expect(await ratesOf(days.map((day) => deposit(day, 'USD')))).toEqual([
      '1217.4',
      '1264 of 2022-12-30',
      '1193.6',
      '1285.7',
      '1303',
      '1317.7',
    ]);
    expect(asked).toEqual(['USDKRW=X 2023', 'USDKRW=X 2020']);
    // Older than the data: nothing is guessed.
    expect(await ratesOf([deposit('2019-06-03', 'USD'), deposit('1998-01-05', 'USD')])).toEqual([
      undefined,
      undefined,
    ]);
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

  it('fill both sides of an exchange, and none of it from sample data', async () => {
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
      note: 'by card',
    };
    const [filled] = await fillRates([exchange], 'KRW', deps, signal);
    expect(filled).toMatchObject({ rate: new Decimal(1400), toRate: new Decimal(1600) });
    const market: typeof deps.market = {
      ...deps.market,
      getDays: async (...asked) => {
        const found = await deps.market.getDays(...asked);
        return found.status === 'ok' ? { ...found, value: { ...found.value, isSample: true } } : found;
      },
    };
    expect(await fillRates([exchange], 'KRW', { ...deps, market }, signal)).toEqual([exchange]);
  });
});

it('a rate that was looked up is stored when its day is over, and never asked for again', async () => {
  const { closes, asked, deps, market } = open();
  const { storage } = await sqliteStorage();
  const stored = { ...deps, dailyRates: createDailyRateStore(storage, deps.clock) };
  const rateOf = async (day: string, of = stored) => {
    const found = await rateOn('USD', 'KRW', Temporal.PlainDate.from(day), of, signal);
    return found && `${found.rate.toFixed()} of ${found.day.toString()}`;
  };
  closes.set('USDKRW=X', { '2026-02-02': '1400', '2026-11-12': '1450', '2026-11-13': '1460' });
  expect(await rateOf('2026-11-08')).toBe('1400 of 2026-11-06');
  // Another source says something else later: what was told stays true.
  closes.set('USDKRW=X', { '2026-02-02': '1', '2026-11-13': '1470' });
  expect(await rateOf('2026-11-08')).toBe('1400 of 2026-11-06');
  expect(await rateOf('2026-11-12')).toBe('1450 of 2026-11-12');
  expect(asked).toEqual(['USDKRW=X 2026']);
  // The day is not over yet, and before February there is no data: which is believed for a day.
  expect(await rateOf('2026-11-13')).toBe('1470 of 2026-11-13');
  expect(await rateOf('2026-01-15')).toBeUndefined();
  expect(await rateOf('2026-01-15')).toBeUndefined();
  expect(asked).toHaveLength(3);
  await deps.clock.advance(25 * 3_600_000);
  expect(await rateOf('2026-01-15')).toBeUndefined();
  expect(asked).toHaveLength(4);
  // Neither an outage nor sample data leaves anything behind.
  expect(await rateOf('2025-05-05', { ...stored, market: { ...market, getDays: down } })).toBeUndefined();
  closes.set('USDKRW=X', { '2025-05-05': '1333' });
  expect(await rateOf('2025-05-05')).toBe('1333 of 2025-05-05');
});

it('entries of a hundred years take forty requests a look at most, the newest years first', async () => {
  const { closes, asked, deps } = open();
  const { storage } = await sqliteStorage();
  const stored = { ...deps, dailyRates: createDailyRateStore(storage, deps.clock) };
  closes.set('USDKRW=X', {});
  const entries = Array.from({ length: 60 }, (_, index) => deposit(`${1967 + index}-03-01`, 'USD'));
  await fillRates(entries, 'KRW', stored, signal);
  expect(asked).toHaveLength(40);
  expect(asked[0]).toBe('USDKRW=X 2026');
  await fillRates(entries, 'KRW', stored, signal);
  expect(asked).toHaveLength(60);
});

everyRow([
  ['JPY', 'KRW', '9.4537', 'ko', '100엔 = ₩945.37'],
  ['JPY', 'KRW', '9.453741', 'ko', '100엔 = ₩945.3741'],
  ['JPY', 'KRW', '9.45374091235', 'ko', '100엔 = ₩945.37'],
  ['JPY', 'KRW', '9.4537', 'en', '1 JPY = ₩9.4537'],
  ['KRW', 'JPY', '0.10577864', 'ko', '100엔 = ₩945.37'],
  ['VND', 'KRW', '0.05574136', 'ko', '100동 = ₩5.574'],
  ['IDR', 'KRW', '0.0875', 'ko', '100루피아 = ₩8.75'],
  ['USD', 'KRW', '1463.25', 'ko', '1 USD = ₩1,463.25'],
  ['JPY', 'USD', '0.00646078', 'ko', '1 USD = ¥154.78007'],
  ['KRW', 'USD', '0.00071135392', 'en', '1 USD = ₩1,405.77'],
  ['KRW', 'USD', '0.000847457627118644', 'en', '1 USD = ₩1,180'],
] as const)(
  'the rate of an entry in %s, kept in %s: %s reads in %s as %s',
  (from, to, rate, locale, line) => {
    const entry = { ...deposit('2026-11-08', from, rate), rateDay: Temporal.PlainDate.from('2026-11-06') };
    const close = '2026-11-06';
    expect(entryRateText(entry, to, locale)).toBe(`${line} (${close})`);
  },
);
