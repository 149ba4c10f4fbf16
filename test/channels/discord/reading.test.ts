import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiscordChannel } from '#channels/discord/adapter.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type MessageId,
  type UserId,
} from '#src/kernel/ids.ts';
import { type MsgContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { FakeChannel, FakeUser } from '#test/fakes/discord/seen.ts';
import { recordingLogger } from '#test/support/context.ts';
import { type Bot, NEVER, only, openBot } from './fixture.ts';

describe('what the bot reads on Discord', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  beforeAll(async () => {
    bot = await openBot();
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim', displayName: 'Kim' });
  });
  afterAll(() => bot[Symbol.asyncDispose]());

  it('is the earlier messages, the oldest first, with names instead of ids', async () => {
    const { fake, channel, host } = bot;
    const old = fake.say(person, room, 'the very first');
    for (let index = 0; index < 4; index += 1) fake.say(person, room, `number ${index}`);
    fake.systemMessage(room, 7, person);
    fake.sayAsBot(room, `ask <@${person.id}> in <#${room.id}>`);
    fake.say(person, room, { stickers: ['Wave'] });
    const call = fake.reply(person, old, `${fake.mention()} what was that?`);
    const called = await fake.until(() => host.received.find(({ id }) => (id as string) === call.id));

    const earlier = await channel.readHistory?.(
      {
        target: replyTargetOf(called),
        before: called.messageId,
        replyToMessageId: asId<MessageId>(old.id),
        limit: 4,
      },
      NEVER,
    );

    expect(earlier?.map(({ text, authorName, isOurs }) => [text, authorName, isOurs])).toEqual([
      ['the very first', 'Kim', false],
      ['number 3', 'Kim', false],
      ['ask @Kim in #stocks', fake.bot.displayName, true],
      ['[sticker: Wave]', 'Kim', false],
    ]);
  });

  it('is the root of a thread, from its channel or from the post of a forum', async () => {
    const { fake, channel, host } = bot;
    const guild = fake.addGuild({ name: 'b' });
    const text = fake.addChannel(guild, { name: 'x' });
    const root = fake.say(person, text, 'is HYNIX cheap?');
    const threads = [
      fake.addThread(text, { name: 'on it', starter: root }),
      // Not every thread hangs on a message.
      fake.addThread(text, { name: 'on nothing' }),
      fake.addThread(fake.addChannel(guild, { name: 'y', kind: 'forum' }), { name: 'a post' }),
    ];
    const roots = await Promise.all(
      threads.map(async (thread) => {
        const said = fake.say(person, thread, 'hello');
        const heard = await fake.until(() => host.received.find(({ id }) => (id as string) === said.id));
        return (await channel.readRoot?.(replyTargetOf(heard), NEVER))?.text;
      }),
    );
    expect(roots).toEqual(['is HYNIX cheap?', undefined, undefined]);
    const [, , post] = threads;
    expect(entriesOf(fake.history, 'request').map(({ path }) => path)).toContain(
      `/api/v10/channels/${post?.id}/messages/${post?.id}`,
    );
  });

  it('is an error until the bot knows its id, because its own messages would look like those of others', async () => {
    const { fake } = bot;
    const settings = { token: fake.token, apiUrl: fake.apiUrl };
    const { logger } = recordingLogger();
    const channel = createDiscordChannel({ settings, clock: systemClock, logger, locale: 'en' });
    const said = fake.say(person, room, 'hello');
    const called = await fake.until(() => bot.host.received.find(({ id }) => (id as string) === said.id));
    const query = { target: replyTargetOf(called), before: called.messageId, limit: 4 };
    await expect(channel.readHistory?.(query, NEVER)).rejects.toThrow('the id of the bot is not known yet');
  });

  it('are attachments from Discord hosts only', async () => {
    const { fake, channel, host } = bot;
    host.received.length = 0;
    fake.sayDirect(person, {
      content: 'see',
      attachments: [
        { name: 'a.csv', bytes: 'x,y', contentType: 'text/csv; charset=utf-8', description: 'data' },
      ],
    });
    const message: MsgContext = only(await bot.received(1));
    const file = only(message.media ?? []);
    expect(file).toMatchObject({
      kind: 'file',
      mimeType: 'text/csv',
      name: 'a.csv',
      sizeBytes: 3,
      altText: 'data',
    });
    expect(new TextDecoder().decode(await channel.readMedia?.(file, 100, NEVER))).toBe('x,y');
    for (const url of ['http://127.0.0.1:9/x', 'https://evil.example/x', 'file:///etc/passwd', 'nonsense'])
      await expect(channel.readMedia?.({ ...file, url }, 100, NEVER)).rejects.toThrow(
        'not on a host of Discord',
      );
    await expect(channel.readMedia?.({ ...file, sizeBytes: 101 }, 100, NEVER)).rejects.toThrow('too large');
    // More comes than was told.
    await expect(channel.readMedia?.({ ...file, sizeBytes: 1 }, 2, NEVER)).rejects.toThrow('too large');
    await expect(
      channel.readMedia?.({ ...file, url: `${fake.origin}/attachments/1/2/gone.csv` }, 100, NEVER),
    ).rejects.toThrow('404');
  });
});

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
