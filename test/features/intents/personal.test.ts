import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Intent } from '#src/features/intents/intent.ts';
import { readIntent } from '#src/features/intents/read-intent.ts';
import type { MarketQueries } from '#src/features/open/market-queries.ts';
import { readAlert } from '#src/features/alerts/conditions/read-condition.ts';
import { readDays } from '#src/features/briefings/schedule.ts';
import { readTime } from '#src/reading/times.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { createFinanceTools } from '#src/features/open/tools.ts';
import { conditionText } from '#src/features/alerts/condition-input.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { quietServices } from '#test/support/quiet-services.ts';

const symbols = createSymbolSearch();
const today = Temporal.PlainDate.from('2026-11-13');
type Input = Readonly<Record<string, unknown>>;
const read = (sentence: string, last: readonly string[] = []): Intent =>
  readIntent(sentence, symbols, { last, today });

const bought = (symbol: string, quantity: string, price: string, currency?: string, date?: string) => ({
  kind: 'buy',
  symbol,
  quantity,
  price,
  ...(currency && { currency }),
  ...(date !== undefined && { date }),
});
const held = (...told: Parameters<typeof bought>) => ({ ...bought(...told), isOpening: true });
const exchanged = (amount: string, currency: string, rate: string) => ({
  kind: 'fx',
  amount,
  currency,
  rate,
  date: '2026-11-13',
});
const alert = (symbol: string, condition: string, value?: string, more: Input = {}) => ({
  symbol,
  condition,
  ...(value !== undefined && { value }),
  ...more,
});
const briefing = (time: string, days?: string, names?: readonly string[]) => ({
  action: 'set',
  time,
  ...(days && { days }),
  ...(names && { names }),
});

