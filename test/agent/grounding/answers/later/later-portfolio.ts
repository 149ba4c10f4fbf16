import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from a portfolio, first set. */
export const FIRST_PORTFOLIO_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '현재 포트폴리오 총 평가금액은 약 4,965만 원이고, 그중 현금은 325만 원(약 6.5%)입니다. 평가손익은 +17,392,870원(+59.96%)이에요.',
    { own: '내 포트폴리오 상태 알려줘' },
  ),
  ko(`| 종목 | 수량 | 평단 | 현재가 | 수익률 |
|---|---:|---:|---:|---:|
| 삼성전자 | 120주 | 71,400원 | 102,300원 | +43.28% |
| SK하이닉스 | 8주 | 212,000원 | 561,000원 | +164.62% |
| 애플 | 25주 | $188.20 | $272.95 | +45.03% |
| 엔비디아 | 40주 | $121.35 | $190.17 | +56.71% |
| KODEX 200 | 150주 | 38,150원 | 56,420원 | +47.89% |`),
  ko(`| 종목 | 평가금액 | 비중 |
|---|---:|---:|
| 삼성전자 | 12,276,000원 | 24.72% |
| 엔비디아 | 11,161,838원 | 22.48% |
| 애플 | 10,012,830원 | {{21.07%|20.17%}} |
| KODEX 200 | 8,463,000원 | 17.04% |
| SK하이닉스 | {{4,848,000원|4,488,000}} | 9.04% |`),
  ko(
    '수익률이 가장 높은 종목은 SK하이닉스로 +164.62%(2,792,000원)입니다. 금액으로는 엔비디아가 원화 기준 약 441만 원으로 가장 크고요.',
    { own: '제일 많이 번 종목이 뭐야' },
  ),
  mixed(
    '오늘 portfolio는 {{214,700원 올랐습니다|내렸습니다}}({{0.46%|?}}). SK hynix가 1.92% 빠진 영향이 컸어요.',
  ),
  ko(
    '2025년 7월 1일부터의 시간가중수익률은 38.42%(연환산 26.77%)로, 코스피(30.64%)를 약 7.8%p 앞섰습니다. 변동성은 22.81%, 샤프 지수는 1.12예요.',
  ),
  ko(`**위험 분석**
- 변동성: 22.81%
- 최대 낙폭: -17.35% (7월 10일 → 8월 5일, 9월 18일 회복)
- 샤프: {{1.58|1.12}}
- 95% VaR: 하루 2.31% (약 115만 원)`),
  ko(
    '올해 해외주식 양도차익은 418만 원입니다. 기본공제 250만 원을 빼면 과세표준은 168만 원이고, 예상 세금은 지방소득세 포함 369,600원이에요.',
    { own: '올해 양도세 얼마 나와?' },
  ),
  ko(
    '양도차익 418만 원에서 기본공제 250만 원을 빼면 {{186만 원|168만}}이 과세 대상이고, 양도소득세 336,000원에 지방소득세 33,600원을 더해 총 369,600원입니다.',
  ),
  ko(
    '달러 자산 비중이 42.65%라 환율 영향을 꽤 받습니다. 지금까지 환차익이 약 100만 4천 원, 주가 상승으로 번 게 약 1,639만 원이에요.',
  ),
  ko(
    '애플은 달러로 2,118.75달러(45.03%) 이익이고, 원화로는 {{3,347,417원|3,743,417}}(59.71%) 이익입니다. 환율 덕을 63만 원 정도 보셨네요.',
  ),
  ko(
    '기술주 비중이 76.41%로 높습니다. 삼성전자와 하이닉스만 합쳐도 33.76%이고, 상위 5개 종목이 93.45%를 차지해요. 1. 현금 비중을 늘리거나 2. 다른 업종을 섞는 방법을 고려해 보세요.',
  ),
  ko(
    '삼성전자를 20주 더 사시면 2,046,000원이 들고 현금은 {{1,402,000원|1,204,000}}이 남습니다. 평단은 약 75,800원으로 올라가요.',
    { own: '삼전 20주 더 사면 어떻게 돼?' },
  ),
  en(
    "Your portfolio is worth about ₩49.65 million, including ₩3.25 million in cash. You're up ₩17.39 million (59.96%) on a cost of ₩29.0 million.",
    { own: 'how is my portfolio?' },
  ),
  en(`- **Samsung:** 120 shares, +43.28%
- **SK hynix:** 8 shares, +164.62%
- **Apple:** 25 shares, {{+54.03%|+45.03%}}
- **NVIDIA:** 40 shares, +56.71%
- **KODEX 200:** 150 shares, +47.89%`),
  en(
    'Since July 1, 2025 your time-weighted return is 38.42%, against 30.64% for the KOSPI. The worst drawdown was 17.35%, from July 10 to {{September 18|August 5}}, 2026.',
  ),
  en(
    'Samsung is your largest position at 24.72%, followed by NVIDIA (22.48%) and Apple (20.17%). Together these three make up about 67% of the portfolio.',
  ),
  en(
    'Your 1-day 95% VaR is 2.31%, or about ₩1.15 million. The Sharpe ratio is 1.12 and the Sortino is 1.58, assuming a 3% risk-free rate.',
  ),
  en(
    'Your estimated tax for 2026 is ₩369,600: income tax of ₩336,000 plus ₩33,600 local tax, on a taxable amount of {{₩4,180,000|1,680,000}} after the ₩2.5 million deduction.',
  ),
  en(
    "You hold 40 NVIDIA shares at an average cost of {{$190.17|121.35}}. They're worth $7,606.80, a gain of $2,752.80.",
  ),
  en(
    'Realised gains so far are ₩1,284,000 and dividends ₩412,300, so about ₩1.7 million in total. Unrealised gains are {{₩1.74 million|17.4 million}}.',
  ),
  mixed('현재 총 49,651,668원, unrealised gain은 +59.96%입니다. USD exposure가 42.65%, KRW가 57.35%예요.'),
];

