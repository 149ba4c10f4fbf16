import { describe, expect, it } from 'vitest';
import type { InboundMessage, MessageChange } from '#src/kernel/message.ts';
import type { QueueMode } from '#src/kernel/ports.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, setUpRouter, workedOff } from './router-fixture.ts';

const edited = (message: InboundMessage, body: string): MessageChange => {
  const { channelId, accountId, chatId, messageId } = message;
  return { channelId, accountId, chatId, messageId, kind: 'edited', body };
};

/** One message is being answered, two wait behind it. */
const twoWaiting = async (mode: QueueMode) => {
  const run = held();
  const fixture = await setUpRouter({
    mode: () => mode,
    process: (current) => (current.ctx.rawBody === 'first' ? run.process(current) : Promise.resolve(DONE)),
  });
  const [first, second, third] = ['first', 'second', 'third'].map((body) => inboundMessage({ body })) as [
    InboundMessage,
    InboundMessage,
    InboundMessage,
  ];
  const receipts = [await fixture.router.receive(first)];
  await run.started;
  receipts.push(await fixture.router.receive(second), await fixture.router.receive(third));
  const finish = async () => {
    run.end();
    await workedOff(receipts);
  };
  return { ...fixture, second, third, finish };
};

describe.each(['queue', 'collect', 'steer'] as const)('in mode %s a question that waits', (mode) => {
  it('and is edited into a command is run as one, beside the turn that runs, and once', async () => {
    const { router, second, finish, bodies, rows, queue } = await twoWaiting(mode);
    expect(await router.revise(edited(second, '/stop'))).toBe('changed');
    await expect.poll(bodies, { interval: 1 }).toEqual(['first', '/stop']);
    await finish();
    expect(bodies()).toEqual(['first', '/stop', 'third']);
    expect((await rows()).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(queue.sessionCount).toBe(0);
  });
});

describe('a question that is edited into a command', () => {
  it('frees its place among those that wait', async () => {
    const { router, second, finish, runs, queue } = await twoWaiting('queue');
    const sessionKey = runs[0]?.ctx.sessionKey;
    await router.revise(edited(second, '/help'));
    if (sessionKey) expect(queue.status(sessionKey).waiting).toBe(1);
    await finish();
  });
});
