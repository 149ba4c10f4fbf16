import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { newId } from '#src/platform/ids.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { type Bot, hurriedClock, makeBot, NEVER, only, openBot, outbound } from '../fixture.ts';

const ANSWER = newId<InboxId>();
const UP = `rate+:${ANSWER}`;
const DOWN = `rate-:${ANSWER}`;
const PLAIN = 2;
const MARKED = 3;

describe('👍 and 👎 on Discord', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  beforeAll(async () => {
    bot = await openBot({}, { clock: hurriedClock });
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim', locale: 'ko' });
    await bot.fake.until(() => bot.fake.commands().length === 6, { what: 'commands' });
  });
  afterAll(() => bot[Symbol.asyncDispose]());
  beforeEach(() => {
    bot.host.received.length = 0;
    bot.host.verdicts.length = 0;
    bot.host.rating = { outcome: 'stored', text: 'Thanks.' };
  });

  const now = ({ id, channelId }: SeenMessage): SeenMessage | undefined =>
    bot.fake.messagesIn(channelId).find((message) => message.id === id);
  const styles = (shown: SeenMessage) => now(shown)?.buttons.map(({ customId, style }) => [customId, style]);

  const answered = async (place: FakeChannel, choices: number): Promise<SeenMessage> => {
    const { fake, channel } = bot;
    fake.say(person, place, `${fake.mention()} apple?`);
    const question = only(await bot.received(1));
    const buttons = Array.from({ length: choices }, (_none, index) => ({
      label: `${index}`,
      command: `/price ${index}`,
    }));
    const payload = { text: '$300', choices: buttons, rated: { answerId: ANSWER } };
    const { messageId } = await channel.send(outbound(question, payload), NEVER);
    return only(fake.messagesIn(place.id).filter(({ id }) => id === messageId));
  };

  it('are two small grey buttons behind the others, within the limits of a message', async () => {
    const few = await answered(room, 1);
    expect(few.buttons.map(({ customId, label, style }) => [customId, label, style])).toEqual([
      ['say:/price 0', '0', PLAIN],
      [UP, '👍', PLAIN],
      [DOWN, '👎', PLAIN],
    ]);
    expect(few.components).toHaveLength(1);
    bot.host.received.length = 0;
    const many = await answered(room, 30);
    expect(many.buttons).toHaveLength(25);
    expect(many.buttons.slice(-2).map(({ customId }) => customId)).toEqual([UP, DOWN]);
    for (const { customId } of many.buttons) expect(customId?.length).toBeLessThanOrEqual(100);
  });

  it('are marked in a direct chat, and can be changed, without a message', async () => {
    const shown = await answered(bot.fake.directChannel(person), 1);
    const press = bot.fake.press(person, shown, UP);
    await bot.fake.until(() => styles(shown)?.[1]?.[1] === MARKED, { what: 'a mark' });
    bot.fake.press(person, shown, DOWN);
    await bot.fake.until(() => styles(shown)?.[2]?.[1] === MARKED, { what: 'another mark' });
    expect(styles(shown)).toEqual([
      ['say:/price 0', PLAIN],
      [UP, PLAIN],
      [DOWN, MARKED],
    ]);
    expect(now(shown)?.content).toBe('$300');
    expect(press.answers).toEqual([]);
    expect(bot.host.verdicts).toEqual([
      { answerId: ANSWER, verdict: 'up', userId: person.id },
      { answerId: ANSWER, verdict: 'down', userId: person.id },
    ]);
    expect(bot.host.received).toHaveLength(1);
  });

  it('thank in a server whoever presses, alone, a stranger too', async () => {
    const shown = await answered(room, 0);
    const stranger = bot.fake.addUser({ name: 'lee' });
    for (const by of [person, stranger]) {
      const press = bot.fake.press(by, shown, UP);
      await bot.fake.until(() => press.answers.length === 1, { what: 'thanks' });
      expect(only(press.answers)).toMatchObject({ content: 'Thanks.', ephemeralFor: by.id });
    }
    expect(bot.host.verdicts.map(({ userId }) => userId)).toEqual([person.id, stranger.id]);
    expect(styles(shown)).toEqual([
      [UP, PLAIN],
      [DOWN, PLAIN],
    ]);
  });

  it('say so where the answer is too old', async () => {
    const shown = await answered(bot.fake.directChannel(person), 0);
    bot.host.rating = { outcome: 'unknown', text: 'Too old.' };
    const press = bot.fake.press(person, shown, DOWN);
    await bot.fake.until(() => press.answers.length === 1, { what: 'a sentence' });
    expect(only(press.answers)).toMatchObject({ content: 'Too old.', ephemeralFor: person.id });
    expect(styles(shown)).toEqual([
      [UP, PLAIN],
      [DOWN, PLAIN],
    ]);
  });

  it('stay when another button of the answer is used up', async () => {
    const { fake, channel } = bot;
    const direct = fake.directChannel(person);
    fake.say(person, direct, 'apple?');
    const question = only(await bot.received(1));
    const choices = [{ label: 'Delete', command: '/usage delete', effect: 'ends' as const }];
    const payload = { text: '$300', choices, rated: { answerId: ANSWER } };
    const { messageId } = await channel.send(outbound(question, payload), NEVER);
    const shown = only(fake.messagesIn(direct.id).filter(({ id }) => id === messageId));
    fake.press(person, shown, 'end:/usage delete');
    // The command arrives before the request that disables its button is answered.
    await fake.until(() => now(shown)?.buttons[0]?.isDisabled === true, { what: 'a used button' });
    expect(now(shown)?.buttons.map(({ isDisabled }) => isDisabled)).toEqual([true, false, false]);
    expect(bot.host.received).toHaveLength(2);
  });

  it('come with the answer that takes the place of a live message', async () => {
    const { fake, channel } = bot;
    const direct = fake.directChannel(person);
    fake.say(person, direct, 'apple?');
    const target = replyTargetOf(only(await bot.received(1)));
    const first = await channel.send(outbound(only(await bot.received(1)), '…'), NEVER);
    const second = makeBot(fake, { clock: hurriedClock });
    await second.channel.send(
      {
        deliveryId: newId(),
        target,
        payload: { text: '$301', rated: { answerId: ANSWER } },
        replaces: first.messageId,
      },
      NEVER,
    );
    const shown = only(fake.messagesIn(direct.id).filter(({ id }) => id === asId(first.messageId)));
    expect(shown.buttons.map(({ label }) => label)).toEqual(['👍', '👎']);
  });
});
