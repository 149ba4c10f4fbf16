import { REST, Routes } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFetch } from './discord/node-fetch.ts';
import type { FakeDiscord, FakeDiscordOptions } from './discord/api.ts';
import { entriesOf } from './discord/history.ts';
import type { FakeChannel, FakeGuild, FakeUser } from './discord/seen.ts';
import { startFakeDiscord } from './discord/server.ts';
import { refusalOf } from './discord/refusal-of.ts';

let fake: FakeDiscord;
let rest: REST;
let guild: FakeGuild;
let channel: FakeChannel;
let jun: FakeUser;

const restFor = (options: { retries?: number } = {}): REST =>
  new REST({
    api: fake.apiUrl,
    version: '10',
    offset: 0,
    retries: 0,
    makeRequest: nodeFetch,
    ...options,
  }).setToken(fake.token);

const start = async (options: FakeDiscordOptions = {}): Promise<void> => {
  fake = await startFakeDiscord(options);
  rest = restFor();
  guild = fake.addGuild({ name: 'Desk' });
  channel = fake.addChannel(guild, { name: 'general' });
  jun = fake.addUser({ name: 'jun' });
};

beforeEach(() => start());
afterEach(() => fake.close());

const post = (body: object, to = channel): Promise<unknown> =>
  rest.post(Routes.channelMessages(to.id), { body });

const embed = (more: object): object => ({ embeds: [{ title: 't', ...more }] });

const fields = (count: number, value: string): object => ({
  fields: Array.from({ length: count }, () => ({ name: 'n', value })),
});

const button = (customId: string, label = 'ok'): object => ({
  type: 2,
  style: 1,
  custom_id: customId,
  label,
});

const row = (...components: readonly object[]): object => ({
  content: 'c',
  components: [{ type: 1, components }],
});

const read = async (query: string): Promise<string> => {
  const page = (await rest.get(Routes.channelMessages(channel.id), {
    query: new URLSearchParams(query),
  })) as {
    readonly content: string;
  }[];
  return page.map(({ content }) => content).join('');
};

it.each([
  ['ephemeral', { content: 'c', ephemeral: true }],
  ['embeds.0.colour', embed({ colour: 1 })],
  ['embeds.0.fields.0.short', embed({ fields: [{ name: 'n', value: 'v', short: true }] })],
  ['components.0.components.0.text', row({ ...button('a'), text: 't' })],
  ['message_reference.messageId', { content: 'c', message_reference: { messageId: '1' } }],
  ['allowed_mentions.everyone', { content: 'c', allowed_mentions: { everyone: false } }],
])('refuses a field that Discord does not document: %s', async (_path, body) => {
  expect(await refusalOf(post(body))).toBe('400 50035 UNKNOWN_FIELD');
});

