import { describe, expect, it, onTestFinished } from 'vitest';
import { discordTexts } from '#channels/discord/send/texts.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { rawOf, type Shape, SHAPES } from '#test/fixtures/discord/shapes.ts';
import { answer } from '#test/support/engine-app.ts';
import { discordKit, openDiscord } from '#test/support/platforms/discord.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { startTalk } from '#test/support/platforms/talk.ts';

const setUp = async () => {
  const platform = await openDiscord();
  const talk = await startTalk({ ...discordKit, open: async () => platform });
  onTestFinished(talk.close);
  const { fake, guild } = platform;
  const { claude } = talk;
  const asked = (): string => JSON.stringify(claude.history.at(-1)?.body);
  const answers = async (say: () => string, channel: FakeChannel): Promise<void> => {
    // No number: it would be checked.
    const text = `Well${'l'.repeat(claude.history.length)}.`;
    claude.reply(answer(text));
    const id = say();
    await fake.until(() => fake.messagesIn(channel.id).some((one) => one.content.includes(text)), {
      what: `an answer to ${id}`,
      timeoutMs: 30_000,
    });
  };
  return { fake, guild, claude, asked, answers };
};

/** The words of a message, each line of which stands in a request as it is. */
const linesOf = ({ shows, forwards = [] }: Shape): readonly string[] =>
  [shows, ...forwards]
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.stringify(line).slice(1, -1));

