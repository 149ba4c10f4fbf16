import { describe, expect, it } from 'vitest';
import type { ProviderRequest } from '#src/agent/providers/adapter.ts';
import { offline, OFFLINE_MODEL } from '#src/agent/providers/offline.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { ConversationMessage, StreamChunk } from '#src/core/model.ts';
import { SAMPLE_INSTRUMENTS } from '#src/finance/market/sample-instruments.ts';
import { createSymbolSearch } from '#src/finance/symbols.ts';
import { collect } from '#test/agent/support.ts';
import { requestTo } from './request.ts';

const symbols = createSymbolSearch(SAMPLE_INSTRUMENTS);
const QUOTE_TOOL = { name: 'get_quote', description: 'Prices', inputSchema: { type: 'object' } };

/** As the engine writes it: the person's words, and the context behind them. */
const question = (words: string, locale?: Locale): ConversationMessage => ({
  role: 'user',
  content: [
    { type: 'text', text: words },
    ...(locale
      ? [
          {
            type: 'text' as const,
            text: `<context>\ntime: 2026-11-13T15:30+09:00\nlanguage: ${locale}\n</context>`,
          },
        ]
      : []),
  ],
});
const called = (...ids: readonly string[]): ConversationMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'get_quote', input: { symbols: ['x'] } })),
});
const returned = (...contents: readonly string[]): ConversationMessage => ({
  role: 'tool',
  content: contents.map((content, index) => ({
    type: 'tool_result',
    toolUseId: `c${index}`,
    content,
    isError: false,
  })),
});

const requestOf = (special: Partial<ProviderRequest>): ProviderRequest =>
  requestTo('offline', OFFLINE_MODEL.id, special);

const ask = (
  messages: readonly ConversationMessage[],
  tools: ProviderRequest['tools'] = [QUOTE_TOOL],
  signal = new AbortController().signal,
): Promise<readonly StreamChunk[]> =>
  collect(offline({ symbols }).streamCompletion(requestOf({ messages, tools }), signal));

const wordsOf = (chunks: readonly StreamChunk[]): string =>
  chunks.flatMap((chunk) => (chunk.type === 'text_delta' ? [chunk.text] : [])).join('');

