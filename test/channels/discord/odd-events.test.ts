import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeUser } from '#test/fakes/discord/seen.ts';
import { type Bot, openBot } from './fixture.ts';
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
});
