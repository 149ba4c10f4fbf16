import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from the figures of companies, first set. */
export const FIRST_FUNDAMENTAL_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '삼성전자의 시가총액은 약 605조 6천억 원이고, PER은 21.84배(선행 11.37배), PBR은 1.62배입니다. 배당수익률은 1.42%예요.',
    { own: '삼전 밸류에이션 알려줘' },
  ),
  ko(`**애플 vs 마이크로소프트**

| 지표 | 애플 | 마이크로소프트 |
|---|---|---|
| 시가총액 | 4.03조 달러 | 3.79조 달러 |
| PER | 36.54배 | 36.21배 |
| 선행 PER | 32.85배 | 27.36배 |
| ROE | 171.42% | 32.24% |
| 영업이익률 | 31.65% | 48.87% |

선행 PER로 보면 마이크로소프트가 더 저렴합니다.`),
  ko(`| 지표 | 애플 | 마이크로소프트 |
|---|---|---|
| 매출 성장률 | 7.9% | {{8.8%|18.4%}} |
| 순이익률 | 26.92% | 35.71% |
| 부채비율 | 152.41% | 33.15% |`),
  ko('애플의 시가총액은 {{약 403억 달러|4조 331억}}이고, 최근 12개월 매출은 4,161억 6,100만 달러입니다.'),
  ko(
    '삼성전자 주당 배당금은 1,452원이니 100주를 들고 계시면 연 145,200원(세전)을 받게 됩니다. 배당소득세 {{15.4%|?}}를 떼면 {{약 122,800원|?}} 정도예요.',
    { own: '삼전 100주 있으면 배당 얼마 받아?' },
  ),
  ko(
    '삼성전자 EPS는 4,684원인데 내년 예상치는 8,997원으로 약 92% 늘어날 것으로 보입니다. 그래서 선행 PER이 {{13.17배|11.37}}까지 낮아지는 거예요.',
  ),
  ko(
    '마이크로소프트의 영업이익률은 48.87%로 애플(31.65%)보다 17.2%p 높고, 삼성전자(9.47%)와는 5배 넘게 차이 납니다.',
  ),
  ko('애플 배당락일은 {{11월 19일|11월 10일}}이고, 배당수익률은 0.38%, 주당 배당금은 연 1.04달러입니다.'),
  ko(`**재무 건전성**
- 삼성전자 부채비율: 3.05%
- 애플 부채비율: 152.41%
- 마이크로소프트 부채비율: 33.15%

애플 부채비율이 높아 보이지만 자사주 매입으로 자본이 줄어든 영향이 큽니다. 잉여현금흐름은 788억 6,200만 달러로 넉넉해요.`),
  ko(
    '삼성전자 매출은 {{약 3,089조 원|309조}}, 잉여현금흐름은 21조 3,800억 원입니다. 매출총이익률은 36.12%예요.',
  ),
  mixed('Beta는 삼성전자 0.78, AAPL 1.11, MSFT 1.07로, 셋 중 삼성전자가 market 변동에 가장 둔감합니다.'),
  ko(
    '마이크로소프트 PER은 36.21배, PBR은 {{54.69배|10.45}}, ROE는 32.24%입니다. 다음 배당락일은 11월 19일이에요.',
  ),
  ko('삼성전자의 순이익률은 9.69%, 매출은 308.9조 원이니 순이익은 대략 {{39.9조 원|29.9조}}으로 추정됩니다.'),
  en(
    "Apple's market cap is about $4.03 trillion, versus $3.79 trillion for Microsoft — a difference of roughly $242 billion.",
  ),
  en(
    'Microsoft trades at 36.21x trailing earnings and 27.36x forward, while Apple is at 36.54x and 32.85x. On forward earnings, Microsoft looks cheaper by about 5.5 turns.',
  ),
  en(
    `- **Revenue (TTM):** $416.2B
- **Revenue growth:** 7.9%
- **Gross margin:** 46.91%
- **Net margin:** {{35.71%|26.92%}}
- **Free cash flow:** $78.9B

Apple converts about 19% of revenue into free cash flow.`,
    { own: "what do apple's fundamentals look like?" },
  ),
  en(
    "Apple's trailing EPS is $7.47 and the forward estimate is $8.31, implying growth of about 11%. Microsoft goes from $14.09 to $18.64, about {{23%|32%}}.",
  ),
  en(
    "Microsoft pays $3.64 per share a year (yield 0.71%). The next ex-dividend date is November 19, so you'd need to own it before then.",
  ),
  en(
    "Microsoft's ROE is 32.24%, far below Apple's {{117.42%|171.42%}}, but Apple's figure is inflated by buybacks. Debt-to-equity is 33.15% vs 152.41%.",
  ),
  en(
    "Samsung's free cash flow was ₩21.38 trillion on revenue of ₩308.9 trillion. Its operating margin of 9.47% is much lower than Microsoft's 48.87%.",
  ),
  en(
    "Samsung's market cap is roughly {{₩605.6 billion|trillion}}, with 5.92 billion shares outstanding and a P/B of 1.62.",
  ),
  en(`| | AAPL | MSFT |
|---|---|---|
| P/E | 36.54 | 36.21 |
| P/B | 54.69 | 10.45 |
| Beta | 1.11 | {{1.70|1.07}} |
| Dividend yield | 0.38% | 0.71% |`),
  en(
    "Apple's payout is modest: $1.04 a share against EPS of $7.47, about a 14% payout ratio. Samsung pays out roughly 31% (₩1,452 of ₩4,684).",
  ),
  en(
    "Of the three, Microsoft is growing fastest (18.4%), then Samsung (8.8%) and Apple (7.9%). Apple's dividend yield is the {{highest at 0.38%|lowest}}.",
  ),
  mixed(
    'MSFT의 forward PER은 27.36배, AAPL은 32.85배입니다. Operating margin은 MSFT가 48.87%로 AAPL의 {{36.15%|31.65%}}보다 높아요.',
  ),
  mixed(
    '삼성전자 PBR 1.62배, ROE 8.34%, dividend yield 1.42%예요. Forward P/E는 11.37x로 trailing(21.84x)의 절반 수준입니다.',
  ),
];

