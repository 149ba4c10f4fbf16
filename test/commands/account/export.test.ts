import { describe, expect, it } from 'vitest';
import { exportConversation } from '#commands/account/export.ts';
import { exportTexts } from '#commands/account/texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { MediaAttachment, TurnContext } from '#src/kernel/chat/message.ts';
import { runCommand } from '../support.ts';

const FILE: MediaAttachment = {
  kind: 'file',
  mimeType: 'text/markdown',
  name: 'conversation-2026-11-13.md',
  url: 'exports/conversation-2026-11-13.md',
  sizeBytes: 2_048,
};

const RATINGS = {
  file: { ...FILE, name: 'finclaw-feedback-2026-11-13.jsonl' },
  counts: { up: 1_200, down: 3 },
};

const setUp = (file: MediaAttachment | undefined = FILE, ratings: typeof RATINGS | undefined = RATINGS) => {
  const calls: unknown[] = [];
  const command = exportConversation({
    conversations: {
      export: async (...call) => {
        calls.push(call);
        return file;
      },
    },
    feedback: { export: async () => ratings },
  });
  const ask = (ctx: Partial<TurnContext> = {}, args: readonly string[] = []) =>
    runCommand(command, args, ctx);
  return { ask, calls };
};

const withoutHistory = exportConversation({
  conversations: { export: async () => undefined },
  feedback: { export: async () => undefined },
});

describe('/export', () => {
  it.each([
    ['en', 'Here is our conversation since its last `/reset`, as a file: `conversation-2026-11-13.md`'],
    ['ko', '마지막 `/reset` 이후 나눈 대화를 파일로 보내 드려요: `conversation-2026-11-13.md`'],
  ] as const)(
    'sends the conversation of a direct chat as a file that stays (%s)',
    async (locale, content) => {
      const { ask, calls } = setUp();
      expect(await ask({ locale, timeZone: 'Europe/London' })).toEqual({
        content,
        ephemeral: false,
        media: [FILE],
      });
      const how = { format: 'markdown', locale, timeZone: 'Europe/London' };
      expect(calls).toEqual([['agent:main:test:local:direct:mina', how]]);
    },
  );

  it.each(['en', 'ko'] as const)('says that there is nothing yet (%s)', async (locale) => {
    const content = exportTexts(locale).nothing();
    expect(await runCommand(withoutHistory, [], { locale })).toEqual({ content, ephemeral: true });
  });

  it.each([
    ['group', 'en'],
    ['group', 'ko'],
    ['channel', 'en'],
    ['channel', 'ko'],
  ] as const)('gives away nothing of a %s, not even to administrators (%s)', async (chatType, locale) => {
    const { ask, calls } = setUp();
    const content = exportTexts(locale).directOnly();
    for (const args of [[], ['json']])
      expect(await ask({ chatType, locale, isAdmin: true }, args)).toEqual({ content, ephemeral: true });
    expect(calls).toEqual([]);
  });

  it.each([
    [['json'], 'json-lines'],
    [['JSONL'], 'json-lines'],
    [['markdown'], 'markdown'],
    [['마크다운'], 'markdown'],
  ] as const)('reads the format %j', async (args, format) => {
    const { ask, calls } = setUp();
    await ask({}, args);
    expect(calls).toEqual([
      ['agent:main:test:local:direct:mina', { format, locale: 'en', timeZone: 'Asia/Seoul' }],
    ]);
  });

  it.each([
    ['en', 'feedback', '👍 1,200, 👎 3'],
    ['ko', '평가', '👍 1,200개, 👎 3개'],
  ] as const)('gives administrators what people think of answers (%s)', async (locale, word, counts) => {
    const { ask, calls } = setUp();
    expect(await ask({ locale, isAdmin: true }, [word])).toEqual({
      content: expect.stringContaining(counts),
      ephemeral: false,
      media: [RATINGS.file],
    });
    expect(await ask({ locale, isAdmin: false }, [word])).toEqual({
      content: commandTexts(locale).missingRole({ name: 'export feedback' }),
      ephemeral: true,
    });
    const none = await runCommand(withoutHistory, [word], { locale, isAdmin: true });
    expect(none).toEqual({ content: exportTexts(locale).noFeedback(), ephemeral: true });
    expect(calls).toEqual([]);
  });

  it.each(['group', 'channel'] as const)(
    'gives an administrator by a role the ratings in a %s, where others do not see them',
    async (chatType) => {
      const { ask } = setUp();
      expect(await ask({ chatType, isAdmin: true }, ['feedback'])).toEqual({
        content: expect.stringContaining('👍 1,200'),
        ephemeral: true,
        media: [RATINGS.file],
      });
      expect(await ask({ chatType, isAdmin: false }, ['feedback'])).toEqual({
        content: commandTexts('en').missingRole({ name: 'export feedback' }),
        ephemeral: true,
      });
    },
  );

  it('exports nothing if it cannot read what is typed, and says how to type it', async () => {
    const { ask, calls } = setUp();
    const typed = ['agent:main:test:local:direct:jun', '../../etc/passwd', '🗂'.repeat(10_000)];
    expect(await ask({}, typed)).toEqual({
      content: expect.stringContaining('/export [json]'),
      ephemeral: true,
    });
    expect(calls).toEqual([]);
  });
});
