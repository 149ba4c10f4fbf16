import { describe, expect, it } from 'vitest';
import { asId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { MsgContext, MessageChange } from '#src/kernel/chat/message.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { held, setUpRouter, workedOff } from './router-fixture.ts';

const changeOf = (message: MsgContext, what: { readonly body: string } | 'deleted'): MessageChange => {
  const { channelId, accountId, chatId, messageId } = message;
  const place = { channelId, accountId, chatId, messageId };
  return what === 'deleted' ? { ...place, kind: 'deleted' } : { ...place, kind: 'edited', body: what.body };
};

const NO_X = {
  name: 'no-x',
  check: ({ body }: MsgContext) =>
    body.includes('X')
      ? { verdict: 'drop' as const, reason: 'x', reply: 'no X here' }
      : body === ''
        ? { verdict: 'drop' as const, reason: 'blank' }
        : { verdict: 'pass' as const },
};

/** One message is being answered, another waits behind it. */
const oneWaiting = async (untilKnown: (event: { readonly id: string }) => Promise<void> = async () => {}) => {
  const run = held();
  const fixture = await setUpRouter({
    contentGates: [NO_X],
    wrapInbox: (inbox) => ({
      ...inbox,
      isKnown: async (event) => {
        await untilKnown(event);
        return inbox.isKnown(event);
      },
    }),
    process: (current) =>
      current.ctx.rawBody === 'first' ? run.process(current) : Promise.resolve({ outcome: 'done' }),
  });
  const first = inboundMessage({ body: 'first' });
  const second = inboundMessage({ body: 'second' });
  const receipts = [await fixture.router.receive(first)];
  await run.started;
  receipts.push(await fixture.router.receive(second));
  const finish = async () => {
    run.end();
    await workedOff(receipts);
  };
  return { ...fixture, first, second, finish };
};

describe('a message that is edited on the platform', () => {
  it('is answered as it reads now, where it still waits', async () => {
    const { router, second, finish, bodies, emitted } = await oneWaiting();
    expect(await router.revise(changeOf(second, { body: '두 번째 🙂' }))).toBe('changed');
    expect(emitted.at(-1)).toMatchObject(['inbox:revise', { kind: 'edited' }]);
    await finish();
    expect(bodies()).toEqual(['first', '두 번째 🙂']);
  });

  it('does not wait for other messages that are still arriving', async () => {
    const answered = Promise.withResolvers<void>();
    const slow = inboundMessage({ body: 'slow', chatType: 'channel', threadId: asId<ThreadId>('t2') });
    const { router, second, finish, bodies } = await oneWaiting((event) =>
      event.id === slow.id ? answered.promise : Promise.resolve(),
    );
    const receiving = router.receive(slow);
    expect(await router.revise(changeOf(second, { body: 'corrected' }))).toBe('changed');
    answered.resolve();
    await workedOff([await receiving]);
    await finish();
    expect(bodies()).toEqual(['first', 'slow', 'corrected']);
  });

  it('stays what it was, once its answer is being made', async () => {
    const { router, first, second, finish, bodies } = await oneWaiting();
    expect(await router.revise(changeOf(first, { body: 'other' }))).toBe('too-late');
    await finish();
    expect(await router.revise(changeOf(second, { body: 'other' }))).toBe('too-late');
    expect(bodies()).toEqual(['first', 'second']);
  });

  it('is withdrawn, and its sender told, where its new words are refused', async () => {
    const { router, second, finish, bodies, rows, notices } = await oneWaiting();
    expect(await router.revise(changeOf(second, { body: 'with X' }))).toBe('withdrawn');
    expect(notices.map(([, text]) => text)).toEqual(['no X here']);
    await finish();
    expect(bodies()).toEqual(['first']);
    expect((await rows()).map(({ status }) => status)).toEqual(['done', 'withdrawn']);
  });

  it('is withdrawn without a word where nothing is left of it', async () => {
    const { router, second, notices } = await oneWaiting();
    expect(await router.revise(changeOf(second, { body: '' }))).toBe('withdrawn');
    expect(notices).toEqual([]);
  });

  it('cannot be reached from another chat, and an unknown one changes nothing', async () => {
    const { router, second, finish, bodies } = await oneWaiting();
    const elsewhere = {
      ...changeOf(second, { body: 'other' }),
      chatId: asId<MsgContext['chatId']>('else'),
    };
    expect(await router.revise(elsewhere)).toBe('too-late');
    const unknown = { ...changeOf(second, { body: 'other' }), messageId: asId<MessageId>('nobody') };
    expect(await router.revise(unknown)).toBe('too-late');
    await finish();
    expect(bodies()).toEqual(['first', 'second']);
  });
});

describe('a message that is deleted on the platform', () => {
  it('is not answered, where it still waits, and takes no place any more', async () => {
    const { router, second, finish, bodies, rows, queue } = await oneWaiting();
    expect(await router.revise(changeOf(second, 'deleted'))).toBe('withdrawn');
    expect(await router.revise(changeOf(second, 'deleted'))).toBe('too-late');
    await finish();
    expect(bodies()).toEqual(['first']);
    expect((await rows()).map(({ status }) => status)).toEqual(['done', 'withdrawn']);
    expect(queue.sessionCount).toBe(0);
  });

  it('is gone also when it is deleted in the moment it arrives', async () => {
    const { router, finish, bodies } = await oneWaiting();
    const third = inboundMessage({ body: 'third' });
    const receiving = router.receive(third);
    expect(await router.revise(changeOf(third, 'deleted'))).toBe('withdrawn');
    await workedOff([]);
    await receiving;
    await finish();
    expect(bodies()).toEqual(['first', 'second']);
  });

  it('is not answered when it arrives in the moment after its deletion', async () => {
    const { router, bodies } = await setUpRouter();
    const message = inboundMessage({ body: 'gone' });
    const revised = router.revise(changeOf(message, 'deleted'));
    expect(await router.receive(message)).toMatchObject({ outcome: 'dropped', reason: 'deleted-before' });
    expect([await revised, bodies()]).toEqual(['too-late', []]);
  });
});
