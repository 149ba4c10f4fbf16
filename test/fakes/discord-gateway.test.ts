import { Client, Events, GatewayIntentBits, type Message, Partials } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import type { FakeDiscord, FakeDiscordOptions } from './discord/api.ts';
import { entriesOf } from './discord/history.ts';
import { startFakeDiscord } from './discord/server.ts';

const { Guilds, GuildMessages, DirectMessages, MessageContent } = GatewayIntentBits;
const ALL = [Guilds, GuildMessages, DirectMessages, MessageContent];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const start = async (options: FakeDiscordOptions = {}): Promise<FakeDiscord> => {
  const fake = await startFakeDiscord(options);
  closers.push(fake.close);
  return fake;
};

interface Bot {
  readonly client: Client;
  readonly heard: Message[];
  readonly words: () => readonly string[];
}

/** A client that listens; it does not wait five seconds between two IDENTIFYs. */
const connect = async (fake: FakeDiscord, intents: readonly number[] = ALL): Promise<Bot> => {
  const client = new Client({
    intents,
    partials: [Partials.Channel],
    rest: { api: fake.apiUrl },
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) },
  });
  const heard: Message[] = [];
  client.on(Events.MessageCreate, (message) => void heard.push(message));
  client.on(Events.Error, () => {});
  client.on(Events.ShardError, () => {});
  closers.push(() => client.destroy());
  const ready = new Promise((resolve) => void client.once(Events.ClientReady, resolve));
  await client.login(fake.token);
  await ready;
  return { client, heard, words: () => heard.map(({ content }) => content) };
};

const survive = async (disturb: (fake: FakeDiscord) => void): Promise<void> => {
  const fake = await start();
  const channel = fake.addChannel(fake.addGuild({ name: 'Desk' }), { name: 'general' });
  const jun = fake.addUser({ name: 'jun' });
  const { words } = await connect(fake);
  fake.say(jun, channel, 'before');
  await fake.until(() => words().length === 1);
  disturb(fake);
  fake.say(jun, channel, 'meanwhile');
  await fake.until(() => entriesOf(fake.history, 'resumed').length === 1);
  fake.say(jun, channel, 'after');
  await fake.until(() => words().length >= 3);
  expect(words()).toEqual(['before', 'meanwhile', 'after']);
  expect(entriesOf(fake.history, 'identified')).toHaveLength(1);
};

describe('the gateway', () => {
  it('gives a bot its guilds, channels, threads and what people say, with names, roles and rights', async () => {
    const fake = await start();
    const guild = fake.addGuild({ name: 'Desk', locale: 'ko' });
    const channel = fake.addChannel(guild, { name: 'general' });
    const mina = fake.addUser({ name: 'mina', displayName: '미나' });
    const traders = fake.addRole(guild, { name: 'traders' });
    fake.addMember(guild, mina, { roles: [traders], nickname: 'Boss', managesGuild: true });
    const thread = fake.addThread(channel, { name: 'Q3', owner: mina });
    const { client, heard } = await connect(fake);

    expect(client.user?.id).toBe(fake.bot.id);
    expect(client.channels.cache.has(thread.id)).toBe(true);
    const first = fake.say(mina, channel, 'hello');
    fake.reply(mina, first, { content: 'a file', attachments: [{ name: 'a.csv', bytes: 'x,y' }] });
    fake.say(mina, thread, 'inside');
    fake.sayDirect(mina, 'psst');
    await fake.until(() => heard.length === 4);
    expect(heard.map(({ content, channelId }) => [content, channelId])).toEqual([
      ['hello', channel.id],
      ['a file', channel.id],
      ['inside', thread.id],
      ['psst', fake.directChannel(mina).id],
    ]);
    const [hello, file] = heard;
    expect(hello?.member?.displayName).toBe('Boss');
    expect(hello?.member?.roles.cache.has(traders.id)).toBe(true);
    expect(hello?.member?.permissions.has('ManageGuild')).toBe(true);
    expect(file?.reference?.messageId).toBe(first.id);
    const url = file?.attachments.first()?.url ?? '';
    expect(await (await fetch(url)).text()).toBe('x,y');
  });

  it('shows content without the intent only where the bot is spoken to', async () => {
    const fake = await start({ grantedIntents: [] });
    const channel = fake.addChannel(fake.addGuild({ name: 'Desk' }), { name: 'general' });
    const jun = fake.addUser({ name: 'jun' });
    const { words } = await connect(fake, [Guilds, GuildMessages, DirectMessages]);
    fake.say(jun, channel, 'not for you');
    fake.say(jun, channel, `${fake.mention()} for you`);
    fake.sayDirect(jun, 'private');
    await fake.until(() => words().length === 3);
    expect(words()).toEqual(['', `${fake.mention()} for you`, 'private']);
  });

  it('refuses a wrong token, and privileged intents that were not granted', async () => {
    const fake = await start({ grantedIntents: ['GuildMembers'] });
    await expect(connect(fake)).rejects.toThrow(/disallowed intents/iu);
    const closed = await fake.until(() => entriesOf(fake.history, 'closed')[0]);
    expect(closed).toMatchObject({ code: 4014, by: 'fake' });
    const wrong = new Client({ intents: [Guilds], rest: { api: fake.apiUrl } });
    await expect(wrong.login('wrong')).rejects.toThrow(/invalid token/iu);
  });

  it('replays after a disturbance what was missed, once', async () => {
    const disturbances: readonly ((fake: FakeDiscord) => void)[] = [
      (fake) => fake.gateway.cut(),
      (fake) => fake.gateway.askToReconnect(),
      (fake) => fake.gateway.invalidate(true),
      (fake) => fake.gateway.closeWith(4000),
    ];
    await Promise.all(disturbances.map(survive));
  });

  it('loses what happened before a new session; REST still has it', async () => {
    const fake = await start();
    const channel = fake.addChannel(fake.addGuild({ name: 'Desk' }), { name: 'general' });
    const jun = fake.addUser({ name: 'jun' });
    const { client, words } = await connect(fake);
    const before = fake.say(jun, channel, 'before');
    await fake.until(() => words().length === 1);
    fake.gateway.setRefusing(true);
    fake.gateway.invalidate(false);
    await fake.until(() => !fake.gateway.isReady);
    fake.say(jun, channel, 'lost');
    fake.gateway.setRefusing(false);
    await fake.until(() => fake.gateway.isReady);
    fake.say(jun, channel, 'after');
    await fake.until(() => words().length === 2);
    expect(words()).toEqual(['before', 'after']);
    const place = await client.channels.fetch(channel.id);
    const missed = place?.isTextBased() ? await place.messages.fetch({ after: before.id }) : undefined;
    expect(missed?.map(({ content }) => content)).toEqual(['after', 'lost']);
  });

  it('can be deaf: a bot that watches its heartbeats comes back and has lost nothing', async () => {
    const fake = await start({ heartbeatIntervalMs: 60 });
    const channel = fake.addChannel(fake.addGuild({ name: 'Desk' }), { name: 'general' });
    const jun = fake.addUser({ name: 'jun' });
    const { words } = await connect(fake);
    fake.gateway.deafen();
    fake.say(jun, channel, 'into the void');
    expect(entriesOf(fake.history, 'dispatched').at(-1)?.reached).toBe(false);
    await fake.until(() => words().length > 0);
    expect(words()).toEqual(['into the void']);
    expect(entriesOf(fake.history, 'identified')).toHaveLength(1);
  });
});
