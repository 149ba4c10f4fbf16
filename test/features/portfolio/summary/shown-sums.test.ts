import { describe, expect, it } from 'vitest';
import { openPortfolios } from '../service-support.ts';

/** Cents of all amounts of money in a text. */
const cents = (text: string): readonly number[] =>
  [...text.matchAll(/(?<sign>[-+]?)\$(?<whole>[\d,]+)\.(?<part>\d\d)/gu)].map(({ groups = {} }) => {
    const size = Number(`${groups['whole']?.replaceAll(',', '')}${groups['part']}`);
    return groups['sign'] === '-' ? -size : size;
  });
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('sums in the summary of a portfolio', () => {
  it('equal the parts shown beside them, to the last cent', async () => {
    const { say, prices, closes } = await openPortfolios();
    closes.set('USDKRW=X', { '2026-11-02': '1391.37' });
    prices.set('USDKRW=X', { price: '1441.73' });
    const names = { '005930.KS': '71,300원', '000660.KS': '193,700원', '035420.KS': '211,900원' };
    const english = { locale: 'en', timeZone: 'Asia/Seoul' } as const;
    await say('/portfolio new main USD', english);
    await say('/portfolio deposit 1,234.56 USD 2026-11-02', english);
    await say('/portfolio deposit 5,000,001 KRW 2026-11-02', english);
    for (const [index, [symbol, price]] of Object.entries(names).entries()) {
      prices.set(symbol, { price: String(70_003 * (index + 1)) });
      await say(`/portfolio add ${symbol} 3.${index + 1} ${price} 2026-11-03 --yes`, english);
    }
    const lines = (await say('/portfolio details', english)).content.split('\n');
    const line = (start: string): string => lines.find((each) => each.startsWith(start)) ?? '';
    const [total = 0] = cents(line('**Portfolio main**'));
    const rows = lines.filter((each) => /^\| .*\$/u.test(each)).map((each) => cents(each).at(-1) ?? 0);
    const cash = cents(line('- Cash:'));
    expect([rows.length, cash.length]).toEqual([3, 2]);
    expect(sum([...rows, ...cash])).toBe(total);
    const [gain = 0, ...parts] = cents(line('- Gain:'));
    expect(sum(parts)).toBe(gain);
    const details = lines.filter((each) => each.includes('→') && each.includes('exchange rate')).map(cents);
    expect(details).toHaveLength(3);
    expect(sum(details.map(([own = 0]) => own))).toBe(gain);
    for (const [own, ...of] of details) expect(sum(of)).toBe(own);
    for (const index of [0, 1]) expect(sum(details.map((each) => each[index + 1] ?? 0))).toBe(parts[index]);
  });

  it('never show zero for an unknown value: in an outage, without a rate, or for some holdings', async () => {
    const { say, prices, drawn } = await openPortfolios();
    const english = { locale: 'en', timeZone: 'Asia/Seoul' } as const;
    await say('/portfolio new main KRW');
    await say('/portfolio add AAPL 1 600 2026-11-03 rate 1400');
    const factsOf = async () => {
      const { facts = [] } = await say('/portfolio');
      return new Map(
        facts
          .filter(({ entity }) => entity.startsWith('portfolio:'))
          .map((fact) => [`${fact.metric}${fact.label === undefined ? '' : `: ${fact.label}`}`, fact.value]),
      );
    };
    const metrics = [
      'totalValue',
      'totalValue: known part only',
      'unrealisedGain',
      'unrealisedFromFx',
      'dayChange',
    ];
    const toldOf = async () => {
      const facts = await factsOf();
      return metrics.filter((metric) => facts.has(metric));
    };
    // An outage.
    const nothing = await say('/portfolio');
    expect(nothing.content).toContain('**총 평가금액: 지금은 알 수 없음**\n평가손익 –\n');
    expect(nothing.cards?.items[0]?.headline).toBe('총 평가금액: 지금은 알 수 없음');
    expect(nothing.content.match(/⚠️/gu)).toHaveLength(1);
    expect(await toldOf()).toEqual([]);
    // Without a current rate, a price gives no value in won.
    prices.set('AAPL', { price: '586.725', previousClose: '590' });
    const unrated = (await say('/portfolio details', english)).content;
    expect(unrated).toContain('**Total value not known right now**\n- Gain: –\n');
    expect(unrated).toContain('| $586.73 | – | -0.56% |');
    expect(unrated).toContain('$600.00 → $586.73 · -$13.27');
    expect(unrated.match(/⚠️/gu)).toHaveLength(1);
    expect(await toldOf()).toEqual([]);
    // One of two holdings is priced.
    prices.set('USDKRW=X', { price: '1400' });
    await say('/portfolio add 005930 1 70000');
    const some = (await say('/portfolio details', english)).content;
    expect(some).toContain(
      '**Known so far: ₩821,415 (1 of 2 holdings)**\n- Gain: -₩18,585 (-2.21%) (1 of 2 holdings)',
    );
    expect((await say('/portfolio')).content).toContain(
      '**지금까지 확인된 평가금액 ₩821,415 (2종목 중 1종목)**',
    );
    expect(await toldOf()).toEqual(['totalValue: known part only']);
    expect(drawn.at(-1)?.totalName).toBe('2종목 중 1종목');
    prices.set('005930.KS', { price: '71000' });
    expect((await say('/portfolio details', english)).content).toContain('**Total value ₩892,415**');
    expect(await toldOf()).toContain('totalValue');
  });
});

