import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getDatetime } from '#src/agent/tools/general/get-datetime.ts';
import type { Intent } from '#src/features/intents/intent.ts';
import { readIntent } from '#src/features/intents/read-intent.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { createFinanceTools } from '#src/features/open/tools.ts';
import { anyText } from '#test/support/any-text.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { quietServices } from '#test/support/quiet-services.ts';

const symbols = createSymbolSearch();
const TODAY = Temporal.PlainDate.from('2026-11-16');
type Input = Readonly<Record<string, unknown>>;
const read = (sentence: string, last: readonly string[] = []): Intent =>
  readIntent(sentence, symbols, { last, today: TODAY });

const PER = ['peTrailing', 'peForward'];
const DIVIDEND = ['dividendRate', 'dividendYield', 'exDividendDate'];

/** What people type, and what the tool is asked for. */
const QUESTIONS: Readonly<Record<string, readonly (readonly [sentence: string, input: Input])[]>> = {
  make_chart: [
    ['삼성전자 차트 보여줘', { symbols: ['삼성전자'] }],
    ['애플차트', { symbols: ['애플'] }],
    ['삼성전자 1년 차트', { symbols: ['삼성전자'], range: '1y' }],
    ['삼성전자 오늘 차트', { symbols: ['삼성전자'], range: '1d' }],
    ['테슬라 6개월 차트 다크로', { symbols: ['테슬라'], range: '6mo', theme: 'dark' }],
    ['삼성전자 차트에 볼린저밴드 추가해줘', { symbols: ['삼성전자'], indicators: ['bollinger'] }],
    ['삼성 차트', { symbols: ['삼성'] }],
    ['대상 차트', { symbols: ['대상'] }],
    ['환율 차트', { symbols: ['환율'] }],
    ['chart of Tesla 6 months', { symbols: ['Tesla'], range: '6mo' }],
    ['Tesla chart for the past year with RSI', { symbols: ['Tesla'], range: '1y', indicators: ['rsi'] }],
    ['show me a chart of AAPL and MSFT', { symbols: ['AAPL', 'MSFT'] }],
    ['chart of Snap', { symbols: ['Snap'] }],
  ],
  compare: [
    ['애플이랑 테슬라 비교해줘', { symbols: ['애플', '테슬라'] }],
    ['삼성전자와 SK하이닉스 1년 비교', { symbols: ['삼성전자', 'SK하이닉스'], range: '1y' }],
    ['삼성전자하고 SK하이닉스 가격 비교', { symbols: ['삼성전자', 'SK하이닉스'] }],
    ['compare AAPL and MSFT', { symbols: ['AAPL', 'MSFT'] }],
    ['compare aapl and msft', { symbols: ['aapl', 'msft'] }],
    ['Apple vs Tesla', { symbols: ['Apple', 'Tesla'] }],
  ],
  convert_currency: [
    ['100달러는 몇 원이야?', { amount: '100', from: 'USD', to: 'KRW' }],
    ['100달러 얼마야', { amount: '100', from: 'USD', to: 'KRW' }],
    ['5만원은 몇 달러야?', { amount: '50000', from: 'KRW', to: 'USD' }],
    ['1.5억원 달러로', { amount: '150000000', from: 'KRW', to: 'USD' }],
    ['백만원 달러로', { amount: '1000000', from: 'KRW', to: 'USD' }],
    ['1만엔 얼마예요?', { amount: '10000', from: 'JPY', to: 'KRW' }],
    ['$250 to won', { amount: '250', from: 'USD', to: 'KRW' }],
    ['convert 1,000 usd to krw', { amount: '1000', from: 'USD', to: 'KRW' }],
    ['how much is 99.50 euros in dollars', { amount: '99.5', from: 'EUR', to: 'USD' }],
    ['dollar to won', { amount: '1', from: 'USD', to: 'KRW' }],
    ['1억3천만원은 몇 달러?', { amount: '130000000', from: 'KRW', to: 'USD' }],
    ['2만5천달러 원화로', { amount: '25000', from: 'USD', to: 'KRW' }],
    ['how many won is 50 bucks', { amount: '50', from: 'USD', to: 'KRW' }],
    ['0.5 BTC in KRW', { amount: '0.5', from: 'BTC', to: 'KRW' }],
  ],
  get_market_hours: [
    ['넥스트레이드 몇 시까지 해?', { market: 'nxt' }],
    ['코스피 언제까지 해?', { market: 'krx' }],
    ['오늘 장 열려?', { asks: 'open' }],
    ['한국장 몇 시에 열어', { market: 'krx' }],
    ['내일 미국장 열어?', { market: 'us', date: '2026-11-17', asks: 'open' }],
    ['장 언제 끝나?', {}],
    ['오늘 휴장이야?', { asks: 'closed' }],
    ['2026-12-25 미국장 열어?', { market: 'us', date: '2026-12-25', asks: 'open' }],
    ['is the market open', { asks: 'open' }],
    ['when does NYSE close?', { market: 'nyse' }],
    ['is the US market open tomorrow?', { market: 'us', date: '2026-11-17', asks: 'open' }],
    ['크리스마스에 미국장 열어?', { market: 'us', date: '2026-12-25', asks: 'open' }],
  ],
  get_news: [
    ['비트코인 뉴스', { symbol: '비트코인' }],
    ['뉴스', {}],
    ['오늘 뉴스 5개', { limit: 5 }],
    ['news on NVIDIA', { symbol: 'NVIDIA' }],
    ['latest news about Tesla', { symbol: 'Tesla' }],
    ['market news', {}],
  ],
  get_market_overview: [
    ['시장 어때', { of: 'markets' }],
    ['오늘 증시 어때?', { of: 'markets' }],
    ['코인 시장 어때', { of: 'crypto' }],
    ['How is the market doing?', { of: 'markets' }],
    ['how is crypto doing', { of: 'crypto' }],
  ],
  get_fundamentals: [
    ['애플 PER', { symbol: '애플', only: PER }],
    ['삼성전자 per 알려줘', { symbol: '삼성전자', only: PER }],
    ['삼성전자 시총 얼마야', { symbol: '삼성전자', only: ['marketCap'] }],
    ['삼성전자 배당 얼마야?', { symbol: '삼성전자', only: DIVIDEND }],
    ['삼성전자 배당락일', { symbol: '삼성전자', only: ['exDividendDate'] }],
    ['삼성전자 재무제표', { symbol: '삼성전자' }],
    ["Apple's P/E", { symbol: 'Apple', only: PER }],
    ["what's the market cap of Tesla", { symbol: 'Tesla', only: ['marketCap'] }],
    ["What is Apple's dividend?", { symbol: 'Apple', only: DIVIDEND }],
  ],
  get_indicators: [
    ['삼성전자 RSI 알려줘', { symbol: '삼성전자', only: ['rsi'] }],
    ['애플 52주 최고가', { symbol: '애플', only: ['year'] }],
    ['RSI of Nvidia', { symbol: 'Nvidia', only: ['rsi'] }],
    ['삼성전자 보조지표', { symbol: '삼성전자' }],
  ],
  get_earnings_calendar: [
    ['엔비디아 실적 언제야', { symbols: ['엔비디아'] }],
    ['이번 실적 발표 일정', {}],
    ['NVIDIA earnings', { symbols: ['NVIDIA'] }],
    ['earnings this week', {}],
  ],
  get_history: [
    ['삼성전자 최근 3개월 주가 추이', { symbol: '삼성전자', range: '3mo' }],
    ['애플 1년간 얼마나 올랐어?', { symbol: '애플', range: '1y' }],
    ['삼성전자 5월에 얼마였어', { symbol: '삼성전자', from: '2026-05-01', to: '2026-05-31' }],
    ['Tesla price in 2020', { symbol: 'Tesla', from: '2020-01-01', to: '2020-12-31' }],
    ['how did Apple do in May', { symbol: 'Apple', from: '2026-05-01', to: '2026-05-31' }],
    ["what was apple's price on 2026-10-01", { symbol: 'apple', from: '2026-10-01', to: '2026-10-01' }],
    ['6개월 전 애플 주가', { symbol: '애플', from: '2026-05-16', to: '2026-05-16' }],
    ['S&P 500 this year', { symbol: 'S&P 500', range: 'ytd' }],
    ['how much has Tesla gone up over the past year', { symbol: 'Tesla', range: '1y' }],
  ],
  calculate: [
    ['12*(3+4)', { expression: '12*(3+4)' }],
    ['what is 15% of 240', { expression: '15% of 240' }],
    ['240의 15%', { expression: '240의 15%' }],
    ['10만원의 15%는?', { expression: '10만원의 15%' }],
    ['연 5% 복리로 1000만원 10년', { expression: '1000만원 * (1 + 5%)^10' }],
    ['1000만원을 12로 나누면?', { expression: '1000만원 / 12' }],
    ['1+1은?', { expression: '1+1' }],
    ['100/4는 얼마', { expression: '100/4' }],
    ['sqrt(2)', { expression: 'sqrt(2)' }],
    ['1억 * 0.05', { expression: '1억 * 0.05' }],
  ],
  get_datetime: [
    ['지금 몇 시야?', {}],
    ['what time is it in new york', { timeZone: 'new york' }],
  ],
  get_quote: [
    ['국장 어때', { symbols: ['코스피', '코스닥'] }],
    ['미장', { symbols: ['S&P 500', '나스닥', '다우존스'] }],
    ['price of gold', { symbols: ['GC=F'] }],
    ['dow jones', { symbols: ['^DJI'] }],
    ['미국 10년물 금리', { symbols: ['^TNX'] }],
    ['btc price in won', { symbols: ['BTC-KRW'] }],
  ],
  search_symbol: [
    ['삼성전자 종목코드', { query: '삼성전자' }],
    ['what is the ticker of Tesla', { query: 'Tesla' }],
  ],
};
const ALL = Object.entries(QUESTIONS).flatMap(([tool, questions]) =>
  questions.map(([sentence, input]) => ({ sentence, tool, input })),
);

