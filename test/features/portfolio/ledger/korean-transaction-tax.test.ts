import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { koreanTransactionTax } from '#src/features/portfolio/ledger/korean-transaction-tax.ts';
import { everyRow } from '#test/support/every-row.ts';

const taxOf = (
  exchange: string,
  date: string,
  gross = '1000000',
  assetClass: Instrument['assetClass'] = 'equity',
): string =>
  koreanTransactionTax({ exchange, assetClass }, new Decimal(gross), Temporal.PlainDate.from(date)).toFixed();

describe('the tax on a sale at a Korean exchange', () => {
  everyRow([
    ['2019-05-29', '3000', '3000'],
    ['2019-05-30', '2500', '1000'],
    ['2020-12-28', '2500', '1000'],
    ['2020-12-29', '2300', '1000'],
    ['2022-12-28', '2000', '1000'],
    ['2023-12-26', '2000', '1000'],
    ['2023-12-27', '1800', '1000'],
    ['2024-12-26', '1800', '1000'],
    ['2024-12-27', '1500', '1000'],
    ['2025-12-26', '1500', '1000'],
    ['2025-12-29', '2000', '1000'],
    ['2026-11-13', '2000', '1000'],
  ])('of a million won on %s is %s, and %s at KONEX', (date, main, konex) => {
    expect([taxOf('KOSPI', date), taxOf('KOSDAQ', date), taxOf('KONEX', date)]).toEqual([main, main, konex]);
  });

  // At KOSPI two taxes: 0.05 % and 0.15 % of 71,500 are 35.75 and 107.25; together they would be 143.
  everyRow([
    ['71500', '142', '143'],
    ['71499.99', '142', '142'],
    ['999999999999999999999999.5', '1999999999999999999998', '1999999999999999999999'],
    ['499', '0', '0'],
    ['666', '0', '1'],
  ])('of %s is %s won at KOSPI and %s at KOSDAQ: parts of each tax are dropped', (gross, kospi, kosdaq) => {
    expect([taxOf('KOSPI', '2026-11-13', gross), taxOf('KOSDAQ', '2026-11-13', gross)]).toEqual([
      kospi,
      kosdaq,
    ]);
  });

  it('is none for funds, other markets and days before it is known', () => {
    expect([
      taxOf('KOSPI', '2026-11-13', '1000000', 'etf'),
      taxOf('NASDAQ', '2026-11-13'),
      taxOf('constructor', '2026-11-13'),
      taxOf('KOSPI', '1990-01-01'),
    ]).toEqual(['0', '0', '0', '0']);
  });
});
