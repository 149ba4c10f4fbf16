import { en, ko, mixed, type WrittenAnswer } from './written-answer.ts';

/** Answers from a year of prices. Today is Monday, 16 November 2026. */
export const HISTORY_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '삼성전자는 최근 1년간 90.5% 올랐습니다. 2025년 11월 14일 53,700원에서 지난 금요일 102,300원이 됐습니다.',
  ),
  ko(
    '삼성전자는 최근 1년간 {{95.0%|90.5%}} 올랐습니다. 2025년 11월 14일 {{57,300원|53,700}}에서 지난 금요일 102,300원이 됐습니다.',
  ),
  ko('삼성전자의 올해 수익률은 75.17%로, 작년 말 종가 58,400원에서 출발했습니다.'),
  ko('삼성전자의 올해 수익률은 {{57.17%|75.17%}}로, 작년 말 종가 {{54,800원|58,400}}에서 출발했습니다.'),
  ko('삼성전자의 올해 수익률은 {{90.5%|75.17% ytd}}입니다.'),
  ko('삼성전자의 11월 13일 종가는 102,300원입니다.'),
  ko('삼성전자의 {{11월 12일 종가는 102,300원|102,000 that day}}입니다.'),
  ko(
    '삼성전자는 11월 9일 100,600원, 10일 103,500원, 11일 103,100원, 12일 102,000원, 13일 102,300원으로 마감했습니다.',
  ),
  ko(
    '삼성전자는 11월 9일 100,600원, 10일 103,500원, 11일 {{101,300원|103,100}}, 12일 102,000원, 13일 102,300원으로 마감했습니다.',
  ),
  ko('엔비디아의 52주 최고가는 212.19달러(10월 29일), 최저가는 86.62달러(4월 7일)입니다.'),
  ko('엔비디아의 52주 최고가는 {{212.19달러(10월 19일)|10-29}}, 최저가는 86.62달러(4월 7일)입니다.'),
  ko(
    '엔비디아의 52주 최고가는 {{221.19달러|212.19}}(10월 29일), 최저가는 {{68.62달러|86.62}}(4월 7일)입니다.',
  ),
  ko('엔비디아는 1년 동안 33.94% 상승했고, 한 달 기준으로는 4.1% 올랐습니다.'),
  ko('엔비디아는 1년 동안 33.94% 상승했고, 한 달 기준으로는 {{4.1% 하락|up}}했습니다.'),
  ko('삼성전자는 1년 새 거의 두 배가 됐고, 최대 낙폭은 14.63%였습니다.'),
  ko('삼성전자는 1년 새 거의 두 배가 됐고, 최대 낙폭은 {{36.89%|14.63%}}였습니다.'),
  ko('연환산 변동성은 삼성전자 31.2%, 엔비디아 41.7%로 엔비디아가 약 10.5%p 높습니다.'),
  ko('연환산 변동성은 삼성전자 {{41.7%|31.2%}}, 엔비디아 {{31.2%|41.7%}}로 엔비디아가 낮습니다.'),
  ko('두 종목의 1년 상관계수는 0.41로, 같은 방향으로 움직이는 경향이 약합니다.'),
  ko('두 종목의 1년 상관계수는 {{0.81|0.41}}로, 같은 방향으로 움직이는 경향이 강합니다.'),
  ko('삼성전자의 1년 평균 거래량은 약 1,789만 주, 엔비디아는 약 2억 2,160만 주입니다.'),
  ko(
    '삼성전자의 1년 평균 거래량은 약 {{1억 789만 주|1,789만}}, 엔비디아는 약 {{2,216만 주|2억 2,160만}}입니다.',
  ),
  ko('엔비디아는 저점 86.62달러에서 지금까지 약 119.5% 반등했습니다.'),
  ko('엔비디아는 저점 86.62달러에서 지금까지 약 {{159.5%|119.5%}} 반등했습니다.'),
  ko('지난 금요일 엔비디아는 전 거래일보다 3.31달러(1.77%) 오른 190.17달러에 마감했습니다.'),
  ko('지난 금요일 엔비디아는 전 거래일보다 {{3.31달러|up}}({{1.77%|up}}) 내린 190.17달러에 마감했습니다.'),
  ko('{{지난 목요일 엔비디아 종가는 190.17달러|Friday}}였습니다.'),
  ko('1년 전 삼성전자에 1,000만 원을 투자했다면 지금 약 1,905만 원이 됐을 것입니다.', {
    own: '1년 전에 1000만원 넣었으면?',
  }),
  ko('1년 전 삼성전자에 1,000만 원을 투자했다면 지금 약 {{2,905만 원|1,905만}}이 됐을 것입니다.', {
    own: '1년 전에 1000만원 넣었으면?',
  }),
  ko(
    `### 최근 5거래일 종가
| 날짜 | 삼성전자 | 엔비디아 |
|---|---|---|
| 11/9 | 100,600원 | $199.05 |
| 11/10 | 103,500원 | $193.16 |
| 11/11 | 103,100원 | $193.80 |
| 11/12 | 102,000원 | $186.86 |
| 11/13 | 102,300원 | $190.17 |`,
  ),
  ko(
    `### 최근 5거래일 종가
| 날짜 | 삼성전자 | 엔비디아 |
|---|---|---|
| 11/9 | 100,600원 | $199.05 |
| 11/10 | {{105,300원|103,500}} | $193.16 |
| 11/11 | 103,100원 | {{$139.80|193.80}} |
| 11/12 | {{102,300원|102,000}} | $186.86 |
| 11/13 | {{102,000원|102,300}} | $190.17 |`,
  ),
  ko(
    '삼성전자의 최근 5거래일 평균 종가는 100,600, 103,500, 103,100, 102,000, 102,300원을 평균 낸 102,300원입니다.',
  ),
  ko('1년 수익률은 삼성전자 90.5%, 엔비디아 33.9%로 삼성전자가 56.6%포인트 앞섭니다.'),
  ko('1년 수익률은 삼성전자 90.5%, 엔비디아 33.9%로 삼성전자가 {{65.6%포인트|56.6}} 앞섭니다.'),
  ko('삼성전자는 52주 고점인 112,400원(11월 4일)에서 9.0% 내려온 상태입니다.'),
  ko('삼성전자는 52주 고점인 {{112,400원(10월 4일)|11-04}}에서 {{9.0%|?}} 내려온 상태입니다.'),
  ko('52주 저점 52,100원은 2025년 12월 9일에 기록했고, 그 뒤로 96.4% 올랐습니다. (삼성전자 기준)'),
  ko(
    '52주 저점 {{51,200원|52,100}}은 2025년 12월 9일에 기록했고, 그 뒤로 {{96.4%|?}} 올랐습니다. (삼성전자 기준)',
  ),
  en('NVIDIA is up 33.94% over the past year, from $141.98 to $190.17.'),
  en('NVIDIA is up {{43.94%|33.94%}} over the past year, from {{$114.98|141.98}} to $190.17.'),
  en('NVDA closed at $190.17 on Friday, November 13, a gain of $3.31 or about 1.8% on the day.'),
  en('{{NVDA closed at $190.17 on Thursday, November 12|Friday 11-13}}.'),
  en('On Nov 10, NVDA closed at $193.16; on Nov 11 it finished at $193.80.'),
  en('On Nov 10, NVDA closed at {{$193.80|193.16}}; on Nov 11 it finished at {{$193.16|193.80}}.'),
  en("Nvidia's 52-week low of $86.62 was set on April 7, 2026, and the high of $212.19 on October 29."),
  en(
    "Nvidia's 52-week low of {{$86.62 was set on April 17, 2026|April 7}}, and the high of $212.19 on October 29.",
  ),
  en('From that trough the stock has more than doubled: +119.5% to $190.17.'),
  en("Nvidia's maximum drawdown over the year was 36.89%, versus 14.63% for Samsung."),
  en("Nvidia's maximum drawdown over the year was {{63.89%|36.89%}}, versus 14.63% for Samsung."),
  en('Annualized volatility: 41.7% for Nvidia and 31.2% for Samsung; correlation 0.41.'),
  en('Annualized volatility: {{47.1%|41.7%}} for Nvidia and 31.2% for Samsung; correlation {{0.14|0.41}}.'),
  en('Samsung has gained 75.2% year to date and 90.5% over twelve months.'),
  en('Samsung has gained {{90.5%|75.2% ytd}} year to date and {{75.2%|90.5%}} over twelve months.'),
  en('Samsung Electronics nearly doubled, from ₩53,700 a year ago to ₩102,300, a gain of ₩48,600.'),
  en(
    'Samsung Electronics nearly doubled, from ₩53,700 a year ago to ₩102,300, a gain of {{₩46,800|48,600}}.',
  ),
  en('If you had invested $1,000 in NVDA a year ago, you would now have roughly $1,339.'),
  en('If you had invested $1,000 in NVDA a year ago, you would now have roughly {{$1,939|1,339}}.', {
    own: 'what if I had put $1,000 in nvidia a year ago',
  }),
  en(
    `**Last five closes (NVDA)**
- Mon, Nov 9: $199.05
- Tue, Nov 10: $193.16 (-2.96%)
- Wed, Nov 11: $193.80
- Thu, Nov 12: $186.86 (-3.58%)
- Fri, Nov 13: $190.17 (+1.77%)

The five-day average is about $192.61.`,
  ),
  en(
    `**Last five closes (NVDA)**
- Mon, Nov 9: {{$190.05|199.05}}
- Tue, Nov 10: $193.16
- Wed, Nov 11: $193.80
- Thu, Nov 12: $186.86 ({{+3.58%|-3.58%}})
- Fri, Nov 13: $190.17 (+1.77%)

The five-day average is about {{$196.21|about 192.61}}.`,
  ),
  en('NVDA averaged about 221.6 million shares a day over the year; Samsung averaged 17.9 million.'),
  en(
    'NVDA averaged about {{22.16 million|221.6 million}} shares a day over the year; Samsung averaged 17.9 million.',
  ),
  en("Samsung's peak of ₩112,400 came on November 4, so the stock is about 9% off its high."),
  en(
    "Samsung's peak of {{₩112,400 came on November 14|November 4}}, so the stock is about {{9%|?}} off its high.",
  ),
  en('Over the last month Nvidia rose 4.12%.'),
  en('Over the last month Nvidia {{fell 4.12%|rose}}.'),
  en('Over the last month Nvidia rose {{33.94%|4.12%}}.'),
  mixed('NVDA의 1-year return은 +33.94%, Samsung은 +90.50%입니다. (as of 2026-11-13)'),
  mixed('NVDA의 1-year return은 {{+90.50%|33.94}}, Samsung은 {{+33.94%|90.50}}입니다. (as of 2026-11-13)'),
  mixed('Max drawdown은 NVDA -36.89%, 삼성전자 -14.63%로 차이가 22.3%p 정도 납니다.'),
  mixed('Max drawdown은 NVDA -36.89%, 삼성전자 {{-16.43%|-14.63}}로 NVDA가 훨씬 큽니다.'),
  mixed('삼성전자 YTD 수익률은 75.2%, 작년 말 close는 ₩58,400이었습니다.'),
  mixed('삼성전자 YTD 수익률은 75.2%, 작년 말 close는 {{₩85,400|58,400}}이었습니다.'),
];