describe('long fractions', () => {
  it('are rounded alike in every answer, but shown and stored to the last digit where they were entered', async () => {
    const { say, prices, ledgerOf } = await openPortfolios();
    prices.set('AAPL', { price: '142' });
    prices.set('MSFT', { price: '100' });
    const english = { locale: 'en', timeZone: 'Asia/Seoul' } as const;
    const answers: string[] = [];
    const ask = async (body: string): Promise<string> => {
      const { content, choices = [] } = await say(`/portfolio ${body}`, english);
      // Commands on buttons must be exact.
      answers.push(content.replaceAll(/`[^`]*`/gu, ''), ...choices.map(({ label }) => label));
      return content;
    };
    await ask('new main USD');
    await ask('deposit 1000 USD 2026-11-02');
    expect(await ask('add AAPL 7 142.857142857142 2026-11-03 --yes')).toContain(
      'Bought 7 Apple (AAPL) at $142.857142857142 = $1,000.00',
    );
    expect(await ask('split AAPL 1:3 2026-11-04 --yes')).toContain('Now held: 2.33333333, average');
    expect(await ask('sell AAPL 0.3333333333 500 --yes')).toContain('Sold 0.3333333333 Apple');
    const history = await ask('history');
    expect(history).toContain('Sold 0.3333333333 Apple (AAPL) at $500.00 = $166.67');
    expect(history).toContain('at $142.857142857142');
    expect(await ask('')).toContain('| 2 | $428.57 | $284.00 |');
    expect(await ask('sell AAPL 2.00000001 500')).toContain(
      'you hold only 2 of Apple (AAPL), so 2.00000001 cannot be sold',
    );
    expect(await ask('fee 200.123456789 USD 2026-11-05')).toContain('Account fee: $200.123456789');
    expect(await ask('')).toContain('Cash in USD is $33.46 short');
    expect(await ask('')).toContain('`/portfolio deposit 33.46 USD 2026-11-02`');
    expect(await ask('rebalance MSFT 100')).toContain('`/portfolio sell AAPL all`');
    expect(await ask('rebalance AAPL 33.25 MSFT 66.75 +$500')).toMatch(/\| 33\.25% \| [-+]\d+\.\d5% \|/u);
    expect(await ask('undo')).toContain('$200.123456789');
    const entered = /142\.857142857142|0\.3333333333|200\.123456789/gu;
    expect(answers.filter((text) => /\d\.\d{9}/u.test(text.replaceAll(entered, '')))).toEqual([]);
    const [, purchase] = await ledgerOf('mina');
    expect(purchase && 'price' in purchase && purchase.price.toFixed()).toBe('142.857142857142');
  });
});
