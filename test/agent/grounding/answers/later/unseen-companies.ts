import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from the figures of makers of drinks, cars and batteries. */
export const COMPANY_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '현대차의 PER은 5.62배, PBR은 0.54배로 낮은 편이고 배당수익률은 4.47%입니다. 시가총액은 약 54조 9,775억 원이에요.',
  ),
  ko('현대차의 시가총액은 약 {{5조 4,977억|54조 9,775억}} 원, 매출은 약 184조 2,160억 원입니다.'),
  ko(
    'LG에너지솔루션은 최근 EPS가 -4,321원으로 적자라서 PER을 계산할 수 없고, 선행 PER은 88.68배입니다. 매출도 7.4% 줄었습니다.',
  ),
  ko('LG에너지솔루션의 매출은 23조 7,180억 원으로 {{7.4% 증가|감소}}했고, 순이익률은 -3.94%입니다.'),
  ko(`| 지표 | 현대차 | LG에너지솔루션 |
|---|---:|---:|
| 시가총액 | 55.0조 원 | 103.5조 원 |
| PBR | 0.54배 | 4.86배 |
| 영업이익률 | 5.43% | 3.61% |
| ROE | 9.52% | -2.18% |
| 부채비율 | 142.3% | 71.52% |

시총은 LG에너지솔루션이 현대차의 1.88배지만, 수익성은 현대차가 낫습니다.`),
  ko(`- **현대차**: 영업이익률 5.43%, ROE 9.52%
- **LG에너지솔루션**: 영업이익률 {{5.87%|3.61}}, ROE -2.18%

현대차의 잉여현금흐름은 -8조 2,140억 원, LG에너지솔루션은 -9조 6,350억 원으로 둘 다 마이너스입니다.`),
  ko(
    '현대차는 주당 12,000원을 배당하니 50주면 연 60만 원입니다. 현재가 268,500원 기준 수익률로는 4.47%예요.',
    { own: '현대차 50주면 배당 얼마나 받아?' },
  ),
  ko(
    '현대차 25주의 연간 배당은 12,000원 × 25주 = 30만 원, 세후({{15.4%|?}})로는 약 {{25만 3,800원|?}}입니다.',
    { own: '현대차 25주 배당 세후로 얼마야?' },
  ),
  ko('현대차의 예상 EPS는 {{47,780원|53,590}}으로, 최근 EPS보다 높아 선행 PER이 5.01배까지 낮아집니다.'),
  en(
    'Coca-Cola trades at 23.59 times trailing earnings and 22.13 times forward earnings. It yields 2.86%, versus 3.89% for PepsiCo.',
  ),
  en(
    'PepsiCo looks cheaper on forward numbers: 17.07x against 22.13x for Coca-Cola, even though its trailing P/E of {{23.59|27.78}} is higher.',
  ),
  en(`| | Coca-Cola | PepsiCo |
|---|---|---|
| Market cap | $306.4B | $199.7B |
| Revenue | $47.7B | $92.4B |
| Operating margin | 32.37% | 16.50% |
| Dividend yield | 2.86% | 3.89% |
| Beta | 0.39 | 0.45 |

PepsiCo sells almost twice as much (1.94x), but Coca-Cola keeps far more of each dollar.`),
  en(`**Coca-Cola vs. PepsiCo**
1. Profitability: operating margin of 32.37% vs. 16.50%.
2. Growth: revenue up 5.1% vs. {{6.2%|2.6}}.
3. Income: $2.04 vs. $5.69 per share a year.
4. Leverage: debt-to-equity 151.83% vs. 262.50%.`),
  en(
    'With 200 shares of Coca-Cola you would collect $408 a year in dividends (200 × $2.04). The next ex-dividend date is December 1.',
    { own: 'I hold 200 KO. What do I get in dividends each year?' },
  ),
  en(
    '60 PepsiCo shares pay 60 × $5.69 = {{$314.40|341.40}} a year. Make sure you own them before the ex-dividend date, December 4.',
    { own: 'How much dividend would 60 shares of Pepsi give me?' },
  ),
  en("Coca-Cola's market cap is {{$306 million|billion}}, on revenue of $47.7 billion."),
  en(
    'Hyundai Motor trades at just 5.62x earnings and 0.54x book, with a 4.47% yield. Return on equity is 9.52%, and free cash flow is negative at about -₩8.2 trillion.',
  ),
  en(
    'Coca-Cola pays out roughly 68% of its trailing EPS ($2.04 of $3.02). PepsiCo pays more than it earned on a trailing basis: $5.69 against $5.26.',
  ),
  mixed(
    'PepsiCo의 forward P/E는 17.07배로 Coca-Cola(22.13배)보다 5.06 낮고, 배당수익률은 {{2.86%|3.89}}로 더 높아요.',
  ),
  mixed(
    'Coca-Cola의 gross margin은 61.55%, net margin은 27.34%입니다. FCF는 $5.56B로 시총의 1.8% 수준이에요.',
  ),
];

/** Answers from the figures of three companies. */
export const THREE_COMPANY_ANSWERS: readonly WrittenAnswer[] = [
  ko('삼성전자의 시가총액은 약 605조 6천억 원, PER 21.84배, 선행 PER 11.37배입니다. 배당수익률은 1.42%예요.'),
  ko('삼성전자의 매출은 308조 9,340억 원, 잉여현금흐름은 {{213조 8천억|21조 3,800억}} 원입니다.'),
  ko(
    '마이크로소프트의 영업이익률은 48.87%로 애플(31.65%)보다 17.22%p 높고, 매출 성장률도 18.4% 대 7.9%로 앞섭니다.',
  ),
  en(
    "Microsoft's forward P/E is 27.36, well below Apple's 32.85. Its trailing P/E, 36.21, is about the same as Apple's 36.54.",
  ),
  en(
    "Apple is the bigger company at $4.03 trillion, about $242 billion ahead of Microsoft's {{$3.97 trillion|3.79}}.",
  ),
  en('Microsoft goes ex-dividend on November 19 and pays $3.64 a year per share, a yield of {{0.38%|0.71}}.'),
  mixed(
    'Apple의 ROE는 171.42%, Microsoft는 32.24%, 삼성전자는 {{3.05%|8.34}}입니다. 다만 Apple은 자사주 매입 때문에 자본이 작아요.',
  ),
];
