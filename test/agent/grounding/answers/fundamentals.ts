import { en, ko, mixed, type WrittenAnswer } from './written-answer.ts';

/** Answers from the figures of three companies. */
export const FUNDAMENTAL_ANSWERS: readonly WrittenAnswer[] = [
  ko('삼성전자의 시가총액은 약 605조 6천억 원입니다.'),
  ko('삼성전자의 시가총액은 약 {{650조 6천억 원|605.6조}}입니다.'),
  ko('삼성전자 PER은 21.84배, 선행 PER은 11.37배, PBR은 1.62배입니다.'),
  ko('삼성전자 PER은 {{11.37배|21.84}}, 선행 PER은 {{21.84배|11.37}}, PBR은 1.62배입니다.'),
  ko('삼성전자의 연간 매출은 약 308.9조 원, 영업이익률은 9.47%입니다.'),
  ko('삼성전자의 연간 매출은 약 {{380.9조 원|308.9조}}, 영업이익률은 {{19.47%|9.47%}}입니다.'),
  ko('삼성전자의 주당 배당금은 1,452원으로 배당수익률은 1.42%입니다.'),
  ko('삼성전자의 주당 배당금은 {{1,542원|1,452}}으로 배당수익률은 {{2.14%|1.42%}}입니다.'),
  ko('애플의 시가총액은 4조 331억 달러로 마이크로소프트(3조 7,914억 달러)보다 2,417억 달러가량 큽니다.'),
  ko(
    '애플의 시가총액은 {{3조 7,914억 달러|4조 331억}}로 마이크로소프트({{4조 331억 달러|3조 7,914억}})보다 작습니다.',
  ),
  ko('마이크로소프트는 매출이 18.4% 성장해 애플(7.9%)의 두 배가 넘는 성장률을 보였습니다.'),
  ko('마이크로소프트는 매출이 {{18.4% 감소|grew}}해 애플({{7.9%|?}})과 대조를 이뤘습니다.'),
  ko('영업이익률은 마이크로소프트 48.87%, 애플 31.65%, 삼성전자 9.47% 순입니다.'),
  ko(
    '영업이익률은 마이크로소프트 {{84.87%|48.87}}, 애플 {{9.47%|31.65}}, 삼성전자 {{31.65%|9.47}} 순입니다.',
  ),
  ko('애플의 ROE가 171%에 이르는 것은 자사주 매입으로 자본이 줄었기 때문입니다.'),
  ko('애플의 ROE가 {{117%|171%}}에 이르는 것은 자사주 매입으로 자본이 줄었기 때문입니다.'),
  ko('애플의 부채비율은 152.41%이고 베타는 1.11입니다.'),
  ko('애플의 부채비율은 {{33.15%|152.41%}}이고 베타는 {{1.07|1.11}}입니다.'),
  ko('삼성전자의 EPS는 4,684원이며, 내년 예상 EPS는 8,997원으로 약 92% 증가할 전망입니다.'),
  ko('삼성전자의 EPS는 4,684원이며, 내년 예상 EPS는 {{9,897원|8,997}}으로 늘어날 전망입니다.'),
  ko('삼성전자의 발행주식수는 약 59억 2천만 주입니다.'),
  ko('삼성전자의 발행주식수는 약 {{5억 9,200만 주|59억 2천만}}입니다.'),
  ko('삼성전자 잉여현금흐름은 21조 3,800억 원이고 매출총이익률은 36.1%입니다.'),
  ko('삼성전자 잉여현금흐름은 {{2조 1,380억 원|21조 3,800억}}이고 매출총이익률은 36.1%입니다.'),
  ko('마이크로소프트의 배당락일은 11월 19일, 애플은 이미 11월 10일에 지났습니다.'),
  ko('마이크로소프트의 배당락일은 {{11월 9일|11-19}}, 애플은 이미 11월 10일에 지났습니다.'),
  ko(
    `| 항목 | 삼성전자 | 애플 | 마이크로소프트 |
|---|---|---|---|
| 시가총액 | 605.6조 원 | 4.03조 달러 | 3.79조 달러 |
| PER | 21.8배 | 36.5배 | 36.2배 |
| PBR | 1.62배 | 54.69배 | 10.45배 |
| ROE | 8.34% | 171.42% | 32.24% |
| 배당수익률 | 1.42% | 0.38% | 0.71% |`,
  ),
  ko(
    `| 항목 | 삼성전자 | 애플 | 마이크로소프트 |
|---|---|---|---|
| 시가총액 | {{60.5조 원|605.6조}} | 4.03조 달러 | 3.79조 달러 |
| PER | 21.8배 | {{35.6배|36.5}} | 36.2배 |
| PBR | 1.62배 | {{10.45배|54.69}} | {{54.69배|10.45}} |
| ROE | 8.34% | 171.42% | 32.24% |
| 배당수익률 | {{14.2%|1.42%}} | 0.38% | 0.71% |`,
  ),
  ko('3분기(7~9월) 실적이 반영된 최근 12개월 기준이며, 삼성전자 순이익률은 9.69%입니다.'),
  ko('3분기(7~9월) 실적이 반영된 최근 12개월 기준이며, 삼성전자 순이익률은 {{6.99%|9.69%}}입니다.'),
  en('Apple has a market cap of about $4.03 trillion and trades at 36.5 times trailing earnings.'),
  en(
    'Apple has a market cap of about {{$4.03 billion|trillion}} and trades at {{63.5|36.5}} times trailing earnings.',
  ),
  en('Microsoft trades at a forward P/E of 27.36, versus 32.85 for Apple.'),
  en('Microsoft trades at a forward P/E of {{32.85|27.36}}, versus {{27.36|32.85}} for Apple.'),
  en("Microsoft's revenue was $293.8 billion, up 18.4% year over year, with an operating margin of 48.87%."),
  en(
    "Microsoft's revenue was {{$239.8 billion|293.8}}, up 18.4% year over year, with an operating margin of {{44.87%|48.87%}}.",
  ),
  en("Apple's annual dividend is $1.04 per share, a yield of 0.38%."),
  en("Apple's annual dividend is {{$1.40|1.04}} per share, a yield of {{3.8%|0.38%}}."),
  en("Apple's free cash flow of $78.9B is roughly 19% of its $416.2B in revenue."),
  en("Apple's free cash flow of {{$87.9B|78.9B}} is well above Microsoft's $53.3B."),
  en('Samsung, Apple and Microsoft have betas of 0.78, 1.11 and 1.07, respectively.'),
  en('Samsung, Apple and Microsoft have betas of 0.78, {{1.07|1.11}} and {{1.11|1.07}}, respectively.'),
  en('Apple earns $7.47 per share on a trailing basis; analysts expect $8.31, which is about 11% more.'),
  en('Apple earns {{$4.77|7.47}} per share on a trailing basis; analysts expect $8.31.'),
  en("Microsoft's ex-dividend date is November 19, 2026."),
  en("Microsoft's ex-dividend date is {{November 29, 2026|November 19}}."),
  en(
    `**Profitability (trailing twelve months)**

- Apple: gross margin 46.9%, operating margin 31.7%, net margin 26.9%
- Microsoft: gross margin 68.8%, operating margin 48.9%, net margin 35.7%
- Samsung: gross margin 36.1%, operating margin 9.5%, net margin 9.7%

Figures come from the latest 10-K and 10-Q filings.`,
  ),
  en(
    `**Profitability (trailing twelve months)**

- Apple: gross margin 46.9%, operating margin {{13.7%|31.7%}}, net margin 26.9%
- Microsoft: gross margin {{86.8%|68.8%}}, operating margin 48.9%, net margin 35.7%
- Samsung: gross margin 36.1%, operating margin 9.5%, net margin {{7.9%|9.7%}}`,
  ),
  en("Samsung's debt-to-equity ratio is just 3.05%, compared with 152.41% for Apple."),
  en("Samsung's debt-to-equity ratio is just {{30.5%|3.05%}}, compared with 152.41% for Apple."),
  mixed('Apple의 trailing P/E는 36.54배, Microsoft는 36.21배로 거의 비슷합니다.'),
  mixed('Apple의 trailing P/E는 36.54배, Microsoft는 {{26.21배|36.21}}로 차이가 큽니다.'),
  mixed('MSFT의 ROE 32.24%, operating margin 48.87%, dividend yield 0.71%입니다.'),
  mixed('MSFT의 ROE {{23.24%|32.24}}, operating margin 48.87%, dividend yield {{7.1%|0.71}}입니다.'),
  mixed('삼성전자의 market cap은 ₩605.6T(약 605조 원)이고 forward P/E는 11.4x입니다.'),
  mixed('삼성전자의 market cap은 {{₩506.6T|605.6T}}이고 forward P/E는 {{14.1x|11.4x}}입니다.'),
];
