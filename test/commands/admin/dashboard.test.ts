import { describe, expect, it } from 'vitest';
import { dashboard } from '#commands/admin/dashboard.ts';
import { dashboardTexts } from '#commands/admin/texts.ts';
import type { CommandFlags } from '#src/kernel/chat/command-definition.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { asId, type PersonRef, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { Dashboard } from '#src/kernel/operations/operator.ts';
import { msgContext } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

const ISSUED = {
  code: 'ABCD-2345',
  expiresAt: Temporal.Instant.from('2026-11-13T06:32:00Z'),
  url: 'http://127.0.0.1:8080/operator',
};

const setUp = ({ isOn = true, isReachable = true } = {}) => {
  const issued: (readonly [PersonRef, readonly string[]])[] = [];
  const ended: PersonRef[] = [];
  const audited: string[] = [];
  const told: string[] = [];
  const page: Dashboard = {
    issueCode: async (...whom) => {
      issued.push(whom);
      return ISSUED;
    },
    endSessions: async (person) => {
      ended.push(person);
      return 2;
    },
  };
  const command = dashboard({
    dashboard: isOn ? page : undefined,
    tellAlone: async (_target, _chatType, text) => {
      told.push(text);
      return isReachable;
    },
    audit: { record: async (action) => void audited.push(action) },
    clock: new ManualClock(),
  });
  const run = async (
    args: readonly string[] = [],
    ctx: Partial<TurnContext> = {},
    flags?: CommandFlags,
  ): Promise<string> => {
    const context = msgContext({
      isAdmin: true,
      chatType: 'direct',
      senderId: asId<UserId>('42'),
      userRoles: ['Operators'],
      timeZone: 'Asia/Seoul',
      ...ctx,
    });
    const { content, ephemeral } = await command.execute(args, context, new AbortController().signal, flags);
    expect(ephemeral).toBe(true);
    return content;
  };
  return { run, issued, ended, audited, told };
};

describe('/dashboard', () => {
  it.each(['direct', 'group', 'channel'] as const)(
    'asked in a %s, it sends the code alone to the direct chat, and says where to enter it',
    async (chatType) => {
      const { run, issued, audited, told } = setUp();
      const text = await run([], { chatType });
      expect(text).toContain('http://127.0.0.1:8080/operator');
      expect(text).toContain('2026-11-13 15:32:00 KST');
      expect(text).not.toContain('ABCD-2345');
      expect(told).toEqual([dashboardTexts('en').code({ code: 'ABCD-2345' })]);
      expect(issued).toEqual([[{ channelId: msgContext().channelId, userId: '42' }, ['Operators']]]);
      expect(audited).toEqual(['dashboard-code']);
    },
  );

  it.each([
    ['en', { chatType: 'direct' }, 'just sent here'],
    ['en', { chatType: 'channel' }, 'just sent to our direct chat'],
    // The code does not go into the thread.
    ['en', { chatType: 'direct', messageThreadId: asId<ThreadId>('t') }, 'just sent to our direct chat'],
    ['ko', { chatType: 'direct' }, '방금 여기에 보내 드린 코드'],
    ['ko', { chatType: 'channel' }, '방금 다이렉트 메시지로 보내 드린 코드'],
  ] as const)('says in %s and in %j where the code is', async (locale, where, words) => {
    expect(await setUp().run([], { ...where, locale })).toContain(words);
  });

  it('says how to get the code if the person takes no direct messages', async () => {
    const { run } = setUp({ isReachable: false });
    expect(await run([], { chatType: 'channel' })).toBe(dashboardTexts('en').notSent());
  });

  it('gives nothing to others', async () => {
    const { run, issued, ended } = setUp();
    for (const args of [[], ['revoke']])
      expect(await run(args, { isAdmin: false })).toBe(commandTexts('en').missingRole({ name: 'dashboard' }));
    expect([...issued, ...ended]).toEqual([]);
  });

  it('says how to turn the page on', async () => {
    const { run } = setUp({ isOn: false });
    for (const args of [[], ['revoke']]) expect(await run(args)).toContain('Set `FINCLAW_HTTP_PORT`');
    expect(await run([], { locale: 'ko' })).toContain('`FINCLAW_HTTP_PORT`');
  });

  it.each([
    [['revoke'], undefined],
    [['해제'], undefined],
    [[], new Map([['revoke', true as const]])],
  ])('ends the sessions of the person anywhere: %j', async (args, flags) => {
    const { run, ended, issued, audited } = setUp();
    expect(await run(args, { chatType: 'channel' }, flags)).toContain('2 sessions of yours');
    expect(ended).toEqual([{ channelId: msgContext().channelId, userId: '42' }]);
    expect(issued).toEqual([]);
    expect(audited).toEqual(['dashboard-revoke']);
  });

  it('explains itself where it is not understood, without a code', async () => {
    const { run, issued } = setUp();
    expect(await run(['revok'])).toContain('/dashboard [revoke]');
    expect(issued).toEqual([]);
  });
});