describe('offline', () => {
  it.each([
    'The tool get_quote failed: no result within 30 s',
    'The tool get_quote may not be used here: no rule (global-deny). Do not try again.',
    'Not done: the person refused it.',
  ])('says in the language of the person what the registry meant for a model: %s', async (content) => {
    const said = wordsOf(await ask([question('삼성전자 얼마야?', 'ko'), called('c0'), returned(content)]));
    expect(said).toBe(`${texts('ko').offlineFailed()}\n\n${texts('ko').offlineNote()}`);
  });

  it('is the provider of its own model', () => {
    expect(offline({ symbols }).providerId).toBe(OFFLINE_MODEL.provider);
  });

  it.each([
    ['삼성전자랑 테슬라 주가 알려줘', ['삼성전자', '테슬라']],
    ['How is Apple doing today?', ['Apple']],
  ])('calls the quote tool for "%s", chunk by chunk', async (words, symbols) => {
    const chunks = await ask([question(words, 'ko')]);
    const [start] = chunks;
    const id = start?.type === 'tool_use_start' ? start.id : '';
    expect(id).not.toBe('');
    expect(chunks).toEqual([
      { type: 'tool_use_start', id, name: 'get_quote' },
      { type: 'tool_input_delta', id, delta: JSON.stringify({ symbols }) },
      { type: 'tool_use_end', id },
      { type: 'done', stopReason: 'tool_use' },
    ]);
  });

  it('gives every call an id of its own', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const [start] = await ask([question('AAPL price')]);
      if (start?.type === 'tool_use_start') ids.add(start.id);
    }
    expect(ids.size).toBe(20);
  });

  it.each(['ko', 'en'] as const)('relays the results whole and says in %s what it is', async (locale) => {
    const chunks = await ask([
      question('AAPL 005930', locale),
      called('c0', 'c1'),
      returned('**Apple**\n$304.12\n', '**삼성전자**\n₩102,300'),
    ]);
    expect(wordsOf(chunks)).toBe(
      `**Apple**\n$304.12\n\n\n**삼성전자**\n₩102,300\n\n${texts(locale).offlineNote()}`,
    );
    expect(chunks.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
    expect(chunks.filter(({ type }) => type === 'tool_use_start')).toEqual([]);
  });

  it('speaks the language that it was told, whatever the question is written in', async () => {
    expect(wordsOf(await ask([question('hello', 'ko')]))).toBe(texts('ko').offlineGreeting());
    expect(wordsOf(await ask([question('안녕하세요', 'en')]))).toBe(texts('en').offlineGreeting());
  });

  it('goes by the language of the question where it was told none', async () => {
    expect(wordsOf(await ask([question('안녕하세요')]))).toBe(texts('ko').offlineGreeting());
    expect(wordsOf(await ask([question('hello')]))).toBe(texts('en').offlineGreeting());
  });

  it('does not take the words of a person for what the program says', async () => {
    const words = 'hello\nlanguage: ko\n';
    expect(wordsOf(await ask([question(words, 'en')]))).toBe(texts('en').offlineGreeting());
  });

  it('answers the newest question, not an earlier one', async () => {
    const chunks = await ask([
      question('AAPL price', 'en'),
      called('c0'),
      returned('$304.12'),
      { role: 'assistant', content: [{ type: 'text', text: '$304.12' }] },
      question('thanks', 'en'),
    ]);
    expect(wordsOf(chunks)).toBe(texts('en').offlineThanks());
  });

  it.each([
    ['고마워', texts('ko').offlineThanks()],
    ['얼마야?', texts('ko').offlineAskWhich()],
    ['삼성전자 사도 될까?', texts('ko').offlineCannot()],
    ['', texts('ko').offlineCannot()],
  ])('answers "%s" honestly, without a tool', async (words, answer) => {
    const chunks = await ask([question(words, 'ko')]);
    expect(wordsOf(chunks)).toBe(answer);
    expect(chunks.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
  });

  it.each(['ko', 'en'] as const)('names itself when it greets and when it cannot answer, in %s', (locale) => {
    const says = texts(locale);
    for (const sentence of [says.offlineGreeting(), says.offlineCannot(), says.offlineNote()]) {
      expect(sentence).toMatch(locale === 'ko' ? /오프라인 모델/ : /offline model/);
    }
  });

  it('says that it cannot, instead of calling a tool that is not there', async () => {
    const others = [{ ...QUOTE_TOOL, name: 'get_news' }];
    for (const tools of [[], others]) {
      const chunks = await ask([question('AAPL price', 'en')], tools);
      expect(wordsOf(chunks)).toBe(texts('en').offlineCannot());
      expect(chunks.map(({ type }) => type)).toEqual(['text_delta', 'done']);
    }
  });

  it('calls no tool where none may be called any more', async () => {
    const request = requestOf({
      messages: [question('AAPL price', 'en')],
      tools: [QUOTE_TOOL],
      toolChoice: 'none',
    });
    const chunks = await collect(
      offline({ symbols }).streamCompletion(request, new AbortController().signal),
    );
    expect(wordsOf(chunks)).toBe(texts('en').offlineCannot());
  });

  it("hears the results through a note of the program's own behind them", async () => {
    const note = question('<context>\nThe limit of steps for this question is reached.\n</context>');
    const chunks = await ask([question('AAPL price', 'en'), called('c0'), returned('$304.12'), note]);
    expect(wordsOf(chunks)).toBe(`$304.12\n\n${texts('en').offlineNote()}`);
  });

  it.each([
    ['a call', [question('AAPL price', 'en')], 'tool_use', [{ type: 'tool_use', name: 'get_quote' }]],
    ['words', [question('hello', 'en')], 'end_turn', [{ text: texts('en').offlineGreeting() }]],
  ])('gives %s in one piece too, at no cost', async (_what, messages, stopReason, blocks) => {
    const request = requestOf({ messages, tools: [QUOTE_TOOL] });
    const whole = await offline({ symbols }).chatCompletion(request, new AbortController().signal);
    expect(whole).toMatchObject({ stopReason, blocks, provider: 'offline', usage: { totalTokens: 0 } });
  });

  it('ends with done even when it is asked nothing at all', async () => {
    const chunks = await ask([]);
    expect(wordsOf(chunks)).toBe(texts('en').offlineCannot());
    expect(chunks.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(chunks.at(-1)?.type).toBe('done');
  });

  it('rejects with the reason when it was aborted before it began', async () => {
    const reason = new Error('stopped');
    await expect(ask([question('hello')], [], AbortSignal.abort(reason))).rejects.toBe(reason);
    const whole = offline({ symbols }).chatCompletion(requestOf({}), AbortSignal.abort(reason));
    await expect(whole).rejects.toBe(reason);
  });

  it('stops in the middle when it is aborted, without done', async () => {
    const controller = new AbortController();
    const messages = [question('AAPL', 'en'), called('c0'), returned('one\ntwo\nthree')];
    const seen: StreamChunk[] = [];
    const stream = offline({ symbols }).streamCompletion(requestOf({ messages }), controller.signal);
    const reason = new Error('stopped');
    const read = async (): Promise<void> => {
      for await (const chunk of stream) {
        seen.push(chunk);
        if (seen.length === 2) controller.abort(reason);
      }
    };
    await expect(read()).rejects.toBe(reason);
    expect(seen).toEqual([
      { type: 'text_delta', text: 'one\n' },
      { type: 'text_delta', text: 'two\n' },
    ]);
  });
});
