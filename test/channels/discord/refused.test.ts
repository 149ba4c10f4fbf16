import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discordTexts } from '#channels/discord/send/texts.ts';
import type { Card } from '#src/kernel/chat/card.ts';
import type { MsgContext, ReplyPayload } from '#src/kernel/chat/message.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { FakeDiscordFaults } from '#test/fakes/discord/controls.ts';
import type { FakeChannel, FakeUser, SeenMessage } from '#test/fakes/discord/seen.ts';
import { everyRow } from '#test/support/every-row.ts';
import { type Bot, NEVER, only, openBot, outbound } from './fixture.ts';

const CARD: Card = { title: 'Apple', headline: '$230.10', fields: [], footer: 'sample', tone: 'up' };

type Refused = Parameters<FakeDiscordFaults['refuse']>[1];
type Reason = Exclude<keyof ReturnType<typeof discordTexts>, 'decisionNotStored'>;

interface Row {
  readonly code: number;
  /** What is refused. */
  readonly of?: Refused;
  /** `here`: in its place, without what is refused. */
  readonly goes: 'here' | 'to the parent' | 'directly';
  readonly why?: Reason;
}

const ROWS: readonly Row[] = [
  // As no reply.
  { code: 160_002, of: { has: 'reference' }, goes: 'here' },
  { code: 50_021, of: { has: 'reference', status: 400 }, goes: 'here' },
  { code: 50_068, of: { has: 'reference', status: 400 }, goes: 'here' },
  { code: 50_035, of: { has: 'reference', path: 'message_reference' }, goes: 'here' },
  // Without files, without cards.
  { code: 50_013, of: { has: 'files' }, goes: 'here' },
  { code: 40_005, of: { has: 'files', status: 413 }, goes: 'here' },
  { code: 50_045, of: { has: 'files', status: 400 }, goes: 'here' },
  { code: 50_046, of: { has: 'files', status: 400 }, goes: 'here' },
  { code: 50_146, of: { has: 'files', status: 400 }, goes: 'here' },
  { code: 400_001, of: { has: 'files' }, goes: 'here' },
  { code: 20_009, of: { has: 'files' }, goes: 'here' },
  { code: 50_013, of: { has: 'embeds' }, goes: 'here' },
  { code: 50_035, of: { has: 'embeds', path: 'embeds.0.title' }, goes: 'here' },
  // Without addresses.
  { code: 240_000, of: { has: 'link', status: 400 }, goes: 'here' },
  // In the channel of the thread.
  { code: 160_005, goes: 'to the parent', why: 'threadClosed' },
  { code: 160_006, of: { status: 400 }, goes: 'to the parent', why: 'threadClosed' },
  { code: 50_083, of: { status: 400 }, goes: 'to the parent', why: 'threadClosed' },
  { code: 10_003, of: { status: 404 }, goes: 'to the parent', why: 'placeGone' },
  { code: 50_008, of: { status: 400 }, goes: 'to the parent', why: 'placeRefuses' },
  // To the person.
  { code: 50_013, goes: 'directly', why: 'mayNotWrite' },
  { code: 50_001, goes: 'directly', why: 'mayNotWrite' },
  { code: 10_004, of: { status: 404 }, goes: 'directly', why: 'placeGone' },
  { code: 200_000, of: { status: 400 }, goes: 'directly', why: 'moderated' },
  { code: 200_001, of: { status: 400 }, goes: 'directly', why: 'moderated' },
  { code: 240_000, of: { status: 400 }, goes: 'directly', why: 'moderated' },
  { code: 50_009, goes: 'directly', why: 'placeRefuses' },
  { code: 50_024, of: { status: 400 }, goes: 'directly', why: 'placeRefuses' },
  { code: 40_007, goes: 'directly', why: 'placeRefuses' },
  { code: 999_999, goes: 'directly', why: 'placeRefuses' },
];