/** What people say about their own things, and what the tool is asked for. */
const WISHES: Readonly<Record<string, readonly (readonly [sentence: string, input: Input])[]>> = {
  get_portfolio: [
    ['내 포트폴리오 보여줘', {}],
    ['내 잔고', {}],
    ['내 수익률', {}],
    ['내 수익률 어때?', {}],
    ['내 주식 얼마야', {}],
    ['포트폴리오', {}],
    ['내 포트폴리오 차트 그려줘', {}],
    ['보유 종목 알려줘', {}],
    ['show my portfolio', {}],
    ['how is my portfolio doing', {}],
    ["How's my portfolio doing today?", {}],
    ['what do I own?', {}],
    ['how are my stocks doing?', {}],
    ['What is my portfolio worth?', {}],
    ["what's my average price on apple", {}],
    ['내 평단 얼마야 하이닉스', {}],
    ['삼전 몇 주 있어', {}],
    ['how many apple shares do i have', {}],
    ['현금 얼마 남았어', {}],
    ['how much cash do I have left?', {}],
  ],
  undo_transaction: [
    ['두번째 거래 지워', { number: 2 }],
    ['첫번째 거래 취소해줘', { number: 1 }],
    ['undo the second entry', { number: 2 }],
    ['3번 거래 취소해줘', { number: 3 }],
    ['마지막 거래 취소해줘', {}],
    ['아까 그거 취소해줘', {}],
  ],
  analyze_portfolio: [
    ['내 포트폴리오 분석해줘', {}],
    ['샤프 비율', {}],
    ['내 샤프 비율이 뭐야?', {}],
    ['내 포트폴리오 최근 6개월 수익률', { range: '6mo' }],
    ['내 포트폴리오 코스피 대비 성과', { benchmark: 'kospi' }],
    ['analyze my portfolio', {}],
    ['Analyse my portfolio with a chart', {}],
    ['how risky is my portfolio?', {}],
    ['how has my portfolio performed over the past year vs the S&P 500', { range: '1y', benchmark: 'sp500' }],
    ['what is my sharpe ratio', {}],
  ],
  set_alert: [
    ['tell me if apple falls under 290 today', alert('apple', 'below', '290', { expires: 'today' })],
    ['오늘 애플 290 밑으로 가면 알려줘', alert('애플', 'below', '290', { expires: 'today' })],
    ['애플 오늘 5% 오르면 알려줘', alert('애플', 'rises_percent', '5')],
    [
      '이번주 금요일까지만 애플 290 밑으로 가면 알려줘',
      alert('애플', 'below', '290', { expires: '이번주 금요일까지' }),
    ],
    ['alert me when nvda goes over 200 until friday', alert('nvda', 'above', '200', { expires: 'friday' })],
    [
      'alert when rsi of nvda goes over 70 until friday',
      alert('nvda', 'rsi_above', '70', { expires: 'friday' }),
    ],
    ['AAPL 200 넘으면 알려줘', alert('AAPL', 'above', '200')],
    ['삼성전자 8만원 되면 알려줘', alert('삼성전자', 'reaches', '80000 KRW')],
    ['삼성전자가 8만 5천원 밑으로 떨어지면 알려줘', alert('삼성전자', 'below', '85000 KRW')],
    ['테슬라 주가 $300 돌파하면 알림 설정해줘', alert('테슬라', 'crosses_above', '300 USD')],
    ['카카오 4만원 깨지면 꼭 알려주세요', alert('카카오', 'crosses_below', '40000 KRW')],
    ['비트코인 5% 떨어지면 알림', alert('비트코인', 'falls_percent', '5')],
    ['비트코인 -5% 되면 알려줘', alert('비트코인', 'falls_percent', '5')],
    ['엔비디아 지금보다 10% 오르면 알려줘', alert('엔비디아', 'rises_percent', '10', { fromNow: true })],
    ['테슬라 3% 이상 움직일 때마다 알려줘', alert('테슬라', 'moves_percent', '3', { repeat: true })],
    ['삼성전자 RSI가 30 아래로 내려가면 알려줘', alert('삼성전자', 'rsi_below', '30')],
    ['애플 52주 신고가 찍으면 알려줘', alert('애플', 'year_high')],
    ['SK하이닉스 골든크로스 나오면 알려줘', alert('SK하이닉스', 'golden_cross')],
    ['애플 200일선 아래로 떨어지면 알려줘', alert('애플', 'price_below_average', '200')],
    ['애플 거래량 3배 되면 알려줘', alert('애플', 'volume_times', '3')],
    ['테슬라 뉴스 나오면 알려줘', alert('테슬라', 'news')],
    ['비트코인 1억 넘으면 알려줘', alert('비트코인', 'above', '10000만')],
    ['환율 1400원 넘으면 알려줘', alert('환율', 'above', '1400 KRW')],
    ['005930 80,000원 이하로 떨어질 때 알려줘', alert('005930', 'below', '80000 KRW')],
    ['S&P 500 7000 넘으면 알려줘', alert('S&P 500', 'above', '7000')],
    ['tell me when AAPL is above 200', alert('AAPL', 'above', '200')],
    ['Let me know when Apple drops to $150', alert('Apple', 'below', '150 USD')],
    ['alert me if NVDA RSI drops below 30', alert('NVDA', 'rsi_below', '30')],
    ['alert me if Tesla falls 5%', alert('Tesla', 'falls_percent', '5')],
    ['notify me whenever BTC moves more than 4%', alert('BTC', 'moves_percent', '4', { repeat: true })],
    ['set an alert for MSFT at 500', alert('MSFT', 'reaches', '500')],
    ['ping me when Bitcoin crosses below 60k', alert('Bitcoin', 'crosses_below', '60000')],
    ['tell me when Apple hits a new 52-week high', alert('Apple', 'year_high')],
    ['alert me when TSLA goes above its 200-day moving average', alert('TSLA', 'price_above_average', '200')],
    ['tell me when there is news about Tesla', alert('Tesla', 'news')],
    ['오늘만 AAPL 200 넘으면 알려줘', alert('AAPL', 'above', '200', { expires: '오늘까지' })],
    ['tell me when AAPL is above 200 until today', alert('AAPL', 'above', '200', { expires: 'today' })],
    ['비트 1억 3천 넘으면 알려줘', alert('비트', 'above', '13000만')],
    ['애플이 200달러를 넘으면 여기에 알려줘', alert('애플', 'above', '200 USD', { here: true })],
  ],
  list_alerts: [
    ['내 알림 목록', {}],
    ['알림 보여줘', {}],
    ['내 알림', {}],
    ['my alerts', {}],
    ['which alerts do I have?', {}],
    ['알림 지워줘', {}],
  ],
  remove_alert: [
    ['AAPL 알림 지워줘', { which: 'AAPL' }],
    ['삼성전자 알림 취소해줘', { which: '삼성전자' }],
    ['내 알림 전부 삭제해줘', { which: 'all' }],
    ['delete my AAPL alert', { which: 'AAPL' }],
    ['Remove the alert for Tesla', { which: 'Tesla' }],
    ['delete all my alerts', { which: 'all' }],
    ['delete alert #k3f9x', { which: 'k3f9x' }],
  ],
  manage_watchlist: [
    ['관심종목에 삼성전자 추가', { action: 'add', names: ['삼성전자'] }],
    ['관심 종목에 애플이랑 테슬라 넣어줘', { action: 'add', names: ['애플', '테슬라'] }],
    ['add AAPL to my watchlist', { action: 'add', names: ['AAPL'] }],
    ['add AAPL, MSFT and Tesla to my watchlist', { action: 'add', names: ['AAPL', 'MSFT', 'Tesla'] }],
    ['관심종목에서 카카오 빼줘', { action: 'remove', names: ['카카오'] }],
    ['remove Tesla from my watchlist', { action: 'remove', names: ['Tesla'] }],
    ['관심종목 보여줘', { action: 'show' }],
    ['show my watchlist', { action: 'show' }],
    ["what's on my watchlist?", { action: 'show' }],
  ],
  set_briefing: [
    ['brief me now', { action: 'now' }],
    ['지금 브리핑 보내줘', { action: 'now' }],
    ['브리핑 바로 해줘', { action: 'now' }],
    ['오늘 시장 브리핑', { action: 'now' }],
    ['매일 아침 8시 반에 브리핑 보내줘', briefing('08:30', '매일')],
    ['평일 오전 7시에 시장 브리핑 해줘', briefing('07:00', '평일')],
    ['매주 월요일 9시에 삼성전자 브리핑 받고 싶어', briefing('09:00', '매주 월요일', ['삼성전자'])],
    ['send me a briefing at 08:30 on weekdays', briefing('08:30', 'on weekdays')],
    ['brief me every weekday at 7am', briefing('07:00', 'every weekday')],
    ['Send me a briefing every evening at 8:30', briefing('20:30', 'every evening')],
    ['briefing at 9:00 on mon, wed and fri', briefing('09:00', 'on mon, wed and fri')],
    ['내 브리핑 목록', { action: 'list' }],
    ['show my briefings', { action: 'list' }],
    ['브리핑 그만 보내줘', { action: 'remove' }],
    ['브리핑 취소해줘', { action: 'remove' }],
    ['cancel all my briefings', { action: 'remove', id: 'all' }],
    ['브리핑 그만', { action: 'remove' }],
    ['stop the briefing', { action: 'remove' }],
  ],
  record_transaction: [
    ['converted 1000 dollars at 1470 won', exchanged('1000', 'USD', '1470 won')],
    ['100만원 환전했어 1450원에', exchanged('1000000', 'KRW', '1450원')],
    ['예탁금 이자 1,234원 받았어', { kind: 'interest', amount: '1234', currency: 'KRW', date: '2026-11-13' }],
    ['earned $3.2 interest', { kind: 'interest', amount: '3.2', currency: 'USD', date: '2026-11-13' }],
    [
      '테슬라 배당 10달러 받았는데 세금 1.5달러 뗐어',
      { kind: 'dividend', symbol: '테슬라', amount: '10', currency: 'USD', tax: '1.5', date: '2026-11-13' },
    ],
    [
      'received a $10 dividend from Tesla, $1.5 tax withheld',
      { kind: 'dividend', symbol: 'Tesla', amount: '10', currency: 'USD', tax: '1.5', date: '2026-11-13' },
    ],
    [
      '수수료 3천원 내고 삼성전자 10주 7만원에 샀어',
      { ...bought('삼성전자', '10', '70000', 'KRW'), fee: '3000' },
    ],
    ['그리고 삼전 10주 7만원에 샀어', bought('삼전', '10', '70000', 'KRW')],
    ['and also bought 10 AAPL at 180', bought('AAPL', '10', '180')],
    ['테슬라 10주 평단 350불', held('테슬라', '10', '350', 'USD')],
    ['I have 10 nvda at 150 avg', held('nvda', '10', '150')],
    ['하이닉스 5주 60만원에 물탔어', bought('하이닉스', '5', '600000', 'KRW')],
    ['삼전 반 주 4만원에 샀어', bought('삼전', '0.5', '40000', 'KRW')],
    ['bought half a share of apple at 200', bought('apple', '0.5', '200')],
    ['bought ten apple at five hundred', bought('apple', '10', '500')],
    ['하이닉스1주60만8천원에삼', bought('하이닉스', '1', '608000', 'KRW')],
    ['비트코인 0.1개 1억 3천에 샀어', bought('비트코인', '0.1', '130000000', 'KRW')],
    ['비트코인 0.01개 1억 4천 5백만원에 샀어', bought('비트코인', '0.01', '145000000', 'KRW')],
    ['지난주 금요일에 애플 5주 180달러에 매수했어', bought('애플', '5', '180', 'USD', '2026-11-06')],
    ['bought 5 apple at 180 last friday', bought('apple', '5', '180', undefined, '2026-11-06')],
    ['삼성전자 10주 50달러에 샀어', bought('삼성전자', '10', '50', 'USD')],
    ['i have 20 msft at avg 350', held('msft', '20', '350')],
    ['카카오 100주 평단 4만2천원 보유중', held('카카오', '100', '42000', 'KRW')],
    [
      '삼성전자 10주 총 71만원에 샀어',
      {
        kind: 'buy',
        symbol: '삼성전자',
        quantity: '10',
        total: '710000',
        currency: 'KRW',
      },
    ],
    [
      '삼성전자 5주 7만2천원 매도',
      {
        kind: 'sell',
        symbol: '삼성전자',
        quantity: '5',
        price: '72000',
        currency: 'KRW',
      },
    ],
    [
      '테슬라 400달러에 다 팔았어',
      { kind: 'sell', symbol: '테슬라', quantity: 'all', price: '400', currency: 'USD' },
    ],
    [
      '삼성전자 배당금 5만원 받았어',
      { kind: 'dividend', symbol: '삼성전자', amount: '50000', currency: 'KRW', date: '2026-11-13' },
    ],
    ['어제 100만원 입금했어', { kind: 'deposit', amount: '1000000', currency: 'KRW', date: '2026-11-12' }],
    [
      '100만원을 730달러로 환전했어',
      {
        kind: 'fx',
        amount: '1000000',
        currency: 'KRW',
        toAmount: '730',
        toCurrency: 'USD',
        date: '2026-11-13',
      },
    ],
    ['삼성전자 10주 71000원에 샀어', bought('삼성전자', '10', '71000', 'KRW')],
    ['어제 애플 3주 주당 190.5달러에 매수했어요', bought('애플', '3', '190.5', 'USD', '2026-11-12')],
    ['11월 3일에 삼성전자 10주 7만 1천원에 샀어', bought('삼성전자', '10', '71000', 'KRW', '2026-11-03')],
    ['비트코인 0.5개 9천만원에 샀어', bought('비트코인', '0.5', '90000000', 'KRW')],
    ['AAPL 10주 180달러 매수 기록해줘', bought('AAPL', '10', '180', 'USD')],
    ['AAPL 5주 190달러에 팔았어 기록해줘', { ...bought('AAPL', '5', '190', 'USD'), kind: 'sell' }],
    ['I bought 10 AAPL at 180', bought('AAPL', '10', '180')],
    ['I just bought 1,000 shares of Tesla at $250.50 each', bought('Tesla', '1000', '250.5', 'USD')],
    [
      'sold 5 shares of Apple for $190 each yesterday',
      { ...bought('Apple', '5', '190', 'USD', '2026-11-12'), kind: 'sell' },
    ],
    ['I bought 10 AAPL at 180 on 2026-11-02', bought('AAPL', '10', '180', undefined, '2026-11-02')],
  ],
};
const ALL = Object.entries(WISHES).flatMap(([tool, wishes]) =>
  wishes.map(([sentence, input]) => ({ sentence, tool, input })),
);

