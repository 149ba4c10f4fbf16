import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { ConvertRequest, ConvertText } from '#src/features/fx/convert.ts';
import type { HoursRequest } from '#src/features/hours/hours.ts';
import { fx } from '#src/features/fx/index.ts';
import { hours } from '#src/features/hours/index.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const { signal } = new AbortController();
const ANSWER: MarketAnswer = { content: 'x', facts: [], found: 1 };

describe('get_market_hours', () => {
  const asked: HoursRequest[] = [];
  const tool = toolOf(hours, 'get_market_hours', {
    markets: {
      hours: async (request) => {
        asked.push(request);
        return ANSWER;
      },
    },
  });

  it.each<[HoursRequest]>([[{}], [{ market: 'krx' }], [{ market: '미국', date: '2026-11-26' }]])(
    'asks the desk for %j',
    async (input) => {
      expect(await tool.invoke(input, toolContextOf(), signal)).toEqual({
        content: 'x',
        facts: [],
        isError: false,
      });
      expect(asked.at(-1)).toEqual(input);
    },
  );

  it('says what it is doing, and refuses a page of text', async () => {
    expect(tool.progress({ market: '미국' }, 'ko')).toBe('미국 거래 시간 확인 중…');
    const result = await tool.invoke({ market: 'x'.repeat(61) }, toolContextOf(), signal);
    expect(result.isError).toBe(true);
  });
});

describe('convert_currency', () => {
  const asked: (ConvertRequest | ConvertText)[] = [];
  const tool = toolOf(fx, 'convert_currency', {
    markets: {
      convert: async (request) => {
        asked.push(request);
        return { ...ANSWER, found: 0 };
      },
    },
  });

  it.each([
    [{ amount: '1,250.50', from: 'USD', to: '원' }, '1,250.50'],
    [{ amount: 100, from: 'USD', to: '원' }, '100'],
    [{ from: 'USD', to: '원' }, '1'],
  ])('asks the desk for %j, and is an error where nothing was found', async (input, amount) => {
    expect(await tool.invoke(input, toolContextOf(), signal)).toEqual({
      content: 'x',
      facts: [],
      isError: true,
    });
    expect(asked.at(-1)).toEqual({ amount, from: 'USD', to: '원' });
    expect(tool.progress(input, 'en')).toBe('Converting USD to 원…');
  });
});
