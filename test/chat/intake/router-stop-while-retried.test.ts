import { expect, it } from 'vitest';
import { inboundMessage } from '#test/support/messages.ts';
import { setUpRouter, workedOff } from '#test/chat/intake/router-fixture.ts';

it('a message that is stopped while the database is out of reach is over, also after a restart', async () => {
  let failures = 1;
  const { router, queue, clock, rows } = await setUpRouter({
    wrapInbox: (inbox) => ({
      ...inbox,
      begin: (...given) =>
        (failures -= 1) >= 0 ? Promise.reject(new Error('database is locked')) : inbox.begin(...given),
    }),
  });
  const receipt = await router.receive(inboundMessage({ body: 'one' }));
  await clock.advance(0);
  if (receipt.outcome !== 'accepted') throw new Error('not accepted');
  const stopping = queue.stop(receipt.sessionKey);
  await clock.advance(60_000);
  expect(await stopping).toBe('stopped');
  await workedOff([receipt]);
  expect((await rows()).map(({ status }) => status)).toEqual(['done']);
});
