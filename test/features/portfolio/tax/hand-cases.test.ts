import { expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { CapitalReturn, NewTransaction, ShareExchange } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { koreanReport } from '#src/features/portfolio/tax/korean-report.ts';
import { termReport } from '#src/features/portfolio/tax/term-report.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { everyRow } from '#test/support/every-row.ts';
import { APPLE, buy, dividend, sell, TOYOTA } from '../ledger/ledger-entries.ts';

const VODAFONE: Instrument = { ...APPLE, symbol: 'VOD.L', ticker: 'VOD.L', exchange: 'LSE', currency: 'GBP' };
const NEW: Instrument = { ...APPLE, symbol: 'KID', ticker: 'KID' };
const PARTS = { instrument: APPLE, currency: 'USD' } as const;

const exchange = (
  kind: ShareExchange['kind'],
  date: string,
  numbers: Readonly<Partial<Record<'quantity' | 'toQuantity' | 'percent' | 'amount' | 'price', string>>>,
): ShareExchange => {
  const { quantity = '0', toQuantity = '0', ...others } = numbers;
  return {
    kind,
    clientId: `${kind}-${date}`,
    date: Temporal.PlainDate.from(date),
    ...PARTS,
    quantity: new Decimal(quantity),
    toInstrument: NEW,
    toQuantity: new Decimal(toQuantity),
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, new Decimal(value)])),
  };
};
const repaid = (date: string, amount: string): CapitalReturn => ({
  kind: 'capital-return',
  clientId: `return-${date}`,
  date: Temporal.PlainDate.from(date),
  ...PARTS,
  amount: new Decimal(amount),
});

/** The won for one unit, on the days of purchase, event, dividend and sale; settled two trading days later. */
const RATES: Readonly<Record<string, string>> = {
  '2025-03-05': '1400',
  '2025-04-03': '1450',
  '2026-01-05': '1450',
  '2026-01-07': '1450',
  '2026-02-04': '1500',
  'JPY 2025-12-03': '9.4',
  'JPY 2025-12-30': '9.5',
  'JPY 2026-01-05': '9.6',
  'JPY 2026-05-28': '9.4',
  'GBP 2026-06-04': '1900',
};

const report = (entries: readonly NewTransaction[], year: number) =>
  atOnce(
    koreanReport(
      [{ portfolio: 'main', method: 'fifo', allowsShort: false, entries }],
      year,
      (currency, date) => {
        const rate = RATES[currency === 'USD' ? date.toString() : `${currency} ${date.toString()}`];
        return rate === undefined
          ? undefined
          : { rate: new Decimal(rate), day: date, source: 'test', isSample: false };
      },
      Temporal.PlainDate.from('2026-11-16'),
    ),
  );

const TEN = buy('2025-03-03', APPLE, '10', '100');
const MORE = buy('2025-04-01', APPLE, '10', '200');
const SPLIT = exchange('spin-off', '2026-01-05', { toQuantity: '10', percent: '25' });
const MERGED = exchange('merger', '2026-01-05', {
  quantity: '10',
  toQuantity: '3',
  amount: '500',
  price: '500',
});
const TOKYO = [
  buy('2025-12-01', TOYOTA, '200', '2000'),
  sell('2025-12-26', TOYOTA, '100', '3000'),
  sell('2025-12-29', TOYOTA, '100', '3100'),
];

everyRow<
  readonly [
    string,
    number,
    readonly NewTransaction[],
    readonly [gain: string, income: string, withheld: string],
  ]
