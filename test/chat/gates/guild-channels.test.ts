import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import type { GuildSetting } from '#src/kernel/chat/guild-settings.ts';
import { guildTexts } from '#src/kernel/chat/texts/guild.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { guildChannels } from '#src/chat/gates/guild-channels.ts';
import { commandOfSlash } from '#test/support/commands.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { directMessage, groupMessage, senderNamed } from './support.ts';
import { stripMentions } from '#test/support/markup.ts';

type GuildChannelsDeps = Parameters<typeof guildChannels>[0];

const ELSEWHERE = [asId<ChatId>('chat-8'), asId<ChatId>('chat-9')];
const SILENT = { verdict: 'drop', reason: 'channel-not-chosen' };
const reply = (locale: 'en' | 'ko') => guildTexts(locale).elsewhere({ chats: '<#chat-8>, <#chat-9>' });

const setUp = (setting: GuildSetting, overrides: Partial<GuildChannelsDeps> = {}) => {
  const clock = new ManualClock();
  const gate = guildChannels({
    guildSettings: {
      of: (channelId, guildId) => (channelId === 'discord' && guildId === 'guild-1' ? setting : {}),
    },
    admins: { users: ['discord:boss'], roles: [] },
    commandOf: commandOfSlash,
    locale: 'auto',
    stripMentions,
    clock,
    ...overrides,
  });
  return { clock, check: (message: MsgContext) => gate.check(message) };
};

describe('the channels that a server chose', () => {
  it.each<[string, GuildSetting, Partial<MsgContext>]>([
    ['everything where none are chosen', {}, {}],
    ['a chosen one', { allowedChats: [asId<ChatId>('chat-1')] }, {}],
    ['another server', { allowedChats: ELSEWHERE }, { guildId: 'guild-2' }],
    ['a direct chat', { allowedChats: ELSEWHERE }, { chatType: 'direct' }],
  ])('let %s pass', (_what, setting, message) => {
    expect(setUp(setting).check(groupMessage(message))).toEqual(PASS);
  });

  it('silence the bot elsewhere: without a word where nobody called it, once an hour where somebody did', async () => {
    const { check, clock } = setUp({ allowedChats: ELSEWHERE });
    expect(check(groupMessage())).toEqual(SILENT);
    expect(check(groupMessage({ mentionsBot: true }))).toEqual({ ...SILENT, reply: reply('en') });
    expect(check(groupMessage({ mentionsBot: true }))).toEqual(SILENT);
    const pressed = { interaction: { token: 't', isPrivate: false }, body: '/시세 애플' };
    expect(check(groupMessage({ ...pressed, ...senderNamed('jun') }))).toEqual({
      ...SILENT,
      reply: reply('ko'),
    });
    await clock.advance(60 * 60_000);
    expect(check(groupMessage({ mentionsBot: true }))).toHaveProperty('reply');
  });

  it('name only some of many', () => {
    const allowedChats = Array.from({ length: 40 }, (_, index) => asId<ChatId>(`c${index}`));
    const verdict = setUp({ allowedChats }).check(groupMessage({ mentionsBot: true }));
    expect(verdict).toMatchObject({ reply: expect.stringMatching(/<#c9>, …/) });
    expect(JSON.stringify(verdict)).not.toContain('<#c10>');
  });

  it.each<[string, Partial<MsgContext>, object]>([
    ['who runs the server', { managesGuild: true, body: '/settings channels all' }, PASS],
    ['an administrator', { ...senderNamed('boss'), body: '/settings' }, PASS],
    ['anybody else', { body: '/settings' }, SILENT],
    ['who runs the server, with another command', { managesGuild: true, body: '/price AAPL' }, SILENT],
  ])('do not lock out %s', (_who, message, expected) => {
    expect(setUp({ allowedChats: ELSEWHERE }).check(groupMessage(message))).toEqual(expected);
  });

  it('are named in the language that holds there', () => {
    const { check } = setUp(
      { allowedChats: ELSEWHERE },
      { locale: ({ guildId }) => (guildId === 'guild-1' ? 'ko' : 'en') },
    );
    expect(check(groupMessage({ mentionsBot: true, body: 'How is Apple?' }))).toMatchObject({
      reply: reply('ko'),
    });
    expect(check(directMessage())).toEqual(PASS);
  });
});
