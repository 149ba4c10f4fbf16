import { describe, expect, it } from 'vitest';
import { asId, type ChannelId, type MessageId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import type { Decider } from '#src/kernel/agent/approvals.ts';
import { approvalWorld, REQUESTER, call, EXPIRES_MS, idOf } from './approvals-support.ts';
import type { ApprovalDeps, ToolApprovals } from '#src/agent/tools/approvals.ts';

describe('a question about a tool call', () => {
  it('is put with its exact words, and a yes of the requester lets exactly that call pass', async () => {
    const { ask, asked, context, resumed, statusOfMessage } = await approvalWorld();
    const approvals = await ask();
    expect(asked).toMatchObject([{ summary: 'Buy 3 AAPL', askedBy: 'me', isRepeated: false }]);
    expect(await statusOfMessage()).toBe('suspended');

    const outcome = await approvals.decide(idOf(asked[0]), 'approved', REQUESTER);
    expect(outcome.outcome).toBe('recorded');
    expect(resumed).toEqual([context.inboxId]);
    expect(await statusOfMessage()).toBe('pending');
    expect(await approvals.recallApproval(call(), context)).toEqual({ status: 'approved' });
    expect(
      await approvals.recallApproval(call({ input: { quantity: 3, symbol: 'AAPL' } }), context),
      'the order of arguments says nothing',
    ).toEqual({ status: 'approved' });
    for (const other of [{ symbol: 'AAPL', quantity: 300 }, { symbol: 'TSLA', quantity: 3 }, {}]) {
      expect(await approvals.recallApproval(call({ input: other }), context)).toMatchObject({
        status: 'refused',
        why: expect.stringContaining('no longer what the person was asked'),
      });
    }
    expect(await approvals.recallApproval(call({ callId: 'call-2' }), context)).toBeUndefined();
  });

  it('that is denied lets nothing pass', async () => {
    const why = 'the person refused it';
    const { ask, asked, context } = await approvalWorld();
    const approvals = await ask();
    await approvals.decide(idOf(asked[0]), 'denied', REQUESTER);
    expect(await approvals.recallApproval(call(), context)).toEqual({
      status: 'refused',
      why,
      code: 'approval-denied',
    });
    expect(await approvals.requireApproval(call(), context)).toEqual({
      status: 'refused',
      why,
      code: 'approval-denied',
    });
  });

  it('is not decided by a stranger, nor by somebody of the same id on another platform', async () => {
    const { ask, asked, resumed } = await approvalWorld();
    const approvals = await ask();
    for (const by of [
      { ...REQUESTER, userId: asId<UserId>('mallory') },
      { ...REQUESTER, channelId: asId<ChannelId>('slack') },
      { ...REQUESTER, userId: asId<UserId>('mallory'), userRoles: ['boss'] },
    ]) {
      expect(await approvals.decide(idOf(asked[0]), 'approved', by)).toEqual({ outcome: 'refused' });
    }
    expect(resumed).toEqual([]);
  });

  it.each([
    { by: { channelId: 'discord', userId: 'alice', userRoles: [] } },
    { by: { channelId: 'console', userId: 'bob', userRoles: [] } },
    { by: { channelId: 'slack', userId: 'carol', userRoles: ['desk'] } },
  ])('is decided by the configured approver $by.userId', async ({ by }) => {
    const { ask, asked } = await approvalWorld({ users: ['alice', 'console:bob'], roles: ['desk'] });
    const approvals = await ask();
    const decider = { ...by, channelId: asId<ChannelId>(by.channelId), userId: asId<UserId>(by.userId) };
    expect(await approvals.decide(idOf(asked[0]), 'approved', decider)).toMatchObject({
      outcome: 'recorded',
    });
  });

  it('is decided once: what comes later is too late, and changes nothing', async () => {
    const { ask, asked, context, resumed } = await approvalWorld();
    const approvals = await ask();
    const outcomes = await Promise.all([
      approvals.decide(idOf(asked[0]), 'denied', REQUESTER),
      approvals.decide(idOf(asked[0]), 'approved', REQUESTER),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['recorded', 'too-late']);
    expect(resumed).toHaveLength(1);
    expect(await approvals.recallApproval(call(), context)).toMatchObject({ status: 'refused' });
  });

  it('expires as refused, and a yes after that is too late even where the timer is late', async () => {
    const { ask, asked, context, clock, resumed } = await approvalWorld();
    const approvals = await ask();
    await clock.advance(EXPIRES_MS);
    expect(await approvals.decide(idOf(asked[0]), 'approved', REQUESTER)).toEqual({ outcome: 'too-late' });
    await clock.advance(1);
    await expect.poll(() => resumed).toHaveLength(1);
    expect(await approvals.recallApproval(call(), context)).toEqual({
      status: 'refused',
      why: 'nobody decided in time',
      code: 'approval-expired',
    });
  });

  it('holds the run until all questions of the message are decided', async () => {
    const { ask, asked, resumed, boot } = await approvalWorld();
    const approvals = await ask(boot(), [call(), call({ callId: 'call-2', toolName: 'sell_stock' })]);
    expect(asked).toHaveLength(2);
    await approvals.decide(idOf(asked[1]), 'approved', REQUESTER);
    expect(resumed).toEqual([]);
    await approvals.decide(idOf(asked[0]), 'denied', REQUESTER);
    expect(resumed).toHaveLength(1);
  });

  it('lets what cannot be done twice begin once, and says so where it had begun', async () => {
    const { ask, asked, context } = await approvalWorld();
    const approvals = await ask();
    await approvals.decide(idOf(asked[0]), 'approved', REQUESTER);
    const trade = call({ isTransactional: true });
    expect(await approvals.recallApproval(trade, context)).toEqual({ status: 'approved' });
    expect(await approvals.recallApproval(trade, context)).toMatchObject({
      status: 'refused',
      why: expect.stringContaining('not known whether it took effect'),
    });
  });

  it('is put again after a restart, and expires then as it would have', async () => {
    const { ask, asked, boot, clock, context, resumed } = await approvalWorld();
    await (await ask()).stop();
    await clock.advance(EXPIRES_MS - 1_000);
    const second = boot();
    await second.start();
    expect(asked.map(({ isRepeated }) => isRepeated)).toEqual([false, true]);
    await second.stop();
    await clock.advance(2_000);
    expect(resumed).toEqual([]);

    const third = boot();
    await third.start();
    await expect.poll(() => resumed).toHaveLength(1);
    expect(asked).toHaveLength(2);
    expect(await third.recallApproval(call(), context)).toMatchObject({ why: 'nobody decided in time' });
  });

  it('that nobody ever asked is unknown', async () => {
    const { boot } = await approvalWorld();
    expect(await boot().decide(asId('nothing'), 'approved', REQUESTER)).toEqual({ outcome: 'unknown' });
  });

  it('names its requester where others read along, before and after a restart, and nowhere else', async () => {
    const { ask, asked, boot, message } = await approvalWorld();
    const first = await ask();
    const inGroup = await message({ chatType: 'group', userName: 'Mina' });
    await ask(first, [call()], inGroup);
    await first.stop();
    await boot().start();
    expect(asked.map(({ requesterName, isRepeated }) => [requesterName, isRepeated])).toEqual([
      [undefined, false],
      ['Mina', false],
      [undefined, true],
      ['Mina', true],
    ]);
  });

  it('is listed for those who may decide it, wherever it was asked, until it is decided', async () => {
    const { ask, asked, boot, message } = await approvalWorld({ users: ['console:boss'], roles: ['desk'] });
    const approvals = await ask(boot(), [call(), call({ callId: 'call-2' })]);
    const sessionKey = asId<SessionKey>('agent:main:console:local:group:desk');
    const juns = await message({
      sessionKey,
      userId: asId<UserId>('jun'),
      chatType: 'group',
      userName: 'Jun',
    });
    await ask(approvals, [call({ toolName: 'sell_stock' })], juns);
    const idsFor = async (by: Partial<Decider>) =>
      (await approvals.pendingFor({ ...REQUESTER, ...by })).map(({ id }) => id);
    const [first, second, third] = asked.map(({ id }) => id);

    expect(await idsFor({})).toEqual([first, second]);
    expect(await idsFor({ userId: asId<UserId>('jun') })).toEqual([third]);
    expect(await idsFor({ userId: asId<UserId>('boss') })).toEqual([first, second, third]);
    expect(await idsFor({ userId: asId<UserId>('kim'), userRoles: ['desk'] })).toEqual([
      first,
      second,
      third,
    ]);
    expect(await idsFor({ userId: asId<UserId>('mallory') })).toEqual([]);
    expect(await idsFor({ channelId: asId<ChannelId>('slack') })).toEqual([]);

    await approvals.decide(idOf(asked[0]), 'denied', REQUESTER);
    expect(await idsFor({ userId: asId<UserId>('boss') })).toEqual([second, third]);
    expect(await approvals.pending(sessionKey)).toMatchObject([
      { id: third, toolName: 'sell_stock', askedBy: 'jun', requesterName: 'Jun' },
    ]);
  });
});

it('a question that is decided before it is known where it stands is closed there all the same', async () => {
  const world = await approvalWorld();
  const closed: unknown[] = [];
  let approvals: ToolApprovals | undefined;
  const special: Pick<ApprovalDeps, 'ask' | 'close'> = {
    ask: async (_target, { id }) => {
      expect((await approvals?.decide(id, 'approved', REQUESTER))?.outcome).toBe('recorded');
      return asId<MessageId>('m-1');
    },
    close: async (_target, { messageId, verdict, decidedBy }) =>
      void closed.push([messageId, verdict, decidedBy]),
  };
  approvals = world.boot(special);
  await world.ask(approvals);
  expect(closed).toEqual([
    [undefined, 'approved', REQUESTER.userId],
    ['m-1', 'approved', REQUESTER.userId],
  ]);
});
