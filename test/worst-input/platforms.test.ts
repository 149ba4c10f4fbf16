import { expect, it } from 'vitest';
import { discordKit, type DiscordPlatform } from '#test/support/platforms/discord.ts';
import type { Person, Place, PlatformKit } from '#test/support/platforms/driver.ts';
import { slackKit, type SlackPlatform } from '#test/support/platforms/slack.ts';
import { eventually, startTalk, type Talk } from '#test/support/platforms/talk.ts';
import { createBlocks } from './longest-block.ts';
import { FEW_SHAPES, shareOf } from './shapes.ts';

const PATIENCE = { timeout: 300_000 };

interface Limits {
  readonly message: number;
  readonly option: number;
  readonly field: number;
  readonly displayName: number;
  /** Of what a button gives back. */
  readonly button: number;
}

/** Presses a button of the newest message that gives back what the bot never put into it. */
type PressForged = (talk: Talk, person: Person, place: Place, value: string) => void;

const newest = ({ platform }: Talk, person: Person, place: Place): string => {
  const id = platform.seenBy(person, place).at(-1)?.id;
  if (id === undefined) throw new Error('There is no message with a button');
  return id;
};

const pressOnDiscord: PressForged = (talk, person, place, value) => {
  const { fake } = talk.platform as DiscordPlatform;
  const message = { id: newest(talk, person, place), channelId: place.id };
  fake.press(
    { id: person.id, username: person.name, displayName: person.name, isBot: false },
    message,
    `say:${value}`,
    { isStale: true },
  );
};

const pressOnSlack: PressForged = (talk, person, place, value) => {
  const { fake } = talk.platform as SlackPlatform;
  const message = { channel: place.id, ts: newest(talk, person, place) };
  fake.press(person.id, message, 'finclaw_choice_0', { value });
};

const line = (text: string): string => text.replaceAll(/[\r\n]/g, ' ');

const checkPlatform = (kit: PlatformKit, limits: Limits, pressForged: PressForged): void =>
  it(`no message, option, name, button or form of ${kit.name} stalls the bot`, PATIENCE, async () => {
    const talk = await startTalk(kit);
    try {
      const { platform } = talk;
      const blocks = createBlocks(kit.name);
      /** Until the bot has said one more thing to this person in this place. */
      const answered = async (person: Person, place: Place, act: () => unknown): Promise<void> => {
        const before = platform.seenBy(person, place).length;
        act();
        await eventually(() => {
          const seen = platform.seenBy(person, place);
          return seen.length > before && seen.at(-1)?.isUnderWay === false;
        });
      };
      const room = platform.addRoom('room');
      await answered(platform.boss, platform.direct(platform.boss), () =>
        platform.say(platform.boss, platform.direct(platform.boss), 'hello'),
      );

      for (const { name, of } of shareOf(FEW_SHAPES, 2)) {
        talk.claude.otherwise({ kind: 'answer', text: `${of(4_000)} .` });
        await blocks.of(`message of ${name}`, async () => {
          const ann = platform.addPerson(`a${of(limits.displayName - 1)}`);
          const direct = platform.direct(ann);
          await answered(ann, direct, () => platform.say(ann, direct, `?${of(limits.message - 2)}`));
        });
        await blocks.of(`option of ${name}`, async () => {
          const bob = platform.addPerson('bob');
          const direct = platform.direct(bob);
          const symbol = `x${line(of(limits.option - 1))}`;
          await answered(bob, direct, () => platform.call(bob, direct, 'price', { symbol }));
        });
        await blocks.of(`button of ${name}`, async () => {
          const cyd = platform.addPerson('cyd');
          const direct = platform.direct(cyd);
          await answered(cyd, direct, () => platform.call(cyd, direct, 'price', { symbol: '삼성' }));
          await answered(cyd, direct, () =>
            pressForged(talk, cyd, direct, line(`/price ${of(limits.button - 7)}`)),
          );
        });
        await blocks.of(`form of ${name}`, async () => {
          const call = platform.call(platform.boss, room, 'keys', { action: 'add', target: 'anthropic' });
          await eventually(() => call.form());
          const sent = call.fillIn([line(of(limits.field)), line(of(40))]);
          await eventually(() => sent.acknowledgedAfterMs());
        });
        if (kit.can.typedOptions)
          await blocks.of(`typed so far: ${name}`, () =>
            platform.suggestions(platform.boss, room, line(of(100))),
          );
      }

      // What others said before a mention: twenty messages, as long as they may be.
      for (const { name, of } of FEW_SHAPES.slice(0, 3)) {
        const place = platform.addRoom(`talk of ${name}`);
        const [dan, eve] = [platform.addPerson('dan'), platform.addPerson('eve')];
        for (let count = 0; count < 20; count += 1)
          platform.say(dan, place, `${of(Math.min(limits.message, 12_000) - 2)} .`);
        await blocks.of(`history of ${name}`, () =>
          answered(eve, place, () => platform.say(eve, place, 'well?', { mention: true })),
        );
      }
      blocks.expectNone();
      expect(talk.log.filter((each) => each.includes('"level":"error"'))).toEqual([]);
    } finally {
      await talk.close();
    }
  });

checkPlatform(
  discordKit,
  { message: 4_000, option: 6_000, field: 300, displayName: 32, button: 96 },
  pressOnDiscord,
);
checkPlatform(
  slackKit,
  { message: 20_000, option: 8_000, field: 300, displayName: 80, button: 2_000 },
  pressOnSlack,
);
