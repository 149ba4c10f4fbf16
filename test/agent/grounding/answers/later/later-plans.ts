import { en, ko, mixed, type WrittenAnswer } from '../written-answer.ts';

/** Answers from calculations, first set. */
export const FIRST_CALCULATION_ANSWERS: readonly WrittenAnswer[] = [
  ko('1,000만 원을 연 7% 복리로 10년 굴리면 약 1,967만 원이 됩니다. 이자만 967만 원 정도예요.', {
    own: '1000만원을 연 7% 복리로 10년 굴리면?',
  }),
  ko(
    '3억 원을 연 4.2%, 30년 원리금균등으로 빌리면 매달 약 1,467,052원을 내고, 총 상환액은 5억 2,814만 원입니다. 그중 이자는 약 {{2억 8,214만 원|2억 2,814만}}이에요.',
    { own: '3억 대출 연 4.2% 30년이면 월 얼마야?' },
  ),
  ko(
    '엔비디아는 2021년 11월 15일 13.28달러에서 190.17달러로 5년 동안 약 14.3배 올랐고, 연평균 수익률은 {{약 72.9%|70.3%}}입니다.',
  ),
  en('At 7% a year, ₩10,000,000 grows to about ₩19.67 million in 10 years — nearly double.', {
    own: 'What does 10,000,000 won become at 7% for 10 years?',
  }),
  en(
    "$1,000 buys about {{3.36 shares|3.66}} of Apple at $272.95. If you can only buy whole shares, that's 3 shares for $818.85.",
    { own: 'how many apple shares for $1,000?' },
  ),
  en(
    "NVIDIA went from $13.28 in November 2021 to $190.17, a compound annual return of about 70.3% over 5 years. Don't expect that to repeat.",
  ),
];

/** Answers from calculations, second set. */
export const SECOND_CALCULATION_ANSWERS: readonly WrittenAnswer[] = [
  ko('1,000만 원을 연 7%로 10년 굴리면 약 1,967만 원이 됩니다. 불어난 돈만 967만 원 정도예요.', {
    own: '1000만원을 연 7%로 10년 굴리면?',
  }),
  ko('연 7% 복리로 10년이면 약 {{1,697만 원|1,967만 원}}이 돼요. 원금의 거의 두 배죠.', {
    own: '1000만원 7% 복리 10년이면 얼마야',
  }),
  en(
    'Your monthly payment would be about ₩1,467,052. Over 360 months that adds up to ₩528.1 million, so roughly ₩228.1 million is interest.',
    { own: 'Loan of 300,000,000 won at 4.2% for 30 years: monthly payment?' },
  ),
  ko(
    '월 상환액은 약 146만 7천 원, 총 상환액은 약 5억 2,814만 원입니다. 이 중 이자가 {{2억 8,214만 원|2억 2,814만 원}}이에요.',
    { own: '3억 대출 연 4.2% 30년이면 이자가 총 얼마야?' },
  ),
  en(
    "NVIDIA closed at $13.28 on November 15, 2021 and at $190.17 on November 13, 2026. That's about 14.3 times your money, or roughly 70.3% a year.",
    { own: "NVIDIA's 5-year CAGR?" },
  ),
  en('From $13.28 to $190.17 in five years is a compound annual growth rate of about {{73.0%|70.3%}}.', {
    own: 'cagr of nvidia over 5 years please',
  }),
  ko('1,000달러면 애플 약 3.66주예요. 소수점 매수가 안 되면 3주(818.85달러)를 사고 181.15달러가 남습니다.', {
    own: '1000달러로 애플 몇 주?',
  }),
  en('$1,000 buys about 3.66 shares of Apple at $272.95. Three whole shares would cost {{$881.85|818.85}}.', {
    own: 'How many Apple shares for $1,000?',
  }),
  ko('총 상환액은 약 5억 2,814만 원으로, 빌린 3억 원의 약 1.76배를 갚게 됩니다.', {
    own: '3억 빌리면 30년 동안 총 얼마 갚아? 금리 4.2%',
  }),
  mixed('NVDA 5년 CAGR은 약 70.29%예요. $13.28 → $190.17, 대략 14배 오른 거죠.'),
  mixed('$13.28에서 $190.17까지 올랐으니 total return은 약 {{+1,432%|+1,332%}}입니다.', {
    own: '엔비디아 5년 total return?',
  }),
  ko(
    '월 상환액 약 146만 7천 원은 월 소득 500만 원의 29.3% 정도예요. 부담이 없다고 하긴 어렵지만 감당 가능한 수준입니다.',
    { own: '월급 500만원인데 3억을 4.2% 30년으로 빌려도 될까?' },
  ),
  ko(
    '첫 달 상환액을 나눠 보면 이자가 3억 원 × 0.35% = 105만 원, 원금이 약 41만 7천 원입니다. 초반에는 대부분 이자예요.',
    { own: '3억 4.2% 30년 대출, 첫 달에 이자 얼마야?' },
  ),
  en(
    'In the first month, interest is ₩300,000,000 × 0.35% = {{₩105,000|1,050,000}}, and the rest of the ₩1,467,052 goes to principal.',
    { own: '300,000,000 won loan at 4.2% over 30 years: how much of the first payment is interest?' },
  ),
  en(
    'Compounded, ₩10 million grows to about ₩19.67 million. With simple interest it would be ₩17 million, so compounding adds roughly ₩2.67 million.',
    { own: 'How much does compounding matter for 10,000,000 won at 7% over 10 years?' },
  ),
  ko('5년 전 13.28달러였던 엔비디아가 지금 190.17달러니까 약 {{15.3배|14.3배}}가 됐어요.'),
  en("₩10,000,000 × 1.07^10 ≈ ₩19,671,514, so you'd nearly double your money in ten years.", {
    own: '10,000,000 won at 7% a year for 10 years?',
  }),
  ko('매달 {{1,647,052원|1,467,052}}씩 360개월을 내면 총 {{5억 8,214만 원|5억 2,814만 원}}이 됩니다.', {
    own: '3억 4.2% 30년 원리금균등이면 월 얼마, 총 얼마?',
  }),
  ko('그때 1,000달러를 넣었다면 지금 약 14,320달러가 됐을 거예요. 13.28달러가 190.17달러가 됐으니까요.', {
    own: '5년 전에 엔비디아 1000달러 샀으면?',
  }),
];

