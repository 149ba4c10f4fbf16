import { MessageReferenceType, MessageType } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { createRecentMessages } from '#channels/discord/receive/recent-messages.ts';
import type { DiscordMessage } from '#channels/discord/wire.ts';
import { idAt } from '#channels/discord/snowflake.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { type EarlierMessage, replyTargetOf } from '#src/kernel/chat/message.ts';
import type { FakeDiscordOptions } from '#test/fakes/discord/api.ts';
import { entriesOf } from '#test/fakes/discord/history.ts';
import type { SeenMessage } from '#test/fakes/discord/seen.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { hurriedClock, NEVER, openBot } from '../fixture.ts';

const setUp = async (options: FakeDiscordOptions = {}) => {
  const bot = await openBot(options, { clock: hurriedClock });
  const { fake, channel, host } = bot;
  const guild = fake.addGuild({ name: 'a' });
  const room = fake.addChannel(guild, { name: 'stocks' });
  const kim = fake.addUser({ name: 'kim', displayName: 'Kim' });
  const lee = fake.addUser({ name: 'lee', displayName: 'Lee' });

  /** How often Discord was asked for messages. */
  const reads = (): number =>
    entriesOf(fake.history, 'request').filter(
      ({ method, path }) => method === 'GET' && /\/messages(?:\/\d+)?(?:\?|$)/.test(path),
    ).length;
  const heard = (said: SeenMessage) =>
    fake.until(() => host.received.find(({ id }) => (id as string) === said.id), { what: said.content });
  const read = async (said: SeenMessage): Promise<readonly EarlierMessage[]> => {
    const message = await heard(said);
    const { messageId: before, replyToMessageId } = message;
    const reply = replyToMessageId ? { replyToMessageId: asId<MessageId>(replyToMessageId) } : {};
    const query = { target: replyTargetOf(message), before, limit: 20, ...reply };
    return (await channel.readHistory?.(query, NEVER)) ?? [];
  };
  const mention = (text: string, where = room): SeenMessage =>
    fake.say(kim, where, `${fake.mention()} ${text}`);
  /** A new session, in which earlier events are not repeated. */
  const gap = async (): Promise<void> => {
    const ready = (): number => entriesOf(fake.history, 'identified').length;
    const before = ready();
    fake.gateway.forgetSessions();
    fake.gateway.cut();
    await fake.until(() => ready() > before && channel.isConnected(), { what: 'a new session' });
  };
  return { ...bot, bot, guild, room, kim, lee, reads, heard, read, mention, gap };
};

const texts = (messages: readonly EarlierMessage[]): readonly string[] =>
  messages.map(({ authorName, text, isOurs }) => `${isOurs ? 'we' : authorName}: ${text}`);

describe('what the bot has heard on Discord', () => {
  it('is not read again in a channel that was read once, and is the same as if it were', async () => {
    const { bot, fake, room, kim, lee, reads, heard, read, mention, gap } = await setUp();
    await using _ = bot;
    fake.say(lee, room, 'before all');
    await read(mention('one'));
    expect(reads()).toBe(1);
    fake.sayAsBot(room, `my answer to <@${kim.id}>`);
    const edited = fake.say(lee, room, 'I doub it');
    fake.edit(edited, 'I doubt it');
    fake.remove(fake.say(lee, room, 'a secret'));
    fake.systemMessage(room, 7, lee);
    fake.unfurl(fake.say(lee, room, 'https://example.com'), { title: 'a page' });
    fake.say(lee, room, { stickers: ['Wave'] });
    await heard(fake.forward(lee, edited, room));
    const asked = mention('two');
    const fromMemory = await read(asked);
    expect(reads()).toBe(1);
    expect(texts(fromMemory).slice(0, 4)).toEqual([
      'Lee: before all',
      `Kim: @${fake.bot.displayName} one`,
      'we: my answer to @Kim',
      'Lee: I doubt it',
    ]);
    expect(JSON.stringify(fromMemory)).not.toContain('secret');
    await gap();
    const before = reads();
    expect(fromMemory).toEqual(await read(asked));
    expect(reads()).toBe(before + 1);
  });

  it('includes a message that somebody replies to, however old, without asking for it', async () => {
    const { bot, fake, room, kim, lee, reads, read } = await setUp();
    await using _ = bot;
    const old = fake.say(lee, room, 'the very first');
    for (let n = 0; n < 70; n += 1) fake.say(lee, room, `number ${n}`);
    const earlier = await read(fake.reply(kim, old, `${fake.mention()} what was that?`));
    expect(texts(earlier).at(0)).toBe('Lee: the very first');
    expect(earlier).toHaveLength(21);
    expect(reads()).toBe(0);
  });

  it('is kept over a connection that is resumed, because Discord repeats what was missed', async () => {
    const { bot, fake, room, lee, reads, heard, read, mention } = await setUp();
    await using _ = bot;
    await read(mention('one'));
    fake.gateway.cut();
    await heard(fake.say(lee, room, 'while cut'));
    await fake.until(() => entriesOf(fake.history, 'resumed').length === 1 && bot.channel.isConnected());
    expect(texts(await read(mention('two')))).toContain('Lee: while cut');
    expect(reads()).toBe(1);
  });

  it('is read again after the bot was kept out of a channel', async () => {
    const { bot, fake, room, lee, heard, read, mention } = await setUp();
    await using _ = bot;
    await read(mention('one'));
    fake.permit(room, { canRead: false });
    fake.say(lee, room, 'without the bot');
    fake.permit(room, { canRead: true });
    await heard(fake.say(lee, room, 'with it'));
    expect(texts(await read(mention('two')))).toContain('Lee: without the bot');
  });

  it('is nothing where messages arrive without their text', async () => {
    const { bot, fake, reads, read, mention } = await setUp({ grantedIntents: [] });
    await using _ = bot;
    await read(mention('one'));
    const before = reads();
    await read(mention('two'));
    expect(reads()).toBe(before + 1);
    expect(fake.gateway.isReady).toBe(true);
  });

  it('never includes what was shown to one person', async () => {
    const { bot, fake, guild, room, lee, heard, read, mention } = await setUp();
    await using _ = bot;
    await read(mention('one'));
    const copy = fake.say(lee, room, 'for all');
    await heard(copy);
    fake.dispatch('MESSAGE_CREATE', {
      id: String(BigInt(copy.id) + 1n),
      channel_id: room.id,
      guild_id: guild.id,
      author: { id: fake.bot.id, username: 'finclaw', bot: true },
      content: 'your holdings',
      type: 0,
      flags: 64,
    });
    expect(texts(await read(mention('two')))).not.toContain('we: your holdings');
  });
});

