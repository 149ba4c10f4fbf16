import { describe, expect, it } from 'vitest';
import type { NewGuildChannel } from '#test/fakes/discord/api.ts';
import { type Bot, hurriedClock, openBot } from '../fixture.ts';

const HOUR_MS = 3_600_000;

const start = async (): Promise<Bot & AsyncDisposable> => openBot({}, { clock: hurriedClock });

const greeted = async ({ fake, host }: Bot, count: number) => {
  await fake.until(() => host.joined.length >= count, { what: `${count} welcomes` });
  return host.joined;
};

describe('a Discord server that the bot joins', () => {
  it('is reported with its system channel and its language', async () => {
    await using bot = await start();
    const channels = [{ name: 'rules' }, { name: 'lobby', isSystem: true }];
    const guild = bot.fake.addGuild({ name: 'a', locale: 'ko', channels });
    const [chat] = await greeted(bot, 1);
    expect(chat).toMatchObject({
      channelId: 'discord',
      guildId: guild.id,
      subject: guild.id,
      chatId: guild.channels[1]?.id,
      locale: 'ko',
    });
  });

  it.each<[readonly NewGuildChannel[], string]>([
    [[{ name: 'lobby', isSystem: true, rights: { canSend: false } }, { name: 'talk' }], 'talk'],
    [[{ name: 'hidden', rights: { canRead: false } }, { name: 'first' }, { name: 'second' }], 'first'],
    [[{ name: 'forum', kind: 'forum' }, { name: 'talk' }], 'talk'],
  ])('is greeted in the first channel in which the bot may write (%#)', async (channels, expected) => {
    await using bot = await start();
    const guild = bot.fake.addGuild({ name: 'a', channels });
    const [chat] = await greeted(bot, 1);
    expect(guild.channels.find(({ id }) => id === chat?.chatId)?.name).toBe(expected);
  });

  it('is not greeted without such a channel, or if it was joined long ago', async () => {
    await using bot = await start();
    bot.fake.addGuild({ name: 'silent', channels: [{ name: 'hidden', rights: { canRead: false } }] });
    const old = Date.now() - 2 * HOUR_MS;
    bot.fake.addGuild({ name: 'old', joinedAtMs: old, channels: [{ name: 'talk' }] });
    const { id } = bot.fake.addGuild({ name: 'new', channels: [{ name: 'talk' }] });
    const joined = await greeted(bot, 1);
    expect(joined.map(({ guildId }) => guildId)).toEqual([id]);
  });

  it('is tried again where it could not be stored', async () => {
    await using bot = await start();
    let attempts = 0;
    bot.host.onWelcome = () => {
      attempts += 1;
      if (attempts === 1) throw new Error('the disk is full');
    };
    bot.fake.addGuild({ name: 'a', channels: [{ name: 'talk' }] });
    await greeted(bot, 1);
    expect(attempts).toBe(2);
  });
});
