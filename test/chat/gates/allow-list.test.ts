import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { allowList } from '#src/chat/gates/allow-list.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { directMessage, groupMessage, senderNamed } from './support.ts';
import { stripMentions } from '#test/support/markup.ts';

type AllowListDeps = Parameters<typeof allowList>[0];

const setUp = (
  allow: AllowListDeps['allow'],
  { direct = { policy: 'open' }, admins = { users: [], roles: [] } }: Partial<AllowListDeps> = {},
) => {
  const clock = new ManualClock();
  const gate = allowList({ allow, direct, admins, locale: 'auto', stripMentions, clock });
  return { clock, check: (message: MsgContext) => gate.check(message) };
};

const reasonOf = async (allow: AllowListDeps['allow'], message: MsgContext): Promise<string> => {
  const verdict = await setUp(allow).check(message);
  return verdict.verdict === 'drop' ? verdict.reason : 'pass';
};

const USER = 'user-not-allowed';
const GUILD = 'guild-not-allowed';
const CHANNEL = 'channel-not-allowed';

describe('the lists of people', () => {
  it('let administrators in wherever the bot is used', async () => {
    const { check } = setUp(
      { users: [], guilds: ['g1'] },
      { admins: { users: ['discord:mina'], roles: [] } },
    );
    expect(await check(groupMessage({ guildId: 'g1' }))).toEqual(PASS);
    expect(await check(groupMessage({ guildId: 'g2' }))).toMatchObject({ reason: 'guild-not-allowed' });
    expect(await check(groupMessage({ guildId: 'g1', ...senderNamed('jun') }))).toMatchObject({
      reason: 'user-not-allowed',
    });
  });

  it.each(['allowlist', 'pairing'] as const)('leave direct chats to the policy %s', async (policy) => {
    const { check } = setUp({ users: ['jun'] }, { direct: { policy } });
    expect(await check(directMessage())).toEqual(PASS);
    expect(await check(groupMessage())).toMatchObject({ reason: 'user-not-allowed' });
  });

  everyRow<[AllowListDeps['allow'], string]>([
    [{}, 'pass'],
    [{ users: ['mina'] }, 'pass'],
    [{ users: ['discord:mina'] }, 'pass'],
    [{ users: ['slack:mina'] }, USER],
    [{ users: ['min'] }, USER],
    [{ users: ['discord'] }, USER],
    [{ users: [] }, USER],
    [{ roles: [] }, USER],
    [{ users: [], roles: [] }, USER],
    [{ roles: ['desk'] }, 'pass'],
    [{ roles: ['42'] }, 'pass'],
    [{ roles: ['boss'] }, USER],
    [{ users: [], roles: ['desk'] }, 'pass'],
    [{ users: ['mina'], roles: [] }, 'pass'],
    [{ users: ['mina'], roles: ['boss'] }, 'pass'],
    [{ users: ['jun'], roles: ['desk'] }, 'pass'],
    [{ users: ['jun'], roles: ['boss'] }, USER],
    [{ users: ['desk'], roles: ['mina'] }, USER],
  ])('%j: %s, in a group as in a direct chat', async (allow, expected) => {
    for (const message of [directMessage, groupMessage])
      expect(await reasonOf(allow, message({ senderRoles: ['42', 'desk'] }))).toBe(expected);
  });
});

describe('the lists of places', () => {
  everyRow<[AllowListDeps['allow'], string]>([
    [{ guilds: ['guild-1'] }, 'pass'],
    [{ guilds: ['discord:guild-1'] }, 'pass'],
    [{ guilds: ['guild-2'] }, GUILD],
    [{ guilds: [] }, GUILD],
    [{ channels: ['discord'] }, 'pass'],
    [{ channels: ['chat-1'] }, 'pass'],
    [{ channels: ['discord:chat-1'] }, 'pass'],
    [{ channels: ['slack', 'slack:chat-1', 'chat-2'] }, CHANNEL],
    [{ channels: [] }, CHANNEL],
    [{ guilds: ['guild-1'], channels: ['chat-2'] }, CHANNEL],
    [{ guilds: ['guild-2'], channels: ['chat-1'] }, GUILD],
    [{ guilds: ['guild-1'], channels: ['chat-1'], users: ['jun'] }, USER],
    [{ guilds: ['guild-1'], channels: ['chat-1'], users: ['mina'] }, 'pass'],
  ])('%j: %s', async (allow, expected) => {
    for (const chatType of ['group', 'channel'] as const)
      expect(await reasonOf(allow, groupMessage({ chatType }))).toBe(expected);
  });

  it('drop a group that belongs to no server where servers are listed', async () => {
    const { guildId: _, ...message } = groupMessage();
    expect(await reasonOf({ guilds: ['guild-1'] }, message)).toBe(GUILD);
    expect(await reasonOf({}, message)).toBe('pass');
  });

  it('do not hold for direct chats', async () => {
    expect(await reasonOf({ guilds: [], channels: [] }, directMessage())).toBe('pass');
  });
});

const notAllowed = (locale: 'en' | 'ko') => gateTexts(locale).notAllowed({ id: 'discord:mina' });

describe('whoever is not allowed', () => {
  it('is told once an hour in a direct chat, with what the operator has to add', async () => {
    const { clock, check } = setUp({ users: [] });
    expect(notAllowed('en')).toContain('`discord:mina`');
    expect(await check(directMessage())).toEqual({ verdict: 'drop', reason: USER, reply: notAllowed('en') });
    expect(await check(directMessage())).toEqual({ verdict: 'drop', reason: USER });
    expect(await check(directMessage(senderNamed('jun')))).toHaveProperty('reply');
    await clock.advance(60 * 60_000 - 1);
    expect(await check(directMessage())).not.toHaveProperty('reply');
    await clock.advance(1);
    expect(await check(directMessage({ body: '안녕하세요' }))).toMatchObject({ reply: notAllowed('ko') });
  });

  it.each([{ users: [] }, { roles: [] }, { guilds: [] }, { channels: [] }])(
    'gets no word in a group: %j',
    async (allow) => {
      expect(await setUp(allow).check(groupMessage())).toEqual({
        verdict: 'drop',
        reason: expect.any(String),
      });
    },
  );

  it('does not include whoever sits at the terminal', async () => {
    const nobody = { users: [], roles: [], guilds: [], channels: [] };
    expect(await setUp(nobody).check(inboundMessage())).toEqual(PASS);
  });
});

describe('a guest of another guild', () => {
  const guest = { guildId: 'T1', senderGuildId: 'T2' };

  it('counts as one of theirs, among others and alone with the bot', async () => {
    for (const message of [groupMessage, directMessage]) {
      expect(await reasonOf({ guilds: ['T1'] }, message(guest))).toBe(GUILD);
      expect(await reasonOf({ guilds: ['T2'] }, message(guest))).toBe('pass');
      expect(await reasonOf({}, message(guest))).toBe('pass');
    }
    expect(await reasonOf({ guilds: ['T1'] }, groupMessage({ guildId: 'T1' }))).toBe('pass');
  });
});
