import { localized } from '#src/kernel/locale.ts';
import type { UserProfile } from '#src/kernel/people/profile.ts';

/** `/export`. */
const exportedEn = {
  done: (p: { readonly name: string }) =>
    `Here is our conversation since its last \`/reset\`, as a file: \`${p.name}\``,
  nothing: () => 'There is nothing to export yet.',
  feedback: (p: { readonly name: string; readonly up: number; readonly down: number }) =>
    `What people think of my answers, one line per verdict: 👍 ${p.up.toLocaleString('en-US')}, 👎 ${p.down.toLocaleString('en-US')}. \`${p.name}\``,
  noFeedback: () => 'Nobody has rated an answer yet.',
  directOnly: () =>
    'I send conversations as a file in direct chats only. Please write `/export` to me directly.',
};

const exportedKo: typeof exportedEn = {
  done: (p) => `마지막 \`/reset\` 이후 나눈 대화를 파일로 보내 드려요: \`${p.name}\``,
  nothing: () => '아직 내보낼 대화가 없어요.',
  feedback: (p) =>
    `답변 평가를 한 줄에 하나씩 적은 파일이에요. 👍 ${p.up.toLocaleString('ko-KR')}개, 👎 ${p.down.toLocaleString('ko-KR')}개. \`${p.name}\``,
  noFeedback: () => '아직 답변 평가가 없어요.',
  directOnly: () => '대화 파일은 DM으로만 보내 드려요. 저에게 DM으로 `/export`를 보내 주세요.',
};

export const exportTexts = localized({ en: exportedEn, ko: exportedKo });

const profileEn = {
  title: () => '**Your profile**',
  fields: {
    riskTolerance: 'Risk tolerance',
    preferredMarkets: 'Markets',
    complianceLevel: 'Investor level',
    locale: 'Language',
    timeZone: 'Time zone',
  },
  /** The command for each field, with all values. */
  forms: {
    riskTolerance: '/profile risk conservative | moderate | aggressive',
    preferredMarkets: '/profile markets KRX US crypto FX',
    complianceLevel: '/profile level retail | professional | institutional',
    locale: '/profile language ko | en | auto',
    timeZone: '/profile timezone Asia/Seoul | New York | London | UTC',
  },
  risks: { conservative: 'conservative', moderate: 'moderate', aggressive: 'aggressive' },
  markets: { KRX: 'Korean stocks', US: 'US stocks', crypto: 'crypto', FX: 'currencies' },
  levels: { retail: 'retail', professional: 'professional', institutional: 'institutional' },
  unset: () => 'not set',
  languageOfMessage: () => 'that of your message',
  none: 'None',
  automatic: 'That of my message',
  other: 'Type it',
  save: 'Save',
  examples: { preferredMarkets: 'Such as KRX, crypto', timeZone: 'Such as Chicago or UTC+9' } as Partial<
    Record<keyof UserProfile, string>
  >,
  howTo: () => 'Change it with:',
  clearing: () => '`/profile risk none` clears one, `/profile reset` all.',
  privacy: () => 'Only you see this. How you invest is not used in groups and channels.',
  effects: {
    riskTolerance: () => 'I keep to this in our DMs from your next message on.',
    preferredMarkets: () => 'I look at these first in our DMs from your next message on.',
    complianceLevel: () => 'I explain accordingly in our DMs from your next message on.',
    locale: () => 'I answer in it from now on, whatever you write in.',
    timeZone: () => 'Times in my answers are in this zone from now on.',
  },
  cleared: {
    riskTolerance: () => 'I no longer take a risk tolerance into account.',
    preferredMarkets: () => 'I no longer put any markets first.',
    complianceLevel: () => 'I no longer take an investor level into account.',
    locale: () => 'I answer in the language of your message again.',
    timeZone: () => 'I use the time zone of your platform profile or server again.',
  },
  wrong: (p: { readonly typed: string; readonly field: string }) =>
    `"${p.typed}" is not something I know for ${p.field.toLowerCase()}.`,
  wrongZone: (p: { readonly typed: string }) => `Which city's time? I don't know the zone "${p.typed}".`,
  unknownField: (p: { readonly typed: string }) => `Your profile has no "${p.typed}". Which of these?`,
  reset: () => 'Your profile is empty again.',
};

