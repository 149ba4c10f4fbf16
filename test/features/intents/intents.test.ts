import { describe, expect, it } from 'vitest';
import type { Intent } from '#src/features/intents/intent.ts';
import { readIntent as read } from '#src/features/intents/read-intent.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';

const symbols = createSymbolSearch();
const readIntent = (text: string): Intent => read(text, symbols);
const quote = (...names: readonly string[]): Intent => ({
  kind: 'call',
  tool: 'get_quote',
  input: { symbols: names },
});

/** What people type, and the names that are to be looked up. */
const QUESTIONS: readonly (readonly [sentence: string, ...names: readonly string[]])[] = [
  // Korean
  ['삼성전자 지금 얼마야?', '삼성전자'],
  ['삼성전자 얼마', '삼성전자'],
  ['SK하이닉스랑 테슬라 주가 알려줘', 'SK하이닉스', '테슬라'],
  ['SK 하이닉스 주가', 'SK 하이닉스'],
  ['LG 에너지솔루션 주가', 'LG 에너지솔루션'],
  ['삼성전자, 애플, 테슬라 주가', '삼성전자', '애플', '테슬라'],
  ['삼성전자·애플 시세', '삼성전자', '애플'],
  ['네이버는 얼마야', '네이버'],
  ['애플은 얼마인가요', '애플'],
  ['신한 레버리지 WTI ETN 얼마야?', '신한 레버리지 WTI ETN'],
  ['애플 ETN 얼마야?', '애플'],
  ['셀트리온은 어때?', '셀트리온'],
  ['테슬라 주가는?', '테슬라'],
  ['테슬라 오늘 올랐어?', '테슬라'],
  ['카카오 오늘 떨어졌어?', '카카오'],
  ['현대차 현재가', '현대차'],
  ['현대차 시세 조회', '현대차'],
  ['삼성전자 주가를 알려주세요', '삼성전자'],
  ['삼성전자 종가 알려줘', '삼성전자'],
  ['어제 삼성전자 종가', '삼성전자'],
  ['비트코인 가격', '비트코인'],
  ['비트코인 시세 좀', '비트코인'],
  ['이더리움 얼마예요?', '이더리움'],
  ['기아 주가', '기아'],
  ['하이닉스 얼마야', '하이닉스'],
  ['하이브 주가', '하이브'],
  ['나스닥 어때?', '나스닥'],
  ['S&P500 얼마야?', 'S&P500'],
  ['QQQ랑 SPY 얼마야?', 'QQQ', 'SPY'],
  ['AAPL이랑 MSFT 얼마야', 'AAPL', 'MSFT'],
  ['005930 주가', '005930'],
  ['에코프로 얼마야?', '에코프로'],
  ['에코프로 얼마', '에코프로'],
  ['카카오페이 주가', '카카오페이'],
  ['하이트진로 주가', '하이트진로'],
  ['하이브는 얼마야', '하이브'],
  ['안녕하세요, 삼성전자 주가 알려주세요', '삼성전자'],
  ['안녕하세요 삼성전자 얼마인가요', '삼성전자'],
  ['삼성전자 얼마입니까', '삼성전자'],
  ['삼전 얼마임?', '삼전'],
  ['삼성전자 주가가 궁금해', '삼성전자'],
  ['애플 주가 어떻게 되나요?', '애플'],
  ['네이버 주가 어떻게 돼?', '네이버'],
  ['애플 주식 가격이 어떻게 돼?', '애플'],
  ['엔비디아 주가 보여 줘', '엔비디아'],
  ['엔비디아 주가 알려줄래?', '엔비디아'],
  ['테슬라 오늘 올랐나요?', '테슬라'],
  ['삼성전자 오늘 올랐어?', '삼성전자'],
  ['테슬라 얼마에 거래되고 있어?', '테슬라'],
  ['테슬라랑 엔비디아 얼마?', '테슬라', '엔비디아'],
  ['코스피 지금 몇이야?', '코스피'],
  ['애플?', '애플'],
  ['애플은?', '애플'],
  ['애플은요?', '애플'],
  ['테슬라요', '테슬라'],
  ['네이버는?', '네이버'],
  ['그럼 테슬라는?', '테슬라'],
  ['삼성 얼마야', '삼성'],
  ['애플주가', '애플'],
  ['삼성전자얼마야?', '삼성전자'],
  ['삼성전자(005930) 주가', '삼성전자', '005930'],
  // Currencies
  ['엔화 환율', '엔화 환율'],
  ['유로 환율 얼마야', '유로 환율'],
  ['오늘 달러 환율 알려줘', '달러 환율'],
  ['원/달러 환율 얼마야', '원/달러 환율'],
  ['환율', '환율'],
  ['오늘 환율 얼마야?', '환율'],
  ['위안화 환율', '위안화 환율'],
  ['비트코인 원화로', 'BTC-KRW'],
  ['비트코인 원으로 얼마야', 'BTC-KRW'],
  ['비트코인 달러로 얼마야', '비트코인 달러'],
  ['bitcoin in won', 'BTC-KRW'],
  // The sign says that it is a code.
  ['price of gold', 'GC=F'],
  ['$GOLD', '$GOLD'],
  ['price of $GOLD', '$GOLD'],
  ["What's bitcoin in USD?", 'bitcoin'],
  // A longer name is another name
  ['카카오 뱅크 주가', '카카오 뱅크'],
  ['비트코인 캐시 시세', '비트코인 캐시'],
  ['SK 이노베이션 주가', 'SK 이노베이션'],
  ['삼성 SDI 주가', '삼성 SDI'],
  ['price of bitcoin cash', 'bitcoin cash'],
  // Nobody knows it, but it was asked for
  ['하이브랑 삼성전자 얼마야', '하이브', '삼성전자'],
  ['삼성전자, 하이브, 애플 주가', '삼성전자', '하이브', '애플'],
  ['Tesla and Hitachi price', 'Tesla', 'Hitachi'],
  // English
  ['How is Apple doing today?', 'Apple'],
  ["How's Apple?", 'Apple'],
  ['How’s Apple doing?', 'Apple'],
  ['How did Apple do yesterday?', 'Apple'],
  ['How much is Tesla?', 'Tesla'],
  ['How much is one share of Tesla?', 'Tesla'],
  ['how much does nvidia cost', 'nvidia'],
  ["what's the price of Samsung Electronics?", 'Samsung Electronics'],
  ['What’s the price of Samsung Electronics?', 'Samsung Electronics'],
  ['WHAT IS THE PRICE OF TESLA', 'TESLA'],
  ['What is Bitcoin trading at?', 'Bitcoin'],
  ['AAPL MSFT price', 'AAPL', 'MSFT'],
  ['price AAPL, MSFT, GOOGL', 'AAPL', 'MSFT', 'GOOGL'],
  ['AAPL,MSFT price', 'AAPL', 'MSFT'],
  ['Apple and Microsoft price', 'Apple', 'Microsoft'],
  ['Apple, Tesla and Nvidia prices please', 'Apple', 'Tesla', 'Nvidia'],
  ['can you tell me the price of apple?', 'apple'],
  ['Show me the MSFT quote', 'MSFT'],
  ['give me a quote for GOOGL', 'GOOGL'],
  ["Apple's price", 'Apple'],
  ['Tesla stock price right now', 'Tesla'],
  ['Please give me the latest Tesla quote', 'Tesla'],
  ['Berkshire Hathaway price', 'Berkshire Hathaway'],
  ['BRK.B price', 'BRK.B'],
  ['AT&T stock', 'AT&T'],
  ['S&P 500 price', 'S&P 500'],
  ['SK hynix price', 'SK hynix'],
  ['price for Coca-Cola', 'Coca-Cola'],
  ['price of F', 'F'],
  ['price of AAPL and AAPL', 'AAPL'],
  ['Hi, how is Apple doing?', 'Apple'],
  ['hi, how much is apple', 'apple'],
  ["hey what's the price of tesla", 'tesla'],
  ["Could you check Apple's stock price?", 'Apple'],
  ["I'd like to know the price of Apple", 'Apple'],
  ["I'd like to know the price of Hitachi", 'Hitachi'],
  ['do you know the Apple price', 'Apple'],
  ['hows apple doing', 'apple'],
  ['How did Tesla perform yesterday?', 'Tesla'],
  ['What is the Apple price per share?', 'Apple'],
  ['what about nvidia', 'nvidia'],
  ['how about Tesla?', 'Tesla'],
  ['thanks, and what about Tesla?', 'Tesla'],
  ['Is Apple up today?', 'Apple'],
  ['what do you think about Apple stock?', 'Apple'],
  ["what's bitcoin at?", 'bitcoin'],
  ["What's the S&P 500 at?", 'S&P 500'],
  ['Give me AAPL, TSLA and NVDA', 'AAPL', 'TSLA', 'NVDA'],
  ['aapl tsla nvda', 'aapl', 'tsla', 'nvda'],
  ['apple sk hynix tesla', 'apple', 'sk hynix', 'tesla'],
  ['AAPL QQQ', 'AAPL', 'QQQ'],
  ['AAPL, TSLA, and QQQ', 'AAPL', 'TSLA', 'QQQ'],
  ['USD', 'USD'],
  ['NASDAQ:AAPL', 'NASDAQ:AAPL'],
  ['samsung price', 'samsung'],
  ['price of Apple, Inc.', 'Apple'],
  ['مرحبا 🚀', 'مرحبا'],
  ['Apple?', 'Apple'],
  ['AAPL?', 'AAPL'],
  ['nvidia?', 'nvidia'],
  // A name alone, as typed into a search box
  ['비트코인', '비트코인'],
  ['삼성전자', '삼성전자'],
  ['AAPL', 'AAPL'],
  ['aapl', 'aapl'],
  ['$TSLA', '$TSLA'],
  ['  AAPL \n', 'AAPL'],
  ['005930', '005930'],
  ['BTC-USD', 'BTC-USD'],
  ['USD/KRW', 'USD/KRW'],
  ['^KS11', '^KS11'],
  ['samsung electronics', 'samsung electronics'],
  ['ㅅㅅㅈㅈ', 'ㅅㅅㅈㅈ'],
  ["what's the yen at", 'USDJPY=X'],
];

