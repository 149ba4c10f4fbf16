import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Card, cardPages } from '#src/kernel/chat/card.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { type MsgContext, type ReplyPayload, replyTargetOf } from '#src/kernel/chat/message.ts';
import type { FakeChannel, SeenMessage } from '#test/fakes/discord/seen.ts';
import { type Bot, NEVER, only, openBot, outbound } from '../fixture.ts';

const QUOTE: Card = {
  title: 'Apple Inc. (AAPL, NASDAQ)',
  url: 'https://finance.yahoo.com/quote/AAPL',
  headline: '$304.12  ▲ +$3.62 (+1.20%)',
  fields: [{ name: 'Volume', value: '42,082,770' }],
  footer: 'as of 2026-11-13 15:30 KST · source: Yahoo',
  tone: 'up',
};
const LIST: Card = {
  title: 'Your watchlist',
  headline: '',
  fields: [
    {
      name: 'Samsung [x](https://evil.example)',
      value: '₩102,300\n▲ +0.29%\nas of 2026-11-13 15:30 KST',
      url: 'https://finance.yahoo.com/quote/005930.KS',
      tone: 'up',
    },
    { name: 'Apple', value: '$304.12\n▼ -0.59%', tone: 'down' },
    { name: 'Correlation', value: 'AAPL – MSFT: 0.02', isWide: true },
  ],
  footer: 'times in KST · source: Yahoo',
  tone: 'flat',
};

const listOf = (count: number, value: string): Card => ({
  ...LIST,
  fields: Array.from({ length: count }, (_none, index) => ({
    name: `Name ${index}`,
    value: `${value} ${index}`,
    url: `https://finance.yahoo.com/quote/N${index}`,
    tone: 'down' as const,
  })),
});

describe('cards on Discord', () => {
  let bot: Bot & AsyncDisposable;
  let room: FakeChannel;
  let asked: MsgContext;
  let before = 0;
  beforeAll(async () => {
    bot = await openBot();
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    bot.fake.say(bot.fake.addUser({ name: 'kim' }), room, `${bot.fake.mention()} hello`);
    asked = only(await bot.received(1));
  });
  afterAll(() => bot[Symbol.asyncDispose]());
  const inRoom = (): readonly SeenMessage[] =>
    bot.fake.messagesIn(room.id).filter(({ author }) => author.id === bot.fake.bot.id);
  beforeEach(() => {
    bot.fake.permit(room, { canSend: true, canEmbed: true, canAttach: true });
    before = inRoom().length;
  });
  const send = async (payload: ReplyPayload): Promise<SeenMessage> => {
    await bot.channel.send(outbound(asked, payload), NEVER);
    return only(inRoom().slice(before, before + 1));
  };

  it('link their title to the page of the instrument', async () => {
    const { embeds } = await send({ text: 'Here it is.', locale: 'en', cards: [QUOTE] });
    expect(embeds).toMatchObject([
      { title: QUOTE.title, url: QUOTE.url, description: expect.stringContaining('**$304.12') as string },
    ]);
  });

  it('colour each row for the reader, link its first line, and show no markup of others', async () => {
    const shown = async (locale: 'ko' | 'en') => {
      before = inRoom().length;
      return only((await send({ text: '', locale, cards: [LIST] })).embeds);
    };
    expect(await shown('en')).toMatchObject({
      fields: [
        {
          name: '🟢 Samsung \\[x\\](https://evil.example)',
          value: '[₩102,300](https://finance.yahoo.com/quote/005930.KS)\n▲ +0.29%\nas of <t:1794551400:f>',
          inline: true,
        },
        { name: '🔴 Apple', value: '$304.12\n▼ -0.59%', inline: true },
        { name: 'Correlation', inline: false },
      ],
      footer: { text: LIST.footer },
    });
    expect(await shown('ko')).toMatchObject({
      fields: [{ name: /^🔴/u }, { name: '🔵 Apple' }, {}].map(({ name }) =>
        name === undefined ? {} : { name: expect.stringMatching(name) as string },
      ),
    });
  });

  it('say the answer in the content for notifications, and then not in the card again', async () => {
    const told = await send({ text: 'Note.', isLedByCards: true, locale: 'en', cards: [QUOTE] });
    expect(told.content).toBe('Apple Inc. (AAPL, NASDAQ): $304.12  ▲ +$3.62 (+1.20%)\n\nNote.');
    expect(JSON.stringify(told.embeds)).not.toContain('$304.12');
  });

  it('of several quotes are named in the content, and each tells its own price', async () => {
    const other = { ...QUOTE, title: 'Tesla', headline: '$431.20' };
    const told = await send({ text: '', isLedByCards: true, locale: 'en', cards: [QUOTE, other] });
    expect(told.content).toBe('Apple Inc. (AAPL, NASDAQ), Tesla');
    expect(told.embeds).toMatchObject([
      { description: expect.stringContaining('$304.12') as string },
      { description: expect.stringContaining('$431.20') as string },
    ]);
  });

  it('are read again as a part of what the bot said, without addresses', async () => {
    const { id } = await send({ text: 'Note.', isLedByCards: true, locale: 'en', cards: [LIST] });
    const query = { target: replyTargetOf(asked), before: asId<MessageId>(`${BigInt(id) + 1n}`), limit: 1 };
    const [earlier] = (await bot.channel.readHistory?.(query, NEVER)) ?? [];
    expect(earlier?.text).toMatch(/^Your watchlist — .*\n\nNote\.\n\nYour watchlist\n/u);
    expect(earlier?.text).toContain(': ₩102,300\n▲ +0.29%');
    expect(earlier?.text).not.toContain('finance.yahoo.com');
  });

  it.each([
    [50, '₩102,300\n▲ +₩300 (+0.29%)\n11-13 15:30 *_~`|>[]'],
    [100, `at ₩200,000 or above\n${'repeating, at most every 2 h · '.repeat(5)}`],
  ])('with %i rows are split, and no row is lost', async (count, value) => {
    const pages = cardPages([listOf(count, value)]);
    for (const cards of pages)
      await bot.channel.send(outbound(asked, { text: '', locale: 'ko', cards }), NEVER);
    const names = inRoom()
      .slice(before)
      .flatMap(({ embeds }) => embeds)
      .flatMap((embed) => embed['fields'] as readonly { readonly name: string }[])
      .map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: count }, (_none, index) => `🔵 Name ${index}`));
  });

  it('are all written as text where the bot may not post embeds', async () => {
    bot.fake.permit(room, { canEmbed: false });
    const [cards = []] = cardPages([listOf(50, '₩102,300\n▲ +₩300 (+0.29%)\n11-13 15:30')]);
    await bot.channel.send(outbound(asked, { text: '', isLedByCards: true, cards }), NEVER);
    const texts = inRoom().slice(before);
    expect(texts.length).toBeGreaterThan(1);
    const all = texts.map(({ content }) => content).join('\n');
    for (let index = 0; index < 50; index += 1) expect(all).toContain(`**Name ${index}**`);
    expect(all).toContain('source: Yahoo');
  });
});
