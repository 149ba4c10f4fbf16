import { describe, expect, it } from 'vitest';
import { openOnFriday } from './desk-support.ts';

describe('a summary', () => {
  it('says which Korean prices are of the after-market', async () => {
    const { say, sayKo, prices } = await openOnFriday();
    await say('/portfolio add 005930 1 70000');
    prices.set('005930.KS', { price: '70500', sessionState: 'after' });
    expect((await sayKo('/portfolio')).content).toMatch(/정규장 밖 시세\(.+\): 삼성전자/u);
  });
});

describe('interest, taxes of their own, rights and cash in lieu', () => {
  it('are recorded as they are typed, in both languages, and count in cash, income, taxes and gains', async () => {
    const { say, sayKo, ledgerOf } = await openOnFriday();
    await say('/portfolio new main USD');
    await say('/portfolio deposit 5000 USD 2026-11-02');
    await say('/portfolio add AAPL 10 280 2026-11-05');
    for (const [typed, told] of [
      ['/portfolio interest $12.50 tax $1.93', 'Interest: $12.50 before tax · tax $1.93 · 2026-11-13'],
      ['/portfolio dividend AAPL 20 2026-11-10', 'Dividend of'],
      ['/portfolio tax AAPL 3 USD', /Tax of .*AAPL.*: \$3\.00/],
      ['/portfolio tax refund AAPL 1 USD', /Tax refund of .*AAPL.*: \$1\.00/],
      ['/portfolio tax 2 USD', 'Tax: $2.00 · 2026-11-13'],
      ['/portfolio bonus AAPL 2 2026-11-09', /Bonus issue of .*AAPL.*: 2 at no cost/],
      ['/portfolio rights issue AAPL 4 $70 2026-11-10', /Rights issue of .*: 4 at \$70\.00 = \$280\.00/],
      ['/portfolio cash in lieu AAPL 0.5 shares $150', /Cash in lieu of 0\.5 of .*: \$150\.00/],
    ] as const)
      expect((await say(typed)).content).toMatch(told);
    const summary = (await say('/portfolio')).content;
    // 2,800 + 280 for 16 shares: 192.50 each; the half brought 150 and cost 96.25.
    expect(summary).toContain('Realised gain: +$53.75');
    expect(summary).toContain('Dividends after tax: $18.00');
    expect(summary).toContain('Interest after tax: $10.57');
    // 5,000 - 2,800 + 10.57 + 20 - 3 + 1 - 2 - 280 + 150.
    expect(summary).toContain('Cash: $2,096.57');
    expect(summary).toContain('Taxes paid: $5.93');
    expect((await ledgerOf('mina')).at(-1)).toMatchObject({ kind: 'cash-in-lieu', number: 10 });
    expect((await say('/portfolio undo')).content).toContain('Cash in lieu');
    expect((await say('/portfolio')).content).toContain('Cash: $1,946.57');

    for (const [typed, told] of [
      ['/portfolio 이자 1만2천원 세금 1,890원', '이자: 세전 ₩12,000 · 세금 ₩1,890'],
      ['/portfolio 12,345원 이자받았어요', '이자: 세전 ₩12,345'],
      ['/portfolio 세금 AAPL 1.5달러', /세금: .*\$1\.50/],
      ['/portfolio 세금환급 1,000원', '세금 환급: ₩1,000'],
      ['/portfolio 매수 삼성전자 10주 70,000원', '매수'],
      ['/portfolio 무상증자 삼성전자 3주', /무상증자: .*3주/],
      ['/portfolio 유상증자 삼성전자 5주 50,000원', /유상증자: .*5주 × ₩50,000 = ₩250,000/],
      ['/portfolio 단주대금 삼성전자 35,000원', /단주대금: .*₩35,000/],
    ] as const)
      expect((await sayKo(typed)).content).toMatch(told);
    expect((await sayKo('/portfolio 유상증자 삼성전자 5주')).content).toContain('단가가 없습니다');
    expect((await sayKo('/portfolio 단주대금 AAPL 30주 75달러')).content).toContain('보유');
    expect((await sayKo('/portfolio 내역')).content).toContain('단주대금');
  });

  it('are two payments where their taxes differ, and one where they do not', async () => {
    const { say } = await openOnFriday();
    await say('/portfolio interest 12 USD tax 1.8');
    expect((await say('/portfolio interest 12 USD tax 1.8')).content).toContain(
      'The same is recorded already',
    );
    for (const typed of ['interest 12 USD tax 1.7', 'interest 12 USD'])
      expect((await say(`/portfolio ${typed}`)).content).toContain('Recorded');
    await say('/portfolio dividend AAPL 12');
    expect((await say('/portfolio dividend AAPL 12 tax 1.8')).content).toContain(
      'The same is recorded already',
    );
  });

  it('of what was never bought say so, and a first deposit decides the currency of the first portfolio', async () => {
    const { say, sayKo } = await openOnFriday();
    const made = (await say('/portfolio deposit 1,000,000 won')).content;
    expect(made).toContain('kept in KRW. Another one: `/portfolio new NAME USD`');
    const dividend = (await say('/portfolio dividend AAPL 12 USD')).content;
    expect(dividend).toContain('No purchase of Apple Inc. (AAPL, NASDAQ) is recorded here');
    await say('/portfolio add AAPL 1 300');
    await say('/portfolio sell AAPL 1 300');
    expect((await sayKo('/portfolio 배당 AAPL 13 USD')).content).toContain('남은 수량이 없습니다');
  });
});
