import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from exchange rates and three coins. */
export const RATE_ANSWERS: readonly WrittenAnswer[] = [
  ko('원/달러 환율은 1,472.6원으로 어제(1,468.3원)보다 4.3원(0.29%) 올랐습니다.'),
  ko('3,000달러는 현재 환율 1,472.6원으로 **4,417,800원**입니다.', { own: '3000달러 원화로 얼마야?' }),
  ko('3,000달러는 1,472.6원을 적용하면 약 {{4,471,800원|4,417,800}}이에요.', {
    own: '3000달러 원화로 얼마야?',
  }),
  ko('엔화는 100엔에 938.15원으로 0.54% 내렸습니다. 20만 엔을 바꾸면 1,876,300원이 필요해요.', {
    own: '20만엔 환전하려면?',
  }),
  ko('원/엔 환율은 100엔당 {{983.15원|938.15}}이고, 달러/엔은 156.97엔으로 0.83% 상승했습니다.'),
  ko(
    '비트코인은 업비트에서 1억 3,625만 원, 24시간 전보다 162만 7,000원(1.18%) 내렸습니다. 김치 프리미엄은 1.40%입니다.',
  ),
  ko('비트코인은 현재 {{1,362만 5,000원|1억 3,625만 원}}이고, 달러로는 91,250.4달러입니다.'),
  ko('비트코인 0.05개는 136,250,000원 × 0.05 = 6,812,500원입니다.', { own: '비트 0.05개 있는데 얼마야' }),
  ko(
    '리플 2,000개는 3,128원 기준으로 625만 6,000원이에요. 오늘 2.36% 올랐으니 하루 새 약 14만 4천 원 늘어난 셈입니다.',
    { own: '리플 2000개 보유중인데 지금 가치는?' },
  ),
  ko('김치 프리미엄은 비트코인 1.40%, 솔라나 {{1.57%|1.47}}, 리플 1.57%로 모두 1%대입니다.'),
  ko('달러는 52주 최고 1,487.6원에 15원 차이까지 다가섰습니다. 최저는 1,347.1원이었어요.'),
  en('One dollar buys 1,472.6 won, up 0.29% on the day. The pound is at 1,926.45 won.'),
  en('The euro is at $1.1534, {{up 0.41%|down}} from $1.1581.'),
  en('¥50,000 is about ₩469,075 at 9.3815 won per yen.', { own: 'How much is 50,000 yen in won?' }),
  en(
    '€800 is roughly $922.72, and at 1,472.6 won to the dollar that comes to about {{₩1.53 million|1.36 million}}.',
    { own: 'Convert 800 euros to dollars and won' },
  ),
  en(
    'XRP is up 2.11% at $2.0914, while Solana is down 1.66% at $134.72 and Bitcoin is down 1.37% at $91,250.40.',
  ),
  en('Solana trades at ₩201,300 in Korea, down {{1.66%|1.42}}, with a kimchi premium of 1.47%.'),
  mixed('USD/KRW 1,472.6원, USD/JPY 156.97엔이니 cross rate로는 100엔에 약 938원이 나옵니다.'),
  mixed(
    'BTC 가격은 $91,250.40, KRW 기준 1억 3,625만 원입니다. Kimchi premium은 {{14.0%|1.40}}로 낮은 편이에요.',
  ),
];

/** Answers from exchange rates and two coins. */
export const EXCHANGE_ANSWERS: readonly WrittenAnswer[] = [
  ko('100달러는 146,735원입니다. 오늘 원/달러 환율은 1,467.35원으로 전일보다 5.25원 올랐어요.', {
    own: '100달러 얼마?',
  }),
  ko('이더리움 1.5개는 4,652,000원 × 1.5 = {{6,798,000원|6,978,000}}입니다. 오늘 1.15% 올랐어요.', {
    own: '이더 1.5개 얼마야?',
  }),
  ko('비트코인 한 개 값(1억 3,952만 원)이면 이더리움 약 30개를 살 수 있습니다.'),
  en("500,000 won converts to {{$347.05|340.75}} at today's rate.", {
    own: 'What is 500,000 won in dollars?',
  }),
  en(
    'Bitcoin is down 3.05% at $92,814.55; Ether is up 0.98% at $3,093.42. That puts the BTC/ETH ratio at 30.0.',
  ),
];
