import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountId,
  type AgentId,
  asId,
  type ChannelId,
  type ChatId,
  type ThreadId,
  type UserId,
} from '#src/core/ids.ts';
import type { ChatType, InboundMessage } from '#src/core/message.ts';
import { deriveSessionKey } from '#src/gateway/session-key.ts';
import { inboundMessage } from '#test/support/messages.ts';

const MAIN = asId<AgentId>('main');
const keyOf = (overrides: Partial<InboundMessage>): string =>
  deriveSessionKey(MAIN, inboundMessage(overrides));

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

  it.each<[string, Partial<InboundMessage>]>([
    ['accounts (guilds, teams)', { accountId: asId<AccountId>('T2') }],
    ['platforms', { channelId: asId<ChannelId>('discord') }],
    ['chats', { chatId: asId<ChatId>('C2') }],
    ['threads', { threadId: asId<ThreadId>('t2') }],
    ['kinds of chat', { chatType: 'group' }],
  ])('keeps two %s apart', (_what, other) => {
    const here: Partial<InboundMessage> = {
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
          fc.subarray(['agentId', 'channelId', 'accountId', 'chatId', 'threadId'] as const),
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

  it('does not let an id with a separator reach into a thread', () => {
    const chat = { chatType: 'channel' } as const;
    const inThread = keyOf({ ...chat, chatId: asId<ChatId>('C1'), threadId: asId<ThreadId>('t1') });
    expect(keyOf({ ...chat, chatId: asId<ChatId>('C1:t1') })).not.toBe(inThread);
    expect(keyOf({ ...chat, chatId: asId<ChatId>('C1%3At1') })).not.toBe(
      keyOf({ ...chat, chatId: asId<ChatId>('C1:t1') }),
    );
  });
});
