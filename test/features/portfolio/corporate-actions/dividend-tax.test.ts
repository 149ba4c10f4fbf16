import { expect, it } from 'vitest';
import type { CorporateAction } from '#src/kernel/market/corporate-action.ts';
import type { TaxedAs } from '#src/features/portfolio/requests.ts';
import type { AccountKind } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import {
  dividendTax,
  type TaxCountry,
  taxCountryOf,
  yearEndPayment,
} from '#src/features/portfolio/corporate-actions/dividend-tax.ts';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';
import { everyRow } from '#test/support/every-row.ts';

everyRow<readonly [string, TaxCountry, string, string, TaxedAs, AccountKind | undefined, string]>([
  ['15 % in the US', 'US', 'USD', '12.50', 'usual', undefined, '1.88'],
  ['no more than that by a Korean broker', 'US', 'USD', '12.50', 'korean-broker', undefined, '1.88'],
  // 14 % of 361,000 is 50,540, a tenth of it 5,054: both cut to tens of won.
  [
    'income and local tax of Korea, each cut to tens of won',
    'KR',
    'KRW',
    '361000',
    'usual',
    undefined,
    '55590',
  ],
  // 14 % of 36,150 is 5,061, cut to 5,060; a tenth 506, cut to 500.
  ['both taxes of a small amount', 'KR', 'KRW', '36150', 'usual', undefined, '5560'],
  // 14 % of 3,610 is 505: below 1,000 nothing is withheld.
  ['nothing below ₩1,000 of income tax', 'KR', 'KRW', '3610', 'usual', undefined, '0'],
  // 14 % of 7,142 is 999.88, of 7,143 it is 1,000.02.
  ['nothing one won below the line', 'KR', 'KRW', '7142', 'usual', undefined, '0'],
  ['something one won above it', 'KR', 'KRW', '7143', 'usual', undefined, '1100'],
  ['nothing in an ISA', 'KR', 'KRW', '361000', 'usual', 'isa', '0'],
  // 4,500 × 0.15315 = 689.175.
  ['15.315 % in Japan', 'JP', 'JPY', '4500', 'usual', undefined, '689'],
  ['no more than that by a Korean broker', 'JP', 'JPY', '4500', 'korean-broker', undefined, '689'],
  ['nothing in the United Kingdom', 'GB', 'GBP', '6.50', 'usual', undefined, '0'],
  // 14 % and a tenth of it.
  ['15.4 % of it by a Korean broker', 'GB', 'GBP', '6.50', 'korean-broker', undefined, '1'],
  ['nothing in Hong Kong', 'HK', 'HKD', '200', 'usual', undefined, '0'],
  ['15.4 % of it by a Korean broker', 'HK', 'HKD', '200', 'korean-broker', undefined, '30.8'],
  // 10 %, then 4 % and a tenth of that.
  ['10 % in China and 4.4 % in Korea', 'CN', 'CNY', '100', 'korean-broker', undefined, '14.4'],
  ['nothing where it is said so', 'US', 'USD', '12.50', 'none', undefined, '0'],
  ['nothing where no rate is known', 'other', 'EUR', '100', 'usual', undefined, '0'],
])('of a dividend is withheld: %s', (_case, country, currency, amount, as, account, tax) => {
  const taken = dividendTax({ amount: new Decimal(amount), currency, country }, as, account);
  expect(taken.toFixed()).toBe(tax);
});

everyRow<readonly [string, string, TaxCountry]>([
  ['005930.KS', 'KOSPI', 'KR'],
  ['AAPL', 'NASDAQ', 'US'],
  ['SPY', 'NYSE Arca', 'US'],
  ['7203.T', 'TSE', 'JP'],
  ['VOD.L', 'LSE', 'GB'],
  ['0700.HK', 'HKEX', 'HK'],
  ['600519.SS', 'Shanghai', 'CN'],
  ['SAP.DE', 'XETRA', 'DE'],
  ['MC.PA', 'Paris', 'other'],
])('%s of %s is taxed in %s', (symbol, exchange, country) => {
  expect(taxCountryOf({ symbol, exchange })).toBe(country);
});

everyRow<readonly [TaxCountry, string, string | undefined]>([
  ['KR', '2025-12-29', '2026-04-30'],
  ['KR', '2025-12-15', undefined],
  ['KR', '2026-03-30', undefined],
  ['JP', '2025-12-29', '2026-03-31'],
  ['US', '2025-12-29', undefined],
])('a dividend of %s with the ex-day %s is paid until %s', (country, exDay, paid) => {
  expect(yearEndPayment(country, Temporal.PlainDate.from(exDay))?.toString()).toBe(paid);
});

