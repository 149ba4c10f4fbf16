import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeUser } from '#test/fakes/discord/seen.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { type Bot, makeBot, openBot } from './fixture.ts';
import { ODD_EVENTS, type Place } from './payloads.ts';

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

  it('one that comes before the servers are known stops nothing, and the next of that time is read', async () => {
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
    const { host, log, channel, received } = makeBot(fake);
    await channel.start(host);
    fake.say(fake.addUser({ name: 'kim' }), room, 'hello');
    await received(1);
    expect(host.received).toMatchObject([{ body: 'hello', groupSubject: 'renamed' }]);
    expect(log.filter(({ level }) => level === 'warn')).toMatchObject([
      { fields: { event: 'GUILD_ROLE_UPDATE' } },
    ]);
    await channel.close();
    await fake.close();
  });
});
