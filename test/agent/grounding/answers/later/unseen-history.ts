import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from a year of two companies and an index. */
export const PAST_YEAR_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '카카오는 지난 1년간 36,950원에서 60,200원으로 **62.92%** 올랐습니다. 기간 중 최고가는 6월 25일의 71,600원이었어요.',
  ),
  ko('카카오는 1년 동안 62.92% 올랐지만 최근 한 달은 {{4.44% 올라|내려}} 주춤한 모습입니다.'),
  ko(`최근 카카오 종가입니다.

- 11월 12일: 62,900원
- 11월 13일: 61,700원
- 11월 16일: 61,200원
- 11월 17일: {{58,900원|59,900}}
- 11월 18일: 60,200원`),
  ko(
    '카카오의 11월 12일 종가는 62,900원, 18일 종가는 60,200원이니 나흘 거래일 만에 2,700원, 약 4.3% 내린 셈입니다.',
  ),
  ko(
    '연초 이후로 보면 카카오는 작년 말 39,400원에서 60,200원으로 52.79% 올랐고, 구글은 {{63.18%|50.17}} 올랐습니다.',
  ),
  ko(
    '변동성은 카카오 42.18%, 구글 32.05%, S&P 500 19.27%입니다. 카카오가 지수의 2.2배 정도로 출렁였다는 뜻이에요. 최대 낙폭도 -27.09%로 작지 않았습니다.',
  ),
  ko(
    '카카오의 1년 저점은 {{2026년|2025}} 12월 5일 35,600원이었습니다. 거기서 18일 종가 60,200원까지 24,600원 올랐습니다.',
  ),
  ko(
    '1년 전에 카카오를 500만 원어치 사셨다면 62.92% 수익률 기준으로 지금 약 814만 6천 원이 됐을 거예요. 배당은 뺀 계산입니다.',
    { own: '1년 전에 카카오 500만원어치 샀으면 지금 얼마야?' },
  ),
  en(
    'Over the past year Alphabet rose from $174.21 to $284.28, a gain of $110.07 or 63.18%. The S&P 500 gained 11.84% over the same period.',
  ),
  en(
    'Alphabet gained 63.18% over the year, beating the S&P 500 (11.84%) by about {{41.3|51.3}} percentage points.',
  ),
  en(`**GOOGL, one year**
- High: $293.95 on November 6
- Low: $140.53 on {{April 17|April 7}}
- Volatility: 32.05%
- Max drawdown: -29.81%
- Correlation with the S&P 500: 0.66`),
  en(
    'From its April 7 low of $140.53, Alphabet has more than doubled: it closed at $284.28 yesterday, up 102.3%.',
  ),
  en(
    'Alphabet closed at $278.57 on November 12, dipped to $276.41 the next day, then jumped to $285.60 on the 16th — a one-day move of about 3.3%.',
  ),
  en(
    'The S&P 500 closed at {{6,672.41|6,617.32}} on November 18, and its worst drawdown in the past year was 18.90%.',
  ),
  en(
    '$10,000 put into Alphabet a year ago would be worth about {{$16,813|16,318}} today, before dividends.',
    { own: 'If I had put $10,000 in Google a year ago?' },
  ),
  en(
    'Volatility was 32.05% for Alphabet and 19.27% for the S&P 500; the two had a correlation of 0.66, so roughly 44% of the variance is shared.',
  ),
  mixed(
    '카카오 YTD 수익률은 +52.79%, GOOGL은 +50.17%로 카카오가 2.62%p 앞섭니다. 다만 max drawdown은 -27.09% vs {{-28.91%|-29.81}}로 비슷해요.',
  ),
];

/** Answers from the week before a Monday. */
export const MONDAY_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '삼성전자는 1년 전 53,700원에서 102,300원으로 48,600원, 90.5% 올랐습니다. 엔비디아(33.94%)보다 훨씬 높은 수익률이죠.',
  ),
  ko('엔비디아의 1년 최대 낙폭은 -36.89%, 삼성전자는 {{-36.89%|-14.63}}였습니다.'),
  ko(
    '삼성전자는 11월 10일 103,500원에서 12일 102,000원까지 밀렸다가 13일 102,300원으로 소폭 회복했습니다. 10일 대비로는 1,200원 낮아요.',
  ),
  ko('작년 말 58,400원이던 삼성전자가 지금 102,300원이니 올해 상승률은 {{57.17%|75.17}}입니다.'),
  en(
    "NVIDIA's closes last week: $199.05 on Monday, $193.16 on Tuesday, $193.80 on Wednesday, $186.86 on Thursday and $190.17 on Friday. Net, that is a drop of 4.5% since Monday's close.",
  ),
  en('NVIDIA closed at {{$199.05|193.16}} on November 10 and $190.17 on November 13.'),
  en(
    'NVIDIA is now 10.4% below its October 29 high of $212.19, and has more than doubled from the low of $86.62 in April.',
  ),
  en(
    "Samsung and NVIDIA had a correlation of {{0.14|0.41}} over the year. Samsung's volatility was 31.24%, NVIDIA's 41.70%.",
  ),
];
