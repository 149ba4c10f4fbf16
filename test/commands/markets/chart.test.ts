import { describe, expect, it } from 'vitest';
import { commandText } from '#src/kernel/chat/command-definition.ts';
import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { chartTexts } from '#src/markets/charts/texts.ts';
import type { ChartRequest } from '#src/features/charting/chart.ts';
import { charting } from '#src/features/charting/index.ts';
import { everyRow } from '#test/support/every-row.ts';
import { runCommand } from '../support.ts';

const instrument: Instrument = {
  symbol: 'X',
  ticker: 'X',
  name: { ko: 'X', en: 'X' },
  exchange: 'X',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
};
const KNOWN = new Set([
  'LINE',
  '삼성전자',
  'SK hynix',
  'AAPL',
  'TSLA',
  'RSI',
  'ALL',
  'MA',
  '005930',
  '000660',
]);
const symbols: Pick<SymbolSearch, 'resolve'> = {
  resolve: (query) =>
    KNOWN.has(query) ? { status: 'found', instrument } : { status: 'unknown', suggestions: [] },
};

const setUp = () => {
  const asked: ChartRequest[] = [];
  const command = charting.command.create({
    symbols,
    markets: {
      chart: async (request) => {
        asked.push(request);
        return { content: 'drawn', facts: [], found: 1, media: [] };
      },
    },
  });
  return { asked, ask: (text: string) => runCommand(command, text.split(' ').filter(Boolean)) };
};

describe('/chart', () => {
  everyRow<readonly [typed: string, request: Partial<ChartRequest>]>([
    ['삼성전자', { queries: ['삼성전자'], range: '6mo', indicators: [] }],
    ['삼성전자 1y ma20,60 rsi dark', { range: '1y', indicators: ['ma20,60', 'rsi'], theme: 'dark' }],
    [
      '다크 볼린저 1년 삼성전자',
      { queries: ['삼성전자'], range: '1y', indicators: ['볼린저'], theme: 'dark' },
    ],
    [
      'AAPL 6 months ma5, 20, 60 macd',
      { queries: ['AAPL'], range: '6mo', indicators: ['ma5,20,60', 'macd'] },
    ],
    ['AAPL 3 개월 light', { queries: ['AAPL'], range: '3mo', theme: 'light' }],
    ['SK hynix 5d ema12', { queries: ['SK hynix'], range: '5d', indicators: ['ema12'] }],
    ['AAPL, TSLA 1y', { queries: ['AAPL', 'TSLA'], range: '1y' }],
    ['005930, 000660', { queries: ['005930', '000660'] }],
    ['AAPL TSLA', { queries: ['AAPL', 'TSLA'] }],
    // Tickers that are words of ours: with a name beside them they are not meant.
    ['RSI', { queries: ['RSI'], indicators: [] }],
    ['ALL 1y', { queries: ['ALL'], range: '1y' }],
    ['AAPL all', { queries: ['AAPL'], range: 'max' }],
    ['MA rsi', { queries: ['MA'], indicators: ['rsi'] }],
    ['LINE', { queries: ['LINE'], range: '6mo' }],
    ['LINE line', { queries: ['LINE'], shape: 'line' }],
    ['AAPL line', { queries: ['AAPL'], range: '6mo', shape: 'line' }],
    ['삼성전자 선 로그 다크', { queries: ['삼성전자'], shape: 'line', isLog: true, theme: 'dark' }],
    // Longer candles reach back further unless a range is named.
    ['AAPL weekly', { range: '2y', interval: '1wk' }],
    ['삼성전자 월봉', { range: '5y', interval: '1mo' }],
    ['삼성전자 1년 주봉 log', { range: '1y', interval: '1wk', isLog: true }],
    ['AAPL 일봉', { range: '6mo', interval: '1d' }],
    // A comma has said that it is a name.
    ['LINE, AAPL', { queries: ['LINE', 'AAPL'] }],
    ['MA, TSLA', { queries: ['MA', 'TSLA'], indicators: [] }],
    ['ALL, AAPL', { queries: ['ALL', 'AAPL'], range: '6mo' }],
    ['AAPL, ALL', { queries: ['AAPL', 'ALL'], range: '6mo' }],
    ['AAPL, rsi', { queries: ['AAPL'], indicators: ['rsi'] }],
    ['AAPL vs TSLA', { queries: ['AAPL', 'TSLA'] }],
  ])('reads "%s"', async (typed, request) => {
    const { asked, ask } = setUp();
    expect(await ask(typed)).toMatchObject({ content: 'drawn', ephemeral: false });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject(request);
  });

  it('says how to ask when there is no name, or too many', async () => {
    const { asked, ask } = setUp();
    expect(await ask('')).toEqual({ content: chartTexts('en').usage(), ephemeral: true });
    const many = await ask('AAPL, TSLA, AAPL, TSLA, AAPL, TSLA, AAPL');
    expect(many).toEqual({ content: chartTexts('en').tooMany({ limit: 6 }), ephemeral: true });
    expect(asked).toEqual([]);
  });

  it('reads a filled-in form as what would have been typed', async () => {
    const { asked, ask } = setUp();
    const typed = commandText(charting.command.definition, {
      symbol: 'AAPL',
      range: 'ytd',
      indicators: 'ma20, 60 rsi',
      style: 'weekly log',
      theme: 'dark',
    });
    await ask(typed.replace('/chart ', ''));
    expect(asked).toEqual([
      {
        queries: ['AAPL'],
        range: 'ytd',
        indicators: ['ma20,60', 'rsi'],
        interval: '1wk',
        isLog: true,
        theme: 'dark',
      },
    ]);
  });

  it.each(['AAPL 10y', '삼성전자 3년', 'AAPL 1h'])(
    'lists the ranges where %s asks for one that there is not',
    async (typed) => {
      const { asked, ask } = setUp();
      expect((await ask(typed)).content).toContain('1d, 5d, 1mo');
      expect(asked).toEqual([]);
    },
  );
});