>([
  // 4,500 × 9.4 and 689 × 9.4 = 6,476.6, rounded to the won.
  [
    'a Japanese dividend with 15.315 %',
    2026,
    [dividend('2026-05-28', TOYOTA, '4500', '689')],
    ['0', '42300', '6477'],
  ],
  // 6.50 × 1,900.
  [
    'a British dividend without tax',
    2026,
    [dividend('2026-06-04', VODAFONE, '6.50', '0')],
    ['0', '12350', '0'],
  ],
  [
    'a British dividend of a Korean broker',
    2026,
    [dividend('2026-06-04', VODAFONE, '6.50', '1')],
    ['0', '12350', '1900'],
  ],
  [
    'both beside each other',
    2026,
    [dividend('2026-05-28', TOYOTA, '4500', '689'), dividend('2026-06-04', VODAFONE, '6.50', '1')],
    ['0', '54650', '8377'],
  ],
  // 6 × 60 × 1,500 = 540,000. Five cost a quarter of 1,400,000, a sixth one a fifth of a quarter of 2,900,000: 495,000.
  [
    'the new shares of a spin-off, the oldest first',
    2026,
    [TEN, MORE, SPLIT, sell('2026-02-02', NEW, '6', '60')],
    ['45000', '0', '0'],
  ],
  // 10 × 150 × 1,500 − three quarters of 1,400,000.
  [
    'the old shares after a spin-off',
    2026,
    [TEN, MORE, SPLIT, sell('2026-02-02', APPLE, '10', '150')],
    ['1200000', '0', '0'],
  ],
  // $500 beside 3 × $500 stand for a quarter: 500 × 1,450 − 350,000.
  ['the cash of a merger', 2026, [TEN, MERGED], ['375000', '0', '0']],
  // 375,000 + 3 × 600 × 1,500 − 1,050,000.
  [
    'the new shares of a merger',
    2026,
    [TEN, MERGED, sell('2026-02-02', NEW, '3', '600')],
    ['2025000', '0', '0'],
  ],
  // 10 × 120 × 1,500 − (1,400,000 − 30 × 1,450).
  [
    'a sale after capital was paid back',
    2026,
    [TEN, repaid('2026-01-05', '30'), sell('2026-02-02', APPLE, '10', '120')],
    ['443500', '0', '0'],
  ],
  // 1,200 × 1,450 − 1,400,000: more than the shares had cost.
  ['capital paid back above the cost', 2026, [TEN, repaid('2026-01-05', '1200')], ['340000', '0', '0']],
  // 100 × 3,000 × 9.5 − 100 × 2,000 × 9.4; the next one is settled on 5 January.
  ['Tokyo at year end, settled on 30 December', 2025, TOKYO, ['970000', '0', '0']],
  // 100 × 3,100 × 9.6 − 1,880,000.
  ['Tokyo at year end, settled in January', 2026, TOKYO, ['1096000', '0', '0']],
])('counts in won, worked out by hand: %s', (_case, year, entries, expected) => {
  const { gain, financialIncome, income, unrated, broken } = report(entries, year);
  const withheld = income.reduce((sum, each) => sum.plus(each.won.withheld), new Decimal(0));
  expect([unrated, broken]).toEqual([[], []]);
  expect([gain, financialIncome, withheld].map((each) => each.toFixed())).toEqual(expected);
});

it('counts a year in the US from the purchase of the old shares of a merger', () => {
  const entries = [
    buy('2025-01-06', APPLE, '10', '100'),
    exchange('merger', '2025-06-02', { quantity: '10', toQuantity: '4' }),
    sell('2026-01-06', NEW, '2', '400'),
    sell('2026-01-07', NEW, '2', '400'),
  ];
  const found = atOnce(termReport({ entries, allowsShort: false }, 'USD', 2026));
  // Each: 800 − 500. One year to the day is short.
  expect('gains' in found && [found.gains.short.toFixed(), found.gains.long.toFixed()]).toEqual([
    '300',
    '300',
  ]);
});

it('gives a gain of capital that is paid back the days of the shares, and takes none of them away', () => {
  const entries = [
    buy('2024-01-08', APPLE, '10', '100'),
    buy('2025-12-01', APPLE, '30', '10'),
    repaid('2026-01-06', '1700'),
    sell('2026-02-02', APPLE, '40', '5'),
  ];
  const found = atOnce(termReport({ entries, allowsShort: false }, 'USD', 2026));
  // A quarter of 1,700 and of 200 for shares that had cost 1,000, the rest for those that had cost 300.
  expect('gains' in found && [found.gains.long.toFixed(), found.gains.short.toFixed()]).toEqual([
    '-525',
    '1125',
  ]);
});
