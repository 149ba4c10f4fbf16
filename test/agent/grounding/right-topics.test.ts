import { describe, expect, it } from 'vitest';
import { checkAnswer } from '#src/agent/grounding/check-answer.ts';
import { markAnswer, missesIn } from '#src/agent/grounding/mark-answer.ts';
import { HISTORY, INDICATORS, QUOTES } from './answers/market-facts.ts';
import { CALENDAR, CURRENCIES, FUNDAMENTALS } from './answers/money-facts.ts';
import { PORTFOLIO_FACTS } from './answers/portfolio-facts.ts';
import type { FactSet } from './answers/written-answer.ts';

const checkOf = (answer: string, { facts, today }: FactSet) =>
  checkAnswer(answer, { facts, ownText: '', looseText: '', today: Temporal.PlainDate.from(today) });

/** The numbers of an answer that are struck or marked. */
const doubted = (answer: string, set: FactSet): readonly string[] =>
  missesIn(checkOf(answer, set)).map(({ text, verdict }) => `${text} ${verdict}`);

describe('a return', () => {
  it.each([
    '삼성전자의 수익률이 43.28%로 가장 낮습니다.',
    '삼성전자의 수익률은 43.28%로 다섯 종목 중 가장 낮은 편입니다.',
    'SK하이닉스의 수익률이 164.62%로 가장 높고, 삼성전자가 43.28%로 가장 낮습니다.',
    "Samsung's return of 43.28% is lower than Apple's 45.03%.",
    '환율 효과를 제외하면 애플 수익률은 59.71%에서 45.03%로 낮아집니다.',
    '삼성전자의 수익률은 애플의 45.03%보다 낮은 43.28%입니다.',
    '삼성전자 수익률(43.28%)은 가장 낮은 편입니다.',
  ])('may be lower than others without being a loss: %s', (answer) => {
    expect(doubted(answer, PORTFOLIO_FACTS)).toEqual([]);
  });

  it('may be the growth of a company', () => {
    expect(doubted('애플의 매출 성장률은 7.9%로 세 회사 중 가장 낮습니다.', FUNDAMENTALS)).toEqual([]);
    expect(doubted('애플의 성장률은 7.9%로 낮고 마이크로소프트는 18.4%로 높습니다.', FUNDAMENTALS)).toEqual(
      [],
    );
  });

  it('is a loss where a word of a move says so', () => {
    expect(doubted('삼성전자는 평단보다 43.28% 낮습니다.', PORTFOLIO_FACTS)).toEqual(['43.28% contradicted']);
  });

  it.each([
    '손실 중인 종목은 없고, 가장 수익이 적은 종목은 KODEX 200으로 274만 500원입니다.',
    '최대 손실 종목은 없으며 최저 수익률은 삼성전자 43.28%입니다.',
    '하락한 종목은 두 개뿐이고, 수익률은 SK하이닉스 164.62%, 애플 45.03%입니다.',
    '오늘 내렸어도 삼성전자 수익률은 43.28%입니다.',
    '애플이 환율 하락으로 손해를 봐도 아직 59.71% 수익입니다.',
    '애플은 59.71% 수익 중입니다.',
  ])('is not what another clause says: %s', (answer) => {
    expect(doubted(answer, PORTFOLIO_FACTS)).toEqual([]);
  });
});

it('a premium may be lower than another', () => {
  const answer = "Bitcoin's premium (2.44%) is slightly lower than Ethereum's (2.49%).";
  expect(doubted(answer, CURRENCIES)).toEqual([]);
});

it('a distance is not what a contrasted clause says', () => {
  expect(doubted('MACD가 하락 전환했으나 20일선 대비 이격은 2.29%입니다.', INDICATORS)).toEqual([]);
});

it.each([
  'SK하이닉스는 60만 원을 내주고 561,000원까지 떨어졌습니다.',
  '테슬라는 하루 만에 28.61달러를 잃었습니다.',
])('an amount that is given up or lost is no price: %s', (answer) => {
  expect(doubted(answer, QUOTES).join()).not.toContain('contradicted');
  expect(doubted('SK하이닉스는 651,000원을 기록했습니다.', QUOTES)).toEqual(['651,000원 contradicted']);
});

describe('a limit', () => {
  it.each(['삼성전자의 영업이익률은 10% 미만입니다.', "Apple's operating margin is over 30%."])(
    'is true: %s',
    (answer) => {
      expect(doubted(answer, FUNDAMENTALS)).toEqual([]);
    },
  );

  it('is not', () => {
    expect(doubted('삼성전자의 영업이익률은 8% 미만입니다.', FUNDAMENTALS)).toHaveLength(1);
    expect(doubted('애플의 영업이익률은 40% 이상입니다.', FUNDAMENTALS)).toHaveLength(1);
  });
});

