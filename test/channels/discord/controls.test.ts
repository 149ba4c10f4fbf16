import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Choice, MsgContext } from '#src/kernel/chat/message.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { type Bot, hurriedClock, makeBot, NEVER, only, openBot, outbound } from './fixture.ts';

const REFRESH: Choice = { label: 'Refresh', command: '/price AAPL', effect: 'replaces', isCurrent: true };
const DELETE: Choice = { label: 'Delete', command: '/usage delete', effect: 'ends', isDestructive: true };

describe('buttons that act on their message', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  let stranger: FakeUser;
  beforeAll(async () => {
    bot = await openBot({}, { clock: hurriedClock });
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim', locale: 'ko' });
    stranger = bot.fake.addUser({ name: 'lee' });
    await bot.fake.until(() => bot.fake.commands().length === 6, { what: 'commands' });
  });
  afterAll(() => bot[Symbol.asyncDispose]());
  beforeEach(() => {
    bot.host.received.length = 0;
  });

  const now = ({ id }: SeenMessage): SeenMessage | undefined =>
    bot.fake.messagesIn(room.id).find((message) => message.id === id);

  /** An answer with these buttons, to a command or to a mention. */
  const answered = async (to: 'command' | 'mention', choices: readonly Choice[]): Promise<SeenMessage> => {
    const { fake, channel } = bot;
    const before = bot.host.received.length;
    if (to === 'command') fake.command(person, room, 'price', { symbol: 'AAPL' });
    else fake.say(person, room, `${fake.mention()} apple?`);
    const question = (await bot.received(before + 1))[before];
    if (!question) throw new Error('nothing came');
    const { messageId } = await channel.send(outbound(question, { text: '$300', choices }), NEVER);
    const shown = fake.messagesIn(room.id).find(({ id }) => id === messageId);
    if (!shown) throw new Error('no answer');
    return shown;
  };

  const pressed = async (by: FakeUser, shown: SeenMessage, customId: string) => {
    const before = bot.host.received.length;
    const press = bot.fake.press(by, shown, customId);
    const message = (await bot.received(before + 1))[before] as MsgContext;
    return { press, message };
  };

  it('are drawn by what they do', async () => {
    const shown = await answered('command', [REFRESH, DELETE]);
    expect(shown.buttons.map(({ customId, style }) => [customId, style])).toEqual([
      ['put:/price AAPL', 1],
      ['ask:end:/usage delete', 4],
    ]);
  });

  it.each(['command', 'mention'] as const)('replace the answer to a %s, as often as pressed', async (to) => {
    const shown = await answered(to, [REFRESH]);
    for (const price of ['$301', '$302']) {
      const { press, message } = await pressed(person, shown, 'put:/price AAPL');
      expect(press.answers).toEqual([]);
      await bot.channel.send(outbound(message, { text: price, choices: [REFRESH] }), NEVER);
      expect(now(shown)).toMatchObject({ content: price, buttons: [{ customId: 'put:/price AAPL' }] });
    }
  });

  it('replace the answer after a restart too, and once', async () => {
    const shown = await answered('command', [REFRESH]);
    const { message } = await pressed(person, shown, 'put:/price AAPL');
    const second = makeBot(bot.fake);
    await second.channel.send(outbound(message, '$303'), NEVER);
    await bot.channel.send(outbound(message, '$303'), NEVER);
    expect(now(shown)?.content).toBe('$303');
  });

  it('say why nothing was found beside the answer, which stays', async () => {
    const shown = await answered('mention', [REFRESH]);
    const { press, message } = await pressed(person, shown, 'put:/price AAPL');
    await bot.channel.send(outbound(message, { text: 'There is no price now.', ephemeral: true }), NEVER);
    expect(now(shown)?.content).toBe('$300');
    expect(only(press.answers)).toMatchObject({ content: 'There is no price now.', ephemeralFor: person.id });
  });

  it('answer a stranger alone', async () => {
    const shown = await answered('command', [REFRESH, DELETE]);
    const { press, message } = await pressed(stranger, shown, 'put:/price AAPL');
    expect(message.senderId).toBe(stranger.id);
    await bot.channel.send(outbound(message, 'for you'), NEVER);
    expect(only(press.answers)).toMatchObject({ content: 'for you', ephemeralFor: stranger.id });
    expect(now(shown)).toMatchObject({
      content: '$300',
      buttons: [{ isDisabled: false }, { isDisabled: false }],
    });
  });

  /** Presses what deletes something, and sees the question. */
  const asked = async (shown: SeenMessage): Promise<void> => {
    bot.fake.press(person, shown, 'ask:end:/usage delete');
    await bot.fake.until(() => now(shown)?.buttons.some(({ customId }) => customId === 'keep'));
  };
  const drawn = (shown: SeenMessage) =>
    now(shown)?.buttons.map(({ customId, label, isDisabled }) => [customId, label, isDisabled]);
  const BEFORE = [
    ['put:/price AAPL', 'Refresh', false],
    ['ask:end:/usage delete', 'Delete', false],
  ];

  it.each(['command', 'mention'] as const)('ask in place before they delete (%s)', async (to) => {
    const shown = await answered(to, [REFRESH, DELETE]);
    bot.host.received.length = 0;
    await asked(shown);
    expect(drawn(shown)).toEqual([
      ['put:/price AAPL', 'Refresh', true],
      ['ask:end:/usage delete', 'Delete', true],
      ['end:/usage delete', 'Delete', false],
      ['keep', '그대로 두기', false],
    ]);
    bot.fake.press(person, shown, 'keep');
    await bot.fake.until(() => now(shown)?.buttons.length === 2);
    expect(drawn(shown)).toEqual(BEFORE);
    expect(bot.host.received).toEqual([]);
  });

  it('delete once, and their message stays without what can be pressed', async () => {
    const shown = await answered('mention', [REFRESH, DELETE]);
    await asked(shown);
    const { press, message } = await pressed(person, shown, 'end:/usage delete');
    await bot.fake.until(() => now(shown)?.buttons.every(({ isDisabled }) => isDisabled));
    expect(now(shown)).toMatchObject({ content: '$300' });
    expect(drawn(shown)).toHaveLength(2);
    await bot.channel.send(outbound(message, 'Deleted.'), NEVER);
    expect(only(press.answers)).toMatchObject({ content: 'Deleted.', ephemeralFor: person.id });
    expect(() => bot.fake.press(person, shown, 'end:/usage delete')).toThrow('cannot press');
  });

  it('neither ask a stranger nor do what the stranger presses', async () => {
    const shown = await answered('command', [REFRESH, DELETE]);
    bot.host.received.length = 0;
    const refused = async (customId: string) => {
      const press = bot.fake.press(stranger, shown, customId);
      await bot.fake.until(() => press.answers.length === 1);
      expect(only(press.answers)).toMatchObject({ ephemeralFor: stranger.id });
      expect(only(press.answers).content).toContain('for the person who asked');
    };
    await refused('ask:end:/usage delete');
    expect(drawn(shown)).toEqual(BEFORE);
    await asked(shown);
    await refused('end:/usage delete');
    await refused('keep');
    expect(drawn(shown)).toHaveLength(4);
    expect(bot.host.received).toEqual([]);
  });

  it('can be pressed again where the press could not be stored', async () => {
    const shown = await answered('mention', [{ ...DELETE, isDestructive: false }]);
    const { onReceive } = bot.host;
    bot.host.onReceive = () => Promise.reject(new Error('the disk is full'));
    const press = bot.fake.press(person, shown, 'end:/usage delete');
    await bot.fake.until(() => press.answers.length === 1);
    expect(only(press.answers).content).toContain('저장하지 못해');
    expect(now(shown)?.buttons).toMatchObject([{ isDisabled: false }]);
    bot.host.onReceive = onReceive;
    await pressed(person, shown, 'end:/usage delete');
    await bot.fake.until(() => now(shown)?.buttons.every(({ isDisabled }) => isDisabled));
  });
});
