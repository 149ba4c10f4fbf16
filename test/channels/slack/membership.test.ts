import { expect, it } from 'vitest';
import { NEVER, setUpChannel, targetIn } from './fixture.ts';

it('whether somebody is still in a channel on Slack is asked of the channel', async () => {
  const { fake, channel } = await setUpChannel();
  const { id } = fake.general;
  const { members } = fake.general;
  const ask = () => channel.membership?.(targetIn(id, fake.alice.id), NEVER);
  expect(await ask()).toBe('member');
  fake.fail('conversations.members', { kind: 'status', status: 503 });
  await expect(ask()).rejects.toThrow();
  fake.changeChannel(id, { members: members.filter((user) => user !== fake.alice.id) });
  expect(await ask()).toBe('left');
  // Behind the first page of a large channel.
  const others = Array.from({ length: 1_500 }, (_, index) => `U0${index}`);
  fake.changeChannel(id, {
    members: [...members.filter((user) => user !== fake.alice.id), ...others, fake.alice.id],
  });
  expect(await ask()).toBe('member');
  fake.changeChannel(id, { members: members.filter((user) => user === fake.alice.id) });
  expect(await ask()).toBe('bot-removed');
  fake.changeChannel(id, { members });
  fake.changeUser(fake.alice.id, { isDeleted: true });
  expect(await ask()).toBe('left');
});
