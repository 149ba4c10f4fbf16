import { Client, Events, GatewayIntentBits, type Message, MessageFlags, MessageType } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { FakeDiscord } from './discord/api.ts';
import { entriesOf } from './discord/history.ts';
import { startFakeDiscord } from './discord/server.ts';

let fake: FakeDiscord;
const IDENTIFY = { op: 2, d: { token: 'fake-discord-token', intents: 1 << 9, properties: {} } };
const clients: Client[] = [];

beforeEach(async () => {
  fake = await startFakeDiscord();
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.destroy();
  await fake.close();
});

const connect = async (): Promise<{ readonly client: Client; readonly heard: Message[] }> => {
  const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
  const client = new Client({ intents: [Guilds, GuildMessages, MessageContent], rest: { api: fake.apiUrl } });
  clients.push(client);
  const heard: Message[] = [];
  client.on(Events.MessageCreate, (message) => void heard.push(message));
  const ready = new Promise((resolve) => void client.once(Events.ClientReady, resolve));
  await client.login(fake.token);
  await ready;
  return { client, heard };
};

/** What a socket that does not keep to the protocol is closed with. */
const closeCodeAfter = (...payloads: readonly object[]): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(fake.origin.replace('http', 'ws'));
    socket.on('close', resolve);
    socket.once('message', () => {
      for (const payload of payloads) socket.send(JSON.stringify(payload));
    });
  });

describe('the fake Discord', () => {
  it('makes odd messages as the real client knows them', async () => {
    const guild = fake.addGuild({ name: 'Desk' });
    const channel = fake.addChannel(guild, { name: 'general' });
    const jun = fake.addUser({ name: 'jun' });
    const { heard, client } = await connect();
    const removed: string[] = [];
    client.on(Events.MessageDelete, ({ id }) => void removed.push(id));
    const changes: unknown[] = [];
    client.on(Events.MessageUpdate, (_, { content, editedTimestamp }) => {
      changes.push([content, editedTimestamp !== null]);
    });
    const said = fake.say(jun, channel, 'words');
    const source = fake.say(jun, channel, 'to be forwarded');
    fake.webhookSays(channel, 'news');
    fake.systemMessage(channel, MessageType.UserJoin, jun);
    fake.forward(jun, source, channel);
    fake.say(jun, channel, { stickers: ['wave'] });
    fake.say(jun, channel, {
      isVoice: true,
      attachments: [{ name: 'v.ogg', bytes: 'x', contentType: 'audio/ogg' }],
    });
    fake.sayAsBot(channel, 'mine');
    fake.deleteUser(jun);
    fake.say(jun, channel, 'a ghost');
    fake.unfurl(said, { title: 'A page' });
    fake.edit(said, 'other words');
    fake.dispatch('SOMETHING_NEW', { x: 1 });
    fake.remove(said);
    await fake.until(() => heard.length === 9 && removed.includes(said.id));
    const [, , webhook, joined, forwarded, sticker, voice, own, ghost] = heard;
    expect(changes).toEqual([
      ['words', false],
      ['other words', true],
    ]);
    expect(webhook?.webhookId).toBeTruthy();
    expect([joined?.system, joined?.type, joined?.content]).toEqual([true, MessageType.UserJoin, '']);
    expect(forwarded?.messageSnapshots.first()?.content).toBe('to be forwarded');
    expect(sticker?.stickers.first()?.name).toBe('wave');
    expect(voice?.flags.has(MessageFlags.IsVoiceMessage)).toBe(true);
    expect(own?.author.id).toBe(client.user?.id);
    expect(ghost?.author.username).toMatch('deleted_user');
  });

  it('serves one bot after the other, also where one died without a word', async () => {
    const channel = fake.addChannel(fake.addGuild({ name: 'Desk' }), { name: 'general' });
    const jun = fake.addUser({ name: 'jun' });
    const dead = new WebSocket(fake.origin.replace('http', 'ws'));
    dead.once('message', () => dead.send(JSON.stringify(IDENTIFY)));
    await fake.until(() => fake.gateway.isReady);
    dead.terminate();
    await fake.until(() => !fake.gateway.isReady);
    fake.say(jun, channel, 'nobody heard');
    const moments: string[] = [];
    fake.onMoment(({ kind, what }) => {
      moments.push(`${kind} ${what}`);
    });
    const second = await connect();
    fake.say(jun, channel, 'again');
    await fake.until(() => second.heard.length === 1);
    expect(second.heard[0]?.content).toBe('again');
    expect(moments).toContain('identified IDENTIFY');
    expect(moments).toContain('dispatched MESSAGE_CREATE');
    expect(entriesOf(fake.history, 'identified')).toHaveLength(2);
  });

  it('closes sockets that do not keep to the protocol', async () => {
    await fake.close();
    fake = await startFakeDiscord({ heartbeatIntervalMs: 40 });
    expect(await closeCodeAfter({ op: 3, d: {} })).toBe(4003);
    expect(await closeCodeAfter({ op: 99 })).toBe(4001);
    expect(await closeCodeAfter(IDENTIFY, IDENTIFY)).toBe(4005);
    expect(await closeCodeAfter({ ...IDENTIFY, d: { ...IDENTIFY.d, token: 'wrong' } })).toBe(4004);
    expect(await closeCodeAfter()).toBe(4009);
  });

  it('sends only what a session asked to hear, and resumes only what it knows', async () => {
    const channel = fake.addChannel(fake.addGuild({ name: 'Desk' }), { name: 'general' });
    const jun = fake.addUser({ name: 'jun' });
    const isHeard = (): boolean | undefined => {
      fake.say(jun, channel, 'hello');
      return entriesOf(fake.history, 'dispatched').at(-1)?.reached;
    };
    const uninterested = closeCodeAfter({ ...IDENTIFY, d: { ...IDENTIFY.d, intents: 1 } });
    await fake.until(() => fake.gateway.isReady);
    expect(isHeard()).toBe(false);
    fake.gateway.closeWith(1000);
    await uninterested;
    const interested = new WebSocket(fake.origin.replace('http', 'ws'));
    interested.once('message', () => interested.send(JSON.stringify(IDENTIFY)));
    await fake.until(() => fake.gateway.isReady);
    expect(isHeard()).toBe(true);
    const acknowledged = new Promise((resolve) => {
      interested.on('message', (raw: Buffer) => {
        if (raw.toString('utf8').includes('"op":11')) resolve(true);
      });
    });
    interested.send(JSON.stringify({ op: 1, d: null }));
    await acknowledged;
    fake.permit(channel, { canRead: false });
    expect(isHeard()).toBe(false);
    const session_id = entriesOf(fake.history, 'identified').at(-1)?.sessionId;
    fake.gateway.invalidate(false);
    const refused = closeCodeAfter({ op: 6, d: { token: fake.token, session_id, seq: 1 } });
    await fake.until(() => entriesOf(fake.history, 'resumeRefused').length > 0);
    fake.gateway.closeWith(1000);
    expect(await refused).toBe(1000);
  });
});