const profileKo: typeof profileEn = {
  title: () => '**내 프로필**',
  fields: {
    riskTolerance: '위험 성향',
    preferredMarkets: '관심 시장',
    complianceLevel: '투자자 수준',
    locale: '언어',
    timeZone: '시간대',
  },
  forms: {
    riskTolerance: '/profile 위험 보수 | 중립 | 공격',
    preferredMarkets: '/profile 시장 국내 미국 코인 환율',
    complianceLevel: '/profile 수준 개인 | 전문 | 기관',
    locale: '/profile 언어 한국어 | 영어 | 자동',
    timeZone: '/profile 시간대 서울 | 뉴욕 | Europe/London | UTC',
  },
  risks: { conservative: '보수적', moderate: '중립적', aggressive: '공격적' },
  markets: { KRX: '국내 주식', US: '미국 주식', crypto: '코인', FX: '환율' },
  levels: { retail: '개인 투자자', professional: '전문 투자자', institutional: '기관 투자자' },
  unset: () => '안 정함',
  languageOfMessage: () => '쓰시는 말 그대로',
  none: '없음',
  automatic: '쓰는 말 그대로',
  other: '직접 입력',
  save: '저장',
  examples: { preferredMarkets: '예: 국내, 코인', timeZone: '예: 시카고, UTC+9' },
  howTo: () => '이렇게 바꿔요:',
  clearing: () => '하나만 지우려면 `/profile 위험 없음`, 다 지우려면 `/profile 초기화`예요.',
  privacy: () => '나만 볼 수 있어요. 투자 성향은 그룹과 채널에서는 쓰지 않아요.',
  effects: {
    riskTolerance: () => '다음 질문부터 DM에서 이 성향에 맞춰 답해 드려요.',
    preferredMarkets: () => '다음 질문부터 DM에서 이 시장을 먼저 볼게요.',
    complianceLevel: () => '다음 질문부터 DM에서 이 수준에 맞춰 설명해 드려요.',
    locale: () => '이제 어떤 말로 쓰셔도 이 언어로 답해 드려요.',
    timeZone: () => '이제 시각과 날짜를 이 시간대로 알려 드려요.',
  },
  cleared: {
    riskTolerance: () => '이제 위험 성향은 따지지 않아요.',
    preferredMarkets: () => '이제 먼저 보는 시장은 없어요.',
    complianceLevel: () => '이제 투자자 수준은 따지지 않아요.',
    locale: () => '다시 쓰시는 말로 답해 드려요.',
    timeZone: () => '다시 플랫폼이나 서버의 시간대를 따라요.',
  },
  wrong: (p) => `"${p.typed}": ${p.field}에는 없는 값이에요.`,
  wrongZone: (p) => `어느 도시 시간인가요? "${p.typed}" 시간대는 몰라요.`,
  unknownField: (p) => `"${p.typed}": 프로필에 없는 항목이에요. 어떤 걸 바꿀까요?`,
  reset: () => '프로필을 모두 지웠어요.',
};

export const profileTexts = localized({ en: profileEn, ko: profileKo });

/** `/support`. */
const supportEn = {
  what: () =>
    'The operator page of this bot does not show our conversation. If you want help, `/support share` lets operators read it for 24 hours: everything that you and I have written since the last `/reset` or write in that time, and the names of the tools that I used, but not their results. I will tell you who reads it, and `/support revoke` stops the sharing at once.',
  notShared: () => 'You are not sharing it at the moment.',
  shared: (p: { readonly until: string }) =>
    `Operators can read this conversation until ${p.until}: everything that you and I have written since the last \`/reset\` or write until then, and the names of the tools that I used, but not their results. I will tell you who reads it, and \`/support revoke\` stops the sharing at once.`,
  unread: () => 'Nobody has read it yet.',
  readBy: () => 'Read by:',
  revoked: () => 'Operators can no longer read this conversation.',
  wasNotShared: () => 'You are not sharing this conversation.',
  directOnly: () =>
    'Other people write here too, so you cannot share this conversation on your own. You can share your direct chat with me: please send me `/support` there.',
  shareButton: () => 'Share for 24 hours',
  revokeButton: () => 'Stop sharing',
};

const supportKo: typeof supportEn = {
  what: () =>
    '이 봇의 운영 페이지에는 저와 나눈 대화가 표시되지 않아요. 도움이 필요하면 `/support share`로 24시간 동안 운영자에게 대화를 공유할 수 있어요. 마지막 `/reset` 이후의 대화와 공유하는 동안 나누는 대화, 제가 사용한 도구의 이름이 표시되며, 도구가 찾은 내용은 표시되지 않아요. 누가 읽었는지 알려 드리고, `/support revoke`로 언제든지 공유를 중단할 수 있어요.',
  notShared: () => '지금은 공유하고 있지 않아요.',
  shared: (p) =>
    `운영자가 ${p.until}까지 이 대화를 읽을 수 있어요. 마지막 \`/reset\` 이후의 대화와 그때까지 나누는 대화, 제가 사용한 도구의 이름이 표시되며, 도구가 찾은 내용은 표시되지 않아요. 누가 읽었는지 알려 드리고, \`/support revoke\`로 언제든지 공유를 중단할 수 있어요.`,
  unread: () => '아직 아무도 읽지 않았어요.',
  readBy: () => '읽은 사람:',
  revoked: () => '이제 운영자가 이 대화를 읽을 수 없어요.',
  wasNotShared: () => '공유 중인 대화가 아니에요.',
  directOnly: () =>
    '다른 분들도 함께 쓰시는 대화라 혼자서 공유할 수 없어요. 저와의 DM은 공유할 수 있으니, DM으로 `/support`를 보내 주세요.',
  shareButton: () => '24시간 공유',
  revokeButton: () => '공유 중단',
};

export const supportTexts = localized({ en: supportEn, ko: supportKo });
