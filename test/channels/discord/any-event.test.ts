import { GatewayDispatchEvents } from 'discord.js';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isWhole } from '#channels/discord/wire.ts';
import { forwardedIn, mediaOf, shownIn } from '#channels/discord/receive/message-words.ts';
import type { FakeChannel, FakeUser } from '#test/fakes/discord/seen.ts';
import { createRandom } from '#test/faults/random.ts';
import { counted, mutated } from '#test/support/mutations.ts';
import { type Bot, hurriedClock, openBot } from './fixture.ts';
import { EVERY_FIELD } from './every-field.ts';
import { discordEvents, type Generated } from './generated.ts';

type Fields = Readonly<Record<string, unknown>>;

const each = (value: (field: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(EVERY_FIELD).map(([name, field]) => [name, value(field)]));

/** A value of another type than that of the field. */
const wrong = (field: unknown): unknown => {
  if (typeof field === 'string') return { id: 7 };
  if (Array.isArray(field)) return 'none';
  return typeof field === 'object' ? [null, 7] : '7';
};

/** The value with everything in it that has no parts. */
const hollow = (field: unknown): unknown => {
  if (Array.isArray(field)) return [null, {}, 7];
  return typeof field === 'object' ? {} : field;
};

const SHAPES: Readonly<Record<string, unknown>> = {
  'no field': {},
  nothing: null,
  'another type': 'event',
  'every field': EVERY_FIELD,
  'every field, null': each(() => null),
  'every field, of a wrong type': each(wrong),
  'every field, with nothing in it': each(hollow),
};

const SEED = 46;
/** Each field may be looked at for several purposes. */
const STEPS_A_FIELD = 20;

const FRAMES: readonly string[] = [
  'no JSON',
  'null',
  '7',
  '[]',
  '{}',
  '{"op":null}',
  '{"op":0}',
  '{"op":0,"t":"MESSAGE_CREATE","d":{}}',
  '{"op":0,"t":null,"s":null,"d":null}',
  '{"op":9}',
  '{"op":9,"d":null}',
  '{"op":10,"d":null}',
  '{"op":10,"d":{"heartbeat_interval":"soon"}}',
  '{"op":11,"d":null}',
  '{"op":99,"d":{}}',
];

describe('an event of Discord in any shape ends nothing:', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(async () => {
    bot = await openBot({}, { clock: hurriedClock });
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim' });
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    bot.host.received.length = 0;
  });
  afterAll(async () => {
    process.off('unhandledRejection', note);
    await bot[Symbol.asyncDispose]();
  });

  const nextArrives = async (): Promise<void> => {
    const said = bot.fake.say(person, room, 'the next one');
    await bot.fake.until(() => bot.host.received.some(({ id }) => (id as string) === said.id), {
      what: 'the next message',
      timeoutMs: 60_000,
    });
    expect(unhandled).toEqual([]);
    expect(bot.channel.isConnected()).toBe(true);
  };

  it.each(Object.entries(SHAPES))('%s', async (_what, data) => {
    bot.host.failedEvents.length = 0;
    for (const event of [...Object.values(GatewayDispatchEvents), 'SOMETHING_NEW'])
      bot.fake.dispatch(event, data);
    await nextArrives();
    if (data === null) expect(bot.host.failedEvents).toContain('MESSAGE_UPDATE');
  });

  describe('1,000 of them, generated as documented,', { timeout: 150_000 }, () => {
    let events: readonly Generated[];
    beforeAll(() => {
      const thread = bot.fake.addThread(room, { name: 'on it', isJoined: true });
      const seen = {
        guildId: room.guildId ?? '',
        channelId: room.id,
        threadId: thread.id,
        applicationId: bot.fake.applicationId,
        botId: bot.fake.bot.id,
        people: [person.id, bot.fake.addUser({ name: 'lee' }).id] as const,
      };
      events = fc.sample(discordEvents(seen), { numRuns: 1_000, seed: SEED });
    });

    it('and all that people say is received', async () => {
      bot.host.failedEvents.length = 0;
      for (const { event, data } of events) bot.fake.dispatch(event, data);
      await nextArrives();
      const said = events.filter(
        ({ event, data }) => event === 'MESSAGE_CREATE' && [0, 19, 20, 23].includes(Number(data['type'])),
      );
      const ids = new Set(said.map(({ data }) => data['id']));
      const isIn = () => bot.host.received.filter(({ id }) => ids.has(id)).length >= ids.size;
      await bot.fake.until(isIn, { what: 'all messages', timeoutMs: 60_000 });
      expect(bot.host.failedEvents).toEqual([]);
      expect(ids.size).toBeGreaterThan(200);
    });

    it('with fields changed, and none is read in more steps than it has fields', async () => {
      const random = createRandom(SEED);
      for (const { event, data } of events) {
        const changed = mutated(data, random);
        bot.fake.dispatch(event, changed);
        const { value, reads, size } = counted(changed);
        if (isWhole(value)) for (const read of [shownIn, forwardedIn, mediaOf]) read(value);
        expect(reads()).toBeLessThan(STEPS_A_FIELD * (size + 10));
      }
      await nextArrives();
    });
  });

  it.each(FRAMES)('the frame %s', async (frame) => {
    bot.fake.gateway.sendFrame(frame);
    await nextArrives();
  });
});