describe('an answer that Discord refuses', () => {
  let bot: Bot & AsyncDisposable;
  let folder: string;
  let payload: ReplyPayload;
  let room: FakeChannel;
  let person: FakeUser;
  beforeAll(async () => {
    bot = await openBot();
    room = bot.fake.addChannel(bot.fake.addGuild({ name: 'a' }), { name: 'stocks' });
    folder = await mkdtemp(join(tmpdir(), 'refused-'));
    const path = join(folder, 'chart.png');
    await writeFile(path, 'PNG');
    const url = pathToFileURL(path).href;
    const media = [{ kind: 'image' as const, mimeType: 'image/png', name: 'chart.png', url }];
    payload = { text: 'See https://example.com/apple', cards: [CARD], media };
  });
  afterAll(async () => {
    await bot[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    bot.host.received.length = 0;
    bot.fake.faults.clear();
    person = bot.fake.addUser({ name: 'kim' });
  });

  const askIn = async (place: FakeChannel): Promise<MsgContext> => {
    const said = bot.fake.say(person, place, `${bot.fake.mention()} how is Apple?`);
    return bot.fake.until(() => bot.host.received.find(({ id }) => (id as string) === said.id));
  };
  const ours = (channelId: string): readonly SeenMessage[] =>
    bot.fake.messagesIn(channelId).filter(({ author }) => author.id === bot.fake.bot.id);
  const newThread = (isPrivate = false): FakeChannel =>
    bot.fake.addThread(room, { name: 'on it', isPrivate, isJoined: true });

  everyRow(ROWS)('with $code goes $goes', async ({ code, of, goes, why }) => {
    const { fake, channel } = bot;
    fake.faults.clear();
    person = fake.addUser({ name: 'kim' });
    const thread = newThread();
    const asked = await askIn(thread);
    const before = ours(room.id).length;
    fake.faults.refuse(code, { ...of, method: 'POST', channelId: thread.id });
    await channel.send(outbound(asked, payload), NEVER);
    expect([...new Set(bot.host.refusedPosts.splice(0))]).toEqual([String(code)]);
    const elsewhere = [...ours(room.id).slice(before), ...ours(fake.directChannel(person).id)];
    const arrived = goes === 'here' ? ours(thread.id) : elsewhere;
    const [note, answer = note] = arrived;
    const shown = `${answer?.content} ${JSON.stringify(answer?.embeds)}`;
    expect(shown).toContain('See ');
    expect(shown).toContain('230.10');
    if (goes === 'here') {
      expect([arrived.length, elsewhere.length]).toEqual([1, 0]);
      expect(shown.includes('https://example.com')).toBe(of?.has !== 'link');
      return;
    }
    expect(ours(thread.id)).toEqual([]);
    const isDirect = goes === 'directly';
    expect(arrived).toMatchObject([
      {
        channelId: isDirect ? fake.directChannel(person).id : room.id,
        content: `${isDirect ? '' : `<@${person.id}> `}${discordTexts('en')[why ?? 'placeRefuses']({ chat: `<#${thread.id}>` })}`,
        pinged: { users: isDirect ? [] : [person.id] },
      },
      { attachments: [{ name: 'chart.png' }] },
    ]);
  });

  everyRow([20_016, 20_028, 20_029, 40_004, 40_006, 40_062, 130_000])(
    'with %d for a while is sent later',
    async (code) => {
      const { fake, channel } = bot;
      fake.faults.clear();
      person = fake.addUser({ name: 'kim' });
      const message = outbound(await askIn(room), 'Apple: $230.10');
      fake.faults.refuse(code, { method: 'POST' });
      await expect(channel.send(message, NEVER)).rejects.toMatchObject({ failure: 'rate-limited' });
      fake.faults.clear();
      await channel.send(message, NEVER);
      expect(ours(room.id).at(-1)?.content).toBe('Apple: $230.10');
    },
  );

  it('without the permission to read the history is no reply', async () => {
    const asked = await askIn(room);
    bot.fake.permit(room, { canReadHistory: false });
    await bot.channel.send(outbound(asked, 'Apple: $230.10'), NEVER);
    bot.fake.permit(room, { canReadHistory: true });
    expect(ours(room.id).at(-1)?.content).toBe('Apple: $230.10');
    expect(ours(room.id).at(-1)?.replyTo).toBeUndefined();
  });

  it('because its thread was closed while it was made is whole in the channel, with one note for all parts', async () => {
    const { fake, channel } = bot;
    const thread = newThread();
    const asked = await askIn(thread);
    const { messageId: replaces } = await channel.send(outbound(asked, '-# working'), NEVER);
    fake.closeThread(thread, 'locked');
    const before = ours(room.id).length;
    await channel.send(outbound(asked, 'part one', { replaces }), NEVER);
    await channel.send(outbound(asked, 'part two', { isContinued: true }), NEVER);
    const note = discordTexts('en').threadClosed({ chat: `<#${thread.id}>` });
    expect(
      ours(room.id)
        .slice(before)
        .map(({ content }) => content),
    ).toEqual([`<@${person.id}> ${note}`, 'part one', 'part two']);
    expect(ours(thread.id)).toEqual([]);
  });

  it('because its thread sleeps is posted anew, which wakes the thread', async () => {
    const { fake, channel } = bot;
    const thread = newThread();
    const asked = await askIn(thread);
    const { messageId: replaces } = await channel.send(outbound(asked, '-# working'), NEVER);
    fake.closeThread(thread, 'archived');
    await channel.send(outbound(asked, 'done', { replaces }), NEVER);
    expect(ours(thread.id).at(-1)?.content).toBe('done');
  });

  it('that is private leaves its note in a thread that sleeps', async () => {
    const { fake, channel } = bot;
    const thread = newThread();
    const asked = await askIn(thread);
    const { messageId: replaces } = await channel.send(outbound(asked, '-# working'), NEVER);
    fake.closeThread(thread, 'archived');
    await channel.send(outbound(asked, { text: 'a secret', ephemeral: true }, { replaces }), NEVER);
    expect(ours(thread.id).at(-1)?.content).toBe(channelTexts('en').onlyForYou());
  });

  it('in a private thread, and in a post of a forum, goes to nobody but the person', async () => {
    const { fake, channel } = bot;
    const forum = fake.addChannel(fake.addGuild({ name: 'b' }), { name: 'ideas', kind: 'forum' });
    for (const place of [newThread(true), fake.addThread(forum, { name: 'a post', isJoined: true })]) {
      const asked = await askIn(place);
      const before = ours(room.id).length;
      fake.closeThread(place, 'locked');
      await channel.send(outbound(asked, 'between us'), NEVER);
      expect(ours(room.id)).toHaveLength(before);
      expect(ours(fake.directChannel(person).id).at(-1)?.content).toBe('between us');
    }
  });

  it('that was hidden in a thread stays hidden', async () => {
    const { fake, channel } = bot;
    const thread = newThread();
    await fake.until(() => fake.commands().length === 6);
    const asked = fake.command(person, thread, 'usage');
    const message = only(await bot.received(1));
    const before = ours(room.id).length;
    fake.faults.refuse(160_005, { method: 'PATCH' });
    await channel.send(outbound(message, 'your usage'), NEVER);
    expect(asked.isEphemeral).toBe(true);
    expect(ours(room.id)).toHaveLength(before);
    expect(ours(fake.directChannel(person).id).at(-1)?.content).toBe('your usage');
  });

  it('everywhere is an error for the log', async () => {
    const asked = await askIn(room);
    bot.fake.permit(room, { canSend: false });
    bot.fake.refuseDirect(person);
    await expect(bot.channel.send(outbound(asked, 'x'), NEVER)).rejects.toMatchObject({
      failure: 'refused',
      discordCode: 50_007,
    });
    bot.fake.permit(room, { canSend: true });
    expect(bot.log).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });
});
