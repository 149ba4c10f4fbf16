import { describe, expect, it } from 'vitest';
import type { SentenceCall, SentenceReading } from '#src/kernel/agent/sentence.ts';
import { createReadSentence } from '#src/features/intents/read-sentence.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { everyRow } from '#test/support/every-row.ts';

const readSentence = createReadSentence(createSymbolSearch());
const today = Temporal.PlainDate.from('2026-11-16');
const read = (text: string, ...calls: readonly SentenceCall[]): Promise<SentenceReading> =>
  readSentence({ text, locale: 'ko', today, calls }, new AbortController().signal);

const quote = (...symbols: readonly string[]): SentenceCall => ({ tool: 'get_quote', input: { symbols } });
const chart = (range: string, ...symbols: readonly string[]): SentenceCall => ({
  tool: 'make_chart',
  input: { symbols, range },
});
const news = (symbol: string): SentenceCall => ({ tool: 'get_news', input: { symbol } });

describe('two wishes in one sentence', () => {
  it.each<[string, readonly SentenceCall[]]>([
    ['삼성전자 주가랑 환율 둘 다 알려줘', [quote('삼성전자', '환율')]],
    [
      'apple price and chart of tesla',
      [quote('apple'), { tool: 'make_chart', input: { symbols: ['tesla'] } }],
    ],
    ['애플 샀는데… 지금 얼마야?', [quote('애플')]],
    ['테슬라 뉴스랑 차트 보여줘', [news('테슬라'), { tool: 'make_chart', input: { symbols: ['테슬라'] } }]],
    ['삼성전자 차트랑 뉴스', [{ tool: 'make_chart', input: { symbols: ['삼성전자'] } }, news('삼성전자')]],
    ['비트코인 얼마야? 그리고 코스피는?', [quote('비트코인', '코스피')]],
    [
      "what's the price of apple and is the market open?",
      [quote('apple'), { tool: 'get_market_hours', input: { asks: 'open' } }],
    ],
    // One wish with two names stays one.
    ['애플이랑 테슬라 차트', [{ tool: 'make_chart', input: { symbols: ['애플', '테슬라'] } }]],
    ['compare apple and msft', [{ tool: 'compare', input: { symbols: ['apple', 'msft'] } }]],
    ['AAPL and MSFT price', [quote('AAPL', 'MSFT')]],
  ])('are both read: "%s"', async (text, calls) => {
    expect((await read(text)).calls).toEqual(calls);
  });

  it.each([
    '삼성전자 10주 71000원에 샀어. 애플은 5주 180달러에 팔았어',
    '삼성전자 10주 71000원에 샀고 애플은 5주 180달러에 팔았어',
    'bought 10 삼성전자 at 71000 and sold 5 애플 at 180',
  ])('are two trades: "%s"', async (text) => {
    const { calls } = await read(text);
    expect(calls).toMatchObject([
      { tool: 'record_transaction', input: { kind: 'buy', symbol: '삼성전자', quantity: '10' } },
      { tool: 'record_transaction', input: { kind: 'sell', symbol: '애플', quantity: '5' } },
    ]);
  });

  it.each<[string, readonly object[]]>([
    [
      '삼전 10주 10만원에 샀어 그리고 하이닉스 얼마야',
      [{ tool: 'record_transaction', input: { symbol: '삼전', quantity: '10' } }, quote('하이닉스')],
    ],
    [
      '하이닉스 얼마야? 그리고 삼전 12주 10만원에 샀어',
      [quote('하이닉스'), { tool: 'record_transaction', input: { symbol: '삼전', quantity: '12' } }],
    ],
    ['그리고 삼전 12주 10만원에 샀어', [{ tool: 'record_transaction', input: { symbol: '삼전' } }]],
    [
      'bought 2 apple at 301; tesla price',
      [{ tool: 'record_transaction', input: { symbol: 'apple', quantity: '2' } }, quote('tesla')],
    ],
    [
      'bought 10 apple at 300 and what is tesla at?',
      [{ tool: 'record_transaction', input: { symbol: 'apple', quantity: '10' } }, quote('tesla')],
    ],
    ['카카오 얼마고 네이버는 얼마야', [quote('카카오', '네이버')]],
  ])('are a trade and a question, and no joining word becomes a name: "%s"', async (text, calls) => {
    // What was asked about before changes nothing.
    for (const before of [[], [quote('AMD')]])
      expect((await read(text, ...before)).calls).toMatchObject(calls);
  });

  it.each<[string, readonly SentenceCall[]]>([
    [
      'macd and bollinger for nvda',
      [{ tool: 'get_indicators', input: { symbol: 'nvda', only: ['macd', 'bollinger'] } }],
    ],
    [
      'RSI랑 MACD 엔비디아',
      [{ tool: 'get_indicators', input: { symbol: '엔비디아', only: ['rsi', 'macd'] } }],
    ],
    ['chart and news of tesla', [{ tool: 'make_chart', input: { symbols: ['tesla'] } }, news('tesla')]],
    ['뉴스랑 차트 테슬라', [news('테슬라'), { tool: 'make_chart', input: { symbols: ['테슬라'] } }]],
    [
      'rsi and chart',
      [
        { tool: 'get_indicators', input: { symbol: 'AMD', only: ['rsi'] } },
        { tool: 'make_chart', input: { symbols: ['AMD'] } },
      ],
    ],
  ])('are about the name in the sentence before one of an earlier message: "%s"', async (text, calls) => {
    expect((await read(text, quote('AMD'))).calls).toEqual(calls);
  });

  it('never leave out a trade without a word: it is recorded or named', async () => {
    expect((await read('삼성전자 10주 71000원에 샀어. 애플 얼마야?')).calls.map(({ tool }) => tool)).toEqual([
      'record_transaction',
      'get_quote',
    ]);
    expect((await read('애플 3주 200달러에 샀어. 카카오 100만원어치 샀어')).missed).toBe(
      '카카오 100만원어치 샀어',
    );
    expect(await read('테슬라 팔았어. 지금 얼마야?')).toMatchObject({
      calls: [quote('테슬라')],
      missed: '테슬라 팔았어',
    });
  });

  it('are answered as far as they can be, and the other one is named', async () => {
    expect(await read('삼성전자 시세 알려주고 날씨도 알려줘')).toMatchObject({
      calls: [quote('삼성전자')],
      missed: '날씨도 알려줘',
    });
  });
});

