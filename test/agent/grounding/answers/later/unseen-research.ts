import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from longer talks over many facts. */
export const RESEARCH_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    `## 현대차 점검

**주가 흐름**
오늘 268,500원으로 2.87% 올랐습니다. 20일선(259,350원)과 60일선(238,740원) 위에 있고, RSI는 68.42입니다.

**밸류에이션**
PER 5.62배, PBR 0.54배, 배당수익률 4.47%로 여전히 저평가로 볼 여지가 있습니다.

**위험 요인**
- 잉여현금흐름이 -8조 2,140억 원입니다.
- 52주 고점 294,500원까지는 26,000원 남았고, 단기 과열 가능성이 있습니다.

투자 판단은 본인의 몫이라는 점 참고해 주세요.`,
    { own: '현대차 어떻게 생각해?' },
  ),
  ko(`## LG에너지솔루션 요약
- 주가: 442,500원 (-1.23%)
- 시가총액: {{10조 3,545억 원|103조 5,450억 원}}
- 매출: 23조 7,180억 원 (-7.4%)
- 영업이익률: 3.61%, 순이익률: {{3.94%|-3.94}}
- 선행 PER: 88.68배

아직 순손실 상태라 실적 회복이 관건입니다.`),
  ko('현대차의 증권사 평균 목표주가는 {{325,000원|unknown}}으로, 현재가 268,500원보다 {{21%|?}} 높습니다.', {
    own: '현대차 목표주가 얼마야?',
  }),
  ko(
    'LG에너지솔루션의 예상 EPS는 4,990원이고, 북미 매출 비중은 약 {{43%|unknown}}입니다. PBR은 4.86배로 높은 편이에요.',
  ),
  ko(
    '카카오는 58,700원으로 마감했고, 외국인이 {{312억 원|unknown}}어치를 순매도했습니다. 거래량은 2,914,385주였습니다.',
  ),
  ko(
    `달러로 환산하면 이렇습니다(1달러 = 1,472.6원).

- 현대차 268,500원 → 약 182.33달러
- 카카오 58,700원 → 약 39.86달러
- LG에너지솔루션 442,500원 → 약 {{350.49달러|300.49}}`,
    { own: '오늘 종가들 달러로 바꿔줘' },
  ),
  ko(
    '코카콜라 한 주(71.25달러)는 원화로 약 104,923원이고, 펩시코 한 주(146.1달러)는 약 215,147원입니다. 펩시코가 대략 두 배 비싸죠.',
  ),
  ko('1,000만 원이면 지금 환율로 약 6,791달러이고, 71.25달러인 코카콜라를 {{105주|95}} 정도 살 수 있어요.', {
    own: '1000만원으로 코카콜라 몇주 살수있어?',
  }),
  ko(
    '그 종목은 오늘 448,000원에서 442,500원으로 5,500원 내렸고, 장중 최저는 438,000원이었습니다. 52주 최고가의 절반 밑으로 내려간 적은 없지만 최저가 266,000원은 고점의 51% 수준이었네요.',
    {
      own: 'LG에너지솔루션은? 오늘 어땠어',
    },
  ),
  en(`### Hyundai Motor at a glance

The stock closed at ₩268,500, up 2.87%, and is 8.83% below its 52-week high. Valuation looks undemanding: **5.62x** trailing earnings, **0.54x** book and a **4.47%** dividend yield.

On the chart, it trades above its 20-day (₩259,350), 60-day (₩238,740) and 120-day (₩225,180) averages. RSI is 68.42, close to overbought.

The weak spot is cash: free cash flow was about -₩8.2 trillion on revenue of ₩184.2 trillion.`),
  en(`### Coke or Pepsi?

Coca-Cola: 23.59x earnings, {{5.59%|2.86}} yield, beta 0.39.
PepsiCo: 27.78x earnings, 3.89% yield, beta {{0.54|0.45}}.

If income matters most, PepsiCo wins; for margins it's Coca-Cola (32.37% operating margin).`),
  en(
    'Analysts have an average price target of {{$79.50|unknown}} on Coca-Cola, which closed at $71.25 and trades at 22.13 times forward earnings.',
    {
      own: 'What do analysts think of KO?',
    },
  ),
  en(
    "PepsiCo's P/E of 27.78 compares with a sector average of about {{21|unknown}}, so it is not obviously cheap on trailing numbers. On forward earnings it is at 17.07.",
  ),
  en(
    'Your 0.3 BTC is worth $27,375.12, or ₩40,875,000 at the Korean price. The difference is mostly the 1.40% kimchi premium.',
    { own: 'I hold 0.3 BTC, value in dollars and won?' },
  ),
  en(
    'LG Energy Solution lost money over the past year (EPS of -₩4,321), while Hyundai Motor earned {{₩4,778|47,780}} per share. The market still values LG Energy Solution at ₩103.5 trillion versus ₩55.0 trillion for Hyundai.',
  ),
  en(
    'Hyundai rose from ₩261,000 to ₩268,500 today. If it went back to its 52-week high of ₩294,500, that would be another 9.7%; a return to the 20-day average at ₩259,350 would be a drop of {{5.4%|3.4}}.',
  ),
  en(
    "I don't have Hyundai's quarterly figures, but its trailing revenue is about ₩184 trillion and its profit margin 5.87%, which implies net income near ₩10.8 trillion.",
  ),
  mixed(`**Quick check**
- 현대차: 268,500원, P/E 5.62x, yield 4.47%
- Coca-Cola: $71.25, P/E 23.59x, yield 2.86%
- PepsiCo: $146.10, P/E 27.78x, yield 3.89%

Yield만 보면 현대차가 Coca-Cola보다 1.61%p 높아요.`),
  mixed(
    'Bitcoin RSI는 27.65로 oversold, 현대차는 {{86.42|68.42}}로 overbought 직전입니다. BTC는 52-week high 대비 27.70% 낮고 현대차는 {{3.53%|8.83}} 낮아요.',
  ),
  mixed(
    'KOSDAQ 902.67(+0.93%), USD/KRW 1,472.6원(+0.29%), BTC $91,250.40(-1.37%)입니다. VIX는 {{19.8|unknown}} 수준이에요.',
  ),
];
