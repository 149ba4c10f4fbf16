import { describe, expect, it } from 'vitest';
import type { TransactionKind } from '#src/kernel/market/ledger.ts';
import { type EntryFields, readEntryText } from '#src/reading/entries.ts';
import { everyRow } from '#test/support/every-row.ts';
import { symbols } from '#test/support/sample-market.ts';

const ENTRIES: Readonly<
  Record<
    Exclude<TransactionKind, 'spin-off' | 'merger' | 'transfer-out' | 'transfer-in'>,
    readonly (readonly [typed: string, fields: EntryFields])[]
  >
> = {
  'capital-return': [
    ['KMI 30 USD', { name: 'KMI', amount: '30 USD' }],
    ['삼성전자 10주 600,000원', { name: '삼성전자', quantity: '10주', amount: '600,000원' }],
  ],
  buy: [
    ['삼성전자 10주 71,000원', { name: '삼성전자', quantity: '10주', price: '71,000원' }],
    ['삼성전자 71,000원 10주', { name: '삼성전자', quantity: '10주', price: '71,000원' }],
    ['10주 삼성전자 71,000원에', { name: '삼성전자', quantity: '10주', price: '71,000원' }],
    [
      '어제 삼성전자 10주 7만1천원에',
      { name: '삼성전자', quantity: '10주', price: '7만1천원', date: '어제' },
    ],
    ['삼성전자10주71,000원', { name: '삼성전자', quantity: '10주', price: '71,000원' }],
    ['삼성전자를 열 주 7만원에', { name: '삼성전자', quantity: '열 주', price: '7만원' }],
    ['KODEX 200 10 35000', { name: 'KODEX 200', quantity: '10', price: '35000' }],
    ['KODEX 200 10주 35,000원', { name: 'KODEX 200', quantity: '10주', price: '35,000원' }],
    ['3M 5 100', { name: '3M', quantity: '5', price: '100' }],
    ['3M 5 shares at $100', { name: '3M', quantity: '5 shares', price: '$100' }],
    ['S&P500 ETF 3 450', { name: 'S&P500 ETF', quantity: '3', price: '450' }],
    ['BRK.B 2 410.5', { name: 'BRK.B', quantity: '2', price: '410.5' }],
    ['005930.KS 10 71000', { name: '005930.KS', quantity: '10', price: '71000' }],
    ['005930 10주 71000원', { name: '005930', quantity: '10주', price: '71000원' }],
    ['AAPL 10', { name: 'AAPL', quantity: '10' }],
    ['10 AAPL at 190.5', { name: 'AAPL', quantity: '10', price: '190.5' }],
    [
      '10 shares of Apple at $190.5 on Nov 12, 2026',
      { name: 'Apple', quantity: '10 shares', price: '$190.5', date: 'on Nov 12, 2026' },
    ],
    ['AAPL 10 shares for $1905', { name: 'AAPL', quantity: '10 shares', total: '$1905' }],
    ['AAPL 10 shares, $1905 in total', { name: 'AAPL', quantity: '10 shares', total: '$1905 in total' }],
    ['$1905 of AAPL 10 shares', { name: 'AAPL', quantity: '10 shares', total: '$1905' }],
    ['AAPL @ 190.5 x 10', { name: 'AAPL', quantity: '10', price: '@ 190.5' }],
    ['AAPL 10 @190.5 fee 1', { name: 'AAPL', quantity: '10', price: '@190.5', fee: '1' }],
    [
      'AAPL 10 190.5 fee $1 yesterday',
      { name: 'AAPL', quantity: '10', price: '190.5', fee: '$1', date: 'yesterday' },
    ],
    ['삼성전자 10주 총 71만원', { name: '삼성전자', quantity: '10주', total: '총 71만원' }],
    ['삼성전자 10주 71만원어치', { name: '삼성전자', quantity: '10주', total: '71만원어치' }],
    [
      '삼성전자 10주 주당 7만1천원에 총 71만원',
      { name: '삼성전자', quantity: '10주', price: '주당 7만1천원', total: '총 71만원' },
    ],
    [
      '삼성전자 10주 평단 71,000원 수수료 500원',
      { name: '삼성전자', quantity: '10주', price: '평단 71,000원', fee: '500원' },
    ],
    ['삼성전자 10주 다 해서 71만원', { name: '삼성전자', quantity: '10주', total: '다 해서 71만원' }],
    ['비트코인 0.1개 1억 3천에', { name: '비트코인', quantity: '0.1개', price: '1억 3천' }],
    ['0.1 BTC 1억 3천만원', { name: 'BTC', quantity: '0.1', price: '1억 3천만원' }],
    ['BTC 0.1 130000000', { name: 'BTC', quantity: '0.1', price: '130000000' }],
    ['0.5 ETH at $3,000', { name: 'ETH', quantity: '0.5', price: '$3,000' }],
    ['비트코인 0.1개 1억3천', { name: '비트코인', quantity: '0.1개', price: '1억3천' }],
    [
      '삼성전자 10주 71,000원 지난달',
      { name: '삼성전자', quantity: '10주', price: '71,000원', date: '지난달' },
    ],
    ['AAPL 10 190 last month', { name: 'AAPL', quantity: '10', price: '190', date: 'last month' }],
    ['AAPL 10 190 in March', { name: 'AAPL', quantity: '10', price: '190', date: 'in March' }],
    ['AAPL 10 190 2026-11-12', { name: 'AAPL', quantity: '10', price: '190', date: '2026-11-12' }],
    ['AAPL 10 190 11/12', { name: 'AAPL', quantity: '10', price: '190', date: '11/12' }],
    ['AAPL 20261112 10 190', { name: 'AAPL', quantity: '10', price: '190', date: '20261112' }],
    [
      '삼성전자 10주 7만원 지난주 금요일',
      { name: '삼성전자', quantity: '10주', price: '7만원', date: '지난주 금요일' },
    ],
    ['AAPL 10 190 last friday', { name: 'AAPL', quantity: '10', price: '190', date: 'last friday' }],
    ['AAPL 10 190 3 days ago', { name: 'AAPL', quantity: '10', price: '190', date: '3 days ago' }],
    ['TIGER 미국S&P500 5주 2만원', { name: 'TIGER 미국S&P500', quantity: '5주', price: '2만원' }],
    ['Bank of America 10 40', { name: 'Bank of America', quantity: '10', price: '40' }],
    ['VOD.L 100 72p', { name: 'VOD.L', quantity: '100', price: '£0.72' }],
    ['NVDA ½ 180', { name: 'NVDA', quantity: '0.5', price: '180' }],
    ['NVDA 1/2 shares 180', { name: 'NVDA', quantity: '0.5 shares', price: '180' }],
    ['삼성전자 1/3 주 7만원', { name: '삼성전자', quantity: '0.33333333 주', price: '7만원' }],
    ['AAPL half a share 270', { name: 'AAPL', quantity: '0.5 shares', price: '270' }],
    ['AAPL 10 270 exchange rate 1450', { name: 'AAPL', quantity: '10', price: '270', rate: '1450' }],
    ['ON 10 60', { name: 'ON', quantity: '10', price: '60' }],
    ['AAPL 10 190 USD', { name: 'AAPL', quantity: '10', price: '190 USD' }],
    ['７주 삼성전자 ７만원', { name: '삼성전자', quantity: '7주', price: '7만원' }],
    [
      '삼성전자 10주 7만원 (수수료 150원)',
      { name: '삼성전자', quantity: '10주', price: '7만원', fee: '150원' },
    ],
    ['10 AAPL at 290 (fee 1)', { name: 'AAPL', quantity: '10', price: '290', fee: '1' }],
    ['AAPL 10 × $290', { name: 'AAPL', quantity: '10', price: '$290' }],
    ['AAPL 10 x $290', { name: 'AAPL', quantity: '10', price: '$290' }],
    ['10 AAPL at 290 with a $1 fee', { name: 'AAPL', quantity: '10', price: '290', fee: '$1' }],
    ['삼성전자 10주 7만원 수수료 없음', { name: '삼성전자', quantity: '10주', price: '7만원', fee: '0' }],
    ['10 AAPL at 290, no fee', { name: 'AAPL', quantity: '10', price: '290', fee: '0' }],
    [
      '10 AAPL at 290 on Nov 12 at 3pm',
      { name: 'AAPL', quantity: '10', price: '290', date: 'on Nov 12', time: 'at 3pm' },
    ],
    ['$580 of AAPL at 290', { name: 'AAPL', total: '$580', price: '290' }],
    ['$580 worth of AAPL at $290', { name: 'AAPL', total: '$580 worth', price: '$290' }],
    ['애플 580달러어치 290달러에', { name: '애플', total: '580달러어치', price: '290달러' }],
    ['애플 580달러어치 290에', { name: '애플', total: '580달러어치', price: '290' }],
    ['AAPL at 190.5 10', { name: 'AAPL', quantity: '10', price: '190.5' }],
    ['$1905 worth of AAPL, 10 shares', { name: 'AAPL', quantity: '10 shares', total: '$1905 worth' }],
    [
      'AAPL 10 at $190.5 each, $1905 total',
      { name: 'AAPL', quantity: '10', price: '$190.5 each', total: '$1905 total' },
    ],
    [
      '삼성전자 10주 71,000원 총 72만원',
      { name: '삼성전자', quantity: '10주', price: '71,000원', total: '총 72만원' },
    ],
  ],
  sell: [
    ['삼성전자 전량 80,000원', { name: '삼성전자', quantity: '전량', price: '80,000원' }],
    ['삼성전자 전부', { name: '삼성전자', quantity: '전부' }],
    ['삼성전자 전부 10만원', { name: '삼성전자', quantity: '전부', price: '10만원' }],
    ['half of AAPL at 200', { name: 'AAPL', quantity: 'half', price: '200' }],
    ['AAPL all @200', { name: 'AAPL', quantity: 'all', price: '@200' }],
    ['AAPL 절반 200달러', { name: 'AAPL', quantity: '절반', price: '200달러' }],
    [
      '삼성전자 5주 8만원 세금 720원 수수료 60원',
      { name: '삼성전자', quantity: '5주', price: '8만원', fee: '60원', tax: '720원' },
    ],
    ['AAPL 5 200 tax 1.5 fee 2', { name: 'AAPL', quantity: '5', price: '200', fee: '2', tax: '1.5' }],
    ['삼성전자 10주 전부 80만원', { name: '삼성전자', quantity: '10주', total: '80만원' }],
    ['AAPL 다', { name: 'AAPL', quantity: '다' }],
    ['AAPL 10 270 fee 0.1%', { name: 'AAPL', quantity: '10', price: '270', fee: '0.1%' }],
    ['AAPL at 260', { name: 'AAPL', price: '260' }],
    ['½ of TSLA at 260', { name: 'TSLA', quantity: '½', price: '260' }],
    ['½ my TSLA at 260', { name: 'TSLA', quantity: '½', price: '260' }],
    ['TSLA ½ 260', { name: 'TSLA', quantity: '½', price: '260' }],
    ['1/2 of TSLA at 260', { name: 'TSLA', quantity: '1/2', price: '260' }],
    ['테슬라의 1/2을 260달러에', { name: '테슬라', quantity: '1/2', price: '260달러' }],
    ['½ share of TSLA at 260', { name: 'TSLA', quantity: '0.5 share', price: '260' }],
    ['½ of a share of TSLA at 260', { name: 'TSLA', quantity: '0.5', price: '260' }],
    ['테슬라 ½주 260달러', { name: '테슬라', quantity: '0.5주', price: '260달러' }],
    ['1½ TSLA at 260', { name: 'TSLA', quantity: '1.5', price: '260' }],
    ['½ BTC at $100,000', { name: 'BTC', quantity: '0.5', price: '$100,000' }],
    ['테슬라 3분의 1 260달러에', { name: '테슬라', quantity: '3분의 1', price: '260달러' }],
    ['테슬라 삼분의 일을 260달러에', { name: '테슬라', quantity: '삼분의 일', price: '260달러' }],
    ['a third of TSLA at 260', { name: 'TSLA', quantity: 'a third', price: '260' }],
    ['two thirds of my TSLA at 260', { name: 'TSLA', quantity: 'two thirds', price: '260' }],
    ['50% of TSLA at 260', { name: 'TSLA', quantity: '50%', price: '260' }],
    ['TSLA 50% 260', { name: 'TSLA', quantity: '50%', price: '260' }],
    ['테슬라 50%만 260달러에', { name: '테슬라', quantity: '50%', price: '260달러' }],
    ['테슬라 절반만 260달러에', { name: '테슬라', quantity: '절반만', price: '260달러' }],
    ['테슬라 반만 260달러에', { name: '테슬라', quantity: '반만', price: '260달러' }],
  ],
  dividend: [
    ['AAPL 12.5', { name: 'AAPL', amount: '12.5' }],
    ['AAPL 12 USD tax 1.8', { name: 'AAPL', amount: '12 USD', tax: '1.8' }],
    ['삼성전자 배당금 3,610원', { name: '삼성전자', amount: '3,610원' }],
    ['삼성전자 3,610원 세금 550원 어제', { name: '삼성전자', amount: '3,610원', tax: '550원', date: '어제' }],
    ['$12 from AAPL', { name: 'AAPL', amount: '$12' }],
    ['AAPL $12 last month', { name: 'AAPL', amount: '$12', date: 'last month' }],
  ],
  split: [
    ['AAPL 4:1', { name: 'AAPL', ratio: '4:1' }],
    ['AAPL 4대1', { name: 'AAPL', ratio: '4:1' }],
    ['AAPL 4 for 1', { name: 'AAPL', ratio: '4:1' }],
    ['AAPL 4', { name: 'AAPL', ratio: '4:1' }],
    ['AAPL 3/2', { name: 'AAPL', ratio: '3:2' }],
    ['AAPL 1:10 2026-11-12', { name: 'AAPL', ratio: '1:10', date: '2026-11-12' }],
    ['AAPL 1e30', { name: 'AAPL', ratio: '1e30' }],
    ['AAPL 4배', { name: 'AAPL', ratio: '4:1' }],
    ['삼성전자 50:1 11월 2일', { name: '삼성전자', ratio: '50:1', date: '11월 2일' }],
  ],
  deposit: [
    ['100만원', { amount: '100만원' }],
    ['모두 100만원', { amount: '100만원' }],
    ['1000 USD', { amount: '1000 USD' }],
    ['$1,000 yesterday', { amount: '$1,000', date: 'yesterday' }],
    ['1억 3천', { amount: '1억 3천' }],
    ['삼백만원 11/2', { amount: '삼백만원', date: '11/2' }],
    ['100 ZZZ', { amount: '100', currency: 'ZZZ' }],
    ['1.5 million won', { amount: '1.5 million won' }],
    ['지난달 100만원', { amount: '100만원', date: '지난달' }],
  ],
  withdrawal: [
    ['50만원 어제', { amount: '50만원', date: '어제' }],
    ['USD 500', { amount: 'USD 500' }],
  ],
  fx: [
    ['1,400,000원 1000달러', { amount: '1,400,000원', toAmount: '1000달러' }],
    ['1400000 KRW 1000 USD', { amount: '1400000 KRW', toAmount: '1000 USD' }],
    ['140만원을 1000달러로', { amount: '140만원', toAmount: '1000달러' }],
    ['$1000 to 1,400,000 won', { amount: '$1000', toAmount: '1,400,000 won' }],
    ['100만원 700 달러 환율 1400', { amount: '100만원', toAmount: '700 달러', rate: '1400' }],
    ['1000달러 1470원에', { amount: '1000달러', rate: '1470원' }],
    ['1470원에 1000달러', { amount: '1000달러', rate: '1470원' }],
    ['1000 dollars at 1470 won', { amount: '1000 dollars', rate: '1470 won' }],
    ['100만원 1450원에', { amount: '100만원', rate: '1450원' }],
    ['1000000 won to dollars at 1450', { amount: '1000000 won', rate: '1450', toCurrency: 'dollars' }],
    ['1000달러 원화로 환율 1470원', { amount: '1000달러', rate: '1470원', toCurrency: '원화' }],
    ['10만엔 930원에', { amount: '10만엔', rate: '930원' }],
    ['1000달러 147만원에', { amount: '1000달러', toAmount: '147만원' }],
  ],
  fee: [
    ['5000원', { amount: '5000원' }],
    ['5 USD on 2026-11-12', { amount: '5 USD', date: 'on 2026-11-12' }],
    ['account fee 5 USD', { amount: '5 USD' }],
    ['수수료 5000원', { amount: '5000원' }],
  ],
  interest: [
    ['12,345원', { amount: '12,345원' }],
    ['1만2천원 세금 1,890원', { amount: '1만2천원', tax: '1,890원' }],
    ['$3.20 tax $0.49 2026-11-12', { amount: '$3.20', tax: '$0.49', date: '2026-11-12' }],
  ],
  tax: [
    ['1,890원', { amount: '1,890원' }],
    ['$12.50', { amount: '$12.50' }],
    ['AAPL 1.88', { name: 'AAPL', amount: '1.88' }],
    ['애플 1.88달러 어제', { name: '애플', amount: '1.88달러', date: '어제' }],
  ],
  'cash-in-lieu': [
    ['AAPL 0.5 shares $75', { name: 'AAPL', quantity: '0.5 shares', amount: '$75' }],
    ['애플 0.5주 75달러', { name: '애플', quantity: '0.5주', amount: '75달러' }],
    ['AAPL 75 USD', { name: 'AAPL', amount: '75 USD' }],
  ],
  rights: [
    ['AAPL 5 50', { name: 'AAPL', quantity: '5', price: '50' }],
    ['삼성전자 5주 50,000원', { name: '삼성전자', quantity: '5주', price: '50,000원' }],
    ['AAPL 3주', { name: 'AAPL', quantity: '3주' }],
    ['AAPL 5 for $250', { name: 'AAPL', quantity: '5', total: '$250' }],
  ],
};

