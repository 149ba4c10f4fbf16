import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type MessageId,
  type ThreadId,
  type UserId,
} from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { mention } from '#src/chat/gates/mention.ts';
import { deriveSessionKey } from '#src/chat/context/session-key.ts';
import { createAwaitedInputs } from '#src/chat/store/awaited-inputs.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { accepted, answered, directMessage, gatesDeps, groupMessage, senderNamed } from './support.ts';

type MentionDeps = Parameters<typeof mention>[0];

const NOT_ADDRESSED = { verdict: 'drop', reason: 'not-addressed' };
const THREAD = asId<ThreadId>('thread-1');
const OURS = asId<MessageId>('ours-1');

const sessionKeyOf = (message: MsgContext) => deriveSessionKey(asId('main'), message);

/**
 * The bot answered Jun in the chat and in a thread of it, and asked Mina something in the chat; in another chat
 * it asked her in a thread.
 */
const setUp = async (rule: Partial<MentionDeps['mention']> = {}) => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock();
  const awaitedInputs = createAwaitedInputs(storage, clock);
  const deps = gatesDeps(storage, {
    clock,
    sessionKeyOf,
    mention: { required: true, freeChats: [], ...rule },
  });
  const question = groupMessage({ ...senderNamed('jun'), mentionsBot: true });
  await answered(storage, await accepted(storage, question, clock.now(), sessionKeyOf(question)), OURS);
  const inThread = groupMessage({ ...senderNamed('jun'), mentionsBot: true, threadId: THREAD });
  await accepted(storage, inThread, clock.now(), sessionKeyOf(inThread));
  const asked = groupMessage({ chatId: asId<ChatId>('chat-2'), threadId: asId<ThreadId>('thread-2') });
  await awaitedInputs.open(asked, asked.senderId, 600_000);
  return { clock, awaitedInputs, check: mention(deps).check };
};

const INTO_CHAT_2 = { chatId: asId<ChatId>('chat-2'), threadId: asId<ThreadId>('thread-2') };

describe('mention', () => {
  it.each<[string, Partial<MsgContext>]>([
    ['says its name', { mentionsBot: true }],
    ['is said in a group that says its name', { chatType: 'group', mentionsBot: true }],
    ['replies to it', { replyToMessageId: OURS }],
    ['is said in a thread that it takes part in', { threadId: THREAD }],
    ['answers what it asked', INTO_CHAT_2],
  ])('passes what %s', async (_what, overrides) => {
    const { check } = await setUp();
    expect(await check(groupMessage(overrides))).toEqual(PASS);
  });

  it.each<[string, Partial<MsgContext>]>([
    ['what people say to each other', {}],
    ['what they say in a group', { chatType: 'group' }],
    ['what says that it does not name the bot', { mentionsBot: false }],
    ['a reply to somebody else', { replyToMessageId: asId<MessageId>('theirs') }],
    ['a reply to the same id in another chat', { replyToMessageId: OURS, chatId: asId<ChatId>('chat-2') }],
    [
      'a reply to the same id of another account',
      { replyToMessageId: OURS, accountId: asId<AccountId>('b') },
    ],
    ['a reply to the same id elsewhere', { replyToMessageId: OURS, channelId: asId<ChannelId>('slack') }],
    ['another thread', { threadId: asId<ThreadId>('thread-9') }],
    ['the same thread id in another chat', { threadId: THREAD, chatId: asId<ChatId>('chat-2') }],
    ['somebody else where Mina was asked', { ...INTO_CHAT_2, ...senderNamed('jun') }],
    ['Mina outside of the thread she was asked in', { chatId: INTO_CHAT_2.chatId }],
    ['Mina in another chat than the one she was asked in', { threadId: INTO_CHAT_2.threadId }],
    ['a command that is not meant for it', { body: '/price AAPL' }],
  ])('drops %s, without a word', async (_what, overrides) => {
    const { check } = await setUp();
    expect(await check(groupMessage(overrides))).toEqual(NOT_ADDRESSED);
  });

  it('no longer waits for an answer when the time for it is over', async () => {
    const { clock, check } = await setUp();
    await clock.advance(599_999);
    expect(await check(groupMessage(INTO_CHAT_2))).toEqual(PASS);
    await clock.advance(1);
    expect(await check(groupMessage(INTO_CHAT_2))).toEqual(NOT_ADDRESSED);
  });

  it('waits for an answer in the chat itself as in a thread', async () => {
    const { awaitedInputs, check } = await setUp();
    expect(await check(groupMessage())).toEqual(NOT_ADDRESSED);
    await awaitedInputs.open(groupMessage(), asId<UserId>('mina'), 600_000);
    expect(await check(groupMessage())).toEqual(PASS);
    expect(await check(groupMessage({ threadId: asId<ThreadId>('thread-9') }))).toEqual(NOT_ADDRESSED);
  });

  it('is not needed in a direct chat', async () => {
    const { check } = await setUp();
    expect(await check(directMessage())).toEqual(PASS);
  });

  it('is not needed where the configuration does not ask for it', async () => {
    const { check } = await setUp({ required: false });
    expect(await check(groupMessage())).toEqual(PASS);
  });

  it.each([['chat-1'], ['discord:chat-1']])('is not needed in a chat listed as %s', async (listed) => {
    const { check } = await setUp({ freeChats: [listed] });
    expect(await check(groupMessage())).toEqual(PASS);
    expect(await check(groupMessage({ chatId: asId<ChatId>('chat-2') }))).toEqual(NOT_ADDRESSED);
  });

  it('asks the database only about what could be meant by what is said there', async () => {
    const asked: string[] = [];
    const never = async (what: string): Promise<boolean> => {
      asked.push(what);
      return false;
    };
    const gate = mention({
      mention: { required: true, freeChats: ['free'] },
      traces: {
        isOurs: () => never('reply'),
        hasTakenPart: () => never('thread'),
      },
      awaitedInputs: { isOpen: () => never('input') },
      isExpected: () => never('command'),
      isAside: () => never('answer'),
      sessionKeyOf,
    });
    await gate.check(directMessage());
    await gate.check(groupMessage({ mentionsBot: true, threadId: THREAD, replyToMessageId: OURS }));
    await gate.check(groupMessage({ chatId: asId<ChatId>('free'), threadId: THREAD }));
    expect(asked).toEqual([]);
    await gate.check(groupMessage());
    expect(asked.splice(0)).toEqual(['input', 'command']);
    await gate.check(groupMessage({ threadId: THREAD, replyToMessageId: OURS }));
    expect(asked).toEqual(['reply', 'thread', 'input', 'command']);
  });
});
