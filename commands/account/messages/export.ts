import { localized } from '#src/kernel/locale.ts';

/** `/export`. */
const exportedEn = {
  done: (p: { readonly name: string }) =>
    `Here is our conversation since its last \`/reset\`, as a file: \`${p.name}\``,
  nothing: () => 'There is nothing to export yet.',
  directOnly: () =>
    'I send conversations as a file in direct chats only. Please write `/export` to me directly.',
};

const exportedKo: typeof exportedEn = {
  done: (p) => `마지막 \`/reset\` 이후 나눈 대화를 파일로 보내 드립니다: \`${p.name}\``,
  nothing: () => '아직 내보낼 대화가 없습니다.',
  directOnly: () => '대화는 1:1 대화에서만 파일로 보내 드립니다. 저에게 직접 `/export` 를 보내 주세요.',
};

export const exportMessages = localized({ en: exportedEn, ko: exportedKo });
