import { localized } from '#src/kernel/locale.ts';

/** The approval question before a web page is opened, in both languages. */
const webEn = {
  /** `host` is in ASCII, as in the address. */
  open: (p: { readonly host: string }) => `Open a page on \`${p.host}\`, at exactly this address:`,
  whatIsSent: () =>
    'Whoever runs that server will see the whole address. Say no if it contains anything about you.',
  notGiven: () =>
    'You didn’t give me this address, and it isn’t from a page you named or a headline I showed you.',
  manyLinks: () => 'I have already opened several links for this question.',
};

const webKo: typeof webEn = {
  open: (p) => `다음 주소의 페이지를 엽니다(서버: \`${p.host}\`):`,
  whatIsSent: () =>
    '주소에 적힌 내용은 모두 그 서버의 운영자에게 전달됩니다. 내 정보가 들어 있으면 거절해 주세요.',
  notGiven: () => '직접 보내신 주소도, 알려 주신 페이지나 제가 전해 드린 뉴스에 있는 주소도 아닙니다.',
  manyLinks: () => '이 질문에 답하려고 이미 링크를 여러 개 열었습니다.',
};

export const webMessages = localized({ en: webEn, ko: webKo });
