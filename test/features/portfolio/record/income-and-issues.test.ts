import { describe, expect, it } from 'vitest';
import { openOnFriday } from '../service-support.ts';
import { missingNumbers } from '#test/support/printed-numbers.ts';

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
      ['/portfolio tax AAPL 3 USD', /Tax on .*AAPL.*: \$3\.00/],
      ['/portfolio tax refund AAPL 1 USD', /Tax refund on .*AAPL.*: \$1\.00/],
      ['/portfolio tax 2 USD', 'Tax: $2.00 · 2026-11-13'],
      ['/portfolio bonus AAPL 2 2026-11-09', /Bonus issue of .*AAPL.*: 2 at no cost/],
      ['/portfolio rights issue AAPL 4 $70 2026-11-10', /Rights issue of .*: 4 at \$70\.00 = \$280\.00/],
      ['/portfolio cash in lieu AAPL 0.5 shares $150', /Cash in lieu of 0\.5 of .*: \$150\.00/],
    ] as const)
      expect((await say(typed)).content).toMatch(told);
    const summary = (await say('/portfolio details')).content;
    // 2,800 + 280 for 16 shares: 192.50 each; the half brought 150 and cost 96.25.
    expect(summary).toContain('Realised gain: +$53.75');
    expect(summary).toContain('Dividends: $18.00 after tax ($20.00 before)');
    expect(summary).toContain('Interest after tax: $10.57');
    // 5,000 - 2,800 + 10.57 + 20 - 3 + 1 - 2 - 280 + 150.
    expect(summary).toContain('Cash: $2,096.57');
    expect(summary).toContain('Taxes paid: $5.93');
    expect((await ledgerOf('mina')).at(-1)).toMatchObject({ kind: 'cash-in-lieu', number: 10 });
    expect((await say('/portfolio undo')).content).toContain('Cash in lieu');
    expect((await say('/portfolio')).content).toContain('Cash $1,946.57');

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
    expect((await sayKo('/portfolio 유상증자 삼성전자 5주')).content).toContain('단가가 없어요');
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

  it('of a dividend per share is that of the shares held on the day before, and is asked for where none were', async () => {
    const { say, sayKo } = await openOnFriday();
    await sayKo('/portfolio 매수 삼성전자 10주 70,000원 11/5');
    await sayKo('/portfolio 매수 삼성전자 5주 70,000원 11/10');
    for (const [typed, ...told] of [
      ['/portfolio 배당 삼성전자 주당 361원 11/10', '세전 ₩3,610', '전날 보유 10주 × ₩361 = ₩3,610'],
      ['/portfolio 배당 삼성전자 1주당 400원 세금 924원 11/11', '세전 ₩6,000 · 세금 ₩924', '15주 × ₩400'],
      ['/portfolio 배당 삼성전자 주당 361원 11/5', '모두 얼마를 받으셨나요?', '2026-11-05 전날'],
    ] as const) {
      const said = await sayKo(typed);
      for (const each of told) expect(said.content, typed).toContain(each);
      expect(missingNumbers(said)).toEqual([]);
    }
    await say('/portfolio add AAPL 10 280 2026-11-05');
    const apple = (await say('/portfolio dividend AAPL $0.25 per share 2026-11-12')).content;
    expect(apple).toContain('$2.50 before tax');
    expect(apple).toContain('10 held on the day before × $0.25 = $2.50');
  });

  it('are refused in their own words: nothing held, below zero, and futures', async () => {
    const { say, sayKo } = await openOnFriday();
    for (const [typed, told] of [
      ['/portfolio cash-in-lieu AAPL 0.5 shares $75', /no fraction that cash could be paid for/],
      ['/portfolio split AAPL 4:1', /nothing can be split/],
      ['/portfolio interest -3 USD', /above zero.*`\/portfolio fee 3 USD`/],
      ['/portfolio add GC=F 1 4000', /futures contract.*`GLD`/],
      ['/portfolio add ZC=F 1 430', /futures contract/],
      ['/portfolio add NG=F 1 3', /futures contract/],
      ['/portfolio add NQ=F 1 20000', /futures contract/],
      ['/portfolio dividend AAPL 3 USD', /No purchase of/],
      ['/portfolio tax AAPL 1 USD', /No purchase of/],
      ['/portfolio refund AAPL 1 USD', /No purchase of/],
    ] as const)
      expect((await say(typed)).content, typed).toMatch(told);
    expect((await sayKo('/portfolio 이자 -3000원')).content).toContain('`/portfolio 수수료 3,000원`');
    expect((await sayKo('/portfolio 단주대금 AAPL 0.5주 75달러')).content).toContain(
      '단주대금을 기록할 수 없',
    );
  });

  it('say of a split that the trades of its day come after it, and take a time that says otherwise', async () => {
    const { say } = await openOnFriday();
    await say('/portfolio add AAPL 10 280 2026-11-05');
    await say('/portfolio add AAPL 5 280');
    const first = (await say('/portfolio split AAPL 4:1')).content;
    expect(first).toContain('45');
    expect(first).toContain('A split counts before the trades of its day');
    await say('/portfolio undo');
    const timed = (await say('/portfolio add AAPL 1 280 10:00')).content;
    expect(timed).toContain('2026-11-13 10:00');
  });

  it('of what was never bought say so, and a first deposit decides the currency of the first portfolio', async () => {
    const { say, sayKo } = await openOnFriday();
    const made = (await say('/portfolio deposit 1,000,000 won')).content;
    expect(made).toContain('New portfolio: **main** (KRW)');
    const dividend = (await say('/portfolio dividend AAPL 12 USD')).content;
    expect(dividend).toContain('No purchase of Apple (AAPL) is recorded here');
    for (const typed of ['bonus TSLA 3', 'rights TSLA 3 100', 'lieu TSLA 75 USD']) {
      const asked = await say(`/portfolio ${typed}`);
      expect(asked.content).toMatch(
        /Not recorded yet[^]*No purchase of Tesla.* is recorded until 2026-11-13/u,
      );
      expect(asked.choices?.at(-1)?.command).toContain('--yes');
    }
    await say('/portfolio add AAPL 1 300');
    expect((await say('/portfolio bonus AAPL 1')).content).toContain('Recorded');
    await say('/portfolio undo');
    await say('/portfolio sell AAPL 1 300');
    expect((await sayKo('/portfolio 배당 AAPL 13 USD')).content).toContain('남은 수량이 없어요');
  });
});
