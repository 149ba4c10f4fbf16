import { describe, expect, it } from 'vitest';
import { usage } from '#commands/account/usage.ts';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { UsagePeriod, UsageReports, UsageScope, UsageSnapshot } from '#src/kernel/agent/usage.ts';
import { usageSnapshot } from '#test/support/usage.ts';
import { runCommand } from '../support.ts';

const period = (
  models: Readonly<Record<string, Partial<UsageSnapshot>>>,
  total: Partial<UsageSnapshot> = {},
) => ({
  total: usageSnapshot(total),
  byModel: Object.entries(models).map(([model, part]) => ({ model, usage: usageSnapshot(part) })),
});

const EMPTY: UsagePeriod = period({});
const TODAY = period(
  {
    'claude-sonnet-5-5': { requestCount: 2, failedCount: 1, costUsd: new Decimal('0.0042') },
    'gpt-6': { requestCount: 1, unpricedCount: 1 },
  },
  {
    requestCount: 3,
    failedCount: 1,
    unpricedCount: 1,
    costUsd: new Decimal('0.0042'),
    inputTokens: 1_000,
    cacheReadTokens: 8_000,
    cacheWriteTokens: 1_000,
    outputTokens: 1_234,
  },
);
const MONTH = period(
  { 'claude-sonnet-5-5': { requestCount: 1_500, costUsd: new Decimal('12.345') } },
  {
    requestCount: 1_500,
    costUsd: new Decimal('12.345'),
    inputTokens: 2_000_000,
    outputTokens: 500_000,
  },
);

interface Situation {
  readonly today?: UsagePeriod;
  readonly month?: UsagePeriod;
  readonly perUserUsd?: string;
  readonly perDayUsd?: string;
  readonly conversation?: Partial<UsageSnapshot>;
  readonly providers?: Awaited<ReturnType<UsageReports['monthByProvider']>>;
}

const decimal = (text: string | undefined) => (text === undefined ? undefined : new Decimal(text));

const setUp = (situation: Situation = {}) => {
  const { today = TODAY, month = MONTH, perUserUsd, perDayUsd, conversation, providers = [] } = situation;
  const scopes: UsageScope[] = [];
  const sessions: string[] = [];
  const reports: UsageReports = {
    today: async (scope) => {
      scopes.push(scope);
      return today;
    },
    month: async (scope) => {
      scopes.push(scope);
      return month;
    },
    conversation: async (sessionKey) => {
      sessions.push(sessionKey);
      return usageSnapshot(conversation);
    },
    monthByProvider: async () => providers,
    requests: async () => [],
    limits: { perUserUsd: decimal(perUserUsd), perDayUsd: decimal(perDayUsd) },
  };
  const command = usage({ usage: reports });
  const ask = (args: readonly string[] = [], ctx: Partial<TurnContext> = {}) =>
    runCommand(command, args, ctx);
  return { ask, scopes, sessions };
};

