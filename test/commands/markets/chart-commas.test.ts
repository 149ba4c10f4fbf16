import { expect, it } from 'vitest';
import type { ChartRequest } from '#src/features/charting/chart.ts';
import { charting } from '#src/features/charting/index.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { runCommand } from '../support.ts';

const symbols = createSymbolSearch();

const ask = async (text: string): Promise<ChartRequest | undefined> => {
  const asked: ChartRequest[] = [];
  const markets = {
    chart: async (request: ChartRequest) => {
      asked.push(request);
      return { content: 'drawn', facts: [], found: 1 };
    },
  };
  await runCommand(charting.command.create({ symbols, markets }), text.split(' '));
  return asked[0];
};

/** With the real index, in which RSI, MA, MAX and ALL are companies, however they are spelled. */
it.each([
  ['AAPL 1y rsi,macd', { queries: ['AAPL'], range: '1y', indicators: ['rsi', 'macd'] }],
  ['AAPL rsi, macd', { queries: ['AAPL'], indicators: ['rsi', 'macd'] }],
  ['AAPL ma, rsi', { queries: ['AAPL'], indicators: ['ma', 'rsi'] }],
  ['AAPL max, rsi', { queries: ['AAPL'], range: 'max', indicators: ['rsi'] }],
  ['AAPL all, dark', { queries: ['AAPL'], range: 'max', theme: 'dark' }],
  ['MA, V', { queries: ['MA', 'V'] }],
  ['ALL, AAPL', { queries: ['ALL', 'AAPL'] }],
])('/chart %s is read as people mean it', async (typed, request) => {
  expect(await ask(typed)).toMatchObject(request);
});
