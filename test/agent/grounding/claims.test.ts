import { describe, expect, it } from 'vitest';
import { falseClaimsIn } from '#src/agent/grounding/judge/claims.ts';

const CLAIMS = [
  '애플 10주를 기록했습니다.',
  '저장 완료!',
  '200달러 알림 설정해 뒀어요.',
  '관심 종목에 추가해 드렸습니다.',
  '알림이 설정되었습니다.',
  '테슬라를 관심 목록에서 뺐어요.',
  '이제 200달러를 넘으면 알려드릴게요.',
  '매일 아침 8시에 브리핑을 보내드릴게요.',
  '팀 채널에 공지를 보냈습니다.',
  '✅ 알림 설정: 엔비디아 200달러 이상',
  '어제 산 10주 기록해 놨어요.',
  '언어를 영어로 바꿨어요.',
  '말씀하신 대로 수정했습니다.',
  '알림 추가했고, 더 필요한 게 있나요?',
  '알림 걸어놨어 ㅎㅎ',
  '코스피 5000 돌파 알림을 설정했어요.',
  '배당금 36달러 입금으로 기록했습니다.',
  '완료했습니다!',
  '✅ Recorded',
  'Done — alert set at $200',
  'AAPL has been added to your watchlist.',
  "I've gone ahead and added Apple to your watchlist.",
  "I'll notify you when it crosses $200.",
  "You'll get a message as soon as NVDA drops below $150.",
  'Recorded: bought 10 AAPL at $200.',
  'Your alert is set.',
  "I've sent the message to your team.",
  'The team has been notified.',
  '10 shares of Apple logged.',
  'I undid the last trade.',
  "It's been saved.",
  'AAPL is now on your watchlist.',
  "I've added it to your watchlist — anything else?",
  'Bought 10 AAPL at $200 — recorded.',
  '카카오뱅크 매도가를 21,500원에서 22,150원으로 정정했어요.',
  '리마인더 시간이 오후 3시로 당겨졌어요.',
  '마지막 입력은 없던 일로 했어요.',
  '이제 아침 브리핑에 환율도 함께 나옵니다.',
  '뉴스 알림은 오전에만 가도록 제한했습니다.',
  '말씀하신 두 종목, 워치리스트에서 내렸습니다.',
  '업로드 끝!',
  '매도 기록을 되살렸습니다.',
  'Your alert for gold has been lowered to $2,300.',
  'I tacked a note onto your Disney position.',
  'Netflix is off your watchlist.',
  'Weekend notifications are switched off now.',
  'Briefing paused until August 1.',
  'Starting today, your recap goes out at 5 PM.',
  'Noted and saved: "Don’t sell before the ex-dividend date"',
];

const NO_CLAIMS = [
  '삼성전자는 신고가를 기록했습니다.',
  '배당을 취소했습니다.',
  '매출 79조 원을 기록했습니다.',
  '보유하신 종목은 4.2%를 기록했습니다.',
  '버크셔는 포트폴리오에 알파벳을 추가했습니다.',
  '테슬라가 가격을 변경했습니다.',
  '나스닥은 거래 시간을 연장했습니다.',
  '거래가 정지되었습니다.',
  '고점에서 꽤 내려왔지만, 저점과의 거리는 훨씬 더 벌어져 있어요.',
  '알림이 2개 설정되어 있습니다.',
  '어제 설정한 알림이 있어요.',
  '그 알림은 어제 삭제했습니다.',
  '알림을 설정할까요?',
  '원하시면 알림을 설정해 드릴게요.',
  '알림을 설정하려면 /alert를 쓰세요.',
  '저장하지 못했습니다.',
  '지난주에 10주를 매수하셨어요.',
  '아래에 표를 추가했습니다.',
  '매수 수수료 0.1%를 반영했습니다.',
  '"설정했습니다"라고 표시되면 끝입니다.',
  'Do you want me to set an alert?',
  'If you like, I can set an alert.',
  'If you tell me the price, I’ll let you know when it gets there.',
  'Apple set a new record.',
  'The company cancelled its dividend.',
  'You have an alert set at $200.',
  'You set an alert for AAPL last Tuesday.',
  'Set an alert with /alert.',
  'Once the alert has been set, you will see it here.',
  'I couldn’t save that.',
  'No alert has been set.',
  'I can’t confirm that your trade has been recorded.',
  'AAPL was added to the S&P 500 in 1982.',
  'NVDA added $300 to your portfolio today.',
  'I’ve added a table below.',
  'I set that alert on November 3.',
  'Guidance was raised.',
  '거래 기록을 살펴봤는데 배당 입금은 찾지 못했습니다.',
  '계좌 평가액은 지난달보다 120만 원 늘었습니다.',
  '아래 표에 매수 내역을 날짜순으로 정리했습니다.',
  '이미 발동된 알림은 종료됐습니다.',
  '매수 합계에서 10월 매도는 제외했습니다.',
  '엔비디아는 신제품 발표 일정을 앞당겼습니다.',
  '이제 배당 시즌이 시작됩니다.',
  'I checked your ledger and found two trades in May.',
  'I used yesterday’s close for your portfolio total.',
  'Your watchlist fell 1.2% on average, led by AMD.',
  'Your position gained $420 since the purchase was made.',
  'I tried to email the statement, but the message bounced.',
  'Happy to set up a reminder for that.',
  'Three alerts are active.',
  'Your risk profile is set to Conservative, which is why I left out leveraged ETFs.',
  'An alert fires once and is removed afterwards.',
];

const COVERED = [
  ['애플 10주를 기록했습니다.', 'recorded', 'removed'],
  ['애플 10주를 관심 종목에 추가했어요.', 'recorded', 'sent'],
  ['알림을 삭제했습니다.', 'removed', 'set'],
  ['팀 채널에 공지를 보냈습니다.', 'sent', 'recorded'],
  ['Your alert is set.', 'set', 'removed'],
  ["I've removed the alert.", 'changed', 'recorded'],
] as const;

describe('a claim that something was done', () => {
  it.each(CLAIMS)('is found: %s', (text) => {
    expect(falseClaimsIn(text, [])).toMatchObject([{ start: 0, end: text.length }]);
  });

  it.each(NO_CLAIMS)('is not seen where there is none: %s', (text) => {
    expect(falseClaimsIn(text, [])).toEqual([]);
  });

  it.each(COVERED)('is true by a receipt of its kind: %s', (text, done, other) => {
    expect(falseClaimsIn(text, [done])).toEqual([]);
    expect(falseClaimsIn(text, [other])).toHaveLength(1);
  });

  it('is false where a receipt confirms only the other half', () => {
    const text = "I've removed the alert and notified your team.";
    expect(falseClaimsIn(text, ['removed'])).toMatchObject([{ effect: 'sent' }]);
    expect(falseClaimsIn(text, ['removed', 'sent'])).toEqual([]);
  });

  it('of any change is true by any receipt', () => {
    for (const effect of ['recorded', 'set', 'removed', 'sent', 'changed'] as const)
      expect(falseClaimsIn('완료했습니다!', [effect])).toEqual([]);
  });

  it('has its place in the text', () => {
    const text = '애플은 272.95달러입니다.\n알림을 설정했습니다. 좋은 하루 되세요.';
    expect(falseClaimsIn(text, []).map(({ start, end }) => text.slice(start, end))).toEqual([
      '알림을 설정했습니다.',
    ]);
  });
});
