import { en, ko, mixed, type WrittenAnswer } from './written-answer.ts';

/** Answers from the calculator. */
export const CALCULATION_ANSWERS: readonly WrittenAnswer[] = [
  ko('1,000만 원을 연 7%로 10년간 복리로 굴리면 약 1,967만 원이 됩니다.', {
    own: '1000만원을 연 7%로 10년 굴리면?',
  }),
  ko('1,000만 원을 연 7%로 10년간 복리로 굴리면 약 {{1,697만 원|1,967만}}이 됩니다.', {
    own: '1000만원을 연 7%로 10년 굴리면?',
  }),
  ko('계산하면 19,671,514원으로, 원금의 약 1.97배입니다.', { own: '1000만원을 연 7%로 10년 굴리면?' }),
  ko('이 중 이자는 약 967만 원입니다 (1,967만 원 − 1,000만 원).', { own: '1000만원을 연 7%로 10년 굴리면?' }),
  ko('3억 원을 연 4.2%, 30년 원리금균등으로 빌리면 매달 약 146만 7,052원을 갚게 됩니다.', {
    own: '3억 대출 연 4.2% 30년이면 월 얼마?',
  }),
  ko('3억 원을 연 4.2%, 30년 원리금균등으로 빌리면 매달 약 {{164만 7,052원|146만 7,052}}을 갚게 됩니다.', {
    own: '3억 대출 연 4.2% 30년이면 월 얼마?',
  }),
  ko('총 상환액은 약 5억 2,814만 원이고, 그중 이자는 약 2억 2,814만 원입니다.', {
    own: '3억 대출 연 4.2% 30년이면?',
  }),
  ko(
    '총 상환액은 약 {{5억 8,214만 원|5억 2,814만}}이고, 그중 이자는 약 {{2억 8,214만 원|2억 2,814만}}입니다.',
    { own: '3억 대출 연 4.2% 30년이면?' },
  ),
  ko('엔비디아의 5년 연평균 성장률(CAGR)은 약 70.3%입니다. (13.28달러 → 190.17달러)'),
  ko('엔비디아의 5년 연평균 성장률(CAGR)은 약 {{73.0%|70.3%}}입니다. (13.28달러 → 190.17달러)'),
  ko('1,000달러로는 애플 주식을 약 3.66주 살 수 있습니다.', { own: '1000달러로 애플 몇 주 살 수 있어?' }),
  ko('1,000달러로는 애플 주식을 약 {{3.36주|3.66}} 살 수 있습니다.', {
    own: '1000달러로 애플 몇 주 살 수 있어?',
  }),
  en('At 7% a year, ₩10 million grows to about ₩19.67 million in 10 years.', {
    own: 'what does 10 million won become at 7% in 10 years?',
  }),
  en('At 7% a year, ₩10 million grows to about {{₩16.97 million|19.67}} in 10 years.', {
    own: 'what does 10 million won become at 7% in 10 years?',
  }),
  en('The monthly payment on a ₩300 million loan at 4.2% over 30 years is about ₩1.47 million.', {
    own: 'monthly payment for 300 million won, 4.2%, 30 years',
  }),
  en('The monthly payment on a ₩300 million loan at 4.2% over 30 years is about {{₩1.74 million|1.47}}.', {
    own: 'monthly payment for 300 million won, 4.2%, 30 years',
  }),
  en('NVDA compounded at about 70.3% a year over the past five years, from $13.28 to $190.17.'),
  en('NVDA compounded at about {{60.3%|70.3%}} a year over the past five years, from $13.28 to $190.17.'),
  en('$1,000 buys about 3.66 shares of Apple at $272.95.', { own: 'how many apple shares for $1,000' }),
  en('$1,000 buys about {{36.6|3.66}} shares of Apple at $272.95.', {
    own: 'how many apple shares for $1,000',
  }),
  mixed('NVDA의 5-year CAGR은 70.29%입니다.'),
  mixed('NVDA의 5-year CAGR은 {{79.29%|70.29%}}입니다.'),
];

/** Answers about earnings dates and market hours. Today is Saturday, 14 November 2026. */
export const CALENDAR_ANSWERS: readonly WrittenAnswer[] = [
  ko('엔비디아는 11월 18일에 실적을 발표할 예정이며, EPS 추정치는 1.25달러입니다.'),
  ko('엔비디아는 {{11월 28일|11-18}}에 실적을 발표할 예정이며, EPS 추정치는 1.25달러입니다.'),
  ko('엔비디아는 11월 18일에 실적을 발표할 예정이며, EPS 추정치는 {{1.52달러|1.25}}입니다.'),
  ko('다음 주 수요일(11월 18일)에 엔비디아 실적이 나옵니다. 나흘 남았습니다.'),
  ko('다음 주 {{금요일(11월 20일)|Wednesday 11-18}}에 엔비디아 실적이 나옵니다.'),
  ko('SK하이닉스는 2027년 1월 26일에서 29일 사이에 발표할 것으로 보이며, 예상 EPS는 16,340원입니다.'),
  ko(
    'SK하이닉스는 2027년 1월 26일에서 29일 사이에 발표할 것으로 보이며, 예상 EPS는 {{13,640원|16,340}}입니다.',
  ),
  ko(
    '한국 증시는 오늘 휴장이고 다음 거래일은 11월 16일 월요일, 정규장은 오전 9시부터 오후 3시 30분까지입니다.',
  ),
  ko('미국 증시 정규장은 한국 시간으로 밤 11시 30분에 열려 다음 날 오전 6시에 닫힙니다.'),
  ko('애플의 다음 실적 발표일은 2027년 1월 28일입니다. 4분기(10~12월) 실적입니다.'),
  ko('애플의 다음 실적 발표일은 {{2027년 2월 28일|2027-01-28}}입니다.'),
  en('NVIDIA reports on Wednesday, November 18, with a consensus EPS of $1.25.'),
  en('NVIDIA reports on {{Thursday, November 19|November 18}}, with a consensus EPS of $1.25.'),
  en('NVIDIA reports on November 18, with a consensus EPS of {{$2.15|1.25}}.'),
  en('Apple is scheduled to report on January 28, 2027; analysts expect EPS of $2.67.'),
  en(
    'Apple is scheduled to report on {{January 18, 2027|January 28}}; analysts expect EPS of {{$2.76|2.67}}.',
  ),
  en('The NYSE is closed today (Saturday). It reopens on Monday, November 16, at 9:30 a.m. ET.'),
  en(
    '- NVDA: Nov 18, EPS est. $1.25\n- AAPL: Jan 28, 2027, EPS est. $2.67\n- SK hynix: Jan 26–29, 2027, EPS est. ₩16,340',
  ),
  en(
    '- NVDA: Nov 18, EPS est. {{$2.67|1.25}}\n- AAPL: Jan 28, 2027, EPS est. {{$1.25|2.67}}\n- SK hynix: Jan 26–29, 2027, EPS est. ₩16,340',
  ),
  mixed('NVDA earnings는 11/18이고 consensus EPS는 $1.25입니다.'),
  mixed('NVDA earnings는 {{11/25|11-18}}이고 consensus EPS는 {{$1.75|1.25}}입니다.'),
];
