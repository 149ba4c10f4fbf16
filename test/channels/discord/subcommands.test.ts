import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readChartStyle } from '#src/kernel/market/chart-style.ts';
import { commandDefinitions } from '#commands/index.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import type { FakeDiscordOptions } from '#test/fakes/discord/api.ts';
import type { FakeChannel, FakeUser } from '#test/fakes/discord/seen.ts';
import { type Bot, hurriedClock, NEVER, only, openBot, outbound } from './fixture.ts';

describe('subcommands on Discord', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  beforeAll(async () => {
    bot = await openBot({}, { clock: hurriedClock }, commandDefinitions);
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim', locale: 'ko' });
    await bot.fake.until(() => bot.fake.commands().length === commandDefinitions.length + 3);
  });
  afterAll(() => bot[Symbol.asyncDispose]());
  beforeEach(() => {
    bot.host.received.length = 0;
  });

  const bodyOf = async (...call: Parameters<Bot['fake']['command']>): Promise<string> => {
    bot.fake.command(...call);
    return only(await bot.received(1)).body;
  };

  it('are filled in with typed options, and read as if they were typed', async () => {
    const values = { symbol: 'AAPL', quantity: '10', price: '190.5', date: 'yesterday' };
    expect(await bodyOf(person, room, 'portfolio buy', values)).toBe(
      '/portfolio buy AAPL --quantity=10 --price=190.5 --date=yesterday',
    );
  });

  it('have Korean names', async () => {
    expect(await bodyOf(person, room, '알림 가격', { symbol: '삼성전자', when: '>=', level: '8만원' })).toBe(
      '/alert 삼성전자 >= 8만원',
    );
  });

  it('take a channel from a list', async () => {
    expect(await bodyOf(person, room, 'settings channels', { change: 'add', channel: room.id })).toBe(
      `/settings channels add <#${room.id}>`,
    );
  });

  it('take a role from a list', async () => {
    const role = '123456789';
    expect(await bodyOf(person, room, 'settings roles', { change: 'add', role })).toBe(
      `/settings roles add <@&${role}>`,
    );
  });

  it('take a file', async () => {
    bot.fake.command(person, room, 'portfolio import', {
      file: { name: 'trades.csv', contentType: 'text/csv', bytes: 'a' },
    });
    expect(only(await bot.received(1))).toMatchObject({
      body: '/portfolio import',
      media: [{ name: 'trades.csv' }],
    });
  });

  it('complete their options from what a person has', async () => {
    const completed = [
      ['alert delete', 'alert'],
      ['portfolio buy', 'portfolio'],
      ['portfolio buy', 'date'],
      ['briefing delete', 'briefing'],
    ] as const;
    for (const [command, option] of completed)
      expect(await bot.fake.autocomplete(person, room, command, option, 'x')).toMatchObject([
        { name: `${option} x ko` },
      ]);
  });

  it('take the style of a chart from a list, which the command reads', async () => {
    const chart = bot.fake.commands().find(({ name }) => name === 'chart');
    const options = chart?.['options'] as readonly {
      readonly name: string;
      readonly choices?: readonly { readonly value: string }[];
    }[];
    const values = options.find(({ name }) => name === 'style')?.choices?.map(({ value }) => value) ?? [];
    expect(values).toEqual(expect.arrayContaining(['line', 'weekly', 'monthly', 'log', 'weekly line']));
    const words = values.flatMap((value) => value.split(' '));
    expect(words.filter((word) => readChartStyle(word) === undefined)).toEqual([]);
    expect(await bodyOf(person, room, 'chart', { symbol: 'AAPL', style: 'weekly line' })).toBe(
      '/chart AAPL weekly line',
    );
  });

  it('complete an option by what the others contain', async () => {
    const portfolio = '연금';
    expect(
      await bot.fake.autocomplete(person, room, 'portfolio undo', 'number', '1', { portfolio }),
    ).toMatchObject([{ name: 'entry 1 ko portfolio 연금' }]);
  });

  it('for administrators are offered to nobody else', () => {
    const permissions = new Map(
      bot.fake.commands().map((command) => [command['name'], command['default_member_permissions']]),
    );
    for (const name of ['keys', 'pair', 'config', 'debug', 'status']) expect(permissions.get(name)).toBe('0');
    expect(permissions.get('settings')).toBe('32');
    expect(permissions.get('price')).toBeNull();
  });
});

describe('the menu of a message', () => {
  it('does not take what somebody else said into a microphone for words of the person who asks', async () => {
    await using bot = await openBot({}, { clock: hurriedClock });
    const { fake, host } = bot;
    const room = fake.addChannel(fake.addGuild({ name: 'a' }), { name: 'stocks' });
    await fake.until(() => fake.commands().length === 6);
    const recording = { name: 'voice-message.ogg', contentType: 'audio/ogg', bytes: 'sound' };
    const said = fake.say(fake.addUser({ name: 'lee' }), room, { attachments: [recording], isVoice: true });
    await bot.received(1);
    host.received.length = 0;
    fake.menu(fake.addUser({ name: 'kim' }), said, 'Explain this');
    const { media = [] } = only(await bot.received(1));
    expect(media).toMatchObject([{ name: 'voice-message.ogg' }]);
    expect(media[0]).not.toHaveProperty('isVoice');
  });

  it('asks about what somebody else wrote, which nobody else sees', async () => {
    await using bot = await openBot({}, { clock: hurriedClock });
    const { fake, host, channel } = bot;
    const room = fake.addChannel(fake.addGuild({ name: 'a' }), { name: 'stocks' });
    const [writer, reader] = [fake.addUser({ name: 'lee' }), fake.addUser({ name: 'kim', locale: 'ko' })];
    await fake.until(() => fake.commands().length === 6);
    const said = fake.say(writer, room, 'Apple beats NVIDIA today');
    await bot.received(1);
    host.received.length = 0;
    const explained = fake.menu(reader, said, '이 메시지 설명');
    const forwarded = [{ authorName: 'lee', text: 'Apple beats NVIDIA today', isFromOthers: true }];
    expect(only(await bot.received(1))).toMatchObject({ body: '이 메시지를 설명해 줘.', forwarded });
    await channel.send(outbound(only(host.received), '설명입니다.'), NEVER);
    expect(only(explained.answers)).toMatchObject({ content: '설명입니다.', ephemeralFor: reader.id });
    fake.menu(reader, said, 'Prices in this message');
    const [, asked] = await bot.received(2);
    expect(asked).toMatchObject({ body: '/price', forwarded, senderId: reader.id });
  });
});

