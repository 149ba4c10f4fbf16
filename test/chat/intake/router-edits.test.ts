import { describe, expect, it } from 'vitest';
import type { MsgContext, MessageChange } from '#src/kernel/chat/message.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, setUpRouter, workedOff } from './router-fixture.ts';

const edited = (message: MsgContext, body: string): MessageChange => {
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
    MsgContext,
    MsgContext,
    MsgContext,
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

it('words that became a command while they were taken into a turn do not reach the model, and the command is run', async () => {
  const run = held();
  const merging = Promise.withResolvers<void>();
  const begins = Promise.withResolvers<void>();
  let isHeld = false;
  const { router, bodies } = await setUpRouter({
    mode: () => 'steer',
    wrapInbox: (inbox) => ({
      ...inbox,
      begin: async (...given) => {
        if (isHeld) await begins.promise;
        return inbox.begin(...given);
      },
      merge: async (...given) => {
        await merging.promise;
        return inbox.merge(...given);
      },
    }),
    process: (current) => (current.ctx.rawBody === 'one' ? run.process(current) : Promise.resolve(DONE)),
  });
  const one = await router.receive(inboundMessage({ body: 'one' }));
  const { ctx } = await run.started;
  const second = inboundMessage({ body: 'two' });
  const two = await router.receive(second);
  isHeld = true;
  const taking = router.steering.take(ctx.sessionKey, ctx.inboxId);
  const outcome = await router.revise(edited(second, '/stop'));
  merging.resolve();
  const taken = await taking;
  begins.resolve();
  run.end();
  await workedOff([one, two]);
  await expect.poll(() => bodies().length + taken.length, { interval: 1 }).toBe(2);
  // Either the edit came too late and the old words were taken, or the command is run: not words that say "/stop".
  expect([outcome, taken.map(({ body }) => body), bodies()]).toEqual(
    outcome === 'too-late' ? ['too-late', ['two'], ['one']] : ['changed', [], ['one', '/stop']],
  );
});

const placeOf = ({ channelId, accountId, chatId, messageId }: MsgContext) => ({
  channelId,
  accountId,
  chatId,
  messageId,
});

const replaced = async () => {
  const run = held();
  const fixture = await setUpRouter({
    mode: () => 'interrupt',
    process: (current) => (current.ctx.rawBody === 'first' ? run.process(current) : Promise.resolve(DONE)),
  });
  const receipts = [await fixture.router.receive(inboundMessage({ body: 'first' }))];
  await run.started;
  const second = inboundMessage({ body: 'second' });
  receipts.push(await fixture.router.receive(second));
  const revise = (what: { readonly kind: 'deleted' } | { readonly kind: 'edited'; readonly body: string }) =>
    fixture.router.revise({ ...placeOf(second), ...what });
  const finish = async () => {
    run.end({ outcome: 'superseded' });
    await workedOff(receipts);
  };
  return { ...fixture, revise, finish };
};

describe('a message that took the place of another and waits', () => {
  it('is not answered when it is deleted', async () => {
    const { revise, finish, bodies } = await replaced();
    expect(await revise({ kind: 'deleted' })).toBe('withdrawn');
    await finish();
    expect(bodies()).toEqual(['first']);
  });

  it('is read as it was edited', async () => {
    const { revise, finish, bodies } = await replaced();
    expect(await revise({ kind: 'edited', body: 'zweite' })).toBe('changed');
    await finish();
    expect(bodies()).toEqual(['first', 'zweite']);
  });

  it('and becomes a command is one', async () => {
    const { revise, finish, bodies } = await replaced();
    expect(await revise({ kind: 'edited', body: '/help' })).toBe('changed');
    await expect.poll(bodies, { interval: 1 }).toEqual(['first', '/help']);
    await finish();
  });
});

it('a message that was deleted before it came is not taken when it comes late', async () => {
  const { router, rows } = await setUpRouter();
  const message = inboundMessage({ body: 'never mind' });
  expect(await router.revise({ ...placeOf(message), kind: 'deleted' })).toBe('too-late');
  expect(await router.receive(message)).toEqual({ outcome: 'dropped', reason: 'deleted-before' });
  expect(await rows()).toEqual([]);
});

it('a message that comes late takes the place of none that was written after it', async () => {
  const run = held();
  const { router, bodies, rows } = await setUpRouter({
    mode: () => 'interrupt',
    process: (current) => (current.ctx.rawBody === 'newer' ? run.process(current) : Promise.resolve(DONE)),
  });
  const newer = inboundMessage({ body: 'newer' });
  const late = inboundMessage({ body: 'late', timestamp: newer.timestamp.subtract({ seconds: 5 }) });
  const receipts = [await router.receive(newer)];
  await run.started;
  receipts.push(await router.receive(late));
  run.end();
  await workedOff(receipts);
  expect(bodies()).toEqual(['newer', 'late']);
  expect((await rows()).map(({ status }) => status)).toEqual(['done', 'done']);
});

it('what an earlier process left is let go where a new message takes its place, for its signs may still stand', async () => {
  const before = await setUpRouter({ mode: () => 'interrupt', whenReady: new Promise(() => undefined) });
  await before.router.receive(inboundMessage({ body: 'left' }));
  const ready = Promise.withResolvers<boolean>();
  const after = await setUpRouter({
    storage: before.storage,
    mode: () => 'interrupt',
    whenReady: ready.promise,
    process: async ({ signal }) => (signal.aborted ? { outcome: 'superseded' } : DONE),
  });
  await after.router.recover(() => true);
  const receipt = await after.router.receive(inboundMessage({ body: 'instead' }));
  ready.resolve(true);
  await workedOff([receipt]);
  await expect.poll(() => after.runs.length, { interval: 1 }).toBe(2);
  expect(after.runs.map(({ ctx, signal }) => [ctx.rawBody, signal.aborted])).toEqual(
    expect.arrayContaining([
      ['left', true],
      ['instead', false],
    ]),
  );
  expect((await after.rows()).map(({ status }) => status)).toEqual(['superseded', 'done']);
});
