import { localized } from '#src/kernel/locale.ts';

const en = {
  mayNotWrite: (p: { readonly chat: string }) =>
    `I may not write in ${p.chat}, so here is the answer. To get answers there, a server admin has to give me the permissions Send Messages and Embed Links.`,
  decisionNotStored: () => 'I could not store your decision just now. Please press the button again.',
};

const ko: typeof en = {
  mayNotWrite: (p) =>
    `${p.chat} 채널에 글을 쓸 권한이 없어 여기로 답변을 보냅니다. 그 채널에서 답변을 받으려면 서버 관리자가 메시지 보내기와 링크 첨부 권한을 주어야 합니다.`,
  decisionNotStored: () => '방금 결정을 저장하지 못했습니다. 버튼을 다시 눌러 주세요.',
};

export const discordMessages = localized({ en, ko });
