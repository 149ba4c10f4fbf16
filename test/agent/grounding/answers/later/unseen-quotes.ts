import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from companies in Seoul. */
export const SEOUL_ANSWERS: readonly WrittenAnswer[] = [
  ko('카카오는 오늘 **58,700원**에 마감했습니다. 전일 대비 1,500원(-2.49%) 내렸습니다.'),
  ko(
    '현대차 현재가는 268,500원이고, 전일 종가 261,000원에서 7,500원(2.87%) 올랐어요. 장중에는 27만 원까지 찍었습니다.',
  ),
  ko('카카오는 오늘 {{57,800원|58,700}}에 거래를 마쳤습니다. 어제(60,200원)보다 2.49% 낮은 수준입니다.'),
  ko('LG에너지솔루션은 442,500원으로 {{1.23% 상승|하락}}했습니다. 거래량은 287,541주로 집계됐습니다.'),
  ko(`오늘 세 종목 마감 상황입니다.

| 종목 | 종가 | 등락 | 등락률 |
|---|---:|---:|---:|
| 카카오 | 58,700원 | -1,500원 | -2.49% |
| 현대차 | 268,500원 | +7,500원 | +2.87% |
| LG에너지솔루션 | 442,500원 | -5,500원 | -1.23% |

현대차만 올랐고, 나머지 둘은 약세였습니다.`),
  ko(`| 종목 | 현재가 | 52주 최저 | 52주 최고 |
|---|---|---|---|
| 카카오 | 58,700원 | 35,600원 | 71,600원 |
| 현대차 | 268,500원 | 183,200원 | {{249,500원|294,500}} |
| LG에너지솔루션 | 442,500원 | 266,000원 | 524,000원 |`),
  ko(
    '카카오 30주면 현재가 58,700원 기준으로 **1,761,000원**입니다. 오늘 하루에만 45,000원 줄었네요. 수수료와 세금은 빼고 계산한 값이에요.',
    { own: '나 카카오 30주 있는데 지금 얼마야?' },
  ),
  ko(
    '현대차 15주의 평가액은 268,500원 × 15주 = **{{4,207,500원|4,027,500}}**입니다. 오늘 상승분만 따지면 112,500원이에요.',
    { own: '현대차 15주 갖고 있어. 지금 얼마지?' },
  ),
  ko(
    '카카오는 52주 최고가 71,600원 대비 약 18.0% 낮고, 52주 최저가 35,600원보다는 약 64.9% 높은 자리에 있습니다.',
  ),
  ko(
    'LG에너지솔루션의 현재가(442,500원)는 52주 고점 524,000원의 {{약 74%|84}} 수준입니다. 고점까지는 81,500원 남았어요.',
  ),
  ko('코스닥은 902.67로 마감해 전일보다 8.36포인트(0.93%) 올랐습니다. 전일 종가는 894.31이었습니다.'),
  ko('코스닥 지수는 {{920.67|902.67}}로, 8.36포인트 상승 마감했어요.'),
  ko(
    '오늘 현대차의 장중 변동 폭은 260,500원에서 270,000원까지 9,500원이었습니다. 종가는 고가보다 1,500원 낮은 268,500원이네요.',
  ),
  ko(
    `네, 카카오가 더 많이 빠졌습니다.

- **카카오**: -2.49% (60,200원 → 58,700원)
- **LG에너지솔루션**: -1.23% (448,000원 → {{445,200원|442,500}})

하락률 차이는 1.26%p예요. 혹시 다른 종목도 볼까요?`,
    { own: '카카오랑 엘지엔솔 중에 오늘 뭐가 더 많이 빠졌어?' },
  ),
  ko('현대차가 26만 8,500원, LG에너지솔루션이 44만 2,500원이니까 한 주씩 사려면 71만 1,000원이 필요합니다.'),
  ko(
    '거래량은 카카오 약 291만 주, 현대차 약 {{9만 2천|91만 8천}} 주, LG에너지솔루션 약 28만 8천 주였습니다. 카카오가 현대차의 3.2배쯤 되네요.',
  ),
  ko('200만 원이면 카카오를 34주 살 수 있어요. 34 × 58,700원 = 1,995,800원이고 4,200원이 남습니다.', {
    own: '200만원으로 카카오 몇 주 살 수 있어?',
  }),
  en('Kakao closed at **₩58,700**, down ₩1,500 (-2.49%) on the day. It traded between ₩58,300 and ₩60,500.'),
  en('Hyundai Motor finished at ₩268,500, up {{3.87%|2.87}} from the previous close of ₩261,000.'),
  en(
    'Of the three, only Hyundai Motor gained: +2.87% versus -2.49% for Kakao and -1.23% for LG Energy Solution. The KOSDAQ rose 0.93% to 902.67.',
  ),
  en(
    "LG Energy Solution is at ₩442,500, which is {{₩5,500 above|below}} yesterday's close of ₩448,000. The 52-week range is ₩266,000 to ₩524,000.",
  ),
  en(`**Kakao (035720)**
- Price: ₩58,700
- Day range: ₩58,300 – ₩60,500
- 52-week range: ₩35,600 – ₩71,600
- Volume: {{29.1 million|2.9}} shares`),
  en(
    "At ₩268,500 a share, your 8 Hyundai Motor shares are worth ₩2,148,000. That is ₩60,000 more than at yesterday's close.",
    { own: 'I own 8 shares of Hyundai Motor, how much is that now?' },
  ),
  mixed(
    '카카오(Kakao, 035720) 종가는 58,700원, day range는 58,300–60,500원입니다. 52-week high인 71,600원까지는 12,900원 남아 있어요.',
  ),
  mixed('KOSDAQ은 +0.93%, 현대차는 +2.87%로 마감. 즉 현대차가 index를 {{1.49%p|1.94}} outperform했습니다.'),
];

