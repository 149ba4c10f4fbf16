import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { recordCommand } from '#src/features/portfolio/entries/instrument.ts';
import { askedBy } from '#test/features/portfolio/asked-service.ts';

const AMOUNTS = [
  '10',
  '1,234.5',
  '$1905',
  '1905 USD',
  '$1905 in total',
  '71,000원',
  '7만 1천원',
  '1억 3천',
  '12.5달러',
  'abc def',
];
const DATES = ['2026-11-13', 'on Nov 13, 2026', 'last friday', '지난주 금요일', '11월 13일', '11/13'];
const optional = (values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const extras = {
  date: optional(DATES),
  fee: optional(['1', '500원', '1 USD']),
  note: optional(['long term', "mum's", 'a "quoted" word', 'two\nlines']),
  portfolio: optional(['pension', '내 연금', 'my pension']),
  isSure: fc.option(fc.constant(true), { nil: undefined }),
};
const trade = fc.record({
  ...extras,
  kind: fc.constantFrom('buy', 'sell'),
  quantity: optional([
    '10',
    '10 shares',
    '10주',
    '0.5',
    '열 주',
    'all',
    'half',
    '1/3',
    '50%',
    '3분의 1',
    '1 000',
  ]),
  price: optional(AMOUNTS),
  total: optional(AMOUNTS),
  tax: optional(['5', '5 USD']),
  currency: optional(['USD', 'KRW']),
});
const ofMoney = fc.record({
  ...extras,
  kind: fc.constantFrom('deposit', 'withdrawal', 'fee', 'dividend'),
  amount: optional(AMOUNTS),
  currency: optional(['USD', 'KRW']),
});
const exchange = fc.record({
  ...extras,
  kind: fc.constant('fx'),
  amount: optional(AMOUNTS),
  toAmount: optional(AMOUNTS),
  toCurrency: optional(['USD', '달러']),
  rate: optional(['1400', '1,400.5']),
});
const split = fc.record({
  ...extras,
  kind: fc.constant('split'),
  ratio: optional(['4:1', '50', '3 for 2', '1:10', '1e30']),
});

const CODES = ['AAPL', '005930.KS', 'BTC-KRW', 'BRK-B'];
const NAMED = new Set(['buy', 'sell', 'dividend', 'split']);
/** A number alone is a ratio to one. */
const meaning = (field: string, value: string): string =>
  field === 'ratio' && /^\d+$/u.test(value)
    ? `${value}:1`
    : value.replaceAll(/\s+/gu, ' ').replaceAll('"', "'");
const meant = (request: RecordRequest): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(request).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, typeof value === 'string' ? meaning(field, value) : value]],
    ),
  );

describe('a request that is written again as a command', () => {
  it('is read as the same request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(trade, ofMoney, exchange, split),
        fc.constantFrom(...CODES),
        async (fields, code) => {
          const request = fields as RecordRequest;
          const name = NAMED.has(request.kind) ? code : undefined;
          const [question, asked] = await askedBy(recordCommand(request, name ?? ''));
          expect(question).toBe('record');
          expect(meant(asked as RecordRequest)).toEqual(meant({ ...request, name }));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('is short where its fields are', () => {
    const request = {
      kind: 'buy',
      quantity: '10',
      price: '190.5',
      date: '2026-11-13',
      isSure: true,
    } as const;
    expect(recordCommand(request, 'AAPL')).toBe('/portfolio add AAPL 10 190.5 --date=2026-11-13 --yes');
  });
});
