import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from exchange rates and coins, first set. */
export const FIRST_CURRENCY_ANSWERS: readonly WrittenAnswer[] = [
  ko(
    '현재 원/달러 환율은 1,467.35원입니다. 전일보다 5.25원(0.36%) 올랐어요. 1,000달러를 환전하면 약 146만 7,350원입니다.',
    { own: '1000달러면 원화로 얼마야?' },
  ),
  ko(
    '엔화는 100엔당 948.71원이에요. 5만 엔이면 약 474,355원이 필요합니다. 은행 환전 수수료는 포함하지 않은 금액이에요.',
    { own: '일본 여행 가는데 5만엔 환전하려면?' },
  ),
  ko(
    '비트코인은 업비트 기준 1억 3,952만 원으로 하루 새 2.87%(412만 2천 원) 내렸습니다. 해외 가격은 92,814.55달러이고 김치 프리미엄은 2.44%예요.',
  ),
  ko(
    '비트코인은 현재 {{1억 9,352만 원|1억 3,952만}}, 이더리움은 465만 2,000원입니다. 이더리움은 1.15% 올랐어요.',
  ),
  ko(`**환율 (11월 13일 기준)**
- 달러: 1,467.35원 (+0.36%)
- 유로: 1,702.80원 ({{+0.21%|-0.21%}})
- 엔(100엔): 948.71원 (+0.12%)`),
  en("₩500,000 is about $340.75 at today's rate of ₩1,467.35 per dollar.", {
    own: '500,000 won in dollars?',
  }),
  ko('300달러짜리 물건이면 {{약 404,200원|440,205}}입니다 (환율 1,467.35원 적용).', {
    own: '300달러짜리 직구하려는데 원화로?',
  }),
  ko(
    '김치 프리미엄은 비트코인 2.44%, 이더리움 2.49%로 비슷합니다. 비트코인 국내가는 해외 가격보다 약 333만 원 비싼 셈이에요.',
  ),
  ko('0.1 BTC는 지금 시세로 약 {{1억 3,952만 원|1,395만 2천}}이고, 0.5 ETH는 232만 6,000원입니다.', {
    own: '비트코인 0.1개랑 이더 0.5개 있으면 얼마?',
  }),
  en('The dollar is at ₩1,467.35, up ₩5.25 (0.36%) from ₩1,462.10. So $100 is about ₩146,735.'),
  en(
    'Bitcoin is trading at $92,814.55 (-3.05% on the day) and ₩139.52 million in Korea, a kimchi premium of 2.44%.',
  ),
  en('Bitcoin is down 3.05% at $92,814.55, while Ethereum is {{down 0.98%|up}} at $3,093.42.'),
  en(
    "500 euros is about ₩851,400 at today's rate of ₩1,702.80. The same amount in dollars would be ₩733,675.",
    { own: 'How many won is 500 euros?' },
  ),
  en('¥100 buys about {{₩984.71|948.71}}, so ¥20,000 is roughly ₩189,700.', { own: 'convert 20,000 yen' }),
  en(`| Pair | Rate | Day |
|---|---|---|
| USD/KRW | 1,467.35 | +0.36% |
| EUR/KRW | {{1,720.80|1,702.80}} | -0.21% |
| JPY/KRW (100) | 948.71 | +0.12% |`),
  en(
    'The Ethereum premium in Korea is 2.49%: ₩4,652,000 locally against $3,093.42 abroad, which is about ₩4.54 million at 1,467.35.',
  ),
  mixed('USD/KRW는 1,467.35원(+0.36%)이고 BTC는 $92,814.55, kimchi premium은 {{4.24%|2.44%}}입니다.'),
  mixed(
    'ETH 국내가 4,652,000원, 해외 $3,093.42예요. Premium은 2.49%, 24시간 등락은 국내 +1.15% / 해외 +0.98%입니다.',
  ),
];

