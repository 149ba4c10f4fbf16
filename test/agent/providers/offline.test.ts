import { describe, expect, it } from 'vitest';
import type { ProviderRequest } from '#src/agent/providers/adapter.ts';
import { offline, OFFLINE_MODEL } from '#src/agent/providers/offline.ts';
import { fenceUntrusted } from '#src/agent/tools/fence.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import type { ConversationMessage, StreamChunk } from '#src/core/model.ts';
import { createReadSentence } from '#src/finance/sentences/read-sentence.ts';
import { createSymbolSearch } from '#src/finance/symbols/symbols.ts';
import { makeChart } from '#src/finance/tools/make-chart.ts';
import { collect } from '#test/agent/support.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { requestTo } from './request.ts';

const readSentence = createReadSentence(createSymbolSearch());
const toolNamed = (name: string) => ({ name, description: 'A tool', inputSchema: { type: 'object' } });
const QUOTE_TOOL = toolNamed('get_quote');

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
  collect(offline({ readSentence }).streamCompletion(requestOf({ messages, tools }), signal));

const wordsOf = (chunks: readonly StreamChunk[]): string =>
  chunks.flatMap((chunk) => (chunk.type === 'text_delta' ? [chunk.text] : [])).join('');

describe('offline', () => {
  it.each([
    'The tool get_quote failed: no result within 30 s',
    'The tool get_quote may not be used here: no rule (global-deny). Do not try again.',
    'Invalid input for get_quote: symbols is missing',
  ])('says in the language of the person what the registry meant for a model: %s', async (content) => {
    const said = wordsOf(await ask([question('삼성전자 얼마야?', 'ko'), called('c0'), returned(content)]));
    expect(said).toBe(`${texts('ko').offline.failed()}\n\n${texts('ko').offline.note()}`);
  });

  it.each([
    ['Not done: the person refused it.', texts('ko').offline.notDone()],
    ['Not done: it had begun when the program ended, and more.', texts('ko').offline.maybeDone()],
  ])('says whether anything was done without the word of a person: %s', async (content, answer) => {
    const trade = question('AAPL 5주 190달러에 팔았어', 'ko');
    const said = wordsOf(await ask([trade, called('c0'), returned(content)]));
    expect(said).toBe(`${answer}\n\n${texts('ko').offline.note()}`);
  });

  it('is the provider of its own model', () => {
    expect(offline({ readSentence }).providerId).toBe(OFFLINE_MODEL.provider);
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

  it.each([
    ['테슬라 1년 차트', 'make_chart', { symbols: ['테슬라'], range: '1y' }],
    ['is the market open?', 'get_market_hours', {}],
  ])('calls the tool that answers "%s", where there is one', async (words, name, input) => {
    const called = await ask([question(words)], [QUOTE_TOOL, toolNamed(name)]);
    expect(called.slice(0, 2)).toMatchObject([
      { type: 'tool_use_start', name },
      { type: 'tool_input_delta', delta: JSON.stringify(input) },
    ]);
    const without = await ask([question(words, 'en')]);
    expect(wordsOf(without)).toBe(texts('en').offline.cannot());
  });

  it('goes on with what the newest call was about', async () => {
    const earlier: ConversationMessage = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c9', name: 'get_history', input: { symbol: 'TSLA', range: '1y' } }],
    };
    const [, input] = await ask(
      [question('AAPL price'), called('c0'), returned('$1'), earlier, returned('$2'), question('6개월 차트')],
      [toolNamed('make_chart')],
    );
    expect(input).toMatchObject({ delta: JSON.stringify({ symbols: ['TSLA'], range: '6mo' }) });
  });

  it('relays the words of strangers without the fence that is for models', async () => {
    const news = '- **A** <https://example.com/a>\n- **B**';
    const chunks = await ask([question('AAPL news', 'en'), called('c0'), returned(fenceUntrusted(news))]);
    expect(wordsOf(chunks)).toBe(`${news}\n\n${texts('en').offline.note()}`);
  });

  it('leaves out what a chart tells a model about its picture', async () => {
    const picture: MediaAttachment = {
      kind: 'image',
      mimeType: 'image/png',
      name: 'aapl.png',
      url: 'file:///aapl.png',
      altText: 'Apple [AAPL], 1 year',
    };
    const chart = async () => ({ content: 'Apple rose.', facts: [], found: 1, media: [picture] });
    const { content } = await makeChart({ desk: { chart } }).invoke(
      { symbols: ['AAPL'] },
      toolContextOf(),
      new AbortController().signal,
    );
    expect(content).toContain('Apple [AAPL], 1 year');
    const chunks = await ask([question('AAPL chart', 'en'), called('c0'), returned(content)]);
    expect(wordsOf(chunks)).toBe(`Apple rose.\n\n${texts('en').offline.note()}`);
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
      `**Apple**\n$304.12\n\n\n**삼성전자**\n₩102,300\n\n${texts(locale).offline.note()}`,
    );
    expect(chunks.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
    expect(chunks.filter(({ type }) => type === 'tool_use_start')).toEqual([]);
  });

  it('speaks the language that it was told, whatever the question is written in', async () => {
    expect(wordsOf(await ask([question('hello', 'ko')]))).toBe(texts('ko').offline.greeting());
    expect(wordsOf(await ask([question('안녕하세요', 'en')]))).toBe(texts('en').offline.greeting());
  });

  it('goes by the language of the question where it was told none', async () => {
    expect(wordsOf(await ask([question('안녕하세요')]))).toBe(texts('ko').offline.greeting());
    expect(wordsOf(await ask([question('hello')]))).toBe(texts('en').offline.greeting());
  });

  it('does not take the words of a person for what the program says', async () => {
    const words = 'hello\nlanguage: ko\n';
    expect(wordsOf(await ask([question(words, 'en')]))).toBe(texts('en').offline.greeting());
  });

  it('answers the newest question, not an earlier one', async () => {
    const chunks = await ask([
      question('AAPL price', 'en'),
      called('c0'),
      returned('$304.12'),
      { role: 'assistant', content: [{ type: 'text', text: '$304.12' }] },
      question('thanks', 'en'),
    ]);
    expect(wordsOf(chunks)).toBe(texts('en').offline.thanks());
  });

  it.each([
    ['고마워', texts('ko').offline.thanks()],
    ['얼마야?', texts('ko').offline.askWhich()],
    ['삼성전자 사도 될까?', texts('ko').offline.noAdvice()],
    ['농담 하나 해줘', texts('ko').offline.cannot()],
    ['', texts('ko').offline.cannot()],
  ])('answers "%s" honestly, without a tool', async (words, answer) => {
    const chunks = await ask([question(words, 'ko')]);
    expect(wordsOf(chunks)).toBe(answer);
    expect(chunks.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
  });

  it.each(['ko', 'en'] as const)('names itself when it greets and when it cannot answer, in %s', (locale) => {
    const says = texts(locale);
    for (const sentence of [
      says.offline.greeting(),
      says.offline.cannot(),
      says.offline.noAdvice(),
      says.offline.note(),
    ]) {
      expect(sentence).toMatch(locale === 'ko' ? /오프라인 모델/ : /offline model/);
    }
  });

  it('says that it cannot, instead of calling a tool that is not there', async () => {
    const others = [toolNamed('get_news')];
    for (const tools of [[], others]) {
      const chunks = await ask([question('AAPL price', 'en')], tools);
      expect(wordsOf(chunks)).toBe(texts('en').offline.cannot());
      expect(chunks.map(({ type }) => type)).toEqual(['text_delta', 'done']);
    }
  });

  it.each([
    ['내 포트폴리오 보여줘', 'get_portfolio'],
    ['AAPL 200 넘으면 알려줘', 'set_alert'],
    ['관심종목 보여줘', 'manage_watchlist'],
  ])('asks to say "%s" in a direct chat, where others read along', async (words, tool) => {
    const group: ConversationMessage = {
      role: 'user',
      content: [
        { type: 'text', text: words },
        { type: 'text', text: '<context>\nlanguage: ko\nwritten by: Kim\n</context>' },
      ],
    };
    expect(wordsOf(await ask([group]))).toBe(texts('ko').offline.inDirect());
    // Alone with it, the tool is missing for another reason.
    expect(wordsOf(await ask([question(words, 'ko')]))).toBe(texts('ko').offline.cannot());
    const [start] = await ask([question(words, 'ko')], [toolNamed(tool)]);
    expect(start).toMatchObject({ type: 'tool_use_start', name: tool });
  });

  it('dates a trade by the day on which the person writes', async () => {
    const chunks = await ask(
      [question('AAPL 5주 190달러에 팔았어', 'ko')],
      [toolNamed('record_transaction')],
    );
    const trade = { kind: 'sell', symbol: 'AAPL', quantity: '5', price: '190', currency: 'USD' };
    expect(chunks[1]).toMatchObject({ delta: JSON.stringify({ ...trade, date: '2026-11-13' }) });
  });

  it('calls no tool where none may be called any more', async () => {
    const request = requestOf({
      messages: [question('AAPL price', 'en')],
      tools: [QUOTE_TOOL],
      toolChoice: 'none',
    });
    const chunks = await collect(
      offline({ readSentence }).streamCompletion(request, new AbortController().signal),
    );
    expect(wordsOf(chunks)).toBe(texts('en').offline.cannot());
  });

  it("hears the results through a note of the program's own behind them", async () => {
    const note = question('<context>\nThe limit of steps for this question is reached.\n</context>');
    const chunks = await ask([question('AAPL price', 'en'), called('c0'), returned('$304.12'), note]);
    expect(wordsOf(chunks)).toBe(`$304.12\n\n${texts('en').offline.note()}`);
  });

  it.each([
    ['a call', [question('AAPL price', 'en')], 'tool_use', [{ type: 'tool_use', name: 'get_quote' }]],
    ['words', [question('hello', 'en')], 'end_turn', [{ text: texts('en').offline.greeting() }]],
  ])('gives %s in one piece too, at no cost', async (_what, messages, stopReason, blocks) => {
    const request = requestOf({ messages, tools: [QUOTE_TOOL] });
    const whole = await offline({ readSentence }).chatCompletion(request, new AbortController().signal);
    expect(whole).toMatchObject({ stopReason, blocks, provider: 'offline', usage: { totalTokens: 0 } });
  });

  it('ends with done even when it is asked nothing at all', async () => {
    const chunks = await ask([]);
    expect(wordsOf(chunks)).toBe(texts('en').offline.cannot());
    expect(chunks.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(chunks.at(-1)?.type).toBe('done');
  });

  it('rejects with the reason when it was aborted before it began', async () => {
    const reason = new Error('stopped');
    await expect(ask([question('hello')], [], AbortSignal.abort(reason))).rejects.toBe(reason);
    const whole = offline({ readSentence }).chatCompletion(requestOf({}), AbortSignal.abort(reason));
    await expect(whole).rejects.toBe(reason);
  });

  it('stops in the middle when it is aborted, without done', async () => {
    const controller = new AbortController();
    const messages = [question('AAPL', 'en'), called('c0'), returned('one\ntwo\nthree')];
    const seen: StreamChunk[] = [];
    const stream = offline({ readSentence }).streamCompletion(requestOf({ messages }), controller.signal);
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
