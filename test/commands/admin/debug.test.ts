import { describe, expect, it } from 'vitest';
import { debug } from '#commands/admin/debug.ts';
import { debugTexts, operationsTexts } from '#commands/admin/texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { ModelRequestTrace } from '#src/kernel/agent/usage.ts';
import type { PolicyView } from '#src/kernel/agent/tool-policy.ts';
import { runCommand } from '../support.ts';
import { privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import type { AuditEntry } from '#src/kernel/operations/audit.ts';
import type { RunTrace } from '#src/kernel/operations/run-traces.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';

const NAMES = ['get_quote', 'get_news', 'get_quotes', 'place_order', 'send_mail', 'Plugin-Tool'];
const STAGES = [
  'global-deny',
  'global-allow',
  'user-deny',
  'user-allow',
  'channel-policy',
  'group-policy',
  'tool-policy',
  'finance-safety',
  'default-policy',
];

const viewOf = (toolName: string): PolicyView => ({
  toolName,
  group: 'finance',
  verdict: 'require-approval',
  decidingStage: 'finance-safety',
  reason: 'It changes something.',
  stages: STAGES.map((stage) => ({
    stage,
    verdict:
      stage === 'finance-safety' ? 'require-approval' : stage === 'default-policy' ? 'allow' : 'continue',
    reason: stage === 'finance-safety' ? 'It changes something.' : '',
  })),
});

const setUp = (names: readonly string[] = NAMES) => {
  const asked: (readonly [string, TurnContext])[] = [];
  const command = debug({
    recentRuns: { last: () => [] },
    usage: { requests: async () => [] },
    audit: { recent: async () => [], recentReads: async () => [] },
    toolPolicies: {
      names: () => names,
      explain: (name, ctx) => {
        asked.push([name, ctx]);
        return names.includes(name) ? viewOf(name) : undefined;
      },
    },
  });
  const ask = async (args: readonly string[] = [], ctx: Partial<TurnContext> = {}): Promise<string> => {
    const { content, ephemeral } = await runCommand(command, args, { isAdmin: true, ...ctx });
    expect(ephemeral).toBe(true);
    return content;
  };
  return { ask, asked };
};

describe('/debug policy', () => {
  it('tells the verdict, what decided it, and all stages in order (en)', async () => {
    expect(await setUp().ask(['policy', 'place_order']))
      .toBe(`**\`place_order\`** (\`group:finance\`) — **asks a person first**
This applies to you in this chat. Decided by \`finance-safety\` · It changes something.

1. \`global-deny\` — goes on
2. \`global-allow\` — goes on
3. \`user-deny\` — goes on
4. \`user-allow\` — goes on
5. \`channel-policy\` — goes on
6. \`group-policy\` — goes on
7. \`tool-policy\` — goes on
8. \`finance-safety\` — asks a person first · It changes something.
9. \`default-policy\` — allowed`);
  });

  it('tells it in Korean', async () => {
    const lines = (await setUp().ask(['정책', 'place_order'], { locale: 'ko' })).split('\n');
    expect(lines[0]).toBe('**`place_order`** (`group:finance`) — **먼저 승인 요청**');
    expect(lines[1]).toContain('단계: `finance-safety` · It changes');
    expect(lines.slice(3, 5)).toEqual(['1. `global-deny` — 해당 없음', '2. `global-allow` — 해당 없음']);
    expect(lines.at(-1)).toBe('9. `default-policy` — 허용');
  });

  it('asks for the sender in this chat', async () => {
    const { ask, asked } = setUp();
    await ask(['policy', 'get_quote'], { chatType: 'group', userRoles: ['desk'] });
    expect(asked).toEqual([
      ['get_quote', expect.objectContaining({ senderId: 'mina', chatType: 'group', userRoles: ['desk'] })],
    ]);
  });

  it.each([
    ['POLICY', 'GET_QUOTE', 'get_quote'],
    ['policy', 'plugin-tool', 'Plugin-Tool'],
    ['policy', '`get_news`', 'get_news'],
  ])('takes %s %s', async (what, typed, name) => {
    expect(await setUp().ask([what, typed])).toContain(`**\`${name}\`**`);
  });

  it.each(['en', 'ko'] as const)('lists the tools where none is named (%s)', async (locale) => {
    const names = NAMES.map((name) => `\`${name}\``).join(', ');
    expect(await setUp().ask(['policy'], { locale })).toBe(debugTexts(locale).tools({ names }));
    expect(await setUp([]).ask(['policy'], { locale })).toBe(debugTexts(locale).noTools());
  });

  it.each([
    ['get_qoute', '`get_quote`, `get_quotes`'],
    ['GET_QUOTESS', '`get_quotes`, `get_quote`'],
    ['get_nes', '`get_news`'],
    ['placeorder', '`place_order`'],
  ])('suggests for %s what is near: %s', async (typed, choices) => {
    for (const locale of ['en', 'ko'] as const) {
      const content = debugTexts(locale).suggest({ name: typed, choices });
      expect(await setUp().ask(['policy', typed], { locale })).toBe(content);
    }
  });

  it.each([
    ['**x** ||y||', 'x y'],
    ['😀'.repeat(10_000), '😀'.repeat(32)],
    ['\u05d0\u05d1', '\u05d0\u05d1'],
    ['x'.repeat(50_000), 'x'.repeat(32)],
    ['__init__', '__init__'],
    ['__init__!', 'init!'],
  ])('repeats a name like no other short and without markup: %.20j', async (typed, name) => {
    const names = NAMES.map((known) => `\`${known}\``).join(', ');
    expect(await setUp().ask(['policy', typed])).toBe(debugTexts('en').unknown({ name, names }));
  });
});

describe('/debug', () => {
  it.each([[], [''], ['policies'], ['🔧'.repeat(10_000)], ['get_quote']])(
    'explains itself for %.20j',
    async (...args) => {
      const { ask, asked } = setUp();
      expect(await ask(args)).toBe(
        commandTexts('en').usage({ usage: '/debug last [count] | policy [tool] | audit' }),
      );
      expect(await ask(args, { locale: 'ko' })).toBe(
        commandTexts('ko').usage({ usage: '/debug last [개수] | policy [도구 이름] | audit' }),
      );
      expect(asked).toEqual([]);
    },
  );

  it.each(['en', 'ko'] as const)(
    'is for administrators, not for those with a role of that name (%s)',
    async (locale) => {
      const { ask, asked } = setUp();
      const nobody = { isAdmin: false, userRoles: ['admin'], locale };
      expect(await ask(['policy', 'get_quote'], nobody)).toBe(
        commandTexts(locale).missingRole({ name: 'debug' }),
      );
      expect(asked).toEqual([]);
    },
  );
});

const ENTRY: AuditEntry = {
  at: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  action: 'privacy-delete',
  person: '0123456789abcdef',
  details: { messages: 1_234, portfolios: 1, alerts: 0 },
};

const auditOf = (entries: readonly AuditEntry[], reads: readonly AuditEntry[] = []) => {
  const limits: number[] = [];
  const command = debug({
    toolPolicies: { names: () => [], explain: () => undefined },
    usage: { requests: async () => [] },
    recentRuns: { last: () => [] },
    audit: {
      recent: async (limit) => {
        limits.push(limit);
        return entries;
      },
      recentReads: async () => reads,
    },
  });
  return { command, limits };
};

describe('/debug audit', () => {
  it('tells administrators what was done with personal data, and of nobody who it was', async () => {
    const { command, limits } = auditOf([ENTRY, { ...ENTRY, action: 'link', details: {} }]);
    const { content, ephemeral } = await runCommand(command, ['audit'], { isAdmin: true });
    expect(content)
      .toBe(`**Personal data, access and actions of operators: the last 2 entries, the newest first**
- 2026-11-13 15:30:00 KST · deleted · \`0123456789abcdef\` · messages 1,234 · portfolios 1
- 2026-11-13 15:30:00 KST · linked · \`0123456789abcdef\``);
    expect([ephemeral, limits]).toEqual([true, [20]]);
  });

  it('lists apart which tools read personal data, so that exports and deletions are not lost among them', async () => {
    const read: AuditEntry = { ...ENTRY, action: 'tool-read', details: { get_portfolio: 1 } };
    const { content } = await runCommand(auditOf([ENTRY], [read]).command, ['audit'], { isAdmin: true });
    expect(content).toContain(`the last 1 entry, the newest first**
- 2026-11-13 15:30:00 KST · deleted`);
    expect(content).toContain(`**Tools that read personal data: the last 1 entry, one per tool and turn**
- 2026-11-13 15:30:00 KST · read by a tool · \`0123456789abcdef\` · get_portfolio 1`);
  });

  it.each(['en', 'ko'] as const)(
    'says where nothing was done, and is for administrators (%s)',
    async (locale) => {
      const { command, limits } = auditOf([]);
      const shown = await runCommand(command, ['감사'], { isAdmin: true, locale });
      expect(shown.content).toBe(privacyTexts(locale).audit.none());
      const refused = await runCommand(command, ['audit'], { userRoles: ['admin'], locale });
      expect(refused.content).toBe(commandTexts(locale).missingRole({ name: 'debug' }));
      expect(limits).toHaveLength(1);
    },
  );
});

const runTrace = (overrides: Partial<RunTrace> = {}): RunTrace => ({
  startedAt: Temporal.Instant.from('2026-11-13T06:30:00.999Z'),
  durationMs: 1_234.4,
  success: true,
  stages: [
    { stage: 'normalize', action: 'continue', durationMs: 0.4 },
    { stage: 'command', action: 'skip', durationMs: 1_233.5 },
  ],
  reason: 'command: price',
  ...overrides,
});

const FAILED = runTrace({
  success: false,
  stages: [{ stage: 'execute', action: 'failed', durationMs: 700 }],
  reason: 'EXECUTION_FAILED ← NO_ANSWER unavailable',
  errorId: 'c0ffee00',
});

const setUpRuns = (runs: readonly RunTrace[] = [], requests: readonly ModelRequestTrace[] = []) => {
  const asked: SessionKey[] = [];
  const command = debug({
    toolPolicies: { names: () => [], explain: () => undefined },
    usage: { requests: async () => requests },
    audit: { recent: async () => [], recentReads: async () => [] },
    recentRuns: {
      last: (sessionKey) => {
        asked.push(sessionKey);
        return runs;
      },
    },
  });
  const ask = async (args: readonly string[], ctx: Partial<TurnContext> = {}): Promise<string> => {
    const { content, ephemeral } = await runCommand(command, args, { isAdmin: true, ...ctx });
    expect(ephemeral).toBe(true);
    return content;
  };
  return { ask, asked };
};

describe('/debug last', () => {
  it('tells when the last message was, how long it took, how each stage went, and why it ended (en)', async () => {
    expect(await setUpRuns([runTrace(), FAILED]).ask(['last']))
      .toBe(`**The last message of this conversation**

**2026-11-13 15:30:00 KST** · 1,234 ms · went well
1. \`normalize\` — went on · 0 ms
2. \`command\` — ended here · 1,234 ms
Why it ended: \`command: price\``);
  });

  it('tells of a failure the error id under which the log has more (ko)', async () => {
    expect(await setUpRuns([FAILED]).ask(['최근'], { locale: 'ko', timeZone: 'UTC' }))
      .toBe(`**이 대화의 최근 메시지**

**2026-11-13 06:30:00 UTC** · 1,234 ms · 처리 실패
1. \`execute\` — 실패 · 700 ms
종료 사유: \`EXECUTION_FAILED ← NO_ANSWER unavailable\`
오류 ID: \`c0ffee00\` (이 ID로 로그에서 자세한 내용을 볼 수 있습니다)`);
  });

  it('lists no requests with a command that was answered while a turn ran', async () => {
    const { ask } = setUpRuns([runTrace(), FAILED], [{ model: 'sonnet', outcome: 'ok', requestId: 'req-1' }]);
    const [, command, turn] = (await ask(['last', '2'])).split('\n\n');
    expect(command).not.toContain('req-1');
    expect(turn).toContain('req-1');
  });

  it('says nothing of reasons and errors where there were none', async () => {
    const { reason: _none, ...plain } = runTrace();
    expect((await setUpRuns([plain]).ask(['last'])).split('\n')).toHaveLength(5);
  });

  it.each([
    ['2', 2],
    ['3', 3],
    ['99', 3],
    ['`2`', 2],
  ])('tells of the last %s', async (count, shown) => {
    const content = await setUpRuns([runTrace(), FAILED, runTrace()]).ask(['LAST', count]);
    expect(content.split('\n\n')).toHaveLength(shown + 1);
    expect(content.split('\n')[0]).toBe(operationsTexts('en').lastRuns.title({ count: shown }));
  });

  it('asks for this conversation', async () => {
    const { ask, asked } = setUpRuns();
    const sessionKey = asId<SessionKey>('agent:main:test:local:group:desk');
    await ask(['last'], { sessionKey });
    expect(asked).toEqual([sessionKey]);
  });

  it.each(['en', 'ko'] as const)('says where nothing was handled yet (%s)', async (locale) => {
    expect(await setUpRuns().ask(['last'], { locale })).toBe(operationsTexts(locale).lastRuns.none());
  });

  it('shows an action that it has no word for, and markup, as they are', async () => {
    const stages = [{ stage: 'odd`stage', action: '**odd**', durationMs: 1 }];
    const content = await setUpRuns([runTrace({ stages, reason: 'a `b`\n# c' })]).ask(['last']);
    expect(content).toContain("1. `odd'stage` — `**odd**` · 1 ms");
    expect(content).toContain("Why it ended: `a 'b' # c`");
  });

  it.each(['0', '-1', 'all', '1.5', '100', '1 2'])('explains itself for %s', async (count) => {
    const { ask, asked } = setUpRuns([runTrace()]);
    const usage = '/debug last [count] | policy [tool] | audit';
    expect(await ask(['last', ...count.split(' ')])).toBe(commandTexts('en').usage({ usage }));
    expect(asked).toEqual([]);
  });

  it.each(['en', 'ko'] as const)('is for administrators (%s)', async (locale) => {
    const { ask, asked } = setUpRuns([runTrace()]);
    const nobody = { isAdmin: false, userRoles: ['admin'], locale };
    expect(await ask(['last'], nobody)).toBe(commandTexts(locale).missingRole({ name: 'debug' }));
    expect(asked).toEqual([]);
  });
});
