import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from a portfolio in dollars. */
export const DOLLAR_ACCOUNT_ANSWERS: readonly WrittenAnswer[] = [
  en(
    'Your Growth portfolio is worth **$25,000.00**: $22,678.68 in four holdings and $2,321.32 in cash. It lost $188.20 (-0.82%) on the day.',
  ),
  en('Your unrealised gain is $4,176.68, or {{25.27%|22.57}} on a cost of $18,502.'),
  en(`| Holding | Value | Gain | Return |
|---|---:|---:|---:|
| Alphabet | $8,528.40 | $3,776.40 | 79.47% |
| Microsoft | $5,925.48 | $1,095.48 | 22.68% |
| Coca-Cola | $5,700.00 | $728.00 | 14.64% |
| Nike | $2,524.80 | -$1,423.20 | -36.05% |

Nike is the only one in the red.`),
  en(`- **Alphabet**: 34.11% (target 30%), overweight by 4.11 points
- **Microsoft**: 23.70% (target 25%), underweight by {{3.1|1.30}} points
- **Coca-Cola**: 22.80% (target 25%), underweight by 2.20 points
- **Nike**: 10.10% (target 10%)`),
  en(
    'Nike is your worst position: 40 shares bought at $98.70 are now at $63.12, a loss of $1,423.20 (36.05%). It needs to rise about 56.4% just to break even.',
  ),
  en(
    "Since January 2 the portfolio has returned 14.26% (time-weighted), ahead of the S&P 500's 12.51% by 1.75 percentage points. The Sharpe ratio is 0.81.",
  ),
  en(
    "The portfolio's time-weighted return is 14.26% and its money-weighted return {{12.51%|15.83}}. The deepest drawdown, 12.47%, ran from February 19 to April 8.",
  ),
  en(
    'To bring Alphabet back to its 30% target you would sell about $1,028 worth, since 30% of $25,000 is $7,500. That is around {{5|3.6}} shares at $284.28.',
    { own: 'How much Google do I have to sell to get to target?' },
  ),
  en(
    "With 95% confidence, a bad day should not cost you more than about $405, or 1.62% of the portfolio. Today's drop of $188.20 was less than half of that.",
  ),
  en(
    'Dividends brought in $318.40 and fees cost $41.20, so net of fees that is $277.20. Realised losses were $212.50.',
  ),
  en('Alphabet and Microsoft together make up {{47.81%|57.81}} of your portfolio, and cash another 9.3%.'),
  ko('포트폴리오 총액은 25,000달러이고 그중 현금이 2,321.32달러입니다. 평가이익은 4,176.68달러(22.57%)예요.'),
  ko(
    '나이키는 평단 98.7달러에 40주를 갖고 계신데, 현재가 63.12달러라 {{1,423.2달러 이익|손실}}({{36.05%|?}})입니다.',
  ),
  ko(
    '구글이 30주, 평가액 8,528.4달러로 비중 34.11%를 차지합니다. 목표 30%보다 4.11%p 높으니 리밸런싱을 고려해 볼 만합니다.',
  ),
  mixed(
    '코카콜라 80주 평가액은 $5,700, 평단 $62.15 대비 수익률은 +14.64%예요. Target weight 25%에는 {{2.8%p|2.20}} 모자랍니다.',
  ),
];

