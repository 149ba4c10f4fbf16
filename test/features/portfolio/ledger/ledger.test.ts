import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import type { LedgerRules, LedgerState, Position } from '#src/features/portfolio/ledger/ledger-state.ts';
import { valuePosition } from '#src/features/portfolio/summary/portfolio-value.ts';
import {
  APPLE,
  buy,
  deposit,
  dividend,
  exchange,
  fee,
  plain,
  problemOf,
  SAMSUNG,
  sell,
  split,
  stateOf,
  Wide,
  withdrawal,
} from './ledger-entries.ts';

const only = ({ positions: [position] }: LedgerState): Position => {
  if (!position) throw new Error('there is no position');
  return position;
};

const ofApple = (...args: Parameters<typeof stateOf>): Position | undefined =>
  stateOf(...args).positions.find(({ instrument }) => instrument === APPLE);

const heldAs = (
  entries: Parameters<typeof stateOf>[0],
  rules?: Partial<LedgerRules>,
): Record<string, string> => {
  const { quantity, cost, realised } = only(stateOf(entries, rules));
  return { quantity: quantity.toFixed(), cost: cost.local.toFixed(), realised: realised.local.toFixed() };
};

describe('what is held', () => {
  it('costs what was paid for it with all charges, at the average or of the oldest first', () => {
    const entries = [
      buy('2026-01-05', SAMSUNG, '10', '70000', { fee: '100' }),
      buy('2026-01-06', SAMSUNG, '10', '80000', { fee: '100' }),
      sell('2026-01-07', SAMSUNG, '12', '90000', { fee: '200', tax: '2160' }),
    ];
    expect(heldAs(entries)).toEqual({ quantity: '8', cost: '600080', realised: '177520' });
    expect(heldAs(entries, { method: 'fifo' })).toEqual({
      quantity: '8',
      cost: '640080',
      realised: '217520',
    });
    const state = stateOf(entries);
    expect(plain([state.fees, state.taxes, state.accountFees])).toEqual([
      [{ currency: 'KRW', total: { local: '400', base: '400' } }],
      [{ currency: 'KRW', total: { local: '2160', base: '2160' } }],
      [],
    ]);
  });

  it('gains by its price and by the rate, each told by itself', () => {
    const entries = [
      buy('2026-01-05', APPLE, '10', '100', { fee: '1', rate: '1300' }),
      sell('2026-02-05', APPLE, '4', '120', { fee: '1', rate: '1400' }),
      dividend('2026-03-05', APPLE, '10', '1.5', '1350'),
    ];
    const position = only(stateOf(entries));
    expect(plain(position)).toMatchObject({
      quantity: '6',
      cost: { local: '600.6', base: '780780' },
      realised: { local: '78.6', base: { total: '150080', fromPrice: '102180', fromFx: '47900' } },
      dividends: { local: '8.5', base: '11475' },
      firstDate: '2026-01-05',
      lastDate: '2026-03-05',
    });
    expect(plain(valuePosition(position, new Decimal(110), new Decimal(1350)))).toEqual({
      value: { local: '660', base: '891000' },
      unrealised: { local: '59.4', base: { total: '110220', fromPrice: '77220', fromFx: '33000' } },
    });
    const { value, unrealised } = valuePosition(position, new Decimal(110), undefined);
    expect([value.base, unrealised.base, unrealised.local.toFixed()]).toEqual([undefined, undefined, '59.4']);
  });

  it('is multiplied by a split before the trades of that day, and costs the same', () => {
    const entries = [
      sell('2026-01-06', APPLE, '20', '12', { rate: '1' }),
      split('2026-01-06', APPLE, '5'),
      buy('2026-01-05', APPLE, '4', '40', { rate: '1' }),
      buy('2026-01-04', APPLE, '6', '50', { rate: '1' }),
    ];
    expect(heldAs(entries)).toEqual({ quantity: '30', cost: '276', realised: '56' });
    expect(heldAs(entries, { method: 'fifo' })).toEqual({ quantity: '30', cost: '260', realised: '40' });
  });

  it('is whole again where a third of three is one', () => {
    const third = new Decimal(1).dividedBy(3);
    const entries = [buy('2026-01-04', SAMSUNG, '3', '50'), split('2026-01-05', SAMSUNG, third)];
    expect(heldAs(entries)).toEqual({ quantity: '1', cost: '150', realised: '0' });
    expect(heldAs([...entries, sell('2026-01-06', SAMSUNG, '1', '160')]).realised).toBe('10');
  });

  it('is owed where it was sold short, and is closed and opened by one trade that goes through zero', () => {
    const short = [sell('2026-01-05', SAMSUNG, '10', '100', { fee: '5' })];
    const covered = [...short, buy('2026-01-06', SAMSUNG, '15', '90', { fee: '3' })];
    for (const method of ['average', 'fifo'] as const) {
      const rules = { method, allowsShort: true };
      expect(heldAs(short, rules)).toEqual({ quantity: '-10', cost: '-995', realised: '0' });
      expect(heldAs(covered, rules)).toEqual({ quantity: '5', cost: '451', realised: '93' });
    }
    const position = only(stateOf(short, { allowsShort: true }));
    expect(plain(valuePosition(position, new Decimal(80), new Decimal(1)))).toEqual({
      value: { local: '-800', base: '-800' },
      unrealised: { local: '195', base: { total: '195', fromPrice: '195', fromFx: '0' } },
    });
  });

  it('gains by price alone where it cost nothing', () => {
    const bonus = buy('2026-01-05', APPLE, '10', '0', { rate: '1300' });
    const sold = sell('2026-01-06', APPLE, '4', '120', { rate: '1400' });
    expect(plain(only(stateOf([bonus, sold])).realised)).toEqual({
      local: '480',
      base: { total: '672000', fromPrice: '672000', fromFx: '0' },
    });
  });

  it('is called as it was called last', () => {
    const renamed = { ...SAMSUNG, name: { ko: '새 이름', en: 'New name' } };
    const entries = [buy('2026-01-06', renamed, '1', '10'), buy('2026-01-05', SAMSUNG, '1', '10')];
    expect(only(stateOf(entries)).instrument).toBe(renamed);
  });

  it('keeps every digit of the largest and finest amounts', () => {
    const large = '999999999999.999999999999999999';
    const rate = '1399.123456789012345678';
    const entries = [
      buy('2026-01-05', APPLE, large, large, { fee: '0.000000000000000001', rate }),
      deposit('2026-01-05', '999999999999999.999999999999999999', 'USD', rate),
    ];
    const cost = new Wide(large).times(large).plus('1e-18');
    const left = new Wide('999999999999999.999999999999999999').minus(cost);
    const state = stateOf(entries);
    expect(plain([only(state).cost, state.cash[0]?.amount])).toEqual(
      plain([{ local: cost, base: cost.times(rate) }, left]),
    );
  });

  it('has no cost in the other currency while the rate of a day is missing, and all the rest', () => {
    const entries = [
      buy('2026-01-05', APPLE, '10', '100'),
      buy('2026-01-06', APPLE, '10', '110', { rate: '1300' }),
      buy('2026-01-06', SAMSUNG, '1', '70000'),
    ];
    const sold = [...entries, sell('2026-01-07', APPLE, '10', '120', { rate: '1400' })];
    const [samsung] = stateOf(entries).positions;
    expect(samsung?.cost.base?.toFixed()).toBe('70000');
    expect(plain(ofApple(entries)?.cost)).toEqual({ local: '2100' });
    // The oldest ones are those without a rate: what is left has one again.
    expect(plain(ofApple(sold, { method: 'fifo' })?.cost)).toEqual({ local: '1100', base: '1430000' });
    expect(plain(ofApple(sold, { method: 'fifo' })?.realised)).toEqual({ local: '200' });
    expect(plain(ofApple(sold)?.cost)).toEqual({ local: '1050' });
  });
});

