import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/market-queries.ts';
import { analyzePortfolio } from '#src/features/portfolio/tools.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const signal = new AbortController().signal;

const setUp = (answer: MarketAnswer) => {
  const asked: unknown[] = [];
  const tool = analyzePortfolio({
    portfolio: {
      analyse: async (request, requester) => {
        asked.push(request, { channelId: requester.channelId, userId: requester.userId });
        return answer;
      },
    },
  });
  return { tool, asked };
};

describe('analyze_portfolio', () => {
  it('is sensitive, and asks for the person whose turn it is, over a year unless told otherwise', async () => {
    const { tool, asked } = setUp({ content: 'words', facts: [], found: 1 });
    const context = toolContextOf();
    expect(tool.definition).toMatchObject({ accessesSensitiveData: true, isTransactional: false });
    const result = await tool.invoke({}, context, signal);
    expect(result).toEqual({ content: 'words', facts: [], isError: false });
    await tool.invoke({ portfolio: '연금', range: 'ytd', benchmark: 'sp500', chart: true }, context, signal);
    expect(asked).toEqual([
      { portfolio: undefined, range: '1y', benchmark: undefined, isDrawn: false },
      { channelId: 'console', userId: 'me' },
      { portfolio: '연금', range: 'ytd', benchmark: 'sp500', isDrawn: true },
      { channelId: 'console', userId: 'me' },
    ]);
    expect(tool.progress({}, 'ko')).toBe('포트폴리오 분석 중…');
  });

  it('is an error for the model where nothing could be said, and for a range that there is not', async () => {
    const { tool, asked } = setUp({ content: 'none', facts: [], found: 0 });
    expect(await tool.invoke({}, toolContextOf(), signal)).toMatchObject({ isError: true });
    expect(await tool.invoke({ range: '10y' }, toolContextOf(), signal)).toMatchObject({ isError: true });
    expect(asked).toHaveLength(2);
  });
});
