import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forwardedIn, mediaOf, shownIn } from '#channels/discord/receive/message-words.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { rawOf, type Shape, SHAPES } from '#test/fixtures/discord/shapes.ts';
import { everyRow } from '#test/support/every-row.ts';
import { type Bot, hurriedClock, NEVER, only, openBot } from '../fixture.ts';

const written = ({ shows, forwards = [] }: Shape): readonly string[] => [
  ...(shows === '' ? [] : [shows]),
  ...forwards,
];

describe('what a message of Discord says:', () => {
  everyRow(SHAPES)('$what', ({ message, shows, forwards = [], files = [] }) => {
    expect(shownIn(message)).toBe(shows);
    expect(forwardedIn(message).map(({ text }) => text)).toEqual(forwards);
    expect(mediaOf(message).map(({ name }) => name)).toEqual(files);
  });

  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let kim: FakeUser;
  let lee: FakeUser;
  beforeAll(async () => {
    bot = await openBot({}, { clock: hurriedClock });
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    kim = bot.fake.addUser({ name: 'kim' });
    lee = bot.fake.addUser({ name: 'lee' });
    await bot.fake.until(() => bot.fake.commands().length === 6);
  });
  beforeEach(() => {
    bot.host.received.length = 0;
    bot.host.failedEvents.length = 0;
  });
  afterAll(() => bot[Symbol.asyncDispose]());

  const heard = (said: SeenMessage) =>
    bot.fake.until(() => bot.host.received.find(({ id }) => (id as string) === said.id));

  everyRow(SHAPES)('is what its menu asks about: $what', async (row) => {
    const { fake, host } = bot;
    const said = fake.say(lee, room, rawOf(row));
    await heard(said);
    host.received.length = 0;
    const asked = fake.menu(kim, said, 'Explain this');
    if (written(row).length === 0 && !row.files) {
      expect((await asked.answered()).content).toBe(channelTexts('en').nothingToRead());
      expect(host.received).toEqual([]);
      return;
    }
    const { forwarded = [], media = [] } = only(await bot.received(1));
    expect(forwarded.map(({ text }) => text)).toEqual(written(row));
    expect(media.map(({ name }) => name)).toEqual(row.files ?? []);
  });

  everyRow(SHAPES)('is what a program or a person says directly: $what', async (row) => {
    const { fake } = bot;
    const { body, forwarded = [] } = await heard(fake.webhookSays(room, rawOf(row)));
    expect([...(body === '' ? [] : [body]), ...forwarded.map(({ text }) => text)]).toEqual(written(row));
    const direct = await heard(fake.sayDirect(kim, rawOf(row)));
    const parts = [direct.body, ...(direct.forwarded ?? []).map(({ text }) => text)];
    expect(parts.filter((part) => part !== '').join('\n\n')).toBe(written(row).join('\n\n'));
  });

  it('is quoted to a later question, and one that cannot be read keeps no other back', async () => {
    const { fake, channel } = bot;
    const place = fake.addChannel(fake.addGuild({ name: 'b' }), { name: 'news' });
    for (const row of SHAPES) fake.webhookSays(place, rawOf(row));
    fake.say(lee, place, { raw: { author: null } });
    const asked = await heard(fake.say(kim, place, `${fake.mention()} what was that?`));
    const query = { target: replyTargetOf(asked), before: asked.messageId, limit: 20 };
    const texts = ((await channel.readHistory?.(query, NEVER)) ?? []).map(({ text }) => text);
    const quoted = SHAPES.map(({ shows, forwards = [], files = [] }) =>
      [shows, ...forwards.map((text) => `> ${text}`), ...files.map((name) => `[${name}]`)]
        .filter((part) => part !== '')
        .join('\n'),
    );
    expect(texts).toEqual(quoted.filter((text) => text.trim() !== ''));
    expect(bot.host.failedEvents).toEqual(['MESSAGE_CREATE']);
  });
});
