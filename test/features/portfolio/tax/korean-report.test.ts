import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { koreanReport, neededRates, type TaxedLedger } from '#src/features/portfolio/tax/korean-report.ts';
import { capitalGainsTax, filingDays, taxClassOf } from '#src/features/portfolio/tax/korean-tax-rules.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { APPLE, buy, deposit, dividend, SAMSUNG, sell, split } from '../ledger/ledger-entries.ts';

const TODAY = Temporal.PlainDate.from('2026-11-16');

const ledger = (entries: readonly NewTransaction[], more: Partial<TaxedLedger> = {}): TaxedLedger => ({
  portfolio: 'main',
  method: 'fifo',
  allowsShort: false,
  entries,
  ...more,
});

/** Dollars on the days that a test names; on all others there is no rate. */
const report = (
  ledgers: readonly TaxedLedger[],
  year: number,
  rates: Readonly<Record<string, string>>,
  isSample = false,
) =>
  atOnce(
    koreanReport(
      ledgers,
      year,
      (_currency, date) => {
        const rate = rates[date.toString()];
        return rate === undefined
          ? undefined
          : { rate: new Decimal(rate), day: date, source: 'test', isSample };
      },
      TODAY,
    ),
  );

const figures = ({ gain, tax }: ReturnType<typeof report>) => ({
  gain: gain.toFixed(),
  base: tax.base.toFixed(),
  tax: tax.total.toFixed(),
});

const listed = (exchange: string, assetClass: Instrument['assetClass']): Instrument => ({
  ...SAMSUNG,
  symbol: `${exchange} ${assetClass}`,
  exchange,
  assetClass,
});

const BOUGHT = buy('2025-03-03', APPLE, '100', '100', { fee: '10' });

