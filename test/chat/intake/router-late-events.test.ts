import { expect, it } from 'vitest';
import type { InboundMessage } from '#src/kernel/message.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, setUpRouter, workedOff } from './router-fixture.ts';

const placeOf = ({ channelId, accountId, chatId, messageId }: InboundMessage) => ({
  channelId,
  accountId,
  chatId,
  messageId,
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