/** Answers from a portfolio, second set. */
export const SECOND_PORTFOLIO_ANSWERS: readonly WrittenAnswer[] = [
  ko('총 자산은 약 4,965만 원이고, 이 중 주식이 4,640만 원, 현금이 325만 원(약 6.5%)이에요.', {
    own: '내 포트폴리오 요약해줘',
  }),
  en(
    "You're up ₩17.39 million (59.96%) on paper: about ₩16.39 million from share prices and roughly ₩1 million from the stronger dollar.",
    { own: 'How is my portfolio doing?' },
  ),
  ko('오늘은 전일 대비 {{2,147,000원|214,700}}(-0.46%) 줄었어요. 하이닉스 하락 영향이 컸습니다.'),
  en(
    'Samsung is your largest position at 24.72%, followed by NVIDIA at 22.48% and Apple at {{21.07%|20.17}}.',
  ),
  ko(
    `보유 종목은 총 5개입니다.

| 종목 | 수량 | 평단 | 현재가 | 수익률 | 비중 |
|---|---|---|---|---|---|
| 삼성전자 | 120주 | 71,400원 | 102,300원 | +43.28% | 24.72% |
| SK하이닉스 | 8주 | 212,000원 | 561,000원 | +164.62% | 9.04% |
| 애플 | 25주 | $188.20 | $272.95 | +45.03% | 20.17% |
| 엔비디아 | 40주 | $121.35 | $190.17 | +56.71% | 22.48% |
| KODEX 200 | 150주 | 38,150원 | 56,420원 | +47.89% | 17.04% |

미국 주식 수익률은 달러 기준이에요.`,
    { own: '보유종목 표로 정리해줘' },
  ),
  en(
    `| Holding | Shares | Value | Gain |
|---|---|---|---|
| Samsung | 120 | ₩12,276,000 | +43.28% |
| SK hynix | 8 | ₩4,488,000 | +164.62% |
| KODEX 200 | 150 | {{₩8,643,000|8,463,000}} | +47.89% |

Those are the won-denominated ones.`,
    { own: 'Show my Korean holdings' },
  ),
  ko(
    'SK하이닉스가 수익률 1위예요. 평단 212,000원에 8주, 현재 561,000원이니 +164.62%, 금액으로는 279만 2,000원입니다.',
    { own: '내 종목 중 제일 많이 오른 게 뭐야' },
  ),
  ko('KODEX 200은 150주, 평단 38,150원이고 평가손익은 {{+2,792,000원|2,740,500}}(+47.89%)입니다.'),
  mixed(
    'NVDA 40주, 평단 $121.35 → 현재 $190.17, USD 기준 +56.71%, 원화 기준 +65.29%입니다. FX 덕을 좀 봤어요.',
  ),
  mixed(
    'AAPL은 unrealised gain이 $2,118.75(+45.03%)이고, 원화로는 {{+3,108,947원|3,743,417}}(+59.71%)이에요.',
  ),
  en(
    'Risk numbers since July 2025: volatility 22.81%, Sharpe 1.12, Sortino 1.58. The worst stretch was a 17.35% drawdown from July 10 to August 5, and you were back at the old high by September 18.',
  ),
  en('Your Sharpe ratio is {{1.58|1.12}}, assuming a 3% risk-free rate.'),
  ko('시간가중 수익률 38.42%는 같은 기간 코스피(30.64%)보다 7.78%포인트 높아요. 연환산으로는 26.77%입니다.', {
    own: '코스피는 이겼어?',
  }),
  ko('시간가중 수익률은 38.42%로, 코스피의 30.64%를 {{8.87%포인트|7.78}} 앞섰습니다.'),
  ko(
    '올해 양도차익 418만 원에서 기본공제 250만 원을 빼면 과세표준이 168만 원이고, 예상 세금은 소득세 336,000원 + 지방소득세 33,600원 = 369,600원이에요.',
    { own: '해외주식 양도세 얼마 나와?' },
  ),
  ko('과세표준 168만 원 기준으로 예상 세금은 {{396,600원|369,600}}입니다. 내년 {{5월|?}}에 신고하시면 돼요.'),
  en(
    "42.65% of the portfolio is in dollars and 57.35% in won. If the dollar dropped 5% against the won, you'd lose about ₩1.06 million on your two US stocks.",
    { own: 'What happens if the dollar falls 5%?' },
  ),
  en(
    'The one-day 95% value at risk is 2.31%, or about {{₩114,695|1,146,954}}. On most days you should lose less than that.',
  ),
  ko(
    '8주 중 절반인 4주를 561,000원에 팔면 224만 4,000원이 들어오고, 실현이익은 139만 6,000원이에요. 남은 4주의 평가액도 똑같이 224만 4,000원입니다.',
    { own: '하이닉스 절반 팔면 얼마 남아?' },
  ),
  ko('20주를 현재가에 매도하면 204만 6,000원이 들어오고, 실현이익은 {{681,000원|618,000}}입니다.', {
    own: '삼성전자 20주 팔면 이익이 얼마야?',
  }),
  en('₩3,250,000 buys 57 shares of KODEX 200 at ₩56,420, which leaves ₩34,060 in cash.', {
    own: 'How many more KODEX 200 can I buy with my cash?',
  }),
  ko(
    '쏠림이 꽤 있는 편이에요. 삼성전자·엔비디아·애플 세 종목이 67.37%를 차지하고, 기술 섹터 비중은 76.41%입니다. 종목은 5개지만 유효 종목 수로는 4.61개 정도예요.',
    { own: '분산이 잘 돼 있어?' },
  ),
  en("Technology makes up {{67.41%|76.41}} of your holdings, so you're quite exposed to one sector."),
  ko(
    `## 포트폴리오 점검 (11월 13일)

**전체**
- 총 평가금액: 약 4,965만 원
- 평가손익: +1,739만 원 (+59.96%)
- 오늘: -214,700원 (-0.46%)

**손익 구성**
- 주가 상승분 약 1,639만 원, 환차익 약 100만 원이에요. 이익의 94%가 주가에서 나왔습니다.

**확정된 돈**
- 실현손익 128만 4,000원 + 배당 41만 2,300원 = 169만 6,300원

**한 줄 평**: 수익은 훌륭하지만 반도체 두 종목(삼성전자, SK하이닉스)만 33.76%라 업황에 민감합니다.`,
    { own: '포트폴리오 점검해줘' },
  ),
  en(
    "Overall you're in good shape. The portfolio is worth ₩49.65 million, of which ₩3.25 million is cash. NVIDIA is your biggest winner in won terms, with a gain of about ₩4.41 million, ahead of Apple (₩3.74 million) and Samsung ({{₩3.07 million|3.708 million}}). In percentage terms, though, SK hynix leads by a wide margin at 164.62%.",
    { own: 'Which of my stocks made the most money?' },
  ),
  ko('오늘 엔비디아는 {{1.77% 하락|1.77% 상승}}했고, 삼성전자는 0.29% 올랐어요.'),
  en("So far you've banked ₩1,284,000 of realised gains and ₩412,300 of dividends, ₩1,696,300 altogether."),
  ko(
    '최대 낙폭은 -17.35%였어요. 7월 10일 고점에서 8월 5일 저점까지 26일, 거기서 회복까지 44일 더 걸려 9월 18일에 전고점을 되찾았습니다.',
  ),
  ko(
    '지금 가격(561,000원)에 10주를 더 사면 총 18주, 평단은 약 405,889원이 됩니다. 필요한 돈은 561만 원인데 현금이 325만 원이라 236만 원이 부족해요.',
    { own: '하이닉스 10주 더 사면 평단 얼마 돼?' },
  ),
  en(
    'Adding 10 shares at $190.17 would take you to 50 shares with an average cost of about {{$138.11|135.11}}.',
    { own: 'What if I buy 10 more NVDA?' },
  ),
  ko(
    '현금 비중을 10%로 맞추려면 약 497만 원이 필요하니, 지금 325만 원에서 {{127만 원|약 172만 원}} 정도 더 확보하셔야 합니다.',
    { own: '현금 비중 10%로 맞추려면?' },
  ),
  en(
    "Money-weighted, you've made 31.07%, less than the time-weighted 38.42%. The gap of about 7.35 points suggests some of your money went in after prices had already risen.",
  ),
  ko('삼성전자가 10% 빠지면 평가액이 1,227,600원 줄고, 전체 포트폴리오로는 약 2.5% 손실이에요.', {
    own: '삼성전자 10% 떨어지면 내 계좌는?',
  }),
  en(
    'Apple: 25 shares, average cost {{$182.80|188.20}}, now $272.95. Gain {{$2,752.80|2,118.75}} (45.03%).',
    { own: 'my apple position' },
  ),
  ko('엔비디아가 20% 빠지면 평가액이 약 {{323만 원|223만 원}} 줄어들고, 전체의 4.5% 정도가 날아갑니다.', {
    own: '엔비디아 20% 폭락하면?',
  }),
  en(
    '₩369,600 on gains of ₩4,180,000 is an effective rate of about 8.8%, so you keep roughly ₩3.81 million.',
    { own: "what's my effective tax rate this year" },
  ),
  en(
    'After the ₩2,500,000 deduction you owe an estimated ₩369,600, an effective rate of about {{22%|8.8%}} on the whole ₩4,180,000 gain.',
  ),
  ko('미국 주식 두 종목은 합계 14,430.55달러, 원화로 약 2,117만 원이에요. 적용 환율은 1,467.35원입니다.'),
  ko('달러 자산 비중은 {{57.35%|42.65}}, 원화 자산은 {{42.65%|57.35}}입니다.'),
  mixed(
    'VaR(95%) 2.31% ≈ 115만 원, Sharpe 1.12, MDD -17.35%. Benchmark(KOSPI) 30.64% 대비 TWR 38.42%니까 성과는 좋습니다.',
  ),
  mixed('TWR 38.42%, annualised {{27.66%|26.77}}, MWR 31.07%로 나와요.'),
];
