import { describe, expect, it } from 'vitest';
import { approve, deny } from '#commands/chat/approve-deny.ts';
import { approvalTexts } from '#src/kernel/agent/texts/approvals.ts';
import { type ApprovalId, asId, type ChannelId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { ApprovalOutcome, ApprovalRequest, Decider } from '#src/kernel/agent/approvals.ts';
import { msgContext } from '#test/support/context.ts';
import { approvalRequest, runCommand } from '../support.ts';

const ORDER = approvalRequest({ id: asId<ApprovalId>('01993b7e-0000-7000-8000-000000a1b2c3') });
const MAIL = approvalRequest({
  id: asId<ApprovalId>('01993b7e-0000-7001-8000-000000d4e5f6'),
  toolName: 'send_mail',
  summary: '> Send a mail to jun: "Hi"\n> With a second line',
  requesterName: 'Mina',
});
const { sessionKey } = msgContext();
const RECORDED: ApprovalOutcome = { outcome: 'recorded', settled: Promise.resolve() };

const COMMANDS = { approve, deny };
type Name = keyof typeof COMMANDS;
const VERDICTS = { approve: 'approved', deny: 'denied' } as const;
const BOTH = [
  ['approve', 'en'],
  ['approve', 'ko'],
  ['deny', 'en'],
  ['deny', 'ko'],
] as const;

const setUp = (
  name: Name,
  waiting: readonly ApprovalRequest[],
  outcome: ApprovalOutcome = RECORDED,
  pendingFor: (by: Decider) => readonly ApprovalRequest[] = () => [],
) => {
  const decided: unknown[] = [];
  const command = COMMANDS[name]({
    approvals: {
      pending: async (key) => (key === sessionKey ? waiting : []),
      pendingFor: async (by) => pendingFor(by),
      decide: async (...call) => {
        decided.push(call);
        return outcome;
      },
    },
  });
  const ask = async (args: readonly string[] = [], ctx: Partial<TurnContext> = {}): Promise<string> => {
    const { content, ephemeral } = await runCommand(command, args, ctx);
    expect(ephemeral).toBe(true);
    return content;
  };
  return { ask, decided };
};

const ORDER_LINE = 'a1b2c3` — place_order';
const MAIL_LINE = 'd4e5f6` — Send a mail to jun: "Hi" (Mina)';
const linesOf = (name: Name, ...lines: readonly string[]): string =>
  lines.map((line) => `- \`/${name} ${line}`).join('\n');

describe.each(BOTH)('/%s in %s', (name, locale) => {
  const t = approvalTexts(locale);

  it('decides the only question without a code, as the one whom the platform vouches for', async () => {
    const { ask, decided } = setUp(name, [ORDER]);
    const sender = {
      channelId: asId<ChannelId>('slack'),
      senderId: asId<UserId>('jun'),
      userRoles: ['desk'],
    };
    expect(await ask([], { ...sender, locale })).toBe(t[VERDICTS[name]]({ what: 'place_order' }));
    expect(decided).toEqual([
      [ORDER.id, VERDICTS[name], { channelId: 'slack', userId: 'jun', userRoles: ['desk'] }],
    ]);
  });

  it('decides the one that its code names', async () => {
    const { ask, decided } = setUp(name, [ORDER, MAIL]);
    expect(await ask(['d4e5f6'], { locale })).toBe(t[VERDICTS[name]]({ what: 'Send a mail to jun: "Hi"' }));
    expect(decided).toEqual([[MAIL.id, VERDICTS[name], expect.anything()]]);
  });

  it('lists them where several wait, and decides none', async () => {
    const { ask, decided } = setUp(name, [ORDER, MAIL]);
    const codes = linesOf(name, ORDER_LINE, MAIL_LINE);
    expect(await ask([], { locale })).toBe(t.several({ codes }));
    expect(decided).toEqual([]);
  });

  it('says that nothing waits', async () => {
    const { ask, decided } = setUp(name, []);
    expect(await ask([], { locale })).toBe(t.nothing());
    expect(await ask(['a1b2c3'], { locale })).toBe(t.unknown());
    expect(decided).toEqual([]);
  });

  it('says for an unknown code what waits, and decides none', async () => {
    const { ask, decided } = setUp(name, [ORDER]);
    const waiting = t.waiting({ codes: linesOf(name, ORDER_LINE) });
    expect(await ask(['ffffff'], { locale })).toBe(`${t.unknown()}\n${waiting}`);
    expect(decided).toEqual([]);
  });

  it.each([
    ['refused', t.notYours()],
    ['too-late', t.tooLate()],
    ['unknown', t.unknown()],
  ] as const)('says so where the decision was %s', async (outcome, content) => {
    expect(await setUp(name, [ORDER], { outcome }).ask([], { locale })).toBe(content);
  });
});

describe('a decision by command', () => {
  it.each(['A1B2C3', '`a1b2c3`', ' a1b2c3 '])('takes the code as %j', async (typed) => {
    const { ask, decided } = setUp('approve', [ORDER, MAIL]);
    await ask([typed]);
    expect(decided).toHaveLength(1);
  });

  it.each([
    ['all'],
    ['*'],
    ['3'],
    ['b2c3'],
    ['a1b2c3', 'd4e5f6'],
    ['a1b2c3', 'no', 'wait'],
    ['place_order'],
    ['\u202ea1b2c3'],
    ['😀'.repeat(10_000)],
    ['**x** [y](http://z)'],
  ])('is never taken from anything else: %.30j', async (...args) => {
    const { ask, decided } = setUp('approve', [ORDER, MAIL]);
    const answer = await ask(args);
    expect(answer).toContain(approvalTexts('en').unknown());
    // What was typed is not repeated.
    expect(answer.length).toBeLessThan(300);
    expect(answer).not.toMatch(/😀|http/u);
    expect(decided).toEqual([]);
  });

  it('decides neither of two questions that share a code', async () => {
    const twin = approvalRequest({ id: asId<ApprovalId>(`another-${ORDER.id}`) });
    const { ask, decided } = setUp('approve', [ORDER, twin, MAIL]);
    expect(await ask(['a1b2c3'])).toBe(
      approvalTexts('en').several({ codes: linesOf('approve', ORDER_LINE, ORDER_LINE) }),
    );
    expect(decided).toEqual([]);
  });

  it('does not wait for the run that goes on', async () => {
    const never = new Promise<void>(() => undefined);
    const { ask } = setUp('approve', [ORDER], { outcome: 'recorded', settled: never });
    expect(await ask()).toBe(approvalTexts('en').approved({ what: 'place_order' }));
  });

  it('lists whose a question is in a few plain characters', async () => {
    const named = approvalRequest({
      id: ORDER.id,
      requesterName: `**\`/approve d4e5f6\`** ${'x'.repeat(99)}`,
    });
    const [, first] = (await setUp('deny', [named, MAIL]).ask()).split('\n');
    expect(first).toBe(`- \`/deny a1b2c3\` — place_order (/approve d4e5f6 ${'x'.repeat(16)})`);
  });
});

const BOSS = { channelId: asId<ChannelId>('slack'), senderId: asId<UserId>('boss'), userRoles: ['desk'] };
const forBoss = ({ channelId, userId, userRoles }: Decider): readonly ApprovalRequest[] =>
  channelId === 'slack' && userId === 'boss' && userRoles.includes('desk') ? [ORDER, MAIL] : [];

describe.each(BOTH)('/%s from another conversation, in %s', (name, locale) => {
  const t = approvalTexts(locale);
  const elsewhere = {
    ...BOSS,
    locale,
    sessionKey: asId<TurnContext['sessionKey']>('agent:main:slack:local:direct:boss'),
  };

  it('decides by its code what the sender may decide', async () => {
    const { ask, decided } = setUp(name, [ORDER, MAIL], RECORDED, forBoss);
    expect(await ask(['d4e5f6'], elsewhere)).toBe(t[VERDICTS[name]]({ what: 'Send a mail to jun: "Hi"' }));
    const by = { channelId: 'slack', userId: 'boss', userRoles: ['desk'] };
    expect(decided).toEqual([[MAIL.id, VERDICTS[name], by]]);
  });

  it('decides nothing without a code, even where only one question waits, and lists none', async () => {
    const { ask, decided } = setUp(name, [ORDER], RECORDED, () => [ORDER]);
    expect(await ask([], elsewhere)).toBe(t.nothing());
    expect(decided).toEqual([]);
  });

  it('knows no questions for anybody who may not decide them', async () => {
    const { ask, decided } = setUp(name, [ORDER], RECORDED, forBoss);
    const stranger = { ...elsewhere, senderId: asId<UserId>('mallory') };
    expect(await ask(['a1b2c3'], stranger)).toBe(t.unknown());
    expect(decided).toEqual([]);
  });

  it('decides neither of two that share a code, and takes one of this conversation before them', async () => {
    const twin = approvalRequest({ id: asId<ApprovalId>(`another-${ORDER.id}`), toolName: 'wire' });
    const abroad = setUp(name, [], RECORDED, () => [ORDER, twin]);
    expect(await abroad.ask(['a1b2c3'], elsewhere)).toBe(
      t.several({ codes: linesOf(name, ORDER_LINE, ORDER_LINE) }),
    );
    expect(abroad.decided).toEqual([]);

    const here = setUp(name, [twin], RECORDED, () => [ORDER, twin]);
    expect(await here.ask(['a1b2c3'], { locale })).toBe(t[VERDICTS[name]]({ what: 'place_order' }));
    expect(here.decided).toEqual([[twin.id, VERDICTS[name], expect.anything()]]);
  });
});

describe('a decision in a channel, where the question stands in a thread', () => {
  const OTHERS = approvalRequest({ askedBy: asId<UserId>('jun') });

  it('names what the sender asked for themselves, and decides nothing without a code', async () => {
    const { ask, decided } = setUp('approve', [], RECORDED, () => [MAIL, OTHERS]);
    const elsewhere = { chatType: 'channel' } as const;
    const codes = linesOf('approve', MAIL_LINE);
    expect(await ask([], elsewhere)).toBe(approvalTexts('en').waiting({ codes }));
    expect(decided).toEqual([]);
    await ask(['d4e5f6'], elsewhere);
    expect(decided).toEqual([[MAIL.id, 'approved', expect.anything()]]);
  });

  it('says in a direct chat only what waits there', async () => {
    const { ask } = setUp('deny', [], RECORDED, () => [MAIL]);
    expect(await ask()).toBe(approvalTexts('en').nothing());
  });
});