describe('the shapes of messages that Discord documents, in the whole bot:', () => {
  it('a person sends them directly, and the model reads them or the person is told', async () => {
    const { fake, claude, asked, answers } = await setUp();
    for (const row of SHAPES) {
      const person: FakeUser = fake.addUser({ name: 'kim' });
      const chat = fake.directChannel(person);
      const before = claude.history.length;
      if (linesOf(row).length === 0 && !row.files) {
        fake.sayDirect(person, rawOf(row));
        const told = await fake.until(() => fake.messagesIn(chat.id)[1]);
        expect(told.content).toContain(channelTexts('en').nothingToRead());
        expect([row.what, claude.history.length]).toEqual([row.what, before]);
      } else {
        await answers(() => fake.sayDirect(person, rawOf(row)).id, chat);
        for (const line of linesOf(row))
          expect([row.what, asked()]).toEqual([row.what, expect.stringContaining(line)]);
      }
    }
  });

  it('a program writes them into a room, and a reply with a mention, a thread and a later question bring them along', async () => {
    const { fake, guild, asked, answers } = await setUp();
    const worded = SHAPES.filter((row) => linesOf(row).length > 0);
    for (const row of worded) {
      const person = fake.addUser({ name: 'kim' });
      const room = fake.addChannel(guild, { name: 'news' });
      const written = fake.webhookSays(room, rawOf(row));
      await answers(() => fake.reply(person, written, `${fake.mention()} what is it?`).id, room);
      const byReply = asked();
      const thread = fake.addThread(room, { name: 'on it', starter: written, isJoined: true });
      await answers(() => fake.say(person, thread, `${fake.mention()} and why?`).id, thread);
      const byThread = asked();
      for (const line of linesOf(row)) {
        expect([row.what, byReply]).toEqual([row.what, expect.stringContaining(line)]);
        expect([row.what, byThread]).toEqual([row.what, expect.stringContaining(line)]);
      }
    }
  });

  it('a person mentions the bot with them, forwards them, or asks about them by their menu', async () => {
    const { fake, guild, claude, asked, answers } = await setUp();
    const person = fake.addUser({ name: 'kim' });
    const room = fake.addChannel(guild, { name: 'news' });
    await fake.until(() => fake.commands().length > 0, { timeoutMs: 30_000 });
    const brings = (how: string, lines: readonly string[], row: Shape): void => {
      for (const line of lines)
        expect([how, row.what, asked()]).toEqual([how, row.what, expect.stringContaining(line)]);
    };
    for (const row of SHAPES.filter((each) => linesOf(each).length > 0)) {
      const { raw } = rawOf(row);
      const words = typeof raw['content'] === 'string' ? raw['content'] : '';
      const content = `${fake.mention()} ${words}`;
      await answers(() => fake.say(person, room, { content, raw: { ...raw, content } }).id, room);
      brings('mention', linesOf(row), row);
      const written = fake.webhookSays(room, { raw });
      const before = claude.history.length;
      claude.reply(answer('for one person'));
      await fake.menu(person, written, 'Explain this').answered(15_000);
      expect(claude.history).toHaveLength(before + 1);
      brings('menu', linesOf(row), row);
      // Discord copies neither polls nor what a message forwards itself.
      if (raw['poll'] !== undefined || row.forwards) continue;
      const chat = fake.directChannel(person);
      await answers(() => fake.forward(person, written, chat).id, chat);
      brings('forward', linesOf(row), row);
    }
  });

  it('a person brings a file of their broker directly, with a mention, in a thread or with the command', async () => {
    const { fake, guild, claude } = await setUp();
    await fake.until(() => fake.commands().length > 0, { timeoutMs: 30_000 });
    const lines = ['date,kind,symbol,quantity,price', '2025-11-12,buy,NVDA,3,180'];
    const file = { name: 'broker.csv', bytes: lines.join('\n'), contentType: 'text/csv' };
    const room = fake.addChannel(guild, { name: 'stocks' });
    const thread = fake.addThread(room, { name: 'on it', isJoined: true });
    const typed = { content: '/portfolio import', attachments: [file] };
    const mentioned = { ...typed, content: `${fake.mention()} ${typed.content}` };
    const ways: Readonly<Record<string, (person: FakeUser) => unknown>> = {
      directly: (person) => fake.sayDirect(person, typed),
      'with a mention': (person) => fake.say(person, room, mentioned),
      'in a thread': (person) => fake.say(person, thread, mentioned),
      'with the command': (person) => fake.command(person, room, 'portfolio import', { file }),
    };
    for (const [how, bring] of Object.entries(ways)) {
      const person = fake.addUser({ name: 'kim' });
      fake.addMember(guild, person);
      const chat = fake.directChannel(person);
      const isOf = ({ content, ephemeralFor }: SeenMessage): boolean =>
        content.includes('nothing is recorded yet') && (ephemeralFor ?? person.id) === person.id;
      bring(person);
      const preview = await fake.until(
        () =>
          [...fake.messagesIn(chat.id), ...fake.messagesIn(room.id).filter((one) => one.ephemeralFor)].find(
            isOf,
          ),
        { what: how, timeoutMs: 15_000 },
      );
      expect([how, preview.content]).toEqual([how, expect.stringContaining('NVIDIA')]);
    }
    expect(claude.history).toEqual([]);
  });

  it('an answer that its chat refuses is asked of the model once, and arrives', async () => {
    const { fake, guild, claude, answers } = await setUp();
    const person = fake.addUser({ name: 'kim' });
    const room = fake.addChannel(guild, { name: 'quiet' });
    fake.permit(room, { canReadHistory: false });
    await answers(() => fake.say(person, room, `${fake.mention()} hello`).id, room);
    const thread = fake.addThread(room, { name: 'on it', isJoined: true });
    claude.reply(answer('for everybody in the room'));
    fake.closeThread(thread, 'locked');
    fake.say(person, thread, `${fake.mention()} hello`);
    const shown = await fake.until(
      () => fake.messagesIn(room.id).find(({ content }) => content === 'for everybody in the room'),
      { timeoutMs: 30_000 },
    );
    const note = discordTexts('en').threadClosed({ chat: `<#${thread.id}>` });
    expect(fake.messagesIn(room.id).map(({ content }) => content)).toContain(`<@${person.id}> ${note}`);
    expect(shown.replyTo).toBeUndefined();
    expect(claude.history).toHaveLength(2);
  });
});
