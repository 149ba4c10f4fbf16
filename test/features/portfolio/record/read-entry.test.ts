import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { entryProblemText } from '#src/features/portfolio/entries/entry-problems.ts';
import { readEntry } from '#src/features/portfolio/record/read-entry.ts';
import { everyRow } from '#test/support/every-row.ts';
import { instrumentOf } from '#test/markets/sources/market-fixtures.ts';

const TODAY = Temporal.PlainDate.from('2026-11-13');
const SAMSUNG = instrumentOf('005930.KS');
const APPLE = instrumentOf('AAPL');

const read = (request: RecordRequest, instrument?: Instrument, today = TODAY) =>
  readEntry(request, { instrument, baseCurrency: 'KRW', today, clientId: 'c1' });

/** Decimals and dates as text, so that a difference can be read. */
const plain = (entry: NewTransaction): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      key,
      value instanceof Decimal
        ? value.toFixed()
        : value instanceof Temporal.PlainDate
          ? value.toString()
          : value,
    ]),
  );

const entryOf = (request: RecordRequest, instrument?: Instrument, today = TODAY) => {
  const result = read(request, instrument, today);
  if (result.status !== 'ok') throw new Error(entryProblemText(result.problem, 'en'));
  return plain(result.entry);
};

const ratioOf = (ratio: string): Decimal =>
  new Decimal(String(entryOf({ kind: 'split', ratio }, SAMSUNG).ratio));

describe('what people write', () => {
  everyRow([
    ['10주', '71,000원', '10', '71000'],
    ['１０', '₩71,000', '10', '71000'],
    ['0.5', '1.5억', '0.5', '150000000'],
    ['3 shares', 'KRW 71000.25', '3', '71000.25'],
    ['1e3', '7만 1천', '1000', '71000'],
    ['1', '1억5천', '1', '150000000'],
    ['1', '1억 2천3백만원', '1', '123000000'],
    ['1', '2만5천', '1', '25000'],
    ['1', '5만천원', '1', '51000'],
    ['1', '천만원', '1', '10000000'],
    ['1', '백만원', '1', '1000000'],
  ])('%s at %s is read to the last digit', (quantity, price, pieces, each) => {
    expect(entryOf({ kind: 'buy', quantity, price }, SAMSUNG)).toEqual({
      kind: 'buy',
      instrument: SAMSUNG,
      quantity: pieces,
      price: each,
      fee: '0',
      tax: '0',
      clientId: 'c1',
      date: '2026-11-13',
      currency: 'KRW',
      rate: '1',
    });
  });

  it('leaves the rate of other money open, and takes the one that is given', () => {
    const trade = { kind: 'buy', quantity: '2', price: '$180.5', fee: '0.99' } as const;
    expect(entryOf(trade, APPLE)).not.toHaveProperty('rate');
    expect(entryOf({ ...trade, rate: '1,385.5' }, APPLE)).toMatchObject({ rate: '1385.5', currency: 'USD' });
  });

  everyRow([
    ['어제', '2026-11-12'],
    ['그제', '2026-11-11'],
    ['11/2', '2026-11-02'],
    ['20251231', '2025-12-31'],
    ['2026년 1월 5일', '2026-01-05'],
    ['11/02/2026', '2026-11-02'],
    ['13/10/2026', '2026-10-13'],
    ['Nov 2', '2026-11-02'],
    ['2 November 2025', '2025-11-02'],
    ['3일 전', '2026-11-10'],
    ['2 weeks ago', '2026-10-30'],
    // Today is a Friday.
    ['지난주 금요일', '2026-11-06'],
    ['last friday', '2026-11-06'],
    ['friday', '2026-11-13'],
    ['지난 수요일', '2026-11-11'],
    ['6개월 전', '2026-05-13'],
    ['보름 전에', '2026-10-29'],
    ['on Oct 1', '2026-10-01'],
    // The other order would lie in the future.
    ['12/11/2026', '2026-11-12'],
  ])('%s is %s', (date, day) => {
    expect(entryOf({ kind: 'deposit', amount: '1', date }).date).toBe(day);
  });

  it('takes a December day for the year before in January, and never for a coming one', () => {
    const january = Temporal.PlainDate.from('2026-01-05');
    expect(entryOf({ kind: 'deposit', amount: '1', date: '12/30' }, undefined, january).date).toBe(
      '2025-12-30',
    );
    expect(read({ kind: 'deposit', amount: '1', date: '1/8' }, undefined, january)).toMatchObject({
      problem: { kind: 'future-date' },
    });
  });

  it('does not guess what 5천 is before more digits', () => {
    const unclear = { kind: 'deposit', amount: '1억5천 300' } as const;
    expect(read(unclear)).toMatchObject({ problem: { kind: 'no-number' } });
  });

  it('divides a total by the quantity where that is exact, and checks it against a price', () => {
    const trade = { kind: 'buy', quantity: '10' } as const;
    expect(entryOf({ ...trade, total: '71만원' }, SAMSUNG).price).toBe('71000');
    expect(entryOf({ ...trade, total: '$1905' }, APPLE).price).toBe('190.5');
    expect(entryOf({ ...trade, total: '710000', price: '71000' }, SAMSUNG).price).toBe('71000');
  });

  it('computes the Korean tax of a sale where none is given, and of nothing else', () => {
    const sale = { kind: 'sell', quantity: '10', price: '71,000' } as const;
    expect(entryOf(sale, SAMSUNG).tax).toBe('1420');
    expect(entryOf({ ...sale, tax: '0' }, SAMSUNG).tax).toBe('0');
    expect(entryOf({ ...sale, kind: 'buy' }, SAMSUNG).tax).toBe('0');
    expect(entryOf(sale, APPLE).tax).toBe('0');
  });

  it('reads ratios as what there is afterwards for what was before, so that no piece is lost', () => {
    expect(ratioOf('50:1').toFixed()).toBe('50');
    expect(ratioOf('1:10').toFixed()).toBe('0.1');
    expect(ratioOf('1:3').times(300).toDecimalPlaces(18).toFixed()).toBe('100');
  });

  it('reads an exchange with its two kinds of money', () => {
    const fx = { kind: 'fx', amount: '130만원', toAmount: '1,000달러' } as const;
    expect(entryOf(fx)).toMatchObject({
      amount: '1300000',
      currency: 'KRW',
      toAmount: '1000',
      toCurrency: 'USD',
    });
    const back = entryOf({ kind: 'fx', amount: '1000', currency: 'usd', toAmount: '1300000' });
    expect(back).toMatchObject({ currency: 'USD', toCurrency: 'KRW', toRate: '1' });
  });

  it('keeps a note on one line, with nothing hidden in it', () => {
    const { note } = entryOf({ kind: 'fee', amount: '1', note: ' a\n\u202eb\u0000c ' });
    expect(note).toBe('a b c');
  });
});

