import { expect, it } from 'vitest';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { FakeChannel, FakeUser } from '#test/fakes/discord/seen.ts';
import { NEVER, openBot } from './fixture.ts';

it('whether somebody is still in a channel on Discord is asked over REST', async () => {
  await using bot = await openBot();
  const { fake, channel } = bot;
  const guild = fake.addGuild({ name: 'a' });
  const room = fake.addChannel(guild, { name: 'stocks' });
  const ann = fake.addUser({ name: 'ann' });
  fake.addMember(guild, ann);
  const membershipOf = (user: FakeUser, place: FakeChannel) =>
    channel.membership?.(
      {
        channelId: asId<ChannelId>('discord'),
        accountId: asId<AccountId>('app'),
        chatId: asId<ChatId>(place.id),
        recipientId: asId<UserId>(user.id),
      },
      NEVER,
    );
  expect(await membershipOf(ann, room)).toBe('member');
  fake.faults.setDown(true);
  await expect(membershipOf(ann, room)).rejects.toThrow();
  fake.faults.setDown(false);
  fake.removeMember(guild, ann);
  expect(await membershipOf(ann, room)).toBe('left');
  fake.addMember(guild, ann);
  fake.removeGuild(guild);
  expect(await membershipOf(ann, room)).toBe('bot-removed');
});
