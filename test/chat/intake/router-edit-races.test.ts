import { expect, it } from 'vitest';
import type { InboundMessage, MessageChange } from '#src/kernel/message.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, setUpRouter, workedOff } from '#test/chat/intake/router-fixture.ts';

const edited = (
  { channelId, accountId, chatId, messageId }: InboundMessage,
  body: string,
): MessageChange => ({
  channelId,
  accountId,
  chatId,
  messageId,
  kind: 'edited',
  body,
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
