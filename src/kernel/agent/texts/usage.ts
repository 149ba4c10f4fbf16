import { counted, localized } from '#src/kernel/locale.ts';

interface Budget {
  readonly limit: string;
  readonly left: string;
}

const requests = (count: number): string => counted(count, 'request');

/** `/usage`. */
const usageEn = {
  title: () => '**Your model usage**',
  titleAll: () => '**Model usage of everybody**',
  today: () => 'Today',
  month: () => 'This month',
  conversation: () => 'This conversation',
  nothing: () => 'Nothing used yet this month.',
  nothingToday: () => 'nothing used yet',
  requests: (p: { readonly count: number }) => requests(p.count),
  failed: (p: { readonly count: number }) => `${p.count.toLocaleString('en-US')} failed`,
  unpriced: (p: { readonly count: number }) => `without ${requests(p.count)} of unknown price`,
  tokensIn: (p: { readonly tokens: string }) => `${counted(p.tokens, 'token')} in`,
  tokensOut: (p: { readonly tokens: string }) => `${p.tokens} out`,
  fromCache: (p: { readonly share: string }) => `${p.share} from the cache`,
  limit: (p: Budget) => `Your daily limit: ${p.limit}, ${p.left} left today`,
  limitAll: (p: Budget) => `Daily limit for everybody: ${p.limit}, ${p.left} left today`,
  limitShared: (p: { readonly limit: string }) => `Daily limit for everybody together: ${p.limit}`,
};

const usageKo: typeof usageEn = {
  title: () => '**내 모델 사용량**',
  titleAll: () => '**전체 모델 사용량**',
  today: () => '오늘',
  month: () => '이번 달',
  conversation: () => '이 대화',
  nothing: () => '이번 달에는 아직 사용 내역이 없습니다.',
  nothingToday: () => '아직 사용 내역 없음',
  requests: (p) => `요청 ${p.count.toLocaleString('ko-KR')}건`,
  failed: (p) => `실패 ${p.count.toLocaleString('ko-KR')}건`,
  unpriced: (p) => `가격을 알 수 없는 요청 ${p.count.toLocaleString('ko-KR')}건 제외`,
  tokensIn: (p) => `입력 ${p.tokens}토큰`,
  tokensOut: (p) => `출력 ${p.tokens}토큰`,
  fromCache: (p) => `캐시 ${p.share}`,
  limit: (p) => `내 하루 한도: ${p.limit}, 오늘 ${p.left} 남음`,
  limitAll: (p) => `전체 하루 한도: ${p.limit}, 오늘 ${p.left} 남음`,
  limitShared: (p) => `모두가 함께 쓰는 하루 한도: ${p.limit}`,
};

export const modelUsageTexts = localized({ en: usageEn, ko: usageKo });
