/** Sentences about commands, and about what the program puts under an answer; in both languages. */
export const commandsEn = {
  inThread: (p: { readonly name: string }) =>
    `Here every thread is a conversation of its own, and \`/${p.name}\` is about one. Please mention me in the thread and add \`/${p.name}\`.`,
  /** What to type where no button can be pressed. */
  goOn: (p: { readonly command: string }) => `To go on, send \`${p.command}\`.`,
  quotes: () => '**Current quotes**',
};

export const commandsKo: typeof commandsEn = {
  inThread: (p) =>
    `여기서는 스레드마다 대화가 따로 있고, \`/${p.name}\` 명령은 그중 한 대화에 적용됩니다. 해당 스레드에서 저를 멘션하고 \`/${p.name}\` 을 함께 적어 주세요.`,
  goOn: (p) => `계속하시려면 \`${p.command}\`라고 보내 주세요.`,
  quotes: () => '**현재 시세**',
};
