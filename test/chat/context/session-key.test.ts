import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountId,
  type AgentId,
  asId,
  type ChannelId,
  type ChatId,
  type SessionKey,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ChatType, MsgContext } from '#src/kernel/chat/message.ts';
import { agentOf } from '#src/kernel/agent/agent-settings.ts';
import { deriveSessionKey } from '#src/chat/context/session-key.ts';
import { inboundMessage } from '#test/support/messages.ts';

const MAIN = asId<AgentId>('main');
const keyOf = (overrides: Partial<MsgContext>): string => deriveSessionKey(MAIN, inboundMessage(overrides));

/** Ids made of what the key itself is made of. */
const nastyId = fc.string({
  unit: fc.constantFrom(':', '%', '2', '5', '3', 'A', 'a'),
  minLength: 1,
  maxLength: 4,
});
const chatType = fc.constantFrom<ChatType>('direct', 'group', 'channel');
const place = fc.record({
  agentId: nastyId,
  channelId: nastyId,
  accountId: nastyId,
  chatType,
  chatId: nastyId,
  senderId: nastyId,
  threadId: fc.option(nastyId, { nil: undefined }),
});
type Place = typeof place extends fc.Arbitrary<infer T> ? T : never;

const keyAt = ({ agentId, threadId, ...rest }: Place): string =>
  deriveSessionKey(
    asId<AgentId>(agentId),
    inboundMessage({
      channelId: asId<ChannelId>(rest.channelId),
      accountId: asId<AccountId>(rest.accountId),
      chatType: rest.chatType,
      chatId: asId<ChatId>(rest.chatId),
      senderId: asId<UserId>(rest.senderId),
      ...(threadId === undefined ? {} : { threadId: asId<ThreadId>(threadId) }),
    }),
  );

/** What makes two places one conversation. */
const identityOf = (at: Place): string =>
  JSON.stringify([
    at.agentId,
    at.channelId,
    at.accountId,
    at.chatType,
    at.chatType === 'direct' ? at.senderId : at.chatId,
    at.threadId ?? null,
  ]);

describe('deriveSessionKey', () => {
  it('is written as the design says', () => {
    const shared = { channelId: asId<ChannelId>('slack'), accountId: asId<AccountId>('T1') };
    const there = { ...shared, chatType: 'channel', chatId: asId<ChatId>('C1') } as const;
    expect(keyOf(there)).toBe('agent:main:slack:T1:channel:C1');
    expect(keyOf({ ...there, threadId: asId<ThreadId>('17.5') })).toBe('agent:main:slack:T1:channel:C1:17.5');
    expect(keyOf({ ...shared, chatType: 'direct', senderId: asId<UserId>('U1') })).toBe(
      'agent:main:slack:T1:direct:U1',
    );
  });

  it('never lets two people share a private conversation, also where the chat has one id', () => {
    const chatId = asId<ChatId>('D1');
    expect(keyOf({ chatId, senderId: asId<UserId>('U1') })).not.toBe(
      keyOf({ chatId, senderId: asId<UserId>('U2') }),
    );
  });

  it('is shared by those who are in a group', () => {
    const there = { chatType: 'group', chatId: asId<ChatId>('G1') } as const;
    expect(keyOf({ ...there, senderId: asId<UserId>('U1') })).toBe(
      keyOf({ ...there, senderId: asId<UserId>('U2') }),
    );
  });

  it.each<[string, Partial<MsgContext>]>([
    ['accounts (guilds, teams)', { accountId: asId<AccountId>('T2') }],
    ['platforms', { channelId: asId<ChannelId>('discord') }],
    ['chats', { chatId: asId<ChatId>('C2') }],
    ['threads', { threadId: asId<ThreadId>('t2') }],
    ['kinds of chat', { chatType: 'group' }],
  ])('keeps two %s apart', (_what, other) => {
    const here: Partial<MsgContext> = {
      channelId: asId<ChannelId>('slack'),
      accountId: asId<AccountId>('T1'),
      chatType: 'channel',
      chatId: asId<ChatId>('C1'),
      threadId: asId<ThreadId>('t1'),
    };
    expect(keyOf({ ...here, ...other })).not.toBe(keyOf(here));
  });

  it('keeps a thread apart from the chat around it, and agents from each other', () => {
    const chat = { chatType: 'channel', chatId: asId<ChatId>('C1') } as const;
    expect(keyOf({ ...chat, threadId: asId<ThreadId>('t1') })).not.toBe(keyOf(chat));
    const message = inboundMessage(chat);
    expect(deriveSessionKey(asId<AgentId>('other'), message)).not.toBe(deriveSessionKey(MAIN, message));
  });

  it('is the same for two messages exactly when they belong together, whatever the ids contain', () => {
    const pair = fc.oneof(
      fc.tuple(place, place),
      // Mostly the same: random places would hardly ever meet.
      fc
        .tuple(
          place,
          place,
          fc.subarray([
            'agentId',
            'channelId',
            'accountId',
            'chatType',
            'chatId',
            'senderId',
            'threadId',
          ] as const),
        )
        .map(([one, other, differing]): [Place, Place] => [
          one,
          { ...one, ...Object.fromEntries(differing.map((name) => [name, other[name]])) },
        ]),
    );
    fc.assert(
      fc.property(pair, ([one, other]) => {
        expect(keyAt(one) === keyAt(other)).toBe(identityOf(one) === identityOf(other));
      }),
      { numRuns: 500 },
    );
  });

  it('of a direct chat depends on its person and not on the chat, of any other on the chat and not on the person', () => {
    fc.assert(
      fc.property(place, nastyId, (at, other) => {
        const [ignored, deciding] =
          at.chatType === 'direct' ? (['chatId', 'senderId'] as const) : (['senderId', 'chatId'] as const);
        expect(keyAt({ ...at, [ignored]: other })).toBe(keyAt(at));
        expect(keyAt({ ...at, [deciding]: other }) === keyAt(at)).toBe(other === at[deciding]);
      }),
      { numRuns: 300 },
    );
  });

  it('names its agent, whatever the ids contain', () => {
    fc.assert(
      fc.property(place, (at) => {
        expect(agentOf(asId<SessionKey>(keyAt(at)))).toBe(at.agentId);
      }),
      { numRuns: 300 },
    );
  });

  it('does not let an id with a separator reach into a thread', () => {
    const chat = { chatType: 'channel' } as const;
    const inThread = keyOf({ ...chat, chatId: asId<ChatId>('C1'), threadId: asId<ThreadId>('t1') });
    expect(keyOf({ ...chat, chatId: asId<ChatId>('C1:t1') })).not.toBe(inThread);
    expect(keyOf({ ...chat, chatId: asId<ChatId>('C1%3At1') })).not.toBe(
      keyOf({ ...chat, chatId: asId<ChatId>('C1:t1') }),
    );
  });
});