describe('/usage', () => {
  it('tells cost, requests and tokens of today and of the month, by model, and what is left (en)', async () => {
    expect(await setUp({ perUserUsd: '1' }).ask()).toEqual({
      ephemeral: true,
      content: `**Your model usage**

**Today** — $0.0042 (without 1 request of unknown price)
3 requests (1 failed) · 10,000 tokens in (80% from the cache) · 1,234 out
- \`claude-sonnet-5-5\` — $0.0042 · 2 requests (1 failed)
- \`gpt-6\` — price unknown · 1 request

**This month** — $12.35
1,500 requests · 2,000,000 tokens in · 500,000 out
- \`claude-sonnet-5-5\` — $12.35 · 1,500 requests

Your daily limit: $1.00, $0.9958 left today`,
    });
  });

  it('tells it in Korean', async () => {
    expect((await setUp({ perUserUsd: '1' }).ask([], { locale: 'ko' })).content).toBe(`**내 모델 사용량**

**오늘** — $0.0042 (가격을 알 수 없는 요청 1건 제외)
요청 3건 (실패 1건) · 입력 10,000토큰 (캐시 80%) · 출력 1,234토큰
- \`claude-sonnet-5-5\` — $0.0042 · 요청 2건 (실패 1건)
- \`gpt-6\` — 가격 정보 없음 · 요청 1건

**이번 달** — $12.35
요청 1,500건 · 입력 2,000,000토큰 · 출력 500,000토큰
- \`claude-sonnet-5-5\` — $12.35 · 요청 1,500건

내 하루 한도: $1.00, 오늘 $0.9958 남음`);
  });

  it('asks for the usage of the sender on this platform, also of an administrator in a group', async () => {
    const { ask, scopes } = setUp();
    const sender = { channelId: asId<ChannelId>('slack'), senderId: asId<UserId>('jun') };
    const result = await ask([''], { ...sender, isAdmin: true, chatType: 'group' });
    expect(scopes).toEqual(Array.from({ length: 2 }, () => ({ channelId: 'slack', userId: 'jun' })));
    expect(result.ephemeral).toBe(true);
  });

  it.each(['en', 'ko'] as const)('says that nothing was used yet (%s)', async (locale) => {
    const { title, nothing } = modelUsageTexts(locale);
    expect((await setUp({ today: EMPTY, month: EMPTY }).ask([], { locale })).content).toBe(
      `${title()}\n\n${nothing()}`,
    );
  });

  it.each([
    ['en', '**Today** — nothing used yet'],
    ['ko', '**오늘** — 아직 사용 내역 없음'],
  ] as const)('says that nothing was used today, and still shows the month (%s)', async (locale, line) => {
    const { content } = await setUp({ today: EMPTY }).ask([], { locale });
    expect(content.split('\n')).toContain(line);
    expect(content).toContain('$12.35');
  });

  it('never calls requests of unknown price free', async () => {
    const unpriced = period({}, { requestCount: 2, unpricedCount: 2, inputTokens: 5 });
    const { content } = await setUp({ today: unpriced, month: unpriced }).ask();
    expect(content).toContain('**Today** — price unknown');
    expect(content).not.toContain('$');
  });

  it('calls what costs nothing $0.00', async () => {
    const free = period({}, { requestCount: 2, inputTokens: 5 });
    expect((await setUp({ today: free, month: free }).ask()).content).toContain('**Today** — $0.00\n');
  });

  it.each([
    { spent: '1', perUserUsd: '1', left: '$1.00, $0.00 left' },
    { spent: '5', perUserUsd: '1', left: '$1.00, $0.00 left' },
    { spent: '0', perUserUsd: '0', left: '$0.00, $0.00 left' },
    { spent: '0.00003', perUserUsd: '0.0001', left: '$0.0001, $0.00007 left' },
  ])('leaves $left of $perUserUsd where $spent is spent', async ({ spent, perUserUsd, left }) => {
    const today = period({}, { requestCount: 1, costUsd: new Decimal(spent) });
    expect((await setUp({ today, perUserUsd }).ask()).content).toContain(`Your daily limit: ${left} today`);
  });

  it('shows a limit also where nothing was used', async () => {
    const { content } = await setUp({ today: EMPTY, month: EMPTY, perUserUsd: '2.5' }).ask();
    expect(content).toContain('Your daily limit: $2.50, $2.50 left today');
  });

  it('tells how high the common limit is, but not what the others left of it', async () => {
    const { content } = await setUp({ perDayUsd: '5' }).ask();
    expect(content.split('\n').at(-1)).toBe('Daily limit for everybody together: $5.00');
    expect(content).not.toContain('left');
  });

  it.each(['everything', '전부', 'all of it', 'x'.repeat(50_000)])(
    'explains itself for %.20j',
    async (typed) => {
      const { ask, scopes } = setUp();
      for (const locale of ['en', 'ko'] as const) {
        const content = commandTexts(locale).usage({ usage: '/usage [all]' });
        expect(await ask([typed], { isAdmin: true, locale })).toEqual({ content, ephemeral: true });
      }
      expect(scopes).toEqual([]);
    },
  );
});

