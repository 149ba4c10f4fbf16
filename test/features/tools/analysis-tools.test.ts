import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { compare } from '#src/features/compare/index.ts';
import { getHistory } from '#src/features/history/index.ts';
import { getIndicators } from '#src/features/indicators/index.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const fact: Fact = {
  entity: 'AAPL',
  metric: 'rsi',
  parameter: '14',
  value: '55.10',
  unit: 'points',
  asOf: '2026-11-13T21:00:00Z',
  source: 'Yahoo Finance',
  isSample: false,
};
const media: readonly MediaAttachment[] = [
  { kind: 'image', mimeType: 'image/png', name: 'x.png', url: 'file:///x.png' },
];
const answer: MarketAnswer = { content: 'words', facts: [fact], found: 1, media };

const setUp = (given: MarketAnswer = answer) => {
  const asked: unknown[] = [];
  const note = async (request: unknown, audience: unknown): Promise<MarketAnswer> => {
    asked.push(request, audience);
    return given;
  };
  const markets: Pick<MarketQueries, 'history' | 'indicators' | 'compare'> = {
    history: note,
    indicators: note,
    compare: note,
  };
  return {
    asked,
    tools: [
      getHistory({ markets }),
      getIndicators({ markets }),
      toolOf(compare, 'compare', { markets }),
    ] as const,
  };
};

const context = toolContextOf({ locale: 'ko' });
const signal = new AbortController().signal;
const inputs = [{ symbol: '삼성전자' }, { symbol: '삼성전자' }, { symbols: ['삼성전자', 'AAPL'] }] as const;

describe('get_history, get_indicators and compare', () => {
  it('ask the markets, over a year unless the model says otherwise', async () => {
    const { tools, asked } = setUp();
    for (const [index, tool] of tools.entries()) await tool.invoke(inputs[index], context, signal);
    expect(asked).toEqual([
      { query: '삼성전자', range: '1y' },
      context,
      { query: '삼성전자' },
      context,
      { queries: ['삼성전자', 'AAPL'], range: '1y', isDrawn: true },
      expect.objectContaining({ locale: 'ko', timeZone: context.timeZone, userId: context.userId }),
    ]);
    asked.length = 0;
    await tools[2].invoke({ symbols: ['A', 'B'], range: 'ytd', chart: false }, context, signal);
    expect(asked[0]).toEqual({ queries: ['A', 'B'], range: 'ytd', isDrawn: false });
  });

  it('hand on words, facts and pictures, and call it an error where nothing was found', async () => {
    for (const [index, tool] of setUp().tools.entries()) {
      expect(await tool.invoke(inputs[index], context, signal)).toEqual({
        content: 'words',
        facts: [fact],
        media,
        isError: false,
      });
    }
    const nothing = setUp({ content: 'none', facts: [], found: 0 });
    for (const [index, tool] of nothing.tools.entries()) {
      expect((await tool.invoke(inputs[index], context, signal)).isError).toBe(true);
    }
  });

  it('are finance tools that depend on the world outside, need no approval, and ask for source and as-of', () => {
    const { tools } = setUp();
    expect(tools.map(({ definition }) => definition.name)).toEqual([
      'get_history',
      'get_indicators',
      'compare',
    ]);
    for (const { definition } of tools) {
      expect(definition).toMatchObject({ group: 'finance', isExternal: true, requiresApproval: false });
      expect(definition.description).toMatch(/as-of/u);
    }
  });

  it('say what they are doing, in both languages', () => {
    const lines = setUp().tools.flatMap((tool, index) =>
      (['ko', 'en'] as const).map((locale) => tool.progress(inputs[index], locale)),
    );
    expect(lines).toEqual([
      '삼성전자 과거 시세 조회 중…',
      'Looking up the price history of 삼성전자…',
      '삼성전자 지표 계산 중…',
      'Working out indicators of 삼성전자…',
      '삼성전자, AAPL 비교 중…',
      'Comparing 삼성전자, AAPL…',
    ]);
  });

  it.each([
    [0, { symbol: '' }],
    [0, { symbol: 'AAPL', range: '7y' }],
    [1, {}],
    [2, { symbols: ['AAPL'] }],
    [2, { symbols: Array<string>(7).fill('AAPL') }],
  ] as const)('refuse input that does not fit (%i, %j)', async (index, input) => {
    const { tools, asked } = setUp();
    expect(await tools[index].invoke(input, context, signal)).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });
});