const ownersAmong = async (
  names: readonly string[],
  owner: (ids: readonly string[]) => FakeDiscordOptions['owner'],
): Promise<readonly boolean[]> => {
  const ids = names.map((_name, index) => `50000000000000000${index}`);
  const chosen = owner(ids);
  const bot = await openBot(chosen ? { owner: chosen } : {}, { clock: hurriedClock });
  onTestFinished(() => bot[Symbol.asyncDispose]());
  const room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
  for (const id of ids) bot.fake.say(bot.fake.addUser({ name: id, id }), room, `${bot.fake.mention()} hi`);
  const received = await bot.received(names.length);
  return ids.map((id) => received.find(({ senderId }) => senderId === asId<UserId>(id))?.ownsBot === true);
};

describe('the owner of the application', () => {
  it('runs the bot, and nobody else does', async () => {
    expect(await ownersAmong(['owner', 'other'], ([userId = '']) => ({ userId }))).toEqual([true, false]);
  });

  it('may be a team, of which those who can change it run the bot', async () => {
    const names = ['admin', 'developer', 'reader', 'invited', 'other'];
    const isOwner = await ownersAmong(names, ([first = '', second = '', third = '', fourth = '']) => ({
      team: [
        { userId: first, role: 'admin' },
        { userId: second, role: 'developer' },
        { userId: third, role: 'read_only' },
        { userId: fourth, role: 'admin', isInvited: true },
      ],
    }));
    expect(isOwner).toEqual([true, true, false, false, false]);
  });
});

describe('a person who added the bot to their own account', () => {
  it('calls it where the bot is not, and others read only what contains no account data', async () => {
    await using bot = await openBot({}, { clock: hurriedClock });
    const { fake, host, channel } = bot;
    const away = fake.addGuild({ name: 'away', hasBot: false });
    const room = fake.addChannel(away, { name: 'talk' });
    const person = fake.addUser({ name: 'kim' });
    await fake.until(() => fake.commands().length === 6);
    const direct = { chatType: 'direct', chatId: person.id, senderId: person.id, senderRoles: [] };

    const price = fake.command(person, room, 'price', { symbol: 'AAPL' });
    const [first] = await bot.received(1);
    expect(first).toMatchObject({ ...direct, body: '/price AAPL', interaction: { isPrivate: false } });
    expect(first).not.toHaveProperty('guildId');
    await channel.send(outbound(only(host.received), 'Apple'), NEVER);
    expect(only(price.answers)).toMatchObject({ content: 'Apple', channelId: room.id });
    expect(only(price.answers).ephemeralFor).toBeUndefined();

    const asked = fake.command(person, room, 'ask', { question: 'How is my portfolio doing?' });
    const [, second] = await bot.received(2);
    expect(second).toMatchObject({ ...direct, interaction: { isPrivate: true } });
    if (second) await channel.send(outbound(second, 'Well.'), NEVER);
    expect(only(asked.answers)).toMatchObject({ content: 'Well.', ephemeralFor: person.id });
  });

  it('replaces nothing that others read by what may contain account data', async () => {
    await using bot = await openBot({}, { clock: hurriedClock });
    const { fake, host, channel } = bot;
    const room = fake.addChannel(fake.addGuild({ name: 'away', hasBot: false }), { name: 'talk' });
    const person = fake.addUser({ name: 'kim' });
    await fake.until(() => fake.commands().length === 6);
    const price = fake.command(person, room, 'price', { symbol: 'AAPL' });
    await bot.received(1);
    const choices = [{ label: 'Mine', command: '/usage', effect: 'replaces' as const }];
    await channel.send(outbound(only(host.received), { text: 'Apple', choices }), NEVER);
    const [shown] = price.answers;
    if (!shown) throw new Error('There is no answer');
    fake.press(person, shown, shown.buttons[0]?.customId ?? '');
    const [, pressed] = await bot.received(2);
    expect(pressed?.interaction).toMatchObject({ isPrivate: true });
    expect(pressed?.interaction).not.toHaveProperty('updates');
  });

  it('finds every command but those for administrators', async () => {
    await using bot = await openBot({}, { clock: hurriedClock });
    await bot.fake.until(() => bot.fake.commands().length === 6);
    const types = new Map(
      bot.fake
        .commands()
        .map((command) => [command['name'], [command['integration_types'], command['contexts']]]),
    );
    expect(types.get('price')).toEqual([
      [0, 1],
      [0, 1, 2],
    ]);
    expect(types.get('Explain this')).toEqual(types.get('price'));
  });

  it('is not promised what the application does not allow', async () => {
    await using bot = await openBot({ isPersonal: false }, { clock: hurriedClock });
    await bot.fake.until(() => bot.fake.commands().length === 6);
    for (const command of bot.fake.commands())
      expect([command['integration_types'], command['contexts']]).toEqual([[0], [0, 1]]);
  });
});
