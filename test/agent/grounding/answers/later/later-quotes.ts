import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from quotes, first set. */
export const FIRST_QUOTE_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '삼성전자는 오늘 102,300원에 마감했어요. 어제보다 300원(0.29%) 오른 가격이고, 장중에는 101,100원까지 밀렸다가 103,400원까지 올랐습니다.',
    { own: '삼전 오늘 어때?' },
  ),
  ko(`**SK하이닉스 (000660)**
- 현재가: 561,000원
- 등락: ▼ 11,000원 (-1.92%)
- 장중 범위: 556,000 ~ 574,500원
- 52주 범위: 168,900 ~ 646,000원

고점 대비로는 약 13% 내려온 자리입니다. 투자 판단은 본인 책임이라는 점 참고해 주세요.`),
  ko(
    '테슬라는 간밤에 6.64% 급락해 {{$410.99|401.99}}에 마감했습니다. 다만 시간외에서는 407.15달러로 1.28% 반등하고 있어요.',
    { own: '테슬라 왜 이래?' },
  ),
  ko(
    '오늘 코스피는 159.06포인트(3.81%) 내린 {{4,110.57|4,011.57}}로 마감했습니다. 하이닉스도 1.92% 빠졌지만 삼성전자는 소폭 상승(+0.29%)하며 버텼네요.',
  ),
  ko(
    `두 종목을 비교하면 이렇습니다.

| 종목 | 종가 | 등락률 | 거래량 |
|---|---:|---:|---:|
| 삼성전자 | 102,300원 | +0.29% | 18,224,310주 |
| SK하이닉스 | 561,000원 | -1.92% | 3,482,917주 |

거래량은 삼성전자가 하이닉스의 5배 정도입니다.`,
    { own: '삼성이랑 하이닉스 비교해줘' },
  ),
  ko(`| 종목 | 현재가 | 전일 대비 | 52주 최고 |
|---|---|---|---|
| 애플 | $272.95 | -0.19% | $277.32 |
| 테슬라 | $401.99 | {{+6.64%|-6.64%}} | $488.54 |

애플은 52주 최고가에 1.6% 차이로 근접해 있습니다.`),
  ko(
    '삼성전자 10주를 지금 가격(102,300원)에 사시면 1,023,000원이 필요합니다. 20주면 {{2,460,000원|2,046,000}}이고요. 수수료는 별도예요.',
    { own: '삼전 10주나 20주 사려면 얼마 필요해?' },
  ),
  ko('평단 95,000원이시면 현재가 102,300원 기준으로 주당 7,300원, 약 7.7% 수익 중이시네요. 👍', {
    own: '나 삼전 평단 95,000원인데 수익률 몇 %야?',
  }),
  ko('평단이 30만원이시니 561,000원 기준 수익률은 약 {{78%|87%}}입니다. 주당 261,000원 이익이에요.', {
    own: '하이닉스 30만원에 샀어',
  }),
  mixed(
    '네, AAPL은 어젯밤 소폭 하락 마감했어요. Close는 $272.95로 previous close($273.47)보다 $0.52 낮았고, after-hours에서는 $273.31(+0.13%)입니다.',
  ),
  ko(`### 오늘의 시장 요약
1. **코스피**: 4,011.57 (-3.81%)
2. **삼성전자**: 102,300원 (+0.29%)
3. **SK하이닉스**: {{516,000원|561,000}} (-1.92%)

지수가 크게 밀린 하루였습니다. 코스피가 4,000선을 간신히 지켰네요.`),
  ko(
    'SK하이닉스는 52주 최저가 168,900원에서 현재 561,000원까지 {{약 2.3배가|3.3배}} 됐습니다. 최고가 646,000원까지는 85,000원 남았어요.',
  ),
  ko(
    '삼성전자 시가총액은 {{약 680조 원|unknown}}이고, PER은 {{14.2배|unknown}} 수준입니다. 주가는 102,300원이에요.',
  ),
  ko(
    '테슬라 하루 변동폭이 컸습니다. 저가 396.34달러, 고가 424.50달러로 28달러 넘게 움직였고, 결국 전일 종가 430.60달러보다 28.61달러 낮은 401.99달러에 끝났어요.',
  ),
  ko(
    '삼성전자가 52주 최고가를 뚫으려면 112,400원을 넘어야 하니, 지금보다 10,100원(약 9.9%) 더 올라야 합니다.',
  ),
  en(
    'The KOSPI dropped {{3.18%|3.81%}} in a single day, from 4,170.63 to 4,011.57 — a loss of {{195.06 points|159.06}}.',
  ),
  en("Apple closed at **$272.95**, down $0.52 (0.19%) on the day. It's up slightly after hours at $273.31.", {
    own: 'how is apple doing',
  }),
  en(
    "Tesla had a rough session: it dropped 6.64% to $401.99, on volume of about 118.9 million shares. The day's range was $396.34–$424.50.",
  ),
  en(`Here's the snapshot:

- **AAPL** — $272.95 (-0.19%)
- **TSLA** — $401.99 ({{-6.46%|-6.64%}})
- **KOSPI** — 4,011.57 (-3.81%)

All three finished lower.`),
  en(
    "Samsung Electronics {{fell 0.29%|rose}} today to ₩102,300. The 52-week range is ₩52,700 to ₩112,400, so it's trading roughly 9% below the high.",
  ),
  en(
    'Tesla is about 17.7% below its 52-week high of $488.54 and roughly 88% above its low of $214.25. Apple, by contrast, sits just 1.6% under its own high of $277.32.',
  ),
  en(`| | Apple | Tesla |
|---|---|---|
| Close | $272.95 | $401.99 |
| Prev. close | $273.47 | $430.60 |
| Day high | {{$267.70|276.70}} | $424.50 |
| Volume | 48.4M | 118.9M |

Tesla traded about 2.5x Apple's volume.`),
  en(
    "With $5,000 you could buy 18 shares of Apple at $272.95 (about $4,913) and have roughly $87 left over. For Tesla at $401.99 it's 12 shares, or about $4,824.",
    { own: 'I have $5,000. How many shares of Apple or Tesla can I buy?' },
  ),
  en(
    'SK hynix closed at 561,000 won, {{up 11,000 won|down}} from 572,000 won yesterday. Intraday it traded between 556,000 and 574,500.',
  ),
  en(
    "After-hours, Tesla is bouncing: $407.15, up $5.16 (1.28%) from the close. It would still need to gain about $23.45 more to get back to Wednesday's close of $430.60.",
  ),
  en(
    "Apple's market cap is around {{$3.2 trillion|unknown}} and it closed at $272.95, some {{5.8%|1.58%}} off its 52-week high of $277.32.",
  ),
  mixed(
    'TSLA 종가는 $401.99 (-6.64%)이고 after-hours에서 $407.15까지 반등 중입니다. 52-week high인 $488.54 대비로는 약 -17.7%예요.',
  ),
  mixed(
    'AAPL 현재 {{$272.59|272.95}}, day range는 $270.60–$276.70입니다. Volume은 약 4,840만 주로 보통 수준이에요.',
  ),
];

