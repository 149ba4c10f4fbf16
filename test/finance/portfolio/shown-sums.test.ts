import { describe, expect, it } from 'vitest';
import { openPortfolios } from './desk-support.ts';

/** Cents of all amounts of money in a text. */
const cents = (text: string): readonly number[] =>
  [...text.matchAll(/(?<sign>[-+]?)\$(?<whole>[\d,]+)\.(?<part>\d\d)/gu)].map(({ groups = {} }) => {
    const size = Number(`${groups['whole']?.replaceAll(',', '')}${groups['part']}`);
    return groups['sign'] === '-' ? -size : size;
  });
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('sums in the summary of a portfolio', () => {
  it('are those of the parts shown beside them, to the last cent', async () => {
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
    const lines = (await say('/portfolio', english)).content.split('\n');
    const line = (start: string): string => lines.find((each) => each.startsWith(start)) ?? '';
    const [total = 0] = cents(line('**Total value'));
    const rows = lines.filter((each) => /^\| .*\$/u.test(each)).map((each) => cents(each)[0] ?? 0);
    const cash = cents(line('- Cash:'));
    expect([rows.length, cash.length]).toEqual([3, 2]);
    expect(sum([...rows, ...cash])).toBe(total);
    const [gain = 0, ...parts] = cents(line('- Unrealised gain'));
    expect(sum(parts)).toBe(gain);
    const details = lines.filter((each) => each.includes('→') && each.includes('exchange rate')).map(cents);
    expect(details).toHaveLength(3);
    expect(sum(details.map(([own = 0]) => own))).toBe(gain);
    for (const [own, ...of] of details) expect(sum(of)).toBe(own);
    expect(lines.some((each) => each.includes('Gain (USD)'))).toBe(true);
  });
});