/** Answers from exchange rates and coins, second set. */
export const SECOND_CURRENCY_ANSWERS: readonly WrittenAnswer[] = [
  ko('지금 원/달러 환율은 1,467.35원이에요. 전일보다 5.25원(0.36%) 올랐습니다.', { own: '환율 얼마야' }),
  ko('3,500달러 × 1,467.35원 = 5,135,725원, 약 514만 원입니다. 은행 수수료는 별도예요.', {
    own: '3500달러면 원화로 얼마?',
  }),
  ko('2,000유로는 약 {{354만 원|340만 5,600원}}이에요 (1유로 = 1,702.80원).', { own: '2000유로는 얼마야?' }),
  en("$100 is ₩146,735 at today's rate of 1,467.35.", { own: '100 usd to krw' }),
  en('USD/KRW {{fell 0.36%|rose 0.36%}} today to 1,467.35, from 1,462.10 the day before.'),
  ko('100엔에 948.71원입니다. 5만 엔을 바꾸시려면 474,355원 정도 필요해요.', {
    own: '일본 여행 가는데 5만엔 바꾸려면 얼마 필요해?',
  }),
  ko('10만 엔이면 {{94,871원|948,710}}입니다. 현재 환율은 100엔당 948.71원이에요.', {
    own: '10만엔은 원화로?',
  }),
  mixed(
    'BTC는 국내 거래소 기준 1억 3,952만 원(-2.87%), 달러로는 $92,814.55(-3.05%)예요. Kimchi premium은 2.44%입니다.',
  ),
  mixed('ETH는 $3,093.42(+0.98%), KRW 기준으로는 {{4,562,000원|4,652,000}}(+1.15%)이에요.'),
  ko(
    '비트코인 달러 가격 92,814.55달러에 환율 1,467.35원을 곱하면 약 1억 3,619만 원인데, 국내 가격은 1억 3,952만 원이니 333만 원 정도 비싸게 거래되는 거예요. 비율로는 2.44%입니다.',
    { own: '김프가 왜 2.44%야? 계산 좀 보여줘' },
  ),
  ko('김치 프리미엄은 비트코인이 {{4.24%|2.44}}, 이더리움이 2.49%예요.'),
  en(
    '0.3 BTC is worth about ₩41.86 million, or roughly $27,844. It has lost about ₩1.24 million since yesterday.',
    { own: "I hold 0.3 BTC, what's it worth?" },
  ),
  en(
    '2 ETH comes to $6,186.84, or about {{₩9.03 million|9.304 million}} at the Korean price of ₩4,652,000.',
    { own: '2 ETH in dollars and won?' },
  ),
  en(
    `| Pair | Rate (KRW) | Day |
|---|---|---|
| USD | 1,467.35 | +0.36% |
| EUR | 1,702.80 | −0.21% |
| JPY (100) | 948.71 | +0.12% |

So the won slipped against the dollar and the yen but gained a little on the euro.`,
  ),
  ko('유로는 1,702.80원으로 전일 대비 {{0.21% 상승|0.21% 하락}}했습니다.'),
  en('From the won rates, the implied EUR/USD is about 1.16, and one dollar buys about 154.7 yen.', {
    own: "what's the euro in dollars, and dollar-yen?",
  }),
  ko('50만 원은 약 340.75달러예요.', { own: '50만원이면 몇 달러?' }),
  ko('300만 원이면 약 {{2,440달러|2,044.50}}로 바꿀 수 있어요. 환율은 1,467.35원 기준입니다.', {
    own: '300만원 달러로 바꾸면?',
  }),
  en('One bitcoin buys roughly 30 ether right now (₩139,520,000 / ₩4,652,000).'),
  ko(
    '어제 종가(1,462.10원)에 바꿨다면 7,310,500원, 지금은 7,336,750원이니 26,250원 더 드는 셈이에요. 차이가 크지는 않습니다.',
    { own: '5000달러 어제 바꿀 걸 그랬나?' },
  ),
  ko('환율이 5.25원 올랐으니 1만 달러를 살 때 어제보다 {{5,250원|52,500}} 더 들어요.', {
    own: '1만 달러 사려는데 어제보다 얼마나 비싸?',
  }),
  en('Bitcoin is at ₩139.52 million, down {{₩412,200|4,122,000}} or 2.87% from yesterday.'),
  mixed(
    '달러 강세가 이어지네요. USD/KRW 1,467.35 (+0.36%), EUR/KRW 1,702.80 (-0.21%). 1,000달러 환전하면 약 146.7만 원입니다.',
    { own: '1,000달러 환전하려고 하는데 오늘 어때' },
  ),
  en(
    `### Crypto check

**Bitcoin** is trading around $92,800 (−3.05%), or ₩139.5 million in Korea. **Ether** held up better at about $3,093 (+0.98%), ₩4.65 million locally.

The kimchi premium is nearly the same for both: 2.44% on BTC and 2.49% on ETH. Nothing unusual there.`,
  ),
  en('The euro is at ₩1,702.80 and the pound at about {{₩1,925|unknown}}, while the dollar is at ₩1,467.35.'),
  ko('1,500원까지는 32.65원, 약 2.2% 더 올라야 합니다.', { own: '환율이 1500원 가려면 얼마나 남았어?' }),
  ko('1억 4천만 원까지 48만 원 남았어요. 지금 1억 3,952만 원이니 {{3.4%|0.34%}}만 오르면 됩니다.', {
    own: '비트코인 1억 4천 다시 가려면?',
  }),
  ko('총 비용은 1,200달러 기준 1,760,820원, 300유로는 510,840원이라 합치면 2,271,660원입니다.', {
    own: '1200달러랑 300유로 합쳐서 원화로 얼마야',
  }),
  en('The dollar is at {{₩1,476.35|1,467.35}}, the euro at ₩1,702.80 and 100 yen at {{₩984.71|948.71}}.', {
    own: 'FX rates please',
  }),
  ko('100만 원이면 약 0.00717 BTC를 살 수 있어요. 이더리움이라면 약 0.215 ETH입니다.', {
    own: '100만원으로 비트코인 얼마나 살 수 있어? 이더리움은?',
  }),
  ko('500만 원이면 이더리움을 약 {{10.7개|1.07개}} 살 수 있습니다. 현재가는 465만 2,000원이에요.', {
    own: '500만원이면 이더 몇 개?',
  }),
  en("€1,500 is ₩2,554,200, which at today's dollar rate is about $1,741.", {
    own: '1,500 euros in won and dollars',
  }),
  mixed('BTC는 KRW 기준 -2.87%, USD 기준 {{-3.50%|-3.05}}입니다. ETH는 각각 +1.15%, +0.98%예요.'),
  ko(
    '원화로는 2.87%, 달러로는 3.05% 내렸어요. 차이가 나는 건 원화가 달러 대비 약해진 영향도 있습니다. 오늘 달러 환율이 0.36% 올랐거든요.',
    { own: '비트코인 원화랑 달러 하락률이 왜 달라?' },
  ),
];
