import { expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { koreanSettlementDate, settlementDate } from '#src/markets/calendar/settlement.ts';
import { everyRow } from '#test/support/every-row.ts';

const listedAt = (exchange: string, assetClass: Instrument['assetClass'] = 'equity'): Instrument => ({
  symbol: 'X',
  ticker: 'X',
  name: { ko: 'X', en: 'X' },
  exchange,
  assetClass,
  currency: 'USD',
  priceDecimals: 2,
});

everyRow([
  ['one day later in the US', 'NASDAQ', '2025-03-03', '2025-03-04', '2025-03-05'],
  ['over a weekend', 'NASDAQ', '2025-03-07', '2025-03-10', '2025-03-11'],
  ['over a US holiday (Thanksgiving)', 'NYSE', '2025-11-26', '2025-11-28', '2025-12-01'],
  ['over a day without payments in the US (Columbus Day)', 'NYSE', '2026-10-09', '2026-10-13', '2026-10-14'],
  ['over a Korean holiday (Chuseok 2025)', 'NASDAQ', '2025-10-02', '2025-10-03', '2025-10-10'],
  ['on the last day of the year', 'NASDAQ', '2025-12-29', '2025-12-30', '2025-12-31'],
  ['in the next year in Korea alone', 'NASDAQ', '2025-12-30', '2025-12-31', '2026-01-02'],
  ['in the next year in both', 'NASDAQ', '2025-12-31', '2026-01-02', '2026-01-05'],
  ['two days later before 2024-05-28', 'NASDAQ', '2024-05-14', '2024-05-16', '2024-05-17'],
  ['three days later before 2017-09-05', 'NASDAQ', '2016-03-01', '2016-03-04', '2016-03-07'],
  ['on a leap day', 'NASDAQ', '2024-02-27', '2024-02-29', '2024-03-01'],
  ['two days later in Korea', 'KOSPI', '2026-03-04', '2026-03-06', '2026-03-06'],
  ['at the year end in Korea, where banks are open', 'KOSDAQ', '2026-12-29', '2026-12-31', '2026-12-31'],
  ['two days later in Tokyo', 'TSE', '2026-03-04', '2026-03-06', '2026-03-06'],
  ['on the last banking day of a year in Tokyo', 'TSE', '2026-12-28', '2026-12-30', '2026-12-30'],
  ['after New Year in Tokyo, which rests from 31 December', 'TSE', '2026-12-29', '2027-01-04', '2027-01-04'],
  ['after three days of New Year in Tokyo', 'TSE', '2024-12-30', '2025-01-07', '2025-01-07'],
  ['on 31 December in London', 'LSE', '2026-12-29', '2026-12-31', '2026-12-31'],
  ['over Golden Week', 'TSE', '2026-04-30', '2026-05-07', '2026-05-07'],
  ['over a half day in Hong Kong', 'HKEX', '2026-12-23', '2026-12-29', '2026-12-29'],
  ['two days later in London', 'LSE', '2027-10-08', '2027-10-12', '2027-10-12'],
  ['one day later in London from 2027-10-11', 'LSE', '2027-10-11', '2027-10-12', '2027-10-12'],
])('settles a trade %s', (_case, exchange, traded, local, korean) => {
  const date = Temporal.PlainDate.from(traded);
  expect(settlementDate(listedAt(exchange), date).date.toString()).toBe(local);
  expect(koreanSettlementDate(listedAt(exchange), date).date.toString()).toBe(korean);
});

it('marks settlement dates without holiday data as uncertain, and settles coins on the trade date', () => {
  const old = Temporal.PlainDate.from('2023-03-01');
  expect(settlementDate(listedAt('NASDAQ'), old).isCertain).toBe(false);
  expect(settlementDate(listedAt('NASDAQ'), Temporal.PlainDate.from('2026-03-02')).isCertain).toBe(true);
  expect(koreanSettlementDate(listedAt('Upbit', 'crypto'), old)).toMatchObject({
    date: old,
    isCertain: true,
  });
});
