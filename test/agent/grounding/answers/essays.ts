import { en, ko, mixed, type WrittenAnswer } from './written-answer.ts';

/** Longer answers, from quotes, indicators and company figures together. */
export const ESSAY_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    `삼성전자는 오늘 **102,300원**에 마감하며 전일 대비 300원(+0.29%) 소폭 올랐습니다. 장중에는 101,100원까지 밀렸다가 103,400원까지 오르는 등 변동이 있었습니다.

밸류에이션을 보면 PER 21.84배, PBR 1.62배이며, 내년 실적 기준 선행 PER은 11.37배로 부담이 크지 않습니다. 배당수익률은 1.42%입니다.

다만 코스피가 3.81% 급락한 날이라는 점은 염두에 두셔야 합니다. 투자 판단은 본인의 책임입니다.`,
  ),
  ko(
    `삼성전자는 오늘 **102,300원**에 마감하며 전일 대비 300원(+0.29%) 소폭 올랐습니다. 장중에는 {{100,100원|101,100}}까지 밀렸다가 103,400원까지 오르는 등 변동이 있었습니다.

밸류에이션을 보면 PER {{12.84배|21.84}}, PBR 1.62배이며, 내년 실적 기준 선행 PER은 11.37배로 부담이 크지 않습니다. 배당수익률은 {{2.42%|1.42%}}입니다.

다만 코스피가 {{1.83%|3.81%}} 급락한 날이라는 점은 염두에 두셔야 합니다.`,
  ),
  ko(
    `애플과 테슬라를 비교해 드릴게요.

**1. 주가**
- 애플: 272.95달러 (-0.19%)
- 테슬라: 401.99달러 (-6.64%)

**2. 52주 고점 대비**
- 애플: -1.58% (고점 277.32달러)
- 테슬라: -17.7% (고점 488.54달러)

**3. 거래량**
- 애플 4,840만 주, 테슬라 1억 1,895만 주

애플은 RSI가 64.8로 아직 과매수(70)는 아닙니다. 테슬라는 지표를 조회하지 않아 말씀드리기 어렵습니다.`,
  ),
  ko(
    `애플과 테슬라를 비교해 드릴게요.

**1. 주가**
- 애플: 272.95달러 (-0.19%)
- 테슬라: {{410.99달러|401.99}} (-6.64%)

**2. 52주 고점 대비**
- 애플: {{-5.18%|-1.58%}} (고점 277.32달러)
- 테슬라: -17.7% (고점 {{448.54달러|488.54}})

**3. 거래량**
- 애플 4,840만 주, 테슬라 {{1,189만 주|1억 1,895만}}

애플은 RSI가 64.8이고 테슬라는 RSI가 {{38.2|no RSI of Tesla}}입니다.`,
  ),
  ko(
    `요약하면 다음과 같습니다.

- 삼성전자 시총은 약 606조 원으로 국내 1위입니다.
- 매출 308.9조 원, 영업이익률 9.5%, ROE 8.3%
- 주당 배당금 1,452원 → 100주 보유 시 연 145,200원 (세전)

배당소득세 {{15.4%|?}}를 감안하면 실수령액은 이보다 적습니다.`,
    { own: '삼전 100주 있으면 배당 얼마 받아?' },
  ),
  ko(
    `요약하면 다음과 같습니다.

- 삼성전자 시총은 약 {{660조 원|606조}}으로 국내 1위입니다.
- 매출 308.9조 원, 영업이익률 9.5%, ROE {{3.8%|8.3%}}
- 주당 배당금 {{1,425원|1,452}} → 100주 보유 시 연 {{142,500원|145,200}} (세전)`,
    { own: '삼전 100주 있으면 배당 얼마 받아?' },
  ),
  ko(
    '결론부터 말씀드리면, 애플이 마이크로소프트보다 시총이 약 6% 큽니다(4.03조 달러 대 3.79조 달러). 성장률은 마이크로소프트가 18.4%로 애플의 7.9%를 크게 앞서고요.',
  ),
  ko(
    '결론부터 말씀드리면, 애플이 마이크로소프트보다 시총이 큽니다(4.03조 달러 대 {{3.97조 달러|3.79조}}). 성장률은 마이크로소프트가 {{14.8%|18.4%}}로 애플의 7.9%를 크게 앞서고요.',
  ),
  ko(
    '삼성전자를 100,000원에 손절하고 싶다고 하셨는데, 현재가 102,300원에서 약 2.2% 더 내려야 닿는 가격입니다.',
    { own: '삼전 100,000원 되면 손절하려고' },
  ),
  ko(
    '삼성전자를 100,000원에 손절하고 싶다고 하셨는데, 현재가 {{103,200원|102,300}}에서 더 내려야 닿는 가격입니다.',
    { own: '삼전 100,000원 되면 손절하려고' },
  ),
  ko(
    '예를 들어 1주를 100만 원에 사서 10% 오르면 10만 원 이익이지만, 반대로 10% 내리면 10만 원 손실입니다. 현재 SK하이닉스는 561,000원입니다.',
  ),
  ko('예를 들어 SK하이닉스를 현재가인 {{516,000원|561,000}}에 10주 산다면 {{516만 원|561만}}이 필요합니다.', {
    own: '하이닉스 10주 사고 싶어',
  }),
  ko('삼성전자 10주와 SK하이닉스 2주를 사면 각각 1,023,000원과 1,122,000원, 합쳐서 2,145,000원이 듭니다.', {
    own: '삼전 10주랑 하닉 2주 사면?',
  }),
  ko(
    '삼성전자 10주와 SK하이닉스 2주를 사면 각각 1,023,000원과 1,122,000원, 합쳐서 {{2,415,000원|2,145,000}}이 듭니다.',
    { own: '삼전 10주랑 하닉 2주 사면?' },
  ),
  ko(
    '이 데이터는 2026-11-13 15:30(KST) 기준이며, 미국 종목은 2026-11-12 종가입니다. 애플 272.95달러, 테슬라 401.99달러.',
  ),
  ko(
    '애플이 볼린저 밴드 상단 279.36달러에 근접했고, MACD 히스토그램은 -0.47로 음수입니다. 단기 과열 신호로 볼 수도 있지만 RSI 64.8은 아직 70 미만입니다.',
  ),
  ko(
    '애플이 볼린저 밴드 상단 {{276.93달러|279.36}}에 근접했고, MACD 히스토그램은 {{0.47로 양수|-0.47}}입니다.',
  ),
  en(
    `Here's where Apple stands as of the close on November 12:

**Price action.** Apple finished at $272.95, down $0.52 (-0.19%). It traded between $270.60 and $276.70, and ticked up to $273.31 after hours.

**Technicals.** The RSI(14) of 64.83 is elevated but below 70. Shares are 2.3% above the 20-day average ($266.84) and 21.8% above the 200-day ($224.19).

**Valuation.** At 36.5x trailing and 32.9x forward earnings, Apple isn't cheap. The dividend yield is only 0.38%.

*Not financial advice.*`,
  ),
  en(
    `Here's where Apple stands as of the close on November 12:

**Price action.** Apple finished at $272.95, {{up $0.52|down}} ({{+0.19%|-0.19%}}). It traded between $270.60 and $276.70, and ticked up to {{$277.31|273.31}} after hours.

**Technicals.** The RSI(14) of {{46.83|64.83}} is neutral. Shares are 2.3% above the 20-day average ({{$262.84|266.84}}) and 21.8% above the 200-day ($224.19).

**Valuation.** At {{32.5x|36.5x}} trailing and 32.9x forward earnings, Apple isn't cheap.`,
  ),
  en(
    `| Metric | Apple | Microsoft | Samsung |
|:--|--:|--:|--:|
| Market cap | $4.03T | $3.79T | ₩605.6T |
| Trailing P/E | 36.5x | 36.2x | 21.8x |
| Forward P/E | 32.9x | 27.4x | 11.4x |
| Revenue growth | 7.9% | 18.4% | 8.8% |
| Operating margin | 31.7% | 48.9% | 9.5% |
| Beta | 1.11 | 1.07 | 0.78 |

Microsoft grows fastest and has the highest margin; Samsung is the cheapest on forward earnings.`,
  ),
  en(
    `| Metric | Apple | Microsoft | Samsung |
|:--|--:|--:|--:|
| Market cap | {{$3.79T|4.03T}} | {{$4.03T|3.79T}} | ₩605.6T |
| Trailing P/E | 36.5x | 36.2x | {{28.1x|21.8x}} |
| Forward P/E | 32.9x | {{24.7x|27.4x}} | 11.4x |
| Revenue growth | {{-7.9%|7.9%}} | 18.4% | 8.8% |
| Operating margin | 31.7% | 48.9% | {{95%|9.5%}} |
| Beta | 1.11 | 1.07 | {{1.78|0.78}} |`,
  ),
  en(
    'Tesla had a rough session: it opened the day with losses, touched $396.34, and closed at $401.99, i.e. $28.61 lower. Volume was heavy at nearly 119 million shares, around 2.5 times that of Apple (48.4 million).',
  ),
  en(
    'Tesla had a rough session: it touched $396.34 and closed at $401.99, i.e. {{$26.81|28.61}} lower. Volume was heavy at nearly {{191 million|119 million}} shares.',
  ),
  en('You mentioned a cost basis of $350: at $401.99 your Tesla position would be up about 14.9%.', {
    own: 'I bought TSLA at $350, how am I doing?',
  }),
  en(
    'You mentioned a cost basis of $350: at $401.99 your Tesla position would be up about {{19.4%|14.9%}}.',
    { own: 'I bought TSLA at $350, how am I doing?' },
  ),
  en(
    'Suppose Apple falls 10% from here: that would be about $245.66, still above the 200-day average of $224.19.',
  ),
  en(
    'Suppose Apple falls 10% from here: that would still be above the 200-day average of {{$242.19|224.19}}.',
  ),
  en(
    "Microsoft's dividend of $3.64 is 3.5 times Apple's $1.04, though the yields (0.71% vs. 0.38%) are closer.",
  ),
  en(
    "Microsoft's dividend of {{$6.34|3.64}} is far above Apple's $1.04, though the yields ({{1.71%|0.71%}} vs. 0.38%) are closer.",
  ),
  en(
    'The 3M and S&P 500 figures were not requested, so I only have AAPL: $272.95 as of 4:00 p.m. ET on Nov 12, 2026.',
  ),
  en('{{AAPL: $272.95 as of 4:00 p.m. ET on Nov 13, 2026|of Nov 12}}.'),
  mixed(
    `**AAPL vs MSFT 한눈에 보기**

- Market cap: AAPL $4.03T, MSFT $3.79T
- Forward P/E: AAPL 32.85배, MSFT 27.36배
- FCF: AAPL $78.9B vs MSFT $53.3B
- 배당수익률: 0.38% vs 0.71%

> 밸류에이션만 보면 MSFT가 조금 더 저렴합니다.`,
  ),
  mixed(
    `**AAPL vs MSFT 한눈에 보기**

- Market cap: AAPL $4.03T, MSFT {{$37.9T|3.79T}}
- Forward P/E: AAPL {{38.25배|32.85}}, MSFT 27.36배
- FCF: AAPL {{$53.3B|78.9B}} vs MSFT {{$78.9B|53.3B}}
- 배당수익률: 0.38% vs {{0.17%|0.71%}}`,
  ),
  mixed('TSLA는 -6.64%로 급락, SK하이닉스도 -1.92% 하락했지만 삼성전자는 +0.29%로 선방했습니다.'),
  mixed(
    'TSLA는 -6.64%로 급락, SK하이닉스도 {{-6.64%|-1.92%}} 하락했지만 삼성전자는 {{+1.92%|+0.29%}}로 선방했습니다.',
  ),
  mixed(
    'AAPL RSI 64.83 (70 = overbought), 20MA $266.84, 50MA $253.47, 200MA $224.19 — 상승 추세가 유지되고 있습니다.',
  ),
  mixed(
    'AAPL RSI 64.83 (70 = overbought), 20MA {{$253.47|266.84}}, 50MA {{$266.84|253.47}}, 200MA $224.19 — 상승 추세가 유지되고 있습니다.',
  ),
  mixed('10-K 기준 Apple revenue는 $416.2B(약 4,162억 달러), net margin은 26.9%입니다.'),
  mixed('10-K 기준 Apple revenue는 {{$461.2B|416.2B}}, net margin은 {{29.6%|26.9%}}입니다.'),
  mixed('Samsung의 dividend yield는 1.42%, Apple은 0.38%라서 배당만 보면 Samsung이 1.04%p 높습니다.'),
  mixed(
    'Samsung의 dividend yield는 1.42%, Apple은 0.38%라서 배당만 보면 Samsung이 {{1.40%p|1.04}} 높습니다.',
  ),
  mixed('SK hynix는 HBM3E 모멘텀에도 불구하고 ₩561,000 (▼11,000, -1.92%)로 마감.'),
  mixed('SK hynix는 HBM3E 모멘텀에 힘입어 ₩561,000 ({{▲11,000|down}}, {{+1.92%|down}})로 마감.'),
];
