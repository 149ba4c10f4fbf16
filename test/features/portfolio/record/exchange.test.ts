import { describe, expect, it } from 'vitest';
import { openOnFriday as open } from '../service-support.ts';

/** With money to exchange. */
const openRich = async () => {
  const all = await open();
  await all.say('/portfolio new main USD');
  await all.say('/portfolio deposit 9000 USD 2026-11-09');
  await all.say('/portfolio deposit 9000000 KRW 2026-11-09');
  return all;
};

describe('an exchange', () => {
  it('is told with the rate at which it was made, and not with another one of the day', async () => {
    const { say, ledgerOf } = await openRich();
    for (const [typed, told] of [
      ['1000000 KRW to USD at 1450', /\$689\.66 · 1 USD = ₩1,450(?:\.00)? · /u],
      ['100 USD 145000 KRW', /1 USD = ₩1,450(?:\.00)? · /u],
      ['100 USD 142,857 KRW rate 1428.57', /1 USD = ₩1,428\.57 · /u],
      ['50 USD 71,000 KRW rate 0.0007', /1 USD = ₩1,420(?:\.00)? · /u],
    ] as const)
      expect((await say(`/portfolio fx ${typed}`)).content, typed).toMatch(told);
    const unfit = await say('/portfolio fx 100 USD 142,000 KRW rate 1300');
    expect(unfit.content).toContain('The rate "1300" does not fit the two amounts');
    expect(await ledgerOf('mina')).toHaveLength(6);
  });

  it('of the same day for which a purchase leaves no money is named, with the deposit that is missing', async () => {
    const { say, sayKo } = await open();
    await say('/portfolio new main USD');
    await say('/portfolio deposit 1000 USD');
    await say('/portfolio fx 100 USD 140000 KRW');
    const purchase = '/portfolio add AAPL 10 300';
    expect((await say(purchase)).content).toBe(
      'With this entry $2,100.00 of cash would be missing on 2026-11-13, where this is recorded: Exchanged $100.00 for ₩140,000. If more was paid in, record that first with `/portfolio deposit 2100 USD 2026-11-13`, then send this again.',
    );
    expect((await sayKo(purchase)).content).toContain('`/portfolio deposit 2100 USD 2026-11-13`');
    await say('/portfolio deposit 2100 USD 2026-11-13');
    expect((await say(purchase)).content).toContain('Recorded');
  });

  it.each([
    [
      'fx 1000 USD 1470 KRW',
      '$1,000.00 × ₩1,470 = ₩1,470,000',
      '/portfolio fx 1000 --currency=USD --to-amount=1470000 --to-currency=KRW',
    ],
    [
      'fx 1470 KRW 1000 USD',
      '$1,000.00 × ₩1,470 = ₩1,470,000',
      '/portfolio fx 1470000 --currency=KRW --to-amount=1000 --to-currency=USD',
    ],
  ])(
    '%s: an exchange far from the rate of its day is asked about, with what was likely meant',
    async (typed, meant, command) => {
      const { say, sayKo, plan, ledgerOf } = await openRich();
      const asked = await say(`/portfolio ${typed}`);
      expect(asked.content).toContain('the market rate was 1 USD = ₩1,400 (2026-11-13 · source: hand)');
      expect(asked.content).toContain(`₩1,470 looks like the rate: ${meant}.`);
      expect(asked.choices).toMatchObject([{ label: meant, command }, { label: 'Record as it is' }]);
      expect((await sayKo(`/portfolio ${typed}`)).content).toContain(`환율이라면 ${meant}이에요.`);
      const [, amount, currency, toAmount, toCurrency] = typed.split(' ');
      const exchange = { kind: 'fx', name: undefined, quantity: undefined, price: undefined } as const;
      expect(await plan({ ...exchange, amount, currency, toAmount, toCurrency })).toContain(meant);
      expect(await ledgerOf('mina')).toHaveLength(2);
      expect((await say(command)).content).toContain('Recorded');
    },
  );

  it.each([
    ['fx 1000 USD at 1470 KRW', '$1,000.00 for ₩1,470,000'],
    ['환전 1000달러 1470원에', '$1,000.00 for ₩1,470,000'],
    ['fx 1000 USD to KRW at 1470', '$1,000.00 for ₩1,470,000'],
    ['환전 1000달러 원화로 환율 1470', '$1,000.00 for ₩1,470,000'],
    ['환전 147만원을 달러로 1470원에', '₩1,470,000 for $1,000.00'],
    ['fx 1000 USD KRW rate 1470', '$1,000.00 for ₩1,470,000'],
    ['환전 1000달러 1,470,000원에', '$1,000.00 for ₩1,470,000'],
    ['fx 1000 USD 1,385,000 KRW', '$1,000.00 for ₩1,385,000'],
  ])('an exchange may be told by its rate: %s', async (typed, recorded) => {
    const { say } = await openRich();
    expect((await say(`/portfolio ${typed}`)).content).toContain(`Exchanged ${recorded}`);
  });

  it('the tool tells a rate in the place of what was received; where no rate of the day is known, it is read as markets quote it', async () => {
    const { plan, closes } = await openRich();
    const exchange = { kind: 'fx', name: undefined, quantity: undefined, price: undefined } as const;
    const dollars = { ...exchange, amount: '1000', currency: 'USD', toCurrency: 'KRW' };
    expect(await plan({ ...dollars, rate: '1470' })).toContain('$1,000.00 for ₩1,470,000');
    const yen = { ...exchange, amount: '100000', currency: 'JPY', toCurrency: 'KRW' };
    closes.set('JPYKRW=X', { '2026-11-02': '9.2' });
    expect(await plan({ ...yen, rate: '925' })).toMatch(/¥100,000 for ₩925,000|cash balance is ¥0/);
    closes.clear();
    expect(await plan({ ...dollars, rate: '1470' })).toContain('$1,000.00 for ₩1,470,000');
    const won = { ...exchange, amount: '1,000,000원', rate: '1450원' };
    expect(await plan({ ...won, toCurrency: 'dollars' })).toContain('₩1,000,000 for $689.66');
    expect(await plan({ ...won, currency: 'KRW' })).toContain('₩1,000,000 for $689.66');
    expect(await plan({ ...yen, rate: '930원' })).toMatch(/¥100,000 for ₩930,000|cash balance is ¥0/);
    expect(await plan({ ...dollars, rate: '0.00068' })).toMatch(/^refused: .*Give both amounts/);
  });

  it('an exchange or a split of the same day is the same only where everything about it is', async () => {
    const { plan, say } = await open();
    await say('/portfolio new main USD');
    await say('/portfolio deposit 9000 USD 2026-11-09');
    await say('/portfolio fx 1000 USD 1400000 KRW --yes');
    await say('/portfolio add AAPL 8 290 2026-11-10');
    await say('/portfolio split AAPL 4:1');
    const exchange = { kind: 'fx', name: undefined, quantity: undefined, price: undefined } as const;
    const same = 'The same is recorded already';
    const dollars = { ...exchange, amount: '1000', currency: 'USD' };
    expect(await plan({ ...dollars, toAmount: '1400000', toCurrency: 'KRW' })).toContain(same);
    expect(await plan({ ...dollars, toAmount: '1401000', toCurrency: 'KRW' })).not.toContain(same);
    expect(await plan({ ...dollars, toAmount: '1400000', toCurrency: 'JPY' })).not.toContain(same);
    expect(await plan({ ...exchange, kind: 'split', name: 'AAPL', ratio: '4:1' })).toContain(same);
    expect(await plan({ ...exchange, kind: 'split', name: 'AAPL', ratio: '2:1' })).not.toContain(same);
  });
});

