import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { discordTexts } from '#channels/discord/send/texts.ts';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '#src/kernel/chat/card.ts';
import type { MsgContext, MediaAttachment } from '#src/kernel/chat/message.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { asId, type UserId } from '#src/kernel/ids.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { type Bot, NEVER, only, openBot, outbound } from './fixture.ts';

const CARD: Card = {
  title: '삼성전자 (005930.KS)',
  headline: '71,000원 ▲ 1.2%',
  fields: [{ name: '거래량', value: '1,000' }],
  footer: '샘플',
  tone: 'up',
};

describe('what the bot sends to Discord', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let person: FakeUser;
  let asked: MsgContext;
  beforeAll(async () => {
    bot = await openBot();
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    person = bot.fake.addUser({ name: 'kim' });
  });
  afterAll(() => bot[Symbol.asyncDispose]());
  beforeEach(async () => {
    bot.host.received.length = 0;
    bot.fake.permit(room, { canSend: true, canEmbed: true, canAttach: true });
    bot.fake.say(person, room, `${bot.fake.mention()} hello`);
    asked = only(await bot.received(1));
  });
  const inRoom = (): readonly SeenMessage[] =>
    bot.fake.messagesIn(room.id).filter(({ author }) => author.id === bot.fake.bot.id);
  const last = (): SeenMessage => {
    const message = inRoom().at(-1);
    if (!message) throw new Error('nothing was sent');
    return message;
  };

  it('answers the message, notifies nobody, and shows no previews of links', async () => {
    await bot.channel.send(outbound(asked, `@everyone @here <@${person.id}> see https://example.com`), NEVER);
    expect(last()).toMatchObject({
      replyTo: asked.messageId,
      pinged: { everyone: false, users: [], roles: [] },
      allowedMentions: { parse: [] },
      flags: 4,
    });
  });

  it('is one reply to the question, however many messages it takes', async () => {
    const before = inRoom().length;
    await bot.channel.send(outbound(asked, 'the first part'), NEVER);
    await bot.channel.send({ ...outbound(asked, 'the second part'), isContinued: true }, NEVER);
    const choices = [{ label: 'Chart', command: '/chart AAPL' }];
    const last = outbound(asked, { text: 'the last part', choices }, { isContinued: true });
    await bot.channel.send(last, NEVER);
    const replies = inRoom()
      .slice(before)
      .map(({ replyTo }) => replyTo);
    // The buttons of a reply are for the person whom it answers.
    expect(replies).toEqual([asked.messageId, undefined, asked.messageId]);
  });

  it('mentions the one intended person, and nobody else who is named in the text', async () => {
    const other = bot.fake.addUser({ name: 'lee' });
    const text = `@everyone <@${other.id}> ${'a'.repeat(1_960)}`;
    await bot.channel.send(outbound(asked, { text, mentions: asId<UserId>(person.id) }), NEVER);
    expect(last().content).toMatch(new RegExp(`^<@${person.id}> @everyone`));
    expect(last()).toMatchObject({
      pinged: { everyone: false, users: [person.id], roles: [] },
      allowedMentions: { parse: [], users: [person.id] },
    });
  });

  it.each([
    ['en', 0x2e_a0_43],
    ['ko', 0xd6_2f_2f],
  ] as const)(
    'colours a gain for a reader in %s, whatever language its words are in',
    async (locale, color) => {
      for (const text of ['시세입니다', 'Your portfolio']) {
        await bot.channel.send(outbound(asked, { text, locale, cards: [CARD] }), NEVER);
        expect(last().embeds).toMatchObject([{ color }]);
      }
    },
  );

  it('shows no previews beside cards either, and where every link leads', async () => {
    const text = '[Your bank](https://evil.example/x.png?d=1) or https://evil.example/y\u202e.';
    await bot.channel.send(outbound(asked, { text, cards: [CARD] }), NEVER);
    expect(last()).toMatchObject({
      content: 'Your bank (<https://evil.example/x.png?d=1>) or <https://evil.example/y>.',
      flags: 0,
    });
    expect(last().embeds).toHaveLength(1);
    const escaped = 'Look: \\<https://evil.example/x.png?d=5AAPL>';
    await bot.channel.send(outbound(asked, { text: escaped, cards: [CARD] }), NEVER);
    expect(last().content).toBe('Look: \\<<https://evil.example/x.png?d=5AAPL>>');
    // Where brackets find no room any more, addresses are words.
    const long = `${'a'.repeat(1_960)} https://evil.example/x.png?d=123456789`;
    await bot.channel.send(outbound(asked, { text: long, cards: [CARD] }), NEVER);
    expect(last().content).toBe(long.replace('https://', ''));
  });

  it('arrives once, however often it is sent within minutes', async () => {
    const message = outbound(asked, 'once');
    bot.fake.faults.loseResponses(1, { route: '/channels/:channel/messages', method: 'POST' });
    await expect(bot.channel.send(message, NEVER)).rejects.toMatchObject({ failure: 'unreachable' });
    const again = { ...message, inDoubtSince: Temporal.Now.instant().subtract({ seconds: 5 }) };
    const { messageId } = await bot.channel.send(again, NEVER);
    expect(inRoom().filter(({ content }) => content === 'once')).toEqual([
      expect.objectContaining({ id: messageId }),
    ]);
  });

  it('shows times to everybody in their own zone, in words, cards and fields, but not in code', async () => {
    const text = 'opens Mon 2026-11-16 09:00 KST\n```\n2026-11-13 15:30 KST\n```';
    const card: Card = {
      title: 'Apple',
      headline: '$230.10',
      fields: [{ name: 'After hours', value: '$231 · 2026-11-13 15:30 KST' }],
      footer: 'as of 2026-11-13 15:30 KST · source: Yahoo',
      tone: 'up',
    };
    await bot.channel.send(outbound(asked, text, { payload: { text, cards: [card] } }), NEVER);
    expect(last()).toMatchObject({
      content: 'opens <t:1794787200:F>\n```\n2026-11-13 15:30 KST\n```',
      embeds: [
        {
          description: '**$230.10**\n-# as of <t:1794551400:f> · source: Yahoo',
          fields: [{ name: 'After hours', value: '$231 · <t:1794551400:f>' }],
        },
      ],
    });
    expect(last()?.embeds[0]).not.toHaveProperty('footer');
  });

  it.each([
    ['is', {}],
    ['is, in a later part that is no reply,', { isContinued: true }],
  ])('%s searched for before a retry once Discord has forgotten the nonce', async (_which, part) => {
    const message = { ...outbound(asked, 'long ago'), ...part };
    const { messageId } = await bot.channel.send(message, NEVER);
    const posted = entriesOf(bot.fake.history, 'posted').length;
    // Another nonce: as if Discord did not know the first one any more.
    const inDoubtSince = Temporal.Now.instant().subtract({ minutes: 3 });
    const again = { ...outbound(asked, 'long ago', { inDoubtSince }), ...part };
    expect(await bot.channel.send(again, NEVER)).toEqual({ messageId });
    expect(entriesOf(bot.fake.history, 'posted')).toHaveLength(posted);
  });

  it('replaces the live message, or is posted if that was deleted', async () => {
    const { messageId } = await bot.channel.send(outbound(asked, 'thinking'), NEVER);
    const replaced = outbound(asked, 'done', { replaces: messageId });
    expect(await bot.channel.send(replaced, NEVER)).toEqual({ messageId });
    expect(last()).toMatchObject({ id: messageId, content: 'done' });
    bot.fake.remove({ id: messageId, channelId: room.id });
    const { messageId: other } = await bot.channel.send(
      outbound(asked, 'anew', { replaces: messageId }),
      NEVER,
    );
    expect(last()).toMatchObject({ id: other, content: 'anew' });
  });

  it('still arrives if the answered message was deleted', async () => {
    bot.fake.remove({ id: asked.messageId, channelId: room.id });
    await bot.channel.send(outbound(asked, 'to nobody'), NEVER);
    expect(last().content).toBe('to nobody');
    expect(last().replyTo).toBeUndefined();
  });

  it('draws cards in the colours of the reader, or writes them as text without the permission', async () => {
    await bot.channel.send(outbound(asked, { text: '시세입니다', cards: [CARD] }), NEVER);
    expect(only(last().embeds)).toMatchObject({
      title: CARD.title,
      color: 0xd6_2f_2f,
      footer: { text: '샘플' },
    });
    bot.fake.permit(room, { canEmbed: false });
    await bot.channel.send(outbound(asked, { text: '시세', cards: [CARD] }), NEVER);
    expect(last().embeds).toEqual([]);
    expect(last().content).toContain('71,000원');
  });

  it('brings files with their description; one that cannot be sent is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'discord-'));
    const path = join(folder, 'chart.png');
    await writeFile(path, 'PNG');
    const media: readonly MediaAttachment[] = [
      {
        kind: 'image',
        mimeType: 'image/png',
        name: 'chart.png',
        url: pathToFileURL(path).href,
        altText: 'a chart',
      },
      { kind: 'file', mimeType: 'text/csv', name: 'gone.csv', url: pathToFileURL(`${path}.gone`).href },
    ];
    await bot.channel.send(outbound(asked, { text: 'Here is the chart.', media }), NEVER);
    await rm(folder, { recursive: true });
    expect(only(last().attachments)).toMatchObject({ name: 'chart.png', description: 'a chart' });
    expect(last().content).toBe(
      `Here is the chart.\n${channelTexts('en').fileMissing({ name: 'gone.csv' })}`,
    );
  });

  it('stays in the channel if it is ephemeral but harmless', async () => {
    const payload = { text: 'Did you mean /price?', ephemeral: true, isHarmless: true };
    await bot.channel.send(outbound(asked, payload), NEVER);
    expect(last()).toMatchObject({ content: 'Did you mean /price?', replyTo: asked.messageId });
  });

  it('goes to the direct chat if it is private, with a note in the channel', async () => {
    const direct = bot.fake.directChannel(person);
    await bot.channel.send(outbound(asked, { text: 'your portfolio', ephemeral: true }), NEVER);
    await bot.channel.send(outbound(asked, { text: 'and more', ephemeral: true }), NEVER);
    expect(bot.fake.messagesIn(direct.id).map(({ content }) => content)).toEqual([
      'your portfolio',
      'and more',
    ]);
    const notes = inRoom().filter(({ replyTo }) => replyTo === asked.messageId);
    expect(notes.map(({ content }) => content)).toEqual([channelTexts('en').onlyForYou()]);

    const { messageId: live } = await bot.channel.send(outbound(asked, 'half of a secret'), NEVER);
    const hidden = { text: 'the secret', ephemeral: true };
    const other = { ...asked, messageId: live };
    await bot.channel.send(outbound(other, hidden, { replaces: live }), NEVER);
    expect(inRoom().find(({ id }) => id === live)?.content).toBe(channelTexts('en').onlyForYou());

    const shy = bot.fake.addUser({ name: 'shy' });
    bot.fake.refuseDirect(shy);
    bot.fake.say(shy, room, `${bot.fake.mention()} mine?`);
    const [, theirs] = await bot.received(2);
    if (theirs) await bot.channel.send(outbound(theirs, { text: 'secret', ephemeral: true }), NEVER);
    expect(last().content).toBe(channelTexts('en').directClosed());
  });

  it('goes to the direct chat, with a note, if the bot may not write in the channel', async () => {
    const direct = bot.fake.directChannel(person);
    const before = bot.fake.messagesIn(direct.id).length;
    bot.fake.permit(room, { canSend: false });
    for (const text of ['part one', 'part two']) await bot.channel.send(outbound(asked, text), NEVER);
    expect(
      bot.fake
        .messagesIn(direct.id)
        .slice(before)
        .map(({ content }) => content),
    ).toEqual([discordTexts('en').mayNotWrite({ chat: `<#${room.id}>` }), 'part one', 'part two']);
  });

  it('fails with an error that says whether a retry makes sense and contains no secret', async () => {
    bot.fake.permit(room, { canSend: false });
    bot.fake.refuseDirect(person);
    const refused = await bot.channel.send(outbound(asked, 'x'), NEVER).catch((error: unknown) => error);
    expect(refused).toMatchObject({ failure: 'refused', discordCode: 50_007 });
    bot.fake.refuseDirect(person, false);
    bot.fake.permit(room, { canSend: true });
    // A wrong token is mended some day: what is owed is not lost by it.
    for (const status of [502, 401]) {
      bot.fake.faults.failNext(1, status);
      await expect(bot.channel.send(outbound(asked, 'x'), NEVER)).rejects.toMatchObject({
        failure: 'unreachable',
      });
    }
    await bot.channel.send(outbound(asked, 'and then again'), NEVER);
    expect(last().content).toBe('and then again');
    const interaction = { token: 'very-secret-token', isPrivate: false };
    bot.fake.faults.failNext(1, 500);
    const failed = await bot.channel
      .send(outbound({ ...asked, interaction }, 'private words'), NEVER)
      .catch((error: unknown) => error);
    expect(JSON.stringify(failed) + String(failed)).not.toMatch(/very-secret-token|private words/);
  });

  it('waits for the rate limit of its own chat only, and stops when aborted', async () => {
    const other = bot.fake.addChannel(bot.fake.addGuild({ name: 'b' }), { name: 'quiet' });
    const elsewhere = { ...asked, chatId: other.id as never };
    bot.fake.faults.storm({ forMs: 1_000, channelId: room.id });
    const order: string[] = [];
    const aborting = new AbortController();
    const given = bot.channel.send(outbound(asked, 'given up'), aborting.signal).catch((error: unknown) => {
      order.push('given up');
      return error;
    });
    const late = bot.channel.send(outbound(asked, 'late'), NEVER).then(() => order.push('late'));
    await bot.channel.send(outbound(elsewhere, 'quick'), NEVER);
    order.push('quick');
    aborting.abort(new Error('no longer wanted'));
    expect(await given).toMatchObject({ message: 'no longer wanted' });
    await late;
    expect(order).toEqual(['quick', 'given up', 'late']);
    expect(inRoom().map(({ content }) => content)).not.toContain('given up');
    expect(entriesOf(bot.fake.history, 'rateLimited').filter(({ isBlameworthy }) => isBlameworthy)).toEqual(
      [],
    );
  });

  it('adds reactions and typing to messages, not to interactions, and ignores missing permissions', async () => {
    const { channel, fake } = bot;
    const target = { ...outbound(asked, '').target };
    await channel.addReaction?.(target, '👀');
    const reactions = () => fake.messagesIn(room.id).find(({ id }) => id === asked.messageId)?.reactions;
    expect(reactions()).toMatchObject([{ emoji: '👀' }]);
    await channel.removeReaction?.(target, '👀');
    expect(reactions()).toEqual([]);
    await channel.sendTyping?.(target);
    expect(entriesOf(fake.history, 'typed')).toHaveLength(1);
    fake.permit(room, { canReact: false });
    await channel.addReaction?.(target, '⚠️');
    const requests = fake.history.length;
    await channel.addReaction?.({ ...target, interaction: { token: 't', isPrivate: true } }, '👀');
    expect(fake.history).toHaveLength(requests);
  });
});
