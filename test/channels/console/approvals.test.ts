import { describe, expect, it } from 'vitest';
import { createConsoleApprovals } from '#channels/console/approvals.ts';
import { type ApprovalId, asId, type UserId } from '#src/core/ids.ts';
import type { ApprovalRequest } from '#src/core/ports.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { FakeHost } from './support.ts';

const setUp = () => {
  const clock = new ManualClock();
  const host = new FakeHost();
  const said: string[] = [];
  const approvals = createConsoleApprovals({
    say: async (text) => void said.push(text),
    userId: asId<UserId>('local'),
    clock,
  });
  const request = (id: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    id: asId<ApprovalId>(id),
    toolName: 'buy_stock',
    summary: `Buy ${id}`,
    reason: 'It changes something.',
    askedBy: asId<UserId>('local'),
    locale: 'en',
    expiresAt: clock.now().add({ minutes: 10 }),
    isRepeated: false,
    ...more,
  });
  return { clock, host, said, approvals, request };
};

describe('a question in the terminal', () => {
  it('shows what would be done, why, and how to answer', async () => {
    const { approvals, said, request } = setUp();
    await approvals.ask(request('3 AAPL'));
    expect(said[0]).toContain('Buy 3 AAPL');
    expect(said[0]).toContain('It changes something.');
    expect(said[0]).toContain('10 minutes');
    expect(said[0]).toContain('**y**');
  });

  it.each(['y', 'Y', ' yes ', 'Yes.', '예', '네', '응', 'ㅛ', '승인'])('takes %j for a yes', async (line) => {
    const { approvals, host, request } = setUp();
    await approvals.ask(request('1'));
    expect(await approvals.take(line, host)).toBe(true);
    expect(host.decisions).toEqual([{ id: '1', verdict: 'approved', by: 'console:local' }]);
  });

  it.each(['n', 'NO', '아니요', '아니오', 'ㅜ', '거절'])('takes %j for a no', async (line) => {
    const { approvals, host, request } = setUp();
    await approvals.ask(request('1'));
    expect(await approvals.take(line, host)).toBe(true);
    expect(host.decisions).toMatchObject([{ verdict: 'denied' }]);
  });

  it.each(['yesterday', 'y?', 'yes but only two', '네이버 얼마야?', '', 'no idea, how is Apple?'])(
    'takes %j for a message, after which a yes answers nothing',
    async (line) => {
      const { approvals, host, request } = setUp();
      await approvals.ask(request('1'));
      expect(await approvals.take(line, host)).toBe(false);
      expect(await approvals.take('y', host)).toBe(false);
      expect(host.decisions).toEqual([]);
    },
  );

  it('stays open while a command is typed', async () => {
    const { approvals, host, request } = setUp();
    await approvals.ask(request('1'));
    expect(await approvals.take('/usage', host)).toBe(false);
    expect(await approvals.take('y', host)).toBe(true);
  });

  it('leaves yes and no alone where nothing was asked, or its time is up', async () => {
    const { approvals, host, request, clock } = setUp();
    expect(await approvals.take('y', host)).toBe(false);
    await approvals.ask(request('1'));
    await clock.advance(600_000);
    expect(await approvals.take('y', host)).toBe(false);
    expect(host.decisions).toEqual([]);
  });

  it('is put one at a time: a yes answers the one on the screen', async () => {
    const { approvals, host, said, request } = setUp();
    await approvals.ask(request('first'));
    await approvals.ask(request('second', { locale: 'ko' }));
    expect(said).toHaveLength(1);
    await approvals.take('y', host);
    expect(said).toEqual([expect.stringContaining('Buy first'), expect.stringContaining('Buy second')]);
    await approvals.take('아니요', host);
    expect(host.decisions).toMatchObject([
      { id: 'first', verdict: 'approved' },
      { id: 'second', verdict: 'denied' },
    ]);
  });

  it('that is asked again is not kept twice', async () => {
    const { approvals, host, request } = setUp();
    await approvals.ask(request('1'));
    await approvals.ask(request('1', { isRepeated: true }));
    await approvals.take('y', host);
    expect(await approvals.take('y', host)).toBe(false);
  });

  it('waits for the run that it set going', async () => {
    const { approvals, host, request } = setUp();
    const run = Promise.withResolvers<void>();
    host.onDecide = () => ({ outcome: 'recorded', settled: run.promise });
    await approvals.ask(request('1'));
    let isOver = false;
    const taking = approvals.take('y', host).then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    run.resolve();
    await taking;
  });

  it.each([
    { outcome: 'too-late' as const, says: 'decided before' },
    { outcome: 'refused' as const, says: 'Only the person who asked' },
    { outcome: 'unknown' as const, says: 'no such question' },
  ])('says why an answer was $outcome', async ({ outcome, says }) => {
    const { approvals, host, said, request } = setUp();
    host.onDecide = () => ({ outcome });
    await approvals.ask(request('1'));
    await approvals.take('y', host);
    expect(said.at(-1)).toContain(says);
  });
});
