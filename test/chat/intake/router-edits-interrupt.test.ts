import { describe, expect, it } from 'vitest';
import type { InboundMessage } from '#src/kernel/message.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { DONE, held, setUpRouter, workedOff } from '#test/chat/intake/router-fixture.ts';

const placeOf = ({ channelId, accountId, chatId, messageId }: InboundMessage) => ({
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
