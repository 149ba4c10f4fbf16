import { describe, expect, it } from 'vitest';
import { queryMyData, type QueryMyDataDeps } from '#src/agent/tools/general/query-my-data.ts';
import type { Alert } from '#src/kernel/market/finance.ts';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { UsagePeriod, UsageScope, UsageSnapshot } from '#src/kernel/agent/usage.ts';
import type { ToolExecutionContext } from '#src/kernel/agent/tool.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const ME = { channelId: asId<ChannelId>('slack'), userId: asId<UserId>('U1') };

const snapshotOf = (costUsd: string, special: Partial<UsageSnapshot> = {}): UsageSnapshot => ({
  inputTokens: 1_000,
  cacheReadTokens: 200,
  cacheWriteTokens: 34,
  outputTokens: 56,
  requestCount: 3,
  failedCount: 0,
  unpricedCount: 0,
  costUsd: new Decimal(costUsd),
  ...special,
});
const NOTHING = snapshotOf('0', { requestCount: 0 });
const periodOf = (total: UsageSnapshot): UsagePeriod => ({
  total,
  byModel: total.requestCount === 0 ? [] : [{ model: 'claude-opus-4-6', usage: total }],
});

const alertOn = (symbol: string, condition: string): Alert => ({
  id: symbol,
  instrument: {
    symbol,
    ticker: symbol,
    name: { ko: symbol, en: symbol },
    exchange: 'NASDAQ',
    assetClass: 'equity',
    currency: 'USD',
    priceDecimals: 2,
  },
  condition,
});

const setUp = (
  special: Partial<QueryMyDataDeps> = {},
  today = snapshotOf('0.0123456'),
  month = snapshotOf('12.345'),
) => {
  const scopes: UsageScope[] = [];
  const period = (used: UsageSnapshot) => async (scope: UsageScope) => {
    scopes.push(scope);
    return periodOf(used);
  };
  const tool = queryMyData({
    clock: new ManualClock('2026-11-30T20:00:00Z'),
    timeZone: 'Asia/Seoul',
    alerts: async () => [],
    usage: {
      today: period(today),
      month: period(month),
      limits: { perUserUsd: undefined, perDayUsd: undefined },
    },
    conversation: async () => undefined,
    reminders: async () => [],
    ...special,
  });
  const ask = (what: string, context: Partial<ToolExecutionContext> = {}) =>
    tool.invoke({ what }, toolContextOf({ ...ME, ...context }), new AbortController().signal);
  return { tool, ask, scopes };
};

const unread = async () => expect.unreachable();

const conversation: QueryMyDataDeps['conversation'] = async (sessionKey) =>
  sessionKey === 'mine'
    ? { messageCount: 12, since: Temporal.Instant.from('2026-07-01T13:30:00Z') }
    : { messageCount: 0, since: Temporal.Instant.from('2026-07-01T13:30:00Z') };

describe('query_my_data', () => {
  it('is marked as one that reads personal data', () => {
    expect(setUp().tool.definition).toMatchObject({
      name: 'query_my_data',
      group: 'data',
      accessesSensitiveData: true,
    });
  });

  it.each(['group', 'channel'] as const)(
    'reads nothing in a %s, and leads to a direct chat',
    async (chatType) => {
      const { ask, scopes } = setUp({ conversation: unread, reminders: unread, alerts: unread });
      for (const what of ['usage', 'alerts', 'conversation', 'reminders'])
        expect(await ask(what, { chatType })).toEqual({
          content: expect.stringContaining('direct message'),
          isError: true,
        });
      expect(scopes).toEqual([]);
    },
  );

  it('refuses what is not stored', async () => {
    expect(await setUp().ask('passwords')).toMatchObject({ isError: true });
  });

  it.each([
    ['usage', '사용량'],
    ['alerts', '알림 조건'],
    ['conversation', '이 대화'],
    ['reminders', '예약된 알림'],
  ])('says what it reads to the person who has to allow it: %s', (what, inKorean) => {
    const { tool } = setUp();
    expect(tool.describe({ what }, 'en')).toBe(`> Read what the bot stores about you: ${what}`);
    expect(tool.describe({ what }, 'ko')).toBe(`> 봇에 저장된 내 데이터 읽기: ${inKorean}`);
  });
});