describe('a list of names', () => {
  it.each([
    ['삼전 하이닉스 카카오 네이버 얼마야', ['삼전', '하이닉스', '카카오', '네이버']],
    ['하이닉스 삼성전자 얼마야', ['하이닉스', '삼성전자']],
    ['삼전 하이닉스 얼마야', ['삼전', '하이닉스']],
    ['현대차 모비스 주가', ['현대차', '모비스']],
    ['SK 하이닉스 얼마야', ['SK 하이닉스']],
  ])('loses none: "%s"', async (text, names) => {
    expect((await read(text)).calls).toEqual([quote(...names)]);
  });

  it('is asked for in two calls where one takes too few, and what is still too much is named', async () => {
    const codes = Array.from({ length: 23 }, (_, index) => `ABC${String.fromCharCode(65 + index)}`);
    const { calls, missed } = await read(`${codes.join(', ')} price`);
    expect(calls).toEqual([quote(...codes.slice(0, 10)), quote(...codes.slice(10, 20))]);
    expect(missed).toBe(codes.slice(20).join(', '));
  });
});

describe('a price in other money, or of several pieces', () => {
  everyRow<[string, readonly string[], object | undefined]>([
    ['애플 원화로 얼마', ['애플'], { currency: 'KRW' }],
    ['애플 홍콩 달러로 얼마야', ['애플'], { currency: 'HKD' }],
    ['애플 테슬라 원으로 얼마', ['애플', '테슬라'], { currency: 'KRW' }],
    ['apple price in won', ['apple'], { currency: 'KRW' }],
    ['apple in korean won please', ['apple'], { currency: 'KRW' }],
    ['bitcoin in euros', ['bitcoin'], { currency: 'EUR' }],
    ['삼성전자 달러로 얼마야', ['삼성전자'], { currency: 'USD' }],
    ['10 shares of apple in won', ['apple'], { pieces: '10', currency: 'KRW' }],
    ['애플 100주면 얼마야?', ['애플'], { pieces: '100' }],
    ['애플 10주 얼마야', ['애플'], { pieces: '10' }],
    ['애플 100주 사려면 원화로 얼마 필요해?', ['애플'], { pieces: '100', currency: 'KRW' }],
    ['how much are 20 shares of tesla', ['tesla'], { pieces: '20' }],
    // Nothing is left to work out.
    ['How much is one share of Tesla?', ['Tesla'], undefined],
    ['애플 달러로 얼마야', ['애플'], undefined],
    ['삼성전자 원화로 얼마', ['삼성전자'], undefined],
    ['코스피랑 환율 알려줘', ['코스피', '환율'], undefined],
    ['kospi and exchange rate', ['kospi', '환율'], undefined],
    ['카카오 얼마고 환율은 얼마야', ['카카오', '환율'], undefined],
  ])('is asked for with the quote: "%s"', async (text, names, worth) => {
    const reading = await read(text);
    expect(reading.calls).toEqual([quote(...names)]);
    expect(reading.worth).toEqual(worth);
  });

  it.each(['and in won?', '원화로는?', '그건 원화로 얼마야?'])('may follow a quote: "%s"', async (text) => {
    expect(await read(text, quote('AAPL'))).toEqual({ calls: [quote('AAPL')], worth: { currency: 'KRW' } });
    const before = { tool: 'convert_currency', input: { amount: '5', from: 'USD', to: 'EUR' } };
    expect((await read(text, before)).calls).toEqual([{ ...before, input: { ...before.input, to: 'KRW' } }]);
  });

  it('is not read into other questions', async () => {
    for (const text of ['애플 차트 원화로', '애플 10주 71000원에 샀어', 'who won the game', 'i am in euros'])
      expect((await read(text)).worth).toBeUndefined();
  });
});