const discord = (chatId: string, senderId: string, more: Partial<MsgContext> = {}) =>
  keyOf({
    channelId: asId<ChannelId>('discord'),
    accountId: asId<AccountId>('1290000000000000001'),
    chatType: 'channel',
    chatId: asId<ChatId>(chatId),
    senderId: asId<UserId>(senderId),
    ...more,
  });

const slack = (team: string, chatId: string, senderId: string, more: Partial<MsgContext> = {}) =>
  keyOf({
    channelId: asId<ChannelId>('slack'),
    accountId: asId<AccountId>(team),
    chatType: 'channel',
    chatId: asId<ChatId>(chatId),
    senderId: asId<UserId>(senderId),
    ...more,
  });

const thread = (raw: string) => ({ threadId: asId<ThreadId>(raw) });

/** Ids as the platforms give them. */
describe('conversations of a bot that is in many places', () => {
  const MINA = '300000000000000001';
  const JOON = '300000000000000002';
  const direct = { chatType: 'direct' } as const;

  it('never meet', () => {
    const keys = [
      // Two guilds on Discord: a channel of one never has the id of a channel of the other.
      discord('410000000000000011', MINA, { guildId: '400000000000000001' }),
      discord('420000000000000022', MINA, { guildId: '400000000000000002' }),
      // Two channels of one guild, and two threads of one of them.
      discord('410000000000000012', MINA, { guildId: '400000000000000001' }),
      discord('410000000000000011', MINA, thread('430000000000000001')),
      discord('410000000000000011', MINA, thread('430000000000000002')),
      // Two people who write directly, also where a platform gave both chats one id.
      discord('500000000000000001', MINA, direct),
      discord('500000000000000001', JOON, direct),
      // Two teams on Slack: only inside a team is the id of a channel its own.
      slack('T0AAAAAAA', 'C0GENERAL', 'U0MINA'),
      slack('T0BBBBBBB', 'C0GENERAL', 'U0MINA'),
      slack('T0AAAAAAA', 'C0GENERAL', 'U0MINA', thread('1763190000.000100')),
      slack('T0AAAAAAA', 'C0GENERAL', 'U0MINA', thread('1763190000.000200')),
      slack('T0AAAAAAA', 'C0RANDOM', 'U0MINA', thread('1763190000.000100')),
      slack('T0AAAAAAA', 'D0MINA', 'U0MINA', direct),
      slack('T0BBBBBBB', 'D0MINA', 'U0MINA', direct),
      slack('T0AAAAAAA', 'D0JOON', 'U0JOON', direct),
      // A group of a few, which Slack gives an id like any other.
      slack('T0AAAAAAA', 'G0FEW', 'U0MINA', { chatType: 'group' }),
      keyOf({}),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('stay one where only the person differs, or the guild is not told', () => {
    expect(discord('410000000000000011', MINA)).toBe(discord('410000000000000011', JOON));
    expect(discord('410000000000000011', MINA)).toBe(
      discord('410000000000000011', MINA, { guildId: '400000000000000001' }),
    );
  });

  it('cannot be entered by an id that is made up of the parts of another key', () => {
    const victim = slack('T1', 'C1', 'U1', thread('17.5'));
    const forged = [
      slack('T1', 'C1:17.5', 'U1'),
      slack('T1:channel:C1', '17.5', 'U1'),
      slack('T1', 'C1%3A17.5', 'U1'),
      slack('T1', 'C1%253A17.5', 'U1'),
      keyOf({ channelId: asId<ChannelId>('slack:T1'), accountId: asId<AccountId>('channel:C1:17.5') }),
      deriveSessionKey(asId<AgentId>('main:slack'), inboundMessage({ channelId: asId<ChannelId>('T1') })),
      slack('T1', 'x', 'C1:17.5', direct),
      slack('T1', 'x', 'U1:channel:C1:17.5', direct),
    ];
    expect(new Set([victim, ...forged]).size).toBe(forged.length + 1);
  });
});
