import { describe, expect, it } from 'vitest';
import { openPortfolios } from './service-support.ts';

const open = async () => {
  const all = await openPortfolios();
  all.prices.set('005930.KS', { price: '80000', previousClose: '78000' });
  return all;
};

describe('the picture of a portfolio', () => {
  it('is dark where that was asked for, and light otherwise', async () => {
    const { say, drawn } = await open();
    await say('/portfolio add 삼성전자 10주 71,000원 11/2');
    await say('/portfolio');
    const { choices } = await say('/portfolio dark');
    await say('/portfolio 요약 다크');
    expect(drawn.map(({ theme }) => theme)).toEqual([undefined, 'dark', 'dark']);
    // The next picture is like this one.
    expect(choices?.map(({ command }) => command)).toContain('/portfolio analysis dark');
  });

  it('has the other background below it, for the same portfolio', async () => {
    const { say, drawn } = await open();
    const commandsOf = async (words: string) => (await say(words)).choices?.map(({ command }) => command);
    await say('/portfolio new main KRW');
    await say('/portfolio new pension KRW');
    await say('/portfolio add 삼성전자 10주 71,000원 11/2 @pension');
    expect(await commandsOf('/portfolio --in=pension')).toContain('/portfolio summary dark --in=pension');
    expect(await commandsOf('/portfolio summary dark --in=pension')).toContain(
      '/portfolio summary light --in=pension',
    );
    expect(drawn.map(({ theme }) => theme)).toEqual([undefined, 'dark']);
  });

  it('is that of the portfolio of that name, where there is one', async () => {
    const { say, drawn } = await open();
    await say('/portfolio new dark KRW');
    await say('/portfolio add 삼성전자 10주 71,000원 11/2 @dark');
    await say('/portfolio dark');
    expect(drawn.map(({ title, theme }) => ({ title, theme }))).toEqual([
      { title: expect.stringContaining('dark'), theme: undefined },
    ]);
  });
});