describe('a span that no range has', () => {
  it.each<[string, SentenceCall, string | undefined]>([
    [
      'apple last 2 weeks',
      { tool: 'get_history', input: { symbol: 'apple', from: '2026-11-02', to: '2026-11-16' } },
      undefined,
    ],
    [
      '삼성전자 3년',
      { tool: 'get_history', input: { symbol: '삼성전자', from: '2023-11-16', to: '2026-11-16' } },
      undefined,
    ],
    ['애플 3년 차트', chart('5y', '애플'), 'covers'],
    ['3월부터 카카오 차트', chart('1y', '카카오'), 'covers'],
    ['netflix chart since march', chart('1y', 'netflix'), 'covers'],
    ['10년 차트 애플', chart('max', '애플'), 'covers'],
    ['AAPL chart 4 months', chart('6mo', 'AAPL'), 'covers'],
    ['애플 1년 차트', chart('1y', '애플'), undefined],
  ])('is answered by its days, or it is said that more is shown: "%s"', async (text, wanted, talk) => {
    const reading = await read(text);
    expect(reading.calls).toEqual([wanted]);
    expect(reading.talk).toBe(talk);
  });
});

describe('a follow-up', () => {
  everyRow<[string, SentenceCall, readonly SentenceCall[]]>([
    ['그럼 하이닉스는?', quote('삼성전자'), [quote('하이닉스')]],
    ['하이닉스도 알려줘', quote('삼성전자'), [quote('하이닉스')]],
    ['and Tesla?', chart('1y', 'AAPL'), [chart('1y', 'Tesla')]],
    ['what about msft', news('AAPL'), [news('msft')]],
    ['1년은?', chart('6mo', '애플'), [chart('1y', '애플')]],
    ['1년은?', quote('애플'), [{ tool: 'get_history', input: { symbol: '애플', range: '1y' } }]],
    [
      '10월 1일은?',
      quote('애플'),
      [{ tool: 'get_history', input: { symbol: '애플', from: '2026-10-01', to: '2026-10-01' } }],
    ],
    ['그거 차트로', quote('애플'), [{ tool: 'make_chart', input: { symbols: ['애플'] } }]],
    ['뉴스는?', quote('애플'), [news('애플')]],
    [
      '그럼 200달러는?',
      { tool: 'convert_currency', input: { amount: '100', from: 'USD', to: 'KRW' } },
      [{ tool: 'convert_currency', input: { amount: '200', from: 'USD', to: 'KRW' } }],
    ],
    [
      '더 자세히',
      quote('애플'),
      [
        { tool: 'get_fundamentals', input: { symbol: '애플' } },
        { tool: 'get_indicators', input: { symbol: '애플' } },
      ],
    ],
    [
      'and nvda?',
      { tool: 'compare', input: { symbols: ['AAPL', 'MSFT'] } },
      [{ tool: 'compare', input: { symbols: ['AAPL', 'MSFT', 'nvda'] } }],
    ],
  ])('goes on with the newest call: "%s"', async (text, before, calls) => {
    expect((await read(text, before)).calls).toEqual(calls);
  });

  it.each(['두번째', '2', 'the second one'])(
    'picks from the list that an unclear name brought: "%s"',
    async (text) => {
      const { calls } = await read(text, quote('삼성'));
      expect(calls).toEqual([quote(expect.stringMatching(/^\d{6}\.K[SQ]$/u) as unknown as string)]);
      expect(calls).not.toEqual((await read('1', quote('삼성'))).calls);
    },
  );

  it('is none where nothing was asked before, or where something else is asked for', async () => {
    expect((await read('1년은?')).calls).toEqual([]);
    expect((await read('그럼 테슬라 주가는?', chart('1y', 'AAPL'))).calls).toEqual([quote('테슬라')]);
  });
});

