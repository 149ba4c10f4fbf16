import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { describe, expect, it } from 'vitest';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import { type AccountId, asId, type ChatId, type MessageId } from '#src/kernel/ids.ts';
import type { MessageChange } from '#src/kernel/chat/message.ts';
import type { QueueMode } from '#src/kernel/chat/queue.ts';
import { answer, type EngineApp, startEngineApp, until } from '#test/support/engine-app.ts';
import { answersIn, endsIn, held, lastTurnOf, lastTurns, settled } from './gateway-support.ts';

const nameOf = (words: string): MessageId => asId<MessageId>(`m-${words}`);
const say = (app: EngineApp, words: string) => app.send('ann', words, { messageId: nameOf(words) });

const busy = async (mode: QueueMode, config = {}) => {
  const app = await startEngineApp({ env: { FINCLAW_QUEUE_MODE: mode }, config });
  const { reply, letGo } = held(answer('first'));
  app.claude.reply(reply);
  app.claude.otherwise((body) => answer(`to: ${lastTurnOf(body).join(' | ')}`));
  const receipts = [await say(app, 'one')];
  await until(() => app.claude.history.length === 1);
  receipts.push(await say(app, 'two'), await say(app, 'three'), await say(app, 'four'));
  const end = async (): Promise<void> => {
    letGo();
    await settled(...receipts);
  };
  return { app, end };
};

const change = (
  { channel }: EngineApp,
  messageId: MessageId,
  what: { readonly kind: 'edited'; readonly body: string } | { readonly kind: 'deleted' },
  chatId = 'ann',
): ReturnType<EngineApp['channel']['host']['revise']> => {
  const about: MessageChange = {
    channelId: channel.id,
    accountId: asId<AccountId>('local'),
    chatId: asId<ChatId>(chatId),
    messageId,
    ...what,
  };
  return channel.host.revise(about);
};

describe('a message that waits', () => {
  it.each([
    ['queue', [['one'], ['2'], ['four']]],
    ['collect', [['one'], ['2\n\nfour']]],
    ['steer', [['one'], ['2\n\nfour']]],
    ['followup', [['one'], ['2'], ['four']]],
  ] as const)(
    'in mode %s is read as it was edited, and not at all once it is deleted',
    async (mode, asked) => {
      const { app, end } = await busy(mode);
      expect(await change(app, nameOf('two'), { kind: 'edited', body: 'zwei' })).toBe('changed');
      expect(await change(app, nameOf('two'), { kind: 'edited', body: '2' })).toBe('changed');
      expect(await change(app, nameOf('three'), { kind: 'deleted' })).toBe('withdrawn');
      expect(await change(app, nameOf('three'), { kind: 'deleted' })).toBe('too-late');
      expect(await change(app, nameOf('three'), { kind: 'edited', body: '3' })).toBe('too-late');
      await end();
      expect(lastTurns(app.claude)).toEqual(asked);
      expect(answersIn(app).map(([to]) => to)).not.toContain(nameOf('three'));
      expect(app.channel.visibleReactions).toEqual([]);
      await app.stop();
      expect(endsIn(app.dataDir)).toMatchObject({ one: 'done', 2: 'done', three: 'withdrawn' });
    },
  );

  it('that is edited into nothing is withdrawn; into a key or a book too, and its sender hears why', async () => {
    const { app, end } = await busy('collect');
    expect(await change(app, nameOf('two'), { kind: 'edited', body: ' ' })).toBe('withdrawn');
    const key = `sk-ant-api03-${'A1b2'.repeat(23)}`;
    expect(await change(app, nameOf('three'), { kind: 'edited', body: `My key: ${key}` })).toBe('withdrawn');
    const book = 'x'.repeat(20_001);
    expect(await change(app, nameOf('four'), { kind: 'edited', body: book })).toBe('withdrawn');
    await end();
    expect(answersIn(app)).toEqual([
      [nameOf('two'), channelTexts('en').nothingToRead()],
      [nameOf('three'), intakeTexts('en').messageHoldsKey()],
      [nameOf('four'), intakeTexts('en').messageTooLong({ found: '20,001', limit: '20,000' })],
      [nameOf('one'), 'first'],
    ]);
    expect(app.claude.history).toHaveLength(1);
    expect(app.log.join('\n')).not.toContain(key);
  });

  it('and would have led the others gives its place to the next one', async () => {
    const { app, end } = await busy('collect');
    expect(await change(app, nameOf('two'), { kind: 'deleted' })).toBe('withdrawn');
    await end();
    expect(answersIn(app)).toEqual([
      [nameOf('one'), 'first'],
      [nameOf('four'), 'to: three\n\nfour'],
    ]);
  });

  it('counts with the words that it has now: two long ones do not fit into one turn', async () => {
    const { app, end } = await busy('collect', { gates: { maxMessageChars: 100 } });
    const long = 'x'.repeat(60);
    for (const words of ['two', 'three']) await change(app, nameOf(words), { kind: 'edited', body: long });
    await end();
    expect(lastTurns(app.claude).slice(1)).toEqual([[long], [`${long}\n\nfour`]]);
  });

  it.each(['queue', 'collect', 'steer'] as const)(
    'and becomes a command is one, in mode %s',
    async (mode) => {
      const { app, end } = await busy(mode);
      expect(await change(app, nameOf('two'), { kind: 'edited', body: '/price AAPL' })).toBe('changed');
      // It does not wait any more.
      await app.channel.waitForSent(1);
      expect(answersIn(app)).toEqual([[nameOf('two'), expect.stringContaining('**Apple (AAPL)** $')]]);
      await end();
      expect(lastTurns(app.claude).flat().join(' ')).not.toContain('/price');
    },
  );

  it('of another chat with the same id is another message', async () => {
    const { app, end } = await busy('collect');
    expect(await change(app, nameOf('two'), { kind: 'deleted' }, 'bob')).toBe('too-late');
    await end();
    expect(lastTurns(app.claude)[1]).toEqual(['two\n\nthree\n\nfour']);
  });
});

describe('a change that comes too late', () => {
  it('changes nothing: neither what is being answered, nor what was answered', async () => {
    const { app, end } = await busy('queue');
    expect(await change(app, nameOf('one'), { kind: 'edited', body: 'uno' })).toBe('too-late');
    expect(await change(app, nameOf('one'), { kind: 'deleted' })).toBe('too-late');
    await end();
    expect(await change(app, nameOf('four'), { kind: 'edited', body: 'vier' })).toBe('too-late');
    expect(app.channel.texts).toEqual(['first', 'to: two', 'to: three', 'to: four']);
  });

  it('is not one that finds a message which waits over a restart', async () => {
    const first = await startEngineApp({ env: { FINCLAW_QUEUE_MODE: 'queue' } });
    first.claude.reply({ kind: 'stall' });
    await say(first, 'one');
    await until(() => first.claude.history.length === 1);
    await say(first, 'two');
    await first.stop();
    const stall = held(answer('first'));
    first.claude.reply(stall.reply);
    const next = await startEngineApp({
      env: { FINCLAW_QUEUE_MODE: 'queue' },
      servers: first,
      dataDir: first.dataDir,
    });
    await until(() => next.claude.history.length === 2);
    expect(await change(next, nameOf('two'), { kind: 'edited', body: 'zwei' })).toBe('changed');
    stall.letGo();
    await next.channel.waitForSent(2);
    expect(lastTurns(next.claude)).toEqual([['one'], ['one'], ['zwei']]);
  });
});
