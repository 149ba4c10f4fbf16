import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf } from '#test/fakes/discord/history.ts';
import { type Bot, hurriedClock, makeBot, openBot } from './fixture.ts';
import type { FakeUser } from '#test/fakes/discord/seen.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { ODD_EVENTS, type Place } from './payloads.ts';

describe('what people say on Discord', () => {
  let bot: Bot & AsyncDisposable;
  beforeAll(async () => {
    bot = await openBot({}, { clock: hurriedClock });
  });
  afterAll(() => bot[Symbol.asyncDispose]());

  it('arrives with its author, place and roles', async () => {
    const { fake, host, channel } = bot;
    expect(channel.isConnected()).toBe(true);
    const guild = fake.addGuild({ name: '투자방', locale: 'ko' });
    const role = fake.addRole(guild, { name: 'trader' });
    const person = fake.addUser({ name: 'kim', displayName: '김민수' });
    fake.addMember(guild, person, { roles: [role], nickname: '민수', managesGuild: true });
    const room = fake.addChannel(guild, { name: 'stocks' });
    const said = fake.say(person, room, `${fake.mention()} 삼성전자 어때?`);

    const [message] = await bot.received(1);

    expect(message).toMatchObject({
      id: said.id,
      messageId: said.id,
      channelId: 'discord',
      accountId: fake.applicationId,
      chatId: room.id,
      chatType: 'channel',
      guildId: guild.id,
      groupSubject: 'stocks',
      senderId: person.id,
      senderName: '민수',
      isFromSelf: false,
      isFromBot: false,
      mentionsBot: true,
      managesGuild: true,
      locale: 'ko',
      body: `${fake.mention()} 삼성전자 어때?`,
    });
    expect(message?.threadId).toBeUndefined();
    expect(message?.senderRoles).toEqual(expect.arrayContaining([role.id, `${guild.id}:trader`]));
    expect(message?.timestamp.epochMilliseconds).toBe(said.atMs);
    const isRemembered = (): boolean => host.seen.some((at) => at.epochMilliseconds === said.atMs);
    await fake.until(isRemembered, { what: 'progress' });
  });

  it('is one conversation for each person, thread and forum post', async () => {
    const { fake, host } = bot;
    host.received.length = 0;
    const guild = fake.addGuild({ name: 'b' });
    const person = fake.addUser({ name: 'lee' });
    const forum = fake.addChannel(guild, { name: 'ideas', kind: 'forum' });
    const post = fake.addThread(forum, { name: 'SK hynix', owner: person });
    const direct = fake.sayDirect(person, 'hi');
    fake.say(person, post, 'a follow-up');
    const [first, second] = await bot.received(2);
    const [a, b] = first?.chatType === 'direct' ? [first, second] : [second, first];

    expect(a).toMatchObject({ chatId: person.id, chatType: 'direct', messageId: direct.id });
    expect(a).not.toHaveProperty('guildId');
    expect(b).toMatchObject({
      chatId: forum.id,
      threadId: post.id,
      mentionsBot: false,
      groupSubject: 'ideas',
      threadTitle: 'SK hynix',
    });

    const joined = () =>
      entriesOf(fake.history, 'request').filter(({ route }) => route.endsWith('/thread-members/@me'));
    expect(joined()).toEqual([]);
    const reply = fake.reply(person, fake.sayAsBot(post, 'an answer'), 'and now?');
    const third = (await bot.received(3))[2];
    expect(third).toMatchObject({ messageId: reply.id, mentionsBot: true });
    expect(third?.replyToMessageId).toBeDefined();
    await fake.until(() => joined().length === 1, { what: 'the thread joined' });
  });

  it('stays in order, and edits and deletions follow their message', async () => {
    const { fake, host } = bot;
    host.received.length = 0;
    const person = fake.addUser({ name: 'park' });
    const accept = host.onReceive;
    host.onReceive = async (message) => {
      if (message.body === 'one') await new Promise((resolve) => setTimeout(resolve, 30));
      return accept(message);
    };
    const first = fake.sayDirect(person, 'one');
    fake.sayDirect(person, 'two');
    fake.edit(first, 'one, mended');
    fake.remove(first);
    const storedBefore: number[] = [];
    host.onRevise = () => void storedBefore.push(host.received.length);

    await fake.until(() => host.changes.length === 2, { what: 'two changes' });
    host.onReceive = accept;

    expect(host.received.map(({ body }) => body)).toEqual(['one', 'two']);
    expect(storedBefore).toEqual([2, 2]);
    const place = { channelId: 'discord', accountId: fake.applicationId, chatId: person.id };
    expect(host.changes).toEqual([
      { ...place, kind: 'edited', messageId: first.id, body: 'one, mended' },
      { ...place, kind: 'deleted', messageId: first.id },
    ]);
  });

  it('is stored with retries, and its sender is told if that fails', async () => {
    const { fake, host, channel } = bot;
    host.received.length = 0;
    const accept = host.onReceive;
    let attempts = 0;
    host.onReceive = () => {
      attempts += 1;
      throw new Error('disk full');
    };
    const person = fake.addUser({ name: 'choi' });
    const said = fake.sayDirect(person, '삼성전자 얼마야?');
    const told = await fake.until(() => fake.posted().find(({ replyTo }) => replyTo === said.id));
    host.onReceive = accept;

    expect(attempts).toBe(4);
    expect(told.content).toContain('저장하지 못해');
    expect(channel.isConnected()).toBe(true);
  });
});