describe('/usage all', () => {
  it.each(['all', 'ALL', '전체'])(
    'tells administrators what everybody used, with the common limit: %s',
    async (typed) => {
      const { ask, scopes } = setUp({ perUserUsd: '1', perDayUsd: '0.5' });
      const { content, ephemeral } = await ask([typed], { isAdmin: true });
      expect(scopes).toEqual(['all', 'all']);
      expect(content).toMatch(/^\*\*Model usage of everybody\*\*\n\n\*\*Today\*\* — \$0\.0042/);
      expect(content.split('\n\n').at(-1)).toBe('Daily limit for everybody: $0.50, $0.4958 left today');
      expect(content).not.toContain('Your daily limit');
      expect(ephemeral).toBe(true);
    },
  );

  it('has no limit where there is none for all', async () => {
    const { content } = await setUp({ perUserUsd: '1' }).ask(['all'], { isAdmin: true });
    expect(content).not.toContain('limit');
  });

  it.each(['en', 'ko'] as const)('is for nobody else (%s)', async (locale) => {
    const { ask, scopes } = setUp();
    expect(await ask(['all'], { locale, userRoles: ['admin'] })).toEqual({
      content: commandTexts(locale).missingRole({ name: 'usage all' }),
      ephemeral: true,
    });
    expect(scopes).toEqual([]);
  });

  it('tells an administrator the month by provider, and nobody else', async () => {
    const providers = [
      { provider: 'anthropic' as const, usage: usageSnapshot({ requestCount: 2, unpricedCount: 2 }) },
      {
        provider: 'openai' as const,
        usage: usageSnapshot({ requestCount: 4, failedCount: 1, costUsd: new Decimal('1.5') }),
      },
    ];
    const all = await setUp({ providers }).ask(['all'], { isAdmin: true });
    expect(all.content.split('\n\n')[3]).toBe(
      '- Anthropic — price unknown · 2 requests\n- OpenAI — $1.50 · 4 requests (1 failed)',
    );
    expect((await setUp({ providers }).ask()).content).not.toContain('OpenAI');
  });
});

describe('/usage of one conversation', () => {
  const conversation = { requestCount: 2, failedCount: 1, costUsd: new Decimal('0.5') };

  it.each([
    ['en', '**This conversation** — $0.50 · 2 requests (1 failed)'],
    ['ko', '**이 대화** — $0.50 · 요청 2건 (실패 1건)'],
  ] as const)('is told in a direct chat, between the periods and the limits (%s)', async (locale, line) => {
    const { ask, sessions } = setUp({ conversation, perUserUsd: '1' });
    const parts = (await ask([], { locale })).content.split('\n\n');
    expect(parts).toHaveLength(5);
    expect(parts[3]).toBe(line);
    expect(sessions).toEqual(['agent:main:test:local:direct:mina']);
  });

  it('is told also where nothing was used this month, and never as free where its price is unknown', async () => {
    const old = { requestCount: 3, unpricedCount: 3 };
    const { content } = await setUp({ today: EMPTY, month: EMPTY, conversation: old }).ask();
    const { title, nothing } = modelUsageTexts('en');
    expect(content).toBe(`${title()}\n\n${nothing()}\n\n**This conversation** — price unknown · 3 requests`);
  });

  it('is not told beside what everybody used, nor even looked up', async () => {
    const { ask, sessions } = setUp({ conversation });
    const { content } = await ask(['all'], { isAdmin: true });
    expect(content).not.toContain(modelUsageTexts('en').conversation());
    expect(sessions).toEqual([]);
  });

  it('is left out where it used nothing', async () => {
    const { content } = await setUp().ask();
    expect(content).not.toContain(modelUsageTexts('en').conversation());
  });

  it.each(['group', 'channel'] as const)(
    'is not told in a %s, where it is that of others too, nor even looked up',
    async (chatType) => {
      const { ask, sessions } = setUp({ conversation });
      const { content } = await ask([], { chatType });
      expect(content).not.toContain(modelUsageTexts('en').conversation());
      expect(sessions).toEqual([]);
    },
  );
});
