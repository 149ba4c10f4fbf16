import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from indicators, first set. */
export const FIRST_INDICATOR_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '애플의 RSI(14)는 64.83으로 과매수 기준인 70에 가까워지고 있지만 아직 넘지는 않았습니다. 종가 272.95달러는 20일선(266.84달러)보다 2.29% 위에 있어요.',
    { own: '애플 RSI 봐줘' },
  ),
  ko(`**이동평균선**
- 20일: $266.84 (+2.29%)
- 50일: $253.47 (+7.69%)
- 200일: $224.19 (+21.75%)

주가가 세 이동평균선 위에 있는 정배열 상태입니다.`),
  ko(`**이동평균선**
- 20일: $266.84
- 50일: {{$235.47|253.47}}
- 200일: $224.19

단기선이 장기선 위에 있어 추세는 우상향입니다.`),
  ko(
    'MACD는 5.21로 시그널선 5.68보다 낮고, 히스토그램은 {{+0.47|-0.47}}이라 단기 모멘텀이 약해지는 모습입니다.',
  ),
  ko(
    '볼린저 밴드 상단은 279.36달러, 하단은 254.32달러입니다. 현재가는 %B 기준 74.4% 지점으로 상단까지 6.41달러 남았어요.',
  ),
  ko(
    '애플은 52주 최고가 277.32달러(11월 10일)보다 1.58% 낮고, 최저가 169.21달러({{8월 4일|4월 8일}})보다는 61.31% 높은 위치입니다.',
  ),
  ko(
    'ATR(14)이 4.87달러(주가의 1.78%)이니, 2 ATR을 손절 폭으로 잡으면 약 9.74달러 아래인 263.21달러 부근이 됩니다. 어디까지나 참고용이에요.',
    { own: 'ATR 기준으로 손절가 잡아줘' },
  ),
  ko('ATR 2배를 손절 폭으로 쓰면 272.95 - 9.74 = {{236.21달러|263.21}} 정도가 손절 기준이 됩니다.', {
    own: 'ATR 2배로 손절 잡으면?',
  }),
  en(
    'RSI is {{46.83|64.83}}, so neutral. The 12-day EMA is $270.11 and the 26-day EMA $264.02, about $6 apart.',
  ),
  ko(`### 애플 기술적 분석
**추세**: 50일선(253.47)이 200일선(224.19) 위에 있어 골든크로스 상태가 유지되고 있습니다.
**모멘텀**: RSI 64.83, 과열 직전입니다.
**변동성**: ATR 4.87달러로 하루 평균 1.8% 정도 움직입니다.
**지지**: 1차 266.84달러(20일선), 2차 254.32달러(볼린저 하단)`),
  mixed(
    'Point of control은 $225.40~$231.10, value area는 $201.55~{{$295.80|259.80}}입니다. 현재가 $272.95는 그 위에 있어요.',
  ),
  en(
    "Apple's 14-day RSI is 64.83 — bullish but not yet overbought (above 70). MACD (5.21) is below its signal line (5.68), which hints at fading momentum.",
  ),
  en(`Key levels for AAPL:

1. **Resistance** – upper Bollinger band at $279.36, 52-week high at $277.32
2. **Support** – 20-day SMA at $266.84, then the 50-day at $253.47
3. **Long-term trend** – 200-day SMA at $224.19, which the price is 21.75% above`),
  en(
    'Apple trades {{12.57%|21.75%}} above its 200-day average of $224.19 and 7.69% above the 50-day at $253.47.',
  ),
  en(
    'The Bollinger bands run from $254.32 to $279.36, so at $272.95 the stock is in the upper part (%B of 74.4%). The band is about $25 wide.',
  ),
  en(`| Indicator | Value |
|---|---|
| RSI (14) | {{68.43|64.83}} |
| MACD (12, 26, 9) | 5.2143 |
| Signal | 5.6802 |
| ATR (14) | $4.87 |`),
  en(
    'Apple closed $6.11 above its 20-day average ($266.84) and $19.48 above its 50-day ($253.47). The price is also above the 12-day EMA of {{$217.01|270.11}}.',
  ),
  en(
    'The stock is at about 96% of its 52-week range, only 1.58% below the high set on November 10. The most-traded zone is much lower, at $225.40–$231.10.',
  ),
  en(
    'The MACD histogram is {{positive at 0.4659|negative}}, and RSI is near 65. ATR suggests moves of about {{$7.48|4.87}} a day.',
  ),
  mixed(
    'RSI 64.83, MACD histogram -0.4659로 momentum은 살짝 둔화됐습니다. Price는 20-day SMA($266.84) 대비 +2.29%예요.',
  ),
];

