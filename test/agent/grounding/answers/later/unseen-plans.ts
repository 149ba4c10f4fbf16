import { en, ko, type WrittenAnswer } from '../written-answer.ts';

/** Answers from calculations. */
export const PLAN_ANSWERS: readonly WrittenAnswer[] = [
  ko('1,000만 원을 연 7%로 10년 굴리면 약 **1,967만 원**이 됩니다. 원금을 빼면 수익은 약 967만 원이에요.', {
    own: '1000만원을 연 7%로 10년 굴리면?',
  }),
  ko(
    '3억 원을 월 0.35%로 360개월 상환하면 매달 약 {{146,705원|1,467,052}}을 내게 되고, 총 상환액은 약 5억 2,814만 원입니다.',
    {
      own: '3억 대출 월 0.35% 360개월이면 매달 얼마 내?',
    },
  ),
  en('NVIDIA went from $13.28 to $190.17 in five years, a compound annual growth rate of about 70.3%.'),
  en('$1,000 buys about {{3.36|3.66}} shares of Apple at $272.95.', {
    own: 'How many Apple shares for $1000?',
  }),
];

/** Answers from the dates of earnings and the hours of markets. */
export const DATE_ANSWERS: readonly WrittenAnswer[] = [
  ko('엔비디아는 11월 18일에 실적을 발표하고, 예상 EPS는 1.25달러입니다. 애플은 내년 1월 28일이에요.'),
  ko('SK하이닉스의 실적 발표는 2027년 1월 {{16일|26}}~29일 사이로 예상되며, EPS 추정치는 16,340원입니다.'),
  en('NVIDIA reports on November 18, in four days. Analysts expect EPS of {{$2.67|1.25}}.'),
  en(
    'Markets are closed today. Korea reopens on Monday, November 16 at 9:00 KST, and New York at 9:30 ET the same day.',
  ),
];
