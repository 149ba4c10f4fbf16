import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/core/market-desk.ts';
import type { Asker, RecordRequest } from '#src/core/personal-desk.ts';
import { getPortfolio } from '#src/finance/tools/get-portfolio.ts';
import { recordTransaction } from '#src/finance/tools/record-transaction.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const { signal } = new AbortController();
const ANSWER: MarketAnswer = { content: 'x', facts: [], found: 1 };

describe('record_transaction', () => {
  const asked: (readonly [RecordRequest, Asker])[] = [];
  const tool = recordTransaction({
    portfolio: {
      record: async (request, asker) => {
        asked.push([request, asker]);
        return ANSWER;
      },
    },
    symbols,
    clock: new ManualClock('2026-11-13T06:30:00Z'),
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

  it('puts the exact entry before the person: the company, the sums, computed tax, day and portfolio', () => {
    expect(tool.describe(sale, 'ko')).toBe(
      [
        '> 매도 기록: 삼성전자 (005930, KOSPI) 10주 × ₩71,000 = ₩710,000',
        '> - 수수료 ₩500',
        '> - 세금 ₩1,420',
        '> - 거래일 2026-11-12',
        '> - 포트폴리오 pension',
        '> 내 기록에 적어 두는 것이며, 실제 주문은 나가지 않습니다. `/portfolio 취소`로 되돌릴 수 있습니다.',
      ].join('\n'),
    );
    const plan = tool.describe(
      { kind: 'deposit', amount: '1000', currency: 'usd', date: '2026-11-12' },
      'en',
    );
    expect(plan).toContain('> Record a deposit: $1,000.00\n> - on 2026-11-12\n> - in the default portfolio');
  });

  it('shows the name of a portfolio in the question as words, never as a link', () => {
    const note = 'see [here](https://evil.example)';
    const plan = tool.describe({ ...sale, portfolio: '[main](https://evil.example)', note }, 'en');
    expect(plan).toContain('> - in the portfolio main(https: //evil.example)\n');
    expect(plan).not.toMatch(/\]\(/);
  });

  it('sends what it described, by its code and in its currency, as one entry however often it is called', async () => {
    const coin = { kind: 'buy', symbol: 'bitcoin', quantity: '0.1', price: '96000', date: '2026-11-12' };
    expect(tool.describe(coin, 'en')).toContain('0.1 of Bitcoin (BTC, Crypto) at $96,000.00 = $9,600.00');
    await tool.invoke(coin, toolContextOf(), signal);
    await tool.invoke(coin, toolContextOf(), signal);
    await tool.invoke({ ...coin, quantity: '0.2', isSure: true }, toolContextOf(), signal);
    const [first, second, third] = asked;
    expect(third?.[0].isSure).toBe(true);
    expect(first?.[0]).toEqual({
      kind: 'buy',
      name: 'BTC-USD',
      quantity: '0.1',
      price: '96000',
      currency: 'USD',
      date: '2026-11-12',
    });
    expect(second?.[1].requestId).toBe(first?.[1].requestId);
    expect(third?.[1].requestId).not.toBe(first?.[1].requestId);
  });

  it.each([
    [{ ...sale, symbol: 'GS' }, 'could be several'],
    [{ ...sale, symbol: 'qqqqzzzz' }, 'I do not know'],
    [{ ...sale, price: undefined }, 'At what price?'],
    [{ ...sale, quantity: '-5' }, 'above zero'],
    [{ ...sale, price: '1e30' }, 'larger than I can record'],
    [{ ...sale, price: '$50' }, 'is traded in KRW'],
    [{ ...sale, date: '2026-11-20' }, 'lies in the future'],
    [{ ...sale, date: 'yesterday' }, 'date'],
    [{ kind: 'deposit', amount: '5', date: '2026-11-12' }, 'currency is required'],
  ])('is refused before anybody is asked: %j', (input, why) => {
    expect(tool.problemWith(input)).toContain(why);
  });

  it('is transactional and about a person', () => {
    expect(tool.problemWith(sale)).toBeUndefined();
    expect(tool.definition).toMatchObject({ isTransactional: true, accessesSensitiveData: true });
    expect(tool.progress(sale, 'ko')).toBe('삼전 거래 기록 중…');
  });
});

it('get_portfolio asks for the summary, and for a picture only where one is wanted', async () => {
  const asked: unknown[] = [];
  const tool = getPortfolio({
    portfolio: {
      summary: async (request) => {
        asked.push(request);
        return ANSWER;
      },
    },
  });
  await tool.invoke({}, toolContextOf(), signal);
  await tool.invoke({ portfolio: 'pension', draw: true }, toolContextOf(), signal);
  expect(asked).toEqual([{ isDrawn: false }, { portfolio: 'pension', isDrawn: true }]);
  expect(tool.definition.accessesSensitiveData).toBe(true);
});