describe('a ledger is refused', () => {
  it('where more is sold than is held, also by a later entry that an earlier date breaks', () => {
    const bought = buy('2026-01-05', SAMSUNG, '10', '100');
    const later = sell('2026-01-09', SAMSUNG, '10', '100');
    const between = sell('2026-01-07', SAMSUNG, '1', '100');
    expect(heldAs([later, bought]).quantity).toBe('0');
    expect(plain(problemOf([bought, later, between]))).toEqual(
      plain({ kind: 'oversold', at: later, held: '9', wanted: '10' }),
    );
    expect(heldAs([bought, later, between], { allowsShort: true }).quantity).toBe('-1');
  });

  it('where nothing is there to be split', () => {
    const at = split('2026-01-05', SAMSUNG, '2');
    expect(problemOf([at, buy('2026-01-05', SAMSUNG, '10', '100')])).toEqual({ kind: 'nothing-held', at });
  });

  it('where money is taken that is not there at the end of the day', () => {
    const sale = sell('2026-01-06', SAMSUNG, '5', '100');
    const before = [deposit('2026-01-05', '1000', 'KRW'), buy('2026-01-05', SAMSUNG, '10', '100')];
    const out = withdrawal('2026-01-06', '500', 'KRW');
    expect(stateOf([...before, out, sale]).cash[0]?.amount.toFixed()).toBe('0');
    const more = withdrawal('2026-01-06', '501', 'KRW');
    expect(plain(problemOf([...before, more, sale]))).toEqual(
      plain({ kind: 'overdrawn', at: more, currency: 'KRW', available: '500', wanted: '501' }),
    );
    const owing = [...before, buy('2026-01-05', SAMSUNG, '1', '300')];
    expect(plain(problemOf([...owing, out]))).toMatchObject({ available: '-300', wanted: '500' });
    const usd = [
      deposit('2026-01-05', '1000', 'USD', '1300'),
      buy('2026-01-05', APPLE, '10', '100', { rate: '1300' }),
      exchange('2026-01-06', ['600', 'USD', '1400'], ['840000', 'KRW']),
      sell('2026-01-06', APPLE, '6', '100', { rate: '1400' }),
    ];
    expect(stateOf(usd).cash.map(({ amount }) => amount.toFixed())).toEqual(['840000', '0']);
    const dollars = exchange('2026-01-06', ['501', 'KRW'], ['0.4', 'USD']);
    expect(problemOf([...before, dollars, sale])).toMatchObject({ kind: 'overdrawn', at: dollars });
  });
});

