import { describe, expect, it, onTestFinished } from 'vitest';
import type { FakeDiscord, FakeDiscordOptions } from '#test/fakes/discord/api.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { makeBot, openBot, type StubHost } from './fixture.ts';
import { type SharedDatabase, shareDatabase } from './shared-processes.ts';

const startFake = async (options: FakeDiscordOptions): Promise<FakeDiscord> => {
  const fake = await startFakeDiscord(options);
  onTestFinished(fake.close);
  return fake;
};

const bodiesOf = ({ received }: StubHost): readonly string[] => received.map(({ body }) => body);

const shardsOf = (fake: FakeDiscord, type: 'identified' | 'resumed'): readonly number[] =>
  entriesOf(fake.history, type)
    .map(({ shard }) => shard)
    .toSorted((a, b) => a - b);

/** A person in one room of each shard. */
const populate = (fake: FakeDiscord, shards: number) => {
  const person = fake.addUser({ name: 'kim' });
  const rooms = Array.from({ length: shards }, (_, shard) =>
    fake.addChannel(fake.addGuild({ name: `on ${shard}`, shard }), { name: 'stocks' }),
  );
  const say = (words: string): void => {
    for (const [shard, room] of rooms.entries()) fake.say(person, room, `${words} ${shard}`);
  };
  return { person, rooms, say };
};

/** A process that receives the only server of the second of two shards. */
const openSecond = async (fake: FakeDiscord, database: SharedDatabase) => {
  const bot = await database.join();
  onTestFinished(bot.channel.close);
  bot.give(1);
  await fake.until(() => fake.gateway.shards.includes(1) && bot.channel.isConnected());
  return bot;
};

const openTwo = async () => {
  const fake = await startFake({ shards: 2 });
  const guild = fake.addGuild({ name: 'a', shard: 1, locale: 'ko' });
  const room = fake.addChannel(guild, { name: 'stocks' });
  const person = fake.addUser({ name: 'kim' });
  const database = await shareDatabase(fake, 2);
  return { fake, guild, room, person, database, first: await openSecond(fake, database) };
};

describe('the shards of Discord in one process', () => {
  it.each([2, 4])('are %d, and each brings the messages of its servers once', async (shards) => {
    await using bot = await openBot({ shards });
    const { fake, host, channel } = bot;
    await fake.until(() => fake.gateway.shards.length === shards);
    await fake.until(() => channel.isConnected());
    const { person, say } = populate(fake, shards);
    say('hello');
    fake.sayDirect(person, 'directly');
    await bot.received(shards + 1);
    const expected = Array.from({ length: shards }, (_, shard) => `hello ${shard}`);
    expect(bodiesOf(host).toSorted()).toEqual(['directly', ...expected]);
    expect(fake.gateway.shards).toEqual(expected.keys().toArray());
  });

  it('identify themselves as fast as Discord allows, and no faster', async () => {
    const fake = await startFake({ shards: 4, maxConcurrency: 2, identifyPauseMs: 400 });
    const settings = { token: fake.token, apiUrl: fake.apiUrl, identifyPauseMs: 500 };
    const { channel, host } = makeBot(fake, { settings });
    onTestFinished(channel.close);
    await channel.start(host);
    await fake.until(() => channel.isConnected());
    const at = entriesOf(fake.history, 'identified').map(({ atMs }) => atMs);
    expect(at).toHaveLength(4);
    // Two at once wait for one pause; one after the other would wait for three.
    expect((at[3] ?? 0) - (at[0] ?? 0)).toBeLessThan(3 * settings.identifyPauseMs);
    expect(entriesOf(fake.history, 'identifyRefused')).toEqual([]);
  });

  it('wait while Discord allows no more sessions, and say so', async () => {
    const fake = await startFake({ sessionStartsLeft: 0, sessionStartsResetMs: 1_500 });
    const { channel, host, log } = makeBot(fake);
    onTestFinished(channel.close);
    const started = channel.start(host);
    await fake.until(() => log.some(({ message }) => message.includes('no more sessions')));
    expect(channel.isConnected()).toBe(false);
    await started;
    await fake.until(() => channel.isConnected());
    expect(entriesOf(fake.history, 'identifyRefused')).toEqual([]);
  });

  it('catch up on what each of them missed, and only that', async () => {
    await using bot = await openBot({ shards: 2 });
    const { fake, host, channel } = bot;
    const { say } = populate(fake, 2);
    await fake.until(() => channel.isConnected());
    say('before');
    const [first] = await bot.received(2);
    host.seenUntil = first?.timestamp;
    fake.gateway.forgetSessions();
    fake.gateway.cut();
    say('missed');
    const isRead = (): boolean => host.received.filter(({ body }) => body.startsWith('missed')).length > 1;
    await fake.until(isRead);
    const unique = [...new Map(host.received.map(({ id, body }) => [id, body])).values()];
    expect(unique.toSorted()).toEqual(['before 0', 'before 1', 'missed 0', 'missed 1']);
    const listed = entriesOf(fake.history, 'request').filter(({ method, route }) => {
      return method === 'GET' && route === '/channels/:channel/messages';
    });
    expect(new Set(listed.map(({ path }) => path)).size).toBe(listed.length);
  });
});

