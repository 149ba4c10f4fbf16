import { describe, expect, it } from 'vitest';
import { debug } from '#commands/admin/debug.ts';
import { operationsMessages } from '#commands/admin/messages/operations.ts';
import { helpMessages } from '#commands/chat/messages/help.ts';
import { commandOutcomeMessages } from '#src/kernel/messages/command-outcomes.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { RunTrace } from '#src/kernel/operations.ts';
import type { ModelRequestTrace } from '#src/kernel/ports.ts';
import { runCommand } from '../support.ts';

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

const setUp = (runs: readonly RunTrace[] = [], requests: readonly ModelRequestTrace[] = []) => {
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
  const ask = async (args: readonly string[], ctx: Partial<MsgContext> = {}): Promise<string> => {
    const { content, ephemeral } = await runCommand(command, args, { isAdmin: true, ...ctx });
    expect(ephemeral).toBe(true);
    return content;
  };
  return { ask, asked };
};

describe('/debug last', () => {
  it('tells when the last message was, how long it took, how each stage went, and why it ended (en)', async () => {
    expect(await setUp([runTrace(), FAILED]).ask(['last'])).toBe(`**The last message of this conversation**

**2026-11-13 15:30:00 KST** · 1,234 ms · went well
1. \`normalize\` — went on · 0 ms
2. \`command\` — ended here · 1,234 ms
Why it ended: \`command: price\``);
  });

  it('tells of a failure the error id under which the log has more (ko)', async () => {
    expect(await setUp([FAILED]).ask(['최근'], { locale: 'ko', timeZone: 'UTC' }))
      .toBe(`**이 대화의 최근 메시지**

**2026-11-13 06:30:00 UTC** · 1,234 ms · 처리 실패
1. \`execute\` — 실패 · 700 ms
종료 사유: \`EXECUTION_FAILED ← NO_ANSWER unavailable\`
오류 ID: \`c0ffee00\` (이 ID로 로그에서 자세한 내용을 볼 수 있습니다)`);
  });

  it('lists no requests with a command that was answered while a turn ran', async () => {
    const { ask } = setUp([runTrace(), FAILED], [{ model: 'sonnet', outcome: 'ok', requestId: 'req-1' }]);
    const [, command, turn] = (await ask(['last', '2'])).split('\n\n');
    expect(command).not.toContain('req-1');
    expect(turn).toContain('req-1');
  });

  it('says nothing of reasons and errors where there were none', async () => {
    const { reason: _none, ...plain } = runTrace();
    expect((await setUp([plain]).ask(['last'])).split('\n')).toHaveLength(5);
  });

  it.each([
    ['2', 2],
    ['3', 3],
    ['99', 3],
    ['`2`', 2],
  ])('tells of the last %s', async (count, shown) => {
    const content = await setUp([runTrace(), FAILED, runTrace()]).ask(['LAST', count]);
    expect(content.split('\n\n')).toHaveLength(shown + 1);
    expect(content.split('\n')[0]).toBe(operationsMessages('en').lastRuns.title({ count: shown }));
  });

  it('asks for this conversation', async () => {
    const { ask, asked } = setUp();
    const sessionKey = asId<SessionKey>('agent:main:test:local:group:desk');
    await ask(['last'], { sessionKey });
    expect(asked).toEqual([sessionKey]);
  });

  it.each(['en', 'ko'] as const)('says where nothing was handled yet (%s)', async (locale) => {
    expect(await setUp().ask(['last'], { locale })).toBe(operationsMessages(locale).lastRuns.none());
  });

  it('shows an action that it has no word for, and markup, as they are', async () => {
    const stages = [{ stage: 'odd`stage', action: '**odd**', durationMs: 1 }];
    const content = await setUp([runTrace({ stages, reason: 'a `b`\n# c' })]).ask(['last']);
    expect(content).toContain("1. `odd'stage` — `**odd**` · 1 ms");
    expect(content).toContain("Why it ended: `a 'b' # c`");
  });

  it.each(['0', '-1', 'all', '1.5', '100', '1 2'])('explains itself for %s', async (count) => {
    const { ask, asked } = setUp([runTrace()]);
    const usage = '/debug last [count] | policy [tool] | audit';
    expect(await ask(['last', ...count.split(' ')])).toBe(helpMessages('en').usage({ usage }));
    expect(asked).toEqual([]);
  });

  it.each(['en', 'ko'] as const)('is for administrators (%s)', async (locale) => {
    const { ask, asked } = setUp([runTrace()]);
    const nobody = { isAdmin: false, userRoles: ['admin'], locale };
    expect(await ask(['last'], nobody)).toBe(commandOutcomeMessages(locale).missingRole({ name: 'debug' }));
    expect(asked).toEqual([]);
  });
});
