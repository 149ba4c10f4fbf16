import { describe, expect, it } from 'vitest';
import { marketNoteMessages } from '#src/kernel/messages/market-notes.ts';
import type { MediaAttachment } from '#src/kernel/message.ts';
import { fact, NEVER_ABORTED, setUpDelivery } from '#test/chat/stages/support.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext } from '#test/support/context.ts';

const FILE: MediaAttachment = {
  kind: 'file',
  mimeType: 'text/markdown',
  name: '대화 2026-11-14.md',
  url: 'file:///data/exports/%EB%8C%80%ED%99%94.md',
  sizeBytes: 42,
};
const CHART: MediaAttachment = {
  kind: 'image',
  mimeType: 'image/png',
  name: 'c.png',
  url: 'file:///data/c.png',
  altText: 'A chart',
};
const THREE = ['first part 123456', 'second part 12345', 'third part 123456'];

const mediaOf = (channel: TestChannel) => channel.sent.map(({ payload }) => payload.media);

describe('files of an answer', () => {
  it('go along with it, as they are', async () => {
    const { delivery, channel } = await setUpDelivery();
    await delivery.deliver(msgContext(), { text: 'Here.', media: [FILE, CHART] }, channel, NEVER_ABORTED);
    expect(channel.sent).toMatchObject([{ payload: { text: 'Here.' } }]);
    expect(mediaOf(channel)).toEqual([[FILE, CHART]]);
  });

  it('are not there where there are none', async () => {
    const { delivery, channel } = await setUpDelivery();
    await delivery.deliver(msgContext(), { text: 'Nothing.' }, channel, NEVER_ABORTED);
    expect(channel.sent[0]?.payload).not.toHaveProperty('media');
  });

  it('go with the last part of a long one', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 34 });
    const reply = { text: THREE.join('\n'), media: [FILE] };
    await delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    expect(channel.texts).toEqual(THREE);
    expect(mediaOf(channel)).toEqual([undefined, undefined, [FILE]]);
  });

  it('go with the part that marks made-up numbers, where that is the last', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 80 });
    const reply = { text: 'a'.repeat(70), media: [CHART], facts: [fact(true)] };
    await delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    expect(channel.texts.at(-1)).toContain(marketNoteMessages('en').sampleMark());
    expect(mediaOf(channel)).toEqual([undefined, [CHART]]);
  });

  it('are shown to the sender alone with an answer that is', async () => {
    const { delivery, channel } = await setUpDelivery();
    const reply = { text: 'Here.', media: [FILE], ephemeral: true };
    await delivery.deliver(msgContext(), reply, channel, NEVER_ABORTED);
    expect(channel.sent[0]?.payload).toEqual({ ...reply, locale: 'en' });
  });

  it('are sent again with a part that the platform did not take at first', async () => {
    const { delivery, channel, clock } = await setUpDelivery();
    channel.failNextSends(2);
    const delivered = delivery.deliver(
      msgContext(),
      { text: 'Here.', media: [FILE] },
      channel,
      NEVER_ABORTED,
    );
    await clock.advance(10_000);
    expect(await delivered).toMatchObject({ failed: 0 });
    expect(channel.attempts.map(({ payload }) => payload.media)).toEqual([[FILE], [FILE], [FILE]]);
  });

  it('are still there after a restart', async () => {
    const { delivery, channel } = await setUpDelivery({ maxMessageLength: 34 });
    const ctx = msgContext();
    const down = AbortSignal.abort(new Error('going down'));
    const reply = { text: THREE.join('\n'), media: [FILE, CHART] };
    await expect(delivery.deliver(ctx, reply, channel, down)).rejects.toThrow('going down');
    const next = new TestChannel();
    await delivery.resume(ctx.inboxId, next, NEVER_ABORTED);
    expect(mediaOf(next)).toEqual([undefined, undefined, [FILE, CHART]]);
  });

  it('are taken back with what was not sent', async () => {
    const { delivery } = await setUpDelivery();
    const ctx = msgContext();
    const down = AbortSignal.abort(new Error('going down'));
    const planned = delivery.deliver(ctx, { text: 'Here.', media: [FILE] }, new TestChannel(), down);
    await expect(planned).rejects.toThrow('going down');
    const next = new TestChannel();
    await delivery.closeWith(ctx, 'Stopped.', next, NEVER_ABORTED);
    expect(next.texts).toEqual(['Stopped.']);
    expect(mediaOf(next)).toEqual([undefined]);
  });
});
