import { describe, expect, it } from 'vitest';
import { stop } from '#commands/chat/stop.ts';
import { stopTexts } from '#commands/chat/texts.ts';
import { asId, type SessionKey, type ThreadId, type UserId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { ApprovalRequest, GiveUp } from '#src/kernel/agent/approvals.ts';
import type { QueueStatus, RunningTurn } from '#src/kernel/chat/queue.ts';
import { msgContext } from '#test/support/context.ts';
import { approvalRequest, runCommand } from '../support.ts';

const MINA = asId<UserId>('mina');
const JUN = asId<UserId>('jun');
const { sessionKey } = msgContext();

const setUp = (
  status: Partial<QueueStatus> = {},
  outcome: 'stopped' | 'idle' = 'stopped',
  waiting: readonly ApprovalRequest[] = [],
  inThreads: readonly RunningTurn[] = [],
) => {
  const stopped: string[] = [];
  const givenUp: (readonly [string, GiveUp])[] = [];
  const command = stop({
    queue: {
      status: (key) =>
        key === sessionKey ? { isRunning: true, waiting: 0, ...status } : { isRunning: false, waiting: 0 },
      stop: async (key) => {
        stopped.push(key);
        return outcome;
      },
      runningInThreads: async (key) => (key === sessionKey ? inThreads : []),
    },
    approvals: {
      pending: async (key) => (key === sessionKey ? waiting : []),
      giveUp: async (key, which) => {
        givenUp.push([key, which]);
        const { askedBy } = which;
        return waiting.filter((request) => askedBy === undefined || request.askedBy === askedBy).length;
      },
    },
  });
  const ask = (ctx: Partial<TurnContext> = {}, args: readonly string[] = []) =>
    runCommand(command, args, ctx);
  return { ask, stopped, givenUp };
};

describe('/stop', () => {
  it.each(['en', 'ko'] as const)(
    'stops the answer of this conversation, with a line to the sender (%s)',
    async (locale) => {
      const { ask, stopped } = setUp();
      expect(await ask({ locale })).toEqual({ content: stopTexts(locale).done(), ephemeral: true });
      expect(stopped).toEqual([sessionKey]);
    },
  );

  it.each(['en', 'ko'] as const)('says that nothing runs, and stops nothing (%s)', async (locale) => {
    const { ask, stopped } = setUp({ isRunning: false, waiting: 1 });
    expect(await ask({ locale })).toEqual({ content: stopTexts(locale).nothing(), ephemeral: true });
    expect(stopped).toEqual([]);
  });

  it('says that nothing runs when the answer ended by itself meanwhile', async () => {
    expect((await setUp({}, 'idle').ask()).content).toBe(stopTexts('en').nothing());
  });

  it('waits until the answer has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<'stopped'>();
    const command = stop({
      queue: {
        status: () => ({ isRunning: true, waiting: 0 }),
        stop: () => promise,
        runningInThreads: async () => [],
      },
      approvals: { pending: async () => [], giveUp: async () => 0 },
    });
    let isDone = false;
    const result = runCommand(command).then(() => (isDone = true));
    await new Promise((tick) => setImmediate(tick));
    expect(isDone).toBe(false);
    resolve('stopped');
    expect(await result).toBe(true);
  });

  it.each([
    { what: 'the one who asked', ctx: { chatType: 'group' }, startedBy: MINA, isStopped: true },
    { what: 'the one who asked', ctx: { chatType: 'channel' }, startedBy: MINA, isStopped: true },
    { what: 'an administrator', ctx: { chatType: 'group', isAdmin: true }, startedBy: JUN, isStopped: true },
    { what: 'somebody else', ctx: { chatType: 'group' }, startedBy: JUN, isStopped: false },
    { what: 'somebody else', ctx: { chatType: 'channel' }, startedBy: JUN, isStopped: false },
    { what: 'one of an unknown asker', ctx: { chatType: 'group' }, startedBy: undefined, isStopped: false },
    { what: 'whoever is in it', ctx: { chatType: 'direct' }, startedBy: undefined, isStopped: true },
  ] as const)('is for $what in a $ctx.chatType chat: $isStopped', async ({ ctx, startedBy, isStopped }) => {
    const { ask, stopped } = setUp(startedBy === undefined ? {} : { startedBy });
    for (const locale of ['en', 'ko'] as const) {
      const t = stopTexts(locale);
      const content = isStopped ? t.done() : t.notYours();
      expect(await ask({ ...ctx, locale })).toEqual({ content, ephemeral: true });
    }
    expect(stopped).toHaveLength(isStopped ? 2 : 0);
  });

  it('tells somebody else in a group too that nothing runs', async () => {
    const { ask } = setUp({ isRunning: false });
    expect((await ask({ chatType: 'group' })).content).toBe(stopTexts('en').nothing());
  });

  it('takes whatever is typed behind it', async () => {
    const { ask, stopped } = setUp();
    await ask({}, ['please', '🛑'.repeat(10_000)]);
    expect(stopped).toHaveLength(1);
  });
});