describe('odd events from Discord', () => {
  let bot: Bot & AsyncDisposable;
  let place: Place;
  let person: FakeUser;
  beforeAll(async () => {
    bot = await openBot();
    const guild = bot.fake.addGuild({ name: 'a' });
    const room = bot.fake.addChannel(guild, { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim' });
    await bot.fake.until(() => bot.fake.commands().length > 0, { what: 'commands' });
    place = { guildId: guild.id, channelId: room.id, botId: bot.fake.bot.id };
  });
  afterAll(() => bot[Symbol.asyncDispose]());

  it.each(ODD_EVENTS)('$what', async ({ event, data, becomes }) => {
    const { fake, host, log } = bot;
    host.received.length = 0;
    host.changes.length = 0;
    const requests = fake.history.filter(({ type }) => type === 'request').length;
    fake.dispatch(event, data(place));
    const known = { id: place.channelId, kind: 'text', name: 'stocks', guildId: place.guildId } as const;
    fake.say(person, known, 'the next one');
    const last = await fake.until(() => host.received.find(({ body }) => body === 'the next one'));
    const odd = host.received.filter((message) => message !== last);

    expect(odd).toEqual(becomes ? [expect.objectContaining({ chatId: place.channelId })] : []);
    if (becomes) expect(odd[0]).toMatchObject(becomes);
    expect(odd.filter(({ replyToMessageId }) => replyToMessageId)).toEqual([]);
    if (event === 'MESSAGE_UPDATE') expect(host.changes).toEqual([]);
    expect(log.filter(({ level }) => level === 'error')).toEqual([]);
    expect(fake.history.filter(({ type }) => type === 'request').length).toBe(requests);
  });

  it('an odd event before the servers are known does not block the next one', async () => {
    const fake = await startFakeDiscord();
    const guild = fake.addGuild({ name: 'a' });
    const room = fake.addChannel(guild, { name: 'stocks' });
    fake.onMoment(({ kind, what }) => {
      if (kind !== 'dispatched' || what !== 'GUILD_CREATE') return;
      fake.onMoment(undefined);
      fake.dispatch('GUILD_ROLE_UPDATE', { guild_id: guild.id });
      const renamed = {
        id: room.id,
        guild_id: guild.id,
        type: 0,
        name: 'renamed',
        permission_overwrites: [],
      };
      fake.dispatch('CHANNEL_UPDATE', renamed);
    });
    const { host, channel, received } = makeBot(fake);
    await channel.start(host);
    fake.say(fake.addUser({ name: 'kim' }), room, 'hello');
    await received(1);
    expect(host.received).toMatchObject([{ body: 'hello', groupSubject: 'renamed' }]);
    expect(host.failedEvents).toEqual(['GUILD_ROLE_UPDATE']);
    await channel.close();
    await fake.close();
  });
});
