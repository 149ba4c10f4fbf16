import { describe, expect, it } from 'vitest';
import { approvalDecisionOf, hashOf } from '#src/agent/tools/approval-decision.ts';
import { asId, type SessionKey, type UserId } from '#src/kernel/ids.ts';
import type { Approval } from '#src/kernel/agent/approval-store.ts';
import { approvalWorld, REQUESTER, call, EXPIRES_MS, idOf } from './approvals-support.ts';

const OTHER = asId<UserId>('other');
const ADMIN = asId<UserId>('admin');
const unreachable = (): Promise<never> => Promise.reject(new Error('the platform is down'));

describe('the end of a question', () => {
  it.each(['approved', 'denied'] as const)('is shown where it was put when it is %s', async (verdict) => {
    const { ask, asked, closed, context, payloads } = await approvalWorld();
    const approvals = await ask();
    const id = idOf(asked[0]);
    expect(closed).toEqual([]);
    await approvals.decide(id, verdict, { ...REQUESTER, userId: OTHER });
    expect(closed, 'refused').toEqual([]);
    await approvals.decide(id, verdict, REQUESTER);
    await approvals.decide(id, verdict, REQUESTER);
    expect(closed).toEqual([[context.target.chatId, id]]);
    expect(payloads('approval:decide')).toEqual([
      { id, toolName: 'buy_stock', status: verdict, by: 'console:me' },
    ]);
  });

  it('is shown when its time is up', async () => {
    const { ask, asked, closed, clock, context, payloads } = await approvalWorld();
    await ask();
    await clock.advance(EXPIRES_MS);
    expect(closed).toEqual([]);
    await clock.advance(1);
    await expect.poll(() => closed).toEqual([[context.target.chatId, idOf(asked[0])]]);
    expect(payloads('approval:decide')).toMatchObject([{ status: 'expired', by: 'time' }]);
  });

  it('is shown before its run goes on, which may ask the next one', async () => {
    const order: string[] = [];
    const { ask, asked, boot, closed } = await approvalWorld();
    const resume = async (): Promise<void> => void order.push(`resumed after ${closed.length} closed`);
    const approvals = await ask(boot({ resume }));
    await approvals.decide(idOf(asked[0]), 'approved', REQUESTER);
    expect(order).toEqual(['resumed after 1 closed']);
  });
});

describe('a question that cannot be put to anybody', () => {
  it('is refused at once, and its run goes on with that', async () => {
    const { ask, boot, clock, closed, context, names, payloads, records, resumed } = await approvalWorld();
    const approvals = await ask(boot({ ask: unreachable }));
    expect(resumed).toEqual([context.inboxId]);
    expect(closed).toHaveLength(1);
    expect(await approvals.recallApproval(call(), context)).toEqual({
      status: 'refused',
      why: 'the person could not be asked',
      code: 'approval-not-asked',
    });
    expect(JSON.stringify(records())).toContain('A person could not be asked');
    expect(names()).not.toContain('approval:ask');
    expect(payloads('approval:decide')).toMatchObject([{ status: 'denied', by: 'nobody asked' }]);
    expect(clock.pendingTimers).toBe(0);
    expect(await approvals.pending(context.sessionKey)).toEqual([]);
  });

  it('does not wait for the run that goes on: that may stand behind the message that asks', async () => {
    const { ask, boot, context, statusOfMessage } = await approvalWorld();
    const begun: string[] = [];
    const resume = (inboxId: string): Promise<void> => {
      begun.push(inboxId);
      return new Promise(() => undefined);
    };
    // Would hang here otherwise.
    await ask(boot({ ask: unreachable, resume }));
    expect(begun).toEqual([context.inboxId]);
    expect(await statusOfMessage()).toBe('pending');
  });

  it('leaves the others of its message open, and its run resting for them', async () => {
    const { asked, ask, boot, context, resumed } = await approvalWorld();
    const calls = [call(), call({ callId: 'call-2', toolName: 'sell_stock' })];
    const approvals = await ask(
      boot({
        ask: async (_target, request) => {
          if (request.toolName === 'buy_stock') await unreachable();
          asked.push(request);
        },
      }),
      calls,
    );
    expect(resumed).toEqual([]);
    expect(await approvals.pending(context.sessionKey)).toMatchObject([{ toolName: 'sell_stock' }]);
    await approvals.decide(idOf(asked[0]), 'approved', REQUESTER);
    expect(resumed).toEqual([context.inboxId]);
  });

  it('is refused after a restart too, and the rest is asked', async () => {
    const { asked, ask, boot, context, message, resumed } = await approvalWorld();
    const first = await ask();
    const second = await message({ sessionKey: asId<SessionKey>('agent:main:console:local:group:desk') });
    await ask(first, [call({ toolName: 'sell_stock' })], second);
    await first.stop();
    const again: string[] = [];
    const approvals = boot({
      ask: async (_target, { toolName }) => {
        if (toolName === 'buy_stock') await unreachable();
        again.push(toolName);
      },
      resume: (inboxId) => {
        resumed.push(inboxId);
        return new Promise(() => undefined);
      },
    });
    await approvals.start();
    expect(resumed).toEqual([context.inboxId]);
    expect(again).toEqual(['sell_stock']);
    expect(await approvals.pending(second.sessionKey)).toMatchObject([{ id: idOf(asked[1]) }]);
  });
});

