import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { ChatType, MsgContext } from '#src/kernel/chat/message.ts';
import { type Binding, createBindingMatcher } from '#src/chat/intake/binding.ts';
import { recordingLogger } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { inboundMessage } from '#test/support/messages.ts';

interface At {
  readonly channel?: string;
  readonly account?: string;
  readonly chat?: string;
  readonly sender?: string;
  readonly chatType?: ChatType;
  readonly thread?: string;
}

/** Somebody in a channel of a Discord server. */
const at = (where: At = {}): MsgContext =>
  inboundMessage({
    channelId: asId<ChannelId>(where.channel ?? 'discord'),
    accountId: asId<AccountId>(where.account ?? 'A1'),
    chatId: asId<ChatId>(where.chat ?? '123'),
    senderId: asId<UserId>(where.sender ?? '77'),
    chatType: where.chatType ?? 'channel',
    ...(where.thread === undefined ? {} : { threadId: asId<ThreadId>(where.thread) }),
  });

const rule = (agent: string, fields: Partial<Binding> = {}): Binding => ({ agent, priority: 0, ...fields });

const PLATFORMS = ['console', 'discord', 'slack'];
const MAIN = { agentId: 'main', matchedBy: 'default' };

describe('one rule', () => {
  everyRow<[string, Partial<Binding>, At, string]>([
    ['a sender by the plain id', { peers: ['77'] }, {}, 'peer'],
    ['a sender by platform and id', { peers: ['discord:77'] }, {}, 'peer'],
    ['any of several senders', { peers: ['1', '77'] }, {}, 'peer'],
    ['a platform', { channels: ['discord'] }, {}, 'channel'],
    ['a chat by the plain id', { channels: ['123'] }, {}, 'channel'],
    ['a chat by platform and id', { channels: ['discord:123'] }, {}, 'channel'],
    ['a thread of a chat', { channels: ['discord:123'] }, { thread: '999' }, 'channel'],
    ['an account by the plain id', { accounts: ['A1'] }, {}, 'account'],
    ['an account by platform and id', { accounts: ['discord:A1'] }, {}, 'account'],
    ['a kind of chat', { chatTypes: ['group', 'channel'] }, {}, 'default'],
    ['everything', {}, {}, 'default'],
    ['a sender in a chat, as one for the sender', { channels: ['discord'], peers: ['77'] }, {}, 'peer'],
    ['a chat of an account, as one for the chat', { accounts: ['A1'], channels: ['123'] }, {}, 'channel'],
    ['a kind of chat of an account', { accounts: ['A1'], chatTypes: ['channel'] }, {}, 'account'],
    ['a platform that is no usual one', { channels: ['test'] }, { channel: 'test' }, 'channel'],
  ])('for %s fits it', (_what, fields, where, matchedBy) => {
    expect(createBindingMatcher([rule('b', fields)], PLATFORMS)(at(where))).toEqual({
      agentId: 'b',
      matchedBy,
    });
  });

  everyRow<[string, Partial<Binding>, At]>([
    ['another sender', { peers: ['78'] }, {}],
    ['the same id on another platform', { peers: ['slack:77'] }, {}],
    ['the id of a chat where a sender is due', { peers: ['123'] }, {}],
    ['another platform', { channels: ['slack'] }, {}],
    ['the same chat id on another platform', { channels: ['slack:123'] }, {}],
    ['the id of the thread alone', { channels: ['999'] }, { thread: '999' }],
    ['the sender where a chat is due', { channels: ['77'] }, {}],
    ['another account', { accounts: ['discord:A2'] }, {}],
    ['another kind of chat', { chatTypes: ['direct'] }, {}],
    ['a sender, but in another chat', { peers: ['77'], channels: ['124'] }, {}],
    ['a chat, but of another kind', { channels: ['123'], chatTypes: ['direct'] }, {}],
    ['nobody', { peers: [] }, {}],
    ['a platform, where a chat is called like it', { channels: ['slack'] }, { chat: 'slack' }],
    ['a chat of a platform, where one is called like it', { channels: ['slack:C1'] }, { chat: 'slack:C1' }],
    ['a person of a platform, where one is called like it', { peers: ['slack:U1'] }, { sender: 'slack:U1' }],
    ['a team, where an account is called like it', { accounts: ['slack:T1'] }, { account: 'slack:T1' }],
  ])('for %s does not: the main agent answers', (_what, fields, where) => {
    expect(createBindingMatcher([rule('b', fields)], PLATFORMS)(at(where))).toEqual(MAIN);
  });

  it('for an odd id fits it under the name of its platform', () => {
    const match = createBindingMatcher([rule('b', { channels: ['discord:slack:C1'] })], PLATFORMS);
    expect(match(at({ chat: 'slack:C1' })).agentId).toBe('b');
  });

  it('may send back to the main agent', () => {
    const match = createBindingMatcher([rule('b'), rule('main', { peers: ['77'] })], PLATFORMS);
    expect(match(at())).toEqual({ agentId: 'main', matchedBy: 'peer' });
    expect(match(at({ sender: '78' }))).toEqual({ agentId: 'b', matchedBy: 'default' });
  });
});

