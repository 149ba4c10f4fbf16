import { describe, expect, it } from 'vitest';
import { debug } from '#commands/admin/debug.ts';
import { debugMessages } from '#commands/admin/messages/debug.ts';
import { helpMessages } from '#commands/chat/messages/help.ts';
import { commandOutcomeMessages } from '#src/kernel/messages/command-outcomes.ts';
import type { MsgContext } from '#src/kernel/message.ts';
import type { PolicyView } from '#src/kernel/ports.ts';
import { runCommand } from '../support.ts';

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
  const asked: (readonly [string, MsgContext])[] = [];
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
  const ask = async (args: readonly string[] = [], ctx: Partial<MsgContext> = {}): Promise<string> => {
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
This is so for you in this chat. Decided by \`finance-safety\` · It changes something.

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
    expect(await setUp().ask(['policy'], { locale })).toBe(debugMessages(locale).tools({ names }));
    expect(await setUp([]).ask(['policy'], { locale })).toBe(debugMessages(locale).noTools());
  });

  it.each([
    ['get_qoute', '`get_quote`, `get_quotes`'],
    ['GET_QUOTESS', '`get_quotes`, `get_quote`'],
    ['get_nes', '`get_news`'],
    ['placeorder', '`place_order`'],
  ])('suggests for %s what is near: %s', async (typed, choices) => {
    for (const locale of ['en', 'ko'] as const) {
      const content = debugMessages(locale).suggest({ name: typed, choices });
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
    expect(await setUp().ask(['policy', typed])).toBe(debugMessages('en').unknown({ name, names }));
  });
});

describe('/debug', () => {
  it.each([[], [''], ['policies'], ['🔧'.repeat(10_000)], ['get_quote']])(
    'explains itself for %.20j',
    async (...args) => {
      const { ask, asked } = setUp();
      expect(await ask(args)).toBe(
        helpMessages('en').usage({ usage: '/debug last [count] | policy [tool] | audit' }),
      );
      expect(await ask(args, { locale: 'ko' })).toBe(
        helpMessages('ko').usage({ usage: '/debug last [개수] | policy [도구 이름] | audit' }),
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
        commandOutcomeMessages(locale).missingRole({ name: 'debug' }),
      );
      expect(asked).toEqual([]);
    },
  );
});
