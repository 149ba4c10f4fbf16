import { describe, expect, it } from 'vitest';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { asId, type ChatId, type ThreadId } from '#src/kernel/ids.ts';
import { targetOf } from '#src/chat/delivery/delivery.ts';
import { fact, NEVER_ABORTED, setUpDelivery } from '#test/chat/pipeline/support.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext } from '#test/support/context.ts';

/** Three lines, of which no two fit into a message of 34 characters. */
const THREE = ['first part 123456', 'second part 12345', 'third part 123456'];
const setUp = () => setUpDelivery({ maxMessageLength: 34 });
const reply = { text: THREE.join('\n') };

/** A process that went down while it sent the second of three parts. */
const interrupted = async () => {
  const base = await setUp();
  const ctx = msgContext();
  const controller = new AbortController();
  base.channel.onSend = ({ payload }) => {
    if (payload.text.startsWith('second')) controller.abort(new Error('going down'));
    controller.signal.throwIfAborted();
  };
  await expect(base.delivery.deliver(ctx, reply, base.channel, controller.signal)).rejects.toThrow(
    'going down',
  );
  return { ...base, ctx, next: new TestChannel({ maxMessageLength: 34 }) };
};

describe('createDelivery', () => {
  it('sends a short answer as one message, to the message it answers', async () => {
    const { delivery, channel, rows, recorded } = await setUpDelivery();
    const ctx = msgContext();
    const report = await delivery.deliver(ctx, { text: 'Apple rose.' }, channel, NEVER_ABORTED);
    expect(report).toMatchObject({ parts: 1, failed: 0 });
    expect(channel.sent).toMatchObject([{ payload: { text: 'Apple rose.' }, target: targetOf(ctx) }]);
    expect(channel.sent[0]?.payload).not.toHaveProperty('ephemeral');
    expect(await rows()).toMatchObject([
      {
        inbox_id: ctx.inboxId,
        status: 'sent',
        attempts: 1,
        platform_message_id: channel.sent[0]?.messageId,
        sent_at: '2026-11-13T06:30:00.000Z',
      },
    ]);
    const deliveryId = channel.sent[0]?.deliveryId;
    expect(recorded.payloads('delivery:sent')).toMatchObject([
      { deliveryId, channelId: 'test', attempts: 1, durationMs: 0 },
    ]);
  });

  it('answers in the thread of the message, and in its chat, not to its sender', () => {
    const threadId = asId<ThreadId>('thread-7');
    const ctx = msgContext({
      messageThreadId: threadId,
      chatId: asId<ChatId>('general'),
      chatType: 'channel',
    });
    expect(targetOf(ctx)).toEqual({
      channelId: 'test',
      accountId: 'local',
      chatId: 'general',
      threadId: 'thread-7',
      replyToMessageId: 'question-1',
      recipientId: 'mina',
    });
    expect(targetOf(msgContext())).not.toHaveProperty('threadId');
  });

  it('has every part in the outbox before the first is sent', async () => {
    const { delivery, channel, statuses } = await setUp();
    const seen: (readonly string[])[] = [];
    channel.onSend = async () => {
      seen.push(await statuses());
    };
    await delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    expect(seen).toEqual([
      ['pending', 'pending', 'pending'],
      ['sent', 'pending', 'pending'],
      ['sent', 'sent', 'pending'],
    ]);
  });

  it('sends the parts in order, one after the other, each under an id of its own', async () => {
    const { delivery, channel, clock, rows } = await setUp();
    channel.delaySends(1_000, clock);
    const delivered = delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    await clock.advance(1_500);
    expect(channel.attempts).toHaveLength(2);
    expect(channel.texts).toEqual(THREE.slice(0, 1));
    await clock.advance(2_000);
    expect(await delivered).toMatchObject({ parts: 3, failed: 0 });
    expect(channel.texts).toEqual(THREE);
    const ids = channel.sent.map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(3);
    expect((await rows()).map(({ id }) => id)).toEqual(ids);
    // Only the first one is a reply on the platform.
    expect(channel.sent.map(({ isContinued = false }) => isContinued)).toEqual([false, true, true]);
  });

  it('sends every part to the sender alone when the reply is ephemeral', async () => {
    const { delivery, channel } = await setUp();
    await delivery.deliver(msgContext(), { ...reply, ephemeral: true }, channel, NEVER_ABORTED);
    expect(channel.sent.map(({ payload }) => payload.ephemeral)).toEqual([true, true, true]);
  });

  it('keeps the answers of two messages apart', async () => {
    const { delivery, channel } = await setUpDelivery();
    await delivery.deliver(msgContext(), { text: 'one' }, channel, NEVER_ABORTED);
    await delivery.deliver(msgContext(), { text: 'two' }, channel, NEVER_ABORTED);
    expect(channel.texts).toEqual(['one', 'two']);
  });
});

