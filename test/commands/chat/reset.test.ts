import { describe, expect, it } from 'vitest';
import { reset } from '#commands/chat/reset.ts';
import { supportTexts } from '#commands/account/texts.ts';
import { resetTexts } from '#commands/chat/texts.ts';
import { asId, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import type { ApprovalRequest, GiveUp } from '#src/kernel/agent/approvals.ts';
import type { QueueStatus } from '#src/kernel/chat/queue.ts';
import { msgContext } from '#test/support/context.ts';
import { approvalRequest, runCommand } from '../support.ts';
import { approvalWorld, REQUESTER, call, idOf } from '#test/agent/tools/approvals-support.ts';

const MINA = asId<UserId>('mina');
const JUN = asId<UserId>('jun');
const { sessionKey } = msgContext();

interface World {
  readonly hadHistory?: boolean;
  readonly givenUp?: number;
  readonly stopped?: Promise<void>;
  readonly status?: Partial<QueueStatus>;
  readonly waiting?: readonly ApprovalRequest[];
  /** Who talked; the one who asks where nobody is named. */
  readonly people?: readonly UserId[];
  readonly isComplete?: boolean;
  /** Whether operators could read the conversation. */
  readonly wasShown?: boolean;
}

const NOT_SHARED = { revoke: async () => false };

const setUp = ({
  hadHistory = true,
  givenUp = 0,
  stopped = Promise.resolve(),
  status,
  waiting = [],
  people = [MINA],
  isComplete = true,
  wasShown = false,
}: World = {}) => {
  const calls: string[] = [];
  const gaveUp: GiveUp[] = [];
  const command = reset({
    queue: {
      status: (key) => ({ isRunning: false, waiting: 0, ...(key === sessionKey ? status : {}) }),
      whileStopped: async (key, work) => {
        calls.push(`stop ${key}`);
        await stopped;
        calls.push('has ended');
        const result = await work();
        calls.push('goes on');
        return result;
      },
    },
    approvals: {
      pending: async (key) => (key === sessionKey ? waiting : []),
      giveUp: async (key, which) => {
        calls.push(`give up ${key}`);
        gaveUp.push(which);
        return givenUp;
      },
    },
    supportShares: { revoke: async () => wasShown },
    conversations: {
      reset: async (key) => {
        calls.push(`reset ${key}`);
        return hadHistory;
      },
      participants: async () => ({ people: new Set(people), isComplete }),
    },
  });
  return { calls, gaveUp, command };
};

const ALL_STEPS = [
  `stop ${sessionKey}`,
  'has ended',
  `give up ${sessionKey}`,
  `reset ${sessionKey}`,
  'goes on',
];

describe('/reset', () => {
  it('ends what runs and gives up what waits before it sets the history aside', async () => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const { calls, gaveUp, command } = setUp({ stopped });
    const result = runCommand(command);
    await new Promise((tick) => setImmediate(tick));
    expect(calls).toEqual([`stop ${sessionKey}`]);
    resolve();
    await result;
    expect(calls).toEqual(ALL_STEPS);
    // What was allowed, and has not begun yet, would write into the new conversation too.
    expect(gaveUp).toEqual([{ by: MINA, isDecidedToo: true }]);
  });

  it.each(['en', 'ko'] as const)(
    'says that the conversation starts anew, to all in it (%s)',
    async (locale) => {
      const result = await runCommand(setUp().command, [], { locale });
      expect(result).toEqual({ content: resetTexts(locale).done(), ephemeral: false });
    },
  );

  it.each(['en', 'ko'] as const)('says that there was nothing to reset (%s)', async (locale) => {
    const result = await runCommand(setUp({ hadHistory: false }).command, [], { locale });
    expect(result.content).toBe(resetTexts(locale).nothing());
  });

  it.each(['en', 'ko'] as const)('says that operators no longer read it (%s)', async (locale) => {
    const ended = supportTexts(locale).revoked();
    for (const hadHistory of [true, false]) {
      const { command } = setUp({ hadHistory, wasShown: true });
      expect((await runCommand(command, [], { locale })).content).toContain(ended);
      const group = await runCommand(command, [], { locale, chatType: 'group' });
      expect(group.content).not.toContain(ended);
    }
  });

  it('does not say that there was nothing where something was given up', async () => {
    const { command } = setUp({ hadHistory: false, givenUp: 1 });
    expect((await runCommand(command)).content).toBe(resetTexts('en').done());
  });

  it('passes a failure on instead of claiming success', async () => {
    const failure = new Error('disk full');
    const command = reset({
      queue: { whileStopped: (_key, work) => work(), status: () => ({ isRunning: false, waiting: 0 }) },
      approvals: { giveUp: async () => 0, pending: async () => [] },
      supportShares: NOT_SHARED,
      conversations: {
        reset: () => Promise.reject(failure),
        participants: async () => ({ people: new Set(), isComplete: true }),
      },
    });
    await expect(runCommand(command)).rejects.toBe(failure);
  });
});