describe('what is refused', () => {
  it('a fee that the entry has no place for comes with the command that records it; no fee is no loss', () => {
    const dividend = { kind: 'dividend', amount: '1000' } as const;
    const result = read({ ...dividend, fee: '100' }, SAMSUNG);
    const text = (locale: 'ko' | 'en') =>
      result.status === 'problem' ? entryProblemText(result.problem, locale) : '';
    expect(text('en')).toContain('record that with `/portfolio fee 100 KRW`');
    expect(text('ko')).toContain('`/portfolio fee 100 KRW`');
    expect(read({ kind: 'fx', amount: '$100', toAmount: '150000', fee: '3' })).toMatchObject({
      problem: { command: '/portfolio fee 3 USD' },
    });
    expect(read({ kind: 'fx', amount: '$100', toAmount: '₩150000', fee: '1000' })).toMatchObject({
      problem: { command: '/portfolio fee 1000 KRW' },
    });
    expect(entryOf({ ...dividend, fee: '0' }, SAMSUNG).amount).toBe('1000');
  });

  const buy = { kind: 'buy', quantity: '1', price: '1' } as const;
  everyRow<[string, RecordRequest, Instrument | undefined]>([
    ['missing', { kind: 'buy', quantity: '1', price: '1' }, undefined],
    ['missing', { kind: 'buy', price: '1' }, APPLE],
    ['missing', { kind: 'sell', quantity: '1' }, APPLE],
    ['missing', { kind: 'fx', amount: '1', toAmount: '2' }, undefined],
    ['no-number', { ...buy, quantity: 'NaN' }, APPLE],
    ['no-number', { ...buy, price: '=1+1' }, APPLE],
    ['no-number', { ...buy, price: '$1€' }, APPLE],
    ['no-number', { ...buy, quantity: '9'.repeat(200) }, APPLE],
    ['too-small', { ...buy, quantity: '-5' }, APPLE],
    ['too-small', { ...buy, quantity: '0' }, APPLE],
    ['too-small', { ...buy, fee: '(3)' }, APPLE],
    ['too-large', { ...buy, quantity: '1e30' }, APPLE],
    ['too-large', { ...buy, quantity: '1000000000000', price: '1001' }, APPLE],
    ['too-large', { kind: 'deposit', amount: '1000000000000001' }, undefined],
    ['too-precise', { ...buy, quantity: '0.1234567890123456789' }, APPLE],
    ['unknown-currency', { kind: 'deposit', amount: '1', currency: 'XYZ' }, undefined],
    ['other-currency', { ...buy, price: '71,000원' }, APPLE],
    ['other-currency', { kind: 'dividend', amount: '5', currency: 'EUR' }, APPLE],
    ['two-currencies', { kind: 'deposit', amount: '$5', currency: 'KRW' }, undefined],
    ['same-currency', { kind: 'fx', amount: '$5', toAmount: '$5' }, undefined],
    ['own-rate', { ...buy, rate: '1300' }, SAMSUNG],
    ['uneven-total', { kind: 'buy', quantity: '3', total: '100' }, APPLE],
    ['price-and-total', { ...buy, quantity: '2', total: '3' }, APPLE],
    ['missing', { kind: 'buy', total: '10만원' }, SAMSUNG],
    ['no-number', { ...buy, quantity: '1\u202e0' }, APPLE],
    ['impossible-date', { ...buy, date: '13/45' }, APPLE],
    ['impossible-date', { ...buy, date: '31 Feb' }, APPLE],
    ['impossible-date', { ...buy, date: '2026-02-30' }, APPLE],
    ['no-date', { ...buy, date: 'soon' }, APPLE],
    ['not-one-day', { ...buy, date: 'last month' }, APPLE],
    ['future-date', { ...buy, date: '2026-11-14' }, APPLE],
    ['old-date', { ...buy, date: '1899-12-31' }, APPLE],
    ['bad-ratio', { kind: 'split', ratio: '1:0' }, APPLE],
    ['bad-ratio', { kind: 'split', ratio: '1' }, APPLE],
    ['bad-ratio', { kind: 'split', ratio: '-2' }, APPLE],
    ['unused', { kind: 'fx', amount: '100 USD', toAmount: '150000 KRW', fee: '1000' }, undefined],
    ['unused', { kind: 'deposit', amount: '1000', fee: '500' }, undefined],
    ['unused', { kind: 'withdrawal', amount: '1000', tax: '100' }, undefined],
    ['unused', { kind: 'interest', amount: '1000', fee: '100' }, undefined],
    ['unused', { kind: 'fee', amount: '1000', tax: '100' }, undefined],
    ['unused', { kind: 'tax', amount: '100', fee: '5' }, SAMSUNG],
    ['unused', { kind: 'cash-in-lieu', amount: '100', fee: '5' }, SAMSUNG],
    ['unused', { kind: 'split', ratio: '2', fee: '5' }, SAMSUNG],
    ['unused', { kind: 'dividend', amount: '100', price: '5' }, SAMSUNG],
    ['other-currency', { kind: 'split', ratio: '2', currency: 'USD' }, SAMSUNG],
    ['tax-above-amount', { kind: 'dividend', amount: '5', tax: '6' }, APPLE],
    ['tax-above-amount', { ...buy, kind: 'sell', tax: '1000000' }, APPLE],
    ['long-note', { ...buy, note: 'x'.repeat(201) }, APPLE],
    ['not-holdable', buy, instrumentOf('^KS11')],
    ['not-holdable', buy, instrumentOf('USDKRW=X')],
  ])('%s: %j', (kind, request, instrument) => {
    const result = read(request, instrument);
    expect(result).toMatchObject({ status: 'problem', problem: { kind } });
    if (result.status !== 'problem') return;
    for (const locale of ['ko', 'en'] as const) {
      const sentence = entryProblemText(result.problem, locale);
      expect(sentence).toMatch(/[.`]$/u);
      expect(sentence).not.toMatch(/undefined|\n/u);
      expect(/\p{Script=Hangul}/u.test(sentence)).toBe(locale === 'ko');
    }
  });
});
