import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { earnings } from '#src/features/earnings/index.ts';
import { getFundamentals } from '#src/features/fundamentals/index.ts';
import { overview } from '#src/features/overview/index.ts';
import { news } from '#src/features/news/index.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

/** Answers everything alike, and keeps what it was asked. */
const setUp = (answer: MarketAnswer = { content: 'x', facts: [], found: 1 }) => {
  const asked: unknown[] = [];
  const ask = async (request: unknown): Promise<MarketAnswer> => {
    asked.push(request);
    return answer;
  };
  const markets = { news: ask, fundamentals: ask, earnings: ask, overview: ask };
  const tools = [
    ...[news, earnings, overview].flatMap((each) =>
      Object.values(each.tools).map((make) => make({ markets })),
    ),
    getFundamentals({ markets }),
  ];
  const toolOf = (name: string) => {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (!tool) throw new Error(`no ${name}`);
    return tool;
  };
  const invoke = (name: string, input: unknown) =>
    toolOf(name).invoke(input, toolContextOf(), new AbortController().signal);
  return { asked, tools, toolOf, invoke };
};

describe('the tools for news, figures, dates and markets', () => {
  it.each([
    ['get_news', {}, { limit: 5 }],
    ['get_news', { symbol: '삼성전자', limit: 10 }, { query: '삼성전자', limit: 10 }],
    ['get_fundamentals', { symbol: 'AAPL' }, { query: 'AAPL' }],
    ['get_earnings_calendar', {}, { queries: [] }],
    ['get_earnings_calendar', { symbols: ['NVDA', '애플'] }, { queries: ['NVDA', '애플'] }],
    ['get_market_overview', {}, { of: 'markets' }],
    [
      'get_market_overview',
      { of: 'crypto', currency: 'KRW', names: ['BTC'] },
      { of: 'crypto', currency: 'KRW', names: ['BTC'] },
    ],
  ])('%s with %j asks the desk for %j', async (name, input, request) => {
    const { asked, invoke } = setUp();
    expect(await invoke(name, input)).toMatchObject({ content: 'x', isError: false });
    expect(asked).toEqual([request]);
  });

  it.each([
    ['get_news', { limit: 11 }],
    ['get_news', { symbol: '' }],
    ['get_fundamentals', {}],
    ['get_fundamentals', { symbol: 'x'.repeat(101) }],
    ['get_earnings_calendar', { symbols: Array.from({ length: 11 }, () => 'AAPL') }],
    ['get_market_overview', { of: 'bonds' }],
  ])('%s refuses %j without asking', async (name, input) => {
    const { asked, invoke } = setUp();
    expect((await invoke(name, input)).isError).toBe(true);
    expect(asked).toEqual([]);
  });

  it('are external, tell the model to repeat source and time, and say what they are doing', () => {
    const { tools, toolOf } = setUp();
    for (const { definition } of tools) {
      expect(definition).toMatchObject({ group: 'finance', isExternal: true, requiresApproval: false });
      expect(definition.description).toMatch(/as-of|publisher and time/);
    }
    expect(toolOf('get_news').progress({ symbol: '애플' }, 'ko')).toBe('애플 뉴스 확인 중…');
    expect(toolOf('get_news').progress({}, 'en')).toBe('Reading the market news…');
    expect(toolOf('get_market_overview').progress({ of: 'crypto' }, 'en')).toBe('Looking at coin prices…');
  });

  it('hand headlines over as words of strangers, and nothing found as an error', async () => {
    const fenced = setUp({ content: 'x', facts: [], found: 1, isUntrusted: true });
    expect(await fenced.invoke('get_news', {})).toMatchObject({ isUntrusted: true, isError: false });
    const none = setUp({ content: 'none', facts: [], found: 0 });
    expect(await none.invoke('get_fundamentals', { symbol: 'x' })).toMatchObject({ isError: true });
  });
});