describe('a rate that is typed with an entry', () => {
  it('is read as people quote the pair, by the rate of its day, that of today or the way markets quote it', async () => {
    const { say, sayKo, ledgerOf, closes } = await open();
    await say('/portfolio new main USD');
    const won = 'add 005930.KS 1 70000';
    for (const typed of ['1390', '0.000719424', '1,390원'])
      expect((await say(`/portfolio ${won} 2026-11-09 rate ${typed}`)).content).toMatch(
        /1 USD = ₩1,390(?: |\.00)/u,
      );
    // The rate of that day is unknown, and the dollar was cheaper then.
    expect((await say(`/portfolio ${won} 2007-11-05 rate 905`)).content).toContain('1 USD = ₩905 ');
    closes.set('JPYKRW=X', { '2026-11-02': '9.2' });
    await say('/portfolio new won KRW');
    expect((await sayKo('/portfolio 입금 1000 JPY 2026-11-09 환율 925 --in=won')).content).toContain(
      '100엔 = ₩925',
    );
    expect((await sayKo('/portfolio 입금 1000 JPY 2026-11-10 환율 9.25 --in=won')).content).toContain(
      '100엔 = ₩925',
    );
    closes.clear();
    expect((await say(`/portfolio ${won} 2007-11-06 rate 1180`)).content).toContain('1 USD = ₩1,180 ');
    const [first] = await ledgerOf('mina', 'main');
    expect(first?.rate?.toNumber()).toBeCloseTo(1 / 1390, 12);
  });

  it('is asked about where no reading comes near the rate of its day, and not recorded', async () => {
    const { say, sayKo, plan, ledgerOf } = await open();
    await say('/portfolio new main USD');
    const typed = '/portfolio add 005930.KS 1 70000 2026-11-09 rate 500';
    const asked = await say(typed);
    expect(asked.content).toContain(
      'The rate that you gave comes to 1 USD = ₩500, but the market rate was 1 USD = ₩1,400 (2026-11-09 · source: hand).',
    );
    expect((await sayKo(typed)).content).toContain('적은 환율대로라면 1 USD = ₩500인데');
    expect(await plan({ name: '005930.KS', price: '70000', date: '2026-11-09', rate: '500' })).toContain(
      '₩500',
    );
    expect(await ledgerOf('mina')).toHaveLength(0);
    const [market, anyway] = asked.choices ?? [];
    expect([market?.label, anyway?.label]).toEqual(['Record with 1 USD = ₩1,400', 'Record as it is']);
    expect((await say(market?.command ?? '')).content).toContain('1 USD = ₩1,400');
    expect((await say(anyway?.command ?? '')).content).toContain('1 USD = ₩500');
  });
});

describe('a price in the money of another listing', () => {
  it('offers that listing first, and records it as it was typed', async () => {
    const { sayKo, say, ledgerOf } = await open();
    const asked = await sayKo('/portfolio 매수 도요타 100 3000엔 2026-11-13');
    expect(asked.content).toMatch(/일본 엔 거래 종목: 도요타 \(도쿄\).*7203\.T/u);
    const [listing] = asked.choices ?? [];
    expect((await sayKo(listing?.command ?? '')).content).toContain('7203');
    expect((await say('/portfolio add VOD.L 100 72p')).content).toContain('£0.72');
    const held = (await ledgerOf('mina')).map((entry) => 'instrument' in entry && entry.instrument?.symbol);
    expect(held).toEqual(['7203.T', 'VOD.L']);
  });
});