describe('a right day', () => {
  it.each([
    '| 종목 | 1년 최고 | 1년 최저 | 현재 |\n|---|---|---|---|\n| 삼성전자 | 112,400원 (11월 4일) | 52,100원 (2025년 12월 9일) | 102,300원 |\n| 엔비디아 | $212.19 (10월 29일) | $86.62 (4월 7일) | $190.17 |',
    '| | 삼성전자 | 엔비디아 |\n|---|---:|---:|\n| 최고 | 112,400원 (11/4) | $212.19 (10/29) |\n| 최저 | 52,100원 (12/9) | $86.62 (4/7) |',
    '| 종목 | 고점 | 고점일 | 저점 | 저점일 |\n|---|---|---|---|---|\n| 삼성전자 | 112,400원 | 11/4 | 52,100원 | 12/9 |',
  ])('stands in the cell of its own number: %s', (answer) => {
    expect(doubted(answer, HISTORY)).toEqual([]);
  });

  it('may be that of the recovery, though its word follows that of the peak', () => {
    expect(doubted('MDD는 -17.35%(7/10~8/5)였고 9/18에 전고점을 회복했습니다.', PORTFOLIO_FACTS)).toEqual([]);
  });

  it('may be the last of those between which a company reports', () => {
    expect(doubted('- **1/26~1/29** SK하이닉스 실적 — 예상 EPS 16,340원', CALENDAR)).toEqual([]);
  });
});

it('a correction beside a tilde has no markup of its own', () => {
  const answer = '- **1/26~1/31** SK하이닉스 실적';
  expect(markAnswer(answer, checkOf(answer, CALENDAR), 'ko')).toContain('1/26~1/31 (→ 2027-01-26)');
});

describe('a figure of a company', () => {
  it.each([
    '| Company | P/E | Fwd P/E | EPS | Fwd EPS |\n|---|---|---|---|---|\n| Apple | 36.54 | 32.85 | $7.47 | $8.31 |',
    '| Metric | Samsung | Apple |\n|---|---|---|\n| EPS (TTM) | ₩4,684 | $7.47 |\n| EPS (fwd) | ₩8,997 | $8.31 |',
    '애플 Fwd PER 32.85배, TTM PER 36.54배',
    "Apple's 54.7x book is not very meaningful.",
    '삼성전자의 발행주식 수는 59억 1,964만 주입니다.',
  ])('has a short name: %s', (answer) => {
    expect(doubted(answer, FUNDAMENTALS)).toEqual([]);
  });

  it.each([
    '애플의 잉여현금흐름은 788억 6,200만 달러로 매출의 약 19%입니다.',
    '애플은 매출의 31.65%를 영업이익으로 남깁니다.',
    '삼성전자 배당성향은 약 31%입니다(1,452원 ÷ 4,684원).',
  ])('is not the whole of which another is a part: %s', (answer) => {
    expect(doubted(answer, FUNDAMENTALS).join()).not.toContain('contradicted');
  });
});

describe('an amount that is an example', () => {
  it.each([
    '100달러는 146,735원이고, 1,000달러는 약 146만 7,350원입니다.',
    '5만 엔이면 약 474,355원입니다.',
    '1유로는 약 1.16달러입니다.',
    '1달러는 약 154.67엔에 해당합니다.',
    '0.1 BTC는 약 1,395만 원입니다.',
    '1 BTC는 약 30 ETH에 해당합니다.',
    '100만 원으로 살 수 있는 비트코인은 약 0.00717 BTC입니다.',
  ])('is right with what it is in another currency: %s', (answer) => {
    expect(doubted(answer, CURRENCIES)).toEqual([]);
  });

  it.each(['1,000달러는 약 164만 7,350원입니다.', '0.1 BTC는 약 1,595만 원입니다.'])(
    'is doubted with what it is not: %s',
    (answer) => {
      expect(doubted(answer, CURRENCIES)).not.toEqual([]);
    },
  );
});

it.each([
  '양도소득세율은 22%(지방소득세 포함)이므로 예상 세금은 약 37만 원입니다.',
  '예금자보호 한도는 1인당 1억 원입니다.',
  '국내 주식 거래세는 0.15%입니다.',
  '미국 주식 배당에는 15%가 원천징수됩니다.',
])('the rate of a tax and the limit of a law need no source: %s', (answer) => {
  expect(doubted(answer, PORTFOLIO_FACTS)).toEqual([]);
});

