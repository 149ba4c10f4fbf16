import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/judge/check-answer.ts';
import { markAnswer } from '#src/agent/grounding/mark/mark-answer.ts';
import { evidenceOf } from './evidence.ts';
import { ACCOUNT, QUOTES } from './market.ts';
import { doubtsAbout, doubtsIn } from './score.ts';

const EVIDENCE = evidenceOf([...QUOTES, ...ACCOUNT], '', [
  { from: 'tool', text: 'Apple Inc. (AAPL)\nMarket cap $3.38T · Revenue $416B' },
]);

/** Each was struck, replaced or marked by an earlier check. */
const RIGHT = [
  '52-week highs: Apple $260.10, Nvidia $212.19',
  'The 52-week highs are:\n- Apple: $260.10\n- Nvidia: $212.19\n- Tesla: $488.54\n- Microsoft: $555.45',
  '52-week lows: Apple $164.08, Nvidia $86.62',
  'Previous closes: Apple $225.00, Nvidia $183.60',
  'Day ranges: Apple $224.10–$229.85, Nvidia $180.05–$187.20',
  'Result: **Apple $228.40 (+1.51%)**',
  '- **삼성전자**: 3,575,000원 (+325,000원, +10.00%)',
  '엔비디아는 1,087.50달러어치 갖고 계세요.',
  '삼성전자에서 325,000원 벌고 있습니다.',
  'Apple has earned you $968.00 and Nvidia $187.50.',
  '총 매입금액은 9,460,000원입니다.',
  'Your cost basis is ₩9.46 million.',
  'You invested ₩9,460,000.',
  '평가손익 중 환율 효과는 127,249원입니다.',
  '- 환율 효과: +127,249원',
  '금액가중 수익률은 연 30.39%입니다.',
  '어제 삼성전자는 70,600원, SK하이닉스는 625,000원에 마감했습니다.',
  '삼성전자는 70,400~72,000원, SK하이닉스는 608,000~628,000원에서 움직였습니다.',
  '애플 매출 4160억 달러',
  '삼성전자 +900원, SK하이닉스 -13,000원, 카카오 0원',
  'Microsoft trades just shy of $500.',
  '- **현재가**: 71,500원 (+900원, +1.27%)',
  '- **현재가**: 71,500원 (▲900원, +1.27%)',
  '오늘 **71,500원**에 마감했습니다 (▲900원 / +1.27%)',
  '- **Price**: $228.40 (+$3.40, +1.51%)',
  '| 종목 | 현재가 | 전일비 | 등락률 |\n|---|---:|---:|---:|\n| 삼성전자 | 71,500 | +900 | +1.27% |\n| SK하이닉스 | 612,000 | -13,000 | -2.08% |',
  '환율 1,402.50원 (+6.30원)',
  '매수 단가 65,000원',
  '| 종목 | 비중 |\n|---|---|\n| 삼성전자 | 31.6% |\n| 나머지 | 68.4% |\n| 합계 | 100% |',
  '삼성전자 10주(715,000원)와 SK하이닉스 3주(1,836,000원)를 사면 합계 2,551,000원입니다.',
  '500만 원이면 69주(4,933,500원)를 살 수 있어요.',
  '전일 종가보다 +₩900 (+1.27%) 움직였습니다.',
  'Tesla gained $10.33 and sits about 16% below its 52-week high.',
  // Calculated in several steps, or from numbers that stand elsewhere.
  '10 Apple shares cost $2,284.',
  '삼성전자 7주와 카카오 3주를 합치면 624,250원이에요.',
  '삼성전자에 500만 원이면 69주를 살 수 있고 66,500원이 남아요.',
  '삼성전자를 현재가에 20주 더 사면 총 70주, 평단은 약 66,857원이 됩니다.',
  '삼성전자 30주를 팔면 2,145,000원이 들어오고 195,000원의 이익이 실현됩니다.',
  'If you had put $5,000 into Nvidia at its low of $86.62, it would be about $10,462 today.',
  'Half of your Samsung stake would be ₩1,787,500.',
  '삼성전자를 빼면 7,725,000원입니다.',
  '삼성전자가 10% 내리면 64,350원입니다.',
  '원/달러 환율이 1,450원이 되면 엔비디아 평가액은 약 157만 7천 원이 됩니다.',
  '| 종목 | 수량 | 금액 |\n|---|---|---|\n| 삼성전자 | 10 | 715,000 |\n| 카카오 | 20 | 825,000 |\n| 합계 | | 1,540,000 |',
  'Apple and Tesla closed at $228.40 and $412.30, respectively.',
  '원화가 달러 대비 0.45% 약세를 보이며 환율이 6.3원꼴로 올랐습니다.',
] as const;