describe('money', () => {
  it('is counted from the first deposit on, with what rates did to it between coming and going', () => {
    const entries = [
      deposit('2026-01-05', '1400000', 'KRW'),
      exchange('2026-01-06', ['1300000', 'KRW'], ['1000', 'USD']),
      buy('2026-01-07', APPLE, '5', '99', { fee: '5', rate: '1350' }),
      fee('2026-01-08', '1000', 'KRW'),
    ];
    const state = stateOf(entries);
    expect(plain(state.cash)).toEqual([
      { currency: 'KRW', amount: '99000', costBase: '99000', realisedFx: '0' },
      { currency: 'USD', amount: '500', costBase: '650000', realisedFx: '25000' },
    ]);
    expect(plain(state.flows)).toEqual([
      { date: '2026-01-05', currency: 'KRW', amount: '1400000', base: '1400000' },
    ]);
    // A purchase on margin is owed at the rate of its day, and settled by what comes in.
    const margin = buy('2026-01-09', APPLE, '6', '100', { rate: '1400' });
    const repaid = exchange('2026-01-10', ['96000', 'KRW'], ['80', 'USD']);
    expect(plain(stateOf([...entries, margin]).cash[1])).toEqual({
      currency: 'USD',
      amount: '-100',
      costBase: '-140000',
      realisedFx: '75000',
    });
    expect(plain(stateOf([...entries, margin, repaid]).cash[1])).toEqual({
      currency: 'USD',
      amount: '-20',
      costBase: '-28000',
      realisedFx: '91000',
    });
  });

  it('that comes after all was spent has the cost of its own day alone', () => {
    const state = stateOf([
      deposit('2026-01-05', '100', 'USD', '1300'),
      withdrawal('2026-01-06', '100', 'USD', '1400'),
      deposit('2026-01-07', '10', 'USD', '1500'),
    ]);
    expect(plain(state.cash)).toEqual([
      { currency: 'USD', amount: '10', costBase: '15000', realisedFx: '10000' },
    ]);
  });

  it('comes and goes with each trade where none was ever deposited', () => {
    const state = stateOf([
      sell('2026-01-06', APPLE, '1', '120', { fee: '1', rate: '1400' }),
      buy('2026-01-05', APPLE, '2', '100', { fee: '1', rate: '1300' }),
      fee('2026-01-07', '1000', 'KRW'),
      dividend('2026-01-08', APPLE, '10', '1', '1400'),
    ]);
    expect([state.cashSince, state.cash]).toEqual([undefined, []]);
    expect(state.flows.map(({ amount, base }) => [amount.toFixed(), base?.toFixed()])).toEqual([
      ['201', '261300'],
      ['-119', '-166600'],
      ['1000', '1000'],
      ['-9', '-12600'],
    ]);
  });

  it('is paid from outside before the day of the first deposit, and from the account from then on', () => {
    const entries = [
      buy('2026-01-05', SAMSUNG, '2', '100'),
      dividend('2026-01-05', SAMSUNG, '5', '0'),
      buy('2026-01-06', SAMSUNG, '1', '120'),
      deposit('2026-01-06', '1000', 'KRW'),
      sell('2026-01-07', SAMSUNG, '1', '130'),
    ];
    const state = stateOf(entries);
    expect(state.cashSince?.toString()).toBe('2026-01-06');
    expect(state.cash.map(({ amount }) => amount.toFixed())).toEqual(['1010']);
    expect(state.flows.map(({ amount }) => amount.toFixed())).toEqual(['200', '-5', '1000']);
    const earlier = stateOf([...entries, deposit('2026-01-01', '1', 'KRW')]);
    expect(earlier.cash.map(({ amount }) => amount.toFixed())).toEqual(['816']);
    expect(earlier.flows.map(({ amount }) => amount.toFixed())).toEqual(['1', '1000']);
  });
});
