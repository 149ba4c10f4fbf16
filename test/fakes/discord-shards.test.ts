import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { FakeDiscord, FakeDiscordOptions } from './discord/api.ts';
import { startFakeDiscord } from './discord/server.ts';
import { asWire, INTENT, type Wire } from './discord/wire.ts';

const INTENTS = INTENT.guilds | INTENT.guildTexts | INTENT.directMessages | INTENT.messageContent;

const start = async (options: FakeDiscordOptions): Promise<FakeDiscord> => {
  const fake = await startFakeDiscord(options);
  onTestFinished(fake.close);
  return fake;
};

/** A socket of a bot, which says one thing and keeps what it hears. */
const tell = async (fake: FakeDiscord, payload: Wire) => {
  const socket = new WebSocket(fake.apiUrl.replace('http', 'ws').replace('/api', ''));
  onTestFinished(() => socket.terminate());
  const heard: Wire[] = [];
  let code: number | undefined;
  socket.on('close', (closedWith) => (code = closedWith));
  socket.on('message', (raw) => {
    // oxlint-disable-next-line typescript/no-base-to-string -- text frames come as one buffer
    const message = asWire(JSON.parse(raw.toString()));
    heard.push(message);
    if (message['op'] === 10) socket.send(JSON.stringify(payload));
  });
  const words = (): readonly unknown[] =>
    heard.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => asWire(d)['content']);
  return { heard, words, code: () => code, socket };
};

const identify = (fake: FakeDiscord, shard: readonly unknown[]) =>
  tell(fake, { op: 2, d: { token: fake.token, intents: INTENTS, shard } });

const isReady = ({ heard }: Awaited<ReturnType<typeof tell>>): boolean =>
  heard.some(({ t }) => t === 'READY');

const isRefused = ({ heard }: Awaited<ReturnType<typeof tell>>): boolean =>
  heard.some(({ op, d }) => op === 9 && d === false);

describe('the shards of the platform', () => {
  it('bring the messages of their servers, direct ones the first, and all to each connection of a shard', async () => {
    const fake = await start({ shards: 2 });
    const rooms = [0, 1].map((shard) => fake.addChannel(fake.addGuild({ name: 'a', shard }), { name: 'b' }));
    const bots = await Promise.all([0, 1, 1].map((id) => identify(fake, [id, 2])));
    await fake.until(() => bots.every(isReady));
    expect(fake.gateway.shards).toEqual([0, 1, 1]);
    const person = fake.addUser({ name: 'kim' });
    for (const [shard, room] of rooms.entries()) fake.say(person, room, `on ${shard}`);
    fake.sayDirect(person, 'directly');
    await fake.until(() => bots.every(({ words }) => words().length > 0) && bots[0]?.words().length === 2);
    expect(bots.map(({ words }) => words())).toEqual([['on 0', 'directly'], ['on 1'], ['on 1']]);
  });

  it.for([[[2, 2]], [[-1, 2]], [['0', 1]], [[0]]] as const)('are refused as %j', async ([shard]) => {
    const fake = await start({ shards: 2 });
    const bot = await identify(fake, shard);
    await fake.until(() => bot.code() === 4_010);
  });

  it('are not identified faster than is allowed, nor more often, and this is counted', async () => {
    const fake = await start({ shards: 4, maxConcurrency: 2, identifyPauseMs: 60_000, sessionStartsLeft: 2 });
    const [first, second] = [await identify(fake, [0, 4]), await identify(fake, [1, 4])];
    await fake.until(() => isReady(first) && isReady(second));
    const third = await identify(fake, [2, 4]);
    await fake.until(() => isRefused(third));
    const answer = await fetch(`${fake.apiUrl}/v10/gateway/bot`, {
      headers: { authorization: `Bot ${fake.token}` },
    });
    expect(await answer.json()).toMatchObject({
      shards: 4,
      session_start_limit: { remaining: 0, max_concurrency: 2 },
    });
  });

  it('are not resumed from what was not sent yet', async () => {
    const fake = await start({});
    const bot = await identify(fake, [0, 1]);
    await fake.until(() => isReady(bot));
    const ready = asWire(bot.heard.find(({ t }) => t === 'READY')?.['d']);
    bot.socket.close(4_200);
    const resume = { token: fake.token, session_id: ready['session_id'], seq: 1_000 };
    const other = await tell(fake, { op: 6, d: resume });
    await fake.until(() => other.code() === 4_007);
  });
});