/** Answers from indicators, second set. */
export const SECOND_INDICATOR_ANSWERS: readonly WrittenAnswer[] = [
  ko('RSI(14)는 64.83으로 과매수 기준으로 보는 {{70|?}}에는 조금 못 미쳐요.', { own: '애플 과매수야?' }),
  en(
    'Apple is trading above all three of its major moving averages: 2.29% over the 20-day ($266.84), 7.69% over the 50-day ($253.47) and 21.75% over the 200-day ($224.19).',
  ),
  ko('MACD는 5.2143, 시그널은 5.6802로 히스토그램이 {{+0.4659|-0.4659}}입니다. 모멘텀은 여전히 강해요.'),
  en('The 14-day RSI is {{46.83|64.83}}, so the stock looks neutral rather than stretched.'),
  ko(
    `**애플 기술적 지표 (11/12 종가 272.95달러)**

- **20일선** 266.84달러 (+2.29%)
- **50일선** 253.47달러 (+7.69%)
- **200일선** {{244.19달러|224.19}} (+21.75%)
- **RSI(14)** 64.83

전체적으로 상승 추세가 유지되고 있습니다.`,
  ),
  ko(
    '볼린저 밴드는 상단 279.36달러, 중심 266.84달러, 하단 254.32달러예요. 지금 가격은 상단까지 6.41달러(약 2.3%) 남았고, %B로 보면 74.40% 위치입니다.',
  ),
  en(
    "With the ATR at $4.87, two ATRs is $9.74, which puts the stop at about $263.21. That's roughly 3.6% below the last close.",
    { own: 'Where would a 2 ATR stop be on Apple?' },
  ),
  en('The ATR is $4.87, so three ATRs below the close of $272.95 would be about {{$268.34|258.34}}.', {
    own: 'and with 3 ATRs?',
  }),
  ko(
    '52주 최고가 277.32달러(11월 10일)보다 1.58% 낮고, 최저가 169.21달러(4월 8일)보다는 61.31% 높아요. 52주 범위의 95.96% 지점이니 거의 꼭대기입니다.',
  ),
  ko('52주 최고가는 {{11월 4일|2026-11-10}}에 기록한 277.32달러이고, 지금은 그보다 1.58% 낮습니다.'),
  mixed(
    'MACD 5.2143 < signal 5.6802라서 short-term momentum은 둔화됐지만, price는 여전히 20-day SMA $266.84 위에 있습니다.',
  ),
  mixed('EMA12 $270.11, EMA26 {{$246.02|264.02}}로 단기 추세는 아직 살아있어요. RSI는 64.83입니다.'),
  en(
    `| Indicator | Value | Reading |
|---|---|---|
| RSI (14) | 64.83 | Firm, not overbought |
| MACD / signal | 5.2143 / 5.6802 | Slight loss of momentum |
| Bollinger %B | 74.40% | Upper half of the band |
| ATR (14) | $4.87 (1.78%) | Fairly calm |

Overall: still an uptrend, but not a great entry point if you're impatient.`,
  ),
  en(
    `| Average | Level | Price vs. average |
|---|---|---|
| 20-day SMA | $266.84 | +2.29% |
| 50-day SMA | $253.47 | +7.69% |
| 200-day SMA | $224.19 | {{+12.75%|21.75}} |`,
    { own: 'moving averages for AAPL' },
  ),
  ko(
    '거래가 가장 많았던 구간은 225.40~231.10달러이고, 밸류 에어리어는 201.55~259.80달러예요. 현재가는 밸류 에어리어 상단보다 13.15달러, 약 5.1% 위에 있습니다.',
  ),
  ko(
    '가장 두꺼운 매물대가 225.40~231.10달러에 있는데, 그 상단인 231.10달러까지 내려오려면 현재가에서 약 {{10.3%|15.3%}} 빠져야 합니다.',
  ),
  en(
    'The 50-day average is $29.28 above the 200-day (about 13%), so the long-term uptrend is intact. A pullback to the 50-day would mean a drop of roughly 7.1% from here.',
  ),
  ko(
    '260달러면 현재가보다 12.95달러, 약 4.7% 아래예요. ATR(4.87달러)로 치면 2.7배 정도 거리라 웬만한 일일 변동에는 안 걸릴 겁니다.',
    { own: '손절을 260달러에 걸면 너무 가까울까?' },
  ),
  ko('볼린저 밴드(20일) 상단은 {{266.84달러|279.36}}, 하단은 254.32달러입니다.'),
  en(
    "Apple closed at $272.95, {{2.29% below|2.29% above}} its 20-day average of $266.84, but it's still 21.75% above the 200-day.",
  ),
  en('64.83. Strong, but not overbought yet.', { own: "what's Apple's RSI" }),
  en(
    'RSI stands at 64.83 and the stochastic oscillator at {{81|unknown}}, so short-term conditions are getting a bit hot.',
  ),
  ko(
    '현재가가 12일 EMA(270.11달러)보다 1.05%, 26일 EMA(264.02달러)보다 3.38% 위에 있어서 단기 흐름은 나쁘지 않아요. 다만 MACD가 시그널을 0.4659 밑돌아 탄력은 조금 식었습니다.',
  ),
  ko(
    `정리하면 이렇습니다.

1. **추세**: 20일선(266.84달러) > 50일선(253.47달러) > 200일선(224.19달러)으로 정배열이에요.
2. **모멘텀**: RSI 64.83, MACD 히스토그램 -0.4659로 힘이 약간 빠졌습니다.
3. **변동성**: ATR 4.87달러(1.78%)로 낮은 편이에요.

단기 지지선은 20일선, 그다음은 볼린저 하단 254.32달러로 볼 수 있겠습니다.`,
    { own: '애플 차트 분석해줘' },
  ),
  en(
    'Support sits at the 20-day average ($266.84) and then the 50-day ({{$235.47|253.47}}). Resistance is the 52-week high at {{$279.36|277.32}}, set on November 10.',
    { own: 'support and resistance for AAPL?' },
  ),
  en('With 100 shares, one ATR ($4.87) is about $487 of normal daily swing.', {
    own: 'I have 100 Apple shares. How much does it move on a normal day?',
  }),
  ko('ATR이 4.87달러니까 100주면 하루에 보통 {{48.7달러|487}} 정도 움직인다고 보시면 됩니다.', {
    own: '애플 100주 있는데 하루에 얼마나 움직여?',
  }),
  ko('밴드 폭은 279.36 - 254.32 = 25.04달러로, 중심선의 약 9.4%입니다. 아주 넓은 편은 아니에요.'),
  en('The Bollinger bands run from $254.32 to $279.36, so they are {{$12.52|25.04}} wide.'),
  mixed('RSI(14) 64.83으로 overbought line인 {{70|?}}까지 5.17 남았어요.'),
];
