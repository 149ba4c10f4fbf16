import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { entriesOf } from '#test/fakes/discord/history.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { hurriedClock, makeBot, NEVER, only, openBot, outbound, StubHost } from '../fixture.ts';

/** A person says something in a room, and the bot hears it. */
const sayBefore = async ({ fake, received }: Awaited<ReturnType<typeof openBot>>) => {
  const room = fake.addChannel(fake.addGuild({ name: 'a' }), { name: 'stocks' });
  const person = fake.addUser({ name: 'kim' });
  fake.say(person, room, 'before');
  const [before] = await received(1);
  return { room, person, before };
};

/** Holds up the next readings of what was missed. Returns how many events and readings there were since. */
const holdReadings = (
  { progress }: StubHost,
  ...held: readonly Promise<StubHost['seenUntil']>[]
): (() => number) => {
  const { hold, seenUntil } = progress;
  const readings = [...held];
  let count = 0;
  Object.assign(progress, {
    seenUntil: (...account: Parameters<typeof seenUntil>) => readings.shift() ?? seenUntil(...account),
    hold: (...from: Parameters<typeof hold>) => {
      count += 1;
      return hold(...from);
    },
  });
  return () => count;
};

describe.concurrent('the connection to Discord', () => {
  it('says what to do where the token is wrong', async () => {
    const fake = await startFakeDiscord();
    const { channel, host } = makeBot(fake, { settings: { token: 'wrong', apiUrl: fake.apiUrl } });
    await expect(channel.start(host)).rejects.toMatchObject({
      isOperational: true,
      message: expect.stringContaining('Reset Token'),
    });
    expect(channel.isConnected()).toBe(false);
    await channel.close();
    await fake.close();
  });

  it('connects without the privileged intent, and logs once what does not work', async () => {
    await using bot = await openBot({ grantedIntents: [] });
    const warned = bot.log.filter(({ level }) => level === 'warn');
    expect(only(warned).message).toContain('Message Content Intent');
    const person = bot.fake.addUser({ name: 'kim' });
    bot.fake.sayDirect(person, 'hello');
    expect(only(await bot.received(1)).body).toBe('hello');
  });

  it('lets the bot start while Discord is down, and keeps trying', async () => {
    const fake = await startFakeDiscord();
    fake.faults.setDown(true);
    const settings = { token: fake.token, apiUrl: fake.apiUrl, startWaitMs: 400 };
    const bot = makeBot(fake, { settings, clock: hurriedClock });
    await bot.channel.start(bot.host);
    expect(bot.channel.isConnected()).toBe(false);
    fake.faults.setDown(false);
    await fake.until(() => bot.channel.isConnected(), { what: 'a connection' });
    await bot.channel.close();
    await fake.close();
  });

  it('resumes a session, and catches up after a lost one, without losing or reordering messages', async () => {
    await using bot = await openBot();
    const { fake, host } = bot;
    const guild = fake.addGuild({ name: 'a' });
    const room = fake.addChannel(guild, { name: 'stocks' });
    const person = fake.addUser({ name: 'kim' });
    const role = fake.addRole(guild, { name: 'trader' });
    fake.addMember(guild, person, { roles: [role] });
    fake.say(person, room, 'before');
    const [first] = await bot.received(1);
    host.seenUntil = first?.timestamp;
    host.activeChats = [{ chatId: person.id as never, chatType: 'direct' }];

    fake.gateway.cut();
    fake.say(person, room, 'while cut');
    await bot.received(2);
    expect(entriesOf(fake.history, 'resumed')).toHaveLength(1);

    fake.gateway.forgetSessions();
    fake.gateway.cut();
    fake.say(person, room, 'missed 1');
    // One that cannot be read keeps no other back.
    fake.say(person, room, { raw: { author: null } });
    fake.say(person, room, 'missed 2');
    fake.sayDirect(person, 'missed, directly');
    await fake.until(() => entriesOf(fake.history, 'identified').length === 2, { what: 'a new session' });
    fake.say(person, room, 'after');
    await fake.until(() => host.received.some(({ body }) => body === 'after'), { what: 'the last one' });

    const bodies = [...new Map(host.received.map(({ id, body }) => [id, body])).values()];
    expect(bodies.filter((body) => body !== 'missed, directly')).toEqual([
      'before',
      'while cut',
      'missed 1',
      'missed 2',
      'after',
    ]);
    expect(host.received.find(({ body }) => body === 'missed, directly')).toMatchObject({
      chatType: 'direct',
      chatId: person.id,
    });
    expect(host.received.find(({ body }) => body === 'missed 2')).toMatchObject({
      guildId: guild.id,
      chatId: room.id,
      senderRoles: expect.arrayContaining([role.id, `${guild.id}:trader`]),
    });
  });

  it.each(['when the next session has begun', 'before the next session begins'])(
    'keeps the order of messages that arrived between two lost sessions, one of them deleted, read %s',
    async (when) => {
      await using bot = await openBot();
      const { fake, host } = bot;
      const { room, person, before } = await sayBefore(bot);
      const [second, third] = [0, 1].map(() => Promise.withResolvers<typeof host.seenUntil>()) as [
        PromiseWithResolvers<typeof host.seenUntil>,
        PromiseWithResolvers<typeof host.seenUntil>,
      ];
      const arrivals = holdReadings(host, second.promise, third.promise);
      const loseSession = (): void => {
        fake.gateway.forgetSessions();
        fake.gateway.cut();
      };
      const sessions = (count: number) =>
        fake.until(() => entriesOf(fake.history, 'identified').length === count, { what: 'a new session' });

      loseSession();
      await sessions(2);
      await fake.until(() => arrivals() === 1, { what: 'the reading of what was missed' });
      fake.say(person, room, 'one');
      const deleted = fake.say(person, room, 'two');
      await fake.until(() => arrivals() === 3, { what: 'both messages' });
      loseSession();
      fake.remove(deleted);
      fake.say(person, room, 'three');
      if (when === 'before the next session begins') second.resolve(before?.timestamp);
      await sessions(3);
      await fake.until(() => arrivals() === 4, { what: 'the next reading' });
      third.resolve(before?.timestamp);
      // Nothing may be read yet, so there is nothing else to wait for.
      await sleep(100);
      second.resolve(before?.timestamp);
      await fake.until(() => host.received.some(({ body }) => body === 'three'), { what: 'the last one' });
      await fake.until(() => host.received.some(({ body }) => body === 'two'), { what: 'the deleted one' });

      const bodies = [...new Map(host.received.map(({ id, body }) => [id, body])).values()];
      expect(bodies).toEqual(['before', 'one', 'two', 'three']);
    },
  );

  it('loses nothing that was missed where Discord repeats an older message first', async () => {
    await using bot = await openBot();
    const { fake, host } = bot;
    const { room, person, before } = await sayBefore(bot);
    const known = Promise.withResolvers<typeof host.seenUntil>();
    const arrivals = holdReadings(host, known.promise);
    const told = entriesOf(fake.history, 'dispatched').find(({ event }) => event === 'MESSAGE_CREATE');

    fake.gateway.forgetSessions();
    fake.gateway.cut();
    fake.say(person, room, 'missed');
    await fake.until(() => arrivals() === 1, { what: 'the reading of what was missed' });
    fake.dispatch('MESSAGE_CREATE', told?.data);
    await fake.until(() => arrivals() === 2, { what: 'the repeated message' });
    known.resolve(before?.timestamp);
    await fake.until(() => host.received.some(({ body }) => body === 'missed'), { what: 'the missed one' });
  });

  it('reads nothing at the first start, and nothing older than a quarter of an hour', async () => {
    let nowMs = Date.now() - 20 * 60_000;
    const fake = await startFakeDiscord({ now: () => nowMs });
    const room = fake.addChannel(fake.addGuild({ name: 'a' }), { name: 'stocks' });
    const person = fake.addUser({ name: 'kim' });
    fake.say(person, room, 'long ago');
    nowMs = Date.now() - 60_000;
    fake.say(person, room, 'a minute ago');

    const first = makeBot(fake);
    await first.channel.start(first.host);
    fake.sayDirect(person, 'now');
    expect((await first.received(1)).map(({ body }) => body)).toEqual(['now']);
    await first.channel.close();

    const host = new StubHost();
    host.seenUntil = Temporal.Now.instant().subtract({ hours: 2 });
    const second = makeBot(fake, {}, host);
    await second.channel.start(host);
    expect((await second.received(1)).map(({ body }) => body)).toEqual(['a minute ago']);
    await second.channel.close();
    await fake.close();
  });

  it('notices a dead connection', async () => {
    await using bot = await openBot({ heartbeatIntervalMs: 100 });
    bot.fake.gateway.deafen({ isDead: true });
    bot.fake.sayDirect(bot.fake.addUser({ name: 'kim' }), 'unheard so far');
    expect((await bot.received(1)).map(({ body }) => body)).toEqual(['unheard so far']);
    expect(bot.channel.isConnected()).toBe(true);
  });

  it('receives nothing after a stop, and still sends', async () => {
    await using bot = await openBot();
    const person = bot.fake.addUser({ name: 'kim' });
    bot.fake.sayDirect(person, 'hello');
    const asked = only(await bot.received(1));
    await bot.channel.stop();
    expect(bot.channel.isConnected()).toBe(false);
    bot.fake.sayDirect(person, 'too late');
    await bot.channel.send(outbound(asked, 'an answer'), NEVER);
    expect(bot.host.received).toHaveLength(1);
    expect(bot.fake.posted().map(({ content }) => content)).toEqual(['an answer']);
  });

  it('lets the process end, even if it is closed while connecting', async () => {
    const [up, down] = await Promise.all([startFakeDiscord(), startFakeDiscord()]);
    down.gateway.setRefusing(true);
    const script = `
      const { createDiscordChannel } = await import('#channels/discord/adapter.ts');
      const { systemClock } = await import('#src/platform/concurrency/clock.ts');
      const log = () => undefined;
      const logger = { debug: log, info: log, warn: log, error: log, hide: log, named: () => logger };
      const host = { commands: () => [], progress: { seenUntil: async () => undefined, hold: () => () => undefined } };
      const visit = async (settings) => {
        const channel = createDiscordChannel({ clock: systemClock, locale: 'auto', logger, settings });
        await channel.start(host);
        process.stdout.write(channel.isConnected() + ' ');
        await channel.stop();
        await channel.close();
      };
      await Promise.all([
        visit({ token: '${up.token}', apiUrl: '${up.apiUrl}' }),
        visit({ token: '${down.token}', apiUrl: '${down.apiUrl}', startWaitMs: 1000 }),
      ]);`;
    const args = ['--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stdout).toBe('true false ');
    await Promise.all([up.close(), down.close()]);
  });
});
