import { describe, expect, it, onTestFinished } from 'vitest';
import { createLeapingClock } from '#test/support/leaping-clock.ts';
import type { Person, Place, Platform, Seen } from '#test/support/platforms/driver.ts';
import { openDiscord } from '#test/support/platforms/discord.ts';
import { openSlack } from '#test/support/platforms/slack.ts';
import { eventually, seesOn, startBot } from '#test/support/platforms/talk.ts';

/** The welcome follows the first answer after a pause. */
const BEHIND_ANSWER_MS = 4_000;

const start = async (platform: Platform) => {
  onTestFinished(platform.close);
  const clock = createLeapingClock();
  const bot = await startBot([platform], { clock, config: { timeZone: undefined, welcome: true } });
  onTestFinished(bot.close);
  const sees = seesOn(platform);
  const seesWelcome = async (person: Person, place: Place, isIt: (seen: Seen) => boolean): Promise<Seen> => {
    const answer = await sees(person, place, ({ isUnderWay }) => !isUnderWay);
    expect(isIt(answer)).toBe(false);
    await eventually(() => bot.count('pipeline:complete') > 0);
    clock.hurryOn(BEHIND_ANSWER_MS);
    return sees(person, place, isIt);
  };
  return { ...bot, sees, seesWelcome };
};

const labelsOf = ({ buttons }: Seen): readonly string[] => buttons.map(({ label }) => label);
const TRIES = ['Apple price', 'Market overview', 'Apple chart'];
const TRIES_KO = ['삼성전자 시세', '시장 요약', '삼성전자 차트'];
const LANGUAGES = ['한국어', 'English'];
const isWelcome = ({ text }: Pick<Seen, 'text'>): boolean => text.includes('Three things to try');

describe('the welcome on Discord', () => {
  it('greets a new server once, also over a restart, and its buttons answer', async () => {
    const platform = await openDiscord();
    const { fake } = platform;
    const { restart } = await start(platform);
    const guild = fake.addGuild({ name: 'new', channels: [{ name: 'lobby', isSystem: true }] });
    const [lobby] = guild.channels;
    if (!lobby) throw new Error('there is no lobby');
    const greetings = () =>
      fake.messagesIn(lobby.id).filter(({ content }) => content.includes('I am FinClaw'));
    await eventually(() => greetings().length === 1);
    expect(greetings()[0]?.buttons.map(({ label }) => label)).toEqual(TRIES);
    await restart();
    const [shown] = greetings();
    if (!shown) throw new Error('there is no greeting');
    // It belongs to nobody: each press is answered once, whoever it is by, and the greeting stays as it is.
    const [kim, lee] = [fake.addUser({ name: 'kim' }), fake.addUser({ name: 'lee' })];
    const presses = [kim, kim, lee].map((who) => fake.press(who, shown, 'say:/price AAPL'));
    await eventually(() => presses.every(({ answers }) => answers.some(({ isThinking }) => !isThinking)));
    expect(presses.map(({ answers }) => answers.length)).toEqual([1, 1, 1]);
    expect(greetings()).toEqual([shown]);
    expect(platform.offences()).toEqual([]);
  });

  it('follows the first answer in a direct chat, and asks for the language alone', async () => {
    const platform = await openDiscord();
    const { sees, seesWelcome, restart } = await start(platform);
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    platform.say(ann, direct, 'AAPL');
    const shown = await seesWelcome(ann, direct, isWelcome);
    expect(labelsOf(shown)).toEqual([...TRIES, ...LANGUAGES]);
    const seen = () => platform.seenBy(ann, direct);
    expect(seen()[0]?.text).toContain('AAPL');
    // The answer has greeted them.
    expect(shown.text).not.toContain('I am FinClaw');
    await restart();
    platform.press(ann, shown, '한국어');
    // What there is to try stays, and the question that was answered is gone.
    const left = await sees(ann, direct, ({ id, text }) => id === shown.id && text.includes('이렇게 시작해'));
    expect(left.text).not.toContain('Which language');
    expect(labelsOf(left)).toEqual(TRIES_KO);
    platform.say(ann, direct, 'again');
    await sees(ann, direct, 'again');
    expect(seen()).toHaveLength(3);
    expect(platform.offences()).toEqual([]);
  });

  it.each([
    ['안녕하세요', '이렇게 시작해', TRIES_KO],
    ['hello there', 'Three things', TRIES],
  ])('asks nobody for the language that they have just written (%s)', async (words, lead, tries) => {
    const platform = await openDiscord();
    const { seesWelcome } = await start(platform);
    const ann = platform.addPerson('ann');
    const direct = platform.direct(ann);
    platform.say(ann, direct, words);
    const shown = await seesWelcome(ann, direct, ({ text }) => text.includes(lead));
    expect(labelsOf(shown)).toEqual(tries);
  });
});

describe('the welcome on Slack', () => {
  it('greets a channel that the bot is added to once, in the language of whoever added it', async () => {
    const platform = await openSlack();
    const { fake } = platform;
    await start(platform);
    const mina = fake.addUser({ name: 'mina', locale: 'ko-KR' });
    const event = fake.join(fake.general.id, fake.bot.userId, mina.id);
    const greetings = () =>
      fake.botMessagesIn(fake.general.id).filter(({ rendered }) => rendered.includes('FinClaw입니다'));
    await eventually(() => greetings().length === 1);
    fake.repeat(event);
    fake.join(fake.general.id, fake.bot.userId, mina.id);
    fake.openHome(fake.alice.id, 'messages');
    const direct = fake.directOf(fake.alice.id).id;
    await eventually(() => fake.botMessagesIn(direct).length === 1);
    expect(greetings()).toHaveLength(1);
    expect(platform.offences()).toEqual([]);
  });

  it('asks nobody for a language that is in their profile', async () => {
    const platform = await openSlack();
    const { seesWelcome } = await start(platform);
    const ann = platform.addPerson('ann', { locale: 'en', timeZone: 'Europe/London' });
    const direct = platform.direct(ann);
    platform.say(ann, direct, 'hello there');
    const shown = await seesWelcome(ann, direct, isWelcome);
    expect(labelsOf(shown)).toEqual(TRIES);
    expect(platform.seenBy(ann, direct)[0]?.text).toContain('hello there');
  });
});