const ROWS = Object.entries(ENTRIES).flatMap(([kind, rows]) =>
  rows.map(([typed, fields]) => [kind as TransactionKind, typed, fields] as const),
);

describe('a portfolio entry in words', () => {
  everyRow(ROWS)('%s: %s', (kind, typed, fields) => {
    expect(readEntryText(kind, typed, symbols)).toEqual({ status: 'ok', fields });
  });

  everyRow<[kind: TransactionKind, typed: string, leftOver: string]>([
    ['buy', 'AAPL 25bp 10', '25bp'],
    ['buy', 'AAPL 10 190 hello', 'hello'],
    ['buy', 'AAPL 10 190 어제 그제', '그제'],
    ['buy', 'AAPL 10 fee 5 fee 10', 'fee 10'],
    ['sell', 'AAPL 10주 half 270', 'half'],
    ['sell', 'AAPL half all 270', 'all'],
    ['sell', 'AAPL 10주 ½ 270', '½'],
    ['sell', 'some of TSLA at 260', 'some'],
    ['fee', '$3 wire', 'wire'],
    ['deposit', '100만원 월급', '월급'],
    ['buy', 'AAPL 10 190 note first lot', 'note first lot'],
    ['sell', 'AAPL 50% 10 270', '270'],
    ['sell', 'AAPL 270 10% profit', 'profit'],
    ['buy', 'AAPL 10 270 fee', '270 fee'],
    ['dividend', 'AAPL 12 USD rate', 'rate'],
  ])('reports words it does not understand: %s %s', (kind, typed, leftOver) => {
    expect(readEntryText(kind, typed, symbols)).toEqual({ status: 'left-over', typed: leftOver });
  });

  it.each<[kind: TransactionKind, typed: string, word: string]>([
    ['buy', 'AAPL half 270', 'half'],
    ['buy', 'AAPL all 270', 'all'],
    ['buy', '삼성전자 절반 100', '절반'],
    ['rights', 'AAPL half 3', 'half'],
    ['withdrawal', 'all 100', 'all'],
    ['dividend', 'AAPL amount half', 'half'],
  ])('accepts a portion only in a sale: %s %s', (kind, typed, word) => {
    expect(readEntryText(kind, typed, symbols)).toEqual({ status: 'portion', typed: word });
  });

  it('reports 1/3 before a number as ambiguous between a date and a fraction', () => {
    const unclear = { status: 'fraction-or-day', typed: '1/3' };
    expect(readEntryText('buy', 'NVDA 1/3 180', symbols)).toEqual(unclear);
    expect(readEntryText('sell', '1/3 NVDA 180', symbols)).toEqual(unclear);
    expect(readEntryText('sell', 'NVDA 5 1/3', symbols)).toMatchObject({ fields: { date: '1/3' } });
  });

  it.each([
    ['more', '1:4', '4:1'],
    ['more', '4:1', '4:1'],
    ['more', '4', '4:1'],
    ['fewer', '10:1', '1:10'],
    ['fewer', '10', '1:10'],
    ['as-written', '1:10', '1:10'],
  ] as const)('a split into %s, written %s, is %s', (direction, typed, ratio) => {
    expect(readEntryText('split', `AAPL ${typed}`, symbols, {}, direction)).toEqual({
      status: 'ok',
      fields: { name: 'AAPL', ratio },
    });
  });

  it('leaves fields given as options alone', () => {
    expect(readEntryText('buy', '10 190', symbols, { name: 'AAPL', total: '$1900' })).toEqual({
      status: 'ok',
      fields: { quantity: '10', price: '190' },
    });
    expect(readEntryText('fx', '140만원', symbols, { toAmount: '1000', toCurrency: 'USD' })).toEqual({
      status: 'ok',
      fields: { amount: '140만원' },
    });
    for (const [typed, given] of [
      ['AAPL 10 190 어제', { date: '2026-11-13' }],
      ['0.1 BTC 190', { quantity: '5' }],
      ['AAPL half 190', { quantity: '5' }],
    ] as const)
      expect(readEntryText('sell', typed, symbols, given).status).toBe('left-over');
    expect(readEntryText('split', 'AAPL 4:1', symbols, { ratio: '2:1' }).status).toBe('left-over');
  });
});