/** Answers from companies in New York. */
export const NEW_YORK_ANSWERS: readonly WrittenAnswer[] = [
  en(
    'Microsoft closed at $493.79 on Wednesday, down $13.70 (2.70%). In pre-market trading it is at $496.20, up 0.49%.',
  ),
  en('Microsoft closed at $493.79, down {{2.07%|2.70}} from $507.49.'),
  en("Alphabet slipped 0.26% to $284.28. It's still within about 3.3% of its 52-week high of $293.95."),
  en(`Here's how they compare:

| | Microsoft | Alphabet | Coca-Cola |
|---|---|---|---|
| Price | $493.79 | $284.28 | $71.25 |
| Day change | -2.70% | -0.26% | +0.31% |
| 52-week high | $555.45 | $293.95 | $74.38 |
| Below high | 11.1% | 3.3% | 4.2% |

Coca-Cola was the only gainer.`),
  en(`| Ticker | Close | Change | Volume |
|---|---|---|---|
| MSFT | $493.79 | -$13.70 | 33.8M |
| GOOGL | {{$248.28|284.28}} | -$0.74 | 39.0M |
| KO | $71.25 | +$0.22 | 15.5M |`),
  en(
    'Your 40 shares of Coca-Cola are worth $2,850.00 at $71.25. Since they cost you $65 each, you are up $250, or about 9.6%.',
    { own: 'I bought 40 shares of Coca-Cola at $65. How am I doing?' },
  ),
  en('With $5,000 you could buy {{12|10}} whole shares of Microsoft at $493.79.', {
    own: 'How many Microsoft shares can I get for $5,000?',
  }),
  en(
    'The S&P 500 ended at 6,617.32, a loss of 55.09 points or 0.83%. That leaves it roughly 4.4% below its 52-week high of 6,920.34.',
  ),
  en('The S&P 500 fell {{5.51|55.09}} points to 6,617.32 on Wednesday. The 52-week low is 4,835.04.'),
  en(
    'Microsoft is down more than the market today: -2.70% against -0.83% for the S&P 500, a gap of 1.87 percentage points.',
  ),
  en(
    "Google is trading at $287.15 before the bell, up $2.87 (1.01%) from last night's close of $284.28. Microsoft is also higher, at $496.20.",
  ),
  en(
    'Before the open, Alphabet is at $287.15 and Microsoft at {{$493.79|496.20}}. Both point to a slightly higher start.',
  ),
  en(
    'Coca-Cola closed at $71.25, around the middle of its $70.88–$71.64 range, on volume of {{39,012,400|15,482,300}} shares.',
  ),
  en('Short answer: yes. Coca-Cola rose from $71.03 to $71.25, a gain of 22 cents.', {
    own: 'Did Coke go up?',
  }),
  ko(
    '마이크로소프트는 493.79달러로 마감해 전일보다 13.70달러(2.70%) 하락했고, 프리마켓에서는 496.20달러로 0.49% 반등 중입니다.',
  ),
  ko('구글(알파벳) 주가는 284.28달러입니다. 52주 최저가 140.53달러와 비교하면 약 2.02배 수준이에요.'),
  ko(
    '구글(알파벳)은 어제 284.28달러로 0.26% 내렸고, 프리마켓에서는 287.15달러로 {{0.49%|1.01}} 오르고 있습니다.',
  ),
  ko(
    '코카콜라 100주를 71.25달러에 팔면 7,125달러입니다. 60달러에 사셨으니 차익은 {{1,225달러|1,125}}예요. 세금과 수수료는 별도입니다.',
    { own: '코카콜라 100주를 60달러에 샀는데 지금 팔면 얼마 벌어?' },
  ),
  ko('S&P 500은 6,617.32로 0.83% 하락했습니다. 52주 저점 4,835.04에서는 약 36.9% 올라온 상태입니다.'),
  ko(`### 간밤 미국 증시 요약
1. **S&P 500** – 6,617.32 (-0.83%)
2. **마이크로소프트** – 493.79달러 (-2.70%)
3. **알파벳** – 284.28달러 ({{+0.26%|-0.26}})
4. **코카콜라** – 71.25달러 (+0.31%)

방어주만 소폭 올랐습니다.`),
  mixed('MSFT 종가 $493.79, 52-week high $555.45 대비 -11.1%입니다. Pre-market은 $496.20(+0.49%).'),
  mixed(
    'KO는 $71.25 (+0.31%), GOOGL은 $284.28 (-0.26%). 둘을 합쳐 한 주씩이면 {{$345.53|355.53}} 정도 필요해요.',
  ),
];

