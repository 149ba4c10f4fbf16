import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { ChartRequest } from '#src/features/charting/chart.ts';
import { charting } from '#src/features/charting/index.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const PICTURE: MediaAttachment = {
  kind: 'image',
  mimeType: 'image/png',
  name: 'AAPL-6mo.png',
  url: 'file:///data/charts/1.png',
  altText: 'Candlestick chart of Apple.',
};

const setUp = (answer: Partial<MarketAnswer> = {}) => {
  const asked: ChartRequest[] = [];
  const tool = toolOf(charting, 'make_chart', {
    markets: {
      chart: async (request) => {
        asked.push(request);
        return { content: 'Apple: $1', facts: [], found: 1, media: [PICTURE], ...answer };
      },
    },
  });
  const call = (input: unknown) => tool.invoke(input, toolContextOf(), new AbortController().signal);
  return { tool, asked, call };
};

describe('make_chart', () => {
  it('sends the picture with the answer', async () => {
    const { asked, call } = setUp();
    const result = await call({ symbols: ['애플'] });
    expect(asked).toEqual([{ queries: ['애플'], range: '6mo', indicators: [] }]);
    expect(result).toMatchObject({ isError: false, media: [PICTURE] });
    expect(result.content).toBe('Apple: $1');
    await call({ symbols: ['A', 'B'], range: '1y', indicators: ['rsi'], theme: 'dark' });
    expect(asked[1]).toEqual({ queries: ['A', 'B'], range: '1y', indicators: ['rsi'], theme: 'dark' });
  });

  it('claims no picture where there is none', async () => {
    const { media: _none, ...words }: Partial<MarketAnswer> = { content: 'Which one?', found: 0 };
    const tool = toolOf(charting, 'make_chart', {
      markets: { chart: async () => ({ content: '', facts: [], found: 0, ...words }) },
    });
    const result = await tool.invoke({ symbols: ['x'] }, toolContextOf(), new AbortController().signal);
    expect(result).toEqual({ content: 'Which one?', facts: [], isError: true });
  });

  it('takes one to six names, and ranges that there are', async () => {
    const { tool, call, asked } = setUp();
    for (const input of [
      { symbols: [] },
      { symbols: Array<string>(7).fill('A') },
      { symbols: ['A'], range: '7w' },
    ])
      expect((await call(input)).isError).toBe(true);
    expect(asked).toEqual([]);
    expect(tool.progress({ symbols: ['삼성전자', '애플', '테슬라'] }, 'ko')).toBe(
      '삼성전자, 애플 외 1개 차트 그리는 중…',
    );
  });
});
