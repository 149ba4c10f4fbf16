import { expect, it } from 'vitest';
import { ChannelError } from '#src/core/errors.ts';
import { asId, type ChatId, type UserId } from '#src/core/ids.ts';
import { HOUR_MS, setUpNotifier, targetOf } from './notifier-support.ts';

it('what a place does not take is told to the person in private', async () => {
  const { clock, notifier, channel } = await setUpNotifier();
  const room = asId<ChatId>('room');
  Object.assign(channel, {
    directTarget: async () => targetOf('mina', { isDirect: true }),
  });
  channel.onSend = ({ target }) => {
    if (target.chatId === room)
      throw new ChannelError('refused', 'Slack refused chat.postMessage: not_in_channel');
  };
  await notifier.start();
  await notifier.notify(targetOf('room', { recipientId: asId<UserId>('mina') }), {
    text: 'AAPL is above 200',
  });
  for (let hour = 0; hour < 30; hour += 1) await clock.advance(HOUR_MS);
  expect(channel.texts.join('\n')).toContain('AAPL is above 200');
});