/** Nothing is run: only the inputs are looked at. */
const clock = new ManualClock();
const tools = new Map(
  [
    ...createFinanceTools({ ...quietServices, markets: {} as MarketQueries, symbols, clock }),
    getDatetime({ clock }),
  ].map((tool) => [tool.definition.name, tool]),
);
const problemWith = (tool: string, input: Input): string | undefined =>
  tools.has(tool) ? tools.get(tool)?.problemWith(input) : `no tool ${tool}`;

/** With names and without: a quote, a chart or the news of a company would be absurd. */
const ORDINARY = [
  '커피 얼마야?',
  '이 노트북 가격 얼마야',
  '우리 강아지 어때?',
  '나무가 예쁘다',
  '대상은 누구야?',
  '남성 옷 가격 얼마야',
  '한국 어때?',
  '미국 여행 어때?',
  '기업은 어떻게 성장해?',
  '진도 어디까지 나갔어?',
  '태양은 얼마나 커?',
  '레몬 얼마야',
  '비자 발급 비용 얼마야?',
  '서연이 어때?',
  '현대 사회는 어때',
  '신라 시대는?',
  '전방에 뭐가 있어',
  '주식 어떻게 시작해?',
  'ETF가 뭐야?',
  '집값 얼마야?',
  '쌀값 얼마야',
  '반도체 어때?',
  'AI 주가',
  '오늘 기분 어때?',
  '사랑해',
  '대박',
  '부동산 시장 어때?',
  '정치 뉴스',
  '내 차트가 안 보여',
  '그래프 그리는 법',
  '5만원 있어',
  '커피 5달러야',
  '우리 회사 실적 어때',
  '애플 파이 얼마야',
  '스타벅스 커피 얼마야',
  '테슬라 차 얼마야',
  '나는 애플을 좋아해',
  '2+1 행사',
  '3일 동안 뭐 했어',
  '애플 실적 어때?',
  'I love you all',
  'that is all for now',
  'I need help with my job',
  'how much is a coffee',
  'how much is lunch',
  'how much is an apple',
  'nice',
  'cool',
  'my target is to run',
  'best price',
  'fair price',
  'top stocks',
  'hot stocks today',
  'tech stocks',
  'real life is hard',
  'I am in the US',
  'IT is great',
  'how is life',
  'who won the game',
  'rice price',
  'how much is it in won',
  'when does the store open',
  'the bank is closed',
  'amazon delivery price',
  'google it',
  'buy 10 shares of Apple',
  '삼성전자 10% 오르면 얼마야',
  '네이버 웹툰 어때',
  '노트북 300달러 넘으면 얼마 더 내?',
  'good chart',
  'PER이 뭐야?',
  'what is RSI?',
  '24/7',
  '50/50',
  '2026-11-15',
  '010-1234-5678',
  '6 months ago',
];

