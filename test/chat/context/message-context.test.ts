import { describe, expect, it } from 'vitest';
import type { LocaleRule } from '#src/kernel/chat/guild-settings.ts';
import {
  type AccountId,
  type AgentId,
  asId,
  type ChannelId,
  type ChatId,
  type InboxId,
  type MessageId,
  type SessionKey,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import { type MsgContext, replyTargetOf } from '#src/kernel/chat/message.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';
import type { ZoneSource } from '#src/kernel/time.ts';
import { isAdmin } from '#src/chat/context/admins.ts';
import { type ContextSettings, toMsgContext } from '#src/chat/context/message-context.ts';
import { zoneOf, type ZoneSettings } from '#src/chat/context/time-zone.ts';
import { everyRow } from '#test/support/every-row.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { stripMentions } from '#test/support/markup.ts';

const ON_SLACK: Partial<MsgContext> = {
  channelId: asId<ChannelId>('slack'),
  accountId: asId<AccountId>('T1'),
  chatId: asId<ChatId>('C1'),
  chatType: 'channel',
  senderId: asId<UserId>('U1'),
  senderName: 'Kim',
};

const onSlack = (overrides: Partial<MsgContext> = {}): MsgContext =>
  inboundMessage({ ...ON_SLACK, ...overrides });

describe('isAdmin', () => {
  const NOBODY = { users: [], roles: [] };

  it('is whoever sits at the console', () => {
    expect(isAdmin(inboundMessage(), NOBODY)).toBe(true);
  });

  it('is nobody elsewhere unless named', () => {
    expect(isAdmin(onSlack({ senderRoles: ['Everyone'] }), NOBODY)).toBe(false);
  });

  everyRow([
    ['by id', { users: ['U1'], roles: [] }, true],
    ['by id on this platform', { users: ['slack:U1'], roles: [] }, true],
    ['by id on another platform', { users: ['discord:U1'], roles: [] }, false],
    ['under another id', { users: ['U10', 'slack:U', 'u1'], roles: [] }, false],
    ['by a name, which anybody can take', { users: ['Kim'], roles: [] }, false],
    ['by a role', { users: [], roles: ['Staff', 'Operators'] }, true],
    ['by a role that the sender lacks', { users: [], roles: ['Staff', 'operators'] }, false],
    ['as a role, by the id of a user', { users: [], roles: ['U1'] }, false],
  ])('answers when the configuration names the sender %s', (_how, admins, expected) => {
    expect(isAdmin(onSlack({ senderRoles: ['Everyone', 'Operators'] }), admins)).toBe(expected);
  });
});

describe('toMsgContext', () => {
  const SETTINGS: ContextSettings = {
    admins: { users: [], roles: [] },
    locale: 'auto',
    stripMentions,
    timeZone: 'Asia/Seoul',
    readable: (body) => `read: ${body}`,
  };
  const contextOf = (overrides: Partial<MsgContext>, settings: Partial<ContextSettings> = {}) =>
    toMsgContext(
      {
        id: asId<InboxId>('inbox-1'),
        message: inboundMessage(overrides),
        match: { agentId: asId<AgentId>('main'), matchedBy: 'default' },
        sessionKey: asId<SessionKey>('session-1'),
      },
      [],
      { ...SETTINGS, ...settings },
    );

  it('carries everything that is known about the message', () => {
    const media = [{ kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'a.png' }] as const;
    const timestamp = Temporal.Instant.from('2026-01-02T03:04:05Z');
    const context = contextOf({
      ...ON_SLACK,
      messageId: asId<MessageId>('17.5'),
      threadId: asId<ThreadId>('17.0'),
      senderRoles: ['Staff'],
      body: 'How is\nApple doing?',
      media,
      timestamp,
    });
    expect(context).toEqual({
      inboxId: 'inbox-1',
      merged: [],
      messageId: '17.5',
      bodyForAgent: 'How is\nApple doing?',
      rawBody: 'How is\nApple doing?',
      senderId: 'U1',
      senderName: 'Kim',
      userRoles: ['Staff'],
      isAdmin: false,
      channelId: 'slack',
      accountId: 'T1',
      chatId: 'C1',
      chatType: 'channel',
      sessionKey: 'session-1',
      parentSessionKey: 'agent:main:slack:T1:channel:C1',
      messageThreadId: '17.0',
      media,
      managesGuild: false,
      mentionsBot: false,
      locale: 'en',
      timeZone: 'Asia/Seoul',
      zoneFrom: 'machine',
      timestamp,
    });
  });

  it('carries what is known about the group', () => {
    const group = { groupSubject: '', threadTitle: 'a title' };
    expect(contextOf({ ...ON_SLACK, ...group })).toMatchObject(group);
  });

  it('leaves out what the message does not have', () => {
    const context = contextOf({});
    const optional = ['messageThreadId', 'media', 'groupSubject', 'threadTitle', 'parentSessionKey'];
    expect(optional.filter((key) => key in context)).toEqual([]);
  });

  it('knows an administrator by the settings of now', () => {
    const admins = { users: ['slack:U1'], roles: [] };
    expect(contextOf(ON_SLACK, { admins })).toMatchObject({ isAdmin: true });
  });

  /** As the app puts it together: what a server chose, else what is configured. */
  const CHOSEN: Readonly<Record<string, 'en' | 'auto'>> = { g1: 'en', g2: 'auto' };
  const ofGuild: LocaleRule = ({ guildId = '' }) => CHOSEN[guildId] ?? 'ko';

  it('puts the language of a person before that of their server', () => {
    const entry = {
      id: asId<InboxId>('inbox-1'),
      message: inboundMessage({ guildId: 'g1' }),
      match: { agentId: asId<AgentId>('main'), matchedBy: 'default' },
      sessionKey: asId<SessionKey>('session-1'),
    } as const;
    expect(toMsgContext(entry, [], { ...SETTINGS, locale: ofGuild }, { locale: 'ko' }).locale).toBe('ko');
  });

  it.each([
    ['the text', { body: '삼성전자 얼마야?', locale: 'en' }, 'auto', 'ko'],
    ['the platform, of a bare ticker', { body: 'AAPL', locale: 'ko' }, 'auto', 'ko'],
    ['the platform, whatever the bot is called', { body: '<@U1|fin claw> AAPL', locale: 'ko' }, 'auto', 'ko'],
    ['the configuration, above all', { body: '삼성전자 얼마야?', locale: 'ko' }, 'en', 'en'],
    ['the server, before the configuration', { body: '삼성전자 얼마야?', guildId: 'g1' }, ofGuild, 'en'],
    ['the text where the server says so', { body: '삼성전자 얼마야?', guildId: 'g2' }, ofGuild, 'ko'],
    ['the configuration in other servers', { body: 'How is it today?', guildId: 'g3' }, ofGuild, 'ko'],
  ] as const)('takes the language from %s', (_what, message, locale, expected) => {
    expect(contextOf(message, { locale }).locale).toBe(expected);
  });
});

describe('replyTargetOf', () => {
  it('answers to the message, in its chat and thread, and knows who asked', () => {
    const message = inboundMessage({
      ...ON_SLACK,
      messageId: asId<MessageId>('17.5'),
      threadId: asId<ThreadId>('17.0'),
    });
    expect(replyTargetOf(message)).toEqual({
      channelId: 'slack',
      accountId: 'T1',
      chatId: 'C1',
      threadId: '17.0',
      replyToMessageId: '17.5',
      recipientId: 'U1',
    });
  });

  it('names no thread where there is none', () => {
    expect(replyTargetOf(inboundMessage())).not.toHaveProperty('threadId');
  });
});

describe('zoneOf', () => {
  const NOWHERE: ZoneSettings = { timeZone: 'UTC' };
  const CONFIGURED: ZoneSettings = { timeZone: 'Europe/Paris', isZoneConfigured: true };
  const IN_TOKYO: ZoneSettings = { ...NOWHERE, zoneIn: () => 'Asia/Tokyo' };

  everyRow<[string, Partial<MsgContext>, UserProfile, ZoneSettings, string, ZoneSource]>([
    ['what they set', { timeZone: 'Asia/Seoul' }, { timeZone: 'UTC' }, IN_TOKYO, 'UTC', 'profile'],
    ['the platform', { timeZone: 'America/New_York' }, {}, IN_TOKYO, 'America/New_York', 'platform'],
    [
      'what the platform told before',
      {},
      { platform: { timeZone: 'America/New_York' } },
      IN_TOKYO,
      'America/New_York',
      'platform',
    ],
    ['their language', { languageTag: 'ko' }, {}, IN_TOKYO, 'Asia/Seoul', 'language'],
    [
      'their language of an earlier message',
      { guildLanguageTag: 'ja' },
      { platform: { languageTag: 'ko' } },
      NOWHERE,
      'Asia/Seoul',
      'language',
    ],
    ['the server', { languageTag: 'en-US', guildLanguageTag: 'ko' }, {}, IN_TOKYO, 'Asia/Tokyo', 'server'],
    ['the language of the server', { guildLanguageTag: 'ko' }, {}, NOWHERE, 'Asia/Seoul', 'server-language'],
    ['the configuration', { guildLanguageTag: 'en-US' }, {}, CONFIGURED, 'Europe/Paris', 'bot'],
    ['the machine', {}, {}, NOWHERE, 'UTC', 'machine'],
    ['the machine, past a zone that is none', { timeZone: 'Mars/Base' }, {}, NOWHERE, 'UTC', 'machine'],
  ])('goes by %s', (_what, message, profile, settings, timeZone, zoneFrom) => {
    expect(zoneOf(onSlack(message), settings, profile)).toEqual({ timeZone, zoneFrom });
  });

  it.each<[string, ZoneSettings, ZoneSource]>([
    ['the zone of their machine', { timeZone: 'Asia/Seoul' }, 'terminal'],
    ['what they configured', { timeZone: 'UTC', isZoneConfigured: true }, 'terminal'],
    ['a machine that was never told where it stands', { timeZone: 'Etc/UTC' }, 'machine'],
  ])('takes whoever sits at the terminal by %s', (_what, settings, zoneFrom) => {
    expect(zoneOf(inboundMessage(), settings)).toMatchObject({ zoneFrom });
  });
});