/** Answers from the dates of earnings and the hours of markets, first set. */
export const FIRST_CALENDAR_ANSWERS: readonly WrittenAnswer[] = [
  ko('엔비디아 실적 발표는 11월 18일(수)입니다. 예상 EPS는 1.25달러예요. 나흘 남았네요.', {
    own: '엔비디아 실적 언제야?',
  }),
  ko(`**다가오는 실적 발표**
1. 엔비디아: 11월 18일 (예상 EPS $1.25)
2. SK하이닉스: 2027년 1월 26~29일 (예상 EPS 16,340원)
3. 애플: 2027년 {{1월 26일|1월 28일}} (예상 EPS {{$2.76|2.67}})`),
  ko(
    '오늘은 토요일이라 한국과 미국 시장 모두 휴장입니다. 한국은 16일 월요일 오전 9시, 미국은 한국 시간으로 같은 날 밤 11시 30분에 열려요.',
    { own: '지금 장 열렸어?' },
  ),
  en(
    'NVIDIA reports on {{November 19|November 18}}, with analysts expecting EPS of $1.25. Apple follows on January 28, 2027 (EPS estimate $2.67).',
  ),
  en(
    'Both markets are closed today. The KRX reopens Monday, November 16 at 9:00 KST, and the NYSE at 9:30 a.m. ET the same day.',
  ),
  mixed('NVDA earnings는 11월 18일, consensus EPS는 {{$2.15|1.25}}입니다. AAPL은 내년 1월 28일이에요.'),
];

/** Answers from the dates of earnings and the hours of markets, second set. */
export const SECOND_CALENDAR_ANSWERS: readonly WrittenAnswer[] = [
  ko('엔비디아 실적 발표는 11월 18일(수)이에요. 예상 EPS는 1.25달러입니다.', {
    own: '엔비디아 실적 언제야?',
  }),
  en('Apple reports on Thursday, January 28, 2027, about 75 days from now. The consensus EPS is $2.67.'),
  ko(
    'SK하이닉스는 내년 1월 26일~{{1월 31일|2027-01-29}} 사이에 발표할 것으로 예상돼요. EPS 추정치는 16,340원입니다.',
  ),
  en('NVIDIA reports on {{November 19|2026-11-18}}, with analysts looking for EPS of $1.25.'),
  ko('오늘(11월 14일 토요일)은 휴장이고, 한국 시장은 월요일인 11월 16일 오전 9시에 다시 열려요.', {
    own: '오늘 장 열어?',
  }),
  en(
    'The NYSE is closed for the weekend. It reopens Monday, November 16 at 9:30 a.m. Eastern (11:30 p.m. in Seoul).',
  ),
  ko('미국 시장은 11월 16일 한국시간 밤 {{10시 30분|11시 30분}}에 개장합니다.'),
  mixed(
    `다가오는 earnings 일정이에요.

| 종목 | 발표일 | EPS 추정 |
|---|---|---|
| NVDA | 2026-11-18 | $1.25 |
| SK하이닉스 | 2027-01-26 ~ 01-29 | 16,340원 |
| AAPL | 2027-01-28 | $2.67 |`,
  ),
  mixed('Apple earnings는 1월 28일, EPS consensus는 {{$2.76|2.67}}입니다.'),
  ko(
    '실적 시즌 순서로 보면 엔비디아가 나흘 뒤인 11월 18일로 가장 빠르고, 하이닉스가 1월 26~29일, 애플이 1월 28일이에요. 하이닉스와 애플은 같은 주에 겹칠 가능성이 높습니다.',
  ),
  ko('하이닉스의 다음 분기 EPS 추정치는 {{1,634원|16,340}}이에요. 발표는 내년 1월 26일 이후입니다.'),
  en('NVIDIA is up first, in 4 days (November 18). Apple follows on January 28, some ten weeks later.'),
  en("You have {{6 days|4 days}} left until NVIDIA's earnings on November 18.", {
    own: 'How long until NVIDIA earnings?',
  }),
  ko(
    `- **한국(KRX)**: 휴장 중, 11월 16일 09:00 개장
- **미국(NYSE)**: 휴장 중, 11월 16일 23:30(한국시간) 개장

주말이라 두 시장 모두 쉬고 있어요.`,
    { own: '한국이랑 미국 장 언제 열어?' },
  ),
  en(
    'Apple reports on {{January 26|January 28}}, and SK hynix sometime between {{January 28|January 26}} and January 29.',
    { own: 'When do Apple and SK hynix report?' },
  ),
  ko(
    '네, 엔비디아는 다음 주 수요일(11월 18일)에 발표해요. 하이닉스는 아직 날짜가 확정되지 않았고 1월 26일에서 29일 사이로 잡혀 있습니다.',
    { own: '엔비디아 다음 주에 발표하지? 하이닉스는?' },
  ),
  mixed('KRX는 {{11월 17일|11월 16일}} 09:00 KST에 open합니다. 지금은 weekend라 closed예요.'),
];