describe('messages over REST', () => {
  it('keeps the limits of content, embeds and components', async () => {
    await post({ content: 'x'.repeat(2_000) });
    expect(await refusalOf(post({ content: 'x'.repeat(2_001) }))).toBe('400 50035 BASE_TYPE_MAX_LENGTH');
    expect(await refusalOf(post({ content: ' ' }))).toBe('400 50006');
    expect(await refusalOf(post(embed({ title: 'x'.repeat(257) })))).toMatch('BASE_TYPE_MAX_LENGTH');
    expect(await refusalOf(post(embed(fields(26, 'v'))))).toMatch('BASE_TYPE_BAD_LENGTH');
    expect(await refusalOf(post(embed(fields(6, 'v'.repeat(1_024)))))).toMatch('MAX_EMBED_SIZE_EXCEEDED');
    expect(await refusalOf(post(embed(fields(1, ' '))))).toMatch('BASE_TYPE_REQUIRED');
    expect(await refusalOf(post(embed({ url: 'quote/AAPL' })))).toMatch('URL_TYPE_INVALID_URL');
    expect(await refusalOf(post(embed({ url: 'javascript:x' })))).toMatch('URL_TYPE_INVALID_SCHEME');
    expect(await refusalOf(post(row(button('a'), button('a'))))).toMatch('COMPONENT_CUSTOM_ID_DUPLICATED');
    expect(await refusalOf(post(row(button('a'.repeat(101)))))).toMatch('BASE_TYPE_MAX_LENGTH');
    expect(await refusalOf(post(row(button('a', 'l'.repeat(81)))))).toMatch('BASE_TYPE_MAX_LENGTH');
    expect(await refusalOf(post(row(...'abcdef'.split('').map((id) => button(id)))))).toMatch(
      'BASE_TYPE_BAD_LENGTH',
    );
    expect(fake.messagesIn(channel.id)).toHaveLength(1);
  });

  it('takes a nonce once while it remembers it, and forgets it afterwards', async () => {
    await fake.close();
    let now = Date.now();
    await start({ now: () => now, nonceMemoryMs: 60_000 });
    const body = { content: 'once', nonce: 'delivery-1', enforce_nonce: true };
    const first = await post(body);
    expect(await post({ ...body, content: 'again' })).toEqual(first);
    await post({ ...body, enforce_nonce: false });
    now += 60_001;
    await post(body);
    expect(fake.messagesIn(channel.id)).toHaveLength(3);
    expect(entriesOf(fake.history, 'deduplicated')).toHaveLength(1);
    expect(await refusalOf(post({ ...body, nonce: 'n'.repeat(26) }))).toMatch('50035');
  });

  it('knows whom a message pings, by its words and allowed_mentions', async () => {
    const content = `@everyone <@${jun.id}> <@&${guild.id}>`;
    await post({ content });
    await post({ content, allowed_mentions: { parse: [] } });
    await post({ content, allowed_mentions: { users: [jun.id] } });
    const asked = fake.say(jun, channel, 'hi');
    const message_reference = { message_id: asked.id };
    await post({ content: 'yes', message_reference });
    await post({ content: 'yes', message_reference, allowed_mentions: { parse: [], replied_user: false } });
    const nobody = { everyone: false, users: [], roles: [] };
    expect(fake.posted().map(({ pinged }) => pinged)).toEqual([
      { everyone: true, users: [jun.id], roles: [guild.id] },
      nobody,
      { ...nobody, users: [jun.id] },
      { ...nobody, users: [jun.id] },
      nobody,
    ]);
    expect(fake.posted()[1]?.allowedMentions).toEqual({ parse: [] });
    const both = { parse: ['users'], users: [jun.id] };
    expect(await refusalOf(post({ content, allowed_mentions: both }))).toMatch('EXCLUSIVE');
  });

  it('refuses what is not there, not allowed or not the bot’s', async () => {
    const asked = fake.say(jun, channel, 'hi');
    const gone = { message_id: '1' };
    expect(await refusalOf(post({ content: 'x', message_reference: gone }))).toMatch(
      'REPLIES_UNKNOWN_MESSAGE',
    );
    await post({ content: 'x', message_reference: { ...gone, fail_if_not_exists: false } });
    expect(await refusalOf(post({ content: 'x' }, { ...channel, id: '1' }))).toBe('404 10003');
    expect(await refusalOf(rest.get(Routes.channelMessage(channel.id, '1')))).toBe('404 10008');
    expect(
      await refusalOf(rest.patch(Routes.channelMessage(channel.id, asked.id), { body: { content: 'y' } })),
    ).toBe('403 50005');
    const mute = fake.addChannel(guild, { name: 'mute', rights: { canSend: false, canReact: false } });
    expect(await refusalOf(post({ content: 'x' }, mute))).toBe('403 50013');
    const theirs = fake.say(jun, mute, 'hi');
    expect(await refusalOf(rest.put(Routes.channelMessageOwnReaction(mute.id, theirs.id, '👀')))).toBe(
      '403 50013',
    );
    fake.permit(mute, { canRead: false });
    expect(await refusalOf(rest.get(Routes.channelMessages(mute.id)))).toBe('403 50001');
    fake.permit(channel, { canEmbed: false, canAttach: false });
    expect(await refusalOf(post({ embeds: [{ title: 't' }] }))).toBe('403 50013');
    fake.refuseDirect(jun);
    const opened = (await rest.post(Routes.userChannels(), {
      body: { recipient_id: jun.id },
    })) as FakeChannel;
    expect(await refusalOf(post({ content: 'x' }, opened))).toBe('403 50007');
    expect(
      (await fetch(`${fake.apiUrl}/v10/users/@me`, { headers: { authorization: 'Bot wrong' } })).status,
    ).toBe(401);
  });

  it('keeps files with their descriptions, serves them, and lets an edit drop them', async () => {
    const files = [{ name: 'chart.png', data: Buffer.from('png'), contentType: 'image/png' }];
    const body = { content: 'see', attachments: [{ id: '0', description: '차트' }] };
    await rest.post(Routes.channelMessages(channel.id), { body, files });
    const [message] = fake.posted();
    const [file] = message?.attachments ?? [];
    expect(file).toMatchObject({
      name: 'chart.png',
      description: '차트',
      contentType: 'image/png',
      sizeBytes: 3,
    });
    const served = await fetch(file?.url ?? '');
    expect([served.headers.get('content-type'), await served.text()]).toEqual(['image/png', 'png']);
    await rest.patch(Routes.channelMessage(channel.id, message?.id ?? ''), {
      body: { content: 'text', attachments: [] },
    });
    expect(fake.posted()[0]).toMatchObject({ content: 'text', attachments: [] });
  });

  it('pages through history as asked: before, after, around', async () => {
    const ids = Array.from({ length: 6 }, (_, at) => fake.say(jun, channel, `${at}`).id);
    expect(await read('limit=2')).toBe('54');
    expect(await read(`limit=2&before=${ids[2]}`)).toBe('10');
    expect(await read(`limit=2&after=${ids[2]}`)).toBe('43');
    expect(await read(`limit=3&around=${ids[2]}`)).toBe('321');
    expect(await refusalOf(read('limit=101'))).toMatch('50035');
  });

  it('allows twenty different reactions', async () => {
    const { id } = fake.say(jun, channel, 'hi');
    const own = (emoji: string): `/${string}` =>
      Routes.channelMessageOwnReaction(channel.id, id, encodeURIComponent(emoji));
    for (let at = 0; at < 20; at += 1)
      fake.react(jun, { id, channelId: channel.id }, String.fromCodePoint(0x1f600 + at));
    await rest.put(own('😀'));
    expect(await refusalOf(rest.put(own('👀')))).toBe('400 30010');
    expect(await refusalOf(rest.put(own('eyes')))).toBe('400 10014');
    await rest.delete(own('😀'));
    expect(fake.messagesIn(channel.id)[0]?.reactions[0]).toEqual({ emoji: '😀', userIds: [jun.id] });
  });
});

