import { describe, expect } from 'vitest';
import type { Intent } from '#src/features/intents/intent.ts';
import { readIntent } from '#src/features/intents/read-intent.ts';
import { createSymbolSearch } from '#src/markets/symbols/symbols.ts';
import { everyRow } from '#test/support/every-row.ts';

const symbols = createSymbolSearch();
const today = Temporal.PlainDate.from('2026-11-13');
const read = (sentence: string, last: readonly string[]): Intent =>
  readIntent(sentence, symbols, { last, today });

/** What sounds like a wish about one's own things and is none, or says too little. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  advice: [
    '내 포트폴리오 추천해줘',
    'should I sell my AAPL?',
    '삼성전자 8만원에 살까?',
    '내 주식 팔아야 해?',
    'will my portfolio go up?',
    '매수 추천해줘',
  ],
  trade: [
    'I bought 10 AAPL',
    '삼성전자 10주 샀어',
    '코스피 10주 2500에 샀어',
    'I bought 0 AAPL at 180',
    '삼성전자 999999999999주 999999원에 샀어',
    'add AAPL to my portfolio',
    '1000달러 환전했어',
  ],
  'how-many': ['삼성전자 100만원어치 샀어', '카카오 500만원어치 풀매수했어'],
  'no-such-day': [
    '삼성전자 10주 71000원에 샀어 12월 32일에',
    '2월 30일에 삼성전자 10주 7만원에 샀어',
    'bought 10 AAPL at 180 on 11/31',
  ],
  'future-day': ['내일 삼성전자 10주 7만원에 샀어', 'bought 10 AAPL at 180 on 2027-01-05'],
  'undo-all': [
    '모든 거래 삭제해줘',
    '거래 다 지워줘',
    'delete everything',
    'delete all my trades',
    '1번이랑 2번 거래 지워줘',
  ],
  'undo-which': ['하이닉스 매수 취소해줘', 'cancel my apple purchase'],
  alert: ['AAPL 알림 설정해줘', 'set an alert for Tesla', 'tell me when AAPL is between 190 and 210'],
  when: ['매일 아침 브리핑 보내줘', 'send me a daily briefing', '브리핑 해줘'],
  which: ['8만원 되면 알려줘', '관심종목에 추가해줘', '배당금 5만원 받았어', '삼성 10주 10만원에 샀어'],
  /** Of every day, of others, of what is not done, or with more than can be read. */
  unknown: [
    '비 오면 알려줘',
    '10시 되면 알려줘',
    '10 되면 알려줘',
    '배터리 20% 되면 알려줘',
    '노트북 300달러 되면 알려줘',
    '온도가 30도 넘으면 알려줘',
    '택배 오면 알려줘',
    'tell me when you are ready',
    'tell me when dinner is at 7',
    'alert me when the water is above 90',
    'let me know if you need 5 more',
    'AAPL 200 넘거나 150 밑으로 가면 알려줘',
    'AAPL 10주 180달러에 샀어?',
    '삼성전자 10주 71000원에 팔았어?',
    '삼성전자 사줘',
    'buy 10 AAPL',
    'buy me 10 AAPL at 180',
    '친구가 삼성전자 10주 71000원에 샀어',
    'my friend bought 10 AAPL at 180',
    'you bought 10 AAPL at 180',
    "I haven't bought 10 AAPL at 180",
    'if I had bought 10 AAPL at 180',
    '삼성전자 10주 71000원에 샀으면 얼마야',
    '작년에 삼성전자 샀으면 얼마 벌었을까',
    'if I had bought apple last year how much would I have made',
    '평단이 뭐야?',
    '삼성전자 10주 71000원에 안 샀어',
    '옷 2개 5만원에 샀어',
    '사과 10개 5천원에 샀어',
    'I bought 3 apples at 5 dollars',
    'I sold my car',
    '애플 샀어',
    '포트폴리오가 뭐야?',
    'what is a portfolio?',
    'what is a sharpe ratio?',
    '샤프 비율이 뭐야?',
    'AAPL 샤프 비율',
    '디자인 포트폴리오 보여줘',
    '내 통장 잔고',
    '알림 소리가 커',
    'my alarm is broken',
    '회의 브리핑 준비해야 해',
    'the briefing was long',
    'what is a watchlist?',
    '내일 8시에 브리핑 보내줘',
    '내 친구 어때?',
    '내 종목 코드',
    'my shares of the pizza',
  ],
};

describe('a sentence that asks for nothing that can be done', () => {
  everyRow(
    Object.entries(OTHERS).flatMap(([kind, sentences]) => sentences.map((sentence) => ({ kind, sentence }))),
  )('"$sentence" changes and looks up nothing: $kind', ({ kind, sentence }) => {
    // Nor does it go on with what was asked about before.
    const last = kind === 'unknown' ? ['AAPL'] : [];
    expect(read(sentence, last)).toEqual({ kind });
  });
});
