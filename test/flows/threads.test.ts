import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asId, type ChatId, type MessageId, type ThreadId } from '#src/kernel/ids.ts';
import type { EarlierMessage, MsgContext } from '#src/kernel/chat/message.ts';
import { temporaryDir } from '#test/support/database.ts';
import {
  answer,
  callsTool,
  type EngineApp,
  startEngineApp,
  startServers,
  until,
} from '#test/support/engine-app.ts';
import { held, settled } from './gateway-support.ts';

const id = asId<MessageId>;

const CONFIG = {
  agents: { second: {} },
  bindings: [{ agent: 'second', peers: ['carl'] }],
};

/** A message of the channel, or in the thread on a message of it. */
const inChannel = (messageId: string, threadOn?: string): Partial<MsgContext> => ({
  chatType: 'channel',
  chatId: asId<ChatId>('club'),
  messageId: id(messageId),
  mentionsBot: true,
  ...(threadOn === undefined ? {} : { threadId: asId<ThreadId>(threadOn) }),
});
const direct = (messageId: string, threadOn?: string): Partial<MsgContext> => ({
  messageId: id(messageId),
  ...(threadOn === undefined ? {} : { threadId: asId<ThreadId>(threadOn) }),
});

const start = async (
  options: Parameters<typeof startEngineApp>[0] = {},
  roots: Readonly<Record<string, EarlierMessage | Error>> = {},
) => {
  const app = await startEngineApp({ config: CONFIG, env: { FINCLAW_FALLBACKS: 'none' }, ...options });
  const asked: string[] = [];
  Object.assign(app.channel, {
    readRoot: async ({ threadId = '' }: { readonly threadId?: string }) => {
      asked.push(threadId);
      const found = roots[threadId];
      if (found instanceof Error) throw found;
      return found;
    },
  });
  return { app, asked };
};

/** All that the newest request holds, and what of it is quoted. */
const requestOf = ({ claude }: EngineApp): string => JSON.stringify(claude.history.at(-1)?.body.messages);
const linesIn = (app: EngineApp): readonly string[] =>
  [...requestOf(app).matchAll(/\[\d{4}-\d\d-\d\d \d\d:\d\d(?:, )?([^\]]*)\] ((?:(?!\\n).)*)/g)].map(
    ([, mark = '', words = '']) => (mark === '' ? words : `${mark} | ${words}`),
  );

/** Without the marks of where the cache may begin. */
const withoutMarks = (sent: unknown): string =>
  JSON.stringify(sent, (key, value: unknown) => (key === 'cache_control' ? undefined : value));

const said = (messageId: string, text: string, at = '2026-11-13T06:20:00Z'): EarlierMessage => ({
  messageId: id(messageId),
  authorName: 'Jun',
  isOurs: false,
  text,
  at: Temporal.Instant.from(at),
});

const ROOT = 'the thread hangs on it';
const MINE = 'of the person who writes now';