describe('a question about days', () => {
  it.each<[string, object]>([
    ['6개월 전 애플 주가', { symbol: '애플', from: '2026-05-16', to: '2026-05-16' }],
    ['how much did nvidia gain this month?', { symbol: 'nvidia', from: '2026-11-01', to: '2026-11-16' }],
    ['테슬라 어제 얼마였어?', { symbol: '테슬라', from: '2026-11-15', to: '2026-11-15' }],
    ['3월부터 코스피', { symbol: '코스피', from: '2026-03-01', to: '2026-11-16' }],
  ])('is one for the history: "%s"', async (text, input) => {
    expect((await read(text)).calls).toEqual([{ tool: 'get_history', input }]);
  });

  it('that are to come is none', async () => {
    expect((await read('내일 애플 주가')).calls).toEqual([]);
  });
});

describe('what is not understood', () => {
  it.each([['노트북 가격 계산해줘', undefined, 'calculate']])(
    'comes with what is nearest to it: "%s"',
    async (text, about, nearest) => {
      const reading = await read(text);
      expect(reading).toMatchObject({ calls: [], talk: 'unknown' });
      expect(reading.about).toBe(about);
      expect(reading.near?.[0]).toBe(nearest);
    },
  );

  it('is no trade where one is told: pieces that were sold are no wish for advice', async () => {
    expect((await read('삼성전자 5주 매도')).talk).not.toBe('advice');
    expect((await read('삼성전자 사도 될까?')).talk).toBe('advice');
  });

  it('takes "cancel" for an undo right after something was recorded, and never else', async () => {
    const recorded = { tool: 'record_transaction', input: { kind: 'buy', symbol: '삼성전자' } };
    for (const text of ['취소해줘', '되돌려줘', 'cancel it']) {
      expect((await read(text, recorded)).calls).toEqual([{ tool: 'undo_transaction', input: {} }]);
      expect((await read(text)).calls).toEqual([]);
      expect((await read(text, recorded, quote('애플'))).calls).toEqual([]);
    }
  });

  it.each([
    '애플 290 밑이나 320 위로 가면 알려줘',
    '애플 290 밑으로 떨어지거나 320 넘으면 알려줘',
    'tell me if 애플 goes below 290 or above 320',
  ])('sets both of two levels: %s', async (text) => {
    expect((await read(text)).calls).toEqual([
      { tool: 'set_alert', input: { symbol: '애플', condition: 'below', value: '290' } },
      { tool: 'set_alert', input: { symbol: '애플', condition: 'above', value: '320' } },
    ]);
  });

  it('ends both of two levels on the day that is named once', async () => {
    const { calls } = await read('tell me if apple goes below 290 or above 320 until friday');
    expect(calls.map(({ input }) => input['expires'])).toEqual(['friday', 'friday']);
  });

  it.each([
    'bought 10 AAPL at 180 and 5 TSLA at 300',
    'I bought 10 AAPL at 180, 5 TSLA at 300',
    'AAPL 10주 180달러, TSLA 5주 300달러에 샀어',
    'AAPL 10주 180달러에 샀고 TSLA 5주 300달러에 샀어',
  ])('records each of several trades with one verb: %s', async (text) => {
    const { calls } = await read(text);
    expect(calls).toMatchObject([
      { tool: 'record_transaction', input: { symbol: 'AAPL', quantity: '10', price: '180' } },
      { tool: 'record_transaction', input: { symbol: 'TSLA', quantity: '5', price: '300' } },
    ]);
  });

  it('names the number of a trade that it cannot read', async () => {
    expect(await read('bought 20 shares of TSMC @ 1,2k')).toMatchObject({
      calls: [],
      talk: 'number',
      missed: '1,2k',
    });
  });

  it.each([
    ['remind me to sell apple on friday', 'sell apple', 'T09:00'],
    ['remind me to sell apple on friday at 3pm', 'sell apple', 'T15:00'],
  ])('takes a reminder for one, and not for a question about advice: %s', async (text, what, time) => {
    const { calls } = await read(text);
    expect(calls).toMatchObject([{ tool: 'notify', input: { text: what } }]);
    expect(calls[0]?.input['at']).toContain(time);
  });
});

