import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from the history of prices, first set. */
export const FIRST_HISTORY_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '삼성전자는 최근 1년간 90.5% 올랐습니다. 작년 11월 14일 53,700원이던 주가가 지난 금요일 102,300원이 됐으니 48,600원 상승한 셈이에요.',
    { own: '삼전 1년 수익률 알려줘' },
  ),
  ko(`지난주 삼성전자 종가 흐름입니다.

| 날짜 | 종가 |
|---|---|
| 11/9 | 100,600원 |
| 11/10 | 103,500원 |
| 11/11 | 103,100원 |
| 11/12 | 102,000원 |
| 11/13 | 102,300원 |

주간으로는 1,700원(약 1.7%) 올랐네요.`),
  ko(`지난주 엔비디아 종가입니다.

| 날짜 | 종가 |
|---|---|
| 11월 9일 | $199.05 |
| 11월 10일 | $193.16 |
| 11월 11일 | {{$186.86|193.80}} |
| 11월 12일 | $186.86 |
| 11월 13일 | $190.17 |

9일 대비 4.5% 하락했습니다.`),
  ko('엔비디아의 1년 수익률은 {{39.34%|33.94%}}로, 같은 기간 삼성전자(90.50%)의 절반에도 못 미칩니다.'),
  ko(
    '올해 들어 삼성전자는 75.17% 상승했습니다. 작년 마지막 거래일(12월 30일) 종가가 58,400원이었고 지금은 102,300원이에요.',
    { own: '삼성전자 올해 얼마나 올랐어?' },
  ),
  ko(
    '삼성전자의 1년 최고가는 112,400원으로 {{10월 29일|11월 4일}}에 기록했습니다. 최저가는 52,100원(2025년 12월 9일)이었어요.',
  ),
  ko(
    '변동성은 엔비디아가 더 큽니다. 연환산 변동성이 41.70%로 삼성전자(31.24%)보다 약 10.5%p 높고, 최대 낙폭도 -36.89%로 삼성전자의 -14.63%보다 두 배 이상 깊었어요.',
  ),
  ko(`**위험 지표 비교 (최근 1년)**
- 변동성: 삼성전자 31.24% / 엔비디아 41.70%
- 최대 낙폭: 삼성전자 {{-36.89%|-14.63%}} / 엔비디아 -36.89%
- 두 종목의 상관계수: 0.41

상관관계가 중간 정도라 분산 효과가 어느 정도 있습니다.`),
  ko(
    '1년 전에 삼성전자에 1,000만 원을 넣으셨다면 지금은 약 1,905만 원이 됐을 거예요. 수익이 905만 원 정도인 셈입니다.',
    { own: '1년 전에 삼전 1000만원 샀으면 지금 얼마야?' },
  ),
  ko(
    '1년 전 엔비디아에 500만 원을 투자했다면 33.94% 올라 약 {{760만 원|670만}}이 됐겠네요. 환율 변동은 뺀 계산입니다.',
    { own: '엔비디아 1년 전에 500만원어치 샀으면?' },
  ),
  ko(
    '엔비디아는 10월 29일 212.19달러로 고점을 찍은 뒤 190.17달러까지 내려와 고점 대비 약 10.4% 하락한 상태입니다. 4월 7일 저점 86.62달러와 비교하면 여전히 두 배가 넘어요.',
  ),
  ko(
    '삼성전자는 지난 10일 103,500원까지 올랐다가 11일 103,100원, 12일 {{101,000원|102,000}}으로 이틀 연속 밀렸고, 13일에 102,300원으로 소폭 반등했습니다.',
  ),
  ko('네, 삼성전자 평균 거래량은 하루 약 1,789만 주예요. 엔비디아는 {{약 2,216만 주|2억 2,160만}}입니다.'),
  ko(
    '엔비디아는 13일에 전날보다 3.31달러(1.77%) 오른 190.17달러로 마감했습니다. 최근 한 달로는 4.12% 상승했고요.',
  ),
  mixed('NVDA는 1-month 기준 {{+14.2%|4.12%}}, 1-year 기준 +33.94%($48.19)입니다.'),
  en(
    'Over the past year, Samsung Electronics gained 90.5% while NVIDIA rose 33.94% — a gap of about 56.6 percentage points.',
  ),
  en(`NVIDIA's closes last week:

- Mon, Nov 9: $199.05
- Tue, Nov 10: $193.16
- Wed, Nov 11: $193.80
- Thu, Nov 12: $186.86
- Fri, Nov 13: $190.17

That's a decline of $8.88, or about 4.5%, for the week.`),
  en(
    'NVDA hit its 1-year high of $212.19 on October 29 and its low of {{$68.62|86.62}} on April 7. It last closed at $190.17.',
  ),
  en(
    'Samsung closed at ₩103,500 on November 10, then slipped to ₩103,100 and ₩102,000 before ending Friday at ₩102,300. Over those three sessions it {{gained 1.2%|lost}}.',
  ),
  en(`**Risk comparison (1 year)**

| Metric | Samsung | NVIDIA |
|---|---|---|
| Return | +90.50% | +33.94% |
| Volatility | 31.24% | 41.70% |
| Max drawdown | -14.63% | {{-38.69%|-36.89%}} |

Their correlation is 0.41, so holding both does diversify somewhat.`),
  en(
    "If you'd put $10,000 into NVIDIA a year ago at $141.98, you'd have roughly $13,394 today. Past performance doesn't guarantee future results.",
    { own: 'what if I had invested $10,000 in nvda a year ago' },
  ),
  en(
    'The correlation between the two over the last year is {{0.71|0.41}}, which is moderate. Samsung averaged about 17.9 million shares a day; NVIDIA about 222 million.',
  ),
  en(
    'On Nov 12 NVIDIA fell 3.6% to $186.86, then recovered 1.8% the next day to $190.17. From its April low of $86.62 it has more than doubled (+120%).',
  ),
  mixed(
    '삼성전자 YTD 수익률은 +75.17%, 1-year return은 +90.50%예요. Max drawdown은 -14.63%로 NVDA({{-33.94%|-36.89%}})보다 훨씬 얕습니다.',
  ),
];

