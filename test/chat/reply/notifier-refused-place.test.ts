import { expect, it } from 'vitest';
import { ChannelError } from '#src/kernel/errors.ts';
import { failureMessages } from '#src/chat/reply/messages.ts';
import { asId, type ChatId, type UserId } from '#src/kernel/ids.ts';
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

it('who has closed their direct chat is told so where they asked, and gets it once it is open', async () => {
  const { clock, notifier, channel } = await setUpNotifier();
  let isClosed = true;
  channel.onSend = ({ target }) => {
    if (isClosed && target.isDirect) throw new ChannelError('refused', 'Cannot send messages to this user');
  };
  await notifier.start();
  const askedIn = { chatId: asId<ChatId>('room') };
  await notifier.notify(targetOf('mina', { isDirect: true, askedIn }), {
    text: 'AAPL is above 200',
    locale: 'ko',
    mentions: asId<UserId>('mina'),
  });
  await clock.advance(60_000);
  await clock.advance(60_000);
  expect(channel.sent.map(({ target, payload }) => [target.chatId, payload])).toEqual([
    ['room', { text: failureMessages('ko').alertNotDelivered(), locale: 'ko', mentions: 'mina' }],
  ]);
  isClosed = false;
  for (let hour = 0; hour < 2; hour += 1) await clock.advance(HOUR_MS);
  expect(channel.sent.map(({ target }) => target.chatId)).toEqual(['room', 'mina']);
});
