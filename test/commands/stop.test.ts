import { describe, expect, it } from 'vitest';
import { stop } from '#commands/stop.ts';
import { texts } from '#src/core/i18n.ts';
import { asId, type UserId } from '#src/core/ids.ts';
import type { MsgContext } from '#src/core/message.ts';
import type { QueueStatus } from '#src/core/ports.ts';
import { msgContext } from '#test/support/context.ts';
import { runCommand } from './support.ts';

const MINA = asId<UserId>('mina');
const JUN = asId<UserId>('jun');
const { sessionKey } = msgContext();

const setUp = (status: Partial<QueueStatus> = {}, outcome: 'stopped' | 'idle' = 'stopped') => {
  const stopped: string[] = [];
  const command = stop({
    queue: {
      status: (key) =>
        key === sessionKey ? { isRunning: true, waiting: 0, ...status } : { isRunning: false, waiting: 0 },
      stop: async (key) => {
        stopped.push(key);
        return outcome;
      },
    },
  });
  const ask = (ctx: Partial<MsgContext> = {}, args: readonly string[] = []) => runCommand(command, args, ctx);
  return { ask, stopped };
};

describe('/stop', () => {
  it.each(['en', 'ko'] as const)(
    'stops the answer of this conversation, with a line to the sender (%s)',
    async (locale) => {
      const { ask, stopped } = setUp();
      expect(await ask({ locale })).toEqual({ content: texts(locale).stop.done(), ephemeral: true });
      expect(stopped).toEqual([sessionKey]);
    },
  );

  it.each(['en', 'ko'] as const)('says that nothing runs, and stops nothing (%s)', async (locale) => {
    const { ask, stopped } = setUp({ isRunning: false, waiting: 1 });
    expect(await ask({ locale })).toEqual({ content: texts(locale).stop.nothing(), ephemeral: true });
    expect(stopped).toEqual([]);
  });

  it('says that nothing runs when the answer ended by itself meanwhile', async () => {
    expect((await setUp({}, 'idle').ask()).content).toBe(texts('en').stop.nothing());
  });

  it('waits until the answer has ended', async () => {
    const { promise, resolve } = Promise.withResolvers<'stopped'>();
    const command = stop({ queue: { status: () => ({ isRunning: true, waiting: 0 }), stop: () => promise } });
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
      const words = texts(locale).stop;
      const content = isStopped ? words.done() : words.notYours();
      expect(await ask({ ...ctx, locale })).toEqual({ content, ephemeral: true });
    }
    expect(stopped).toHaveLength(isStopped ? 2 : 0);
  });

  it('tells somebody else in a group too that nothing runs', async () => {
    const { ask } = setUp({ isRunning: false });
    expect((await ask({ chatType: 'group' })).content).toBe(texts('en').stop.nothing());
  });

  it('takes whatever is typed behind it', async () => {
    const { ask, stopped } = setUp();
    await ask({}, ['please', '🛑'.repeat(10_000)]);
    expect(stopped).toHaveLength(1);
  });
});
