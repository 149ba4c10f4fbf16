import { counted, localized } from '#src/kernel/locale.ts';

/** `/context`. */
const contextEn = {
  title: (p: { readonly model: string }) => `**Context window of ${p.model}**`,
  used: (p: { readonly used: string; readonly window: string; readonly share: string }) =>
    `${p.used} of ${counted(p.window, 'token')} used (${p.share})`,
  measured: () => 'as the last request measured it',
  estimated: () => 'estimated',
  sources: {
    systemPrompt: 'Instructions',
    tools: 'Tools',
    conversation: 'Conversation',
    toolResults: 'Results of tools',
    summary: 'Summary of older parts',
  },
  tokens: (p: { readonly tokens: string }) => counted(p.tokens, 'token'),
  messages: (p: { readonly count: number }) =>
    `The model reads ${counted(p.count, 'message')} of this conversation.`,
  passed: (p: { readonly share: string; readonly tokens: string }) =>
    `⚠️ More than ${p.share} of the ${counted(p.tokens, 'token')} that this conversation may take are used.`,
  compaction: (p: { readonly tokens: string }) =>
    `From ${counted(p.tokens, 'token')} on, I shorten the older parts of this conversation.`,
  reserve: (p: { readonly tokens: string }) =>
    `${counted(p.tokens, 'token is', 'tokens are')} kept free for the answer.`,
  hint: () => '`/reset` starts over with an empty conversation.',
};

const contextKo: typeof contextEn = {
  title: (p) => `**${p.model} 컨텍스트**`,
  used: (p) => `전체 ${p.window}토큰 중 ${p.used}토큰 사용 (${p.share})`,
  measured: () => '최근 요청에서 측정',
  estimated: () => '추정치',
  sources: {
    systemPrompt: '기본 지침',
    tools: '도구 설명',
    conversation: '대화',
    toolResults: '도구 결과',
    summary: '이전 대화 요약',
  },
  tokens: (p) => `${p.tokens}토큰`,
  messages: (p) => `모델이 읽는 이 대화의 메시지: ${p.count.toLocaleString('ko-KR')}개`,
  passed: (p) => `⚠️ 이 대화에 쓸 수 있는 ${p.tokens}토큰 중 ${p.share} 넘게 사용했습니다.`,
  compaction: (p) => `${p.tokens}토큰을 넘으면 이 대화의 오래된 부분을 줄입니다.`,
  reserve: (p) => `답변을 위해 ${p.tokens}토큰을 비워 둡니다.`,
  hint: () => '`/reset` 으로 빈 대화에서 다시 시작할 수 있습니다.',
};

export const contextMessages = localized({ en: contextEn, ko: contextKo });