describe('names that look like something else', () => {
  everyRow<[string, readonly SentenceCall[]]>([
    ['TIGER 미국S&P500TR(H) 얼마야?', [quote('TIGER 미국S&P500TR(H)')]],
    ['코덱스 은선물(H)는 얼마야?', [quote('코덱스 은선물(H)')]],
    ['AT&T (T) stock price', [quote('AT&T (T)')]],
    ['트럼프 코인 얼마야?', [quote('트럼프코인')]],
    ['봉크 코인 시세', [quote('봉크코인')]],
    ['hype coin price', [quote('hypecoin')]],
    ['코인 시장 어때?', [{ tool: 'get_market_overview', input: { of: 'crypto' } }]],
    [
      'convert 3 HYPE to KRW',
      [{ tool: 'convert_currency', input: { amount: '3', from: 'HYPE', to: 'KRW' } }],
    ],
    ['구글에서 찾아줘', []],
    ['can you find it on google', []],
    ['구글 얼마야', [quote('구글')]],
  ])('%s', async (text, calls) => {
    expect((await read(text)).calls).toEqual(calls);
  });

  it('are no example of what to ask, where they are words of every day', async () => {
    const texts = [
      'is it safe to move near the coast?',
      'is there any optimism left?',
      '네이버에서 검색해줘',
    ];
    const readings = await Promise.all(texts.map((text) => read(text)));
    expect(readings.map(({ about }) => about)).toEqual([undefined, undefined, undefined]);
  });
});