const OTHERS = {
  bye: ['bye', '잘 자', 'good night'],
  idle: ['ok', 'OK', '네', 'yes', 'no', '응', 'ㅋㅋㅋ', 'ㅎㅎ', 'lol'],
  complaint: ['너 바보야?', '이거 왜 이렇게 안돼', "that's wrong"],
  which: ['얼마야?', '주가 알려줘', 'price?', "What's the price?", 'How is it doing?', '오늘 시세 어때?'],
  advice: [
    'should I buy Apple?',
    '삼성전자 사도 될까?',
    '테슬라 주가 전망',
    '삼성전자 목표 주가',
    '주식 추천해줘',
    'Tesla price forecast',
    'which stock do you recommend?',
    'Will Tesla go up?',
    '비트코인 오를까?',
    '지금 애플 살 때야?',
    '테슬라 차트 보고 살지 추천해줘',
  ],
  unknown: [
    '',
    '   \n\t ',
    '😀',
    '👨‍👩‍👧‍👦🇰🇷',
    '?',
    '!!!',
    '...',
    'tell me a joke',
    "what's the weather like?",
    '오늘 뭐 먹지?',
    'PER이 뭐야?',
    'what is an ETF?',
    // Small talk
    // Not a price
    '카카오 왜 떨어졌어?',
    '애플 실적 어때?',
    '작년 삼성전자 주가',
    '코스피 선물 시세',
    '오늘 날씨 어때',
    'why is Tesla stock down?',
    'who is the CEO of Apple?',
    'I had an apple for lunch',
    '나는 애플을 좋아해',
    `AAPL ${'x'.repeat(200)}`,
    // A command that does not exist
    '/portfolio',
    '/portfolio AAPL price',
  ],
} as const;