describe('an answer about holdings', () => {
  it.each([
    '애플은 2,118.75달러, 원화로는 3,743,417원의 이익입니다.',
    '엔비디아는 121.35달러에 사셔서 지금 190.17달러입니다.',
    '삼성전자는 오늘 0.29%, 매수 이후 43.28% 상승했습니다.',
    '평가손익은 +17,392,870원(+59.96%)이고 일간 손익은 -214,700원(-0.46%)입니다.',
    '원화 환산: $6,823.75 × 1,467.35원 = 10,012,829원',
    '8월 5일 저점 이후 회복해 9월 18일 전고점을 넘었습니다.',
    '만약 삼성전자가 10% 하락해 92,070원이 되면 평가액은 11,048,400원이 됩니다.',
  ])('says what its words mean: %s', (answer) => {
    expect(doubted(answer, PORTFOLIO_FACTS)).toEqual([]);
  });

  it.each([
    '### 시나리오 분석\n\n| 구분 | 변동 | 평가액 변화 | 총자산 |\n|---|---:|---:|---:|\n| 상승 | +20% | +928만 원 | 5,893만 원 |\n| 하락 | -20% | -928만 원 | 4,037만 원 |',
    '전체 수익 중 환율로 얻은 부분은 약 5.8%(100만 원)입니다.',
  ])('has nothing struck that is supposed or a part: %s', (answer) => {
    expect(doubted(answer, PORTFOLIO_FACTS).join()).not.toContain('contradicted');
  });
});

describe('a share of the portfolio', () => {
  it('is not the largest one if no company is named beside it', () => {
    const answer = '**Should you trim Apple?**\n\nYour position: 25 shares. It’s 20.2% of your portfolio.';
    expect(doubted(answer, PORTFOLIO_FACTS)).toEqual([]);
  });

  it('is not that of another company', () => {
    expect(doubted('엔비디아 비중은 24.72%입니다.', PORTFOLIO_FACTS)).toHaveLength(1);
  });
});

it.each(['현금 비중은 6.55%에 불과합니다.', '현금 비중이 6.5%로 낮은 편입니다.'])(
  'cash has a share: %s',
  (answer) => {
    expect(doubted(answer, PORTFOLIO_FACTS)).toEqual([]);
    expect(doubted('현금 비중은 8.55%입니다.', PORTFOLIO_FACTS)).toHaveLength(1);
  },
);

it('a margin without a name is of none in particular', () => {
  const answer = 'Apple generated $78.9B of free cash flow on $416.2B in revenue, a margin of roughly 19%.';
  expect(doubted(answer, FUNDAMENTALS)).toEqual([]);
  expect(doubted("Apple's margin is 50%.", FUNDAMENTALS)).toEqual(['50% unsupported']);
  expect(doubted("Apple's operating margin is 50%.", FUNDAMENTALS)).toEqual(['50% contradicted']);
});

describe('the currency that pays', () => {
  it.each(['The won strengthened 0.21% against the euro.', '원화가 유로 대비 0.21% 강세를 보였습니다.'])(
    'rises where the rate falls: %s',
    (answer) => {
      expect(doubted(answer, CURRENCIES)).toEqual([]);
    },
  );

  it.each(['원화가 0.36% 강세를 보였습니다.', 'The won strengthened 0.36% against the dollar.'])(
    'does not rise with the rate: %s',
    (answer) => {
      expect(doubted(answer, CURRENCIES)).toHaveLength(1);
    },
  );

  it('buys a hundred yen for more than one', () => {
    expect(doubted('100엔당 9.4871원입니다.', CURRENCIES)).toHaveLength(1);
    expect(doubted('100엔당 948.71원, 1엔당 9.4871원입니다.', CURRENCIES)).toEqual([]);
  });
});

it('a wrong day of a high is replaced by a day', () => {
  const answer = '최고가 112,400원(10월 4일)을 기록한 삼성전자';
  expect(markAnswer(answer, checkOf(answer, HISTORY), 'ko')).toContain('~~10월 4일~~ 2026-11-04');
});

it('a return is not the one that it is lower than', () => {
  const answer =
    '회원님의 삼성전자 수익률(43.28%)이 1년 상승률(90.50%)보다 낮은 이유는 매수 시점 때문입니다.';
  const facts = [...PORTFOLIO_FACTS.facts, ...HISTORY.facts];
  expect(doubted(answer, { ...PORTFOLIO_FACTS, facts })).toEqual([]);
});
