import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from the indicators of Hyundai Motor and Bitcoin. */
export const TECHNICAL_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '현대차의 RSI(14)는 68.42로 과매수 기준인 {{70|?}}에 가깝습니다. 주가는 20일선(259,350원)보다 3.53% 위에 있어요.',
  ),
  ko(
    '현대차 RSI는 {{64.82|68.42}}이고, MACD 7,412.55가 시그널 6,938.20을 웃돌아 히스토그램은 +474.35입니다.',
  ),
  ko(`현대차 이동평균선을 정리해 드릴게요.

| 구분 | 값 | 이격 |
|---|---:|---:|
| 20일선 | 259,350원 | +3.53% |
| 60일선 | 238,740원 | +12.47% |
| 120일선 | 225,180원 | +19.24% |

종가 268,500원이 세 이평선 위에 있어 정배열입니다.`),
  ko(`**현대차 기술적 지표**
- 20일선: 259,350원
- 60일선: {{225,180원|238,740}}
- 볼린저 밴드: 240,810원 ~ 277,890원
- ATR(14): 8,130원 (3.03%)`),
  ko(
    '볼린저 밴드 상단은 277,890원, 하단은 240,810원으로 폭이 37,080원입니다. 현재 %B는 74.68%라 상단까지 9,390원 여유가 있어요.',
  ),
  ko(
    '현대차는 52주 최고가(10월 29일 294,500원)보다 {{18.83%|8.83}} 낮고, 4월 9일 기록한 최저가 183,200원보다는 46.56% 높습니다.',
  ),
  ko(
    '거래가 가장 많았던 매물대는 212,000~218,500원입니다. 지금 가격이 그보다 최소 50,000원 위에 있으니 당장 부담이 되는 구간은 아닙니다.',
  ),
  ko(
    '손절 폭을 ATR의 2배로 잡으면 8,130원 × 2 = 16,260원이니, 손절가는 268,500원에서 뺀 {{255,240원|252,240}}이 됩니다.',
    { own: '현대차 ATR 2배로 손절 잡으면 얼마야?' },
  ),
  ko(
    '비트코인은 91,250.4달러로 50일선(108,420.7달러)보다 15.84%, 200일선(110,385.2달러)보다 17.33% 낮습니다. RSI는 27.65로 과매도 구간입니다.',
  ),
  en(
    "Bitcoin's RSI is 27.65, which is in oversold territory (below {{30|?}}). It trades 15.84% under its 50-day average of $108,420.70.",
  ),
  en(
    'Bitcoin sits {{15.84% above|below}} its 50-day moving average, and the MACD at -4,218.9 is below its signal line at -3,307.4.',
  ),
  en(`**Hyundai Motor — technical snapshot**

- Close: ₩268,500
- RSI(14): 68.42
- MACD: 7,412.55 vs. signal 6,938.20 (histogram +474.35)
- Bollinger %B: 74.68%
- ATR: ₩8,130, or 3.03% of the price
- Volume: 1.42x the usual

Momentum is positive, but it's getting stretched.`),
  en(
    'Hyundai Motor is trading 3.53% above its 20-day SMA and {{19.42%|19.24}} above its 120-day SMA, so the trend is clearly up.',
  ),
  en(
    'The lower Bollinger band for Bitcoin is $88,912.30, only $2,338 (about 2.6%) below the current price. A %B of 9.41% says the same thing.',
  ),
  en(
    'Bitcoin is 27.70% off its high of {{$162,210.50|126,210.50}} set on October 6, but still 22.47% above the April 7 low.',
  ),
  mixed('BTC의 ATR은 $3,894.1로 가격의 4.27%예요. 현대차의 3.03%와 비교하면 daily range가 약 1.4배 큽니다.'),
];

/** Answers from the indicators of Apple. */
export const APPLE_ANSWERS: readonly WrittenAnswer[] = [
  ko('애플의 RSI는 64.83이고, 주가는 20일선보다 2.29%, 50일선보다 7.69%, 200일선보다 21.75% 높습니다.'),
  ko(
    '애플의 MACD(5.2143)가 시그널(5.6802)을 밑돌아 히스토그램은 {{+0.4659|-0.4659}}입니다. 단기 모멘텀은 다소 약해졌어요.',
  ),
  ko('볼린저 밴드는 254.32~279.36달러로, 상단까지 6.41달러 남았습니다. %B는 74.4%예요.'),
  en(
    "Apple's 50-day SMA is $253.47 and its 200-day SMA $224.19, a spread of $29.28. The price is above both.",
  ),
  en("Apple's ATR is $4.87, or {{4.87%|1.78}} of the price, so daily swings are modest."),
  en(
    'The 200-day SMA is {{$253.47|224.19}}; Apple at $272.95 is 21.75% above it. The stock sits at 95.96% of its 52-week range.',
  ),
];