const HOUR_MS = 60 * 60_000;
const GUILD = '700000000000000001';
const CHANNEL = '700000000000000002';

const setUpHeard = () => {
  const clock = new ManualClock();
  const heard = createRecentMessages(clock);
  heard.messages.listen();
  let count = 0n;
  const message = (more: Partial<DiscordMessage> = {}): DiscordMessage => {
    count += 1n;
    const id = String(BigInt(idAt(clock.now())) + count);
    // The fields that are read here.
    return {
      id,
      channel_id: CHANNEL,
      type: MessageType.Default,
      author: { id: '1570000000000000001' },
      content: `number ${count}`,
      ...more,
    } as DiscordMessage;
  };
  const reply = (to: DiscordMessage | null, toId = to?.id ?? ''): void =>
    heard.created(
      message({
        guild_id: GUILD,
        type: MessageType.Reply,
        referenced_message: to,
        message_reference: { type: MessageReferenceType.Default, channel_id: CHANNEL, message_id: toId },
      }),
    );
  return { clock, heard, message, reply };
};

describe('a message that somebody replied to', () => {
  it('is quoted for an hour after the reply, as it was last edited', async () => {
    const { clock, heard, message, reply } = setUpHeard();
    const old = message();
    reply(old);
    heard.updated({ id: old.id, channel_id: CHANNEL, guild_id: GUILD, content: 'edited' });
    await clock.advance(HOUR_MS - 1);
    expect(heard.repliedTo(old.id)?.content).toBe('edited');
    await clock.advance(1);
    expect(heard.repliedTo(old.id)).toBeUndefined();
  });

  it('is not quoted once it may have been deleted unheard', () => {
    const { heard, message, reply } = setUpHeard();
    const old = message();
    const missing = [
      () => heard.eventsLost(),
      () => heard.missed(GUILD, undefined),
      () => heard.missed(GUILD, CHANNEL),
      () => heard.deleted({ ids: [old.id], channelId: CHANNEL, guildId: GUILD }),
      () => reply(null, old.id),
    ];
    for (const miss of missing) {
      reply(old);
      expect(heard.repliedTo(old.id)).toEqual(old);
      miss();
      expect(heard.repliedTo(old.id)).toBeUndefined();
    }
  });

  it('is still quoted after another channel or server was out of reach', () => {
    const { heard, message, reply } = setUpHeard();
    const old = message();
    reply(old);
    heard.missed(GUILD, '700000000000000003');
    heard.missed('700000000000000004', undefined);
    expect(heard.repliedTo(old.id)).toEqual(old);
  });
});

describe('a message that the bot keeps', () => {
  it('takes room with its cards, so that fewer of such messages are kept', async () => {
    const { heard, message } = setUpHeard();
    const fields = Array.from({ length: 5 }, () => ({ name: 'n', value: 'v'.repeat(1_000) }));
    for (let n = 0; n < 20; n += 1) heard.created(message({ guild_id: GUILD, embeds: [{ fields }] }));
    let reads = 0;
    const list = async () => {
      reads += 1;
      return { messages: [], isWhole: false };
    };
    await heard.messages.before(`${GUILD} ${CHANNEL}`, message().id, 20, list);
    expect(reads).toBe(1);
  });
});