describe('the Korean tax report, worked out by hand', () => {
  it('converts cost and proceeds at the rates of the settlement days in Korea', () => {
    // Bought 2025-03-03, settled 03-05 at 1,400: (100 × 100 + 10) × 1,400 = 14,014,000.
    // Sold 2025-06-02, settled 06-04 at 1,350: 100 × 150 × 1,350 = 20,250,000, fees 20 × 1,350 = 27,000.
    // Gain 20,250,000 − 14,014,000 − 27,000 = 6,209,000; less 2,500,000 is 3,709,000; 22 % of it is 815,980.
    const found = report([ledger([BOUGHT, sell('2025-06-02', APPLE, '100', '150', { fee: '20' })])], 2025, {
      '2025-03-05': '1400',
      '2025-06-04': '1350',
    });
    expect(figures(found)).toEqual({ gain: '6209000', base: '3709000', tax: '815980' });
    expect(found.tax.incomeTax.toFixed()).toBe('741800');
    expect(found.tax.localTax.toFixed()).toBe('74180');
    const [sale] = found.sales;
    expect([sale?.settled, sale?.acquired.first].map(String)).toEqual(['2025-06-04', '2025-03-03']);
  });

  it('uses the oldest shares first or the moving average, as the portfolio is configured', () => {
    const entries = [
      buy('2025-03-03', APPLE, '10', '100'),
      buy('2025-04-01', APPLE, '10', '200'),
      sell('2025-06-02', APPLE, '10', '300'),
    ];
    const rates = { '2025-03-05': '1000', '2025-04-03': '1200', '2025-06-04': '1000' };
    // 10 × 300 × 1,000 = 3,000,000, less the first ten: 10 × 100 × 1,000 = 1,000,000.
    expect(report([ledger(entries)], 2025, rates).gain.toFixed()).toBe('2000000');
    // Average: (1,000,000 + 10 × 200 × 1,200) / 20 × 10 = 1,700,000.
    expect(report([ledger(entries, { method: 'average' })], 2025, rates).gain.toFixed()).toBe('1300000');
  });

  it('counts a sale of 30 December in the next year, in which it settles', () => {
    // 2025-12-29 is settled on 12-31, 2025-12-30 on 2026-01-02.
    const entries = [BOUGHT, sell('2025-12-29', APPLE, '40', '150'), sell('2025-12-30', APPLE, '60', '150')];
    const rates = { '2025-03-05': '1400', '2025-12-31': '1450', '2026-01-02': '1500' };
    // 40 × 150 × 1,450 − 14,014,000 × 40 / 100 = 8,700,000 − 5,605,600.
    expect(report([ledger(entries)], 2025, rates).gain.toFixed()).toBe('3094400');
    // 60 × 150 × 1,500 − 14,014,000 × 60 / 100 = 13,500,000 − 8,408,400.
    expect(report([ledger(entries)], 2026, rates).gain.toFixed()).toBe('5091600');
  });

  it('counts a sale in Tokyo of 29 December in the next year, after its banks have rested', () => {
    const toyota: Instrument = {
      ...APPLE,
      symbol: '7203.T',
      ticker: '7203.T',
      exchange: 'TSE',
      currency: 'JPY',
    };
    const entries = [
      buy('2026-03-02', toyota, '200', '2000'),
      sell('2026-12-28', toyota, '100', '3000'),
      sell('2026-12-29', toyota, '100', '3100'),
    ];
    const rates = { '2026-03-04': '9.4', '2026-12-30': '9.5', '2027-01-04': '9.6' };
    // 100 × 3,000 × 9.5 − 100 × 2,000 × 9.4 = 2,850,000 − 1,880,000.
    expect(report([ledger(entries)], 2026, rates).gain.toFixed()).toBe('970000');
    // 100 × 3,100 × 9.6 − 1,880,000 = 2,976,000 − 1,880,000.
    expect(report([ledger(entries)], 2027, rates).gain.toFixed()).toBe('1096000');
  });

  it('subtracts losses from gains, and the deduction once for all portfolios of a person', () => {
    const rates = { '2025-03-05': '1000', '2025-06-04': '1000' };
    // Each: 100 × (140 − 100) × 1,000 − 10,000 of fees = 3,990,000.
    const won = [BOUGHT, sell('2025-06-02', APPLE, '100', '140')];
    // 100 × (80 − 100) × 1,000 − 10,000 = −2,010,000.
    const lost = [BOUGHT, sell('2025-06-02', APPLE, '100', '80')];
    // 3,990,000 × 2 − 2,010,000 = 5,970,000; less 2,500,000 is 3,470,000; 22 %: 763,400.
    const all = report([ledger(won), ledger(won, { portfolio: 'second' }), ledger(lost)], 2025, rates);
    expect(figures(all)).toEqual({ gain: '5970000', base: '3470000', tax: '763400' });
    // A year of losses owes nothing, and uses none of the deduction.
    const loss = report([ledger(lost)], 2025, rates);
    expect(figures(loss)).toEqual({ gain: '-2010000', base: '0', tax: '0' });
    expect(loss.tax.deduction.toFixed()).toBe('0');
  });

  it('carries cost over a split and bonus shares, and handles a leap day', () => {
    const bonus: NewTransaction = {
      ...buy('2024-07-01', APPLE, '10', '0'),
      kind: 'rights',
    };
    const entries = [
      // Settled on Friday 2024-03-01, a holiday in Korea: booked on 03-04. Its year is not in the calendar data, where
      // only weekends are known, so 03-01 counts.
      buy('2024-02-27', APPLE, '10', '100'),
      split('2024-06-03', APPLE, '4'),
      bonus,
      sell('2025-06-02', APPLE, '50', '40'),
    ];
    const rates = { '2024-03-01': '1330', '2024-07-01': '1380', '2025-06-04': '1350' };
    const found = report([ledger(entries)], 2025, rates);
    // 50 × 40 × 1,350 = 2,700,000; cost 10 × 100 × 1,330 = 1,330,000, the bonus shares cost nothing.
    expect(found.gain.toFixed()).toBe('1370000');
    expect(found.sales[0]?.acquired.last.toString()).toBe('2024-07-01');
  });

  it('names sales without a rate, marks sample rates, and leaves out short sales', () => {
    const entries = [
      deposit('2025-01-02', '1000000', 'KRW'),
      BOUGHT,
      sell('2025-06-02', APPLE, '40', '150'),
      sell('2025-07-01', APPLE, '60', '150'),
      sell('2025-08-01', APPLE, '5', '150'),
      buy('2025-09-01', APPLE, '5', '100'),
    ];
    const rates = { '2025-03-05': '1400', '2025-06-04': '1350' };
    const found = report([ledger(entries, { allowsShort: true })], 2025, rates, true);
    expect(found.sales).toHaveLength(1);
    expect(found.unrated.map(({ date }) => date.toString())).toEqual(['2025-07-01']);
    expect([found.shortSales, found.hasSampleRates]).toEqual([1, true]);
  });

  it('lists untaxed Korean shares, funds and coins separately, with the recorded transaction tax', () => {
    const [fund, coin] = [listed('KOSPI', 'etf'), listed('Upbit', 'crypto')];
    const entries = [SAMSUNG, fund, coin].flatMap((of, index) => [
      buy('2025-03-04', of, '10', '1000'),
      sell('2025-06-02', of, '10', '1500', { tax: index === 0 ? '22' : '0' }),
    ]);
    const { others, sales, transactionTax } = report([ledger(entries)], 2025, {});
    expect(sales).toEqual([]);
    expect(transactionTax.toFixed()).toBe('22');
    // 15,000 − 22 − 10,000.
    expect(others.domestic).toMatchObject({ count: 1, gain: new Decimal('4978') });
    expect(others['domestic-fund']).toMatchObject({ count: 1, gain: new Decimal('5000') });
    expect(others.coin).toMatchObject({ count: 1, gain: new Decimal('5000') });
    expect(taxClassOf({ exchange: 'NYSE ARCA', assetClass: 'etf' })).toBe('foreign');
  });

  it('sums dividends and interest before tax at the rates of the days on which they were paid', () => {
    const entries: NewTransaction[] = [
      dividend('2025-05-15', APPLE, '100', '15'),
      dividend('2025-08-14', APPLE, '200', '30'),
      dividend('2025-04-18', SAMSUNG, '36100', '5550'),
      { ...deposit('2025-12-26', '10', 'USD'), kind: 'interest', tax: new Decimal('1.5') },
      { ...deposit('2025-12-29', '3', 'USD'), kind: 'tax', instrument: APPLE, isRefund: true },
      dividend('2026-02-12', APPLE, '100', '15'),
    ];
    const rates = {
      '2025-05-15': '1400',
      '2025-08-14': '1390.4',
      '2025-12-26': '1450',
      '2025-12-29': '1440',
    };
    const { income, financialIncome } = report([ledger(entries)], 2025, rates);
    expect(
      income.map(({ kind, currency, gross, withheld, won }) =>
        [kind, currency, gross, withheld, won.gross, won.withheld].join(' '),
      ),
    ).toEqual([
      // 140,000 + 278,080; withheld 21,000 + 41,712 − 3 × 1,440.
      'dividend USD 300 42 418080 58392',
      'dividend KRW 36100 5550 36100 5550',
      'interest USD 10 1.5 14500 2175',
    ]);
    expect(financialIncome.toFixed()).toBe('468680');
  });
});

it('needs the rate of each day once, and none for entries that are in won or not taxed', () => {
  const twice = [BOUGHT, BOUGHT, sell('2025-06-02', APPLE, '1', '150'), buy('2025-03-04', SAMSUNG, '1', '1')];
  const needed = neededRates([ledger(twice), ledger(twice)], 2025);
  expect(needed.map(({ currency, date }) => [currency, date].join(' '))).toEqual([
    'USD 2025-03-05',
    'USD 2025-06-04',
  ]);
});

it.each([
  ['0', '0'],
  ['2500000', '0'],
  // Below ten won nothing is collected: 9 × 20 % = 1.8.
  ['2500009', '0'],
  ['2500100', '20'],
  ['5000000', '550000'],
])('owes on a gain of %s the tax of %s', (gain, tax) => {
  expect(capitalGainsTax(new Decimal(gain)).total.toFixed()).toBe(tax);
});

it('is declared in May of the next year, until the next Monday if May ends on a weekend', () => {
  expect(filingDays(2025).map(String)).toEqual(['2026-05-01', '2026-06-01']);
  expect(filingDays(2026).map(String)).toEqual(['2027-05-01', '2027-05-31']);
});