describe('a question that is given up', () => {
  it('is closed with a message to the requester, and its run does not go on', async () => {
    const { ask, asked, closed, told, resumed, ended, context, clock, statusOfMessage, payloads } =
      await approvalWorld();
    const approvals = await ask();
    const id = idOf(asked[0]);
    expect(await approvals.giveUp(context.sessionKey, { by: ADMIN })).toBe(1);
    expect(ended).toEqual([context.turnId]);
    expect(clock.pendingTimers).toBe(0);
    expect(told).toEqual([expect.stringContaining('Given up')]);
    expect(closed).toEqual([[context.target.chatId, id]]);
    expect(payloads('approval:decide')).toEqual([
      { id, toolName: 'buy_stock', status: 'given-up', by: 'admin' },
    ]);
    expect(await statusOfMessage()).toBe('done');
    expect(await approvals.decide(id, 'approved', REQUESTER)).toEqual({ outcome: 'too-late' });
    await clock.advance(EXPIRES_MS + 1);
    expect(resumed).toEqual([]);
    expect(await approvals.giveUp(context.sessionKey, { by: ADMIN }), 'once').toBe(0);
  });

  it('is one of the person, of the conversation and before the message that were named', async () => {
    const { ask, told, closed, context, message, statusOfMessage } = await approvalWorld();
    const approvals = await ask();
    const later = await message();
    await ask(approvals, [call()], later);
    const by = REQUESTER.userId;
    const { sessionKey } = context;
    const elsewhere = asId<SessionKey>('agent:main:console:local:group:desk');
    expect(await approvals.giveUp(elsewhere, { by })).toBe(0);
    expect(await approvals.giveUp(sessionKey, { by, askedBy: OTHER })).toBe(0);
    expect(await approvals.giveUp(sessionKey, { by, before: context.inboxId })).toBe(0);
    expect([told, closed]).toEqual([[], []]);

    expect(await approvals.giveUp(sessionKey, { by, askedBy: by, before: later.inboxId })).toBe(1);
    expect(await statusOfMessage()).toBe('done');
    expect(await statusOfMessage(later)).toBe('suspended');
    expect(await approvals.giveUp(sessionKey, { by, askedBy: by })).toBe(1);
    expect(await statusOfMessage(later)).toBe('done');
  });

  it('may have been allowed, as long as its run has not begun to go on', async () => {
    const { ask, asked, context, statusOfMessage, told } = await approvalWorld();
    const approvals = await ask();
    await approvals.decide(idOf(asked[0]), 'approved', REQUESTER);
    const by = REQUESTER.userId;
    expect(await approvals.giveUp(context.sessionKey, { by }), 'only what is undecided').toBe(0);
    expect(await statusOfMessage()).toBe('pending');
    expect(await approvals.giveUp(context.sessionKey, { by, isDecidedToo: true })).toBe(1);
    expect(await statusOfMessage()).toBe('done');
    expect(told).toHaveLength(1);
    expect(await approvals.recallApproval(call({ isTransactional: true }), context)).toEqual({
      status: 'refused',
      why: 'the person refused it',
      code: 'approval-denied',
    });
  });

  it('is not made where that came between the reading of a yes and the call', async () => {
    const approved = { status: 'approved', inputHash: hashOf('buy_stock', call().input) } as Approval;
    for (const isTransactional of [false, true])
      expect(await approvalDecisionOf(approved, call({ isTransactional }), async () => false)).toEqual({
        status: 'refused',
        why: 'it was given up',
        code: 'approval-given-up',
      });
  });
});