/** Answers from the history of prices, second set. */
export const SECOND_HISTORY_ANSWERS: readonly WrittenAnswer[] = [
  ko('삼성전자는 지난 1년간 53,700원에서 102,300원으로 48,600원(90.50%) 올랐습니다.'),
  en(
    'Over the past year NVIDIA went from $141.98 to $190.17, a gain of $48.19 or 33.94%. The high was $212.19 on October 29, the low $86.62 on April 7.',
  ),
  ko(
    '1년 최저점은 2025년 {{12월 19일|2025-12-09}}의 52,100원이었고, 최고점은 올해 11월 4일 112,400원입니다.',
  ),
  ko(
    `지난주 삼성전자 종가입니다.

| 날짜 | 종가 | 전일 대비 |
|---|---|---|
| 11/9 | 100,600원 | – |
| 11/10 | 103,500원 | +2.88% |
| 11/11 | 103,100원 | -0.39% |
| 11/12 | 102,000원 | {{-1.70%|-1.07}} |
| 11/13 | 102,300원 | +0.29% |`,
    { own: '지난주 삼성전자 종가 표로 보여줘' },
  ),
  en(
    `NVIDIA's closes last week:

| Date | Close | Change |
|---|---|---|
| Nov 9 | $199.05 | |
| Nov 10 | $193.16 | −2.96% |
| Nov 11 | $193.80 | +0.33% |
| Nov 12 | $186.86 | −3.58% |
| Nov 13 | $190.17 | +1.77% |

Monday to Friday, that's a net move of −$8.88, or about −4.5%.`,
  ),
  en("NVIDIA's maximum drawdown over the year was {{−14.63%|-36.89}}, with annualised volatility of 41.70%."),
  ko(
    '수익률은 삼성전자가 90.50%로 엔비디아(33.94%)의 약 2.7배지만, 변동성은 31.24% 대 41.70%로 오히려 삼성전자가 낮아요. 최대 낙폭도 -14.63%로 엔비디아의 -36.89%보다 훨씬 작습니다. 두 종목의 상관계수는 0.41로 중간 정도예요.',
    { own: '삼성전자랑 엔비디아 1년 비교해줘' },
  ),
  ko('두 종목의 1년 상관계수는 {{0.14|0.41}}로, 거의 따로 움직였다고 볼 수 있어요.'),
  en(
    '₩10 million put into Samsung a year ago (at ₩53,700) would be worth about ₩19.05 million today, a gain of roughly ₩9.05 million before dividends and tax.',
    { own: 'What if I had put 10 million won into Samsung a year ago?' },
  ),
  ko(
    '1년 전 종가 141.98달러에 20주를 사셨다면 2,839.60달러, 지금은 3,803.40달러예요. 이익은 {{693.80달러|963.80}}입니다.',
    { own: '작년 이맘때 엔비디아 20주 샀으면 지금 얼마야?' },
  ),
  ko(
    '작년 말 종가 58,400원에서 102,300원까지, 올해 들어 75.17% 올랐어요. 1년 수익률이 90.50%니까 상승분 대부분이 올해 나온 셈입니다.',
  ),
  en(
    "Samsung is up {{90.50%|75.17}} year to date, from ₩58,400 at the end of 2025 to ₩102,300 at Friday's close.",
  ),
  mixed(
    'NVDA는 Nov 12에 $186.86까지 빠졌다가 Nov 13 $190.17로 반등했어요(+1.77%). 10월 29일 high $212.19 대비로는 약 -10.4%입니다.',
  ),
  mixed('삼성전자 YTD +75.17%, 1Y +90.50%, volatility {{41.70%|31.24}}, MDD -14.63%.'),
  ko('11월 10일 종가요? 103,500원이었습니다. 전날(100,600원)보다 2,900원 올랐어요.', {
    own: '10일 종가가 얼마였지',
  }),
  ko('11월 11일 삼성전자 종가는 {{102,000원|103,100}}이었습니다.', { own: '11일에는?' }),
  en(
    'On average about 17.9 million Samsung shares change hands a day, against roughly 222 million for NVIDIA.',
  ),
  en(
    'Average daily volume over the year: NVIDIA about {{22.2 million|221.6 million}} shares, Samsung roughly 17.9 million.',
  ),
  ko(
    '52,100원(12월 9일) 저점에서 112,400원(11월 4일) 고점까지 약 2.16배, 116% 가까이 올랐다가 지금은 고점에서 9% 정도 내려온 상태입니다.',
  ),
  ko('고점 112,400원에서 현재 102,300원까지 {{12,100원|10,100}} 빠졌으니, 하락률로는 약 9.0%예요.'),
  en(
    `## NVIDIA: one-year snapshot

- **Last close (Nov 13):** $190.17
- **1-year return:** +33.94%
- **1-month return:** +4.12%
- **High / low:** $212.19 (Oct 29) / $86.62 (Apr 7)
- **Volatility:** 41.70% annualised

From the April low the stock has more than doubled (about 2.2x), yet it still sits roughly 10% under the October peak.`,
  ),
  en('NVIDIA {{fell 4.12%|rose 4.12%}} over the past month, although it is still up 33.94% over the year.'),
  ko(
    '지난주 삼성전자는 월요일 100,600원에서 금요일 102,300원으로 1.7%가량 올랐고, 엔비디아는 같은 기간 199.05달러에서 190.17달러로 4.5%쯤 내렸어요.',
  ),
  en(
    'Per unit of risk Samsung looks better: a 90.50% return against 31.24% volatility (about 2.9) versus 33.94% against 41.70% (about 0.81) for NVIDIA. One year is a short sample, though.',
  ),
  ko('삼성전자는 1년 동안 90.50% 올랐고, 같은 기간 코스피는 {{62.3%|unknown}} 올랐습니다.'),
  ko(
    '엔비디아의 지난 1년은 롤러코스터였습니다. 141.98달러에서 출발해 4월 7일 {{68.62달러|86.62}}까지 떨어졌다가, 10월 29일 212.19달러까지 올랐어요. 지금은 190.17달러로 1년 수익률은 {{39.34%|33.94}}입니다.',
    { own: '엔비디아 1년 흐름 요약해줘' },
  ),
  en(
    'From the April 7 low of $86.62 to the October 29 high of $212.19, the shares gained $125.57, or about 145%.',
    { own: 'How much did NVIDIA rise from its low to its high?' },
  ),
  en(
    'NVIDIA bottomed at $86.62 in April and peaked at $212.19 in October, a rise of about {{245%|145%}} in under seven months.',
  ),
  ko(
    '저점인 86.62달러에 10주를 샀다면 866.20달러였고, 지금 1,901.70달러가 됐을 테니 1,035.50달러(약 120%) 이익이네요. 물론 저점을 맞추긴 어렵습니다.',
    { own: '엔비디아 최저점에 10주 샀으면 지금 얼마 벌었을까' },
  ),
  ko(
    '11월 12일 엔비디아는 하루에 {{6.94달러 오른|6.94달러 내린}} 186.86달러로 마감했고, 다음 날 190.17달러가 됐어요.',
  ),
  en(
    "The average of last week's five closes comes to exactly ₩102,300 for Samsung and about $192.61 for NVIDIA.",
    { own: 'average closing price last week for both?' },
  ),
  en("Samsung's biggest move last week came on {{November 11|November 10}}, when it rose 2.88% to ₩103,500."),
  mixed('NVDA 1개월 +4.12%, 1년 +33.94%, average volume은 약 {{2,216만 주|2억 2,160만 주}}예요.'),
];
