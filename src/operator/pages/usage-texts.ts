import { counted, localized } from '#src/kernel/locale.ts';

const en = {
  period: 'Period',
  days: (p: { readonly count: number }) => (p.count === 1 ? 'today' : `${p.count} days`),
  otherPeople: 'all others together',
  erased: (p: { readonly code: string }) => `data deleted: ${p.code}`,
  cost: 'Cost',
  requests: 'Requests',
  tokensIn: 'Tokens in',
  tokensOut: 'Tokens out',
  unpriced: 'Without a price',
  usageNote: (p: { readonly zone: string }) =>
    `Requests to model providers as this bot recorded them, in days of ${p.zone}. Costs are in US dollars, by the prices that this version knows. Requests without a known price are not part of the cost. Those under way appear when they have ended, but today's budget counts their input already. People are shown by the codes of the audit log.`,
  perDay: 'All people together',
  perUser: 'Limit of each person',
  mostToday: (p: { readonly person: string; readonly spent: string; readonly share: string }) =>
    `most today: ${p.person} with ${p.spent} (${p.share})`,
  costBy: 'Cost per day by',
  chartAlt: (p: {
    readonly days: number;
    readonly total: string;
    readonly most: string;
    readonly by: string;
  }) =>
    [
      `Bar chart of the cost per day over ${counted(p.days, 'day')}: ${p.total} in all; the most expensive day is ${p.most}.`,
      ...(p.by === '' ? [] : [`The bars are divided into ${p.by}.`]),
      'The tables below have all numbers.',
    ].join(' '),
  others: 'others',
  total: 'Total',
  shownOf: (p: { readonly shown: string; readonly count: string }) =>
    `The ${p.shown} most expensive of ${p.count}.`,
  usageCaption: (p: { readonly days: string }) => `Cost in US dollars and requests, ${p.days}`,
};

const ko: typeof en = {
  period: '기간',
  days: (p) => (p.count === 1 ? '오늘' : `${p.count}일`),
  otherPeople: '그 밖의 사용자 합계',
  erased: (p) => `데이터 삭제됨: ${p.code}`,
  cost: '비용',
  requests: '요청',
  tokensIn: '입력 토큰',
  tokensOut: '출력 토큰',
  unpriced: '가격 정보 없음',
  usageNote: (p) =>
    `이 봇이 기록한 모델 요청이며, 날짜는 ${p.zone} 기준입니다. 비용은 이 버전이 아는 가격으로 계산한 미국 달러이고, 가격을 모르는 요청은 포함하지 않습니다. 진행 중인 요청은 끝난 뒤에 나타나지만, 오늘 예산에는 그 입력 비용이 먼저 포함됩니다. 사용자는 감사 로그와 같은 코드로 표시합니다.`,
  perDay: '전체 합계',
  perUser: '1인당 한도',
  mostToday: (p) => `오늘 가장 많이 쓴 사람: ${p.person}, ${p.spent} (${p.share})`,
  costBy: '일별 비용 구분',
  chartAlt: (p) =>
    [
      `${p.days}일 동안의 일별 비용 막대 차트: 모두 ${p.total}, 가장 많이 쓴 날은 ${p.most}.`,
      ...(p.by === '' ? [] : [`막대는 ${p.by}(으)로 나뉘어 있습니다.`]),
      '모든 값은 아래 표에 있습니다.',
    ].join(' '),
  others: '기타',
  total: '합계',
  shownOf: (p) => `${p.count}개 중 비용이 큰 ${p.shown}개입니다.`,
  usageCaption: (p) => `비용(미국 달러)과 요청, ${p.days}`,
};

export const usageTexts = localized({ en, ko });