/** Answers from the quotes of a Friday. */
export const FRIDAY_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '삼성전자는 102,300원(+0.29%), SK하이닉스는 561,000원(-1.92%)으로 마감했습니다. 코스피는 3.81% 급락한 4,011.57이었어요.',
  ),
  ko('코스피가 {{1.59포인트|159.06}} 내린 4,011.57로 마감하면서 SK하이닉스도 1.92% 하락했습니다.'),
  ko('SK하이닉스 한 주(561,000원) 값이면 삼성전자를 다섯 주 사고 49,500원이 남습니다.'),
  ko(
    '테슬라는 430.60달러에서 401.99달러로 하루에 28.61달러(6.64%) 빠졌습니다. 시간외에서는 407.15달러로 {{0.13%|1.28}} 반등했어요.',
  ),
  ko('애플은 52주 최고가 277.32달러까지 단 4.37달러, 약 1.6%만 남겨두고 있습니다.'),
  ko('삼성전자 거래량은 약 {{182만|1,822만}} 주로, SK하이닉스의 약 5.2배였습니다.'),
  en(
    'Tesla had a rough session: it dropped $28.61, or 6.64%, to $401.99 on volume of 118.9 million shares. After hours it recovered a bit to $407.15.',
  ),
  en('Tesla fell 6.64% to $401.99 and is now {{27.7%|17.7}} below its 52-week high of $488.54.'),
  en('Apple slipped 0.19% to $272.95. In after-hours trading it edged up $0.36 to $273.31.'),
  en(
    'Selling your 12 Tesla shares at $401.99 would bring in $4,823.88. Yesterday they were worth {{$5,176.20|5,167.20}}.',
    { own: 'I have 12 Tesla shares. What if I sell now?' },
  ),
  mixed('삼성전자 52주 range는 52,700–112,400원이고 현재가는 102,300원, 즉 high 대비 -9.0%입니다.'),
];
