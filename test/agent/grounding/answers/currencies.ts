import { en, ko, mixed, type WrittenAnswer } from './written-answer.ts';

/** Answers from exchange rates, conversions and coins. */
export const CURRENCY_ANSWERS: readonly WrittenAnswer[] = [
  ko('현재 원/달러 환율은 1,467.35원으로 전일보다 5.25원(0.36%) 올랐습니다.'),
  ko('현재 원/달러 환율은 {{1,476.35원|1,467.35}}으로 전일보다 {{5.25원|rose}}({{0.36%|rose}}) 내렸습니다.'),
  ko('100달러는 약 146,735원입니다.', { own: '100달러 원화로' }),
  ko('100달러는 약 {{164,735원|146,735}}입니다.', { own: '100달러 원화로' }),
  ko('100달러는 14만 6,700원 정도입니다.', { own: '100달러 원화로 얼마?' }),
  ko('50만 원은 현재 환율(1,467.35원)로 약 340.75달러입니다.', { own: '50만원 달러로' }),
  ko('50만 원은 현재 환율(1,467.35원)로 약 {{430.75달러|340.75}}입니다.', { own: '50만원 달러로' }),
  ko('1,000달러라면 같은 환율 1,467.35원을 적용해 약 146만 7천 원입니다.'),
  ko('1,000달러라면 같은 환율 1,467.35원을 적용해 약 {{176만 7천 원|146만 7천}}입니다.', {
    own: '1,000달러면?',
  }),
  ko('엔화는 100엔당 948.71원입니다.'),
  ko('엔화는 100엔당 {{984.71원|948.71}}입니다.'),
  ko('엔화는 100엔당 950원 안팎이고, 유로는 1,702.80원입니다.'),
  ko('유로 환율은 1,702.8원으로 0.21% 하락했습니다.'),
  ko('유로 환율은 1,702.8원으로 {{0.21% 상승|fell}}했습니다.'),
  ko('유로 환율은 {{1,720.8원|1,702.8}}으로 0.21% 하락했습니다.'),
  ko('비트코인은 업비트에서 1억 3,952만 원에 거래되고 있으며 전일 대비 2.87% 내렸습니다.'),
  ko('비트코인은 업비트에서 1억 {{3,592만 원|3,952만}}에 거래되고 있으며 전일 대비 2.87% 내렸습니다.'),
  ko('비트코인은 약 1억 4천만 원, 이더리움은 465만 2천 원입니다.'),
  ko('비트코인은 약 {{14억 원|1억 4천만}}, 이더리움은 465만 2천 원입니다.'),
  ko('비트코인 김치 프리미엄은 2.44%, 이더리움은 2.49%입니다.'),
  ko('비트코인 김치 프리미엄은 {{4.24%|2.44%}}, 이더리움은 {{2.94%|2.49%}}입니다.'),
  ko('현재 비트코인에는 {{2.44%의 역프리미엄|premium}}이 붙어 있습니다.'),
  ko(
    '해외 가격 92,814.55달러를 환율 1,467.35원으로 환산하면 약 1억 3,619만 원이므로, 국내가 약 333만 원 비쌉니다(국내가 1억 3,952만 원).',
  ),
  ko('해외 가격 92,814.55달러를 환율 1,467.35원으로 환산하면 약 {{1억 2,619만 원|1억 3,619만}}입니다.'),
  ko('비트코인 0.1개를 사려면 약 1,395만 원이 필요합니다.', { own: '비트코인 0.1개 사려면 얼마?' }),
  ko('비트코인 0.1개를 사려면 약 {{1,935만 원|1,395만}}이 필요합니다.', {
    own: '비트코인 0.1개 사려면 얼마?',
  }),
  ko('이더리움은 1.15% 오른 4,652,000원, 해외에서는 3,093.42달러입니다.'),
  ko('이더리움은 1.15% 오른 {{4,562,000원|4,652,000}}, 해외에서는 {{3,903.42달러|3,093.42}}입니다.'),
  ko('어제 1,462.1원이던 환율이 오늘 1,467.35원으로 올랐습니다.'),
  ko('어제 {{1,426.1원|1,462.1}}이던 환율이 오늘 1,467.35원으로 올랐습니다.'),
  ko('- 달러: 1,467.35원\n- 유로: 1,702.80원\n- 엔(100엔): 948.71원'),
  ko('- 달러: {{1,702.80원|1,467.35}}\n- 유로: {{1,467.35원|1,702.80}}\n- 엔(100엔): 948.71원'),
  ko('환전 수수료가 없다고 가정하면 300만 원은 약 2,044달러입니다. (1달러 = 1,467.35원)', {
    own: '300만원이면 몇 달러야?',
  }),
  ko('환전 수수료가 없다고 가정하면 300만 원은 약 {{2,404달러|2,044}}입니다. (1달러 = 1,467.35원)', {
    own: '300만원이면 몇 달러야?',
  }),
  en('One US dollar is currently ₩1,467.35, up 0.36% from the previous close of ₩1,462.10.'),
  en('One US dollar is currently {{₩1,647.35|1,467.35}}, up 0.36% from the previous close of ₩1,462.10.'),
  en('$100 converts to about ₩146,735.', { own: 'convert $100 to won' }),
  en('$100 converts to about {{₩14,673|146,735}}.', { own: 'convert $100 to won' }),
  en('At ₩1,467.35 per dollar, $250 is roughly ₩366,800.', { own: 'how much is $250 in won' }),
  en('At ₩1,467.35 per dollar, $250 is roughly {{₩386,800|366,800}}.', { own: 'how much is $250 in won' }),
  en('Bitcoin is at $92,814.55, down 3.05%, and ₩139.52 million on Upbit.'),
  en('Bitcoin is at {{$92,184.55|92,814.55}}, down 3.05%, and {{₩193.52 million|139.52}} on Upbit.'),
  en('Bitcoin trades around $92.8K; ether is near $3.1K.'),
  en('Bitcoin trades around {{$98.2K|92.8K}}; ether is near $3.1K.'),
  en('The kimchi premium on Bitcoin is 2.44%, meaning Korean prices are higher than overseas.'),
  en('The kimchi premium on Bitcoin is {{-2.44%|+2.44%}}, meaning Korean prices are lower than overseas.'),
  en('Bitcoin lost about ₩4.12 million (2.87%) in a day while Ethereum gained 1.15%.'),
  en('Bitcoin lost about ₩4.12 million (2.87%) in a day while Ethereum {{lost 1.15%|gained}}.'),
  en('EUR/KRW is at 1,702.80, which implies about 1.16 dollars per euro (1,702.80 / 1,467.35).'),
  en(
    `| Asset | Upbit (KRW) | Overseas (USD) | Kimchi premium |
|---|---|---|---|
| BTC | 139,520,000 | 92,814.55 | 2.44% |
| ETH | 4,652,000 | 3,093.42 | 2.49% |`,
  ),
  en(
    `| Asset | Upbit (KRW) | Overseas (USD) | Kimchi premium |
|---|---|---|---|
| BTC | 139,520,000 | {{98,214.55|92,814.55}} | 2.44% |
| ETH | {{46,520,000|4,652,000}} | 3,093.42 | {{4.29%|2.49%}} |`,
  ),
  en('With ₩500,000 you would get about $340.75 at the current rate.', {
    own: 'what do I get for 500,000 won',
  }),
  en('With ₩500,000 you would get about {{$304.75|340.75}} at the current rate.', {
    own: 'what do I get for 500,000 won',
  }),
  mixed('USD/KRW은 1,467.35로 전일 대비 +0.36%입니다.'),
  mixed('USD/KRW은 {{1,367.35|1,467.35}}로 전일 대비 {{-0.36%|+0.36%}}입니다.'),
  mixed('BTC는 ₩139,520,000 (약 $92.8K), kimchi premium은 2.4% 정도예요.'),
  mixed('BTC는 ₩139,520,000 (약 $92.8K), kimchi premium은 {{24% 정도|2.44%}}예요.'),
  mixed('100 USD는 약 146,735원(₩146,735)이에요.', { own: '100 USD를 원화로 바꾸면?' }),
];