describe('the first turn of a thread', () => {
  it('finds the message it hangs on by its id, and asks the platform only for what no turn holds', async () => {
    const roots = {
      r1: said('r1', 'PEAR is cheap'),
      r2: new Error('403'),
      r3: said('r3', '/portfolio show'),
    };
    const { app, asked } = await start({}, roots);
    for (let turn = 1; turn <= 7; turn += 1) {
      app.claude.reply(answer(`answer ${turn}`));
      await app.ask('ann', `question ${turn}`, inChannel(`q${turn}`));
    }
    await app.ask('bob', 'and this one?', inChannel('t1', 'q1'));
    expect(linesIn(app).slice(0, 4)).toEqual([
      `${ROOT} | Me: question 1`,
      'yours | you: answer 1',
      'Me: question 2',
      'yours | you: answer 2',
    ]);
    expect(linesIn(app)).toHaveLength(14);
    // The same in the thread on an answer; a person who is answered by another agent reads the same chat.
    await app.ask('carl', 'and this?', inChannel('t2', app.channel.sent[2]?.messageId));
    expect(linesIn(app)).toEqual(['Me: question 3', `yours, ${ROOT} | you: answer 3`]);
    await app.ask('ann', 'mine?', inChannel('t3', 'q7'));
    expect(linesIn(app).slice(-2)).toEqual([`${MINE}, ${ROOT} | Me: question 7`, 'yours | you: answer 7']);
    expect(asked).toEqual([]);

    // What no turn holds is read from the platform; where that fails, the answer comes without it.
    await app.ask('boss', '/reset', inChannel('c1'));
    app.claude.reply(answer('hello'));
    await app.ask('ann', 'hi', inChannel('q10'));
    await app.ask('bob', 'true?', inChannel('t4', 'r1'));
    expect(linesIn(app)).toEqual([`${ROOT} | Jun: PEAR is cheap`, 'Me: hi', 'yours | you: hello']);
    // The first message was answered without a mention of the thread's root ever after.
    await app.ask('bob', 'really?', inChannel('t5', 'r1'));
    expect(linesIn(app)).toHaveLength(3);
    expect(await app.ask('bob', 'true?', inChannel('t6', 'r2'))).toEqual(['ok']);
    expect(linesIn(app)).toEqual(['Me: hi', 'yours | you: hello']);
    expect(requestOf(app)).toContain('unavailable now: message that the thread hangs on');
    await app.ask('bob', 'true?', inChannel('t7', 'r3'));
    expect(requestOf(app)).not.toContain('/portfolio');
    // A message that begins a thread hangs on none.
    await app.ask('bob', 'a new one', inChannel('t8', 't8'));
    expect(linesIn(app)).toEqual([]);
    expect(asked).toEqual(['r1', 'r2', 'r3']);
  });

  it('knows nothing that was reset, deleted, silent, private or of a direct chat', async () => {
    const { app, asked } = await start({}, { d1: said('d1', 'SECRET-1') });
    app.claude.reply(
      answer('kept'),
      answer('<<SILENT_REPLY>> to nobody'),
      answer('whispered'),
      answer('gone'),
    );
    await app.ask('ann', 'SECRET-1', direct('d1'));
    await app.ask('ann', 'silence', inChannel('q1'));
    const interaction = { token: 't', isPrivate: true };
    await app.ask('ann', 'whisper', { ...inChannel('q2'), interaction });
    await app.ask('ann', 'deleted later', inChannel('q3'));
    const place = { channelId: app.channel.id, accountId: asId<MsgContext['accountId']>('local') };
    const chatId = asId<ChatId>('club');
    await app.channel.host.revise({ kind: 'deleted', ...place, chatId, messageId: id('q3') });
    await app.ask('ann', 'and in a thread?', inChannel('t1', 'q2'));
    expect(linesIn(app)).toEqual([`${MINE} | Me: silence`]);
    expect(requestOf(app)).not.toMatch(/SECRET|whisper|gone|to nobody/);

    await app.ask('boss', '/reset', inChannel('c1'));
    await app.ask('ann', 'and now?', inChannel('t2', 'q1'));
    expect(linesIn(app)).toEqual([]);
    // A thread that was reset begins empty as well.
    await app.ask('ann', 'BLUE', inChannel('q4'));
    await app.ask('ann', 'which?', inChannel('t3', 'q4'));
    expect(requestOf(app)).toContain('BLUE');
    await app.ask('boss', '/reset', inChannel('c2', 'q4'));
    await app.ask('ann', 'which was it?', inChannel('t4', 'q4'));
    expect(requestOf(app)).not.toContain('BLUE');

    expect(await app.ask('ann', '/privacy delete --yes', direct('c3'))).toHaveLength(1);
    await app.ask('ann', 'what did I say?', direct('t5', 'd1'));
    expect(requestOf(app)).not.toContain('SECRET');
    expect(asked).toEqual(['d1']);
  });

  it('is quoted once, whatever comes at the same time, and after a crash', async () => {
    const servers = await startServers();
    const { app } = await start({ servers });
    servers.claude.reply(answer('noted'));
    await app.ask('ann', 'my account is ROOT-7', direct('d1'));
    const { reply, letGo } = held(answer('first'));
    servers.claude.reply(reply);
    const first = await app.send('ann', 'one', direct('t1', 'd1'));
    await until(() => servers.claude.history.length === 2);
    const copy = temporaryDir();
    cpSync(app.dataDir, copy, { recursive: true });
    const second = await app.send('ann', 'two', direct('t2', 'd1'));
    letGo();
    await settled(first, second);
    const quotes = (): number => requestOf(app).split('my account is ROOT-7').length - 1;
    expect([servers.claude.history.length, quotes()]).toEqual([3, 1]);
    // Byte by byte as it was sent the first time: the provider has it in its cache.
    const [, once, later] = servers.claude.history.map(({ body }) => body.messages[0]);
    expect(withoutMarks(later)).toBe(withoutMarks(once));

    const { app: again } = await start({ servers, dataDir: copy });
    await again.channel.waitForSent(1);
    expect(again.channel.texts).toEqual(['ok']);
    expect([servers.claude.history.length, quotes()]).toEqual([4, 1]);

    // Made-up numbers in the quote stay marked where the thread repeats them.
    servers.claude.reply(callsTool('AAPL'));
    servers.claude.otherwise((body) => {
      const [price = 'none'] = /\d{3}\.\d{2}/.exec(JSON.stringify(body.messages)) ?? [];
      return answer(`It costs ${price}.`);
    });
    await again.ask('ann', 'How is Apple?', direct('d2'));
    const [text = ''] = await again.ask('ann', 'How much was it?', direct('t3', 'd2'));
    expect(text).toMatch(/It costs \d{3}\.\d\d\.[^]*SAMPLE/);
  });

  it('is not the only place where nothing is quoted twice: a reply points at what the conversation holds', async () => {
    const { app } = await start();
    const history = [
      said('q0', 'PEAR is cheap'),
      said('q1', 'is it?'),
      { ...said('test-1', 'yes'), isOurs: true },
    ];
    Object.assign(app.channel, { readHistory: async () => history });
    app.claude.reply(answer('yes'), answer('indeed'));
    await app.ask('ann', 'is it?', { ...inChannel('q1'), replyToMessageId: id('q0') });
    expect(requestOf(app).split('PEAR is cheap')).toHaveLength(2);
    await app.ask('bob', 'sure?', { ...inChannel('q2'), replyToMessageId: id('q0') });
    await app.ask('bob', 'and that?', { ...inChannel('q3'), replyToMessageId: id('test-1') });
    expect(requestOf(app).split('PEAR is cheap')).toHaveLength(2);
    expect(linesIn(app)).toEqual([
      'replied to | Jun: PEAR is cheap',
      'replied to | Jun: (its words are above)',
      'yours, replied to | Jun: (its words are above)',
    ]);
  });
});