describe('createDelivery, when the platform fails', () => {
  it('tries a part again with the same id until it is taken', async () => {
    const { delivery, channel, clock, rows, recorded } = await setUpDelivery();
    channel.failNextSends(2);
    const delivered = delivery.deliver(msgContext(), { text: 'Apple rose.' }, channel, NEVER_ABORTED);
    await clock.advance(10_000);
    expect(await delivered).toMatchObject({ parts: 1, failed: 0 });
    expect(channel.texts).toEqual(['Apple rose.']);
    expect(new Set(channel.attempts.map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 3 }]);
    expect(recorded.payloads('delivery:sent')).toMatchObject([{ attempts: 3 }]);
    expect(recorded.payloads('delivery:failed')).toEqual([]);
  });

  it('gives a part up after three tries, marks it failed and goes on with the next', async () => {
    const { delivery, channel, clock, statuses, rows, recorded } = await setUp();
    const refused = new Error('the platform refuses this text');
    channel.onSend = ({ payload }) => {
      if (payload.text.startsWith('second')) throw refused;
    };
    const delivered = delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    await clock.advance(60_000);
    expect(await delivered).toMatchObject({ parts: 3, failed: 1 });
    expect(channel.texts).toEqual([THREE[0], THREE[2]]);
    expect(await statuses()).toEqual(['sent', 'failed', 'sent']);
    const failedId = (await rows())[1]?.id;
    expect((await rows())[1]?.attempts).toBe(3);
    expect(recorded.payloads('delivery:failed')).toMatchObject([
      { deliveryId: failedId, channelId: 'test', error: refused },
    ]);
    expect(recorded.payloads('delivery:sent')).toHaveLength(2);
  });

  it('makes the first part that arrives the reply, whether or not it is the first of all', async () => {
    const { delivery, channel, clock } = await setUp();
    channel.onSend = ({ payload }) => {
      if (payload.text === THREE[0]) throw new Error('the platform refuses this text');
    };
    const delivered = delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    await clock.advance(60_000);
    await delivered;
    expect(channel.texts).toEqual(THREE.slice(1));
    expect(channel.sent.map(({ isContinued = false }) => isContinued)).toEqual([false, true]);
  });

  it('leaves what was not sent pending when the run is aborted in the middle', async () => {
    const { delivery, channel, clock, statuses, recorded } = await setUp();
    const controller = new AbortController();
    const reason = new Error('going down');
    channel.onSend = ({ payload }) => {
      if (payload.text.startsWith('second')) channel.hangSends();
    };
    const rejected = expect(delivery.deliver(msgContext(), reply, channel, controller.signal)).rejects.toBe(
      reason,
    );
    await clock.advance(0);
    controller.abort(reason);
    await rejected;
    expect(await statuses()).toEqual(['sent', 'pending', 'pending']);
    expect(channel.texts).toEqual(THREE.slice(0, 1));
    expect(recorded.payloads('delivery:failed')).toEqual([]);
  });

  it('neither retries nor gives up a part that fails while the run is being aborted', async () => {
    const { delivery, channel, clock, statuses } = await setUp();
    const controller = new AbortController();
    const reason = new Error('going down');
    channel.failNextSends(9);
    channel.onSend = () => controller.abort(reason);
    const delivered = delivery.deliver(msgContext(), reply, channel, controller.signal);
    await expect(delivered).rejects.toBe(reason);
    await clock.advance(60_000);
    expect(channel.attempts).toHaveLength(1);
    expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
  });

  it('plans the answer but sends nothing when the run was aborted before', async () => {
    const { delivery, channel, statuses } = await setUp();
    const reason = new Error('going down');
    const delivered = delivery.deliver(msgContext(), reply, channel, AbortSignal.abort(reason));
    await expect(delivered).rejects.toBe(reason);
    expect(channel.attempts).toEqual([]);
    expect(await statuses()).toEqual(['pending', 'pending', 'pending']);
  });

  it('rejects, having sent nothing, when the outbox cannot be written', async () => {
    const { delivery, channel, storage } = await setUpDelivery();
    await storage.db.schema.dropTable('outbox').execute();
    await expect(delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED)).rejects.toThrow('outbox');
    expect(channel.attempts).toEqual([]);
  });
});