describe('usage', () => {
  it('is that of the requester, to the last digit, with period and currency', async () => {
    const { ask, scopes } = setUp();
    const { content, isError } = await ask('usage');
    expect(isError).toBe(false);
    expect(content.split('\n')).toEqual([
      'Today (2026-12-01, Asia/Seoul): 0.0123456 USD · 3 requests · 1,234 tokens in · 56 out',
      '- claude-opus-4-6: 0.0123456 USD · 3 requests · 1,234 tokens in · 56 out',
      'This month (2026-12, Asia/Seoul): 12.345 USD · 3 requests · 1,234 tokens in · 56 out',
      '- claude-opus-4-6: 12.345 USD · 3 requests · 1,234 tokens in · 56 out',
    ]);
    expect(scopes).toEqual([ME, ME]);
  });

  it('is told in Korean', async () => {
    const { content } = await setUp().ask('usage', { locale: 'ko' });
    expect(content).toMatch(/^오늘 \(2026-12-01, Asia\/Seoul\): 0\.0123456 USD · /);
    expect(content).toContain('이번 달 (2026-12, Asia/Seoul): 12.345 USD');
  });

  it('comes with the limits and what is left of the own one', async () => {
    const usage = {
      today: async () => periodOf(snapshotOf('0.4')),
      month: async () => periodOf(snapshotOf('0.4')),
      limits: { perUserUsd: new Decimal('0.5'), perDayUsd: new Decimal(10) },
    };
    const { content } = await setUp({ usage }).ask('usage');
    expect(content).toContain('Your daily limit: 0.5 USD, 0.1 USD left today');
    expect(content).toMatch(/Daily limit for everybody together: 10 USD$/);
  });

  it('leaves nothing below zero', async () => {
    const usage = {
      today: async () => periodOf(snapshotOf('0.7')),
      month: async () => periodOf(snapshotOf('0.7')),
      limits: { perUserUsd: new Decimal('0.5'), perDayUsd: undefined },
    };
    expect((await setUp({ usage }).ask('usage')).content).toContain('0 USD left today');
  });

  it('says what its cost does not hold, and what failed', async () => {
    const partly = snapshotOf('0.1', { unpricedCount: 2, failedCount: 1 });
    const unpriced = snapshotOf('0', { unpricedCount: 3 });
    const { content } = await setUp({}, unpriced, partly).ask('usage');
    expect(content).toContain('Today (2026-12-01, Asia/Seoul): price unknown · 3 requests');
    expect(content).toContain('0.1 USD (without 2 requests of unknown price) · 3 requests (1 failed)');
  });

  it('may be none', async () => {
    const { content } = await setUp({}, NOTHING, NOTHING).ask('usage');
    expect(content.split('\n')).toEqual([
      'Today (2026-12-01, Asia/Seoul): nothing used yet',
      'This month (2026-12, Asia/Seoul): nothing used yet',
    ]);
  });
});

describe('alerts', () => {
  it('are none where none is set', async () => {
    expect(await setUp().ask('alerts')).toEqual({ content: 'No alerts are set up.', isError: false });
    expect((await setUp().ask('alerts', { locale: 'ko' })).content).toBe('설정된 알림 조건이 없습니다.');
  });

  it('are those of the requester', async () => {
    const asked: unknown[] = [];
    const { ask } = setUp({
      alerts: async (person) => {
        asked.push(person);
        return [alertOn('AAPL', 'above 300 USD'), alertOn('BTC-USD', 'below 50,000 USD')];
      },
    });
    const { content } = await ask('alerts');
    expect(content).toBe('Alerts that are set up: 2\n- AAPL: above 300 USD\n- BTC-USD: below 50,000 USD');
    expect(asked).toEqual([{ channelId: 'slack', userId: 'U1' }]);
  });
});

describe('the conversation', () => {
  it("is told by its length and its beginning in the person's zone", async () => {
    const { ask } = setUp({ conversation });
    const mine = {
      sessionKey: asId<ToolExecutionContext['sessionKey']>('mine'),
      timeZone: 'America/New_York',
    };
    expect((await ask('conversation', mine)).content).toBe(
      'This conversation: 12 messages since 2026-07-01 (Wednesday) 09:30:00, UTC-04:00, America/New_York',
    );
    expect((await ask('conversation', { ...mine, locale: 'ko' })).content).toBe(
      '이 대화: 메시지 12개, 2026-07-01 (수요일) 09:30:00, UTC-04:00, America/New_York부터',
    );
  });

  it('may be empty', async () => {
    const nothing = 'Nothing is stored of this conversation yet.';
    expect((await setUp({ conversation }).ask('conversation')).content).toBe(nothing);
    expect((await setUp().ask('conversation')).content).toBe(nothing);
  });
});

describe('reminders', () => {
  it("are those of the requester, the next first, in the person's zone", async () => {
    const asked: unknown[] = [];
    const { ask } = setUp({
      reminders: async (...owner) => {
        asked.push(owner);
        return [
          { text: 'sell', at: Temporal.Instant.from('2027-01-04T00:00:00Z') },
          { text: 'buy', at: Temporal.Instant.from('2026-12-01T00:00:00Z') },
        ];
      },
    });
    expect((await ask('reminders')).content.split('\n')).toEqual([
      'Reminders that are waiting: 2',
      '- 2026-12-01 (Tuesday) 09:00:00, UTC+09:00, Asia/Seoul: buy',
      '- 2027-01-04 (Monday) 09:00:00, UTC+09:00, Asia/Seoul: sell',
    ]);
    expect(asked).toEqual([['slack', 'U1']]);
  });

  it('may be none', async () => {
    expect((await setUp().ask('reminders')).content).toBe('No reminders are waiting.');
    expect((await setUp().ask('reminders', { locale: 'ko' })).content).toBe('예약된 알림이 없습니다.');
  });
});