describe('readIntent', () => {
  everyRow(QUESTIONS.map(([sentence, ...names]) => ({ sentence, names })))(
    'reads "$sentence" as a question about $names',
    ({ sentence, names }) => {
      expect(readIntent(sentence)).toEqual(quote(...names));
    },
  );

  everyRow(
    Object.entries(OTHERS).flatMap(([kind, sentences]) => sentences.map((sentence) => ({ kind, sentence }))),
  )('reads "$sentence" as $kind', ({ kind, sentence }) => {
    expect(readIntent(sentence)).toEqual({ kind });
  });

  it('does not take a part of another word for a greeting', () => {
    expect(readIntent('Hitachi')).toEqual(quote('Hitachi'));
    expect(readIntent('하이닉스')).toEqual(quote('하이닉스'));
  });

  it('takes a name that is repeated for one', () => {
    expect(readIntent('삼성전자 '.repeat(1_000))).toEqual(quote('삼성전자'));
    expect(readIntent('x'.repeat(10_240))).toEqual({ kind: 'unknown' });
  });

  it.each(['삼성전자', 'AAPL ', '그리고 '])('does not cut a word in two behind a row of "%s"', (word) => {
    for (let shift = 0; shift < 12; shift += 1) {
      const intent = readIntent(
        `${'x'.repeat(shift)} 삼성전자 얼마야? ${'그리고 '.repeat(160)}${word.repeat(40)}`,
      );
      expect(intent).toEqual(quote('삼성전자'));
    }
  });

  it('reads a question in front of 10 KB of text', () => {
    const intent = readIntent(`삼성전자 얼마야? ${'좀 '.repeat(5_000)}`);
    expect(intent).toEqual(quote('삼성전자'));
  });

  it('is quick with hostile text', () => {
    const hostile = [
      'a'.repeat(10_240),
      '_'.repeat(10_240),
      '가은는이가'.repeat(2_048),
      "'s".repeat(5_120),
      `price ${'.,;·'.repeat(2_560)}`,
      `${' '.repeat(10_240)}price`,
      `how ${' how'.repeat(2_560)}`,
    ];
    const startedAtMs = cpuMs();
    for (const text of hostile) readIntent(text);
    expect(cpuMs() - startedAtMs).toBeLessThan(500);
  });
});