/** One number or direction in each is not so. */
const WRONG = [
  ['Apple trades at $238.40.', ['$238.40 unsupported']],
  ['삼성전자는 현재 201,300원입니다.', ['201,300원 unsupported']],
  ['The 52-week high of Apple is $206.10.', ['$206.10 unsupported']],
  ['Nvidia trades at $228.40.', ['$228.40 value']],
  ['삼성전자는 현재 612,000원입니다.', ['612,000원 value']],
  ['삼성전자는 1.27% 하락했습니다.', ['1.27% direction']],
  ['Tesla fell 2.57% today.', ['2.57% direction']],
  ['시가총액은 약 912조 원입니다.', ['912조 원 unsupported']],
  ['애플의 시가총액은 33조 8,000억 달러입니다.', ['33조 8,000억 달러 unsupported']],
  ['총 매입금액은 9,640,000원입니다.', ['9,640,000원 unsupported']],
  // People are counted too.
  ['애플의 직원은 164,312명입니다.', ['164,312 unsupported']],
  ['10 Apple shares cost $2,484.', ['$2,484 unsupported']],
  ['삼성전자 배당수익률은 2.13%입니다.', ['2.13% unsupported']],
] as const;

describe('an answer about what the tools said', () => {
  it.each(RIGHT)('stands byte for byte: %s', (answer) => {
    const check = checkAnswer(answer, EVIDENCE);
    expect(doubtsIn(check)).toEqual([]);
    expect(markAnswer(answer, check, 'ko')).toBe(answer);
  });

  it.each(WRONG)('is asked about or marked where it is wrong: %s', (answer, doubts) => {
    expect(doubtsAbout(answer, EVIDENCE)).toEqual(expect.arrayContaining([...doubts]));
  });
});

const DONE = ['recorded', 'set'] as const;

describe("a tool's own line", () => {
  it.each([
    ['₩102,300  ▲ +₩300 (+0.29%) 전일 종가 대비', '오늘은 ₩102,300으로 +₩300 (+0.29%) 움직였어요.'],
    [
      '**Coins**\n| BTC | $92,831.38 | -4.53% |',
      '| 코인 | 가격 | 등락 |\n|---|---|---|\n| BTC | $92,831.38 | -4.53% |',
    ],
    ['Volume 10,293,115 · P/E 34.5', 'Its volume was 10.3 million, at 34.5 times earnings.'],
  ])('may be repeated without a fact: %s', (text, answer) => {
    expect(doubtsAbout(answer, evidenceOf([], '', [{ from: 'tool', text }]))).toEqual([]);
  });
});

describe("the person's own numbers", () => {
  it.each([
    ['삼성전자 5만원에 샀어', '5만 원에 사셨으니 주당 21,500원 이익입니다.'],
    ['삼성전자 137주를 갖고 있어', '137주는 9,795,500원입니다.'],
    ['애플 200달러인거지?', '200달러가 아니라 228.40달러입니다.'],
    ['삼성전자 20만원 가면 알려줘', '20만 원이 되면 알림을 드릴까요?'],
    ['I bought Apple at $150', 'You bought Apple at $150, so you are up 52.3%.'],
  ])('may be repeated and calculated with: %s', (asked, answer) => {
    expect(doubtsAbout(answer, evidenceOf(QUOTES, asked))).toEqual([]);
  });
});

describe('a claim of action', () => {
  it.each([
    ['기록했습니다.', [], ['기록했습니다. recorded']],
    ['Recorded.', [], ['Recorded. recorded']],
    ['기록했습니다.', DONE, []],
    ['삼성전자 7만원 알림을 설정했습니다.', DONE, []],
    ['삼성전자 알림을 삭제했습니다.', DONE, ['삼성전자 알림을 삭제했습니다. removed']],
  ] as const)('needs a receipt of its kind: %s %j', (answer, done, doubts) => {
    expect(doubtsAbout(answer, { ...evidenceOf(QUOTES, '7만원'), done })).toEqual(doubts);
  });
});

it('an explanation needs no source where nothing was looked up', () => {
  for (const answer of [
    '해외 주식 양도소득세는 22%이고, 연 250만 원까지 공제됩니다.',
    'RSI가 70을 넘으면 과매수, 30 아래면 과매도로 봅니다. 기간은 보통 14일을 씁니다.',
    '72의 법칙: 연 6% 복리면 원금이 두 배가 되는 데 약 12년이 걸립니다.',
    '예를 들어 주가가 50,000원이고 EPS가 5,000원이면 PER은 10배입니다.',
  ])
    expect(doubtsAbout(answer, evidenceOf([]))).toEqual([]);
});

it('an amount of money does not divide a volume into a ratio', () => {
  const texts = [{ from: 'tool', text: 'Volume 10,293,115 · 52-week high ₩168,000' } as const];
  expect(doubtsAbout('| 종목 | PER |\n|---|---|\n| 애플 | 61.27배 |', evidenceOf([], '', texts))).toEqual([
    '61.27배 unsupported',
  ]);
});
