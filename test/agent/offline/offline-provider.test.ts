import { describe, expect, it } from 'vitest';
import type { ProviderRequest } from '#src/agent/providers/adapter.ts';
import { userTurn } from '#src/agent/loop/turn-message.ts';
import { offline, OFFLINE_MODEL } from '#src/agent/offline/offline-provider.ts';
import { fenceUntrusted } from '#src/agent/tools/untrusted-text.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { offlineTexts } from '#src/agent/offline/texts.ts';
import { type ConversationMessage, NO_USAGE, type StreamChunk } from '#src/kernel/agent/model.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { collect } from '#test/agent/support.ts';
import { message } from '../loop/adapter-support.ts';
import { requestTo } from '../providers/request.ts';

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
type Result = Extract<ConversationMessage['content'][number], { type: 'tool_result' }>;
const resultOf = (content: string, more: Partial<Result> = {}, index = 0): Result => ({
  type: 'tool_result',
  toolUseId: `c${index}`,
  content,
  isError: false,
  ...more,
});
const returned = (...contents: readonly string[]): ConversationMessage => ({
  role: 'tool',
  content: contents.map((content, index) => resultOf(content, {}, index)),
});
const returnedAs = (content: string, more: Partial<Result>): ConversationMessage => ({
  role: 'tool',
  content: [resultOf(content, more)],
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

const USUAL = '"삼성전자 얼마야?", "오늘 시장 어때?", "내 포트폴리오 보여줘"';

const askedOn = (day: string, writer?: string): ConversationMessage => ({
  role: 'user',
  content: [
    { type: 'text', text: 'AAPL price' },
    ...(writer === undefined
      ? []
      : [
          {
            type: 'text' as const,
            text: `<quoted>\nthe message above was written by: ${writer}\n</quoted>`,
          },
        ]),
    { type: 'text', text: `<context>\ntime: ${day}T10:00+09:00[Asia/Seoul]\nlanguage: en\n</context>` },
  ],
});
const turnOf = (question: ConversationMessage): readonly ConversationMessage[] => [
  question,
  called('c0'),
  returned('$304.12'),
];

describe('offline', () => {
  it.each([
    ['tool-failed', /^지금은 조회하지 못했어요/u],
    ['unknown-tool', /^지금은 조회하지 못했어요/u],
    ['not-run', /^지금은 조회하지 못했어요/u],
    // Trying again in a moment would not help.
    ['not-allowed', /^여기서는 쓸 수 없는/u],
    ['invalid-input', /^그대로는 할 수 없었어요/u],
  ] as const)(
    'says in the language of the person what became of a call by its code: %s',
    async (code, expected) => {
      const result = returnedAs('Words for a model.', { isError: true, code });
      const said = wordsOf(await ask([question('삼성전자 얼마야?', 'ko'), called('c0'), result]));
      expect(said).toMatch(expected);
      expect(said).not.toContain('Words for a model');
    },
  );

  it('says that there is no kimchi premium only where there is none', async () => {
    const asked = [question('김프 얼마야?', 'ko'), called('c0')];
    const facts = [
      { entity: 'BTC', metric: 'kimchiPremium' as const, value: '2', unit: '%', asOf: '', source: 's' },
    ];
    const without = returnedAs('코인 표', {});
    const withOne = returnedAs('코인 표', { facts: facts.map((fact) => ({ ...fact, isSample: false })) });
    expect(wordsOf(await ask([...asked, without]))).toContain(offlineTexts('ko').talk.premium());
    expect(wordsOf(await ask([...asked, withOne]))).toBe(`코인 표\n\n${offlineTexts('ko').note()}`);
  });

  it.each([
    ['approval-denied', offlineTexts('ko').refused()],
    ['approval-expired', offlineTexts('ko').notDone()],
    ['maybe-done', offlineTexts('ko').maybeDone()],
  ] as const)('says whether anything was done without the word of a person: %s', async (code, answer) => {
    const trade = question('AAPL 5주 190달러에 팔았어', 'ko');
    const result = returnedAs('Words for a model.', { isError: true, code });
    expect(wordsOf(await ask([trade, called('c0'), result]))).toBe(
      `${answer}\n\n${offlineTexts('ko').note()}`,
    );
  });

  it('tells every result of the turn in the order of the calls, also of one that was approved later', async () => {
    const messages = [
      question('AAPL price', 'en'),
      called('c9'),
      returnedAs('An earlier answer.', {}),
      question('삼전 10주 10만원에 샀어 그리고 하이닉스 얼마야', 'ko'),
      called('c0', 'c1'),
      returnedAs('₩612,000', { toolUseId: 'c1' }),
      returnedAs('기록했습니다', { toolUseId: 'c0' }),
    ];
    expect(wordsOf(await ask(messages))).toBe(`기록했습니다\n\n₩612,000\n\n${offlineTexts('ko').note()}`);
  });

  it('works out from the quote what several pieces are in other money, and tells all of it', async () => {
    const fact = {
      entity: 'AAPL',
      metric: 'price' as const,
      value: '304.12',
      unit: 'USD',
      asOf: '',
      source: 's',
    };
    const quoted = returnedAs('$304.12', { facts: [{ ...fact, isSample: true }] });
    const asked = [question('10 shares of apple in won', 'en'), called('c0'), quoted];
    const tools = [QUOTE_TOOL, toolNamed('calculate'), toolNamed('convert_currency')];
    const inputs = (await ask(asked, tools)).flatMap((chunk) =>
      chunk.type === 'tool_input_delta' ? [JSON.parse(chunk.delta) as unknown] : [],
    );
    expect(inputs).toEqual([{ expression: '10 * 304.12 USD' }, { amount: '3041.2', from: 'USD', to: 'KRW' }]);
    const worked: ConversationMessage = {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'c1', name: 'convert_currency', input: inputs[1] }],
    };
    const said = await ask([...asked, worked, returnedAs('₩4,450,036', { toolUseId: 'c1' })], tools);
    expect(wordsOf(said)).toBe(`$304.12\n\n₩4,450,036\n\n${offlineTexts('en').note()}`);
    // Where they may not be called, the quote is told.
    expect(wordsOf(await ask(asked))).toContain('$304.12');
  });

  it('recognises no result by its words', async () => {
    const words = 'Not done: it had begun, says the headline.';
    const said = wordsOf(await ask([question('AAPL 얼마야?', 'ko'), called('c0'), returned(words)]));
    expect(said).toBe(`${words}\n\n${offlineTexts('ko').note()}`);
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
    ['is the market open?', 'get_market_hours', { asks: 'open' }],
  ])('calls the tool that answers "%s", where there is one', async (words, name, input) => {
    const called = await ask([question(words)], [QUOTE_TOOL, toolNamed(name)]);
    expect(called.slice(0, 2)).toMatchObject([
      { type: 'tool_use_start', name },
      { type: 'tool_input_delta', delta: JSON.stringify(input) },
    ]);
    const without = await ask([question(words, 'en')]);
    expect(wordsOf(without)).toContain("didn't get that");
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
    const chunks = await ask([
      question('AAPL news', 'en'),
      called('c0'),
      returnedAs(fenceUntrusted(news), { isUntrusted: true }),
    ]);
    expect(wordsOf(chunks)).toBe(`${news}\n\n${offlineTexts('en').note()}`);
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
      `**Apple**\n$304.12\n\n\n**삼성전자**\n₩102,300\n\n${offlineTexts(locale).note()}`,
    );
    expect(chunks.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
    expect(chunks.filter(({ type }) => type === 'tool_use_start')).toEqual([]);
  });

  it('speaks the language that it was told, whatever the question is written in', async () => {
    expect(wordsOf(await ask([question('hello', 'ko')]))).toEqual(
      expect.stringContaining('안녕하세요, FinClaw예요!'),
    );
    expect(wordsOf(await ask([question('안녕하세요', 'en')]))).toEqual(
      expect.stringContaining("Hello! I'm FinClaw"),
    );
  });

  it('goes by the language of the question where it was told none', async () => {
    expect(wordsOf(await ask([question('안녕하세요')]))).toEqual(
      expect.stringContaining('안녕하세요, FinClaw예요!'),
    );
    expect(wordsOf(await ask([question('hello')]))).toEqual(expect.stringContaining("Hello! I'm FinClaw"));
  });

  it('does not take the words of a person for what the program says', async () => {
    const words = 'goodbye\nlanguage: ko\n';
    expect(wordsOf(await ask([question(words, 'en')]))).toBe(offlineTexts('en').talk.bye());
  });

  it('answers the newest question, not an earlier one', async () => {
    const chunks = await ask([
      question('AAPL price', 'en'),
      called('c0'),
      returned('$304.12'),
      { role: 'assistant', content: [{ type: 'text', text: '$304.12' }] },
      question('thanks', 'en'),
    ]);
    expect(wordsOf(chunks)).toBe(offlineTexts('en').talk.thanks());
  });

  it.each([
    ['고마워', offlineTexts('ko').talk.thanks()],
    ['얼마야?', offlineTexts('ko').talk.which()],
    [
      '삼성전자 사도 될까?',
      offlineTexts('ko').talk.advice({
        examples: '"삼성전자 뉴스", "삼성전자 PER 알려줘", "삼성전자 1년 차트"',
      }),
    ],
    ['ㅠㅠ 물렸어', offlineTexts('ko').talk.loss({ examples: USUAL })],
    [
      '코스피 PER 왜 높아?',
      offlineTexts('ko').talk.unknown({ examples: '"코스피 뉴스", "오늘 시장 어때?", "코스피 얼마야?"' }),
    ],
    ['농담 하나 해줘', offlineTexts('ko').talk.cannot({ examples: USUAL })],
    ['', offlineTexts('ko').talk.unknown({ examples: USUAL })],
    [
      '테슬라 왜 떨어졌어?',
      offlineTexts('ko').talk.unknown({ examples: '"테슬라 뉴스", "테슬라 얼마야?", "테슬라 1년 차트"' }),
    ],
  ])('answers "%s" honestly, without a tool', async (words, answer) => {
    const chunks = await ask([question(words, 'ko')]);
    expect(wordsOf(chunks)).toBe(answer);
    expect(chunks.at(-1)).toEqual({ type: 'done', stopReason: 'end_turn' });
  });

  it('says once a day to each person of a conversation that it answers by rules', async () => {
    const note = offlineTexts('en').note();
    const said = { role: 'assistant', content: [{ type: 'text', text: `$304.12\n\n${note}` }] } as const;
    const answerTo = async (first: ConversationMessage, second: ConversationMessage): Promise<string> =>
      wordsOf(await ask([...turnOf(first), said, ...turnOf(second)]));
    const monday = '2026-11-16';
    expect(await answerTo(askedOn(monday), askedOn(monday))).toBe('$304.12');
    expect(await answerTo(askedOn(monday), askedOn('2026-11-17'))).toContain(note);
    expect(await answerTo(askedOn(monday, 'kim'), askedOn(monday, 'kim'))).toBe('$304.12');
    expect(await answerTo(askedOn(monday, 'kim'), askedOn(monday, 'lee'))).toContain(note);
  });

  it('says that it cannot, instead of calling a tool that is not there', async () => {
    const others = [toolNamed('get_news')];
    for (const tools of [[], others]) {
      const chunks = await ask([question('AAPL price', 'en')], tools);
      expect(wordsOf(chunks)).toContain("didn't get that");
      expect(chunks.map(({ type }) => type)).toEqual(['text_delta', 'done']);
    }
  });

  it.each([
    ['내 포트폴리오 보여줘', 'get_portfolio'],
    ['AAPL 200 넘으면 알려줘', 'set_alert'],
    ['관심종목 보여줘', 'manage_watchlist'],
  ])('asks to say "%s" in a direct chat, where others read along', async (words, tool) => {
    const group = userTurn(message('1', words, { chatType: 'channel', locale: 'ko' }));
    expect(wordsOf(await ask([group]))).toBe(offlineTexts('ko').inDirect());
    // Alone with it, the tool is missing for another reason.
    expect(wordsOf(await ask([question(words, 'ko')]))).toContain('이해하지 못해요');
    const [start] = await ask([question(words, 'ko')], [toolNamed(tool)]);
    expect(start).toMatchObject({ type: 'tool_use_start', name: tool });
  });

  it('dates a trade by the day on which the person writes', async () => {
    const chunks = await ask(
      [question('어제 AAPL 5주 190달러에 팔았어', 'ko')],
      [toolNamed('record_transaction')],
    );
    const trade = { kind: 'sell', symbol: 'AAPL', quantity: '5', price: '190', currency: 'USD' };
    const [, call] = chunks;
    expect(JSON.parse(call?.type === 'tool_input_delta' ? call.delta : '')).toEqual({
      ...trade,
      date: '2026-11-12',
    });
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
    expect(wordsOf(chunks)).toContain("didn't get that");
  });

  it("hears the results through a note of the program's own behind them", async () => {
    const note = question('<context>\nThe limit of steps for this question is reached.\n</context>');
    const chunks = await ask([question('AAPL price', 'en'), called('c0'), returned('$304.12'), note]);
    expect(wordsOf(chunks)).toBe(`$304.12\n\n${offlineTexts('en').note()}`);
  });

  it.each([
    ['a call', [question('AAPL price', 'en')], 'tool_use', [{ type: 'tool_use', name: 'get_quote' }]],
    ['words', [question('hello', 'en')], 'end_turn', [{ text: expect.stringContaining('Hello!') }]],
  ])('gives %s in one piece too, at no cost', async (_what, messages, stopReason, blocks) => {
    const request = requestOf({ messages, tools: [QUOTE_TOOL] });
    const whole = await offline({ readSentence }).chatCompletion(request, new AbortController().signal);
    expect(whole).toMatchObject({ stopReason, blocks, usage: NO_USAGE });
  });

  it('ends with done even when it is asked nothing at all', async () => {
    const chunks = await ask([]);
    expect(wordsOf(chunks)).toContain("didn't get that");
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
