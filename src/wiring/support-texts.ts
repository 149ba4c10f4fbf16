import { localized } from '#src/kernel/locale.ts';

const supportEn = {
  /** Names the reader in the notice and in `/support`. */
  tokenReader: () => 'an operator who logged in with the token',
  /** `reader` is an account on a platform, or `tokenReader`. */
  wasRead: (p: { readonly reader: string }) =>
    `The conversation that you are sharing was just read. Reader: ${p.reader}. \`/support revoke\` stops the sharing.`,
};

const supportKo: typeof supportEn = {
  tokenReader: () => '토큰으로 로그인한 운영자',
  wasRead: (p) =>
    `공유하신 대화를 방금 읽은 사람: ${p.reader}. \`/support revoke\`로 공유를 중단하실 수 있습니다.`,
};

export const supportNotices = localized({ en: supportEn, ko: supportKo });