describe('/stop where something waits for a decision', () => {
  const MINAS = approvalRequest({ askedBy: MINA });
  const JUNS = approvalRequest({ askedBy: JUN });
  const IDLE = { isRunning: false };

  it.each([
    ['en', 'I gave up what was waiting for a decision (2); it will not be done.'],
    ['ko', '결정을 기다리던 작업 2건을 취소했습니다. 이 작업은 하지 않습니다.'],
  ] as const)('gives it up, and says so to the sender (%s)', async (locale, content) => {
    const { ask, givenUp, stopped } = setUp(IDLE, 'idle', [MINAS, MINAS]);
    expect(await ask({ locale })).toEqual({ content, ephemeral: true });
    expect(givenUp).toEqual([[sessionKey, { by: MINA, isDecidedToo: true }]]);
    expect(stopped).toEqual([]);
  });

  it.each([
    { who: 'the person of a direct chat', ctx: {}, whose: 'all', count: 2 },
    { who: 'an administrator', ctx: { chatType: 'group', isAdmin: true }, whose: 'all', count: 2 },
    { who: 'anybody else', ctx: { chatType: 'group' }, whose: 'their own', count: 1 },
    { who: 'anybody else', ctx: { chatType: 'channel' }, whose: 'their own', count: 1 },
  ] as const)('lets $who give up $whose, in their name', async ({ ctx, whose, count }) => {
    const { ask, givenUp } = setUp(IDLE, 'idle', [MINAS, JUNS]);
    expect((await ask(ctx)).content).toBe(stopTexts('en').gaveUp({ count }));
    // What was allowed, and has not begun yet, is under way as well.
    const of = whose === 'all' ? {} : { askedBy: MINA };
    expect(givenUp).toEqual([[sessionKey, { by: MINA, isDecidedToo: true, ...of }]]);
  });

  it.each(['en', 'ko'] as const)(
    'leaves what others asked for, and says whose it is (%s)',
    async (locale) => {
      const { ask } = setUp(IDLE, 'idle', [JUNS]);
      const content = stopTexts(locale).waitsForOthers();
      expect(await ask({ locale, chatType: 'group' })).toEqual({ content, ephemeral: true });
    },
  );

  it('stops what runs first, and leaves the rest for the next time', async () => {
    const { ask, stopped, givenUp } = setUp({}, 'stopped', [MINAS]);
    expect((await ask()).content).toBe(stopTexts('en').done());
    expect(stopped).toHaveLength(1);
    expect(givenUp).toEqual([]);
  });

  it('gives it up where the run came to rest just now', async () => {
    const { ask } = setUp({}, 'idle', [MINAS]);
    expect((await ask()).content).toBe(stopTexts('en').gaveUp({ count: 1 }));
  });

  it("gives up the sender's own while somebody else's answer runs, and does not stop that", async () => {
    const { ask, stopped } = setUp({ startedBy: JUN }, 'stopped', [MINAS, JUNS]);
    expect((await ask({ chatType: 'group' })).content).toBe(stopTexts('en').gaveUp({ count: 1 }));
    expect(stopped).toEqual([]);
  });
});

const turnOf = (startedBy: UserId, thread: string): RunningTurn => ({
  sessionKey: asId<SessionKey>(`thread-${thread}`),
  startedBy,
});

describe('/stop in a channel where the answer is in a thread', () => {
  const IDLE = { isRunning: false };
  const TURNS = [turnOf(JUN, '1'), turnOf(MINA, '2'), turnOf(MINA, '3')];
  const { done, notYours, nothing } = stopTexts('en');

  it.each([
    {
      who: 'the one who asked: their own',
      ctx: {},
      turns: TURNS,
      stopped: ['thread-2', 'thread-3'],
      say: done(),
    },
    {
      who: 'an administrator: their own first',
      ctx: { isAdmin: true },
      turns: TURNS,
      stopped: ['thread-2', 'thread-3'],
      say: done(),
    },
    {
      who: 'an administrator: else any',
      ctx: { isAdmin: true },
      turns: TURNS.slice(0, 1),
      stopped: ['thread-1'],
      say: done(),
    },
    { who: 'somebody else: none', ctx: {}, turns: TURNS.slice(0, 1), stopped: [], say: notYours() },
    { who: 'where none runs: none', ctx: {}, turns: [], stopped: [], say: nothing() },
    {
      who: 'from inside another thread: none',
      ctx: { messageThreadId: asId<ThreadId>('9') },
      turns: TURNS,
      stopped: [],
      say: nothing(),
    },
    { who: 'in a direct chat: none', ctx: { chatType: 'direct' }, turns: TURNS, stopped: [], say: nothing() },
  ] as const)('stops for $who', async ({ ctx, turns, stopped: expected, say }) => {
    const { ask, stopped } = setUp(IDLE, 'stopped', [], turns);
    expect((await ask({ chatType: 'channel', ...ctx })).content).toBe(say);
    expect(stopped).toEqual(expected);
  });

  it('stops what runs in the channel itself, and leaves the threads alone', async () => {
    const { ask, stopped } = setUp({ startedBy: MINA }, 'stopped', [], TURNS);
    await ask({ chatType: 'channel' });
    expect(stopped).toEqual([sessionKey]);
  });

  it('gives up what waits in the channel where no answer runs in a thread any more', async () => {
    const { ask } = setUp(IDLE, 'idle', [approvalRequest({ askedBy: MINA })], TURNS);
    expect((await ask({ chatType: 'channel' })).content).toBe(stopTexts('en').gaveUp({ count: 1 }));
  });
});
