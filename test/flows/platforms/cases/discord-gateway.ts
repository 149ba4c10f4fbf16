import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeDiscord } from '#test/fakes/discord/api.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import { discordKit, type DiscordPlatform, openDiscord } from '#test/support/platforms/discord.ts';
import type { Person, Place } from '#test/support/platforms/driver.ts';
import { ECHO, eventually, startTalk, type Talk } from '#test/support/platforms/talk.ts';
import { discordServerCases, twoServers } from './discord-servers.ts';

/** How the bot came back: its session went on, or it had to begin a new one and to look for what it missed. */
type Return = 'resumed' | 'identified';

const BREAKS: readonly (readonly [what: string, how: Return, breaks: (fake: FakeDiscord) => void])[] = [
  ['asks to reconnect (op 7)', 'resumed', ({ gateway }) => gateway.askToReconnect()],
  ['says that the session is gone for now (op 9)', 'resumed', ({ gateway }) => gateway.invalidate(true)],
  ['is cut', 'resumed', ({ gateway }) => gateway.cut()],
  ['has gone deaf', 'resumed', ({ gateway }) => gateway.deafen()],
  ['says that the session is gone for good (op 9)', 'identified', ({ gateway }) => gateway.invalidate(false)],
  [
    'is cut, and forgets the session',
    'identified',
    ({ gateway }) => {
      gateway.cut();
      gateway.forgetSessions();
    },
  ],
];

/** As the log says it. */
const CAUGHT_UP = 'Discord: read missed messages';

/** Before the new session is there: nobody tells it to the bot, it has to look. */
const unheard = (fake: FakeDiscord, say: () => void): void =>
  fake.onMoment(({ kind }) => {
    if (kind !== 'identified') return;
    fake.onMoment(undefined);
    say();
  });

/** What only Discord has: a gateway with sessions, and REST beside it. */
export const discordGatewayCases = (): void => {
  let platform: DiscordPlatform;
  let talk: Talk;
  let servers: ReturnType<typeof twoServers>;
  beforeAll(async () => {
    // Only by missing heartbeats is a deaf socket noticed. A starved machine sends some of them late.
    platform = await openDiscord({ heartbeatIntervalMs: 500, heartbeatGraceMs: 30_000 });
    servers = twoServers(platform);
    const config = () => servers.config;
    talk = await startTalk({ ...discordKit, open: async () => platform }, { config });
  });
  afterAll(() => talk.close());

  describe('a server of Discord', () => discordServerCases(() => ({ talk, platform, servers })));

  const answersTo = (words: string, person: Person, place: Place): number =>
    platform.seenBy(person, place).filter(({ text }) => text.includes(`${ECHO}${words}`)).length;

  describe('the gateway of Discord', () => {
    it.each(BREAKS)(
      '%s: the bot is back (%s), nothing is lost, nothing is answered twice',
      async (_what, how, breaks) => {
        const { sees } = talk;
        const { fake } = platform;
        const ann = platform.addPerson('ann');
        const direct = platform.direct(ann);
        const { place: thread } = platform.openThread(ann, platform.addRoom('cut'), 'among ourselves');
        platform.say(ann, direct, 'hello');
        await sees(ann, direct, 'hello');
        platform.say(ann, thread, 'before', { mention: true });
        await sees(ann, thread, 'before');
        const talkOn = (): void => {
          platform.say(ann, direct, 'while');
          platform.say(ann, thread, 'follow-up');
        };
        // A socket that is just being renewed would never say hello to a deaf gateway.
        await eventually(() => fake.gateway.isReady);
        const [before, caughtUp] = [entriesOf(fake.history, how).length, talk.count(CAUGHT_UP)];
        if (how === 'identified') unheard(fake, talkOn);
        breaks(fake);
        if (how === 'resumed') talkOn();
        await eventually(() => entriesOf(fake.history, how).length > before);
        await sees(ann, direct, 'while');
        await sees(ann, thread, 'follow-up');
        platform.say(ann, direct, 'after');
        await sees(ann, direct, 'after');
        if (how === 'identified') await eventually(() => talk.count(CAUGHT_UP) > caughtUp);
        expect([
          answersTo('among ourselves', ann, thread),
          answersTo('before', ann, thread),
          answersTo('while', ann, direct),
          answersTo('follow-up', ann, thread),
          answersTo('after', ann, direct),
        ]).toEqual([0, 1, 1, 1, 1]);
      },
    );

    it('what was said while the bot was away is answered when it is back, and once', async () => {
      const { sees } = talk;
      const ann = platform.addPerson('ann');
      const direct = platform.direct(ann);
      const newRoom = platform.addRoom('never spoken in');
      const { place: thread } = platform.callIntoThread(ann, platform.addRoom('away'), 'before');
      platform.say(ann, direct, 'hello');
      await sees(ann, thread, 'before');
      await sees(ann, direct, 'hello');
      await talk.stop();
      platform.say(ann, thread, 'are you there?');
      platform.say(ann, direct, 'and here?');
      platform.say(ann, newRoom, 'is anybody here?', { mention: true });
      platform.say(ann, newRoom, 'never mind');
      await talk.start();
      await sees(ann, thread, 'are you there?');
      await sees(ann, direct, 'and here?');
      await sees(ann, newRoom, 'is anybody here?');
      // It looks again, and finds what it knows.
      await talk.restart();
      platform.say(ann, direct, 'the end');
      await sees(ann, direct, 'the end');
      expect(platform.seenBy(ann, thread)).toHaveLength(2);
      expect(platform.seenBy(ann, direct)).toHaveLength(3);
      expect(platform.seenBy(ann, newRoom)).toHaveLength(1);
    });
  });

  it('a storm of 429 on one channel of Discord delays that channel alone, and is waited out', async () => {
    const { sees } = talk;
    const { fake } = platform;
    const ann = platform.addPerson('ann');
    const [storm, calm] = [platform.addRoom('storm'), platform.addRoom('calm')];
    const offences = platform.offences();
    fake.faults.storm({ forMs: 1_500, channelId: storm.id });
    platform.say(ann, storm, 'in the storm', { mention: true });
    await eventually(() => entriesOf(fake.history, 'rateLimited').length > 0);
    // They are answered while the storm lasts: nothing is seen of it yet.
    for (const words of ['one', 'two', 'three']) {
      platform.say(ann, calm, words, { mention: true });
      await sees(ann, calm, words);
    }
    expect(platform.seenBy(ann, storm)).toEqual([]);
    await sees(ann, storm, 'in the storm');
    expect(platform.offences()).toEqual(offences);
  });
};
