import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { portfolioTexts } from '#src/features/portfolio/texts/portfolio.ts';
import { taxTexts } from '#src/features/portfolio/texts/tax.ts';
import { portfolioTool } from '#test/features/portfolio/asked-service.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const { signal } = new AbortController();
const ANSWER: MarketAnswer = { content: 'x', facts: [], found: 1 };

describe('record_transaction', () => {
  const asked: (readonly [RecordRequest, Requester])[] = [];
  const planned: RecordRequest[] = [];
  const tool = portfolioTool('record_transaction', {
    record: async (request, requester) => {
      asked.push([request, requester]);
      return ANSWER;
    },
    plan: async (request) => {
      planned.push(request);
      return request.quantity === '99'
        ? { status: 'refused', answer: { content: 'only 0 are held', facts: [], found: 0 } }
        : { status: 'ready', text: 'Record a sale\n⚠️ odd', shown: { date: '2026-11-13' } };
    },
  });
  const sale = {
    kind: 'sell',
    symbol: '삼전',
    quantity: '10',
    price: '71000',
    fee: '500',
    date: '2026-11-12',
    portfolio: 'pension',
  };

  it('puts before the person what the portfolio would record, and nothing that it would refuse', async () => {
    expect(await tool.prepare?.(sale, toolContextOf(), signal)).toEqual({
      status: 'ready',
      summary: expect.stringMatching(/^> Record a sale\n> ⚠.? odd$/u),
    });
    expect(planned).toEqual([expect.objectContaining({ name: '005930.KS', quantity: '10' })]);
    expect(await tool.prepare?.({ ...sale, quantity: '99' }, toolContextOf(), signal)).toMatchObject({
      status: 'refused',
      result: { content: 'only 0 are held', isError: true },
    });
  });

  it('sends what was allowed, by its code and in its currency, as one entry however often it is called', async () => {
    const coin = { kind: 'buy', symbol: 'bitcoin', quantity: '0.1', price: '96000', date: '2026-11-12' };
    await tool.invoke(coin, toolContextOf(), signal);
    await tool.invoke(coin, toolContextOf(), signal);
    await tool.invoke({ ...coin, quantity: '0.2' }, toolContextOf(), signal);
    const [first, second, third] = asked;
    expect(first?.[0]).toEqual({
      kind: 'buy',
      name: 'BTC-USD',
      quantity: '0.1',
      price: '96000',
      date: '2026-11-12',
      // The person has seen what is odd about it.
      isSure: true,
    });
    expect(second?.[1].requestId).toBe(first?.[1].requestId);
    expect(third?.[1].requestId).not.toBe(first?.[1].requestId);
  });

  it('records an entry without a day on the day that was shown, whenever it is allowed', async () => {
    const undated = { kind: 'buy', symbol: '삼전', quantity: '7', price: '71000' };
    await tool.prepare?.(undated, toolContextOf(), signal);
    await tool.invoke(undated, toolContextOf(), signal);
    expect(asked.at(-1)?.[0]).toMatchObject({ quantity: '7', date: '2026-11-13' });
  });

  it('says nothing of its own about what people write wrong: the portfolio tells them in their language', () => {
    for (const wrong of [
      { symbol: 'qqqqzzzz' },
      { price: undefined },
      { quantity: '-5' },
      { date: '2026-02-30' },
    ])
      expect(tool.problemWith({ ...sale, ...wrong })).toBeUndefined();
    expect(tool.problemWith({ kind: 'deposit', amount: '5', date: '2026-11-12' })).toContain(
      'currency is required',
    );
  });

  it('is transactional and about a person', () => {
    expect(tool.problemWith(sale)).toBeUndefined();
    expect(tool.definition).toMatchObject({ isTransactional: true, accessesSensitiveData: true });
    expect(tool.progress(sale, 'ko')).toBe('삼전 거래 기록 중…');
  });
});

describe('undo_transaction', () => {
  it('takes back the entry that was shown, each time another one, and after a restart asks which was meant', async () => {
    const undone: (readonly [number: number | undefined, requestId: string])[] = [];
    let last = 5;
    const tool = portfolioTool('undo_transaction', {
      planUndo: async () => ({ status: 'ready', text: `Undo ${last}`, shown: { number: last } }),
      undo: async ({ number }, { requestId }) => {
        undone.push([number, requestId]);
        return ANSWER;
      },
    });
    const context = toolContextOf();
    for (const number of [5, 4]) {
      last = number;
      await tool.prepare?.({}, context, signal);
      // Meanwhile another entry is recorded.
      last = 9;
      await tool.invoke({}, context, signal);
    }
    expect(undone.map(([number]) => number)).toEqual([5, 4]);
    expect(new Set(undone.map(([, requestId]) => requestId)).size).toBe(2);
    expect(await tool.invoke({}, { ...context, isResumed: true }, signal)).toEqual({
      content: portfolioTexts(context.locale).undoWhich(),
      isError: true,
    });
    await tool.invoke({ number: 3 }, { ...context, isResumed: true }, signal);
    expect(undone.at(-1)?.[0]).toBe(3);
  });
});

it('an empty portfolio name is accepted for the default portfolio', () => {
  expect(portfolioTool('get_portfolio', {}).problemWith({ portfolio: '' })).toBeUndefined();
});

it('get_portfolio asks for the summary, for a picture only where one is wanted, and for what is not recorded', async () => {
  const asked: unknown[] = [];
  const tool = portfolioTool('get_portfolio', {
    summary: async (request) => {
      asked.push(request);
      return ANSWER;
    },
    actions: async (request) => {
      asked.push(['actions', request]);
      return ANSWER;
    },
  });
  await tool.invoke({}, toolContextOf(), signal);
  await tool.invoke({ portfolio: 'pension', draw: false }, toolContextOf(), signal);
  await tool.invoke({ view: 'actions' }, toolContextOf(), signal);
  expect(asked).toEqual([{ isDrawn: true }, { portfolio: 'pension', isDrawn: false }, ['actions', {}]]);
  expect(tool.definition.accessesSensitiveData).toBe(true);
});

const setUp = (answer: MarketAnswer) => {
  const asked: unknown[] = [];
  const tool = portfolioTool('analyze_portfolio', {
    analyse: async (request, requester) => {
      asked.push(request, { channelId: requester.channelId, userId: requester.userId });
      return answer;
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
    await tool.invoke({ portfolio: '연금', range: 'ytd', benchmark: 'sp500', chart: false }, context, signal);
    expect(asked).toEqual([
      { portfolio: undefined, range: '1y', benchmark: undefined, isDrawn: true },
      { channelId: 'console', userId: 'me' },
      { portfolio: '연금', range: 'ytd', benchmark: 'sp500', isDrawn: false },
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

it('says in plain words that an entry is being undone, and why a short sale counts as neither long nor short term', () => {
  expect(portfolioTexts('en').undoing()).toBe('Undoing the entry…');
  expect(taxTexts('en').termGain['short-sale']({ amount: '$5', count: 1 })).toBe(
    'Closed short sales (holding period not determined): **$5**, 1 lot',
  );
});