const dividend = (date: string, amount: string, currency: string): CorporateAction => ({
  kind: 'dividend',
  date: Temporal.PlainDate.from(date),
  amount: new Decimal(amount),
  currency,
});

it('asks once for the tax on all offered dividends by country, and tells before and after tax apart', async () => {
  const at = await openPortfolios();
  const say = (body: string) => at.say(body, { locale: 'ko' });
  at.closes.set('005930.KS', { '2025-12-01': '60000' });
  at.closes.set('VOD.L', { '2025-12-01': '1' });
  at.actions.set('005930.KS', [dividend('2025-12-29', '361', 'KRW'), dividend('2026-06-29', '361', 'KRW')]);
  at.actions.set('VOD.L', [dividend('2026-06-04', '0.065', 'GBP')]);
  at.prices.set('GBPKRW=X', { price: '1900' });
  at.closes.set('GBPKRW=X', { '2025-01-02': '1900' });
  await say('/portfolio 새로 main KRW');
  await say('/portfolio 매수 삼성전자 100주 60,000원 2025-12-02 --yes');
  await say('/portfolio 매수 VOD.L 100주 1파운드 2025-12-02 --yes');

  const list = await say('/portfolio 배당확인');
  expect(list.choices?.map(({ label }) => label)).toContain('배당 3건 모두 기록');
  // 14 % of 36,100 is 5,054, cut to 5,050; a tenth 505, cut to 500.
  expect(list.choices?.map(({ command }) => command).join('\n')).toContain(
    '/portfolio dividend 005930.KS 36100 --currency=KRW --date=2026-04-30 --tax=5550',
  );
  expect(list.choices?.filter(({ command }) => command.includes('VOD.L'))).toHaveLength(1);
  const asked = await say('/portfolio 배당확인 기록 전체');
  for (const said of [
    '배당 3건에서 세금을 얼마나 떼었나요?',
    '한국 2건: 통상 15.4% · 세전 ₩72,200 − 세금 ₩11,100 = 세후 ₩61,100',
    '영국 1건: 현지 원천징수 없음 · 세전 £6.50, 세금 없음 (국내 증권사라면 모두 15.4%)',
    '연말 배당 1건은 다음 해의 늦은 지급일로 적어요',
  ])
    expect(asked.content).toContain(said);
  expect(asked.choices?.map(({ label }) => label)).toEqual([
    '통상 세율로 기록',
    '국내 증권사 기준',
    '세금 없이 기록',
  ]);
  const done = await say(asked.choices?.[1]?.command ?? '');
  expect(done.content).toContain('배당 3건을 기록했어요');
  expect(done.content).toContain('세전 £6.50 − 세금 £1.00 = 세후 £5.50');
  expect(done.content).toContain('2026-04-30');
  expect(done.content).toContain('배당락일 2025-12-29, 지급일 추정');
  // 61,100 + 5.50 × 1,900, and 72,200 + 6.50 × 1,900.
  expect((await say('/portfolio 자세히')).content).toContain('배당금: 세후 ₩71,550 (세전 ₩84,550)');
  expect((await say('/portfolio 세금 2026')).content).toContain(
    '배당 · 한국 (KRW): ₩72,200, 원천징수 ₩11,100',
  );
  expect((await say('/portfolio 배당확인 기록 전체')).content).toContain('기록할 배당이 없어요');

  await say('/portfolio 취소 3-5');
  await say('/portfolio 배당확인 기록 전체 세전');
  expect((await say('/portfolio 자세히')).content).toContain('배당금: 세전 ₩84,550');
});

it('records at once where nothing is usually withheld', async () => {
  const at = await openPortfolios();
  at.closes.set('0700.HK', { '2026-01-05': '400' });
  at.actions.set('0700.HK', [dividend('2026-05-20', '2', 'HKD')]);
  const say = (body: string) => at.say(body, { locale: 'en' });
  await say('/portfolio new main USD');
  await say('/portfolio add 0700.HK 100 400 2026-01-06 --yes');
  const recorded = await say('/portfolio actions record all');
  expect(recorded.content).toContain('Recorded 1 dividend');
  expect(recorded.content).toMatch(/HKD\s200\.00 before tax, no tax/u);
});