const clock = new ManualClock();
/** Nothing is run: only the inputs are looked at. */
const tools = new Map(
  createFinanceTools({ ...quietServices, markets: {} as MarketQueries, symbols, clock }).map((tool) => [
    tool.definition.name,
    tool,
  ]),
);
const problemWith = (tool: string, input: Input): string | undefined =>
  tools.has(tool) ? tools.get(tool)?.problemWith(input) : `no tool ${tool}`;

/** What the alerts wait for then. */
const DRAFTS: Readonly<Record<string, Input>> = {
  above: { kind: 'price', side: 'above' },
  below: { kind: 'price', side: 'below' },
  reaches: { kind: 'price', side: 'reach' },
  crosses_above: { kind: 'price', side: 'crosses-above' },
  crosses_below: { kind: 'price', side: 'crosses-below' },
  rises_percent: { kind: 'percent', direction: 'up' },
  falls_percent: { kind: 'percent', direction: 'down' },
  moves_percent: { kind: 'percent', direction: 'either' },
  rsi_above: { kind: 'rsi', side: 'above' },
  rsi_below: { kind: 'rsi', side: 'below' },
  golden_cross: { kind: 'ma-cross', direction: 'up' },
  price_above_average: { kind: 'ma-cross', slow: 200, direction: 'up' },
  price_below_average: { kind: 'ma-cross', slow: 200, direction: 'down' },
  year_high: { kind: 'year-high' },
  volume_times: { kind: 'volume' },
  news: { kind: 'news' },
};

