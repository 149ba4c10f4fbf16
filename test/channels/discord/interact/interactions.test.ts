import { systemClock } from '#src/platform/concurrency/clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { FakeChannel, FakeGuild, FakeUser } from '#test/fakes/discord/seen.ts';
import { type Bot, hurriedClock, makeBot, NEVER, only, openBot, outbound } from '../fixture.ts';

describe('commands, buttons and forms on Discord', () => {
  let bot: Bot & AsyncDisposable;
  let guild: FakeGuild;
  let room: FakeChannel;
  let person: FakeUser;
  beforeAll(async () => {
    bot = await openBot({}, { clock: hurriedClock });
    guild = bot.fake.addGuild({ name: 'a' });
    room = bot.fake.addChannel(guild, { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim', locale: 'ko' });
    await bot.fake.until(() => bot.fake.commands().length === 6, { what: 'commands' });
  });
  afterAll(() => bot[Symbol.asyncDispose]());
  beforeEach(() => {
    bot.host.received.length = 0;
  });

  it('are registered in both languages, and only where they changed', async () => {
    const { fake, host } = bot;
    expect(fake.commands()[0]).toMatchObject({
      name: 'price',
      name_localizations: { ko: '시세' },
      description_localizations: { ko: '시세 조회' },
      options: [{ name: 'symbol', name_localizations: { ko: '종목' }, required: true, autocomplete: true }],
    });
    const { registerCommands } = await import('#channels/discord/interact/slash.ts');
    const { createApi } = await import('#channels/discord/api.ts');
    const api = createApi({ token: fake.token, apiUrl: fake.apiUrl }, systemClock);
    const { recordingLogger } = await import('../fixture.ts');
    const register = (guilds?: readonly string[]) =>
      registerCommands(
        host.commands(),
        {
          api,
          application: { id: fake.applicationId, integration_types_config: { 1: {} } },
          guilds,
          mayWrite: true,
          logger: recordingLogger([]),
        },
        NEVER,
      );
    await register();
    expect(entriesOf(fake.history, 'commandsRegistered')).toHaveLength(1);
    await register([guild.id]);
    expect(fake.commands(guild)).toHaveLength(6);
    expect(fake.commands()).toHaveLength(0);
    await register();
    api.close();
  });

  it('are acknowledged before they are stored, and answered in the same place', async () => {
    const { fake, host, channel } = bot;
    let isAcknowledged = false;
    const accept = host.onReceive;
    host.onReceive = (message) => {
      isAcknowledged = entriesOf(fake.history, 'acknowledged').some(
        ({ interactionId }) => interactionId === message.id,
      );
      return accept(message);
    };
    const asked = fake.command(person, room, '시세', { symbol: '삼성전자  우' });
    const message = only(await bot.received(1));
    host.onReceive = accept;

    expect(isAcknowledged).toBe(true);
    expect(asked).toMatchObject({ isDeferred: true, isEphemeral: false });
    expect(message).toMatchObject({
      id: asked.id,
      body: '/price 삼성전자 우',
      chatId: room.id,
      guildId: guild.id,
      mentionsBot: true,
      locale: 'ko',
      interaction: { token: asked.token, isPrivate: false },
    });
    await channel.send(outbound(message, '첫째 @everyone'), NEVER);
    await channel.send(outbound(message, '둘째'), NEVER);
    expect(asked.answers.map(({ content }) => content)).toEqual(['첫째 @everyone', '둘째']);
    expect(asked.answers.every(({ pinged }) => !pinged.everyone)).toBe(true);
  });

  it('are read where Discord names their channel by its id alone', async () => {
    const { fake, channel } = bot;
    fake.command(person, room, 'price', { symbol: 'AAPL' }, { raw: { channel: undefined } });
    const called = only(await bot.received(1));
    expect(called).toMatchObject({ chatId: room.id, guildId: guild.id, body: '/price AAPL' });
    const choices = [{ label: 'Chart', command: '/chart AAPL' }];
    await channel.send(outbound(called, { text: 'Apple: $230.10', choices }), NEVER);
    const shown = only(fake.messagesIn(room.id).filter(({ content }) => content === 'Apple: $230.10'));
    fake.press(person, shown, 'say:/chart AAPL', { raw: { channel: null } });
    const [, pressed] = await bot.received(2);
    expect(pressed).toMatchObject({ chatId: room.id, body: '/chart AAPL' });
  });

  it('tell the person if they cannot be handled, instead of thinking for a quarter of an hour', async () => {
    const { fake, host } = bot;
    const asked = fake.command(
      person,
      room,
      'usage',
      {},
      { raw: { member: { user: { id: person.id }, permissions: null } } },
    );
    expect((await asked.answered()).content).toBe(channelTexts('ko').notStored());
    await fake.until(() => host.failedEvents.includes('INTERACTION_CREATE'), { what: 'a report' });
  });

  it('that are private are answered ephemerally, whatever is sent', async () => {
    const { fake, channel } = bot;
    const asked = fake.command(person, room, 'usage');
    const message = only(await bot.received(1));
    await channel.send(outbound(message, 'one'), NEVER);
    await channel.send(outbound(message, 'two'), NEVER);
    expect(asked.answers.map(({ ephemeralFor }) => ephemeralFor)).toEqual([person.id, person.id]);
  });

  it('carry an attached file, which is not part of the text', async () => {
    const { fake, channel } = bot;
    expect(fake.commands().find(({ name }) => name === 'usage')).toMatchObject({ options: [{ type: 11 }] });
    const file = { name: 'trades.csv', contentType: 'text/csv; charset=utf-8', bytes: 'date,kind' };
    fake.command(person, room, 'usage', { file });
    fake.command(person, room, 'forgotten', { file }, { isStale: true });
    const [message, stale] = await bot.received(2);
    expect(message).toMatchObject({
      body: '/usage',
      media: [{ kind: 'file', mimeType: 'text/csv', name: 'trades.csv', sizeBytes: 9 }],
    });
    expect(stale?.body).toBe('/forgotten');
    const bytes = await channel.readMedia?.(only(message?.media ?? []), 100, NEVER);
    expect(new TextDecoder().decode(bytes)).toBe('date,kind');
  });

  it('whose answer turns out to be private withdraw the public announcement', async () => {
    const { fake, channel } = bot;
    const asked = fake.command(person, room, 'price', { symbol: 'x' });
    const message = only(await bot.received(1));
    await channel.send(outbound(message, { text: 'for you', ephemeral: true }), NEVER);
    expect(only(asked.answers)).toMatchObject({ content: 'for you', ephemeralFor: person.id });
  });

  it('are answered once, also by a later process', async () => {
    const { fake } = bot;
    const asked = fake.command(person, room, 'price', { symbol: 'x' });
    const message = only(await bot.received(1));
    const first = outbound(message, 'first');
    const second = outbound(message, 'second');
    const hidden = fake.command(person, room, 'usage');
    const [, theirs = message] = await bot.received(2);
    const third = outbound(theirs, 'third');
    const restarted = makeBot(fake);
    await restarted.channel.start(restarted.host);
    await restarted.channel.send(first, NEVER);
    await restarted.channel.send(second, NEVER);
    await restarted.channel.send(third, NEVER);
    const again = makeBot(fake);
    await again.channel.start(again.host);
    const inDoubtSince = Temporal.Now.instant().subtract({ seconds: 5 });
    await again.channel.send({ ...first, inDoubtSince }, NEVER);
    await again.channel.send({ ...second, inDoubtSince }, NEVER);
    await again.channel.send({ ...third, inDoubtSince }, NEVER);
    await Promise.all([restarted.channel.close(), again.channel.close()]);
    expect(asked.answers.map(({ content }) => content)).toEqual(['first', 'second']);
    expect(hidden.answers.map(({ content }) => content)).toEqual(['third']);
  });

  it('are continued where another process has left off, also by the one that announced the answer', async () => {
    const { fake, channel } = bot;
    const asked = fake.command(person, room, 'price', { symbol: 'x' });
    const message = only(await bot.received(1));
    const other = makeBot(fake);
    await other.channel.start(other.host);
    await other.channel.send(outbound(message, 'first'), NEVER);
    await other.channel.close();
    await channel.send({ ...outbound(message, 'second'), isContinued: true }, NEVER);
    expect(asked.answers.map(({ content }) => content)).toEqual(['first', 'second']);
  });

  it('are answered directly, never in the channel, when the token is gone', async () => {
    const { fake, channel } = bot;
    fake.command(person, room, 'price', { symbol: 'x' });
    const message = only(await bot.received(1));
    const before = fake.messagesIn(room.id).length;
    const gone = { ...message, interaction: { token: 'gone', isPrivate: false } };
    await channel.send(outbound(gone, 'late'), NEVER);
    expect(fake.messagesIn(room.id)).toHaveLength(before);
    expect(fake.messagesIn(fake.directChannel(person).id).at(-1)?.content).toBe('late');
  });

  it('that a gate drops, or that get no answer, do not stay at "thinking"', async () => {
    const { fake, host } = bot;
    const accept = host.onReceive;
    host.onReceive = () => ({ outcome: 'dropped', reason: 'guild' });
    const dropped = fake.command(person, room, 'price', { symbol: 'x' });
    const told = await dropped.answered();
    expect(told).toMatchObject({ content: channelTexts('ko').notHere(), ephemeralFor: person.id });

    host.onReceive = () => ({
      outcome: 'accepted',
      sessionKey: asId<SessionKey>('s'),
      settled: Promise.resolve(),
    });
    const silent = fake.command(person, room, 'price', { symbol: 'y' });
    await silent.acknowledged();
    await fake.until(() => silent.answers.length === 0, { what: 'the promise taken back' });
    host.onReceive = accept;
  });

  it('stay announced when the process ends, because another one may answer them', async () => {
    await using ending = await openBot({}, { clock: hurriedClock });
    const { fake, host, channel } = ending;
    const place = fake.addChannel(fake.addGuild({ name: 'b' }), { name: 'room' });
    await fake.until(() => fake.commands().length === 6, { what: 'commands' });
    const { promise: settled, resolve: cutOff } = Promise.withResolvers<void>();
    host.onReceive = () => ({ outcome: 'accepted', sessionKey: asId<SessionKey>('s'), settled });
    const asked = fake.command(fake.addUser({ name: 'kim' }), place, 'price', { symbol: 'x' });
    await asked.acknowledged();
    await fake.until(() => host.received.length === 1);
    // As the app ends: whoever waits for a message is let go at the same moment.
    cutOff();
    await channel.stop();
    expect(asked.answers).toMatchObject([{ isThinking: true }]);
  });

  it('complete themselves while a person types', async () => {
    const choices = await bot.fake.autocomplete(person, room, 'price', 'symbol', '삼ㅅ');
    expect(choices).toEqual([{ name: 'symbol 삼ㅅ ko', value: '005930.KS' }]);
  });

  it('open a form if needed, whose content never becomes a message', async () => {
    const { fake, host } = bot;
    const asked = fake.command(person, room, 'keys', { action: 'add' });
    await asked.acknowledged();
    expect(asked.modal).toMatchObject({ customId: 'key:anthropic', title: 'A new key' });
    const sent = fake.submitModal(asked, { key: 'sk-ant-secret' });
    const told = await sent.answered();
    expect(told).toMatchObject({ content: 'The key is stored.', ephemeralFor: person.id });
    expect(host.submitted).toEqual([{ formId: 'key:anthropic', key: 'sk-ant-secret' }]);
    expect(host.received).toEqual([]);
    expect(JSON.stringify(bot.log)).not.toContain('sk-ant-secret');
  });

  it('can be buttons, whose command comes from the person who clicked', async () => {
    const { fake, channel } = bot;
    const said = fake.say(person, room, `${fake.mention()} hynix?`);
    const [question] = await bot.received(1);
    if (!question) throw new Error('nothing came');
    const choices = [{ label: 'SK hynix', command: '/price 000660.KS' }];
    await channel.send(outbound(question, { text: 'Which one?', choices }), NEVER);
    const shown = fake.posted().find(({ replyTo }) => replyTo === said.id);
    if (!shown) throw new Error('no answer');
    const other = fake.addUser({ name: 'lee' });
    const press = fake.press(other, shown, 'say:/price 000660.KS');
    const [, pressed] = await bot.received(2);
    expect(pressed).toMatchObject({ body: '/price 000660.KS', senderId: other.id, chatId: room.id });
    if (pressed) await channel.send(outbound(pressed, '200,000'), NEVER);
    expect(only(press.answers).content).toBe('200,000');
    expect(fake.messagesIn(room.id).find(({ id }) => id === shown.id)?.content).toBe('Which one?');
  });
});
