import { createMediaMemory } from '#src/platform/files/media-memory.ts';
import { describe, expect, it } from 'vitest';
import type { ChannelPlugin, HistoryQuery } from '#src/kernel/channel/channel.ts';
import type { ThreadOpening } from '#src/kernel/agent/execution.ts';
import { asId, type ChatId, type InboxId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { EarlierMessage, TurnContext, ReplyTarget } from '#src/kernel/chat/message.ts';
import { createReadPdf } from '#src/chat/pipeline/attachments/read-pdf.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { enrichContext, plainContext } from '#src/chat/pipeline/4-context.ts';
import { ping } from './pipeline-support.ts';
import { acknowledged, NEVER_ABORTED } from '#test/chat/pipeline/support.ts';
import { TestChannel } from '#test/support/channel.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { markup, normalizeText } from '#test/support/markup.ts';

const id = asId<MessageId>;

const said = (messageId: string, text = `words of ${messageId}`, isOurs = false): EarlierMessage => ({
  messageId: id(messageId),
  authorName: isOurs ? 'FinClaw' : 'Jun',
  isOurs,
  text,
  at: Temporal.Instant.from('2026-11-13T06:20:00Z'),
});

const CALLED: Partial<TurnContext> = {
  chatType: 'channel',
  chatId: asId<ChatId>('general'),
  messageThreadId: asId<ThreadId>('thread-1'),
  mentionsBot: true,
};

type ReadHistory = NonNullable<ChannelPlugin['readHistory']>;
interface ThreadParts {
  readonly readRoot?: NonNullable<ChannelPlugin['readRoot']>;
  readonly opening?: ThreadOpening;
  readonly keepsRootsApart?: boolean;
}

const setUp = (
  readHistory?: ReadHistory,
  { readRoot, opening, keepsRootsApart = false }: ThreadParts = {},
) => {
  const clock = new ManualClock();
  const { logger, records } = recordingLogger();
  const plain = new TestChannel();
  const channel: ChannelPlugin = Object.assign(
    plain,
    { capabilities: { ...plain.capabilities, keepsRootsApart } },
    readHistory ? { readHistory } : {},
    readRoot ? { readRoot } : {},
  );
  const readPdf = createReadPdf({ clock })('ann');
  const registry = createCommandRegistry([ping], '!', normalizeText);
  const openingOf = async () => opening;
  const deps = {
    financeContextProvider: {},
    readPdf,
    owner: 'ann',
    media: createMediaMemory(),
    takePicture: async () => true,
    registry,
    markup,
    openingOf,
    clock,
    logger,
  };
  const inputOf = (ctx: Partial<TurnContext>) => acknowledged({ ctx: msgContext(ctx), channel });
  const enrich = async (ctx: Partial<TurnContext>) =>
    enrichContext(await inputOf(ctx), channel, deps, NEVER_ABORTED);
  const plainOf = async (ctx: Partial<TurnContext>) => plainContext(await inputOf(ctx), channel, deps);
  return { clock, records, enrich, plain: plainOf };
};

const idsOf = ({ earlier }: { readonly earlier?: readonly EarlierMessage[] }): readonly string[] =>
  (earlier ?? []).map(({ messageId }) => messageId);

/** What of this history the model is given. */
const givenOf = async (history: readonly EarlierMessage[], ctx: Partial<TurnContext> = {}) =>
  idsOf(await setUp(async () => history).enrich({ ...CALLED, ...ctx }));

describe('earlier messages', () => {
  it('asks for twenty before the message, in its chat and thread, and for what it replies to', async () => {
    const asked: HistoryQuery[] = [];
    const { enrich } = setUp(async (query) => {
      asked.push(query);
      return [said('1'), said('2')];
    });
    const enriched = await enrich({ ...CALLED, replyToMessageId: id('1') });
    expect(enriched).toMatchObject({ earlier: [said('1'), said('2')], unavailable: [] });
    expect(asked).toMatchObject([
      {
        before: 'question-1',
        replyToMessageId: '1',
        limit: 20,
        target: { chatId: 'general', threadId: 'thread-1' },
      },
    ]);
  });

  it.each<[string, Partial<TurnContext>]>([
    ['the bot was not called by name', { mentionsBot: false }],
    ['nobody else is in the chat', { chatType: 'direct' }],
    ['it came through an interaction', { interaction: { token: 't', isPrivate: false } }],
  ])('asks for nothing where %s', async (_, ctx) => {
    const { enrich, plain } = setUp(() => Promise.reject(new Error('asked')));
    const enriched = await enrich({ ...CALLED, ...ctx });
    expect(enriched).not.toHaveProperty('earlier');
    expect(enriched.unavailable).toEqual([]);
    expect((await plain({ ...CALLED, ...ctx })).unavailable).toEqual([]);
  });

  it('does without on a channel that keeps no history, and does not call that a failure', async () => {
    expect(await setUp().enrich(CALLED)).toMatchObject({ unavailable: [] });
  });

  it('leaves out what the conversation has: the newest message of the bot, and all before it', async () => {
    const history = [said('1'), said('2', 'ours', true), said('3'), said('4', 'ours', true), said('5')];
    expect(await givenOf(history)).toEqual(['5']);
    expect(await givenOf([said('1'), said('2', 'ours', true)])).toEqual([]);
  });

  it('keeps what the person replied to, whoever wrote it and however old it is', async () => {
    const history = [said('1'), said('2', 'ours', true), said('3')];
    expect(await givenOf(history, { replyToMessageId: id('1') })).toEqual(['1', '3']);
    expect(await givenOf(history, { replyToMessageId: id('2') })).toEqual(['2', '3']);
  });

  it('keeps the newest twenty of a channel that gives more, and no message without words', async () => {
    const many = Array.from({ length: 30 }, (_, index) => said(String(index)));
    const given = await givenOf([...many, said('blank', ' \n')], { replyToMessageId: id('3') });
    expect(given).toEqual(['3', ...many.slice(10).map(({ messageId }) => messageId)]);
  });

  it('leaves out what was a command to the bot, replied to or not, and no other words with a slash', async () => {
    const history = [
      { ...said('1', '@FinClaw /ping my 7777 shares [a.csv]'), typed: '<@U0BOT> /ping my 7777 shares' },
      said('2', '!ping'),
      said('3', '/pimg'),
      said('4', 'as I said: /ping'),
      said('5', '/etc/hosts'),
      said('6', '/ping of ours', true),
      said('7'),
    ];
    expect(await givenOf(history.toSpliced(5, 1), { replyToMessageId: id('1') })).toEqual(['4', '5', '7']);
    expect(await givenOf(history)).toEqual(['7']);
  });

  it('does not quote the very messages that are asked about', async () => {
    const merged = [{ inboxId: asId<InboxId>('i2'), messageId: id('question-2'), body: 'and this?' }];
    const history = [said('1'), said('question-1'), said('question-2')];
    expect(await givenOf(history, { merged })).toEqual(['1']);
  });

  it('does without them when they cannot be had, names them, and waits no longer than for the rest', async () => {
    const failing = setUp(() => Promise.reject(new Error('403')));
    const failed = await failing.enrich(CALLED);
    expect(failed.unavailable).toEqual(['earlier messages']);
    expect(failed).not.toHaveProperty('earlier');
    expect(failing.records()).toMatchObject([{ level: 'warn', source: 'earlier messages' }]);

    const deaf = setUp(() => new Promise(() => undefined));
    const late = deaf.enrich(CALLED);
    await deaf.clock.advance(3_000);
    expect((await late).unavailable).toEqual(['earlier messages']);
    expect((await deaf.plain(CALLED)).unavailable).toEqual(['earlier messages']);
  });

  it('holds the message that a thread hangs on, and only otherwise it is asked for by itself', async () => {
    const opening = { messages: [said('5')], samples: [], known: [id('5')], isRootUnknown: true };
    const root = said('thread-1', 'the root of it');
    const asked: string[] = [];
    const readRoot = async ({ threadId }: ReplyTarget): Promise<EarlierMessage> => {
      asked.push(threadId ?? '');
      return root;
    };
    const openingOf = async (readHistory?: ReadHistory, more = {}) => {
      const enriched = await setUp(readHistory, { readRoot, opening: { ...opening, ...more } }).enrich(
        CALLED,
      );
      return enriched.opening?.messages.map(({ text, root: mark }) => `${text}${mark ? `, ${mark}` : ''}`);
    };
    const QUOTED = ['the root of it, itself', 'words of 5'];
    expect(await openingOf(async () => [root, said('7')])).toEqual(QUOTED);
    expect(asked).toEqual([]);
    expect(await openingOf(async () => [said('7')])).toEqual(QUOTED);
    expect(await openingOf(() => Promise.reject(new Error('403')))).toEqual(QUOTED);
    expect(await openingOf()).toEqual(QUOTED);
    expect(await openingOf(undefined, { erasedAt: root.at })).toEqual(['words of 5']);
    expect(await openingOf(undefined, { isRootUnknown: false })).toEqual(['words of 5']);
    expect(asked).toHaveLength(4);
  });

  it('are read together with the message that a thread hangs on, where that is kept apart from them', async () => {
    const { promise: history, resolve } = Promise.withResolvers<readonly EarlierMessage[]>();
    const asked = Promise.withResolvers<void>();
    const readRoot = async (): Promise<EarlierMessage> => {
      asked.resolve();
      return said('thread-1', 'the root of it');
    };
    const opening = { messages: [said('5')], samples: [], known: [id('5')], isRootUnknown: true };
    const { enrich } = setUp(() => history, { readRoot, opening, keepsRootsApart: true });
    const enriched = enrich(CALLED);
    await asked.promise;
    resolve([said('7')]);
    expect((await enriched).opening?.messages.map(({ text }) => text)).toEqual([
      'the root of it',
      'words of 5',
    ]);
  });

  it('do not need the message that a thread hangs on by itself where they have it', async () => {
    const opening = { messages: [said('5')], samples: [], known: [id('5')], isRootUnknown: true };
    const { enrich } = setUp(async () => [said('thread-1', 'the root of it')], {
      readRoot: () => Promise.reject(new Error('403')),
      opening,
      keepsRootsApart: true,
    });
    const { opening: opened, unavailable } = await enrich(CALLED);
    expect(opened?.messages.map(({ text }) => text)).toEqual(['the root of it', 'words of 5']);
    expect(unavailable).toEqual([]);
  });
});