describe("wishes about one's own things", () => {
  everyRow(ALL)('"$sentence" is for $tool: $input', ({ sentence, tool, input }) => {
    expect(read(sentence)).toEqual({ kind: 'call', tool, input });
    expect(problemWith(tool, input)).toBeUndefined();
  });

  it('go on with what was asked about, where nothing else can be meant', () => {
    expect(read('8만원 되면 알려줘', ['삼성전자'])).toMatchObject({ input: { symbol: '삼성전자' } });
    expect(read('관심종목에 추가해줘', ['AAPL', 'TSLA'])).toMatchObject({
      input: { action: 'add', names: ['AAPL', 'TSLA'] },
    });
  });

  it('take back what was named only where it was just recorded', () => {
    const undo = { kind: 'call', tool: 'undo_transaction', input: {} };
    expect(read('하이닉스 매수 취소해줘', ['000660.KS'])).toEqual(undo);
    expect(read('하이닉스 매수 취소해줘', ['AAPL'])).toEqual({ kind: 'undo-which' });
  });

  it('about single entries show the portfolio, and how the entries are shown', () => {
    expect(read('거래내역 보여줘')).toEqual({
      kind: 'call',
      tool: 'get_portfolio',
      input: {},
      beside: 'entries',
    });
  });

  everyRow(WISHES['set_alert'] ?? [])('"%s" is read by the alerts as it is passed on', (_sentence, input) => {
    const wish = input as { readonly symbol: string; readonly condition: never; readonly value?: string };
    expect(readAlert(conditionText(wish))).toMatchObject({
      status: 'read',
      name: wish.symbol,
      draft: DRAFTS[wish.condition],
    });
  });

  it('pass on times and days that are read there as they were meant', () => {
    const schedules = (WISHES['set_briefing'] ?? []).flatMap(([, { time, days }]) =>
      typeof time === 'string'
        ? [
            `${readTime(time)?.value.time.toString()} ${readDays(typeof days === 'string' ? days : undefined)?.join('')}`,
          ]
        : [],
    );
    expect(schedules).toEqual([
      '08:30:00 1234567',
      '07:00:00 12345',
      '09:00:00 1',
      '08:30:00 12345',
      '07:00:00 12345',
      '20:30:00 1234567',
      '09:00:00 135',
    ]);
  });

  it.each(['삼성전자 전량 매도했어', '애플 절반 팔았어', 'I sold all my Apple shares'])(
    'ask how much it was where only the records know: %s',
    (sentence) => {
      expect(readIntent(sentence, symbols)).toEqual({ kind: 'trade' });
    },
  );

  it('date nothing where the day is not known', () => {
    expect(readIntent('I bought 10 AAPL at 180', symbols)).toEqual({ kind: 'trade' });
  });

  it('survive any text: whatever is called is called with what it takes', () => {
    const words = fc.constantFrom(
      ...(
        '삼성전자 AAPL 비트코인 코스피 삼성 샀어 팔았어 bought sold I 10주 0.5개 1e9 at 71000원에 180달러에 $5 999999999999999 ' +
        '0 1,000,000,000,000,000 어제 2026-02-31 13월 32일 알려줘 되면 넘으면 alert me if above below RSI 5% 알림 지워줘 #abc ' +
        '관심종목에 추가 watchlist remove 내 my 포트폴리오 portfolio 분석 1년 브리핑 매일 25시 8:99 every mon ? , ' +
        'x'.repeat(120)
      ).split(' '),
    );
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
        (text) => {
          const intent = read(text);
          if (intent.kind === 'call') expect(problemWith(intent.tool, intent.input), text).toBeUndefined();
        },
      ),
      { numRuns: 100 },
    );
  });
});