/** Answers from a portfolio in won and the tax of the year. */
export const WON_ACCOUNT_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '연금 포트폴리오의 총 평가금액은 **12,500,000원**입니다. 주식 10,960,000원, 현금 1,540,000원이고 오늘은 42,000원(0.38%) 늘었습니다.',
  ),
  ko('현재 평가손익은 -358,000원({{-3.61%|-3.16}})입니다. 카카오 손실이 가장 큰 원인이에요.'),
  ko(`보유 종목 현황이에요.

| 종목 | 수량 | 평단 | 현재가 | 평가손익 |
|---|---:|---:|---:|---:|
| 현대차 | 20주 | 212,500원 | 268,500원 | +1,120,000원 (26.35%) |
| 카카오 | 50주 | 91,200원 | 58,700원 | -1,625,000원 (-35.64%) |
| LG에너지솔루션 | 6주 | 418,000원 | 442,500원 | +147,000원 (5.86%) |

플러스인 두 종목의 이익을 합치면 1,267,000원으로, 카카오 손실을 다 메우지는 못합니다.`),
  ko(`| 종목 | 평가금액 | 비중 |
|---|---:|---:|
| 현대차 | 5,370,000원 | 42.96% |
| 카카오 | {{2,395,000원|2,935,000}} | 23.48% |
| LG에너지솔루션 | 2,655,000원 | 21.24% |
| 현금 | 1,540,000원 | 12.32% |`),
  ko(
    '카카오는 50주를 평균 91,200원에 사서 지금 58,700원이니 주당 32,500원 손해입니다. 총 손실은 162만 5,000원, 수익률은 -35.64%예요.',
  ),
  ko(
    '카카오 본전까지는 91,200원이 돼야 하니 지금보다 약 55.4% 올라야 합니다. 만약 50주를 58,700원에 더 사면 평단은 {{77,950원|74,950}}으로 내려갑니다.',
    { own: '카카오 50주 물타면 평단 얼마 되지?' },
  ),
  ko(
    '오늘 현대차가 2.87% 오른 덕에 20주에서 약 15만 원을 벌었고, 카카오와 LG에너지솔루션에서 일부 까먹어 전체로는 4만 2,000원 이익입니다.',
  ),
  ko(`### 올해 양도소득세 예상
- 양도차익: 8,640,000원
- 기본공제: 2,500,000원
- 과세표준: 6,140,000원
- 양도소득세: 1,228,000원
- 지방소득세: 122,800원
- **합계: 1,350,800원**

신고 기간은 2027년 5월 1일부터 5월 31일까지입니다.`),
  ko(
    '예상 세금은 양도소득세 1,228,000원에 지방소득세 122,800원을 더한 {{1,305,800원|1,350,800}}입니다. 2027년 5월 31일까지 신고하세요.',
  ),
  ko(
    '과세표준은 양도차익 864만 원에서 기본공제 250만 원을 뺀 {{641만 원|614만 원}}이고, 매도는 총 14건이었습니다.',
  ),
  ko(
    '지금까지 1,200만 원을 넣어 총 1,250만 원이 됐으니 50만 원, 약 4.2% 늘었습니다. 이 중 배당이 236,000원이에요.',
  ),
  ko('현대차 비중이 {{26.35%|42.96}}로 가장 크고, 카카오 23.48%, LG에너지솔루션 21.24% 순입니다.'),
  en(
    'Your pension account is worth ₩12,500,000, of which ₩1,540,000 is cash. The unrealised loss is ₩358,000 (3.16%), almost entirely from Kakao.',
  ),
  en(
    'Kakao is down 35.64% from your average cost of ₩91,200, a loss of {{₩162,500|1,625,000}}. Hyundai Motor has made you ₩1,120,000.',
  ),
  en(
    'The estimated tax is ₩1,350,800: ₩1,228,000 of income tax and ₩122,800 of local tax on a base of ₩6,140,000. That works out to 22% of the base, or about 15.6% of the gain.',
  ),
  mixed(
    'LG에너지솔루션 6주의 cost basis는 2,508,000원, market value는 2,655,000원으로 unrealised gain은 {{+174,000원|147,000}} (5.86%)입니다.',
  ),
];

/** Answers from a portfolio in won and dollars. */
export const ACCOUNT_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '총 평가금액은 약 4,965만 원이고 현금은 325만 원입니다. 평가이익 1,739만 원 중 환차익이 약 100만 원이에요.',
  ),
  ko('엔비디아 40주의 평가액은 7,606.8달러, 원화로 {{1억 1,162만 원|1,116만 원}}입니다.'),
  ko(
    '수익률은 SK하이닉스가 164.62%로 가장 높고, 엔비디아 56.71%, KODEX 200 47.89%, 애플 {{43.28%|45.03}} 순입니다.',
  ),
  ko(
    '해외주식 양도차익이 418만 원이라 기본공제 250만 원을 뺀 168만 원에 세금이 붙고, 예상 세액은 369,600원입니다.',
  ),
  en(
    'Your Apple position is worth $6,823.75, up $2,118.75 (45.03%). In won, that is a gain of 59.71%, because the dollar strengthened too.',
  ),
  en(
    'The portfolio returned 38.42% since July 2025 against {{26.77%|30.64}} for the KOSPI. The Sharpe ratio was 1.12.',
  ),
  en(
    'Dollar assets are 42.65% of the portfolio and won assets 57.35%. Technology alone accounts for {{67.41%|76.41}}.',
  ),
  mixed(
    'Max drawdown은 -17.35%였고 7월 10일 peak에서 8월 5일 trough까지 내려갔다가 {{8월 18일|9월 18일}}에 recover했습니다.',
  ),
];
