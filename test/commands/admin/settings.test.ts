import { describe, expect, it } from 'vitest';
import { settings } from '#commands/admin/settings.ts';
import type { GuildSetting, GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { asId, type ChannelId, type ChatId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { msgContext } from '#test/support/context.ts';
import { markup } from '#test/support/markup.ts';

const HERE = asId<ChatId>('C0HERE');
const OTHER = asId<ChatId>('C0OTHER');

/** Mina runs the workspace and types in one of its channels; what she types goes the way of every message. */
const setUp = (before: GuildSetting = {}) => {
  let stored = before;
  const changes: unknown[] = [];
  const guildSettings: GuildSettings = {
    of: (_channelId, guildId) => (guildId === 'T1' ? stored : {}),
    revision: () => changes.length,
    change: async (channelId, guildId, change, by) => {
      changes.push([channelId, guildId, change, by]);
      await Promise.resolve();
      const merged = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null);
      stored = Object.fromEntries(merged);
      return stored;
    },
  };
  const registry = createCommandRegistry([settings({ guildSettings, markup })]);
  const type = async (line: string, ctx: Partial<TurnContext> = {}): Promise<string> => {
    const found = registry.commandIn(line);
    if (!found) throw new Error(`${line} is no command`);
    const place = { chatType: 'channel', chatId: HERE, guildId: 'T1', managesGuild: true } as const;
    const context = msgContext({ ...place, channelId: asId<ChannelId>('slack'), rawBody: line, ...ctx });
    const { content, ephemeral } = await registry.execute(
      found.parsed,
      context,
      new AbortController().signal,
    );
    expect(ephemeral).toBe(true);
    return content;
  };
  return { type, changes, stored: () => stored };
};

describe('/settings', () => {
  it.each([
    ['en', '- **Language** — Korean', '- **Channels** — <#C0HERE>', '`/settings live <off'],
    ['ko', '- **언어** — 한국어', '- **채널** — <#C0HERE>', '`/settings 표시 <off'],
  ] as const)('shows what is chosen and how to change it (%s)', async (locale, ...shown) => {
    const { type, changes } = setUp({ locale: 'ko', allowedChats: [HERE] });
    const content = await type('/설정', { locale });
    for (const part of shown) expect(content).toContain(part);
    expect(content).toContain(guildTexts(locale).asConfigured());
    expect(changes).toEqual([]);
  });

  it.each<[string, GuildSetting]>([
    ['/settings language ko', { locale: 'ko' }],
    ['/settings 언어 자동', { locale: 'auto' }],
    ['/settings LIVE Stream', { live: 'stream' }],
    ['/settings queue steer-backlog', { queueMode: 'steer-backlog' }],
    ['/settings channels here', { allowedChats: [HERE] }],
    ['/settings channels add', { allowedChats: [HERE] }],
    ['/settings channels add <#C0OTHER|general>', { allowedChats: [OTHER] }],
    ['/settings channels add <#123456789>', { allowedChats: [asId<ChatId>('123456789')] }],
    ['/settings 채널 추가 C0OTHER', { allowedChats: [OTHER] }],
    ['/settings roles add <@&777000>', { allowedRoles: ['777000'] }],
    ['/settings 역할 추가 <@&777000>', { allowedRoles: ['777000'] }],
  ])('%s is kept', async (line, expected) => {
    const { type, stored, changes } = setUp();
    await type(line);
    expect(stored()).toEqual(expected);
    expect(changes).toEqual([['slack', 'T1', expected, 'mina']]);
  });

  it.each([
    ['/settings language default', 'locale'],
    ['/settings live default', 'live'],
    ['/settings 대기열 기본', 'queueMode'],
    ['/settings channels all', 'allowedChats'],
    ['/settings roles everybody', 'allowedRoles'],
  ] as const)('%s takes the choice back, and no other', async (line, field) => {
    const full: GuildSetting = { locale: 'ko', live: 'off', queueMode: 'queue', allowedChats: [HERE] };
    const { type, stored } = setUp(full);
    await type(line);
    const { [field]: _gone, ...rest } = full;
    expect(stored()).toEqual(rest);
  });

  it('adds to the channels and removes from them, and says where it leaves the one it is typed in out', async () => {
    const { type, stored } = setUp();
    const t = guildTexts('en');
    expect(await type('/settings channels add <#C0OTHER>')).toContain(t.notAmong());
    expect(await type('/settings channels add')).not.toContain(t.notAmong());
    expect(stored()).toEqual({ allowedChats: [OTHER, HERE] });
    await type('/settings channels remove <#C0OTHER|general>');
    expect(stored()).toEqual({ allowedChats: [HERE] });
  });

  it('loses none of two channels that are added at once', async () => {
    const { type, stored } = setUp();
    await Promise.all([type('/settings channels add C0ONE'), type('/settings channels add C0TWO')]);
    expect(stored().allowedChats).toEqual(['C0ONE', 'C0TWO']);
  });

  const t = guildTexts('en');
  const full = Array.from({ length: 100 }, (_, index) => asId<ChatId>(`C0${index}`));
  it.each<[string, GuildSetting, string]>([
    ['/settings language klingon', {}, t.wrong({ typed: 'klingon', form: t.forms.language })],
    ['/settings live', {}, t.wrong({ typed: '', form: t.forms.live })],
    ['/settings channels add #general', {}, t.ofChannels.unknown()],
    ['/settings channels add <#C0ONE> <#C0TWO>', {}, t.ofChannels.unknown()],
    ['/settings channels remove', {}, t.ofChannels.noneListed()],
    ['/settings channels remove', { allowedChats: [OTHER] }, t.ofChannels.notListed({ named: '<#C0HERE>' })],
    ['/settings channels remove', { allowedChats: [HERE] }, t.ofChannels.lastOne({ named: '<#C0HERE>' })],
    ['/settings channels add', { allowedChats: full }, t.ofChannels.tooMany({ limit: 100 })],
  ])('%s changes nothing where it cannot (%j)', async (line, before, sentence) => {
    const { type, changes } = setUp(before);
    expect(await type(line)).toBe(sentence);
    expect(changes).toEqual([]);
  });

  it('lists what there is for a setting that nobody knows', async () => {
    expect(await setUp().type('/settings **colour** red')).toContain(t.unknown({ typed: 'colour' }));
  });

  it.each<[string, Partial<TurnContext>, string]>([
    ['somebody else', { managesGuild: false, userRoles: ['admin'] }, t.managersOnly()],
    ['anybody in a direct chat', { chatType: 'direct', isAdmin: true }, t.onlyInServer()],
  ])('is not for %s', async (_who, ctx, sentence) => {
    const { type, changes } = setUp({ allowedChats: [OTHER] });
    expect(await type('/settings', ctx)).toBe(sentence);
    expect(await type('/settings channels all', ctx)).toBe(sentence);
    expect(changes).toEqual([]);
  });

  it('is for an administrator of the bot too', async () => {
    const { type, stored } = setUp();
    await type('/settings live off', { managesGuild: false, isAdmin: true });
    expect(stored()).toEqual({ live: 'off' });
  });
});