describe('the shards of Discord in several processes', () => {
  it('bring the process that takes them over what was missed, without a word lost or said twice', async () => {
    const { fake, room, person, first, database } = await openTwo();
    fake.say(person, room, 'to the first');
    await first.received(1);
    const second = await database.join();
    onTestFinished(second.channel.close);
    await first.take(1);
    fake.say(person, room, 'to nobody');
    second.give(1);
    await second.received(1);
    fake.say(person, room, 'to the second');
    await second.received(2);
    expect([bodiesOf(first.host), bodiesOf(second.host)]).toEqual([
      ['to the first'],
      ['to nobody', 'to the second'],
    ]);
    expect([shardsOf(fake, 'identified'), shardsOf(fake, 'resumed')]).toEqual([[1, 1], []]);
    expect(fake.gateway.shards).toEqual([1]);
    expect(second.log.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('are never said to be further than what is stored, so that nothing is lost with a process', async () => {
    const { fake, room, person, first, database } = await openTwo();
    const accept = first.host.onReceive;
    const { promise: never } = Promise.withResolvers<Awaited<ReturnType<typeof accept>>>();
    first.host.onReceive = (message) => (message.body === 'slow' ? never : accept(message));
    const other = fake.addChannel(fake.addGuild({ name: 'b', shard: 1 }), { name: 'bonds' });
    fake.say(person, room, 'slow');
    fake.say(person, other, 'fast');
    await first.received(1);
    // It stores what it has, and ends without the slow one.
    await first.take(1);
    const second = await openSecond(fake, database);
    await second.received(1);
    expect([bodiesOf(first.host), bodiesOf(second.host)]).toEqual([['fast'], ['slow']]);
  });

  it('bring nothing to a process that has stood still, and all to the one that has them now', async () => {
    const { fake, room, person, database, first } = await openTwo();
    fake.say(person, room, 'one');
    await first.received(1);
    first.lose();
    const gone = fake.say(person, room, 'gone');
    fake.remove(gone);
    fake.say(person, room, 'two');
    const second = await openSecond(fake, database);
    await second.received(1);
    await first.take(1);
    expect([bodiesOf(first.host), bodiesOf(second.host)]).toEqual([['one'], ['two']]);
  });

  it('bring calls at once while it is not known who has them, but store no messages', async () => {
    const { fake, room, person, first } = await openTwo();
    await fake.until(() => fake.commands().length > 0, { what: 'commands' });
    first.doubt();
    fake.say(person, room, 'not stored');
    const asked = fake.command(person, room, 'usage');
    await fake.until(() => asked.isDeferred, { timeoutMs: 2_500, what: 'the acknowledgement in time' });
    await first.received(1);
    expect(bodiesOf(first.host)).toEqual(['/usage']);
  });

  it('go on from what was stored last, if a process is killed', async () => {
    const { fake, room, person, first, database } = await openTwo();
    fake.say(person, room, 'stored');
    await first.received(1);
    first.isolate();
    fake.say(person, room, 'not known to be stored');
    await first.received(2);
    await first.take(1);
    const second = await openSecond(fake, database);
    await fake.until(() => bodiesOf(second.host).includes('not known to be stored'));
  });

  it('are read from the same place again, if a process ends before it has read what was missed', async () => {
    const { fake, room, person, first, database } = await openTwo();
    await first.take(1);
    fake.say(person, room, 'missed');
    const second = await database.join();
    onTestFinished(second.channel.close);
    Object.assign(second.host.progress, { seenUntil: () => new Promise(() => undefined) });
    second.give(1);
    await fake.until(() => shardsOf(fake, 'identified').length === 2 && second.channel.isConnected());
    await second.take(1);
    const third = await openSecond(fake, database);
    await third.received(1);
    expect([bodiesOf(second.host), bodiesOf(third.host)]).toEqual([[], ['missed']]);
  });

  it('identify themselves no faster than Discord allows all processes together', async () => {
    const fake = await startFake({ shards: 4, identifyPauseMs: 300 });
    const database = await shareDatabase(fake, 4);
    const bots = await Promise.all([0, 1].map(() => database.join({ identifyPauseMs: 400 })));
    for (const [index, bot] of bots.entries()) {
      onTestFinished(bot.channel.close);
      for (const part of [index, index + 2]) bot.give(part);
    }
    await fake.until(() => bots.every(({ channel }) => channel.isConnected()));
    expect(fake.gateway.shards).toEqual([0, 1, 2, 3]);
    expect(entriesOf(fake.history, 'identifyRefused')).toEqual([]);
  });
});