describe('createDelivery resume', () => {
  it('sends only the parts that are still pending, in order, under their ids', async () => {
    const { delivery, ctx, next, rows, statuses } = await interrupted();
    const planned = (await rows()).map(({ id }) => id);
    expect(await delivery.resume(ctx.inboxId, next, NEVER_ABORTED)).toMatchObject({ parts: 3, failed: 0 });
    expect(next.texts).toEqual(THREE.slice(1));
    expect(next.sent.map(({ deliveryId }) => deliveryId)).toEqual(planned.slice(1));
    expect(next.sent[0]?.target).toEqual(targetOf(ctx));
    expect(next.attempts.every(({ isContinued }) => isContinued)).toBe(true);
    expect(await statuses()).toEqual(['sent', 'sent', 'sent']);
  });

  it('sends nothing twice, however often it is called', async () => {
    const { delivery, ctx, next } = await interrupted();
    await delivery.resume(ctx.inboxId, next, NEVER_ABORTED);
    expect(await delivery.resume(ctx.inboxId, next, NEVER_ABORTED)).toMatchObject({ parts: 3, failed: 0 });
    expect(next.attempts).toHaveLength(2);
  });

  it('does not try again what the platform refused for good, and counts it', async () => {
    const { delivery, ctx, next, outbox, rows } = await interrupted();
    const refused = (await outbox.partsOf(ctx.inboxId))[1];
    if (!refused) throw new Error('no second part');
    await outbox.markFailed(refused.deliveryId);
    expect(await delivery.resume(ctx.inboxId, next, NEVER_ABORTED)).toMatchObject({ parts: 3, failed: 1 });
    expect(next.texts).toEqual(THREE.slice(2));
    expect((await rows()).map(({ status }) => status)).toEqual(['sent', 'failed', 'sent']);
  });

  it('has no parts for a message that was never answered', async () => {
    const { delivery, channel } = await setUp();
    const report = await delivery.resume(msgContext().inboxId, channel, NEVER_ABORTED);
    expect(report).toMatchObject({ parts: 0, failed: 0 });
    expect(channel.attempts).toEqual([]);
  });

  it('plans an answer once: a second one for the same message is not sent, the first is', async () => {
    const { delivery, ctx, next } = await interrupted();
    await delivery.deliver(ctx, { text: 'another answer' }, next, NEVER_ABORTED);
    expect(next.texts).toEqual(THREE.slice(1));
  });
});