/** Answers from the figures of companies, second set. */
export const SECOND_FUNDAMENTAL_ANSWERS: readonly WrittenAnswer[] = [
  ko('삼성전자 PER은 21.84배, 12개월 선행 PER은 11.37배예요.', { own: '삼성전자 PER?' }),
  en(
    "Apple's market cap is about $4.03 trillion, against $3.79 trillion for Microsoft. That's a gap of roughly $242 billion, or about 6.4%.",
  ),
  ko('삼성전자 시가총액은 약 {{60조 6천억 원|605조 6천억 원}}이고, 발행주식수는 약 59억 2천만 주입니다.'),
  en(
    'Microsoft is the faster grower of the two: its revenue rose {{7.9%|18.4}}, with an operating margin of 48.87%.',
  ),
  en(
    `| | Samsung | Apple | Microsoft |
|---|---|---|---|
| P/E | 21.84 | 36.54 | 36.21 |
| Forward P/E | 11.37 | 32.85 | 27.36 |
| P/B | 1.62 | 54.69 | 10.45 |
| ROE | 8.34% | {{117.42%|171.42}} | 32.24% |
| Dividend yield | 1.42% | 0.38% | 0.71% |

Samsung is by far the cheapest on every measure here.`,
    { own: 'Valuation table for Samsung, Apple, Microsoft' },
  ),
  ko(
    `세 회사의 수익성을 정리하면 이렇습니다.

| 구분 | 삼성전자 | 애플 | 마이크로소프트 |
|---|---|---|---|
| 매출총이익률 | 36.12% | 46.91% | 68.76% |
| 영업이익률 | 9.47% | 31.65% | 48.87% |
| 순이익률 | 9.69% | 26.92% | 35.71% |
| ROE | 8.34% | 171.42% | 32.24% |

수익성만 보면 마이크로소프트가 가장 안정적이에요.`,
  ),
  ko(
    '영업이익률은 마이크로소프트 48.87%, 애플 31.65%, 삼성전자 9.47% 순이에요. 마이크로소프트가 삼성전자의 5배를 넘습니다.',
  ),
  ko('순이익률은 마이크로소프트 35.71%, 애플 26.92%로 {{8.97%포인트|8.79}} 차이가 납니다.'),
  en(
    "At $1.04 a year on EPS of $7.47, Apple pays out only about 14% of its earnings. Microsoft's $3.64 on $14.09 works out to around 26%.",
  ),
  en(
    "50 × $3.64 = $182 a year before tax, or about $45.50 a quarter. The next ex-dividend date is November 19, so you'd need to own it before then.",
    { own: 'I own 50 Microsoft shares. How much dividend do I get?' },
  ),
  ko('주당 배당금이 연 1,452원이니까 200주면 세전 {{29,040원|290,400}} 정도 받으세요.', {
    own: '삼성전자 200주 있으면 배당 얼마 받아?',
  }),
  ko(
    'EPS가 4,684원에서 예상치 8,997원으로 약 92% 늘어날 것으로 추정되고, 그래서 PER도 21.84배에서 11.37배로 거의 절반이 됩니다.',
  ),
  en(
    "Analysts expect Microsoft's EPS to go from $14.09 to $18.64, growth of about {{24%|32%}}, which is why the multiple drops from 36.21 to 27.36 on a forward basis.",
  ),
  mixed(
    '애플 ROE 171.42%는 buyback으로 자기자본이 줄어든 영향이 커요. Debt-to-equity도 152.41%로 MSFT(33.15%)보다 훨씬 높습니다.',
  ),
  mixed('MSFT의 free cash flow는 {{$78.9B|$53.3B}}, operating margin은 48.87%로 수익성은 확실히 좋아요.'),
  ko(
    '매출은 삼성전자 308조 9,340억 원(+8.8%), 애플 4,161억 6,100만 달러(+7.9%), 마이크로소프트 2,938억 1,200만 달러(+18.4%)입니다.',
  ),
  ko('애플 매출은 약 {{416억 달러|4,162억 달러}}, 순이익률은 26.92%예요.'),
  en(
    `**Microsoft (MSFT) at a glance**

- **Market cap:** ~$3.79T
- **P/E:** 36.21 trailing, 27.36 forward
- **Revenue:** $293.8B, up 18.4%
- **Margins:** 68.76% gross, 48.87% operating, 35.71% net
- **Free cash flow:** $53.3B
- **Dividend:** $3.64 a share (0.71%), ex-date November 19

A premium price, but for premium growth.`,
  ),
  en(
    'Dividing market cap by revenue gives a price-to-sales ratio of about 9.7 for Apple, 12.9 for Microsoft and just under 2 for Samsung.',
  ),
  en(
    'On price-to-sales, Apple trades at about 9.7x and Microsoft at about {{9.2x|12.9x}}, so Apple is the more expensive one.',
  ),
  ko(
    'FCF 수익률로 보면 애플은 788억 6,200만 달러 ÷ 4조 331억 달러로 약 1.96%, 삼성전자는 21조 3,800억 원 ÷ 605조 5,790억 원으로 약 3.5%예요.',
  ),
  ko('마이크로소프트 배당락일은 {{11월 10일|2026-11-19}}이고, 배당수익률은 0.71%입니다.'),
  en(
    'Samsung, with a beta of {{0.87|0.78}}, moves less than the market. Apple (1.11) and Microsoft (1.07) move a bit more.',
  ),
  ko('베타는 삼성전자 0.78, 마이크로소프트 1.07, 애플 1.11이라 삼성전자가 시장보다 덜 출렁이는 편입니다.'),
  en(
    'Dividing the $4.033 trillion market cap by 14.78 billion shares outstanding gives about $272.9 per share, so the figures are consistent.',
  ),
  ko(
    `### 삼성전자 vs 애플, 어느 쪽이 싼가?

**1. 밸류에이션**
삼성전자는 PER 21.84배, PBR 1.62배이고 애플은 각각 36.54배, 54.69배입니다. 선행 PER로 보면 11.37배 대 32.85배라 격차가 약 2.9배까지 벌어져요.

**2. 수익성**
반대로 영업이익률은 애플 31.65%, 삼성전자 9.47%로 애플이 압도적입니다.

**3. 배당**
배당수익률은 삼성전자 1.42%, 애플 0.38%로 1.04%포인트 차이가 나요.

가격은 삼성전자, 수익성은 애플이라고 정리할 수 있겠습니다.`,
    { own: '삼성전자랑 애플 중에 뭐가 더 저평가야?' },
  ),
  ko('삼성전자의 영업이익률은 {{9.69%|9.47}}, 매출총이익률은 36.12%입니다.'),
  en(
    'Samsung has about {{14.8 billion|5.92 billion}} shares outstanding and a market cap of roughly ₩606 trillion.',
  ),
  en(
    'Revenue of $416.2 billion at a 26.92% net margin implies about $112 billion of net income. Microsoft earns nearly as much ($105 billion) on far less revenue.',
  ),
  ko('부채비율은 삼성전자가 {{30.5%|3.05}}로 가장 낮고, 마이크로소프트 33.15%, 애플 152.41% 순입니다.'),
  ko(
    '마이크로소프트 매출은 애플의 약 71% 수준이지만, 영업이익으로 따지면 1,436억 달러 대 1,317억 달러로 오히려 앞서요. 영업이익률 차이(48.87% vs 31.65%) 때문입니다.',
  ),
  en('100 Apple shares pay $104 a year and 100 Microsoft shares $364, so $468 altogether before tax.', {
    own: 'dividends from 100 AAPL and 100 MSFT?',
  }),
  ko('애플은 시총 4조 331억 달러, PER {{63.54배|36.54}}, 배당수익률 {{3.8%|0.38}}입니다.', {
    own: '애플 시총이랑 PER, 배당 알려줘',
  }),
  ko(
    '애플 PBR 54.69배는 마이크로소프트(10.45배)의 약 5.2배, 삼성전자(1.62배)의 약 34배예요. 자사주 매입으로 자본이 줄어든 탓이 큽니다.',
  ),
  en("Apple's price-to-book of 54.69 is about {{3.4 times|34 times}} Samsung's 1.62."),
  en(
    'Together the two are worth about $7.82 trillion: $4.03 trillion for Apple, $3.79 trillion for Microsoft.',
  ),
  ko('잉여현금흐름은 애플이 {{533억 달러|789억 달러}}, 마이크로소프트가 {{789억 달러|533억 달러}}입니다.'),
  mixed(
    'MSFT revenue growth 18.4% vs AAPL 7.9%. 성장률 차이가 10.5%p나 나는데 trailing P/E는 36.21 vs 36.54로 거의 같아요.',
  ),
  ko('애플 EPS는 7.47달러에서 8.31달러로 {{0.48달러|0.84}}, 약 11% 늘어날 전망이에요.'),
];