describe('faults', () => {
  it('storms on one channel only, and blames those who do not wait', async () => {
    const other = fake.addChannel(guild, { name: 'other' });
    fake.faults.storm({ channelId: channel.id, forMs: 150 });
    const waited = performance.now();
    const slow = post({ content: 'late' }).then(() => performance.now() - waited);
    await post({ content: 'at once' }, other);
    const hasty = (): Promise<Response> =>
      fetch(`${fake.apiUrl}/v10${Routes.channelMessages(channel.id)}`, {
        method: 'POST',
        headers: { authorization: `Bot ${fake.token}`, 'content-type': 'application/json' },
        body: '{"content":"now"}',
      });
    await fake.until(() => entriesOf(fake.history, 'rateLimited').length === 1);
    const refused = await hasty();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ global: false, retry_after: expect.any(Number) });
    expect(await slow).toBeGreaterThanOrEqual(140);
    expect(entriesOf(fake.history, 'rateLimited').map(({ isBlameworthy }) => isBlameworthy)).toEqual([
      false,
      true,
    ]);
    expect(fake.posted().map(({ content }) => content)).toEqual(['at once', 'late']);
    fake.faults.storm({ forMs: 1_000 });
    expect(await (await hasty()).json()).toMatchObject({ global: true });
  });

  it('counts requests in each bucket and says so, so that the client waits by itself', async () => {
    await fake.close();
    await start({ rateLimit: { limit: 2, windowMs: 120 } });
    const before = performance.now();
    for (const content of ['1', '2', '3']) await post({ content });
    expect(performance.now() - before).toBeGreaterThanOrEqual(110);
    expect(entriesOf(fake.history, 'rateLimited')).toEqual([]);
  });

  it('can fail, lose a request, lose a response, and be slow', async () => {
    const route = '/channels/:channel/messages';
    fake.faults.failNext(1, 502, { method: 'POST', route, channelId: channel.id });
    await expect(post({ content: 'a' })).rejects.toThrow(/Bad Gateway|502/u);
    fake.faults.loseRequests(1, { route });
    await expect(post({ content: 'b' })).rejects.toThrow();
    expect(fake.posted()).toEqual([]);
    fake.faults.loseResponses(1, { route });
    await expect(post({ content: 'c' })).rejects.toThrow();
    fake.onMoment(({ kind }) => (kind === 'posted' ? 'drop' : undefined));
    await expect(post({ content: 'd' })).rejects.toThrow();
    fake.onMoment(({ kind }) => (kind === 'request' ? 'drop' : undefined));
    await expect(post({ content: 'e' })).rejects.toThrow();
    fake.onMoment(undefined);
    expect(fake.posted().map(({ content }) => content)).toEqual(['c', 'd']);
    fake.faults.slowDown(1, 50);
    const before = performance.now();
    await post({ content: 'f' });
    expect(performance.now() - before).toBeGreaterThanOrEqual(45);
    expect(entriesOf(fake.history, 'request').map(({ status }) => status)).toEqual([502, 0, 0, 0, 0, 200]);
  });
});