describe('questions about more than prices', () => {
  everyRow(ALL)('"$sentence" is for $tool: $input', ({ sentence, tool, input }) => {
    expect(read(sentence)).toEqual({ kind: 'call', tool, input });
  });

  it('ask every tool for what it takes', () => {
    expect(ALL.flatMap(({ tool, input }) => problemWith(tool, input) ?? [])).toEqual([]);
  });

  it('survive any text: whatever is called is called with what it takes', () => {
    const words = fc.constantFrom(
      ...(
        '얼마 price 삼성전자 AAPL 삼성 , 은 😀 \u0000 차트 chart 비교 vs 뉴스 10개 1년 RSI PER 실적 시장 market open ' +
        `100달러 $1,000,000 원으로 to 12*3 ( % 's 종목코드 추이 내일 ${'x'.repeat(120)}`
      ).split(' '),
    );
    const anything = fc.oneof(
      anyText({ maxLength: 300 }),
      fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(anything, fc.array(words, { maxLength: 8 }), (text, last) => {
        const intent = read(text, last);
        if (intent.kind === 'call') expect(problemWith(intent.tool, intent.input)).toBeUndefined();
      }),
    );
  });

  everyRow(ORDINARY)('"%s" looks nothing up', (sentence) => {
    expect(read(sentence, ['AAPL']).kind).not.toBe('call');
  });

  it.each<[string, string, Input]>([
    ['1년 차트', 'make_chart', { symbols: ['애플', '테슬라'], range: '1y' }],
    ['시총', 'get_fundamentals', { symbol: '애플', only: ['marketCap'] }],
    ['RSI는?', 'get_indicators', { symbol: '애플', only: ['rsi'] }],
    ["what's its P/E?", 'get_fundamentals', { symbol: '애플', only: PER }],
  ])('"%s" goes on with what was asked about before', (sentence, tool, input) => {
    expect(read(sentence, ['애플', '테슬라'])).toEqual({ kind: 'call', tool, input });
    expect(read(sentence)).toEqual({ kind: 'which' });
  });

  it('do not go on with what no tool takes', () => {
    const names = ['', 'x'.repeat(101), 'AAPL'];
    expect(read('차트', names)).toMatchObject({ input: { symbols: ['AAPL'] } });
  });

  it('take a name with a mistake in it, so that the tool can ask back', () => {
    expect(read('삼성전지 차트')).toMatchObject({ tool: 'make_chart', input: { symbols: ['삼성전지'] } });
    expect(read('앤비디아 얼마야')).toMatchObject({ tool: 'get_quote', input: { symbols: ['앤비디아'] } });
  });
});