/** Answers from quotes, second set. */
export const SECOND_QUOTE_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '삼성전자는 102,300원에 거래를 마쳤어요. 전일보다 300원(+0.29%) 올랐고, 장중에는 101,100원~103,400원 사이에서 움직였습니다.',
    { own: '삼성전자 오늘 어땠어?' },
  ),
  ko('하이닉스는 오늘 좀 빠졌네요. 종가 561,000원, 전일 대비 {{-1,100원|-11,000}}(-1.92%)입니다.'),
  en(
    'Tesla closed at $401.99, down $28.61 (−6.64%) on the day. In after-hours trading it has recovered a little, to $407.15 (+1.28%).',
  ),
  en(
    "Apple finished at $272.95, basically flat ({{+0.19%|-0.19%}}). It's about $4.37 below its 52-week high of $277.32.",
  ),
  ko(
    '오늘 코스피가 3.81% 급락하면서 4,011.57로 밀렸는데, 삼성전자는 오히려 0.29% 올라 선방했습니다. 반면 SK하이닉스는 1.92% 내렸지만 지수보다는 낙폭이 작았어요. 지수와 비교하면 삼성전자는 약 4.1%포인트, 하이닉스는 약 1.89%포인트 더 나은 성적입니다.',
    { own: '오늘 코스피랑 비교해서 삼성전자, 하이닉스 어땠는지 알려줘' },
  ),
  en(
    `Here's how the two closed:

| Ticker | Price | Change | 52-week range |
|---|---|---|---|
| AAPL | $272.95 | −0.19% | $169.21 – $277.32 |
| TSLA | $401.99 | −6.64% | $214.25 – {{$484.54|488.54}} |

Let me know if you'd like the after-hours prices as well.`,
    { own: 'compare apple and tesla' },
  ),
  ko(
    '150주 기준으로 오늘 하루 평가액이 45,000원 늘었습니다(300원 × 150주). 현재 총 평가액은 15,345,000원이에요.',
    { own: '나 삼성전자 150주 있는데 오늘 얼마 벌었어?' },
  ),
  ko('20주면 561,000원 × 20 = {{1억 1,220만 원|11,220,000}}입니다. 오늘 하루로는 22만 원 정도 줄었어요.', {
    own: '하이닉스 20주면 지금 얼마야',
  }),
  en(
    "Rough day. At −$28.61 per share, your 30 shares lost about $858 in value, from $12,918 to roughly $12,060. After hours it's up $5.16, which would give back about $155 of that.",
    { own: 'I have 30 Tesla shares, how bad was it?' },
  ),
  en(
    'Tesla is now about {{12%|17.7%}} below its 52-week high of $488.54, while Apple sits just 1.6% under its own.',
  ),
  ko(
    '테슬라는 52주 최고가(488.54달러) 대비 약 17.7% 낮은 수준이고, 최저가 214.25달러와 비교하면 약 88% 높아요. 고점을 회복하려면 지금 가격에서 21.5% 정도 올라야 합니다.',
  ),
  ko('삼성전자 현재가는 102,300원이고, 52주 최고가는 {{646,000원|112,400}}, 최저가는 52,700원입니다.'),
  mixed(
    'AAPL은 $272.95로 마감(-0.19%), after-hours에서는 $273.31까지 올라와 있어요(+0.13%). 52-week high인 $277.32까지는 $4.37 남았습니다.',
  ),
  mixed(
    'TSLA close $401.99 (-6.64%), after-hours {{$417.15|407.15}} (+1.28%). Volume은 약 1.19억 주로 꽤 터졌네요.',
  ),
  en(
    `**Korean market, November 13**

- **KOSPI:** 4,011.57, down 159.06 points (−3.81%)
- **Samsung Electronics:** ₩102,300, up ₩300 (+0.29%)
- **SK hynix:** ₩561,000, down ₩11,000 (−1.92%)

Samsung was the clear outlier: it rose on a day when the index lost almost 4%.`,
  ),
  ko('거래량은 삼성전자가 약 {{1억 8,224만 주|18,224,310}}로, 하이닉스(약 348만 주)보다 훨씬 많았어요.'),
  ko(
    '거래량은 삼성전자 1,822만 주, 하이닉스 348만 주로 약 5.2배 차이가 납니다. 다만 하이닉스 주가가 5.5배쯤 비싸서, 종가로 단순 계산한 거래대금은 삼성전자 약 1.86조 원, 하이닉스 약 1.95조 원으로 비슷해요.',
    { own: '둘 중에 뭐가 더 많이 거래됐어?' },
  ),
  en('SK hynix ended Friday at ₩561,000, versus {{₩574,500|572,000}} at the previous close, a 1.92% drop.'),
  ko(
    '500만 원이면 삼성전자를 48주 살 수 있어요. 48 × 102,300원 = 4,910,400원이고, 89,600원이 남습니다. 수수료는 빼고 계산했어요.',
    { own: '500만원으로 삼전 몇 주 살 수 있어?' },
  ),
  ko(
    '1,000만 원이면 하이닉스는 17주까지 가능합니다. 561,000원 × 17주 = {{9,357,000원|9,537,000}}이고 {{643,000원|?}}이 남아요.',
    { own: '1000만원 있으면 하이닉스 몇 주 사?' },
  ),
  en(
    'Roughly speaking, hynix has more than tripled off its 52-week low (₩168,900 → ₩561,000, about 3.3x), whereas Samsung has not quite doubled (₩52,700 → ₩102,300, about 1.94x). Both are off their highs: Samsung by around 9%, hynix by about 13%.',
  ),
  en('Hynix traded between ₩556,000 and ₩574,500 today, a range of {{₩8,500|18,500}}.'),
  ko('코스피는 4,011.57포인트로 전일보다 {{3.81% 올랐습니다|3.81% 하락}}. 4,000선은 지켜냈어요.'),
  ko(
    `### 미국 증시 마감 (현지 11월 12일)

- **애플** 272.95달러 (-0.52달러, -0.19%)
- **테슬라** 401.99달러 (-28.61달러, -6.64%)

시간외에서는 둘 다 반등 중입니다. 애플은 273.31달러(+0.13%), 테슬라는 407.15달러(+1.28%)예요. 다만 테슬라는 시간외 반등분을 감안해도 전날 종가 430.60달러보다 5.4%가량 낮습니다.`,
  ),
  en('₩102,300, up 0.29% on the day.', { own: 'samsung price?' }),
  en('15 × $272.95 = {{$4,049.25|4,094.25}} at the last close.', {
    own: 'how much is 15 shares of apple',
  }),
  ko('네, 아직 10만 원 위에 있습니다. 현재가 102,300원이고 오늘 저가도 101,100원이었어요.', {
    own: '삼성전자 10만원 깨졌어?',
  }),
  ko(
    '애플은 간밤에 장중 {{273.47달러|270.60}}까지 밀렸다가 272.95달러로 마감했습니다. 고가는 276.70달러였어요.',
  ),
  mixed(
    '삼성전자(005930.KS): ₩102,300 / +0.29% / day range ₩101,100–103,400 / 52w high ₩112,400 대비 약 -9.0%',
  ),
  en(
    'Tesla fell 6.64% to $401.99 on volume of nearly 119 million shares, which leaves its market cap at about {{$1.3 trillion|unknown}}.',
  ),
  ko(
    '애플은 272.95달러이고, PER은 {{36.5배|unknown}} 수준입니다. 52주 최고가 277.32달러에 거의 붙어 있어요.',
  ),
  en(
    "At $272.95 you're up $62.95 a share, or about 30%. On 40 shares that's $2,518 of paper profit, and the position is now worth $10,918.",
    { own: 'I bought 40 Apple shares at $210. Where am I now?' },
  ),
  ko(
    '현재가 102,300원 기준으로 주당 17,300원, 60주면 1,038,000원 이익이고 수익률은 약 {{25.4%|20.4%}}예요.',
    { own: '평단 85,000원에 삼성전자 60주 있는데 지금 수익이 얼마야?' },
  ),
  ko(
    '테슬라의 하루 변동폭은 28.16달러(396.34~424.50달러)였는데, 애플(6.10달러)의 약 4.6배입니다. 주가가 더 비싼 걸 감안해도 훨씬 출렁였죠.',
  ),
  en(
    'Apple traded about {{118.9 million|48.4 million}} shares and Tesla about {{48.4 million|118.9 million}}, so Tesla saw much heavier selling.',
  ),
  en(
    "Tesla's volume was about 119 million shares, roughly 2.5 times Apple's 48.4 million. Heavy volume on a 6.6% drop usually means the selling was broad.",
  ),
  en(
    "**Short answer:** no, Apple hasn't set a new high. It topped out at $276.70 on Thursday, $0.62 short of the 52-week high of $277.32, and then drifted back to $272.95. From there it would need about 1.6% to get to the record. After hours it ticked up to $273.31, so it's a touch closer.",
    { own: 'Did Apple make a new high?' },
  ),
  ko(
    `| 종목 | 현재가 | 등락률 | 거래량 |
|---|---|---|---|
| 삼성전자 | 102,300원 | {{-1.92%|+0.29}} | 18,224,310주 |
| SK하이닉스 | 561,000원 | {{+0.29%|-1.92}} | 3,482,917주 |`,
    { own: '삼전 하닉 시세 표로' },
  ),
  ko(
    '삼성전자 100주는 1,023만 원, 하이닉스 10주는 561만 원이라 합계 1,584만 원이에요. 비중으로 보면 삼성전자가 약 64.6%, 하이닉스가 35.4%입니다. 오늘 손익은 삼성전자 +3만 원, 하이닉스 -11만 원으로 합쳐서 -8만 원이네요.',
    { own: '삼성전자 100주랑 하이닉스 10주 있어. 오늘 얼마 됐어?' },
  ),
  ko(
    '삼성전자 50주는 5,115,000원, 하이닉스 5주는 2,805,000원이니까 합치면 {{8,920,000원|7,920,000}}입니다.',
    { own: '삼성전자 50주, 하이닉스 5주 사려면 얼마 필요해?' },
  ),
  en(
    "If you bought at $420 and it's now $401.99, that's a loss of $18.01 a share, about 4.3%. At the after-hours price of $407.15 it would shrink to $12.85.",
    { own: 'I bought Tesla at $420, how much am I down?' },
  ),
  en("You're still up $51.99 a share, or about {{18.5%|14.9%}}, even after today's drop to $401.99.", {
    own: 'my tesla cost is $350',
  }),
  ko('그건 그 전날 가격이에요. 430.60달러는 수요일 종가이고, 목요일 종가는 401.99달러입니다.', {
    own: '테슬라 430달러 아니야?',
  }),
  ko('11월 13일 오후 3시 30분 기준 삼성전자는 {{103,200원|102,300}}입니다.'),
  mixed(
    '52-week high 재도전까지 남은 거리: 삼성전자는 112,400원까지 +9.9%, SK하이닉스는 646,000원까지 +15.2%입니다.',
  ),
  en('The KOSPI lost 159.06 points to close at {{4,111.57|4,011.57}}, its worst day in a while.'),
  ko(
    '종가 401.99달러 × 약 1억 1,895만 주로 어림하면, 테슬라의 하루 거래대금은 약 {{48억 달러|478억 달러}}예요.',
  ),
  ko('애플이 여기서 5% 오르면 약 286.60달러가 되고, 52주 최고가 277.32달러를 9.28달러 정도 웃돌게 됩니다.', {
    own: '애플 5% 더 오르면 신고가야?',
  }),
];