describe('of several rules that fit', () => {
  const PEER = rule('peer', { peers: ['77'], priority: -5 });
  const CHANNEL = rule('channel', { channels: ['discord'], priority: 1 });
  const ACCOUNT = rule('account', { accounts: ['A1'], priority: 50 });
  const DEFAULT = rule('default', { chatTypes: ['channel'], priority: 100 });

  it.each([
    ['peer', [DEFAULT, ACCOUNT, CHANNEL, PEER]],
    ['channel', [DEFAULT, ACCOUNT, CHANNEL]],
    ['account', [DEFAULT, ACCOUNT]],
    ['default', [DEFAULT]],
  ])('the one that knows most of the message wins, whatever the priorities: %s', (expected, rules) => {
    expect(createBindingMatcher(rules, PLATFORMS)(at())).toEqual({ agentId: expected, matchedBy: expected });
  });

  it('and that know equally much, the highest priority wins, then the earliest', () => {
    const low = rule('low', { channels: ['discord'], priority: 1 });
    const high = rule('high', { channels: ['123'], priority: 2 });
    const alsoHigh = rule('also-high', { channels: ['discord:123'], priority: 2 });
    expect(createBindingMatcher([low, high, alsoHigh], PLATFORMS)(at()).agentId).toBe('high');
    expect(createBindingMatcher([alsoHigh, low, high], PLATFORMS)(at()).agentId).toBe('also-high');
  });
});

const RANKS = ['peer', 'channel', 'account', 'default'] as const;
const some = <T>(...values: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values)), { nil: undefined });
const anyRule = fc.record({
  agent: fc.constantFrom('a', 'b', 'c', 'main'),
  peers: some('1', '2', 'discord:1', 'slack:1'),
  channels: some('discord', 'slack', '1', 'discord:1', 'slack:2'),
  accounts: some('1', 'slack:1', 'discord:2'),
  chatTypes: some<ChatType>('direct', 'group', 'channel'),
  priority: fc.integer({ min: -1, max: 1 }),
});
const id = fc.constantFrom('1', '2', 'slack', 'slack:1');
const anyPlace = fc.record({
  channel: fc.constantFrom('discord', 'slack', 'console'),
  account: id,
  chat: id,
  sender: id,
  chatType: fc.constantFrom<ChatType>('direct', 'group', 'channel'),
});

describe('for any rules and any message', () => {
  it('the decision is that of one rule by itself, and no fitting rule ranks before it', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), anyPlace, (rules, where) => {
        const message = at(where);
        /** Each alone: one that leads elsewhere than to "main" shows whether it fits. */
        const alone = rules.map((each) =>
          createBindingMatcher([{ ...each, agent: 'x' }], PLATFORMS)(message),
        );
        const fitting = rules.flatMap((each, index) => {
          const { agentId, matchedBy = 'default' } = alone[index] ?? {};
          return agentId === 'x' ? [{ ...each, matchedBy, index }] : [];
        });
        const [first] = fitting.toSorted(
          (one, other) =>
            RANKS.indexOf(one.matchedBy) - RANKS.indexOf(other.matchedBy) ||
            other.priority - one.priority ||
            one.index - other.index,
        );
        const expected = first ? { agentId: first.agent, matchedBy: first.matchedBy } : MAIN;
        expect(createBindingMatcher(rules, PLATFORMS)(message)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('a field more never makes a rule fit more messages', () => {
    fc.assert(
      fc.property(
        anyRule,
        anyPlace,
        fc.constantFrom('peers', 'channels', 'accounts', 'chatTypes'),
        (one, where, field) => {
          const fits = (each: Binding): boolean =>
            createBindingMatcher([{ ...each, agent: 'x' }], PLATFORMS)(at(where)).agentId === 'x';
          if (fits(one)) expect(fits({ ...one, [field]: undefined })).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('what it is told about idle rules is true: without them nothing changes', () => {
    let told = 0;
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 6 }),
        fc.array(anyPlace, { minLength: 5 }),
        (rules, places) => {
          const { logger, records } = recordingLogger();
          const match = createBindingMatcher(rules, PLATFORMS, logger);
          const idle = new Set(
            records().map(({ message }) => Number(/^bindings\[(\d+)\]/.exec(message)?.[1])),
          );
          told += idle.size;
          const without = createBindingMatcher(
            rules.filter((_rule, index) => !idle.has(index)),
            PLATFORMS,
          );
          for (const where of places) expect(without(at(where))).toEqual(match(at(where)));
        },
      ),
      { numRuns: 300 },
    );
    expect(told).toBeGreaterThan(100);
  });
});

const warningsOf = (...rules: readonly Binding[]): readonly string[] => {
  const { logger, records } = recordingLogger();
  createBindingMatcher(rules, PLATFORMS, logger);
  return records().map(({ level, message }) => `${level} ${message}`);
};

describe('rules that can never decide', () => {
  it('are told at the start, with the one that goes before them', () => {
    expect(
      warningsOf(
        rule('b', { channels: ['discord'], chatTypes: ['direct'] }),
        rule('c', { channels: ['discord', 'slack'], priority: 1 }),
      ),
    ).toEqual([
      'warn bindings[0] to the agent "b" has no effect: bindings[1] comes first and matches the same messages.',
    ]);
    expect(warningsOf(rule('b', { peers: [] }))).toEqual([
      'warn bindings[0] to the agent "b" matches no message: its list "peers" is empty.',
    ]);
  });

  it('are not confused with those that still have something to say', () => {
    expect(
      warningsOf(
        rule('b', { channels: ['discord'] }),
        rule('c', { channels: ['discord', 'slack'] }),
        rule('d', { peers: ['1'], channels: ['discord'] }),
        rule('e', { chatTypes: ['direct'] }),
        rule('f'),
      ),
    ).toEqual([]);
  });
});