describe('createDelivery closeWith', () => {
  it('takes back what was not sent, keeps what was, and sends the sentence behind it', async () => {
    const { delivery, ctx, next, rows } = await interrupted();
    await delivery.closeWith(ctx, 'Stopped.', next, NEVER_ABORTED);
    expect(next.texts).toEqual(['Stopped.']);
    expect(await rows()).toMatchObject([
      { part_index: 0, status: 'sent' },
      { part_index: 1, status: 'sent' },
    ]);
  });

  it('leaves the answers to other messages alone', async () => {
    const { delivery, ctx, next } = await interrupted();
    await delivery.closeWith(msgContext(), 'Stopped.', next, NEVER_ABORTED);
    await delivery.resume(ctx.inboxId, next, NEVER_ABORTED);
    expect(next.texts).toEqual(['Stopped.', ...THREE.slice(1)]);
  });

  it('is the whole answer when nothing had been planned', async () => {
    const { delivery, channel } = await setUp();
    await delivery.closeWith(msgContext(), 'Something went wrong.', channel, NEVER_ABORTED);
    expect(channel.texts).toEqual(['Something went wrong.']);
  });

  it('tells what was changed, unless the answer with it has arrived', async () => {
    const { delivery, ctx, next } = await interrupted();
    const choices = [{ label: 'Undo', command: '/portfolio undo 1', effect: 'ends' as const }];
    const receipts = [{ effect: 'recorded' as const, text: 'Recorded.', choices }];
    await delivery.closeWith(ctx, 'Stopped.', next, NEVER_ABORTED, receipts);
    expect(next.sent.at(-1)?.payload).toMatchObject({
      text: 'Stopped.\n\nRecorded.',
      choices: [{ label: 'Undo', effect: 'once' }],
    });
    await delivery.closeWith(ctx, 'Once more.', next, NEVER_ABORTED, receipts);
    expect(next.texts.at(-1)).toBe('Once more.');
  });

  it('speaks up behind a part that the platform would not take', async () => {
    const { delivery, channel } = await setUp();
    const ctx = msgContext();
    channel.onSend = ({ payload }) => {
      if (payload.text === reply.text) throw new Error('refused');
    };
    await delivery.closeWith(ctx, 'Not all of it arrived.', channel, NEVER_ABORTED);
    expect(channel.texts).toEqual(['Not all of it arrived.']);
  });
});

describe('createDelivery, the form of an answer', () => {
  it.each(['en', 'ko'] as const)(
    'marks an answer that rests on sample data, once, at its end (%s)',
    async (locale) => {
      const { delivery, channel } = await setUpDelivery();
      const facts = [fact(false), fact(true), fact(true)];
      const mark = marketNoteTexts(locale).sampleMark();
      const answers = ['Apple rose.', `${mark}\n\nApple rose.\n\n${mark}`];
      for (const text of answers)
        await delivery.deliver(msgContext({ locale }), { text, facts }, channel, NEVER_ABORTED);
      expect(channel.texts).toEqual(answers.map(() => `Apple rose.\n\n${mark}`));
    },
  );

  it('marks an answer of several parts once, in the last', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 100 });
    const text = Array(12).fill('Apple rose to 259.58 today.').join('\n');
    await delivery.deliver(msgContext(), { text, facts: [fact(true)] }, channel, NEVER_ABORTED);
    expect(channel.texts.length).toBeGreaterThan(3);
    expect(channel.texts.map((part) => part.includes('SAMPLE'))).toEqual(
      channel.texts.map((_, index, all) => index === all.length - 1),
    );
  });

  it.each([
    { what: 'no facts', facts: undefined },
    { what: 'an empty list', facts: [] },
    { what: 'real facts', facts: [fact(false)] },
  ])('does not mark an answer with $what', async ({ facts }) => {
    const { delivery, channel } = await setUpDelivery();
    await delivery.deliver(
      msgContext(),
      { text: 'Apple rose.', ...(facts && { facts }) },
      channel,
      NEVER_ABORTED,
    );
    expect(channel.texts).toEqual(['Apple rose.']);
  });

  it('cuts an answer that no one could read, says so, and still marks it', async () => {
    const { delivery, channel } = await setUpDelivery({ maxResponseLength: 50 });
    const facts = [fact(true)];
    await delivery.deliver(msgContext(), { text: 'x'.repeat(51), facts }, channel, NEVER_ABORTED);
    expect(channel.texts).toEqual([`${'x'.repeat(45)}\n\n[…]\n\n${marketNoteTexts('en').sampleMark()}`]);
  });

  it('does not cut an answer of exactly the limit', async () => {
    const { delivery, channel } = await setUpDelivery({ maxResponseLength: 50 });
    await delivery.deliver(msgContext(), { text: 'x'.repeat(50) }, channel, NEVER_ABORTED);
    expect(channel.texts).toEqual(['x'.repeat(50)]);
  });
});
