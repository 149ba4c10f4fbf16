import { localized } from '#src/kernel/locale.ts';

const en = {
  mayNotWrite: (p: { readonly chat: string }) =>
    `I may not write in ${p.chat}, so here is the answer. To get answers there, a server admin has to give me the permissions Send Messages and Embed Links.`,
  threadClosed: (p: { readonly chat: string }) => `${p.chat} is closed, so here is the answer.`,
  moderated: (p: { readonly chat: string }) =>
    `The moderation of ${p.chat} does not let the answer through, so here it is.`,
  placeGone: () => 'The channel of your question is gone, so here is the answer.',
  placeRefuses: (p: { readonly chat: string }) => `${p.chat} does not take the answer, so here it is.`,
  /** Above a question with buttons. */
  decideHere: (p: { readonly chat: string }) => `I cannot ask in ${p.chat}, so please decide here.`,
  decisionNotStored: () => 'I could not store your decision just now. Please press the button again.',
};

const ko: typeof en = {
  mayNotWrite: (p) =>
    `${p.chat} 채널에 글을 쓸 권한이 없어 여기로 답변을 보냅니다. 그 채널에서 답변을 받으려면 서버 관리자가 메시지 보내기와 링크 첨부 권한을 주어야 합니다.`,
  threadClosed: (p) => `${p.chat} 스레드가 닫혀 있어 여기로 답변을 보냅니다.`,
  moderated: (p) => `${p.chat} 채널의 자동 관리 규칙에 막혀 여기로 답변을 보냅니다.`,
  placeGone: () => '질문하신 채널이 없어져 여기로 답변을 보냅니다.',
  placeRefuses: (p) => `${p.chat} 채널에 답변을 올릴 수 없어 여기로 보냅니다.`,
  decideHere: (p) => `${p.chat} 채널에는 질문을 올릴 수 없으니 여기에서 결정해 주세요.`,
  decisionNotStored: () => '방금 결정을 저장하지 못했습니다. 버튼을 다시 눌러 주세요.',
};

export const discordTexts = localized({ en, ko });
