/** Sentences about commands, and about what the program puts under an answer; in both languages. */
export const commandsEn = {
  later: (p: { readonly name: string }) =>
    `This version does not have \`/${p.name}\` yet. \`/help\` shows what there is.`,
  quotes: () => '**Current quotes**',
};

export const commandsKo: typeof commandsEn = {
  later: (p) =>
    `이 버전에는 아직 \`/${p.name}\` 기능이 없습니다. 지금 사용할 수 있는 명령어는 \`/help\` 로 확인해 주세요.`,
  quotes: () => '**현재 시세**',
};
