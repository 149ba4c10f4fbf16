import { expect, it } from 'vitest';
import { ChannelError } from '#src/kernel/errors.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { createDelivery } from '#src/chat/reply/delivery.ts';
import { NEVER_ABORTED, setUpDelivery } from '#test/chat/stages/support.ts';
import { msgContext } from '#test/support/context.ts';

it('a sentence about a failure takes no place that a part of the answer has', async () => {
  const { outbox, clock, recorded, channel } = await setUpDelivery({ maxMessageLength: 20 });
  const delivery = createDelivery({
    outbox,
    maxResponseLength: 20_000,
    shownLive: async () => asId<MessageId>('live-1'),
    clock,
    events: recorded.events,
  });
  channel.onSend = ({ replaces, payload }) => {
    if (replaces === undefined && !payload.isClosing) throw new ChannelError('refused', 'no');
  };
  const ctx = msgContext();
  await delivery.deliver(ctx, { text: 'one part of it.\n\nanother part of it.' }, channel, NEVER_ABORTED);
  await delivery.closeWith(ctx, 'It failed.', channel, NEVER_ABORTED);
  expect(channel.sent.map(({ payload, replaces }) => [payload.text, replaces])).toEqual([
    ['one part of it.', 'live-1'],
    ['It failed.', undefined],
  ]);
});