describe('/reset where others write too', () => {
  const BY_MINA = resetTexts('en').doneBy({ name: '`Mina`' });
  const JUN_RUNS = { status: { isRunning: true, startedBy: JUN } };
  const SOMEBODY_RUNS = { status: { isRunning: true } };
  const JUN_WAITS = { waiting: [approvalRequest({ askedBy: MINA }), approvalRequest({ askedBy: JUN })] };

  it.each([
    ['runs an answer', 'group', JUN_RUNS],
    ['runs an answer', 'channel', JUN_RUNS],
    ['runs an answer, nobody knows whose', 'group', SOMEBODY_RUNS],
    ['waits for a decision', 'group', JUN_WAITS],
    ['waits for a decision', 'channel', JUN_WAITS],
  ] as const)('touches nothing while somebody else %s (%s)', async (_what, chatType, world) => {
    const { calls, command } = setUp(world);
    for (const locale of ['en', 'ko'] as const) {
      const content = resetTexts(locale).notYours();
      expect(await runCommand(command, [], { chatType, locale })).toEqual({ content, ephemeral: true });
    }
    expect(calls).toEqual([]);
  });

  it.each([
    ['what runs and waits is theirs', {}],
    ['nothing runs or waits', { status: {}, waiting: [] }],
    ['the last answer of somebody else has ended', { status: { startedBy: JUN }, waiting: [] }],
  ])('is for who took part where %s', async (_what, world) => {
    const { calls, command } = setUp({
      status: { isRunning: true, startedBy: MINA },
      waiting: [approvalRequest({ askedBy: MINA })],
      ...world,
    });
    const { content } = await runCommand(command, [], { chatType: 'group' });
    expect(content).toBe(BY_MINA);
    expect(calls).toEqual(ALL_STEPS);
  });

  it.each([
    ['an administrator', { chatType: 'group', isAdmin: true }],
    ['who runs the server', { chatType: 'channel', managesGuild: true }],
    ['the person of a direct chat', { chatType: 'direct' }],
  ] as const)('is for %s whatever runs or waits', async (_who, ctx) => {
    for (const world of [JUN_RUNS, SOMEBODY_RUNS, JUN_WAITS]) {
      const { calls, command } = setUp({ ...world, people: [JUN] });
      const done = ctx.chatType === 'direct' ? resetTexts('en').done() : BY_MINA;
      expect((await runCommand(command, [], ctx)).content).toBe(done);
      expect(calls).toEqual(ALL_STEPS);
    }
  });

  const THREAD = { messageThreadId: asId<ThreadId>('t1') };

  it.each([
    ['a small group', { chatType: 'group' }, [JUN, MINA]],
    ['a thread', { chatType: 'channel', ...THREAD }, [JUN, MINA]],
    ['a channel in which nobody else talked', { chatType: 'channel' }, [MINA]],
  ] as const)('is for somebody who took part in %s, and all see who did it', async (_where, ctx, people) => {
    const { calls, command } = setUp({ people });
    expect(await runCommand(command, [], ctx)).toEqual({ content: BY_MINA, ephemeral: false });
    expect(calls).toEqual(ALL_STEPS);
  });

  it.each([
    ['took no part in a small group', { chatType: 'group' }, { people: [JUN] }, 'notTakenPart'],
    ['took no part in a thread', { chatType: 'channel', ...THREAD }, { people: [JUN] }, 'notTakenPart'],
    ['shares it with the channel', { chatType: 'channel' }, { people: [JUN, MINA] }, 'managersOnly'],
    ['took no part in a channel', { chatType: 'channel' }, { people: [JUN] }, 'managersOnly'],
    [
      'is not known to have been alone',
      { chatType: 'channel' },
      { people: [MINA], isComplete: false },
      'managersOnly',
    ],
  ] as const)('is refused to somebody who %s, though it is idle', async (_who, ctx, world, words) => {
    const { calls, command } = setUp(world);
    for (const locale of ['en', 'ko'] as const)
      expect(await runCommand(command, [], { ...ctx, locale })).toEqual({
        content: resetTexts(locale)[words](),
        ephemeral: true,
      });
    expect(calls).toEqual([]);
  });
});

it('what somebody allowed is not said to be given up before anybody decided', async () => {
  const { ask, asked, context, told } = await approvalWorld();
  const approvals = await ask();
  await approvals.decide(idOf(asked[0]), 'approved', REQUESTER);
  await approvals.giveUp(context.sessionKey, { by: REQUESTER.userId, isDecidedToo: true });
  expect(told[0]).not.toContain('before anybody decided');
});

it("/reset in a group leaves what somebody else's yes has just allowed", async () => {
  const { ask, asked, boot, message, statusOfMessage } = await approvalWorld();
  const jun = asId<UserId>('jun');
  const juns = await message({ userId: jun, chatType: 'group', userName: 'Jun' });
  const approvals = await ask(boot(), [call()], juns);
  await approvals.decide(idOf(asked[0]), 'approved', { ...REQUESTER, userId: jun });
  const command = reset({
    // Mina's own answer runs; Jun's allowed call waits behind it in the queue.
    queue: {
      whileStopped: (_key, work) => work(),
      status: () => ({ isRunning: true, waiting: 1, startedBy: asId<UserId>('mina') }),
    },
    approvals,
    supportShares: NOT_SHARED,
    conversations: {
      reset: async () => true,
      participants: async () => ({ people: new Set([asId<UserId>('mina'), jun]), isComplete: true }),
    },
  });
  const { content } = await runCommand(command, [], { chatType: 'group', sessionKey: juns.sessionKey });
  expect(await statusOfMessage(juns)).toBe('pending');
  expect(content).toBe(resetTexts('en').notYours());
});
