import { localized } from '#src/kernel/locale.ts';

/** The approval question before a web page is opened, in both languages. */
const webEn = {
  /** `host` is in ASCII, as in the address. */
  open: (p: { readonly host: string }) => `Open a page on \`${p.host}\`, at exactly this address:`,
  whatIsSent: () =>
    'Whoever runs that server will see the whole address. Say no if it contains anything about you.',
  notGiven: () =>
    'You didn’t give me this address, and it isn’t from a page you named or a headline I showed you.',
  offered: () =>
    'A page offered this link and I chose it. Which one I open can tell its author something about you.',
  opened: (p: { readonly address: string }) => `🔗 Opened: \`${p.address}\``,
  manyLinks: () => 'I have already opened several links for this question.',
};

const webKo: typeof webEn = {
  open: (p) => `다음 주소의 페이지를 엽니다(서버: \`${p.host}\`):`,
  whatIsSent: () =>
    '주소에 적힌 내용은 모두 그 서버의 운영자에게 전달됩니다. 내 정보가 들어 있으면 거절해 주세요.',
  notGiven: () => '직접 보내신 주소도, 알려 주신 페이지나 제가 전해 드린 뉴스에 있는 주소도 아닙니다.',
  offered: () =>
    '페이지에 있던 링크 중에서 제가 고른 주소입니다. 무엇을 여는지로 페이지 작성자가 회원님에 대해 짐작할 수 있습니다.',
  opened: (p) => `🔗 연 주소: \`${p.address}\``,
  manyLinks: () => '이 질문에 답하려고 이미 링크를 여러 개 열었습니다.',
};

export const webTexts = localized({ en: webEn, ko: webKo });

/** What the program says below an answer after it stored a message for later, or sent one. */
const reminderEn = {
  set: (p: { readonly at: string }) => `⏰ Reminder set for ${p.at}, as a direct message.`,
  sent: () => '✉️ Sent to you as a direct message.',
};

const reminderKo: typeof reminderEn = {
  set: (p) => `⏰ ${p.at}에 다이렉트 메시지로 알려 드릴게요.`,
  sent: () => '✉️ 다이렉트 메시지로 보냈습니다.',
};

export const reminderTexts = localized({ en: reminderEn, ko: reminderKo });
